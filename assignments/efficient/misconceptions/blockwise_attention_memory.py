"""What goes wrong in the exercise efficient.blockwise_attention: what is right, but too large."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

from __future__ import annotations

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    about_blockwise,
    also_right,
    cuts,
    ground,
    keys_in_front,
    past,
    prepared,
    rows_at_once,
    scaled,
    take_memory,
    top,
)

WIDE = "float32 comes in, and T x tile numbers of it fit a dozen times into the memory allowed here; in float64 half as often, and a T x T mask of floats not at all. Nothing in the code needs to say float64: np.sqrt(d_k) is one, np.full, np.zeros, np.ones and np.tri give it unless told otherwise, and whatever meets it becomes float64 as well."
WIDE_ZH = "進來的是 float32，T x tile 個 float32 在這裡允許的記憶體裡放得下十幾份；換成 float64 只放得下一半，而由浮點數組成的 T x T 遮罩連一份也放不下。程式裡不必出現 float64 這個字：np.sqrt(d_k) 就是，np.full、np.zeros、np.ones、np.tri 若不另外指定也都是，碰到它的東西全都會變成 float64。"
WIDE_HINT = "Print the dtype of the scores, the factor, P and m, d and Z in the second tile. Which is the first that is not float32?"
WIDE_HINT_ZH = "把第二塊裡的分數、因子、P，以及 m、d、Z 的 dtype 印出來。第一個不是 float32 的是哪一個？"


def take_tiles_in_float64(Q, K, tile):
    """Raise what a worker raises where float32 came in and the T x tile arrays of a step, made float64, no longer fit."""
    if Q.dtype == np.float32:
        take_memory(8, *Q.shape[:-1], min(tile, K.shape[-2]), itemsize=8)


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
    en=Explained(
        "You built the T x T causal mask.",
        "The scores come tile by tile, but the mask for all queries and all keys is a T x T matrix too, and even as booleans it takes 64 MiB for 8192 tokens. A tile needs only its own part, which follows from the positions of its keys, and without causal=True it needs none.",
        hint="Which keys are in the tile that begins at `start`, and at which positions do the queries stand?",
    ),
    zh_tw=Explained(
        "你建立了 T x T 的因果遮罩。",
        "分數是一塊一塊算的，但所有查詢對所有鍵的遮罩也是 T x T 矩陣；就算是布林，8192 個詞元也要 64 MiB。一塊只需要它自己的那部分，由鍵的位置就能決定；沒有 causal=True 時則完全不需要。",
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
    "efficient.blockwise_attention/float64-kept",
    en=Explained(
        "Something in your function is float64, and does not fit.",
        f"{WIDE} That the result is float32 in the end does not help.",
        hint=WIDE_HINT,
    ),
    zh_tw=Explained(
        "你的函式裡有東西是 float64，放不下。",
        f"{WIDE_ZH}最後結果是 float32 也沒有用。",
        hint=WIDE_HINT_ZH,
    ),
)
def float64_kept(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    take_tiles_in_float64(Q, K, tile)
    return rows_at_once(Q, K, V, causal)


@variant("efficient.blockwise_attention/float64-kept")
def _(ref, Q, K, V, tile, causal=False):
    ref.require_shapes("... n d", Q)
    take_tiles_in_float64(Q, K, tile)
    return also_right(ref, Q, K, V, tile, causal)


@about_blockwise(
    "efficient.blockwise_attention/float64-kept-and-returned",
    en=Explained(
        "Something in your function is float64 and does not fit, and so is your result.",
        f"{WIDE} The result then is float64 where float32 was to go out.",
        hint=WIDE_HINT,
    ),
    zh_tw=Explained(
        "你的函式裡有東西是 float64，放不下；結果也成了 float64。",
        f"{WIDE_ZH}結果也就成了 float64，而規則是 float32 進、float32 出。",
        hint=WIDE_HINT_ZH,
    ),
)
def float64_kept_and_returned(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    take_tiles_in_float64(Q, K, tile)
    return rows_at_once(Q.astype(np.float64), K, V, causal)


@variant("efficient.blockwise_attention/float64-kept-and-returned")
def _(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    take_tiles_in_float64(Q, K, tile)
    return keys_in_front(*(np.array(x, dtype=float) for x in (Q, K, V)), causal)
