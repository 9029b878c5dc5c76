"""The numbers of the handout of `masking`, each computed; its formulas, each followed."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from grader.score.rubric import CORE_SHARE
from reference import masking as ref
from tests.handouts.claims import bits, shape, struck, told
from tests.handouts.page import page

EN = page("masking", "en")
S = np.array([[1.0, 3.0], [2.0, 6.0]])
LENGTHS = np.array([2, 3, 0])


def spaced(row) -> str:
    """A row of a mask as the pictures show it: `1 1 0 0`."""
    return " ".join(map(str, np.asarray(row).astype(int)))


def line(row) -> str:
    return " ".join(f"{x:.3f}" for x in row)


def side_by_side(*masks) -> Iterator[str]:
    for parts in itertools.zip_longest(*(map(spaced, mask) for mask in masks), fillvalue=""):
        yield " ".join(parts).strip()


def pictures() -> Iterator[str]:
    causal, window, padding = ref.causal_mask(4), ref.sliding_window_mask(4, 2), ref.padding_mask(np.array([3, 1]), 4)
    yield "causal, T = 4 window 2, T = 4 padded to 4, lengths 3, 1 " + " ".join(side_by_side(causal, window, padding))
    yield " ".join(map(spaced, ref.causal_mask(2, 5)))
    yield "Positions count from 0; as pictures (`1` = True)"
    yield r"0 \le p(i) - j < w"


def why() -> Iterator[str]:
    yield f"`exp(-∞)` is exactly {told(np.exp(-np.inf))}"
    yield f"A score of 0 is not: `exp(0) = {told(np.exp(0))}`"
    yield f"Even -10 leaves `exp(-10) = {np.exp(-10.0):.6f}`"
    assert (ref.masked_softmax(S, S > 0) * np.tri(2)).sum(axis=1)[0] < 1
    yield "which then sums to less than 1"
    with np.errstate(over="ignore", invalid="ignore"):
        wide, narrow = (
            next(n - 1 for n in range(1000) if np.isinf(np.exp(dtype(n)))) for dtype in (np.float64, np.float32)
        )
        assert np.isnan(-np.inf - (-np.inf))
    yield f"overflows just above {wide} in float64, above {narrow} in float32"
    [nothing] = ref.masked_softmax(np.zeros((1, 3)), np.zeros((1, 3), dtype=bool))
    assert len(set(nothing)) == 1
    yield f"has **weights {told(nothing[0])}**"


def two_tokens() -> Iterator[str]:
    mask = ref.causal_mask(2)
    masked, A = ref.apply_mask(S, mask), ref.masked_softmax(S, mask)
    m = masked.max(axis=1, keepdims=True)
    E = np.exp(masked - m)
    first, second = ([" ".join(told(x) for x in part[i]) for part in (S, masked)] for i in (0, 1))
    powers = [" ".join("1" if x == 1 else "0" if x == 0 else f"{x:.3f}" for x in part) for part in E]
    yield (
        f"S = {first[0]} masked = {first[1]} exp(masked - m) = {powers[0]} A = {line(A[0])} "
        f"{second[0]} {second[1]} {powers[1]} {line(A[1])}"
    )
    yield f"T = {len(S)}, have the scores `S` {shape(S)}. Under the causal mask {shape(mask)}"
    yield f"`masked` and `A` are {shape(A)} as well"
    yield f"the maxima `m` are {told(m[0, 0])} and {told(m[1, 0])}, of shape {shape(m)}"
    yield f"Each row of `A` sums to {told(A.sum(axis=1)[1])}"
    wrong = np.exp(masked) / np.exp(masked).sum(axis=0)
    yield f"`{line(wrong[0])}` and `{line(wrong[1])}`: rows that sum to " + " and ".join(
        line([x]) for x in wrong.sum(axis=1)
    )


def batch() -> Iterator[str]:
    causal, padding = ref.causal_mask(3), ref.padding_mask(LENGTHS, 3)
    both = ref.combine_masks(causal, padding)
    yield f"B = {len(LENGTHS)} sequences, padded to T = 3, of lengths {LENGTHS[0]}, {LENGTHS[1]} and {LENGTHS[2]}"
    yield f"`lengths` is {shape(LENGTHS)}"
    yield "| step | shape | sequence 0 | sequence 1 | sequence 2 |"
    yield f"| `causal_mask(3)` | {shape(causal)}: T, T | `{bits(causal)}` |"
    cells = " | ".join(f"`{bits(row)}`" for row in padding)
    yield f"| `padding_mask(lengths, 3)` | {shape(padding)}: B, T | {cells} |"
    cells = " | ".join(f"`{bits(mask)}`" for mask in both[:, 0])
    yield f"| `combine_masks(...)` | {shape(both)}: B, 1, T, T | {cells} |"
    yield f"The axis of length {both.shape[1]} stands where"
    third_query = both[0, 0, 2]
    assert third_query.any()
    yield "In sequence 0 the third query is padding and still attends"
    weights = ref.masked_softmax(np.zeros((3, 1, 3, 3)), both)
    assert not weights[2].any()
    yield "Sequence 2 has nothing to attend to, and its weights are 0"


def questions() -> Iterator[str]:
    np.testing.assert_array_equal(ref.sliding_window_mask(5, 1), np.eye(5, dtype=bool))
    np.testing.assert_array_equal(ref.sliding_window_mask(5, 5), ref.causal_mask(5))
    yield "window 1 must be the diagonal, and window T the causal mask. Try both, then window 2"
    rows = ref.sliding_window_mask(5, 2).sum(axis=1)  # the token itself, and one more
    assert list(rows) == [1, 2, 2, 2, 2]
    yield "With window 1 each row would hold two entries"
    both = ref.combine_masks(ref.causal_mask(3), ref.padding_mask(LENGTHS, 3))[0, 0]
    np.testing.assert_array_equal(both[:2], ref.causal_mask(3)[:2])
    assert not both[2, 2]
    yield "take the example's sequence 0: rows 0 and 1 as in the causal mask, row 2 without key 2"
    with np.errstate(invalid="ignore"):
        fill = np.array([1.0, 0.0]) * -np.inf
    assert np.isneginf(fill[0])
    assert np.isnan(fill[1])
    yield "Where the mask is 1 that gives -∞; what does it give where the mask is 0?"
    assert not np.exp(np.array([0.0, 0.0]) - 1000).any()
    yield "Let the hidden score be 1000 and the visible ones 0 and 0"


def tasks() -> Iterator[str]:
    """What sets a task or a rule."""
    core = 10 * CORE_SHARE
    yield "60 points"
    yield "A length of 0 is allowed; one below 0 or above T"
    yield "a sequence of length 0 and of one of length T"
    yield "What does the sequence of length 0 look like"
    yield "one below 1 raises"
    yield "a row whose keys are all hidden is 0"
    yield f"{100 * CORE_SHARE} % of its points, {core} of 10"
    yield f"The other {100 - 100 * CORE_SHARE} %"


TOPICS = [pictures, why, two_tokens, batch, questions, tasks]


@pytest.mark.parametrize("topic", TOPICS)
def test_the_handout_says_what_was_computed(topic: Callable[[], Iterator[str]]) -> None:
    missing, _ = struck(EN, topic())
    assert missing == []


def test_no_other_number_stands_in_the_handout() -> None:
    _, left = struck(EN, itertools.chain.from_iterable(topic() for topic in TOPICS))
    assert left == []


def test_the_exercises_take_the_hour_that_the_handout_allows() -> None:
    assert re.search(r"Allow about\s+an hour", EN.text)
    assert sum(section.minutes for section in EN.sections) == 60


def test_following_the_rules_gives_the_masks() -> None:
    for T_q, T_k in ((4, 4), (2, 5), (1, 6)):
        rule = [[j <= i + T_k - T_q for j in range(T_k)] for i in range(T_q)]
        np.testing.assert_array_equal(ref.causal_mask(T_q, T_k), rule)
    for w in (1, 2, 7):
        rule = [[0 <= i - j < w for j in range(5)] for i in range(5)]
        np.testing.assert_array_equal(ref.sliding_window_mask(5, w), rule)
    np.testing.assert_array_equal(ref.padding_mask(LENGTHS, 4), [[j < n for j in range(4)] for n in LENGTHS])


def test_following_the_formulas_gives_the_weights() -> None:
    S, M = np.random.default_rng(0).normal(size=(4, 6)), ref.causal_mask(4, 6)
    masked = [[S[i, j] if M[i, j] else -np.inf for j in range(6)] for i in range(4)]
    A = [[np.exp(x - max(row)) / sum(np.exp(y - max(row)) for y in row) for x in row] for row in masked]
    np.testing.assert_array_equal(ref.apply_mask(S, M), masked)
    np.testing.assert_allclose(ref.masked_softmax(S, M), A, atol=1e-12)
