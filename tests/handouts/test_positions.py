"""The numbers of the handout of `positions`, each computed; its formulas, each followed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from grader.score.rubric import CORE_SHARE
from reference import positions as ref
from tests.handouts.claims import shape, struck
from tests.handouts.page import page

EN = page("positions", "en")
ROW = np.array([1.0, 2, 3, 4])
PERM, TOKENS = np.array([1, 2, 0]), np.array([[3], [0], [-1]])
w = ref.rope_frequencies(4, 100)


def digits(x: float, places: int = 3) -> str:
    return f"{round(x)}" if np.isclose(x, round(x), atol=1e-9) else f"{x:.{places}f}"


def row(array) -> str:
    """Numbers between backticks: `1, 0.841`."""
    return f"`{', '.join(digits(x) for x in np.ravel(array))}`"


def short(array) -> str:
    """The same, without zeros at the end: `1, 0.1`."""
    return f"`{', '.join(f'{x:g}' for x in np.ravel(array))}`"


def turns(x, y, a) -> Iterator[str]:
    """Both lines of a turn by hand."""
    c, s = np.cos(a), np.sin(a)
    yield f"{x:g} * {c:.3f} - {y:g} * {s:.3f} = {x * c - y * s:.3f}"
    yield f"{x:g} * {s:.3f} + {y:g} * {c:.3f} = {x * s + y * c:.3f}"


def running_sum(X):
    return np.cumsum(X, axis=0)


def idea() -> Iterator[str]:
    yield "A position is a number, 0, 1, 2, ..., and"
    yield r"\text{base}^{-2i/d} \qquad i = 0, 1, \dots, d/2 - 1 \qquad \text{base} = 10000"
    many = ref.rope_frequencies(64)
    factors = many[1:] / many[:-1]
    assert np.allclose(factors, factors[0])
    assert np.isclose(many[-1], 1 / 10000 * 10000 ** (2 / 64))
    yield f"The first frequency is exactly {many[0]:g}, each is smaller than the one before by the same factor"
    yield "the last is larger than 1/base by the factor base^(2/d)"
    yield "positions count from 0"
    yield r"PE_{p,2i} = \sin(p\,\omega_i) \qquad PE_{p,2i+1} = \cos(p\,\omega_i)"
    yield "columns 2i and 2i+1"
    yield r"\begin{bmatrix} x_{2i}' \\ x_{2i+1}' \end{bmatrix}"
    yield r"\begin{bmatrix} x_{2i} \\ x_{2i+1} \end{bmatrix}"
    np.testing.assert_array_equal(ref.apply_rope(ROW[np.newaxis], np.array([0])), [ROW])
    yield "Position 0 turns nothing"


def the_table() -> Iterator[str]:
    angles = np.outer(np.arange(3), w)
    table = ref.sinusoidal_encoding(3, 4, 100)
    yield "Width 4 and base 100, so that the numbers are round"
    assert w[0] == 100**0 == 1
    assert w[1] == 100 ** (-2 / 4) == 1 / 10
    yield "frequencies `100^0 = 1` and `100^(-2/4) = 1/10`"
    yield f"`rope_frequencies(4, 100)` is `[{w[0]:g}, {w[1]:g}]`, of shape {shape(w)}"
    yield "| step | shape | position 0 | position 1 | position 2 |"
    yield f"| angles | {shape(angles)}: T, d/2 | {' | '.join(map(short, angles))} |"
    yield f"| sines | {shape(angles)} | {' | '.join(map(row, np.sin(angles)))} |"
    yield f"| cosines | {shape(angles)} | {' | '.join(map(row, np.cos(angles)))} |"
    yield f"| `sinusoidal_encoding(3, 4, 100)` | {shape(table)}: T, d | {' | '.join(map(row, table))} |"


def the_turns() -> Iterator[str]:
    x = np.tile(ROW, (3, 1))
    turned = ref.apply_rope(x, np.arange(3), 100)
    lengths = np.linalg.norm(turned.reshape(3, 2, 2), axis=-1)
    yield f"Now RoPE, with the row {short(ROW)[:1]}[{short(ROW)[1:-1]}]` at all three positions: `x` is {shape(x)}"
    yield f"its pairs are {shape(x.reshape(3, 2, 2))}. At position 1 the pair"
    yield f"`[1, 2]` turns by {w[0]:g} and the pair `[3, 4]` by {w[1]:g}"
    for one, other in zip(turns(1, 2, w[0]), turns(3, 4, w[1]), strict=True):
        yield f"{one} {other}"
    yield f"| position | `apply_rope(x, [0, 1, 2], 100)` {shape(turned)} |"
    for position in range(3):
        yield f"| {position} | {row(turned[position])} | {row(lengths[position])} |"


def the_scores() -> Iterator[str]:
    q = np.array([3.0, 4])
    scores = ref.relative_scores(q, q, 3)
    distance = np.arange(3)[:, np.newaxis] - np.arange(3)
    np.testing.assert_allclose(scores, 25 * np.cos(distance))
    yield f"one pair, of frequency {ref.rope_frequencies(2)[0]:g}. Let `q = k = [3, 4]`, of length {np.hypot(*q):g}"
    yield f"`relative_scores(q, k, 3)` {shape(scores)} is {q @ q:g} times the cosine"
    yield " ".join(f"{x:.2f}" for x in scores.ravel())


def the_order() -> Iterator[str]:
    shuffled, after = running_sum(TOKENS[PERM]), running_sum(TOKENS)[PERM]
    yield f"`X` {shape(TOKENS)} is {short(TOKENS)} and `perm` {shape(PERM)} is {short(PERM)}"
    yield f"| `X[perm]` | {shape(TOKENS)} | {short(TOKENS[PERM])} |"
    yield f"| `encode(X[perm])` | {shape(shuffled)} | {short(shuffled)} |"
    yield f"| `encode(X)` | {shape(after)} | {short(running_sum(TOKENS))} |"
    yield f"| `encode(X)[perm]` | {shape(after)} | {short(after)} |"
    yield f"| the difference | {shape(after)} | {short(shuffled - after)} |"
    yield f"Its largest absolute entry is {ref.order_sensitivity(running_sum, TOKENS, PERM):g}"


def tasks() -> Iterator[str]:
    """What sets a task or a rule."""
    table = ref.sinusoidal_encoding(9, 6)
    np.testing.assert_allclose(table[:, ::2] ** 2 + table[:, 1::2] ** 2, 1)
    yield "the sum of their squares, 1 in every row"
    yield "a row for each position from 0"
    yield "a slice with step 2"
    yield "where it takes `[1, 0]` and `[0, 1]`"
    yield "The first is 1, and each next one is smaller"
    yield "The exponents are 0, 2, 4, ... over the width"
    assert ref.rope_frequencies(64)[-1] ** -1 > 20 * np.pi  # without the minus sign: many times round
    yield "row 0 of `x` and yet stands at position 500"
    yield "At position 0 the row must come back"
    yield "a width below 2, a base that is not above 0"
    yield "i + d/2?"
    yield "each of 0 .. T-1 once"
    yield "Token 3 would be compared"
    yield "100 points in all"
    yield f"{100 * CORE_SHARE} % of its points"
    yield f"the other {100 - 100 * CORE_SHARE} % equally"


TOPICS = [idea, the_table, the_turns, the_scores, the_order, tasks]


@pytest.mark.parametrize("topic", TOPICS)
def test_the_handout_says_what_was_computed(topic: Callable[[], Iterator[str]]) -> None:
    missing, _ = struck(EN, topic())
    assert missing == []


def test_no_other_number_stands_in_the_handout() -> None:
    _, left = struck(EN, itertools.chain.from_iterable(topic() for topic in TOPICS))
    assert left == []


def test_following_the_formulas_gives_the_reference() -> None:
    d, base, T = 6, 50.0, 5
    omega = [base ** (-2 * i / d) for i in range(d // 2)]
    np.testing.assert_allclose(ref.rope_frequencies(d, base), omega)
    PE, x = ref.sinusoidal_encoding(T, d, base), np.random.default_rng(0).normal(size=(T, d))
    rope = ref.apply_rope(x, np.arange(T), base)
    for p, i in itertools.product(range(T), range(d // 2)):
        a = p * omega[i]
        R = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        np.testing.assert_allclose(PE[p, [2 * i, 2 * i + 1]], [np.sin(a), np.cos(a)], atol=1e-12)
        np.testing.assert_allclose(rope[p, [2 * i, 2 * i + 1]], R @ x[p, [2 * i, 2 * i + 1]])
        np.testing.assert_allclose(ref.rotate_2d(x[p, [2 * i, 2 * i + 1]], a), R @ x[p, [2 * i, 2 * i + 1]])
    q, k = x[0, :2], x[1, :2]
    for i, j in itertools.product(range(4), repeat=2):
        assert ref.relative_scores(q, k, 4)[i, j] == pytest.approx(q @ ref.rotate_2d(k, j - i))


def test_the_exercises_take_the_two_hours_that_the_handout_allows() -> None:
    assert "Allow about two hours" in " ".join(EN.text.split())
    assert sum(section.minutes for section in EN.sections) == 2 * 60
