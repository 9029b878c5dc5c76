"""What goes wrong in the exercise interpret.agreement after the ranks, and with what has none."""

from __future__ import annotations

import math
from functools import partial

import torch

from grader.testing import Explained, misconception, variant
from misconceptions.agreement import (
    anything,
    correlation,
    correlation_of_lists,
    listed,
    listed_ranks,
    mean_ranks,
    ranked,
)
from misconceptions.shared import refuse

about = partial(misconception, name="agreement")

about(
    "interpret.agreement/one-side-descending",
    en=Explained(
        "You rank one side from the largest down, and the other from the smallest up.",
        "The same order then has the agreement -1. Either direction will do, but it must be one for both.",
        hint="What do you get for two lists that are equal?",
    ),
    zh_tw=Explained(
        "你一邊由大到小排名次，另一邊由小到大。",
        "這樣順序相同反而得到 -1。哪個方向都可以，但兩邊要一致。",
        hint="兩個一模一樣的串列，你得到多少？",
    ),
)(ranked(second=lambda x: mean_ranks(-x)))
variant("interpret.agreement/one-side-descending")(
    listed(first=lambda x: [-r for r in listed_ranks(x)], second=listed_ranks)
)


about(
    "interpret.agreement/squared",
    en=Explained(
        "You squared the correlation.",
        "The square says how much of a spread is explained, and no longer in which direction. The correlation itself is asked for.",
        hint="Is something missing at the end, a root perhaps?",
    ),
    zh_tw=Explained(
        "你把相關係數平方了。",
        "平方說的是解釋了多少變異，方向卻不見了。這一題要的是相關係數本身。",
        hint="最後是不是少了什麼，例如開根號？",
    ),
)(ranked(compare=lambda a, b: correlation(a, b) ** 2))
variant("interpret.agreement/squared")(
    listed(compare=lambda a, b: correlation_of_lists(a, b) * correlation_of_lists(b, a))
)

about(
    "interpret.agreement/not-centred",
    en=Explained(
        "You did not take the mean off the ranks.",
        "Ranks are all positive, so their cosine is always above 0, whatever the orders are. A correlation is the cosine of what is left without the mean.",
        hint="What do you get for a list and its reverse?",
    ),
    zh_tw=Explained(
        "你沒有先減掉名次的平均。",
        "名次都是正數，所以不論順序如何，餘弦都大於 0。減掉平均之後的餘弦才是相關係數。",
        hint="一個串列和它的反序，你得到多少？",
    ),
)(ranked(compare=lambda a, b: float(torch.cosine_similarity(a.double(), b.double(), dim=0))))
variant("interpret.agreement/not-centred")(
    listed(compare=lambda a, b: math.fsum(map(float.__mul__, a, b)) / (math.hypot(*a) * math.hypot(*b)))
)

about(
    "interpret.agreement/two-kinds-of-variance",
    en=Explained(
        "You divided the product by n, and the variances by n - 1.",
        "A correlation of a thing with itself is 1. With a mean above and an unbiased variance below it is (n - 1) / n: std divides by n - 1 unless told otherwise.",
        hint="What do you get for two lists that are equal?",
    ),
    zh_tw=Explained(
        "乘積你除以 n，變異數卻除以 n - 1。",
        "任何東西和自己的相關是 1。上面是平均、下面是不偏變異數，就變成 (n - 1) / n：std 預設除以 n - 1。",
        hint="兩個一模一樣的串列，你得到多少？",
    ),
)(
    ranked(
        compare=lambda a, b: float(
            ((a - a.double().mean()) * (b - b.double().mean())).mean() / (a.double().std() * b.double().std())
        )
    )
)
variant("interpret.agreement/two-kinds-of-variance")(
    listed(compare=lambda a, b: correlation_of_lists(a, b) * (1 - 1 / len(a)))
)

