"""The numbers of the handout of `interpret`, each computed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import pytest
import torch

import interpret as ref
from grader.score.rubric import CORE_SHARE
from tests.handouts.claims import rows, struck, told
from tests.handouts.page import page

EN = page("interpret", "en")


def tensor(numbers) -> torch.Tensor:
    return torch.tensor(numbers, dtype=torch.float64)


def row(numbers: torch.Tensor) -> str:
    """A list as the handout has it: to one place, and whole numbers whole."""
    return rows(numbers.numpy(), 1)


def rollout() -> Iterator[str]:
    first, last = tensor([[1, 0, 0], [1, 0, 0], [0, 0, 1]]), tensor([[1, 0, 0], [0, 1, 0], [0, 1, 0]])
    yield "Three tokens and two layers of one head. The first layer brings token 0 to position 1"
    yield "the last brings position 1 to position 2"
    for name, layer in (("first", first), ("last", last)):
        yield f"| {name} | {row(layer)} | {row(ref.rollout(layer[None, None]))} |"
    right, wrong = (ref.rollout(torch.stack(order)[:, None]) for order in ((first, last), (last, first)))
    assert right[2, 0] == 1 / 4
    assert first[2, 0] == last[2, 0] == wrong[2, 0] == 0
    shown = rows(right.numpy(), 2).replace(".50", ".5")
    yield f"Last times first is {shown}: a quarter of position 2 comes from token 0, on which position 2 has"
    yield f"First times last has {row(wrong[2])} in its last row"


def agreement() -> Iterator[str]:
    weights, effects = tensor([0.5, 0.2, 0.2, 0.1]), tensor([-2, 0.5, -1, 1.5])
    a, b = tensor([4, 2.5, 2.5, 1]), tensor([1, 3, 2, 4])
    yield f"Weights {row(weights)} have the ranks {row(a)}, effects {row(effects)} the ranks {row(b)}"
    assert a.mean() == b.mean()
    yield f"Without their mean {told(float(a.mean()), 1)} they are {row(a - a.mean())} and {row(b - b.mean())}"
    a, b = a - a.mean(), b - b.mean()
    rho = ref.agreement(weights, effects)
    assert rho == pytest.approx(float(a @ b / (a.norm() * b.norm())))
    sums = [told(float(x), 1) for x in (a @ b, a @ a, b @ b)]
    yield f"the correlation is {sums[0]} / √({sums[1]} · {sums[2]}) = {told(rho)}"


def other_weights() -> Iterator[str]:
    values, a, n = tensor([[0], [1], [2]]), tensor([0.2, 0.6, 0.2]), tensor([1, -2, 1])
    yield "Three keys with the values 0, 1, 2"
    yield f"and weights {row(a)}: the output is {told(float(a @ values))}"
    assert n.sum() == 0
    assert n @ values == 0
    yield f"The direction n = {row(n)} has the sum 0 and n V = 0"
    moved = a + 0.2 * n
    assert float(moved @ values) == pytest.approx(float(a @ values))
    yield f"With ε = .2 the weights are {row(moved)}, and the output is 1"
    least, most = (
        max(-x / y for x, y in zip(a, n, strict=True) if y > 0),
        min(-x / y for x, y in zip(a, n, strict=True) if y < 0),
    )
    yield f"do all weights stay at least 0? ({told(float(least), 1)} and {told(float(most), 1)}.)"


def proof() -> Iterator[str]:
    """What the proof says of a matrix, for one of no special kind; and of GPT-2."""
    T_k, d_v = 7, 3
    M = torch.cat([torch.randn(T_k, d_v, generator=torch.Generator().manual_seed(0)), torch.ones(T_k, 1)], dim=1)
    assert torch.linalg.matrix_rank(M) == d_v + 1
    yield "(a' - a) = 0"
    yield "has d_v + 1 columns, so its rank is at most d_v + 1"
    yield "The n with n = 0"
    yield "So if T_k > d_v + 1, there is one that is not 0"
    yield "It has the sum 0"
    yield "a' = a + ε n with n V = 0 and n · 1 = 0"
    gpt2 = 768 // 12
    with pytest.raises(ValueError, match="no change of weights"):
        ref.same_output_weights(torch.full((1, gpt2 + 1), 1 / (gpt2 + 1)), torch.eye(gpt2 + 1)[:, :gpt2])
    assert ref.same_output_weights(torch.full((1, gpt2 + 2), 1 / (gpt2 + 2)), torch.eye(gpt2 + 2)[:, :gpt2]).numel()
    yield f"A head of GPT-2 has d_v = {gpt2}: it is so in every text from {gpt2 + 2} tokens on"


def tasks() -> Iterator[str]:
    """What sets a task, a rule or a source."""
    yield from (
        "Abnar and Zuidema 2020",
        "Jain and Wallace 2019",
        "Serrano and Smith 2019",
        "Wiegreffe and Pinter 2019",
        "Brunner et al. 2020",
        "what the GPT-2 of this course has too",
        f"The points add to {sum(section.points for section in EN.sections):.0f}",
        "at least 0, with rows that sum to 1; in every row some weight differs from A's by more than 1e-6",
        "cannot change by more than 1e-6 along your n, for one of them would be below 0 before",
        "n · 1 the sum of n",
        "Layers and heads are counted from 0",
        "Do the rows sum to 1?",
        f"{100 * CORE_SHARE} % of its points",
        f"The other {100 - 100 * CORE_SHARE} %",
    )


TOPICS = [rollout, agreement, other_weights, proof, tasks]


@pytest.mark.parametrize("topic", TOPICS)
def test_the_handout_says_what_was_computed(topic: Callable[[], Iterator[str]]) -> None:
    missing, _ = struck(EN, topic())
    assert missing == []


def test_no_other_number_stands_in_the_handout() -> None:
    _, left = struck(EN, itertools.chain.from_iterable(topic() for topic in TOPICS))
    assert left == []


def test_the_exercises_take_the_time_that_the_handout_allows() -> None:
    assert "about three hours and ten minutes" in EN.text
    assert sum(section.minutes for section in EN.sections) == 190
