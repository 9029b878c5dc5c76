"""What goes wrong in the exercise context.bigram_probs."""

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    about_probs,
    by_row,
    or_uniform,
    right_row,
    smoothed,
    table,
    totals,
)


@about_probs(
    "context.bigram_probs/columns-share",
    en=Explained(
        "Your columns sum to 1; the rows should.",
        "A row is what may follow one token, and its probabilities make up one unit. A column collects over all tokens "
        "how likely they are to be followed by one, and may sum to anything.",
        hint="Along which axis do you sum before you divide?",
    ),
    zh_tw=Explained(
        "加起來等於 1 的是你的直行，應該是橫列才對。",
        "一個橫列是某個詞元後面可能接什麼，機率合起來是一個單位。直行是各個詞元後面接同一個的機率，加起來多少都可以。",
        hint="除之前，你沿著哪一軸相加？",
    ),
)
def columns_share(ref, counts, alpha=1.0):
    return smoothed(table(ref, counts, alpha).T, alpha).T


@variant("context.bigram_probs/columns-share")
def _(ref, counts, alpha=1.0):
    return by_row(table(ref, counts, alpha).T, alpha, right_row(alpha)).T


@about_probs(
    "context.bigram_probs/one-unit-for-all",
    en=Explained(
        "All rows together share one unit.",
        "That is how likely a pair is. A model of text knows the first token of the pair already and asks what follows: "
        "each row sums to 1.",
        hint="What does row 0 sum to?",
    ),
    zh_tw=Explained(
        "你讓所有橫列合起來分一個單位。",
        "那是某一對出現的機率。語言模型早已知道前一個詞元，問的是後面接什麼：每個橫列各自加起來等於 1。",
        hint="第 0 個橫列加起來是多少？",
    ),
)
def one_unit(ref, counts, alpha=1.0):
    C = table(ref, counts, alpha) + alpha
    return (C / C.sum()).astype(C.dtype)


@variant("context.bigram_probs/one-unit-for-all")
def _(ref, counts, alpha=1.0):
    C = table(ref, counts, alpha)
    total = math.fsum(C.ravel().tolist()) + alpha * C.size
    return np.array([[(count + alpha) / total for count in row] for row in C.tolist()], dtype=C.dtype)


@about_probs(
    "context.bigram_probs/transposed",
    en=Explained(
        "Your probabilities are transposed.",
        "They are shared out rightly and then turned around: in row i stands what i may follow, not what may follow i.",
        hint="Where do you find the probability of j after i?",
    ),
    zh_tw=Explained(
        "你的機率轉置了。",
        "分得沒錯，卻轉了過來：第 i 個橫列放的是 i 可以接在誰後面，而不是誰可以接在 i 後面。",
        hint="j 接在 i 後面的機率，在你的表裡放在哪一格？",
    ),
)
def transposed(ref, counts, alpha=1.0):
    return smoothed(table(ref, counts, alpha), alpha).T


@variant("context.bigram_probs/transposed")
def _(ref, counts, alpha=1.0):
    rows = by_row(table(ref, counts, alpha), alpha, right_row(alpha))
    return np.array(list(zip(*rows, strict=True)), dtype=rows.dtype)


@about_probs(
    "context.bigram_probs/alpha-not-in-the-divisor",
    en=Explained(
        "You added alpha to the counts, but not to what you divide by.",
        "Every one of the V followers got alpha more, so the row has alpha V more to share. Divided by the old total, it "
        "sums to more than 1.",
        hint="What do your rows sum to?",
    ),
    zh_tw=Explained(
        "你把 alpha 加到了次數上，卻沒加到除數上。",
        "V 個後續詞元各多了 alpha，整個橫列就多了 alpha V 要分。還除以原來的總和，加起來就大於 1。",
        hint="你的橫列加起來是多少？",
    ),
)
def divisor_without_alpha(ref, counts, alpha=1.0):
    C = table(ref, counts, alpha)
    return or_uniform(C, alpha, (C + alpha) / totals(C))


