"""What goes wrong in the exercise attention.multi_head where slices are cut and put together by hand."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

from __future__ import annotations

import numpy as np

from grader.testing import Explained, variant
from misconceptions.multi_head import comb, head_by_head, in_heads
from misconceptions.shared import about_multi_head


@about_multi_head(
    "attention.multi_head/strided-and-concatenated",
    en=Explained(
        "The columns are dealt out to the heads in turn, and their outputs are laid side by side.",
        "Your head h has the columns h, h + n_head, h + 2 n_head, ..., a slice with a step; it should have d_head columns "
        "that lie side by side.",
        hint="Which columns of W_q belong to head 1? Write the slice for n_head = 2 and four columns.",
    ),
    zh_tw=Explained(
        "你把各直行輪流發給各頭，再把輸出並排。",
        "你的頭 h 拿到第 h、h + n_head、h + 2 n_head……個直行，也就是有間隔的切片；它應該拿到相鄰的 d_head 個直行。",
        hint="W_q 的哪幾個直行屬於頭 1？設 n_head = 2、四個直行，把切片寫出來。",
    ),
)
def strided(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    def split(P, count):
        return np.moveaxis(P.reshape(*P.shape[:-1], -1, count), -1, -3)

    return in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, split=split)


@variant("attention.multi_head/strided-and-concatenated")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return head_by_head(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, take=comb)


@about_multi_head(
    "attention.multi_head/heads-added",
    en=Explained(
        "You add the outputs of the heads instead of laying them side by side.",
        "Then d_head columns are left where W_o expects n_head times as many, and nobody can tell any more which head said what. Only with one head it makes no difference.",
        hint="Which shape has the result before W_o, and how many rows has W_o?",
    ),
    zh_tw=Explained(
        "你把各頭的輸出相加，而不是並排。",
        "這樣只剩 d_head 個直行，W_o 要的卻是 n_head 倍，也分不出哪個頭說了什麼。只有一個頭時才沒有差別。",
        hint="乘上 W_o 之前，結果的形狀是什麼？W_o 有幾個橫列？",
    ),
)
def added(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, merge=lambda Z: Z.sum(axis=-3))


@variant("attention.multi_head/heads-added")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    if n_head > 1 and W_v.shape[-1] % n_head == 0:
        raise ValueError(f"{W_v.shape[-1] // n_head} columns meet {len(W_o)} rows")
    return head_by_head(ref, (X, W_q, W_k, W_v, W_o), n_head, causal)
