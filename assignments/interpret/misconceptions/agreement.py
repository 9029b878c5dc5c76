"""What goes wrong in the exercise interpret.agreement with the ranks."""

from __future__ import annotations

import math
from functools import partial
from itertools import combinations

from grader.testing import Explained, misconception, variant
from misconceptions.shared import refuse

about = partial(misconception, name="agreement")


def mean_ranks(x):
    """Equal numbers share the mean of their ranks, by counting."""
    return (x[:, None] > x).sum(1) + ((x[:, None] == x).sum(1) + 1) / 2


def listed_ranks(x):
    """The same in plain Python."""
    numbers = x.tolist()
    line = sorted(numbers)
    return [line.index(each) + (line.count(each) + 1) / 2 for each in numbers]


def require_order(a, b):
    refuse(a.shape != b.shape or a.ndim != 1)
    refuse(bool(a.isnan().any() or b.isnan().any()))
    refuse(len(a.unique()) < 2 or len(b.unique()) < 2)


def correlation(a, b):
    """Pearson's, of two tensors."""
    a, b = (x.double() - x.double().mean() for x in (a, b))
    return float((a * b).sum() / (a.square().sum() * b.square().sum()).sqrt())


def correlation_of_lists(a, b):
    """Pearson's, of two lists."""
    a, b = ([x - sum(side) / len(side) for x in side] for side in (a, b))
    return sum(x * y for x, y in zip(a, b, strict=True)) / math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))


def ranked(*, first=mean_ranks, second=None, compare=correlation, check=require_order):
    """Tensors of ranks, compared; wrong in one step."""

    def function(ref, weights, effects):
        check(weights, effects)
        return compare(first(weights), (second or first)(effects))

    return function


def listed(*, first=listed_ranks, second=None, compare=correlation_of_lists, check=require_order):
    """Lists of ranks, compared; wrong in one step."""

    def function(ref, weights, effects):
        check(weights, effects)
        return compare(first(weights), (second or first)(effects))

    return function


def anything(*_):
    """No check."""


about(
    "interpret.agreement/pearson",
    en=Explained(
        "You correlated the numbers, not their ranks.",
        "Pearson's correlation asks for a straight line. One large weight then decides all, and weights and logits have no common scale; ranks ask only for the order.",
        hint="Replace the largest effect by one a hundred times as large. Should the agreement change?",
    ),
    zh_tw=Explained(
        "你算的是數值的相關，不是名次的相關。",
        "Pearson 相關問的是像不像一條直線。這時一個很大的權重就決定一切，而且權重和 logit 沒有共同的尺度；名次只問順序。",
        hint="把最大的效應換成一百倍大。一致程度應該改變嗎？",
    ),
)(ranked(first=lambda x: x))
variant("interpret.agreement/pearson")(listed(first=lambda x: x.tolist()))


def kendall(a, b):
    """Kendall's tau-b: concordant less discordant pairs."""
    a, b = ((x[:, None] - x).sign() for x in (a, b))
    return float((a * b).sum() / (a.abs().sum() * b.abs().sum()).sqrt())


def kendall_of_pairs(a, b):
    """The same, pair by pair."""
    pairs = [
        (math.copysign(x != y, x - y), math.copysign(v != w, v - w))
        for (x, v), (y, w) in combinations(zip(a, b, strict=True), 2)
    ]
    return sum(p * q for p, q in pairs) / math.sqrt(sum(p * p for p, _ in pairs) * sum(q * q for _, q in pairs))


about(
    "interpret.agreement/kendall",
    en=Explained(
        "This is Kendall's correlation.",
        "It counts pairs in the same and in the opposite order, and is what Jain and Wallace report. Spearman's is asked for: the correlation of the ranks, in which far too high costs more than a little.",
        hint="Do you count pairs, or correlate ranks?",
    ),
    zh_tw=Explained(
        "這是 Kendall 相關。",
        "它數的是順序相同和相反的數對，也是 Jain 和 Wallace 回報的那一種。這一題要的是 Spearman：名次的相關，名次差得越遠代價越大。",
        hint="你是在數數對，還是算名次的相關？",
    ),
)(ranked(first=lambda x: x.double(), compare=kendall))
variant("interpret.agreement/kendall")(listed(compare=kendall_of_pairs))

about(
    "interpret.agreement/ties-in-order",
    en=Explained(
        "You rank equal numbers by where they stand.",
        "Sorting puts one of them first, and which one depends on the position, not on the number. Equal numbers share the mean of their ranks. In a causal map there are many zeros.",
        hint="Which ranks do [0, 0, 1] get from you?",
    ),
    zh_tw=Explained(
        "相等的數，你依位置先後排名次。",
        "排序一定會讓其中一個在前，是哪一個看的是位置而不是數值。相等的數要平分名次。因果的注意力圖裡有很多個零。",
        hint="[0, 0, 1] 在你的函式裡得到哪些名次？",
    ),
)(ranked(first=lambda x: x.argsort(stable=True).argsort(stable=True)))