@variant("context.bigram_probs/alpha-not-in-the-divisor")
def _(ref, counts, alpha=1.0):
    return by_row(table(ref, counts, alpha), alpha, lambda row: [(count + alpha) / sum(row) for count in row])


@about_probs(
    "context.bigram_probs/alpha-once-in-the-divisor",
    en=Explained(
        "You added alpha to the divisor once, not V times.",
        "Every one of the V followers got alpha more. What is added above must be added below, or the row does not sum to "
        "1.",
        hint="By how much did the sum of the row grow when you added alpha to each of its counts?",
    ),
    zh_tw=Explained(
        "除數裡的 alpha 你只加了一次，不是 V 次。",
        "V 個後續詞元各多了 alpha。分子總共加了多少，分母就要加多少，否則橫列加起來不是 1。",
        hint="替橫列的每個次數加上 alpha 時，總和增加了多少？",
    ),
)
def alpha_once(ref, counts, alpha=1.0):
    C = table(ref, counts, alpha)
    return or_uniform(C, alpha, (C + alpha) / (totals(C) + alpha))


@variant("context.bigram_probs/alpha-once-in-the-divisor")
def _(ref, counts, alpha=1.0):
    return by_row(table(ref, counts, alpha), alpha, lambda row: [(count + alpha) / (sum(row) + alpha) for count in row])


@about_probs(
    "context.bigram_probs/alpha-only-in-the-divisor",
    en=Explained(
        "You added alpha V to the divisor, but nothing to the counts.",
        "An unseen pair is still impossible, and the rows sum to less than 1: the share set aside for the unseen goes to "
        "nobody.",
        hint="What is your probability of a pair that never occurred?",
    ),
    zh_tw=Explained(
        "你把 alpha V 加到除數上，次數卻沒有加。",
        "沒看過的對仍然不可能，而且橫列加起來小於 1：留給沒看過的那一份，沒有人拿到。",
        hint="從沒出現過的對，你給的機率是多少？",
    ),
)
def only_divisor(ref, counts, alpha=1.0):
    C = table(ref, counts, alpha)
    return or_uniform(C, alpha, C / (totals(C) + alpha * len(C)))


@variant("context.bigram_probs/alpha-only-in-the-divisor")
def _(ref, counts, alpha=1.0):
    return by_row(
        table(ref, counts, alpha), alpha, lambda row: [count / (sum(row) + alpha * len(row)) for count in row]
    )


@about_probs(
    "context.bigram_probs/divisor-for-alpha-one",
    en=Explained(
        "You added V to the divisor, whatever alpha is.",
        "That is right for alpha = 1 only, where alpha V is V. For every other alpha the rows do not sum to 1.",
        hint="Where below the line does alpha appear?",
    ),
    zh_tw=Explained(
        "不論 alpha 是多少，你的除數加的都是 V。",
        "只有 alpha = 1 時才對，那時 alpha V 就是 V。其他的 alpha，橫列加起來都不是 1。",
        hint="分母裡的 alpha 在哪裡？",
    ),
)
def divisor_for_one(ref, counts, alpha=1.0):
    C = table(ref, counts, alpha)
    return or_uniform(C, alpha, (C + alpha) / (totals(C) + len(C)))


@variant("context.bigram_probs/divisor-for-alpha-one")
def _(ref, counts, alpha=1.0):
    return by_row(
        table(ref, counts, alpha), alpha, lambda row: [(count + alpha) / (sum(row) + len(row)) for count in row]
    )


@about_probs(
    "context.bigram_probs/alpha-ignored",
    en=Explained(
        "You did not smooth: alpha does nothing.",
        "Plain shares call every pair impossible that this one text happens not to hold, and a single such pair makes a "
        "new text impossible.",
        hint="Does your result change with alpha?",
    ),
    zh_tw=Explained(
        "你沒有做平滑：alpha 沒有作用。",
        "只用比例，這段文字裡剛好沒有的對就全成了不可能；新的文字只要有一個這樣的對，整段就都不可能了。",
        hint="alpha 改變時，你的結果會變嗎？",
    ),
)
def alpha_ignored(ref, counts, alpha=1.0):
    return smoothed(table(ref, counts, alpha), 0)


