"""What goes wrong in the exercise efficient.online_softmax."""

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    about_online,
    by_row,
    checked,
    exp,
    fold,
    ground,
    highest,
    merge,
    right_row,
    top,
    total,
)


@about_online(
    "efficient.online_softmax/no-rescale",
    en=Explained(
        "You do not rescale the sum when the maximum grows.",
        "The old sum was taken relative to the old maximum. Added to exponentials relative to a new one it counts exp(new - old) times too much, so that early blocks weigh more than late ones.",
        hint="Take the blocks [0] and [2] by hand: by which factor is the 1 from the first block too large in the end?",
    ),
    zh_tw=Explained(
        "最大值變大時，你沒有重新縮放總和。",
        "舊的總和是相對於舊的最大值算的。直接和相對於新最大值的指數相加，就多算了 exp(新 - 舊) 倍，於是前面的區塊比後面的更有分量。",
        hint="手算區塊 [0] 和 [2]：第一個區塊的那個 1，最後大了多少倍？",
    ),
)
def never_rescaled(ref, blocks):
    def step(m, d, S):
        new = np.maximum(m, top(S))
        return new, d + np.exp(S - ground(new)).sum(axis=-1, keepdims=True)

    return fold(blocks, step)


@variant("efficient.online_softmax/no-rescale")
def _(ref, blocks):
    def rule(parts):
        m, d = -math.inf, 0.0
        for part in parts:
            m = max(m, highest(part))
            d += total(part, m)
        return m, d

    return by_row(blocks, rule)


@about_online(
    "efficient.online_softmax/rescale-inverted",
    en=Explained(
        "Your rescaling factor is upside down.",
        "When the maximum grows from m to m', every exp(x - m) must become exp(x - m'), which is smaller: the factor is exp(m - m'), at most 1. Yours is its reciprocal, and the sum explodes.",
        hint="Can the factor for the old sum ever be more than 1?",
    ),
    zh_tw=Explained(
        "你的縮放因子上下顛倒了。",
        "最大值從 m 變成 m' 時，每個 exp(x - m) 都要變成比較小的 exp(x - m')：因子是 exp(m - m')，最多是 1。你用的是它的倒數，總和就會爆掉。",
        hint="乘在舊總和上的因子，有可能大於 1 嗎？",
    ),
)
def upside_down(ref, blocks):
    def step(m, d, S):
        new = np.maximum(m, top(S))
        factor = np.where(np.isneginf(m), 0, np.exp(ground(new) - ground(m)))
        return new, d * factor + np.exp(S - ground(new)).sum(axis=-1, keepdims=True)

    return fold(blocks, step)


@variant("efficient.online_softmax/rescale-inverted")
def _(ref, blocks):
    def rule(parts):
        m, d = -math.inf, 0.0
        for part in parts:
            new = max(m, highest(part))
            d = (d * exp(new - m) if m > -math.inf else 0.0) + total(part, new)
            m = new
        return m, d

    return by_row(blocks, rule)


@about_online(
    "efficient.online_softmax/rescale-inverted-from-the-start",
    en=Explained(
        "Your rescaling factor is upside down, and infinite in the first block.",
        "When the maximum grows from m to m', every exp(x - m) must become exp(x - m'): the factor is exp(m - m'), at most 1. Yours is exp(m' - m). Before the first block m is -inf, so it is exp(inf), and times the 0 that was summed by then it is NaN, which no later block takes out again.",
        hint="Put m = -inf and m' = 2 into your factor. Which number should it be, when nothing has been added yet?",
    ),
    zh_tw=Explained(
        "你的縮放因子上下顛倒了，在第一個區塊就成了無限大。",
        "最大值從 m 變成 m' 時，每個 exp(x - m) 都要變成 exp(x - m')：因子是 exp(m - m')，最多是 1。你用的是 exp(m' - m)。第一個區塊之前 m 是 -inf，於是它成了 exp(inf)，乘上當時累計的 0 就是 NaN，後面的區塊不會把它消掉。",
        hint="把 m = -inf、m' = 2 代進你的因子。什麼都還沒加進去時，它應該是多少？",
    ),
)
def upside_down_from_the_start(ref, blocks):
    def step(m, d, S):
        new = np.maximum(m, top(S))
        return new, d * np.exp(ground(new) - m) + np.exp(S - ground(new)).sum(axis=-1, keepdims=True)

    return fold(blocks, step)


@variant("efficient.online_softmax/rescale-inverted-from-the-start")
def _(ref, blocks):
    def rule(parts):
        m, d = -math.inf, 0.0
        for part in parts:
            new = max(m, highest(part))
            d = d * (exp(new - m) if new > m else math.inf if m == -math.inf else 1.0) + total(part, new)
            m = new
        return m, d

    return by_row(blocks, rule)


