"""What is compared with the largest at temperature 0, in the exercise generation.temperature_probs."""

from __future__ import annotations

import torch

from grader.testing import Explained, variant
from misconceptions.shared import powers
from misconceptions.temperature_probs import about, checked


def divided(logits, T):
    return (logits / T).softmax(dim=-1)


def multiplied_out(logits, T):
    return powers(logits, 1 / T)


about(
    "generation.temperature_probs/zero-all-of-the-largest",
    en=Explained(
        "At temperature 0 every one of the largest logits has probability 1.",
        "A comparison with the maximum is true wherever the maximum stands. Where two are equal the probabilities then sum to 2: the first one has it all, and the others nothing.",
        hint="What do your probabilities of [2, 2, 1] at temperature 0 sum to?",
    ),
    zh_tw=Explained(
        "溫度 0 時，每個並列最大的 logit 都拿到機率 1。",
        "和最大值比較，凡是等於最大值的地方都成立。有兩個相等時，機率的總和就是 2：應該第一個全拿，其他的什麼都沒有。",
        hint="溫度 0 時，你對 [2, 2, 1] 給的機率總和是多少？",
    ),
)(checked(divided, at_zero=lambda logits: (logits == logits.amax(dim=-1, keepdim=True)).to(logits.dtype)))
variant("generation.temperature_probs/zero-all-of-the-largest")(
    checked(
        multiplied_out,
        at_zero=lambda logits: torch.zeros_like(logits).masked_fill(logits >= logits.max(-1, True).values, 1.0),
    )
)

about(
    "generation.temperature_probs/zero-largest-of-the-batch",
    en=Explained(
        "At temperature 0 only the largest logit of the whole batch has probability 1.",
        "`logits.max()` is one number for all rows. Each row has a largest of its own, and without it a row of probabilities is all 0.",
        hint="What does each row of your probabilities sum to, for two rows at temperature 0?",
    ),
    zh_tw=Explained(
        "溫度 0 時，只有整個批次裡最大的 logit 拿到機率 1。",
        "`logits.max()` 對所有橫列只給一個數。每個橫列有自己的最大值，少了它，一個橫列的機率就全是 0。",
        hint="兩個橫列、溫度 0 時，你的機率每個橫列總和是多少？",
    ),
)(checked(divided, at_zero=lambda logits: (logits == logits.max()).to(logits.dtype)))
variant("generation.temperature_probs/zero-largest-of-the-batch")(
    checked(multiplied_out, at_zero=lambda logits: logits.ge(logits.flatten().sort().values[-1]).type_as(logits))
)