@variant("context.bigram_probs/alpha-ignored")
def _(ref, counts, alpha=1.0):
    return by_row(table(ref, counts, alpha), 0, right_row(0))


@about_probs(
    "context.bigram_probs/always-one-added",
    en=Explained(
        "You always add 1, whatever alpha is.",
        "Alpha says how far to trust the counts: large, and all followers become alike; 0, and only the counts speak.",
        hint="Does your result change with alpha?",
    ),
    zh_tw=Explained(
        "不論 alpha 是多少，你加的都是 1。",
        "alpha 決定要多相信次數：很大時，所有後續詞元都差不多；0 時，全由次數決定。",
        hint="alpha 改變時，你的結果會變嗎？",
    ),
)
def always_one(ref, counts, alpha=1.0):
    return smoothed(table(ref, counts, alpha), 1)


@variant("context.bigram_probs/always-one-added")
def _(ref, counts, alpha=1.0):
    return by_row(table(ref, counts, alpha), 1, right_row(1))


@about_probs(
    "context.bigram_probs/probabilities-smoothed",
    en=Explained(
        "You added alpha to the shares instead of the counts.",
        "A share has forgotten how much was counted. Added to it, alpha weighs as much in a row of a thousand pairs as in "
        "a row of one; added to counts, it fades as they grow.",
        hint="Do you divide before or after you add?",
    ),
    zh_tw=Explained(
        "你把 alpha 加到了比例上，而不是次數上。",
        "比例早已忘了數過多少。加在比例上，一千對的橫列和只有一對的橫列受到同樣的影響；加在次數上，數得越多影響越小。",
        hint="你是先除再加，還是先加再除？",
    ),
)
def shares_smoothed(ref, counts, alpha=1.0):
    C = table(ref, counts, alpha)
    return smoothed(smoothed(C, 0), alpha)


@variant("context.bigram_probs/probabilities-smoothed")
def _(ref, counts, alpha=1.0):
    def rule(row):
        return [(count / sum(row) + alpha) / (1 + alpha * len(row)) for count in row]

    return by_row(table(ref, counts, alpha), alpha, rule)


@about_probs(
    "context.bigram_probs/mixed-with-uniform",
    en=Explained(
        "You took alpha for the share of a uniform model.",
        "(1 - alpha) times the shares plus alpha / V is interpolation, another way to smooth: with alpha = 1 nothing of "
        "the counts is left. Add-alpha adds to each count.",
        hint="What does your function give for alpha = 1?",
    ),
    zh_tw=Explained(
        "你把 alpha 當成均勻模型所占的比例。",
        "(1 - alpha) 乘上比例再加 alpha / V，是另一種平滑，叫插值：alpha = 1 時次數完全不起作用。add-alpha 是替每個次數加上 alpha。",
        hint="alpha = 1 時，你的函式給出什麼？",
    ),
)
def interpolated(ref, counts, alpha=1.0):
    C = table(ref, counts, alpha)
    return ((1 - alpha) * smoothed(C, 0) + alpha / len(C)).astype(C.dtype)


@variant("context.bigram_probs/mixed-with-uniform")
def _(ref, counts, alpha=1.0):
    def rule(row):
        return [count / sum(row) - alpha * (count / sum(row) - 1 / len(row)) for count in row]

    return by_row(table(ref, counts, alpha), alpha, rule)


@about_probs(
    "context.bigram_probs/only-zeros-raised",
    en=Explained(
        "You added alpha only where the count is 0.",
        "With alpha = 1, a pair that was never seen then counts as much as one that was seen once. Every count gets alpha, "
        "so that their order stays.",
        hint="Which probability has a pair seen once, and which one never seen, for alpha = 1?",
    ),
    zh_tw=Explained(
        "你只在次數是 0 的地方加了 alpha。",
        "這樣 alpha = 1 時，從沒看過的對就和看過一次的一樣了。每個次數都要加 alpha，大小順序才不會變。",
        hint="alpha = 1 時，看過一次的對和從沒看過的對，機率各是多少？",
    ),
)
def only_zeros(ref, counts, alpha=1.0):
    C = table(ref, counts, alpha)
    return smoothed(np.where(C == 0, alpha, C).astype(C.dtype), 0)


