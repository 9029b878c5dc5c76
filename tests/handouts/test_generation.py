"""The numbers of the handout of `generation`, each computed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import pytest
import torch

import generation as ref
from grader.score.rubric import CORE_SHARE
from tests.handouts.claims import struck
from tests.handouts.page import page

EN = page("generation", "en")
WEIGHTS = [4, 3, 2, 1]
LOGITS = torch.tensor(WEIGHTS, dtype=torch.float64).log()


def told(numbers) -> str:
    """Numbers as the handout has them: to three places, without noughts at the end; what is gone is left out."""
    return ", ".join(f"{number:.3f}".rstrip("0").rstrip(".") for number in numbers if number > 0)


def kept(filtered) -> tuple[str, str]:
    return told(filtered.exp().tolist()), told(filtered.softmax(dim=-1).tolist())


def by_hand() -> Iterator[str]:
    yield f"the logits ln [{told(WEIGHTS)}], shape {list(LOGITS.shape)}"
    for temperature, name in ((1.0, "1"), (0.5, "0.5")):
        weights = (LOGITS / temperature).exp().tolist()
        yield f"| temperature {name} | {told(weights)} | {told(ref.temperature_probs(LOGITS, temperature).tolist())} |"
    yield "| top-k with k = 2 | {} | {} |".format(*kept(ref.top_k_filter(LOGITS, 2)))
    yield "| top-p with p = 0.8 | {} | {} |".format(*kept(ref.top_p_filter(LOGITS, 0.8)))
    probs = LOGITS.softmax(dim=-1)
    zero, first, second, third = (probs.cumsum(dim=-1) - probs).tolist()
    yield f"there are {zero:.0f}, {first:.1f}, {second:.1f} and {third:.1f}"
    assert second < 0.8 < third
    yield f"for {second:.1f} is less than 0.8"


def orders() -> Iterator[str]:
    first = ref.top_p_filter(ref.top_k_filter(LOGITS, 3), 0.75).isfinite().sum().item()
    other = ref.top_k_filter(ref.top_p_filter(LOGITS, 0.75), 3).isfinite().sum().item()
    yield "with k = 3, then p = 0.75"
    yield f"({first}. In the other order {other} would.)"


def equals() -> Iterator[str]:
    equal = torch.zeros(40, dtype=torch.float64)
    stay = ref.top_p_filter(equal, 0.11).isfinite()
    first = int(stay.sum())
    assert stay[:first].all()
    yield f"of {len(equal)} equal ones, p = 0.11 leaves the first {first}"
    sure = torch.tensor([60.0, 0.0])
    assert sure.softmax(dim=-1)[0] == 1
    assert ref.top_p_filter(sure, 1.0).isfinite().all()
    yield "p = 1 filters nothing, even where one token is so sure that a sum is rounded to 1"


def tasks() -> Iterator[str]:
    """What sets a task, a rule or a source."""
    yield from (
        "Fan et al. 2018",
        "Holtzman et al. 2020",
        f"The points add to {sum(section.points for section in EN.sections):.0f}",
        "At temperature 0 the first of the largest",
        "Begin with temperature 1, then divide",
        "At last, 0.",
        "a k below 1 raises",
        "you put 0 there",
        "a p out of range, 0 included",
        f"{100 * CORE_SHARE} % of its points",
        f"The other {100 - 100 * CORE_SHARE} %",
    )


TOPICS = [by_hand, orders, equals, tasks]


@pytest.mark.parametrize("topic", TOPICS)
def test_the_handout_says_what_was_computed(topic: Callable[[], Iterator[str]]) -> None:
    missing, _ = struck(EN, topic())
    assert missing == []


def test_no_other_number_stands_in_the_handout() -> None:
    _, left = struck(EN, itertools.chain.from_iterable(topic() for topic in TOPICS))
    assert left == []


def test_the_exercises_take_the_four_hours_that_the_handout_allows() -> None:
    assert "about four hours" in EN.text
    assert sum(section.minutes for section in EN.sections) == 240