@about_online(
    "efficient.online_softmax/own-maximum",
    en=Explained(
        "You added up sums that are relative to different maxima.",
        "Each of your blocks is measured from its own maximum, and the sums are added as they are. Numbers measured from different places cannot be added: bring both to the same maximum first.",
        hint="Which maximum is subtracted in the second block, when the first block's is larger?",
    ),
    zh_tw=Explained(
        "你把相對於不同最大值的總和直接加了起來。",
        "你的每個區塊都從自己的最大值量起，然後直接相加。從不同地方量起的數不能相加：要先換到同一個最大值。",
        hint="第一個區塊的最大值比較大時，第二個區塊減掉的是哪一個最大值？",
    ),
)
def measured_by_block(ref, blocks):
    def step(m, d, S):
        return np.maximum(m, top(S)), d + np.exp(S - ground(top(S))).sum(axis=-1, keepdims=True)

    return fold(blocks, step)


@variant("efficient.online_softmax/own-maximum")
def _(ref, blocks):
    return by_row(
        blocks, lambda parts: (max(map(highest, parts)), math.fsum(total(part, highest(part)) for part in parts))
    )


@about_online(
    "efficient.online_softmax/first-maximum",
    en=Explained(
        "Your maximum is that of the first block.",
        "It is never updated, so a later and larger score gives an exponential of more than 1: harmless while the scores are near each other, and inf as soon as they are not.",
        hint="After which line can m have another value than after the first block?",
    ),
    zh_tw=Explained(
        "你的最大值停在第一個區塊。",
        "它從來沒有更新，後面更大的分數就會得到大於 1 的指數：分數接近時看不出問題，差得遠時就變成 inf。",
        hint="經過哪個敘述之後，m 才可能和第一個區塊之後的值不同？",
    ),
)
def stuck_at_first(ref, blocks):
    def step(m, d, S):
        new = np.where(np.isneginf(m), top(S), m)
        return new, d + np.exp(S - ground(new)).sum(axis=-1, keepdims=True) * ~np.isneginf(new)

    return fold(blocks, step)


@variant("efficient.online_softmax/first-maximum")
def _(ref, blocks):
    def rule(parts):
        m = next((highest(part) for part in parts if highest(part) > -math.inf), -math.inf)
        return m, math.fsum(total(part, m) for part in parts)

    return by_row(blocks, rule)


@about_online(
    "efficient.online_softmax/newest-maximum",
    en=Explained(
        "Your maximum is that of the last block.",
        "You took over the new block's maximum also where it is lower. The running maximum is the larger of the two, and never falls.",
        hint="What happens to m when the second block holds only small scores?",
    ),
    zh_tw=Explained(
        "你的最大值是最後一個區塊的。",
        "新區塊的最大值即使比較小，你也拿來用了。累計的最大值是兩者中較大的，永遠不會下降。",
        hint="第二個區塊只有很小的分數時，m 會怎麼樣？",
    ),
)
def newest(ref, blocks):
    def step(m, d, S):
        new = np.where(np.isneginf(top(S)), m, top(S))
        old = np.where(d == 0, 0, d * np.exp(m - ground(new)))
        return new, old + np.exp(S - ground(new)).sum(axis=-1, keepdims=True) * ~np.isneginf(new)

    return fold(blocks, step)


@variant("efficient.online_softmax/newest-maximum")
def _(ref, blocks):
    def rule(parts):
        m, d = -math.inf, 0.0
        for part in parts:
            if (new := highest(part)) > -math.inf:
                m, d = new, (d * exp(m - new) if d else 0.0) + total(part, new)
        return m, d

    return by_row(blocks, rule)


@about_online(
    "efficient.online_softmax/forgets",
    en=Explained(
        "You return the maximum and the sum of the last block alone.",
        "What was known of the earlier blocks is overwritten. A block is seen once, so all that is ever needed of it must be in m and d.",
        hint="Which line of your loop uses the old sum?",
    ),
    zh_tw=Explained(
        "你回傳的只是最後一個區塊的最大值與總和。",
        "前面區塊的結果被蓋掉了。每個區塊只看一遍，之後還用得到的，都必須留在 m 和 d 裡。",
        hint="迴圈裡哪個敘述用到了舊的總和？",
    ),
)
def forgetful(ref, blocks):
    return fold(blocks, lambda m, d, S: merge(np.full_like(m, -np.inf), np.zeros_like(d), S))


@variant("efficient.online_softmax/forgets")
def _(ref, blocks):
    return by_row(blocks, lambda parts: right_row(parts[-1:]))