@variant("context.bigram_probs/only-zeros-raised")
def _(ref, counts, alpha=1.0):
    def rule(row):
        raised = [count or alpha for count in row]
        return [count / sum(raised) for count in raised]

    return by_row(table(ref, counts, alpha), alpha, rule)


@about_probs(
    "context.bigram_probs/only-seen-raised",
    en=Explained(
        "You added alpha only to pairs that were seen.",
        "Smoothing is for those that were not: theirs is still 0, and the first such pair in a new text is impossible.",
        hint="What is your probability of a pair that never occurred?",
    ),
    zh_tw=Explained(
        "你只替看過的對加了 alpha。",
        "平滑是為了沒看過的：它們仍是 0，新的文字只要出現一個，就變成不可能。",
        hint="從沒出現過的對，你給的機率是多少？",
    ),
)
def only_seen(ref, counts, alpha=1.0):
    C = table(ref, counts, alpha)
    return smoothed(C + (alpha * (C > 0)).astype(C.dtype), 0)


@variant("context.bigram_probs/only-seen-raised")
def _(ref, counts, alpha=1.0):
    def rule(row):
        raised = [count + alpha if count else 0 for count in row]
        return [count / sum(raised) for count in raised]

    return by_row(table(ref, counts, alpha), alpha, rule)


@about_probs(
    "context.bigram_probs/divisor-misaligned",
    en=Explained(
        "You divided the columns by the totals of the rows.",
        "A sum along axis 1 has shape [V]; laid along the last axis, it divides column j by the total of row j. A divisor "
        "for each row has the shape [V, 1].",
        hint="Compare the shapes of what you divide and what you divide by.",
    ),
    zh_tw=Explained(
        "你用橫列的總和去除了直行。",
        "沿第 1 軸相加得到形狀 [V]，沿最後一軸攤開時，第 j 個直行會除以第 j 個橫列的總和。每個橫列一個除數，形狀應該是 [V, 1]。",
        hint="比較被除數和除數的形狀。",
    ),
)
def misaligned(ref, counts, alpha=1.0):
    C = table(ref, counts, alpha)
    return or_uniform(C, alpha, (C + alpha) / (C.sum(axis=1) + alpha * len(C)))


@variant("context.bigram_probs/divisor-misaligned")
def _(ref, counts, alpha=1.0):
    C = table(ref, counts, alpha)
    below = [sum(row) + alpha * len(C) for row in C.tolist()]
    return or_uniform(C, alpha, (C + alpha) @ np.diag(1 / np.array(below)))


@about_probs(
    "context.bigram_probs/exponentials",
    en=Explained(
        "You took the softmax of the counts.",
        "exp turns one count more into 2.7 times the probability, and alpha, added to all, cancels out. Counts are shares "
        "already; exp is for scores, which may be negative.",
        hint="How should the probabilities of counts 1 and 3 compare, for alpha = 0?",
    ),
    zh_tw=Explained(
        "你對次數做了 softmax。",
        "exp 會讓多一次變成 2.7 倍的機率，而加在每一格上的 alpha 會完全抵消。次數本身就是份額；exp 是給可正可負的分數用的。",
        hint="alpha = 0 時，次數 1 和 3 的機率應該差幾倍？",
    ),
)
def exponentials(ref, counts, alpha=1.0):
    C = table(ref, counts, alpha)
    E = np.exp(C - C.max(axis=1, keepdims=True))
    return E / totals(E)


@variant("context.bigram_probs/exponentials")
def _(ref, counts, alpha=1.0):
    def rule(row):
        powers = [math.exp(count - max(row)) for count in row]
        return [power / sum(powers) for power in powers]

    return by_row(table(ref, counts, alpha), alpha, rule)


