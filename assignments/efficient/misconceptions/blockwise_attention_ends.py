"""What goes wrong in the exercise efficient.blockwise_attention: keys that the tiles do not divide."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

from __future__ import annotations

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    about_blockwise,
    also_right,
    by_query,
    cuts,
    flat,
    limits,
    past,
    prepared,
    right_output,
    rows_at_once,
    shares,
    stream,
    take,
    weighed,
)


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
