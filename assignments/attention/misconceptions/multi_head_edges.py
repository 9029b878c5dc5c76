"""Multi-head attention with values and dtypes that do not go together."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

from __future__ import annotations

import numpy as np

from grader.testing import Explained, variant
from misconceptions.multi_head import cut, head_by_head, in_heads, joined, require_heads
from misconceptions.shared import about_multi_head, floats_of
from misconceptions.steps import causal as causal_mask

ANY_VALUES = "... T d_in, d_in d, d_in d, d_in d_v, d_v d_out"


@about_multi_head(
    "attention.multi_head/values-of-another-width",
    en=Explained(
        "You accept a W_v of another width than W_q.",
        "attention itself can gather values of any width, so no error comes by itself. Here all three matrices are [d_in, n_head * d_head]: one that is not was "
        "meant for another model, and should be refused.",
        hint="Which of the three widths do you compare? The given require_shapes can ask for all.",
    ),
    zh_tw=Explained(
        "W_v 的寬度和 W_q 不同，你也接受了。",
        "attention 本身可以收集任何寬度的值，所以不會自己出錯。這裡三個矩陣都是 [d_in, n_head * d_head]：不是的話，就是別的模型的，應該拒絕。",
        hint="三個寬度裡，你比較了哪幾個？現成的 require_shapes 可以一起檢查。",
    ),
)
def any_values(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    X, W_q, W_k, W_v, W_o = floats_of(ref, ANY_VALUES, X, W_q, W_k, W_v, W_o)
    for W in (W_q, W_v):
        require_heads(W.shape[1], n_head)
    mask = causal_mask(X.shape[-2]) if causal else None
    return joined(ref.attention(*(cut(X @ W, n_head) for W in (W_q, W_k, W_v)), mask)) @ W_o


@variant("attention.multi_head/values-of-another-width")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    X, *matrices, W_o = floats_of(ref, ANY_VALUES, X, W_q, W_k, W_v, W_o)
    require_heads(matrices[0].shape[1], n_head)
    require_heads(len(W_o), n_head)
    mask = causal_mask(X.shape[-2]) if causal else None
    heads = zip(*(np.split(X @ W, n_head, axis=-1) for W in matrices), strict=True)
    return np.concatenate([ref.attention(*head, mask) for head in heads], axis=-1) @ W_o


@about_multi_head(
    "attention.multi_head/dtype-of-x",
    en=Explained(
        "You take the dtype from X alone.",
        "float32 tokens with float64 matrices are then computed in float32, and half the digits of the matrices are thrown away. float32 is for the case that all of them are.",
        hint="Call it with X in float32 and the rest in float64. What is the dtype of the result?",
    ),
    zh_tw=Explained(
        "你只看 X 的 dtype。",
        "這樣，float32 的詞元配上 float64 的矩陣會以 float32 計算，矩陣的位數丟了一半。全部都是 float32 時才用 float32。",
        hint="X 用 float32、其餘用 float64 呼叫看看。結果的 dtype 是什麼？",
    ),
)
def dtype_of_x(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    matrices = [W.astype(np.float32) if X.dtype == np.float32 else W for W in (W_q, W_k, W_v, W_o)]
    return in_heads(ref, (X, *matrices), n_head, causal)


@variant("attention.multi_head/dtype-of-x")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    out = head_by_head(ref, (X, W_q, W_k, W_v, W_o), n_head, causal)
    return np.float32(out) if X.dtype == np.float32 else out