@about_online(
    "efficient.online_softmax/unshifted",
    en=Explained(
        "Your sum is that of exp(x), not of exp(x - maximum).",
        "The maximum is right, but the sum does not use it. exp overflows just above 709, which is why everything is measured from the maximum.",
        hint="For a single score the sum is 1, whatever the score. What is yours?",
    ),
    zh_tw=Explained(
        "你加總的是 exp(x)，不是 exp(x - 最大值)。",
        "最大值是對的，總和卻沒有用到它。exp 過了 709 就會溢位，所以一切都要從最大值量起。",
        hint="只有一個分數時，不論它多大，總和都是 1。你的是多少？",
    ),
)
def not_shifted(ref, blocks):
    return fold(blocks, lambda m, d, S: (np.maximum(m, top(S)), d + np.exp(S).sum(axis=-1, keepdims=True)))


@variant("efficient.online_softmax/unshifted")
def _(ref, blocks):
    return by_row(
        blocks, lambda parts: (right_row(parts)[0], math.fsum(exp(score) for part in parts for score in part))
    )


@about_online(
    "efficient.online_softmax/logarithm",
    en=Explained(
        "You returned the logarithm of the sum.",
        "log-sum-exp is m + log d, and a useful number, but what is asked for is d itself: softmax = exp(x - m) / d.",
        hint="For a single score, d is 1. What do you return?",
    ),
    zh_tw=Explained(
        "你回傳的是總和的對數。",
        "log-sum-exp 是 m + log d，也很有用，但這裡要的是 d 本身：softmax = exp(x - m) / d。",
        hint="只有一個分數時，d 是 1。你回傳的是什麼？",
    ),
)
def log_of_sum(ref, blocks):
    m, d = fold(blocks, merge)
    return m, np.log(d)


@variant("efficient.online_softmax/logarithm")
def _(ref, blocks):
    def rule(parts):
        m, d = right_row(parts)
        return m, math.log(d) if d else -math.inf

    return by_row(blocks, rule)


@about_online(
    "efficient.online_softmax/sum-of-scores",
    en=Explained(
        "You added up the scores, not their exponentials.",
        "The softmax divides by a sum of exponentials, which are positive; a sum of scores may be 0 or negative.",
        hint="Where in your code is exp applied to the scores of a block?",
    ),
    zh_tw=Explained(
        "你加總的是分數，不是分數的指數。",
        "softmax 的分母是指數的總和，一定是正的；分數的總和卻可能是 0 或負數。",
        hint="你的程式在哪裡對區塊的分數取了 exp？",
    ),
)
def sum_of_scores(ref, blocks):
    arrays, dtype = checked(blocks)
    row = np.concatenate(arrays, axis=-1)
    return top(row).astype(dtype), (row - ground(top(row))).sum(axis=-1, keepdims=True).astype(dtype)


@variant("efficient.online_softmax/sum-of-scores")
def _(ref, blocks):
    def rule(parts):
        m, scores = right_row(parts)[0], [score for part in parts for score in part]
        return m, sum(score - (m if m > -math.inf else 0.0) for score in scores)

    return by_row(blocks, rule)


@about_online(
    "efficient.online_softmax/mean",
    en=Explained(
        "You averaged the exponentials instead of adding them.",
        "With a mean the weights exp(x - m) / d sum to the number of scores, not to 1.",
        hint="Add up the weights that your m and d give.",
    ),
    zh_tw=Explained(
        "你對指數取了平均，而不是相加。",
        "用平均的話，權重 exp(x - m) / d 加起來會是分數的個數，而不是 1。",
        hint="用你的 m 和 d 算出權重，再全部加起來看看。",
    ),
)
def averaged(ref, blocks):
    m, d = fold(blocks, merge)
    return m, d / d.dtype.type(max(sum(np.shape(block)[-1] for block in blocks), 1))


@variant("efficient.online_softmax/mean")
def _(ref, blocks):
    def rule(parts):
        m, d = right_row(parts)
        return m, d / max(sum(map(len, parts)), 1)

    return by_row(blocks, rule)


@about_online(
    "efficient.online_softmax/starts-at-zero",
    en=Explained(
        "Your running maximum starts at 0.",
        "Then it can never be below 0, and a row of negative scores is measured from a maximum that no score has. The maximum of nothing is -inf.",
        hint="What do you return for the single score -5?",
    ),
    zh_tw=Explained(
        "你的最大值是從 0 開始累計的。",
        "這樣它永遠不會小於 0，全是負數的橫列就從一個不存在的最大值量起。什麼都還沒看到時，最大值是 -inf。",
        hint="只有一個分數 -5 時，你回傳什麼？",
    ),
)
def from_zero(ref, blocks):
    return fold(blocks, merge, start=(0.0, 0.0))


