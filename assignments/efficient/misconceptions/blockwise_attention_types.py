"""What goes wrong in the exercise efficient.blockwise_attention: dtypes."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    ALWAYS_SINGLE,
    KEPT_HALF,
    WIDENED,
    about_blockwise,
    also_right,
    keys_in_front,
    limits,
    prepared,
    right,
    shares,
    stream,
)


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