about(
    "interpret.agreement/size-of-the-effects",
    en=Explained(
        "You ranked the sizes of the effects.",
        "Whether a token spoke for the prediction or against it is in the sign. Whoever wants sizes can hand them in: the function compares what it is given.",
        hint="What happens to the order of [-3, 1, 2]?",
    ),
    zh_tw=Explained(
        "你排的是效應的大小，不管正負。",
        "詞元支持還是反對這個預測，看的是正負號。想比大小的人可以自己先取絕對值：函式比的是收到的東西。",
        hint="[-3, 1, 2] 的順序變成什麼？",
    ),
)(ranked(second=lambda x: mean_ranks(x.abs())))
variant("interpret.agreement/size-of-the-effects")(listed(second=lambda x: listed_ranks(x.square().sqrt())))


def same_shape_and_no_nan(a, b):
    refuse(a.shape != b.shape or a.ndim != 1)
    refuse(bool(a.isnan().any() or b.isnan().any()))


def constant(a, b, otherwise):
    return otherwise if min(len(set(a)), len(set(b))) < 2 else correlation_of_lists(a, b)


about(
    "interpret.agreement/constant-is-0",
    en=Explained(
        "You call it 0 where all numbers are equal.",
        "0 says that both orders were compared, and have nothing to do with each other. Here one of them has no order, and nothing can be said: that is an error.",
        hint="What does the denominator become? Who should hear of it?",
    ),
    zh_tw=Explained(
        "全部的數都相等時，你說是 0。",
        "0 的意思是兩個順序比過了，彼此無關。但這裡有一邊根本沒有順序，什麼也說不了：這是錯誤。",
        hint="分母變成什麼？該讓誰知道？",
    ),
)(
    ranked(
        check=same_shape_and_no_nan,
        compare=lambda a, b: correlation(a, b) if len(a.unique()) > 1 < len(b.unique()) else 0.0,
    )
)
variant("interpret.agreement/constant-is-0")(
    listed(check=same_shape_and_no_nan, compare=lambda a, b: constant(a, b, 0.0))
)

about(
    "interpret.agreement/constant-is-nan",
    en=Explained(
        "You return NaN where all numbers are equal.",
        "0 divided by 0 is NaN, which nobody notices until an average over many sentences is NaN too. A side without an order is an error.",
        hint="What does the denominator become? Check for it before you divide.",
    ),
    zh_tw=Explained(
        "全部的數都相等時，你回傳 NaN。",
        "0 除以 0 是 NaN，要等到許多句子的平均也變成 NaN 才有人發現。一邊沒有順序就是錯誤。",
        hint="分母變成什麼？除之前先檢查。",
    ),
)(ranked(check=same_shape_and_no_nan))
variant("interpret.agreement/constant-is-nan")(
    listed(check=same_shape_and_no_nan, compare=lambda a, b: constant(a, b, math.nan))
)


def an_order(a, b):
    refuse(a.shape != b.shape or a.ndim != 1 or len(a.unique()) < 2 or len(b.unique()) < 2)


about(
    "interpret.agreement/nan-ranked",
    en=Explained(
        "You give NaN a rank.",
        "NaN is neither more nor less than any number. A sort puts it somewhere, for instance last, and the agreement looks like any other.",
        hint="What does torch say to NaN > 1, and to NaN < 1?",
    ),
    zh_tw=Explained(
        "你給了 NaN 一個名次。",
        "NaN 不比任何數大，也不比任何數小。排序還是會把它放到某處，例如最後，一致程度看起來就和別的沒兩樣。",
        hint="NaN > 1 和 NaN < 1，torch 怎麼說？",
    ),
)(ranked(check=an_order, first=lambda x: mean_ranks(x.nan_to_num(math.inf))))
variant("interpret.agreement/nan-ranked")(
    listed(check=an_order, first=lambda x: listed_ranks(torch.where(x == x, x, x.new_tensor(math.inf))))  # noqa: PLR0124  # NaN alone differs from itself
)


def without_an_order(x):
    """Ranks by comparing, in which NaN is neither less nor more nor equal."""
    return (x < x[:, None]).sum(1) + ((x == x[:, None]).sum(1) + 1) / 2


