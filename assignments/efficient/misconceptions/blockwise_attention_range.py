"""What goes wrong in the exercise efficient.blockwise_attention: scores a long way from 0."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

from __future__ import annotations

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    about_blockwise,
    also_right,
    by_query,
    exp,
    ground,
    plus,
    prepared,
    rows_at_once,
    stream,
    top,
    weighed,
)


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