@variant("efficient.online_softmax/starts-at-zero")
def _(ref, blocks):
    def rule(parts):
        m = max(0.0, right_row(parts)[0])
        return m, math.fsum(total(part, m) for part in parts)

    return by_row(blocks, rule)


@about_online(
    "efficient.online_softmax/one-maximum-for-all-rows",
    en=Explained(
        "All your rows share one maximum.",
        "A maximum without an axis is that of the whole block. A row far below it underflows: all its exponentials are 0, and the softmax is 0/0.",
        hint="Along which axis does a row of scores lie? Which axis does your max run along?",
    ),
    zh_tw=Explained(
        "你所有的橫列共用一個最大值。",
        "不指定軸的 max 是整個區塊的最大值。遠低於它的橫列會下溢：指數全是 0，softmax 就成了 0/0。",
        hint="一個橫列的分數排在哪一軸上？你的 max 沿著哪一軸做？",
    ),
)
def shared_maximum(ref, blocks):
    arrays, dtype = checked(blocks)
    row = np.concatenate(arrays, axis=-1)
    m = np.full((*row.shape[:-1], 1), row.max(initial=-np.inf))
    return m.astype(dtype), np.exp(row - ground(m)).sum(axis=-1, keepdims=True).astype(dtype)


@variant("efficient.online_softmax/one-maximum-for-all-rows")
def _(ref, blocks):
    arrays, _ = checked(blocks)
    m = max((float(x) for array in arrays for x in array.ravel()), default=-math.inf)
    return by_row(blocks, lambda parts: (m, math.fsum(total(part, m) for part in parts)))


@about_online(
    "efficient.online_softmax/down-the-columns",
    en=Explained(
        "You ran down the columns of each block.",
        "The scores of a row lie along the last axis. You took maximum and sum over the rows, so that different queries are mixed, and the result has a column for each key.",
        hint="Which axis shrinks to 1 in your result, and which should?",
    ),
    zh_tw=Explained(
        "你是沿著每個區塊的直行做的。",
        "一個橫列的分數排在最後一軸。你卻跨橫列取最大值和總和，把不同的查詢混在一起，結果是每個鍵一個直行。",
        hint="你的結果裡，哪一軸縮成了 1？應該是哪一軸？",
    ),
)
def down_the_columns(ref, blocks):
    arrays, dtype = checked(blocks)
    S = np.concatenate(arrays, axis=-1)
    m = S.max(axis=0, keepdims=True)
    return m.astype(dtype), np.exp(S - ground(m)).sum(axis=0, keepdims=True).astype(dtype)


@variant("efficient.online_softmax/down-the-columns")
def _(ref, blocks):
    arrays, dtype = checked(blocks)
    columns = np.moveaxis(np.concatenate(arrays, axis=-1), 0, -1)
    m, d = by_row([columns], right_row)
    return tuple(np.moveaxis(each, -1, 0).astype(dtype) for each in (m, d))


@about_online(
    "efficient.online_softmax/axis-lost",
    en=Explained(
        "Your results lack the last axis of length 1.",
        "The numbers are right, but of shape [...] where [..., 1] is asked for: without that axis they do not broadcast against the scores, or along the wrong one.",
        hint="What does keepdims=True do?",
    ),
    zh_tw=Explained(
        "你的結果少了最後那個長度為 1 的軸。",
        "數值是對的，但形狀是 [...]，應該是 [..., 1]：少了那一軸，就無法對分數廣播，或者會廣播到錯的軸上。",
        hint="keepdims=True 是做什麼用的？",
    ),
)
def flattened(ref, blocks):
    m, d = fold(blocks, merge)
    return m[..., 0], d[..., 0]


@variant("efficient.online_softmax/axis-lost")
def _(ref, blocks):
    return tuple(np.squeeze(each, axis=-1) for each in by_row(blocks, right_row))


@about_online(
    "efficient.online_softmax/swapped",
    en=Explained(
        "You return the sum first and the maximum second.",
        "Both are right, but in the wrong order: the maximum comes first.",
        hint="Read the Returns section of the docstring once more.",
    ),
    zh_tw=Explained(
        "你先回傳總和，才回傳最大值。",
        "兩者都對，但順序反了：最大值在前。",
        hint="再讀一次 docstring 的 Returns。",
    ),
)
def swapped(ref, blocks):
    return fold(blocks, merge)[::-1]


@variant("efficient.online_softmax/swapped")
def _(ref, blocks):
    m, d = by_row(blocks, right_row)
    return d, m
