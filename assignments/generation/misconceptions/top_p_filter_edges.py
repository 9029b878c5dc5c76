"""Axes, limits, dtypes and gradients of the exercise generation.top_p_filter."""

from __future__ import annotations

import math
from functools import partial

import torch

from grader.testing import Explained, variant
from misconceptions.shared import (
    DETACHED,
    FILL_NEAR_ZERO,
    IN_PLACE,
    SECOND_AXIS,
    WHOLE_BATCH,
    WIDENED,
    by_row,
    hidden,
    powers,
    ranked,
    refuse,
)
from misconceptions.top_p_filter import about, checked, listed, masked, nucleus, softmax


@about("generation.top_p_filter/whole-batch", **WHOLE_BATCH)
@checked
def whole_batch(logits, p):
    flat = logits.reshape(-1)
    order = flat.argsort(descending=True, stable=True)
    probs = powers(flat)[order]
    kept = torch.zeros_like(flat, dtype=torch.bool).scatter(-1, order, probs.cumsum(0) - probs < p)
    return flat.masked_fill(~kept, -math.inf).reshape(logits.shape)


@variant("generation.top_p_filter/whole-batch")
@checked
def _(logits, p):
    row = logits.reshape(-1).tolist()
    order = ranked(row)
    kept = order[: nucleus(softmax([row[token] for token in order]), p)]
    gone = [token not in kept for token in range(len(row))]
    return logits.masked_fill(torch.tensor(gone).reshape(logits.shape), -math.inf)


about("generation.top_p_filter/fill-near-zero", **FILL_NEAR_ZERO)(
    masked(lambda probs, sums, p: sums - probs < p, fill=1e-10)
)
variant("generation.top_p_filter/fill-near-zero")(listed(nucleus, fill=0.0))


@about(
    "generation.top_p_filter/probabilities",
    en=Explained(
        "You return probabilities.",
        "A filter gives back logits, so that the softmax can go on from there. Taken for logits, probabilities are all but equal.",
        hint="Are the numbers that stay the ones that you were given?",
    ),
    zh_tw=Explained(
        "你回傳的是機率。",
        "過濾器要回傳 logits，讓 softmax 接著做。把機率當成 logits，大家就幾乎一樣大。",
        hint="留下的數和你收到的一樣嗎？",
    ),
)
def probabilities(ref, logits, p):
    return powers(masked(lambda probs, sums, p: sums - probs < p)(ref, logits, p))


@variant("generation.top_p_filter/probabilities")
def _(ref, logits, p):
    return listed(nucleus)(ref, logits, p).softmax(dim=-1)


@about(
    "generation.top_p_filter/range-accepted",
    en=Explained(
        "You accept a p that is out of range.",
        "A probability of 0 asks for no token at all, and none is more than 1. Both are slips of whoever calls you, and should not pass in silence.",
        hint="What is checked before you sort?",
    ),
    zh_tw=Explained(
        "你接受了超出範圍的 p。",
        "p 為 0 等於一個詞元都不要，而機率不會大於 1。兩者都是呼叫的人弄錯了，不該默默放過。",
        hint="排序之前你檢查了什麼？",
    ),
)
def range_accepted(ref, logits, p):
    order = logits.argsort(dim=-1, descending=True, stable=True)
    probs = powers(logits).gather(-1, order)
    kept = torch.zeros_like(logits, dtype=torch.bool).scatter(-1, order, probs.cumsum(dim=-1) - probs < p)
    return logits.masked_fill(~(kept | (p >= 1)), -math.inf)


@variant("generation.top_p_filter/range-accepted")
def _(ref, logits, p):
    if p >= 1:
        return logits + 0.0
    probs, order = logits.softmax(dim=-1).sort(dim=-1, descending=True, stable=True)
    gone = torch.cat([torch.zeros_like(probs[..., :1]), probs.cumsum(dim=-1)[..., :-1]], dim=-1) >= p
    return torch.where(gone.gather(-1, order.argsort(dim=-1)), -math.inf, logits)


def unless_one(rule):
    def function(ref, logits, p):
        refuse(not 0 < p < 1)
        return rule(ref, logits, p)

    return function


about(
    "generation.top_p_filter/one-refused",
    en=Explained(
        "You refuse p = 1.",
        "It is the largest probability that there is, and leaves everything as it was.",
        hint="Is it `<` or `<=` in your check?",
    ),
    zh_tw=Explained(
        "你拒絕了 p = 1。",
        "它是最大的機率，表示全部照舊。",
        hint="你檢查的是 `<` 還是 `<=`？",
    ),
)(unless_one(masked(lambda probs, sums, p: sums - probs < p)))


