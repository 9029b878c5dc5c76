"""What goes wrong in the exercise efficient.blockwise_attention: the running maximum, sum and output."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    about_blockwise,
    by_query,
    cuts,
    divided,
    exp,
    flat,
    ground,
    highest,
    plus,
    right_output,
    stream,
    take,
    top,
    weighed,
)


def running(tiles, old_sum, old_output):
    """One row by a running maximum; the factors say what becomes of the old sum and output when it goes from m to new."""
    m, d, z = -math.inf, 0.0, [0.0] * len(tiles[0][1][0])
    for scores, values in tiles:
        new = max(m, highest(scores))
        powers = [exp(s - new) if new > -math.inf else 0.0 for s in scores]
        d = d * old_sum(m, new) + math.fsum(powers)
        z = plus(weighed(powers, values), z, old_output(m, new))
        m = new
    return [x / d if d else 0.0 for x in z]


def kept(_m, _new):
    """The factor of what is not rescaled."""
    return 1.0


def rescaled(m, new):
    """The right factor."""
    return 0.0 if m == -math.inf else exp(m - new)


@about_blockwise(
    "efficient.blockwise_attention/no-rescale",
    en=Explained(
        "You rescale neither the sum nor the output when the maximum grows.",
        "What was added before is relative to the old maximum, and so too large by exp(new - old): the first tiles get more weight than they should.",
        hint="Put the largest score into the last tile, work two tiles by hand, and compare the weights with the softmax.",
    ),
    zh_tw=Explained(
        "最大值變大時，總和與輸出你都沒有重新縮放。",
        "之前加進去的是相對於舊的最大值，所以大了 exp(新 - 舊) 倍：前面的塊拿到過多的權重。",
        hint="把最大的分數放在最後一塊，手算兩塊，再和 softmax 的權重比一比。",
    ),
)
def nothing_rescaled(ref, Q, K, V, tile, causal=False):
    def step(state, S, V_j):
        m, d, Z = state
        new = np.maximum(m, top(S))
        P = np.exp(S - ground(new))
        return new, d + P.sum(axis=-1, keepdims=True), Z + P @ V_j

    return stream(ref, Q, K, V, tile, causal, step=step)


@variant("efficient.blockwise_attention/no-rescale")
def _(ref, Q, K, V, tile, causal=False):
    return by_query(ref, Q, K, V, tile, causal, lambda tiles: running(tiles, kept, kept))


@about_blockwise(
    "efficient.blockwise_attention/output-not-rescaled",
    en=Explained(
        "You rescale the sum, but not the output.",
        "Both are sums over the same exponentials, so both need the same factor when the maximum grows. Otherwise the output is divided by a sum that does not belong to it.",
        hint="Which of your running quantities contain exp(S - m) with the old m?",
    ),
    zh_tw=Explained(
        "你重新縮放了總和，卻沒有縮放輸出。",
        "兩者都是同一組指數的加總，所以最大值變大時，要乘上同一個因子。不然輸出就會除以一個不屬於它的總和。",
        hint="你累計的量裡，哪些含有用舊的 m 算出的 exp(S - m)？",
    ),
)
def output_left(ref, Q, K, V, tile, causal=False):
    def step(state, S, V_j):
        m, d, _ = take(state, S, V_j)
        return m, d, state[2] + np.exp(S - ground(m)) @ V_j

    return stream(ref, Q, K, V, tile, causal, step=step)


@variant("efficient.blockwise_attention/output-not-rescaled")
def _(ref, Q, K, V, tile, causal=False):
    return by_query(ref, Q, K, V, tile, causal, lambda tiles: running(tiles, rescaled, kept))


@about_blockwise(
    "efficient.blockwise_attention/sum-not-rescaled",
    en=Explained(
        "You rescale the output, but not the sum.",
        "The sum still holds exponentials relative to old maxima and is too large, so the weights of a row sum to less than 1.",
        hint="Let V be all ones: what should the output be, and what is it?",
    ),
    zh_tw=Explained(
        "你重新縮放了輸出，卻沒有縮放總和。",
        "總和裡還留著相對於舊最大值的指數，因此太大，一個橫列的權重加起來就小於 1。",
        hint="讓 V 全是 1：輸出應該是多少？你得到多少？",
    ),
)
def sum_left(ref, Q, K, V, tile, causal=False):
    def step(state, S, V_j):
        m, _, Z = take(state, S, V_j)
        return m, state[1] + np.exp(S - ground(m)).sum(axis=-1, keepdims=True), Z

    return stream(ref, Q, K, V, tile, causal, step=step)


@variant("efficient.blockwise_attention/sum-not-rescaled")
def _(ref, Q, K, V, tile, causal=False):
    return by_query(ref, Q, K, V, tile, causal, lambda tiles: running(tiles, kept, rescaled))


@about_blockwise(
    "efficient.blockwise_attention/rescale-inverted",
    en=Explained(
        "Your rescaling factor is upside down.",
        "From m to a larger m' every exp(S - m) shrinks to exp(S - m'): the factor is exp(m - m'), never more than 1.",
        hint="Can the factor for what was summed before ever be more than 1?",
    ),
    zh_tw=Explained(
        "你的縮放因子上下顛倒了。",
        "從 m 到更大的 m'，每個 exp(S - m) 都會縮小成 exp(S - m')：因子是 exp(m - m')，不會超過 1。",
        hint="乘在先前累計結果上的因子，有可能大於 1 嗎？",
    ),
)
def upside_down(ref, Q, K, V, tile, causal=False):
    def step(state, S, V_j):
        m, d, Z = state
        new = np.maximum(m, top(S))
        factor = np.where(np.isneginf(m), 0, np.exp(ground(new) - ground(m)))
        P = np.exp(S - ground(new))
        return new, d * factor + P.sum(axis=-1, keepdims=True), Z * factor + P @ V_j

    return stream(ref, Q, K, V, tile, causal, step=step)


@variant("efficient.blockwise_attention/rescale-inverted")
def _(ref, Q, K, V, tile, causal=False):
    def factor(m, new):
        return 0.0 if m == -math.inf else exp(new - m)

    return by_query(ref, Q, K, V, tile, causal, lambda tiles: running(tiles, factor, factor))


@about_blockwise(
    "efficient.blockwise_attention/rescale-inverted-from-the-start",
    en=Explained(
        "Your rescaling factor is upside down, and infinite in the first tile.",
        "From m to a larger m' every exp(S - m) shrinks to exp(S - m'): the factor is exp(m - m'), never more than 1. Yours is exp(m' - m). Before the first tile m is -inf, so it is exp(inf), and times the 0 that was summed by then it is NaN, which no later tile takes out again.",
        hint="Put m = -inf and m' = 2 into your factor. Which number should it be, when nothing has been added yet?",
    ),
    zh_tw=Explained(
        "你的縮放因子上下顛倒了，在第一塊就成了無限大。",
        "從 m 到更大的 m'，每個 exp(S - m) 都會縮小成 exp(S - m')：因子是 exp(m - m')，不會超過 1。你用的是 exp(m' - m)。第一塊之前 m 是 -inf，於是它成了 exp(inf)，乘上當時累計的 0 就是 NaN，後面的塊不會把它消掉。",
        hint="把 m = -inf、m' = 2 代進你的因子。什麼都還沒加進去時，它應該是多少？",
    ),
)
def upside_down_from_the_start(ref, Q, K, V, tile, causal=False):
    def step(state, S, V_j):
        m, d, Z = state
        new = np.maximum(m, top(S))
        factor, P = np.exp(ground(new) - m), np.exp(S - ground(new))
        return new, d * factor + P.sum(axis=-1, keepdims=True), Z * factor + P @ V_j

    return stream(ref, Q, K, V, tile, causal, step=step)


@variant("efficient.blockwise_attention/rescale-inverted-from-the-start")
def _(ref, Q, K, V, tile, causal=False):
    def factor(m, new):
        return exp(new - m)

    return by_query(ref, Q, K, V, tile, causal, lambda tiles: running(tiles, factor, factor))


@about_blockwise(
    "efficient.blockwise_attention/newest-maximum",
    en=Explained(
        "Your maximum is that of the last tile, not of all tiles so far.",
        "The factor exp(m - m') is meant for a maximum that only grows. Where it falls from one tile to the next the factor is more than 1, and infinite when it falls far; and behind a tile that is hidden altogether the maximum is -inf, so that all that was summed is lost.",
        hint="Which two numbers does m' have to be the larger of? Let the scores of the second tile be 1000 lower than those of the first.",
    ),
    zh_tw=Explained(
        "你的最大值只看最後一塊，而不是到目前為止的所有塊。",
        "因子 exp(m - m') 是為只增不減的最大值準備的。如果下一塊的最大值變小，因子就會大於 1，降得多時還會變成無限大；而整塊被遮住之後，最大值成了 -inf，先前累計的全都不見了。",
        hint="m' 應該是哪兩個數當中比較大的？設第二塊的分數比第一塊的低 1000 試試看。",
    ),
)
def newest_maximum(ref, Q, K, V, tile, causal=False):
    def step(state, S, V_j):
        m, d, Z = state
        new = top(S)
        old, P = np.exp(m - ground(new)), np.exp(S - ground(new))
        return new, d * old + P.sum(axis=-1, keepdims=True), Z * old + P @ V_j

    return stream(ref, Q, K, V, tile, causal, step=step)


@variant("efficient.blockwise_attention/newest-maximum")
def _(ref, Q, K, V, tile, causal=False):
    def rule(tiles):
        m, d, z = -math.inf, 0.0, [0.0] * V.shape[-1]
        for scores, values in tiles:
            new = highest(scores)
            base = 0.0 if new == -math.inf else new
            powers = [exp(s - base) for s in scores]
            d, z = d * exp(m - base) + math.fsum(powers), plus(weighed(powers, values), z, exp(m - base))
            m = new
        return [x / d if d else 0.0 for x in z]

    return by_query(ref, Q, K, V, tile, causal, rule)


@about_blockwise(
    "efficient.blockwise_attention/tiles-added",
    en=Explained(
        "You take a softmax in every tile and add the outputs.",
        "Every tile shares out a whole unit of attention by itself, so the weights of a row sum to the number of tiles. A softmax needs the sum over all keys.",
        hint="Let V be all ones, with two tiles. What comes out?",
    ),
    zh_tw=Explained(
        "你在每一塊裡各做一次 softmax，再把輸出加起來。",
        "每一塊都各自分掉完整的一份注意力，一個橫列的權重加起來就等於塊數。softmax 需要的是所有鍵的總和。",
        hint="讓 V 全是 1，分成兩塊。結果是多少？",
    ),
)
def tiles_added(ref, Q, K, V, tile, causal=False):
    def step(state, S, V_j):
        fresh = (np.full_like(state[0], -np.inf), 0 * state[1], 0 * state[2])
        return (*state[:2], state[2] + divided(take(fresh, S, V_j)))

    return stream(ref, Q, K, V, tile, causal, step=step, end=lambda state: state[2])


@variant("efficient.blockwise_attention/tiles-added")
def _(ref, Q, K, V, tile, causal=False):
    def rule(tiles):
        outputs = [right_output([each]) for each in tiles]
        return [math.fsum(column) for column in zip(*outputs, strict=True)]

    return by_query(ref, Q, K, V, tile, causal, rule)


@about_blockwise(
    "efficient.blockwise_attention/tiles-averaged",
    en=Explained(
        "You take a softmax in every tile and average the outputs.",
        "Then every tile counts the same, however well its keys match: the tile with the largest sum of exponentials should count most.",
        hint="Does it matter to your result in which tile a very well matching key stands?",
    ),
    zh_tw=Explained(
        "你在每一塊裡各做一次 softmax，再把輸出平均。",
        "這樣每一塊的分量都一樣，不論裡面的鍵配得好不好：指數總和最大的那一塊，分量才該最大。",
        hint="非常相配的鍵放在哪一塊，對你的結果有影響嗎？",
    ),
)
def tiles_averaged(ref, Q, K, V, tile, causal=False):
    tiles = max(len(cuts(K.shape[-2], tile)) if tile > 0 else 1, 1)
    Z = tiles_added(ref, Q, K, V, tile, causal)
    return Z / Z.dtype.type(tiles)


@variant("efficient.blockwise_attention/tiles-averaged")
def _(ref, Q, K, V, tile, causal=False):
    def rule(tiles):
        outputs = [right_output([each]) for each in tiles]
        return [math.fsum(column) / len(tiles) for column in zip(*outputs, strict=True)]

    return by_query(ref, Q, K, V, tile, causal, rule)


@about_blockwise(
    "efficient.blockwise_attention/last-tile-only",
    en=Explained(
        "Your output is that of the last tile alone.",
        "Every tile overwrites what the ones before it gave.",
        hint="Which line of your loop uses the old output?",
    ),
    zh_tw=Explained(
        "你的輸出只來自最後一塊。",
        "每一塊都蓋掉了前面各塊的結果。",
        hint="迴圈裡哪個敘述用到了舊的輸出？",
    ),
)
def last_tile(ref, Q, K, V, tile, causal=False):
    def step(state, S, V_j):
        return take((np.full_like(state[0], -np.inf), 0 * state[1], 0 * state[2]), S, V_j)

    return stream(ref, Q, K, V, tile, causal, step=step)


@variant("efficient.blockwise_attention/last-tile-only")
def _(ref, Q, K, V, tile, causal=False):
    return by_query(ref, Q, K, V, tile, causal, lambda tiles: right_output(tiles[-1:]))


@about_blockwise(
    "efficient.blockwise_attention/not-divided",
    en=Explained(
        "You did not divide by the sum.",
        "Your output is the sum of exp(S - m) V. The weights are shares only once they are divided by d, which is known when the last tile has been seen.",
        hint="Let V be all ones: what should the output be?",
    ),
    zh_tw=Explained(
        "你沒有除以總和。",
        "你的輸出是 exp(S - m) V 的加總。要除以 d，權重才會是比例，而看完最後一塊就知道 d 了。",
        hint="讓 V 全是 1：輸出應該是多少？",
    ),
)
def not_divided(ref, Q, K, V, tile, causal=False):
    return stream(ref, Q, K, V, tile, causal, end=lambda state: state[2])


@variant("efficient.blockwise_attention/not-divided")
def _(ref, Q, K, V, tile, causal=False):
    def rule(tiles):
        scores, values = flat(tiles)
        return weighed([0.0 if s == -math.inf else math.exp(s - highest(scores)) for s in scores], values)

    return by_query(ref, Q, K, V, tile, causal, rule)


@about_blockwise(
    "efficient.blockwise_attention/divided-in-every-tile",
    en=Explained(
        "You divide by the sum in every tile, and so again and again.",
        "What was divided once is divided once more in the next tile. Divide at the very end; or undo the old division before the new one.",
        hint="How often is the contribution of the first tile divided, if there are three?",
    ),
    zh_tw=Explained(
        "你在每一塊都除以總和，於是除了一次又一次。",
        "已經除過的，到下一塊又被除了一次。要嘛最後才除，要嘛先把上一次的除法還原。",
        hint="有三塊的話，第一塊的貢獻一共被除了幾次？",
    ),
)
def divided_each_time(ref, Q, K, V, tile, causal=False):
    def step(state, S, V_j):
        m, d, Z = take(state, S, V_j)
        return m, d, Z / np.where(d == 0, 1, d)

    return stream(ref, Q, K, V, tile, causal, step=step, end=lambda state: state[2])


@variant("efficient.blockwise_attention/divided-in-every-tile")
def _(ref, Q, K, V, tile, causal=False):
    def rule(tiles):
        m, d, z = -math.inf, 0.0, [0.0] * len(tiles[0][1][0])
        for scores, values in tiles:
            new = max(m, highest(scores))
            powers = [0.0 if s == -math.inf else math.exp(s - new) for s in scores]
            d = d * rescaled(m, new) + math.fsum(powers)
            z = [x / (d or 1.0) for x in plus(weighed(powers, values), z, rescaled(m, new))]
            m = new
        return z

    return by_query(ref, Q, K, V, tile, causal, rule)