@about_probs(
    "context.bigram_probs/logarithms",
    en=Explained(
        "You returned logarithms.",
        "All your values are 0 or less. Logarithms are taken in the perplexity; a probability lies between 0 and 1.",
        hint="What does a row of your result sum to?",
    ),
    zh_tw=Explained(
        "你回傳的是對數。",
        "你的值全都不大於 0。取對數是困惑度那一題的事；機率介於 0 和 1 之間。",
        hint="你結果裡的一個橫列加起來是多少？",
    ),
)
def logarithms(ref, counts, alpha=1.0):
    return np.log(smoothed(table(ref, counts, alpha), alpha))


@variant("context.bigram_probs/logarithms")
def _(ref, counts, alpha=1.0):
    def rule(row):
        below = math.log(sum(row) + alpha * len(row))
        return [math.log(count + alpha) - below if count + alpha else -math.inf for count in row]

    C = table(ref, counts, alpha)
    nothing = (totals(C) == 0) & (alpha == 0)
    return np.where(nothing, -math.log(len(C)), by_row(C, alpha, rule)).astype(C.dtype)


@about_probs(
    "context.bigram_probs/alpha-0-unless-given",
    en=Explained(
        "You smooth only when alpha is given.",
        "The default is part of the signature: left out, alpha is 1.",
        hint="Compare your signature with that of the template.",
    ),
    zh_tw=Explained(
        "沒有給 alpha 時，你就不做平滑。",
        "預設值也是函式簽名的一部分：省略時 alpha 是 1。",
        hint="拿你的函式簽名和範本比一比。",
    ),
)
def default_zero(ref, counts, alpha=0.0):
    return smoothed(table(ref, counts, alpha), alpha)


@variant("context.bigram_probs/alpha-0-unless-given")
def _(ref, counts, alpha=None):
    alpha = alpha or 0
    return by_row(table(ref, counts, alpha), alpha, right_row(alpha))


@about_probs(
    "context.bigram_probs/alpha-0-taken-for-1",
    en=Explained(
        "You take an alpha of 0 for one that was left out.",
        "0 counts as false in Python, so `alpha or 1` puts the default in its place. 0 is a choice of its own: no "
        "smoothing.",
        hint="Follow alpha = 0 through your function by hand.",
    ),
    zh_tw=Explained(
        "alpha 是 0 時，你當成沒有給。",
        "在 Python 裡 0 算假，所以 `alpha or 1` 會換成預設值。0 本身就是一種選擇：不做平滑。",
        hint="用手把 alpha = 0 代進你的函式走一遍。",
    ),
)
def zero_as_default(ref, counts, alpha=None):
    alpha = alpha or 1.0
    return smoothed(table(ref, counts, alpha), alpha)


@variant("context.bigram_probs/alpha-0-taken-for-1")
def _(ref, counts, alpha=1.0):
    alpha = 1 if alpha == 0 else alpha
    return by_row(table(ref, counts, alpha), alpha, right_row(alpha))


@about_probs(
    "context.bigram_probs/never-zero",
    en=Explained(
        "You add a small number even where alpha is 0.",
        "A thousandth on every count keeps you from dividing by 0, but it is smoothing that nobody asked for: what was "
        "never seen is to be impossible then.",
        hint="Print your probability of an unseen pair for alpha = 0, with all its digits.",
    ),
    zh_tw=Explained(
        "alpha 是 0 時，你還是加了一個小數。",
        "替每個次數加千分之一，可以避免除以 0，但這是沒有人要求的平滑：這時沒看過的就應該是不可能。",
        hint="alpha = 0 時，把沒看過的對的機率完整印出來。",
    ),
)
def never_zero(ref, counts, alpha=1.0):
    C = table(ref, counts, alpha)
    return smoothed(C, max(alpha, 1e-3))


@variant("context.bigram_probs/never-zero")
def _(ref, counts, alpha=1.0):
    C = table(ref, counts, alpha)
    floor = alpha or 0.001
    return by_row(C, floor, right_row(floor))
