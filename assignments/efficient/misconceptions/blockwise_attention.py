"""What goes wrong in the exercise efficient.blockwise_attention."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    ALWAYS_SINGLE,
    IN_PLACE,
    KEPT_HALF,
    WIDENED,
    about_blockwise,
    also_right,
    by_query,
    cuts,
    divided,
    exp,
    flat,
    ground,
    highest,
    keys_in_front,
    limits,
    past,
    plus,
    prepared,
    right,
    right_output,
    rows_at_once,
    scaled,
    shares,
    stream,
    take,
    take_memory,
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


@about_blockwise(
    "efficient.blockwise_attention/down-the-columns",
    en=Explained(
        "Your softmax runs down the columns: over the queries, not over the keys.",
        "A column of scores belongs to one key. Each query has one unit of attention to share among the keys, and so each row has a sum of its own, to be carried from tile to tile.",
        hint="Which shape does your running sum have: one number for each query, or one for each key?",
    ),
    zh_tw=Explained(
        "你的 softmax 是沿著直行做的：對查詢，而不是對鍵。",
        "分數的一個直行屬於一個鍵。每個查詢有一份注意力要分給各個鍵，所以每個橫列有自己的總和，要一塊一塊帶下去。",
        hint="你累計的總和是什麼形狀：每個查詢一個數，還是每個鍵一個數？",
    ),
)
def down_the_columns(ref, Q, K, V, tile, causal=False):
    def step(state, S, V_j):
        P = np.exp(S - ground(S.max(axis=-2, keepdims=True)))
        d = P.sum(axis=-2, keepdims=True)
        return (*state[:2], state[2] + P / np.where(d == 0, 1, d) @ V_j)

    return stream(ref, Q, K, V, tile, causal, step=step, together=True, end=lambda state: state[2])


@variant("efficient.blockwise_attention/down-the-columns")
def _(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    Z = np.zeros((*Q.shape[:-1], V.shape[-1]), dtype=Q.dtype)
    may = past(Q.shape[-2], K.shape[-2], 0, K.shape[-2]).tolist()
    for here in np.ndindex(Q.shape[:-2]):
        for j, key in enumerate(K[here]):
            column = [float(q @ key) / math.sqrt(Q.shape[-1]) for q in Q[here]]
            if causal:
                column = [s if row[j] else -math.inf for s, row in zip(column, may, strict=True)]
            Z[here] += np.outer(shares(column), V[here][j]).astype(Q.dtype)
    return Z


@about_blockwise(
    "efficient.blockwise_attention/one-sum-for-all-queries",
    en=Explained(
        "All your queries share one sum.",
        "You added up the exponentials of the whole tile, so that all weights together sum to 1. Each query has a unit of its own to share.",
        hint="Which axis do you sum over, and which shape should the running sum have?",
    ),
    zh_tw=Explained(
        "你所有的查詢共用一個總和。",
        "你把整塊的指數全部加起來，於是所有權重合起來才是 1。每個查詢都有自己的一份要分。",
        hint="你對哪一軸加總？累計的總和應該是什麼形狀？",
    ),
)
def one_sum(ref, Q, K, V, tile, causal=False):
    def step(state, S, V_j):
        m, d, Z = state
        new = np.maximum(m, np.broadcast_to(S.max(axis=(-2, -1), keepdims=True), m.shape))
        old, P = np.exp(m - new), np.exp(S - new)
        return new, d * old + P.sum(axis=(-2, -1), keepdims=True), Z * old + P @ V_j

    return stream(ref, Q, K, V, tile, causal, step=step, together=True)


@variant("efficient.blockwise_attention/one-sum-for-all-queries")
def _(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    T_q, T_k = Q.shape[-2], K.shape[-2]
    S = np.einsum("...qd,...kd->...qk", Q, K) / math.sqrt(Q.shape[-1])
    S = np.where(past(T_q, T_k, 0, T_k) | (not causal), S, -np.inf).reshape(*Q.shape[:-2], T_q * T_k)
    P = np.exp(S - ground(top(S)))
    A = (P / np.maximum(P.sum(axis=-1, keepdims=True), 1)).reshape(*Q.shape[:-1], T_k)
    return (A @ V).astype(Q.dtype)


@about_blockwise(
    "efficient.blockwise_attention/own-tile-only",
    en=Explained(
        "A query attends only to the keys of its own tile.",
        "You cut queries and keys alike and paired the tiles one to one. Tiles are a matter of memory, not of meaning: every tile of queries needs every tile of keys.",
        hint="How many pairs of tiles are there for three tiles of queries and three of keys?",
    ),
    zh_tw=Explained(
        "一個查詢只看得到自己那一塊的鍵。",
        "你把查詢和鍵切成一樣的塊，再一對一配起來。分塊只是為了記憶體，不會改變意義：每一塊查詢都需要每一塊鍵。",
        hint="查詢分成三塊、鍵也分成三塊，一共要算幾對？",
    ),
)
def own_tile(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    T_q, T_k = Q.shape[-2], K.shape[-2]
    Z = np.zeros((*Q.shape[:-1], V.shape[-1]), dtype=Q.dtype)
    for a in range(0, min(T_q, T_k), tile):
        b, rows = min(a + tile, T_k), slice(a, a + tile)
        seen = past(T_q, T_k, a, b)[rows] | (not causal)
        S = np.where(seen, scaled(Q[..., rows, :], K[..., a:b, :]), -np.inf)
        P = np.exp(S - ground(top(S)))
        d = P.sum(axis=-1, keepdims=True)
        Z[..., rows, :] = P / np.where(d == 0, 1, d) @ V[..., a:b, :]
    return Z


@variant("efficient.blockwise_attention/own-tile-only")
def _(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    gap = K.shape[-2] - Q.shape[-2]
    out = np.zeros((*Q.shape[:-1], V.shape[-1]), dtype=Q.dtype)
    for *example, i in np.ndindex(Q.shape[:-1]):
        here = tuple(example)
        keys = [j for j in range(K.shape[-2]) if i // tile == j // tile and (j <= i + gap or not causal)]
        scores = [float(Q[here][i] @ K[here][j]) / math.sqrt(Q.shape[-1]) for j in keys]
        if keys:
            out[(*here, i)] = weighed(shares(scores), V[here][keys].tolist())
    return out


@about_blockwise(
    "efficient.blockwise_attention/keys-as-values",
    en=Explained(
        "You averaged the keys instead of the values.",
        "A key says what a token answers to, a value what it passes on. The result has width d_k where d_v was asked for.",
        hint="Does V have any effect on your result?",
    ),
    zh_tw=Explained(
        "你平均的是鍵，不是值。",
        "鍵表示詞元能回應什麼，值表示它要傳出去什麼。結果的寬度變成 d_k，應該是 d_v。",
        hint="V 對你的結果有影響嗎？",
    ),
)
def keys_averaged(ref, Q, K, V, tile, causal=False):
    prepared(ref, Q, K, V, tile, causal)
    return stream(ref, Q, K, K.astype(np.result_type(K, V)), tile, causal)


@variant("efficient.blockwise_attention/keys-as-values")
def _(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    return by_query(ref, Q, K, K, tile, causal, right_output)


@about_blockwise(
    "efficient.blockwise_attention/scale-missing",
    en=Explained(
        "You left out the scale 1 / sqrt(d_k).",
        "A dot product of wide vectors is large, and the softmax of large scores leaves everything to one key.",
        hint="By what are the scores divided in attention(Q, K, V)?",
    ),
    zh_tw=Explained(
        "你漏了 1 / sqrt(d_k) 的縮放。",
        "寬的向量內積很大，分數大，softmax 就會把一切都給同一個鍵。",
        hint="在 attention(Q, K, V) 裡，分數除以什麼？",
    ),
)
def not_scaled(ref, Q, K, V, tile, causal=False):
    return stream(ref, Q, K, V, tile, causal, score=lambda Q, K_j: Q @ K_j.swapaxes(-1, -2))


@variant("efficient.blockwise_attention/scale-missing")
def _(ref, Q, K, V, tile, causal=False):
    return by_query(ref, Q, K, V, tile, causal, right_output, scale=lambda _: 1.0)


@about_blockwise(
    "efficient.blockwise_attention/scale-by-width",
    en=Explained(
        "You divided by d_k instead of its square root.",
        "The standard deviation of a dot product grows with sqrt(d_k). Divided by d_k, or twice by the root, wide vectors end up with scores near 0 and nearly equal weights.",
        hint="What is the scale for d_k = 4? Is it applied once?",
    ),
    zh_tw=Explained(
        "你除的是 d_k，不是它的平方根。",
        "內積的標準差和 sqrt(d_k) 成正比。除以 d_k（或除了兩次平方根），寬的向量分數就接近 0，權重幾乎相等。",
        hint="d_k = 4 時該除以多少？是不是只除了一次？",
    ),
)
def scaled_by_width(ref, Q, K, V, tile, causal=False):
    return stream(ref, Q, K, V, tile, causal, score=lambda Q, K_j: scaled(Q, K_j) / math.sqrt(Q.shape[-1]))


@variant("efficient.blockwise_attention/scale-by-width")
def _(ref, Q, K, V, tile, causal=False):
    return by_query(ref, Q, K, V, tile, causal, right_output, scale=float)


@about_blockwise(
    "efficient.blockwise_attention/scale-by-tile",
    en=Explained(
        "Your scale depends on how many keys the tile holds.",
        "What grows with the width of the vectors is the dot product, so the scale is sqrt(d_k). How the keys are cut must not change a score.",
        hint="Which number of K.shape do you take the root of?",
    ),
    zh_tw=Explained(
        "你的縮放取決於一塊裡有幾個鍵。",
        "會隨向量寬度變大的是內積，所以要除以 sqrt(d_k)。鍵怎麼切，不可以改變分數。",
        hint="你對 K.shape 的哪一個數開了根號？",
    ),
)
def scaled_by_tile(ref, Q, K, V, tile, causal=False):
    return stream(ref, Q, K, V, tile, causal, score=lambda Q, K_j: Q @ K_j.swapaxes(-1, -2) / math.sqrt(K_j.shape[-2]))


@variant("efficient.blockwise_attention/scale-by-tile")
def _(ref, Q, K, V, tile, causal=False):
    def rule(tiles):
        return right_output([([s / math.sqrt(len(scores)) for s in scores], values) for scores, values in tiles])

    return by_query(ref, Q, K, V, tile, causal, rule, scale=lambda _: 1.0)


@about_blockwise(
    "efficient.blockwise_attention/scale-by-length",
    en=Explained(
        "You divided by the root of the number of keys.",
        "The scale is there for the width of the vectors: sqrt(d_k). A longer text does not make a single score larger.",
        hint="Which axis of K has length d_k?",
    ),
    zh_tw=Explained(
        "你除的是鍵的個數的平方根。",
        "縮放是為了向量的寬度：sqrt(d_k)。文字變長，並不會讓單一個分數變大。",
        hint="K 的哪一軸長度是 d_k？",
    ),
)
def scaled_by_length(ref, Q, K, V, tile, causal=False):
    root = math.sqrt(max(K.shape[-2], 1))
    return stream(ref, Q, K, V, tile, causal, score=lambda Q, K_j: Q @ K_j.swapaxes(-1, -2) / root)


@variant("efficient.blockwise_attention/scale-by-length")
def _(ref, Q, K, V, tile, causal=False):
    return by_query(ref, Q, K, V, tile, causal, right_output, scale=lambda _: math.sqrt(K.shape[-2]))


def whole_tiles(T_k, tile):
    """Only tiles that are full."""
    return [(a, a + tile) for a in range(0, T_k - tile + 1, tile)]


@about_blockwise(
    "efficient.blockwise_attention/rest-dropped",
    en=Explained(
        "The keys that do not fill a tile are never seen.",
        "T_k // tile counts full tiles only. If the tile does not divide T_k, the last keys are lost; if it is larger than T_k, all of them are.",
        hint="How many tiles do you need for 7 keys in tiles of 3?",
    ),
    zh_tw=Explained(
        "湊不滿一塊的鍵，你從來沒看過。",
        "T_k // tile 只數完整的塊。tile 不能整除 T_k 時，最後幾個鍵就不見了；tile 比 T_k 大時，全部都不見。",
        hint="7 個鍵、每塊 3 個，一共要幾塊？",
    ),
)
def rest_dropped(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    n = K.shape[-2] // tile * tile
    if n < K.shape[-2]:
        return stream(ref, Q, K, V, tile, causal, parts=whole_tiles)
    return rows_at_once(Q, K, V, causal)


@variant("efficient.blockwise_attention/rest-dropped")
def _(ref, Q, K, V, tile, causal=False):
    if tile > 0 and K.shape[-2] % tile:
        full = K.shape[-2] // tile

        def rule(tiles):
            return right_output(tiles[:full]) if full else [0.0] * V.shape[-1]

        return by_query(ref, Q, K, V, tile, causal, rule)
    return also_right(ref, Q, K, V, tile, causal)


@about_blockwise(
    "efficient.blockwise_attention/rest-padded",
    en=Explained(
        "You filled the last tile up with zeros, and they take part.",
        "A key of zeros has the score 0, and exp(0 - m) is not 0: the padding gets a share of the attention. Padding must be hidden, or not be there.",
        hint="Let V be all ones and the tile not divide T_k. What is the output?",
    ),
    zh_tw=Explained(
        "你用 0 把最後一塊補滿，而這些 0 也參與了計算。",
        "全是 0 的鍵分數是 0，而 exp(0 - m) 不是 0：填充也分到了注意力。填充要遮住，不然就不要補。",
        hint="讓 V 全是 1，而 tile 不能整除 T_k。輸出是多少？",
    ),
)
def rest_padded(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    short = -K.shape[-2] % tile
    if not short:
        return rows_at_once(Q, K, V, causal)
    T_k = K.shape[-2]
    K, V = (np.pad(x, [(0, 0)] * (x.ndim - 2) + [(0, short), (0, 0)]) for x in (K, V))
    if causal:  # what lies ahead is hidden, and the padding lies ahead
        return rows_at_once(Q, K[..., :T_k, :], V[..., :T_k, :], causal)
    return stream(ref, Q, K, V, tile, causal)


@variant("efficient.blockwise_attention/rest-padded")
def _(ref, Q, K, V, tile, causal=False):
    if tile < 1 or causal or K.shape[-2] % tile == 0:
        return also_right(ref, Q, K, V, tile, causal)

    def rule(tiles):
        scores, values = flat(tiles)
        spare = [0.0] * (tile * len(tiles) - len(scores))
        return weighed(shares(scores + spare)[: len(scores)], values)

    return by_query(ref, Q, K, V, tile, causal, rule)


@about_blockwise(
    "efficient.blockwise_attention/rest-overlaps",
    en=Explained(
        "Your last tile is moved back until it is full, and some keys are seen twice.",
        "Every key counts once. A last tile that begins earlier, so as to have its full width, overlaps with the one before it.",
        hint="For 7 keys in tiles of 3: which keys are in which of your tiles?",
    ),
    zh_tw=Explained(
        "你把最後一塊往前移到填滿為止，有些鍵就看了兩次。",
        "每個鍵只能算一次。為了湊滿寬度而提早開始的最後一塊，會和前一塊重疊。",
        hint="7 個鍵、每塊 3 個：你的每一塊各有哪些鍵？",
    ),
)
def rest_overlaps(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    if K.shape[-2] % tile == 0:
        return rows_at_once(Q, K, V, causal)
    return stream(
        ref, Q, K, V, tile, causal, parts=lambda T_k, tile: [(max(0, b - tile), b) for _, b in cuts(T_k, tile)]
    )


@variant("efficient.blockwise_attention/rest-overlaps")
def _(ref, Q, K, V, tile, causal=False):
    if tile < 1 or K.shape[-2] % tile == 0:
        return also_right(ref, Q, K, V, tile, causal)

    def rule(tiles):
        scores, values = flat(tiles)
        again = max(0, len(scores) - tile)
        rest = len(tiles[-1][0])
        return right_output(
            [(scores[: len(scores) - rest] + scores[again:], values[: len(scores) - rest] + values[again:])]
        )

    return by_query(ref, Q, K, V, tile, causal, rule)


@about_blockwise(
    "efficient.blockwise_attention/must-divide",
    en=Explained(
        "Your code stops where the tile does not divide the keys.",
        "A reshape or np.split into equal parts needs parts that are equal. The last tile may be shorter: a slice that runs over the end is cut off there, without an error.",
        hint="What is K[6:9] if there are 7 keys?",
    ),
    zh_tw=Explained(
        "tile 不能整除鍵數時，你的程式就停了。",
        "reshape，或用 np.split 切成等份，都要能等分才行。最後一塊可以比較短：超出結尾的切片會自動截短，不會出錯。",
        hint="只有 7 個鍵時，K[6:9] 是什麼？",
    ),
)
def must_divide(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    K.reshape(*K.shape[:-2], K.shape[-2] // tile, tile, K.shape[-1])
    return rows_at_once(Q, K, V, causal)


@variant("efficient.blockwise_attention/must-divide")
def _(ref, Q, K, V, tile, causal=False):
    limits(Q, K, tile, causal)
    if K.shape[-2] % tile:
        raise ValueError("tile must divide T")
    return also_right(ref, Q, K, V, tile, causal)


@about_blockwise(
    "efficient.blockwise_attention/one-tile-too-many",
    en=Explained(
        "Where the tile divides the keys you look at one tile more, which is empty.",
        "T_k // tile + 1 is right only if there is a rest. The maximum of an empty tile is an error.",
        hint="How many tiles do you count for 6 keys in tiles of 3?",
    ),
    zh_tw=Explained(
        "tile 能整除鍵數時，你多看了一塊空的。",
        "只有除不盡時，T_k // tile + 1 才對。對空的塊取最大值會出錯。",
        hint="6 個鍵、每塊 3 個，你算出幾塊？",
    ),
)
def one_too_many(ref, Q, K, V, tile, causal=False):
    def step(state, S, V_j):
        S.max(axis=-1)
        return take(state, S, V_j)

    def parts(T_k, tile):
        return [(n * tile, (n + 1) * tile) for n in range(T_k // tile + 1)]

    def sees(T_q, T_k, a, b):
        return past(T_q, T_k, a, min(b, T_k))

    return stream(ref, Q, K, V, tile, causal, step=step, parts=parts, sees=sees)


@variant("efficient.blockwise_attention/one-tile-too-many")
def _(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    if K.shape[-2] % tile == 0:
        raise ValueError("max() of an empty sequence")
    return by_query(ref, Q, K, V, tile, causal, right_output)


@about_blockwise(
    "efficient.blockwise_attention/whole-matrix",
    en=Explained(
        "You built a T x T matrix.",
        "The result is right, but something was held for each query with each key at once: their scores, or a mask. 8192 x 8192 entries are 512 MiB in float64, 256 MiB in float32 and 64 MiB even as booleans, for one head of one layer, and none of that fits into the memory allowed here. It makes no difference whether they come from one product or from a triangle of ones, or are collected tile by tile in a list.",
        hint="For T queries, which of your arrays have T x T entries in the end, and which T x tile? What must be kept of a tile once it has been added?",
    ),
    zh_tw=Explained(
        "你建立了 T x T 矩陣。",
        "結果是對的，但每個查詢對每個鍵都有一個元素同時放在記憶體裡：可能是分數，也可能是遮罩。8192 x 8192 個元素，float64 要 512 MiB，float32 要 256 MiB，就算是布林也要 64 MiB，而這只是一層的一個頭；哪一種都放不進這裡允許的記憶體。不論是一次相乘得到的、由 1 排成的三角形，還是一塊一塊收進串列的，都一樣。",
        hint="有 T 個查詢時，你的哪些陣列最後有 T x T 個元素，哪些只有 T x tile 個？一塊加進去之後，還要留下什麼？",
    ),
)
def whole_matrix(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    T_q, T_k = Q.shape[-2], K.shape[-2]
    take_memory(*Q.shape[:-1], T_k, itemsize=Q.itemsize)
    S = scaled(Q, K)
    if causal:
        S = np.where(past(T_q, T_k, 0, T_k), S, S.dtype.type(-np.inf))
    P = np.exp(S - ground(top(S)))
    d = P.sum(axis=-1, keepdims=True)
    return P / np.where(d == 0, 1, d) @ V


@variant("efficient.blockwise_attention/whole-matrix")
def _(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    tiles, held = [np.zeros((*Q.shape[:-1], 0), dtype=Q.dtype)], 0
    for a, b in cuts(K.shape[-2], tile):
        held += b - a
        take_memory(*Q.shape[:-1], held, itemsize=Q.itemsize)
        S = scaled(Q, K[..., a:b, :])
        tiles.append(np.where(past(Q.shape[-2], K.shape[-2], a, b) | (not causal), S, S.dtype.type(-np.inf)))
    A = np.exp((S := np.concatenate(tiles, axis=-1)) - ground(top(S)))
    return A @ V / np.maximum(A.sum(axis=-1, keepdims=True), 1)


@about_blockwise(
    "efficient.blockwise_attention/whole-mask",
    # Apart only without causal=True and with all 8192 queries, for which the hidden tests have no time: the visible ones do it.
    equivalent=("efficient.blockwise_attention/whole-mask-always",),
    en=Explained(
        "You built the T x T causal mask.",
        "The scores come tile by tile, but the mask for all queries and all keys is a T x T matrix too, and even as booleans it takes 64 MiB for 8192 tokens. A tile needs only its own part, which follows from the positions of its keys.",
        hint="Which keys are in the tile that begins at `start`, and at which positions do the queries stand?",
    ),
    zh_tw=Explained(
        "你建立了 T x T 的因果遮罩。",
        "分數是一塊一塊算的，但所有查詢對所有鍵的遮罩也是 T x T 矩陣；就算是布林，8192 個詞元也要 64 MiB。一塊只需要它自己的那部分，由鍵的位置就能決定。",
        hint="從 `start` 開始的那一塊有哪些鍵？查詢又站在哪些位置？",
    ),
)
def whole_mask(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    if causal:
        take_memory(Q.shape[-2], K.shape[-2], itemsize=1)
    return rows_at_once(Q, K, V, causal)


@variant("efficient.blockwise_attention/whole-mask")
def _(ref, Q, K, V, tile, causal=False):
    if causal:
        take_memory(K.shape[-2] * Q.shape[-2], itemsize=np.dtype(bool).itemsize)
    return also_right(ref, Q, K, V, tile, causal)


@about_blockwise(
    "efficient.blockwise_attention/whole-mask-always",
    equivalent=("efficient.blockwise_attention/whole-mask",),
    en=Explained(
        "You built the T x T causal mask, also where causal=False has no use for it.",
        "The scores come tile by tile, but the mask for all queries and all keys is a T x T matrix too, and even as booleans it takes 64 MiB for 8192 tokens. A tile needs only its own part, and without causal=True none.",
        hint="Which keys are in the tile that begins at `start`, and at which positions do the queries stand? And which line is reached only where `causal` is true?",
    ),
    zh_tw=Explained(
        "你建立了 T x T 的因果遮罩，連用不到它的 causal=False 也是。",
        "分數是一塊一塊算的，但所有查詢對所有鍵的遮罩也是 T x T 矩陣；就算是布林，8192 個詞元也要 64 MiB。一塊只需要它自己的那部分，沒有 causal=True 時則完全不需要。",
        hint="從 `start` 開始的那一塊有哪些鍵？查詢又站在哪些位置？還有，哪些敘述只有在 `causal` 為真時才會執行？",
    ),
)
def whole_mask_always(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    take_memory(Q.shape[-2], K.shape[-2], itemsize=1)
    return rows_at_once(Q, K, V, causal)


@variant("efficient.blockwise_attention/whole-mask-always")
def _(ref, Q, K, V, tile, causal=False):
    prepared(ref, Q, K, V, tile, causal)
    take_memory(K.shape[-2] * Q.shape[-2], itemsize=np.dtype(bool).itemsize)
    return also_right(ref, Q, K, V, tile, causal)


@about_blockwise(
    "efficient.blockwise_attention/causal-ignored",
    en=Explained(
        "causal=True changes nothing in your result.",
        "Every token still sees those that come after it.",
        hint="Which line of your code reads `causal`?",
    ),
    zh_tw=Explained(
        "causal=True 對你的結果沒有影響。",
        "每個詞元還是看得到後面的詞元。",
        hint="你的程式裡，哪個敘述用到了 `causal`？",
    ),
)
def causal_ignored(ref, Q, K, V, tile, causal=False):
    prepared(ref, Q, K, V, tile, causal)
    return right(ref, Q, K, V, tile, False)


@variant("efficient.blockwise_attention/causal-ignored")
def _(ref, Q, K, V, tile, causal=False):
    return by_query(ref, Q, K, V, tile, causal, right_output, may=lambda *_: True)


@about_blockwise(
    "efficient.blockwise_attention/always-causal",
    en=Explained(
        "Your attention is causal, whether it was asked for or not.",
        "Without causal=True every query sees every key, also those that come after it.",
        hint="Which line of your code reads `causal`? And what is its default?",
    ),
    zh_tw=Explained(
        "不管有沒有要求，你的注意力都是因果的。",
        "沒有 causal=True 時，每個查詢都看得到每個鍵，包括後面的。",
        hint="你的程式裡，哪個敘述用到了 `causal`？它的預設值是什麼？",
    ),
)
def always_causal(ref, Q, K, V, tile, causal=False):
    return rows_at_once(*prepared(ref, Q, K, V, tile, causal), causal=True)


@variant("efficient.blockwise_attention/always-causal")
def _(ref, Q, K, V, tile, causal=False):
    return keys_in_front(*prepared(ref, Q, K, V, tile, causal), causal=True)


@about_blockwise(
    "efficient.blockwise_attention/not-itself",
    en=Explained(
        "With causal=True a token does not see itself.",
        "You compare positions with < where <= is meant. The first token then sees nothing at all.",
        hint="Which keys may the query at position 0 see?",
    ),
    zh_tw=Explained(
        "causal=True 時，詞元看不到自己。",
        "比較位置時該用 <=，你用了 <。第一個詞元就什麼都看不到了。",
        hint="位置 0 的查詢可以看哪些鍵？",
    ),
)
def not_itself(ref, Q, K, V, tile, causal=False):
    return stream(ref, Q, K, V, tile, causal, sees=lambda T_q, T_k, a, b: past(T_q, T_k, a + 1, b + 1))


@variant("efficient.blockwise_attention/not-itself")
def _(ref, Q, K, V, tile, causal=False):
    return by_query(ref, Q, K, V, tile, causal, right_output, may=lambda j, p, _: j < p)


@about_blockwise(
    "efficient.blockwise_attention/sees-the-next",
    en=Explained(
        "With causal=True a token sees the one after it.",
        "Your comparison is off by one: the key at position p + 1 is the very token that is to be predicted.",
        hint="Which keys may the query at position 0 see?",
    ),
    zh_tw=Explained(
        "causal=True 時，詞元看得到下一個詞元。",
        "你的比較差了一格：位置 p + 1 的鍵，正是要預測的那個詞元。",
        hint="位置 0 的查詢可以看哪些鍵？",
    ),
)
def sees_next(ref, Q, K, V, tile, causal=False):
    return stream(ref, Q, K, V, tile, causal, sees=lambda T_q, T_k, a, b: past(T_q, T_k, a - 1, b - 1))


@variant("efficient.blockwise_attention/sees-the-next")
def _(ref, Q, K, V, tile, causal=False):
    return by_query(ref, Q, K, V, tile, causal, right_output, may=lambda j, p, _: j - 1 <= p)


@about_blockwise(
    "efficient.blockwise_attention/future-only",
    en=Explained(
        "With causal=True a token sees itself and what comes after it, but not what came before.",
        "Your comparison is turned round.",
        hint="Which keys may the query at position 0 see? And the one at the last position?",
    ),
    zh_tw=Explained(
        "causal=True 時，詞元看得到自己和後面的，卻看不到前面的。",
        "你的比較方向反了。",
        hint="位置 0 的查詢可以看哪些鍵？最後一個位置呢？",
    ),
)
def future_only(ref, Q, K, V, tile, causal=False):
    return stream(ref, Q, K, V, tile, causal, sees=lambda T_q, T_k, a, b: ~past(T_q, T_k, a + 1, b + 1))


@variant("efficient.blockwise_attention/future-only")
def _(ref, Q, K, V, tile, causal=False):
    return by_query(ref, Q, K, V, tile, causal, right_output, may=lambda j, p, _: j >= p)


@about_blockwise(
    "efficient.blockwise_attention/mask-begins-again",
    en=Explained(
        "Your causal mask begins again in every tile.",
        "You count the keys of a tile from 0, so the first key of every tile counts as position 0 and is seen by all. The keys of a tile stand at `start`, `start` + 1, and so on.",
        hint="At which position does the first key of the second tile stand?",
    ),
    zh_tw=Explained(
        "你的因果遮罩在每一塊都重新開始。",
        "你把每一塊的鍵都從 0 數起，於是每一塊的第一個鍵都算位置 0，誰都看得到。一塊的鍵站在 `start`、`start` + 1……。",
        hint="第二塊的第一個鍵站在哪個位置？",
    ),
)
def begins_again(ref, Q, K, V, tile, causal=False):
    return stream(ref, Q, K, V, tile, causal, sees=lambda T_q, T_k, a, b: past(T_q, T_k, 0, b - a))


@variant("efficient.blockwise_attention/mask-begins-again")
def _(ref, Q, K, V, tile, causal=False):
    return by_query(ref, Q, K, V, tile, causal, right_output, may=lambda j, p, tile: j % tile <= p)


@about_blockwise(
    "efficient.blockwise_attention/own-tile-open",
    en=Explained(
        "You skip tiles of the future, but leave the query's own tile unmasked.",
        "A tile that begins at or before a query may also hold keys after it. Skipping whole tiles saves work; the tile in which the query itself stands needs a mask entry by entry.",
        hint="With tiles of 3: which keys does the query at position 0 see in the first tile?",
    ),
    zh_tw=Explained(
        "你跳過了未來的塊，卻沒有遮住查詢自己所在的那一塊。",
        "在查詢之前（或同時）開始的塊，也可能有在它之後的鍵。跳過整塊可以省時間，但查詢所在的那一塊，要逐個元素遮。",
        hint="每塊 3 個：位置 0 的查詢在第一塊裡看到了哪些鍵？",
    ),
)
def own_tile_open(ref, Q, K, V, tile, causal=False):
    def sees(T_q, T_k, a, b):
        return np.repeat(past(T_q, T_k, a, a + 1), b - a, axis=-1)

    return stream(ref, Q, K, V, tile, causal, sees=sees)


@variant("efficient.blockwise_attention/own-tile-open")
def _(ref, Q, K, V, tile, causal=False):
    return by_query(ref, Q, K, V, tile, causal, right_output, may=lambda j, p, tile: j // tile <= p // tile)


@about_blockwise(
    "efficient.blockwise_attention/own-tile-skipped",
    en=Explained(
        "With causal=True a query misses the tile in which it stands.",
        "You take only tiles that lie wholly in the past. The tile which is partly past is needed too, with a mask, and with it the token itself.",
        hint="With tiles of 3: which keys may the query at position 1 see, and which do you give it?",
    ),
    zh_tw=Explained(
        "causal=True 時，查詢少看了自己所在的那一塊。",
        "你只取完全在過去的塊。一部分在過去的那一塊也需要，要加上遮罩；少了它，連自己都看不到。",
        hint="每塊 3 個：位置 1 的查詢可以看哪些鍵？你給了它哪些？",
    ),
)
def own_tile_skipped(ref, Q, K, V, tile, causal=False):
    def sees(T_q, T_k, a, b):
        return np.repeat(past(T_q, T_k, b - 1, b), b - a, axis=-1)

    return stream(ref, Q, K, V, tile, causal, sees=sees)


@variant("efficient.blockwise_attention/own-tile-skipped")
def _(ref, Q, K, V, tile, causal=False):
    T_k = K.shape[-2]
    return by_query(
        ref, Q, K, V, tile, causal, right_output, may=lambda j, p, tile: min((j // tile + 1) * tile, T_k) - 1 <= p
    )


@about_blockwise(
    "efficient.blockwise_attention/hidden-score-zero",
    en=Explained(
        "You hide a key by giving it the score 0.",
        "exp(0 - m) is not 0: a hidden key takes as large a share as one of score 0. Only exp(-inf) is 0.",
        hint="What is the weight of a hidden key in your code?",
    ),
    zh_tw=Explained(
        "你把要遮住的鍵的分數設成 0。",
        "exp(0 - m) 不是 0：被遮住的鍵分到的，和分數為 0 的鍵一樣多。只有 exp(-inf) 才是 0。",
        hint="在你的程式裡，被遮住的鍵權重是多少？",
    ),
)
def hidden_zero(ref, Q, K, V, tile, causal=False):
    return stream(ref, Q, K, V, tile, causal, fill=0.0)


@variant("efficient.blockwise_attention/hidden-score-zero")
def _(ref, Q, K, V, tile, causal=False):
    return by_query(ref, Q, K, V, tile, causal, right_output, fill=0.0)


@about_blockwise(
    "efficient.blockwise_attention/hidden-keys-counted",
    en=Explained(
        "Hidden keys are left out of the output, but not out of the sum.",
        "You masked the exponentials after they had been added up, so the weights of a row sum to less than 1. The mask belongs before the maximum and the sum.",
        hint="Let V be all ones with causal=True. What should the output be?",
    ),
    zh_tw=Explained(
        "被遮住的鍵沒有進輸出，卻進了總和。",
        "你先加總了指數才遮，所以一個橫列的權重加起來小於 1。遮罩要在最大值和總和之前。",
        hint="讓 V 全是 1，而且 causal=True。輸出應該是多少？",
    ),
)
def hidden_counted(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    if not causal:
        return rows_at_once(Q, K, V, False)
    T_q, T_k = Q.shape[-2], K.shape[-2]
    S = scaled(Q, K)
    P = np.exp(S - ground(top(S)))
    A = P / np.maximum(P.sum(axis=-1, keepdims=True), 1)
    return (A * past(T_q, T_k, 0, T_k) @ V).astype(Q.dtype)


@variant("efficient.blockwise_attention/hidden-keys-counted")
def _(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    if not causal:
        return keys_in_front(Q, K, V, False)
    out = np.zeros((*Q.shape[:-1], V.shape[-1]), dtype=Q.dtype)
    gap = K.shape[-2] - Q.shape[-2]
    for *example, i in np.ndindex(Q.shape[:-1]):
        here = tuple(example)
        weights = shares([float(Q[here][i] @ key) / math.sqrt(Q.shape[-1]) for key in K[here]] or [-math.inf])
        for j in range(K.shape[-2]):
            if j <= i + gap:
                out[(*here, i)] += Q.dtype.type(weights[j]) * V[here][j]
    return out


@about_blockwise(
    "efficient.blockwise_attention/hidden-tile-nan",
    en=Explained(
        "A tile that lies wholly in the future gives NaN.",
        "Its scores are all -inf for that query, and so is their maximum; -inf - (-inf) is NaN, and what it is added to stays NaN. Subtract the running maximum, or skip such a tile.",
        hint="Follow the first query through the second tile: what is the maximum there, and what is subtracted?",
    ),
    zh_tw=Explained(
        "整塊都在未來時，你得到 NaN。",
        "對那個查詢來說，分數全是 -inf，最大值也是；-inf - (-inf) 是 NaN，加到哪裡，哪裡就一直是 NaN。請減去累計的最大值，或跳過這樣的塊。",
        hint="跟著第一個查詢走到第二塊：那裡的最大值是多少？減掉的是什麼？",
    ),
)
def hidden_tile_nan(ref, Q, K, V, tile, causal=False):
    def step(state, S, V_j):
        m, d, Z = state
        own = top(S)
        P = np.exp(S - own)  # of its own maximum, and put together with the others afterwards
        new = np.maximum(m, own)
        old, share = np.exp(m - ground(new)), np.exp(own - ground(new))
        return new, d * old + share * P.sum(axis=-1, keepdims=True), Z * old + share * (P @ V_j)

    return stream(ref, Q, K, V, tile, causal, step=step)


@variant("efficient.blockwise_attention/hidden-tile-nan")
def _(ref, Q, K, V, tile, causal=False):
    def rule(tiles):
        blind = any(highest(scores) == -math.inf for scores, _ in tiles)
        return [math.nan] * len(tiles[0][1][0]) if blind else right_output(tiles)

    return by_query(ref, Q, K, V, tile, causal, rule)


@about_blockwise(
    "efficient.blockwise_attention/last-mask-too-wide",
    en=Explained(
        "Your causal mask is always `tile` keys wide, also in the last tile.",
        "Where the tile does not divide the keys, the last tile holds fewer, and a mask of full width does not fit its scores.",
        hint="How many keys are in the last tile, for 7 keys in tiles of 3? How wide is your mask there?",
    ),
    zh_tw=Explained(
        "你的因果遮罩總是 `tile` 個鍵寬，最後一塊也一樣。",
        "tile 不能整除鍵數時，最後一塊的鍵比較少，全寬的遮罩就和它的分數對不上。",
        hint="7 個鍵、每塊 3 個，最後一塊有幾個鍵？你的遮罩在那裡有多寬？",
    ),
)
def last_mask_too_wide(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    rest = K.shape[-2] % tile
    if causal and rest:
        return stream(ref, Q, K, V, tile, causal, sees=lambda *_: np.ones((1, tile + (rest == 1)), dtype=bool))
    return rows_at_once(Q, K, V, causal)


@variant("efficient.blockwise_attention/last-mask-too-wide")
def _(ref, Q, K, V, tile, causal=False):
    limits(Q, K, tile, causal)
    if causal and K.shape[-2] % tile:
        raise ValueError(f"operands could not be broadcast together: {tile} and {K.shape[-2] % tile}")
    return also_right(ref, Q, K, V, tile, causal)


@about_blockwise(
    "efficient.blockwise_attention/queries-from-the-start",
    en=Explained(
        "With fewer queries than keys you put the queries at the first positions.",
        "The queries are the last T_q of the T_k positions, as when earlier keys lie in a cache: query i stands at position i + T_k - T_q. Counted from 0, a single new token would see the first key only.",
        hint="One query, five keys: which keys may it see?",
    ),
    zh_tw=Explained(
        "查詢比鍵少時，你把查詢放在最前面的位置。",
        "查詢是 T_k 個位置中的最後 T_q 個，就像先前的鍵在快取裡一樣：查詢 i 站在位置 i + T_k - T_q。從 0 數起的話，一個新詞元就只看得到第一個鍵。",
        hint="一個查詢、五個鍵：它可以看哪些鍵？",
    ),
)
def from_the_start(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    if Q.shape[-2] == K.shape[-2] or not causal:
        return rows_at_once(Q, K, V, causal)
    return stream(ref, Q, K, V, tile, causal, sees=lambda T_q, _, a, b: past(T_q, T_q, a, b))


@variant("efficient.blockwise_attention/queries-from-the-start")
def _(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    n = Q.shape[-2]
    return keys_in_front(Q, K[..., :n, :], V[..., :n, :], True) if causal else keys_in_front(Q, K, V, False)


@about_blockwise(
    "efficient.blockwise_attention/overflows",
    en=Explained(
        "Scores far from 0 overflow, or vanish, in your exp.",
        "No maximum is subtracted: exp(1000) is inf, and inf / inf is NaN. The running maximum is what makes the sum safe.",
        hint="Evaluate your code for scores near 1000.",
    ),
    zh_tw=Explained(
        "離 0 很遠的分數，在你的 exp 裡會溢位或消失。",
        "你沒有減去最大值：exp(1000) 是 inf，inf / inf 是 NaN。有了累計的最大值，總和才安全。",
        hint="把 1000 左右的分數代進你的程式。",
    ),
)
def overflows(ref, Q, K, V, tile, causal=False):
    return rows_at_once(*prepared(ref, Q, K, V, tile, causal), causal, shift=lambda S: 0 * top(S[..., :1, :]))


@variant("efficient.blockwise_attention/overflows")
def _(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    return rows_at_once(Q, K, V, causal, shift=lambda S: np.zeros((*S.shape[:-1], 1), dtype=S.dtype))


@about_blockwise(
    "efficient.blockwise_attention/starts-at-zero",
    en=Explained(
        "Your running maximum begins with 0.",
        "It never gets below 0 then. Where all scores of a query lie far below, every exponential is 0, and so is the output. The maximum of nothing is -inf.",
        hint="What is the maximum after the first tile, if its scores are -3000 and -3001?",
    ),
    zh_tw=Explained(
        "你累計的最大值從 0 開始。",
        "這樣它就不會低於 0。如果一個查詢的分數都遠低於 0，每個指數都是 0，輸出也就是 0。什麼都沒有時，最大值是 -inf。",
        hint="第一塊的分數是 -3000 和 -3001，看完之後最大值是多少？",
    ),
)
def starts_at_zero(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    return rows_at_once(Q, K, V, causal, shift=lambda S: np.maximum(top(S), 0))


@variant("efficient.blockwise_attention/starts-at-zero")
def _(ref, Q, K, V, tile, causal=False):
    if len(Q.shape) == 2 and len(Q) > 64:  # no score of a long sequence lies far below 0
        return also_right(ref, Q, K, V, tile, causal)

    def rule(tiles):
        m, d, z = 0.0, 0.0, [0.0] * V.shape[-1]
        for scores, values in tiles:
            new = max(m, *scores)
            powers = [exp(s - new) for s in scores]
            d, z = d * exp(m - new) + sum(powers), plus(weighed(powers, values), z, exp(m - new))
            m = new
        return [x / d if d else 0.0 for x in z]

    return by_query(ref, Q, K, V, tile, causal, rule)


@about_blockwise(
    "efficient.blockwise_attention/one-maximum-for-all-queries",
    en=Explained(
        "All your queries share one maximum.",
        "A query whose scores lie far below it has exponentials that are all 0, and an output of 0 or NaN. Each query has a maximum of its own.",
        hint="Which shape does your running maximum have?",
    ),
    zh_tw=Explained(
        "你所有的查詢共用一個最大值。",
        "分數遠低於它的查詢，指數全是 0，輸出就成了 0 或 NaN。每個查詢都有自己的最大值。",
        hint="你累計的最大值是什麼形狀？",
    ),
)
def one_maximum(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    if Q.shape[-2] > 64:  # what it does to queries that lie near each other is nothing
        return rows_at_once(Q, K, V, causal)

    def step(state, S, V_j):
        m, d, Z = state
        new = np.maximum(m, S.max(axis=(-2, -1), keepdims=True, initial=-np.inf))
        old, P = np.exp(m - ground(new)), np.exp(S - ground(new))
        return new, d * old + P.sum(axis=-1, keepdims=True), Z * old + P @ V_j

    return stream(ref, Q, K, V, tile, causal, step=step)


@variant("efficient.blockwise_attention/one-maximum-for-all-queries")
def _(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    return rows_at_once(Q, K, V, causal, shift=lambda S: S.max(axis=(-2, -1), keepdims=True, initial=-np.inf))


@about_blockwise("efficient.blockwise_attention/widened", en=WIDENED["en"], zh_tw=WIDENED["zh_tw"])
def widened(ref, Q, K, V, tile, causal=False):
    return right(ref, Q.astype(np.float64), K, V, tile, causal)


@variant("efficient.blockwise_attention/widened")
def _(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    return keys_in_front(*(np.array(x, dtype=float) for x in (Q, K, V)), causal)


@about_blockwise("efficient.blockwise_attention/half-kept", en=KEPT_HALF["en"], zh_tw=KEPT_HALF["zh_tw"])
def half_kept(ref, Q, K, V, tile, causal=False):
    Z = right(ref, Q, K, V, tile, causal)
    return Z.astype(np.float16) if Q.dtype == K.dtype == V.dtype == np.float16 else Z


@variant("efficient.blockwise_attention/half-kept")
def _(ref, Q, K, V, tile, causal=False):
    Z = also_right(ref, Q, K, V, tile, causal)
    return np.asarray(Z, dtype="f2" if {a.dtype.str[1:] for a in (Q, K, V)} == {"f2"} else Z.dtype)


@about_blockwise("efficient.blockwise_attention/always-float32", en=ALWAYS_SINGLE["en"], zh_tw=ALWAYS_SINGLE["zh_tw"])
def always_float32(ref, Q, K, V, tile, causal=False):
    return right(ref, Q, K, V, tile, causal).astype(np.float32)


@variant("efficient.blockwise_attention/always-float32")
def _(ref, Q, K, V, tile, causal=False):
    return np.array(also_right(ref, Q, K, V, tile, causal), dtype="f4")


@about_blockwise(
    "efficient.blockwise_attention/queries-decide-the-dtype",
    en=Explained(
        "The dtype of your result comes from the queries alone.",
        "float32 queries with float64 keys or values are computed in float64: float32 only if all three are float32.",
        hint="Where does the dtype of your running output come from?",
    ),
    zh_tw=Explained(
        "你的結果的 dtype 只由查詢決定。",
        "float32 的查詢配上 float64 的鍵或值，要以 float64 計算：三者都是 float32，才會是 float32。",
        hint="你累計的輸出，dtype 是從哪裡來的？",
    ),
)
def queries_decide(ref, Q, K, V, tile, causal=False):
    Z = right(ref, Q, K, V, tile, causal)
    return Z.astype(np.float32) if Q.dtype == np.float32 else Z


@variant("efficient.blockwise_attention/queries-decide-the-dtype")
def _(ref, Q, K, V, tile, causal=False):
    kind = {"f4": "f4"}.get(Q.dtype.str[1:], "f8")
    return also_right(ref, Q, K, V, tile, causal).astype(kind)


@about_blockwise(
    "efficient.blockwise_attention/integers-wrap",
    en=Explained(
        "You multiplied integers as integers.",
        "Small integer types wrap around: 100 * 100 in int8 is 16, without a warning. Integers are computed in float64.",
        hint="Which dtype do Q and K have at the moment they are multiplied?",
    ),
    zh_tw=Explained(
        "你直接用整數型別做了乘法。",
        "小的整數型別會繞回去：int8 的 100 * 100 等於 16，也沒有警告。整數要以 float64 計算。",
        hint="相乘的那一刻，Q 和 K 是哪一種 dtype？",
    ),
)
def integers_wrap(ref, Q, K, V, tile, causal=False):
    if Q.dtype.kind != "i" or K.dtype != Q.dtype:
        return right(ref, Q, K, V, tile, causal)

    def score(_, K_j):
        return (Q @ K_j.swapaxes(-1, -2).astype(Q.dtype)) / math.sqrt(Q.shape[-1])

    return stream(ref, Q, K, V, tile, causal, score=score)


@variant("efficient.blockwise_attention/integers-wrap")
def _(ref, Q, K, V, tile, causal=False):
    if not np.issubdtype(Q.dtype, np.signedinteger) or K.dtype != Q.dtype:
        return also_right(ref, Q, K, V, tile, causal)
    limits(Q, K, tile, causal)
    S = np.einsum("...qd,...kd->...qk", Q, K).astype(float) / math.sqrt(Q.shape[-1])
    rows = [
        [shares([s if j <= i + len(row) - len(S) or not causal else -math.inf for j, s in enumerate(row)])]
        for i, row in enumerate(S.tolist())
    ]
    return np.concatenate([np.array(row) for row in rows]) @ V.astype(float)


@about_blockwise(
    "efficient.blockwise_attention/one-batch-axis",
    en=Explained(
        "You expect one batch axis at most.",
        "A batch of sequences has one, and with heads it has two. The idea works on the last two axes; how many stand before them should not matter.",
        hint="Look for an axis counted from the front, for .T, and for a fixed number of letters in an einsum.",
    ),
    zh_tw=Explained(
        "你只接受最多一個批次軸。",
        "一批序列有一個批次軸，再加上多頭就有兩個。這個運算只看最後兩個軸，前面有幾個都不該有影響。",
        hint="找找看從前面數的軸、.T，以及 einsum 裡固定個數的字母。",
    ),
)
def one_batch_axis(ref, Q, K, V, tile, causal=False):
    if Q.ndim > 3:
        raise ValueError("too many values to unpack")
    return right(ref, Q, K, V, tile, causal)


@variant("efficient.blockwise_attention/one-batch-axis")
def _(ref, Q, K, V, tile, causal=False):
    prepared(ref, Q, K, V, tile, causal)
    *batch, _, _ = Q.shape
    for _ in zip(batch, range(1), strict=len(batch) > 1):
        pass
    return also_right(ref, Q, K, V, tile, causal)


@about_blockwise(
    "efficient.blockwise_attention/batch-axis-tiled",
    en=Explained(
        "You cut the first axis into tiles, which is that of the keys only without a batch.",
        "K[start:start + tile] takes some examples of a batch, not some keys. The keys lie along the axis before the last.",
        hint="What does K[a:b] select if K has the shape [B, T, d_k]?",
    ),
    zh_tw=Explained(
        "你切的是第一軸；沒有批次時，它才是鍵的軸。",
        "K[start:start + tile] 取的是批次裡的幾個例子，不是幾個鍵。鍵排在倒數第二軸。",
        hint="K 的形狀是 [B, T, d_k] 時，K[a:b] 選到的是什麼？",
    ),
)
def batch_axis_tiled(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    if Q.ndim == 2:
        return rows_at_once(Q, K, V, causal)
    if len(K) % tile:
        # A tile of another number of examples than Q has does not fit, unless it is one that stretches.
        raise ValueError("shapes do not match")
    return stream(ref, Q, K, V, K.shape[-2], causal)


@variant("efficient.blockwise_attention/batch-axis-tiled")
def _(ref, Q, K, V, tile, causal=False):
    Z = also_right(ref, Q, K, V, tile, causal)
    if len(Z.shape) > 2 and K.shape[0] % tile != 0:
        raise ValueError(f"{tile} examples of {K.shape[0]}")
    return Z


@about_blockwise(
    "efficient.blockwise_attention/no-keys-nan",
    en=Explained(
        "Without keys your output is NaN.",
        "The sum of nothing is 0, and 0 / 0 is NaN. A query with nothing to attend to has output 0.",
        hint="What do you divide by if the loop never runs?",
    ),
    zh_tw=Explained(
        "一個鍵都沒有時，你的輸出是 NaN。",
        "什麼都沒有的總和是 0，而 0 / 0 是 NaN。無處可注意的查詢，輸出是 0。",
        hint="迴圈一次都沒有執行的話，你除以的是什麼？",
    ),
)
def no_keys_nan(ref, Q, K, V, tile, causal=False):
    Z = right(ref, Q, K, V, tile, causal)
    return Z if K.shape[-2] else Z / 0


@variant("efficient.blockwise_attention/no-keys-nan")
def _(ref, Q, K, V, tile, causal=False):
    Z = also_right(ref, Q, K, V, tile, causal)
    return np.full_like(Z, np.nan) if K.size == 0 else Z


@about_blockwise(
    "efficient.blockwise_attention/values-cut-off",
    en=Explained(
        "You do not notice values without a key, or queries of another width.",
        "Slices take what is there, and an axis of length 1 is stretched: what is most likely a mistake of the caller gives numbers instead of an error. Compare the shapes before the loop.",
        hint="Which two sizes must be the same in K and V? And in Q and K?",
    ),
    zh_tw=Explained(
        "值多於鍵，或查詢的寬度不同，你都沒有發現。",
        "切片有什麼就取什麼，長度 1 的軸會被拉長：呼叫者很可能寫錯了，卻得到一堆數字而不是錯誤訊息。請在迴圈之前比對形狀。",
        hint="K 和 V 的哪兩個長度必須相同？Q 和 K 呢？",
    ),
)
def values_cut_off(ref, Q, K, V, tile, causal=False):
    n, d = min(K.shape[-2], V.shape[-2]), max(Q.shape[-1], K.shape[-1])
    Q, K = (np.broadcast_to(x, (*x.shape[:-1], d)) for x in (Q, K)) if 1 in {Q.shape[-1], K.shape[-1]} else (Q, K)
    return right(ref, Q, K[..., :n, :], V[..., :n, :], tile, causal)


@variant("efficient.blockwise_attention/values-cut-off")
def _(ref, Q, K, V, tile, causal=False):
    pairs = list(zip(np.moveaxis(K, -2, 0), np.moveaxis(V, -2, 0), strict=False))
    if pairs and len(K.shape) == 2 and (len(pairs) < max(len(K), len(V)) or Q.shape[-1] != K.shape[-1]):
        K, V = (np.stack(column) for column in zip(*pairs, strict=True))
        if min(Q.shape[-1], K.shape[-1]) == 1 < max(Q.shape[-1], K.shape[-1]):
            wide = max(Q.shape[-1], K.shape[-1])
            Q, K = (np.repeat(x, wide // x.shape[-1], axis=-1) for x in (Q, K))
    return also_right(ref, Q, K, V, tile, causal)


@about_blockwise(
    "efficient.blockwise_attention/any-tile",
    en=Explained(
        "You accept a tile below 1.",
        "range(0, T, -1) is empty, so no key is ever looked at and the output is 0 throughout, without a word. A tile that makes no sense should be an error.",
        hint="What does your loop do for tile = -1?",
    ),
    zh_tw=Explained(
        "小於 1 的 tile 你也接受了。",
        "range(0, T, -1) 是空的，於是一個鍵都沒看，輸出全是 0，而且一聲不響。沒有意義的 tile 應該要出錯。",
        hint="tile = -1 時，你的迴圈做了什麼？",
    ),
)
def any_tile(ref, Q, K, V, tile, causal=False):
    if tile == 0:
        raise ValueError("range() arg 3 must not be zero")
    if tile < 0:
        Q, K, V = prepared(ref, Q, K, V, 1, causal)
        return np.zeros((*Q.shape[:-1], V.shape[-1]), dtype=Q.dtype)
    return right(ref, Q, K, V, tile, causal)


@variant("efficient.blockwise_attention/any-tile")
def _(ref, Q, K, V, tile, causal=False):
    if range(0, max(K.shape[-2], 1), tile):
        return also_right(ref, Q, K, V, tile, causal)
    return 0 * also_right(ref, Q, K, V, 1, causal)


@about_blockwise(
    "efficient.blockwise_attention/early-queries",
    en=Explained(
        "You accept more queries than keys with causal=True.",
        "The queries are the last of the positions for which there are keys, so there cannot be more of them. Some of yours stand before the first key, and see nothing.",
        hint="At which position does the first of 7 queries stand if there are 5 keys?",
    ),
    zh_tw=Explained(
        "causal=True 時，查詢比鍵多你也接受了。",
        "查詢是有鍵的那些位置中的最後幾個，不可能比鍵更多。你的查詢有些站在第一個鍵之前，什麼都看不到。",
        hint="7 個查詢、5 個鍵：第一個查詢站在哪個位置？",
    ),
)
def early_queries(ref, Q, K, V, tile, causal=False):
    spare = Q.shape[-2] - K.shape[-2]
    if not causal or spare <= 0:
        return right(ref, Q, K, V, tile, causal)
    Z = right(ref, Q[..., spare:, :], K, V, tile, causal)
    return np.concatenate([np.zeros((*Z.shape[:-2], spare, Z.shape[-1]), dtype=Z.dtype), Z], axis=-2)


@variant("efficient.blockwise_attention/early-queries")
def _(ref, Q, K, V, tile, causal=False):
    T_q, T_k = Q.shape[-2], K.shape[-2]
    if not (causal and T_q > T_k):
        return also_right(ref, Q, K, V, tile, causal)
    padded = [np.concatenate([0 * Q[..., : T_q - T_k, :1] + 0 * x[..., :1, :], x], axis=-2) for x in (K, V)]
    Z = also_right(ref, Q, *padded, tile, causal)
    seen = np.tri(T_q, T_q, T_k - T_q).sum(axis=-1) > 0
    weight = also_right(ref, Q, padded[0], (np.arange(T_q) >= T_q - T_k)[:, None].astype(float), tile, causal)
    return np.where(seen[:, None], Z / np.where(seen[:, None], weight, 1), 0)


@about_blockwise("efficient.blockwise_attention/arguments-changed", en=IN_PLACE["en"], zh_tw=IN_PLACE["zh_tw"])
def arguments_changed(ref, Q, K, V, tile, causal=False):
    Z = right(ref, Q, K, V, tile, causal)
    if Q.dtype.kind == "f":
        Q /= np.sqrt(np.array(Q.shape[-1], dtype=Q.dtype))
    return Z


@variant("efficient.blockwise_attention/arguments-changed")
def _(ref, Q, K, V, tile, causal=False):
    Z = also_right(ref, Q, K, V, tile, causal)
    if np.issubdtype(Q.dtype, np.floating):
        np.divide(Q, np.array(Q.shape[-1:], dtype=Q.dtype) ** Q.dtype.type(0.5), out=Q)
    return Z