def one_by_one(x):
    numbers = x.tolist()
    order = sorted(range(len(numbers)), key=numbers.__getitem__)
    return [order.index(i) + 1 for i in range(len(numbers))]


variant("interpret.agreement/ties-in-order")(listed(first=one_by_one))

about(
    "interpret.agreement/ties-without-gaps",
    en=Explained(
        "After equal numbers you go on with the very next rank.",
        "Two that share ranks 2 and 3 both get 2.5, and the one after them 4. Without gaps the numbers after a tie stand too near.",
        hint="Which ranks do [1, 2, 2, 3] get from you? What do they sum to, and what would ranks 1 to 4?",
    ),
    zh_tw=Explained(
        "相等的數之後，你直接接下一個名次。",
        "平分第 2、3 名的兩個都得 2.5，之後的是第 4 名。不留空的話，相等的數後面就排得太近。",
        hint="[1, 2, 2, 3] 在你的函式裡得到哪些名次？總和是多少？名次 1 到 4 的總和呢？",
    ),
)(ranked(first=lambda x: x.unique(return_inverse=True)[1]))
variant("interpret.agreement/ties-without-gaps")(
    listed(first=lambda x: [sorted(set(x.tolist())).index(n) for n in x.tolist()])
)

about(
    "interpret.agreement/ties-share-the-first",
    en=Explained(
        "Equal numbers all get the first of their ranks.",
        "Two that share ranks 2 and 3 both get 2.5, the mean. With 2 for both, a rank is lost, and the mean of all ranks is no longer (n + 1) / 2.",
        hint="Which ranks do [1, 2, 2, 3] get from you?",
    ),
    zh_tw=Explained(
        "相等的數，你都給了其中最前面的名次。",
        "平分第 2、3 名的兩個都得平均 2.5。都給 2，就少了一個名次，名次的平均也不再是 (n + 1) / 2。",
        hint="[1, 2, 2, 3] 在你的函式裡得到哪些名次？",
    ),
)(ranked(first=lambda x: (x[:, None] > x).sum(1)))
variant("interpret.agreement/ties-share-the-first")(
    listed(first=lambda x: [sorted(x.tolist()).index(n) for n in x.tolist()])
)

about(
    "interpret.agreement/ties-share-the-last",
    en=Explained(
        "Equal numbers all get the last of their ranks.",
        "Two that share ranks 2 and 3 both get 2.5, the mean. How many are not larger is the last of the ranks that they share.",
        hint="Which ranks do [1, 2, 2, 3] get from you?",
    ),
    zh_tw=Explained(
        "相等的數，你都給了其中最後面的名次。",
        "平分第 2、3 名的兩個都得平均 2.5。「不大於它的有幾個」是它們平分的名次中最後的那個。",
        hint="[1, 2, 2, 3] 在你的函式裡得到哪些名次？",
    ),
)(ranked(first=lambda x: (x[:, None] >= x).sum(1)))
variant("interpret.agreement/ties-share-the-last")(
    listed(first=lambda x: [sum(m <= n for m in x.tolist()) for n in x.tolist()])
)


def shortcut(a, b):
    n = len(a)
    return float(1 - 6 * (a - b).double().square().sum() / (n * (n * n - 1)))


def shortcut_of_lists(a, b):
    n = len(a)
    return 1 - 6 * sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) / (n**3 - n)


about(
    "interpret.agreement/formula-without-ties",
    en=Explained(
        "You used 1 - 6 Σd² / (n³ - n), which holds only without ties.",
        "It puts in for the spread of the ranks that of 1 to n. Ties make ranks less spread, so that even two equal lists of numbers may come out below what they should.",
        hint="What does the definition say, before it is simplified: the correlation of what?",
    ),
    zh_tw=Explained(
        "你用了 1 - 6 Σd² / (n³ - n)，這只在沒有相等的數時成立。",
        "它把名次的分散程度當成 1 到 n 的分散程度。有相等的數時，名次沒有那麼分散，結果就不對了。",
        hint="化簡之前的定義怎麼說：是什麼的相關？",
    ),
)(ranked(compare=shortcut))
variant("interpret.agreement/formula-without-ties")(listed(compare=shortcut_of_lists))

about(
    "interpret.agreement/order-for-ranks",
    en=Explained(
        "You took argsort for the ranks.",
        "argsort says which number comes first, second, third. A rank says where a number comes: it is the other way round.",
        hint="What is argsort of [30, 10, 20], and what are its ranks?",
    ),
    zh_tw=Explained(
        "你把 argsort 當成名次。",
        "argsort 說的是第一、第二、第三分別是哪一個數。名次說的是一個數排第幾：方向相反。",
        hint="[30, 10, 20] 的 argsort 是什麼？名次又是什麼？",
    ),
)(ranked(first=lambda x: x.argsort(stable=True)))
variant("interpret.agreement/order-for-ranks")(
    listed(first=lambda x: sorted(range(len(x)), key=x.tolist().__getitem__))
)
