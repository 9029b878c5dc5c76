"""What goes wrong in the exercise efficient.blockwise_attention: which scores are summed, and how they are scaled."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    about_blockwise,
    by_query,
    ground,
    past,
    prepared,
    right_output,
    scaled,
    shares,
    stream,
    top,
    weighed,
)


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