def listed_without_an_order(x):
    """The same in plain Python."""
    line = x.tolist()
    return [sum(y < z for y in line) + (sum(y == z for y in line) + 1) / 2 for z in line]


about(
    "interpret.agreement/nan-compared",
    en=Explained(
        "You rank NaN by comparing, and every comparison says no.",
        "It then counts as less than all other numbers, and the agreement looks like any other. What is not a number has no place in an order.",
        hint="What does torch say to NaN > 1, to NaN < 1, and to NaN == NaN?",
    ),
    zh_tw=Explained(
        "你用比較來替 NaN 排名次，而每個比較都說「否」。",
        "這樣它就算是比其他數都小，一致程度看起來和別的沒兩樣。不是數的東西，在順序裡沒有位置。",
        hint="NaN > 1、NaN < 1、NaN == NaN，torch 各怎麼說？",
    ),
)(ranked(check=an_order, first=without_an_order))
variant("interpret.agreement/nan-compared")(listed(check=an_order, first=listed_without_an_order))


def cut_to_one_length(a, b):
    refuse(bool(a.isnan().any() or b.isnan().any()) or len(a.unique()) < 2 or len(b.unique()) < 2)


def shorter(a, b):
    return [side.flatten()[: min(a.numel(), b.numel())] for side in (a, b)]


about(
    "interpret.agreement/cut-to-one-length",
    en=Explained(
        "You compare weights and effects of other lengths or axes.",
        "One weight belongs to one effect. If there are more of the one, something went wrong before, and what is left out is left out without a word.",
        hint="What does zip do with the rest of the longer list? The given require_shapes can ask.",
    ),
    zh_tw=Explained(
        "長度或軸數不同的權重和效應，你也拿來比。",
        "一個權重對應一個效應。如果有一邊比較多，之前就已經出錯了，而你默默丟掉了多出來的部分。",
        hint="zip 怎麼處理比較長的串列剩下的部分？可以用現成的 require_shapes 檢查。",
    ),
)(lambda ref, weights, effects: ranked(check=cut_to_one_length)(ref, *shorter(weights, effects)))


@variant("interpret.agreement/cut-to-one-length")
def _(ref, weights, effects):
    cut_to_one_length(weights, effects)
    pairs = list(zip(weights.reshape(-1), effects.reshape(-1), strict=False))
    return listed(check=anything)(ref, torch.stack([a for a, _ in pairs]), torch.stack([b for _, b in pairs]))


about(
    "interpret.agreement/float32",
    en=Explained(
        "You rounded to float32 before you compared.",
        "Weights that differ in the tenth digit become equal, and share a rank that they should not. An order does not need fewer digits.",
        hint="Look for .float() and for tensors that are made of lists.",
    ),
    zh_tw=Explained(
        "你在比較之前先四捨五入到 float32。",
        "第十位才不同的權重會變成相等，平分了不該平分的名次。排順序不需要減少位數。",
        hint="找找 .float()，以及由串列建立的張量。",
    ),
)(ranked(first=lambda x: mean_ranks(x.float())))
variant("interpret.agreement/float32")(listed(first=lambda x: listed_ranks(torch.tensor(x.tolist()))))


@about(
    "interpret.agreement/sorted-in-place",
    en=Explained(
        "You write into the weights.",
        "They belong to the caller, who has just looked them up in a map. Assignments to entries, and a NumPy array that shares their memory and is sorted, change them.",
        hint="Print the weights before and after the call.",
    ),
    zh_tw=Explained(
        "你改寫了權重。",
        "它們屬於呼叫你的人，是剛從圖裡取出來的。對元素指定值，或是對共用記憶體的 NumPy 陣列排序，都會改動它們。",
        hint="在呼叫前後各印一次權重。",
    ),
)
def sorted_in_place(ref, weights, effects):
    found = ranked()(ref, weights, effects)
    weights.numpy().sort()
    return found


@variant("interpret.agreement/sorted-in-place")
def _(ref, weights, effects):
    found = listed()(ref, weights, effects)
    weights[:] = weights.sort().values
    return found