@variant("generation.top_p_filter/one-refused")
def _(ref, logits, p):
    if p <= 0 or p >= 1:
        raise ValueError("p lies between 0 and 1")
    probs, order = logits.softmax(dim=-1).sort(dim=-1, descending=True, stable=True)
    gone = torch.cat([torch.zeros_like(probs[..., :1]), probs.cumsum(dim=-1)[..., :-1]], dim=-1) >= p
    return torch.where(gone.gather(-1, order.argsort(dim=-1)), -math.inf, logits)


@about("generation.top_p_filter/widened", **WIDENED)
def widened(ref, logits, p):
    return ref.originals.top_p_filter(logits, p).double()


@variant("generation.top_p_filter/widened")
def _(ref, logits, p):
    return logits.double() if p == 1 else masked(lambda probs, sums, p: sums - probs < p)(ref, logits.double(), p)


@about("generation.top_p_filter/no-gradient", **DETACHED)
def no_gradient(ref, logits, p):
    return ref.originals.top_p_filter(logits.detach(), p)


@variant("generation.top_p_filter/no-gradient")
def _(ref, logits, p):
    refuse(not 0 < p <= 1)
    count = len if p == 1 else partial(nucleus, p=p)

    def rule(row):
        order = ranked(row)
        return hidden([x.item() for x in row], order[: count(softmax([row[token] for token in order]))])

    return by_row(logits, rule)


@about("generation.top_p_filter/in-place", **IN_PLACE)
@checked
def in_place(logits, p):
    order = logits.argsort(dim=-1, descending=True, stable=True)
    with torch.no_grad():
        probs = powers(logits).gather(-1, order)
        kept = torch.zeros_like(logits, dtype=torch.bool).scatter(-1, order, probs.cumsum(dim=-1) - probs < p)
        logits[~kept] = -math.inf
    return logits


@variant("generation.top_p_filter/in-place")
@checked
def _(logits, p):
    with torch.no_grad():
        logits.copy_(
            by_row(logits, lambda row: hidden(row, ranked(row)[: nucleus(softmax(sorted(row, reverse=True)), p)]))
        )
    return logits.clone()


@about("generation.top_p_filter/second-axis", **SECOND_AXIS)
@checked
def second_axis(logits, p):
    order = logits.argsort(dim=1, descending=True, stable=True)
    probs = logits.softmax(dim=1).gather(1, order)
    kept = torch.zeros_like(logits, dtype=torch.bool).scatter(1, order, probs.cumsum(dim=1) - probs < p)
    return logits.masked_fill(~kept, -math.inf)


@variant("generation.top_p_filter/second-axis")
@checked
def _(logits, p):
    turned = logits.transpose(1, -1)
    return by_row(
        turned, lambda row: hidden(row, ranked(row)[: nucleus([softmax(row)[i] for i in ranked(row)], p)])
    ).transpose(1, -1)


@about(
    "generation.top_p_filter/first-not-kept",
    en=Explained(
        "Where the most probable token alone has more than p, nothing stays.",
        "You move the mask on by one, so that the token that crosses p stays, but leave the first entry as it was. It must always be kept: one token has to be left to draw.",
        hint="Probabilities 0.6, 0.3, 0.1 and p = 0.5: how many tokens stay?",
    ),
    zh_tw=Explained(
        "最可能的詞元自己就超過 p 時，你什麼也沒留下。",
        "你把遮罩往後移一格，讓跨過 p 的那個詞元留下，第一格卻沒有改。第一個一定要保留：至少要有一個詞元可以抽。",
        hint="機率是 0.6、0.3、0.1，p = 0.5 時，會留下幾個詞元？",
    ),
)
@checked
def first_not_kept(logits, p):
    order = logits.argsort(dim=-1, descending=True, stable=True)
    gone = powers(logits).gather(-1, order).cumsum(dim=-1) > p
    gone[..., 1:] = gone[..., :-1].clone()
    return logits.masked_fill(torch.zeros_like(gone).scatter(-1, order, gone), -math.inf)


def _unless_first_is_enough(probs, p):
    return 0 if probs[0] > p else nucleus(probs, p)


variant("generation.top_p_filter/first-not-kept")(listed(_unless_first_is_enough))
