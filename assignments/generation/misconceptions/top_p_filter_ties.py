"""Equal logits, and sums that rounding makes equal, in the exercise generation.top_p_filter."""

from __future__ import annotations

import math

import torch

from grader.testing import Explained, variant
from misconceptions.shared import by_row, hidden, powers, ranked, refuse
from misconceptions.top_p_filter import about, checked, nucleus, softmax


@about(
    "generation.top_p_filter/cut-off-at-1",
    en=Explained(
        "With p = 1 you cut off the least probable tokens.",
        "A sum of probabilities is rounded: where one token is nearly sure it is 1 already before the others, which stay only if it is less than 1. At p = 1 nothing has to be added up.",
        hint="Filter the logits 60, 0, 1 with p = 1. Is 1 - 1e-26 less than 1 in floating point?",
    ),
    zh_tw=Explained(
        "p = 1 時，你把機率最小的詞元去掉了。",
        "機率的總和會捨入：有一個詞元幾乎確定時，其他詞元之前的總和已經是 1，而總和要小於 1 才會留下。p = 1 時根本不必累加。",
        hint="用 p = 1 過濾 logits 60、0、1。在浮點數裡，1 - 1e-26 小於 1 嗎？",
    ),
)
def cut_off_at_1(ref, logits, p):
    refuse(not 0 < p <= 1)
    probs, order = powers(logits).sort(dim=-1, descending=True, stable=True)
    kept = torch.zeros_like(logits, dtype=torch.bool).scatter(-1, order, probs.cumsum(dim=-1) - probs < p)
    return logits.masked_fill(~kept, -math.inf)


@variant("generation.top_p_filter/cut-off-at-1")
def _(ref, logits, p):
    refuse(not 0 < p <= 1)

    def rule(row):
        order = ranked(row)
        return hidden(row, order[: nucleus(softmax([row[token] for token in order]), p)])

    return by_row(logits, rule)


@about(
    "generation.top_p_filter/last-of-equals",
    en=Explained(
        "Of equal logits you keep the last ones.",
        "An ascending sort that is read backwards turns the order of equals round, and one that is not stable leaves it to chance: the same logits then have another nucleus on another machine.",
        hint="torch.sort has the arguments `descending` and `stable`. What stays of 40 equal logits with p = 0.11?",
    ),
    zh_tw=Explained(
        "logits 相等時，你留下的是後面的。",
        "由小到大排序再倒著讀，相等者的順序就反了；不穩定的排序則由不得你：同樣的 logits，換一台機器，核就不同。",
        hint="torch.sort 有引數 `descending` 和 `stable`。40 個相等的 logits，p = 0.11，會留下哪些？",
    ),
)
@checked
def last_of_equals(logits, p):
    order = logits.argsort(dim=-1, stable=True).flip(-1)
    probs = powers(logits).gather(-1, order)
    kept = torch.zeros_like(logits, dtype=torch.bool).scatter(-1, order, probs.cumsum(dim=-1) - probs < p)
    return logits.masked_fill(~kept, -math.inf)


@variant("generation.top_p_filter/last-of-equals")
@checked
def _(logits, p):
    def rule(row):
        order = sorted(range(len(row)), key=lambda token: row[token])[::-1]
        return hidden(row, order[: nucleus(softmax([row[token] for token in order]), p)])

    return by_row(logits, rule)


@about(
    "generation.top_p_filter/all-that-tie",
    en=Explained(
        "Of equal logits you keep all, where only some are needed.",
        "The smallest logit of the nucleus, taken as a threshold, lets everything pass that ties with it: the nucleus has more than it needs. It is tokens that stay here, by their place in the order, and of equal ones the first.",
        hint="40 equal logits and p = 0.11: how many tokens have a probability of 0.11 together?",
    ),
    zh_tw=Explained(
        "logits 相等時，只需要其中幾個，你卻全部留下。",
        "把核裡最小的 logit 當成門檻，和它一樣大的就都會通過：核就比需要的大。這裡留下的是詞元，看的是它在順序裡的位置；相等的，留下前面的。",
        hint="40 個相等的 logits，p = 0.11：幾個詞元合起來的機率是 0.11？",
    ),
)
@checked
def all_that_tie(logits, p):
    ordered = logits.sort(dim=-1, descending=True).values
    probs = powers(ordered)
    n = (probs.cumsum(dim=-1) - probs < p).sum(dim=-1, keepdim=True)
    return logits.masked_fill(logits < ordered.gather(-1, n - 1), -math.inf)


@variant("generation.top_p_filter/all-that-tie")
@checked
def _(logits, p):
    def rule(row):
        ordered = sorted(row, reverse=True)
        least = ordered[nucleus(softmax(ordered), p) - 1]
        return [x if x >= least else -math.inf for x in row]

    return by_row(logits, rule)
