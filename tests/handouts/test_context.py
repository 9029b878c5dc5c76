"""The numbers of the handout of `context`, each computed; its formulas, each followed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
import pytest

from grader.score.rubric import CORE_SHARE
from reference import context as ref
from tests.handouts.claims import rows, shape, struck, told
from tests.handouts.page import page

EN = page("context", "en")
X = np.array([[2, 0], [4, 6], [0, 9]])
TOKENS = np.array([0, 1, 0, 2, 0, 1])  # a b a c a b


def shares(array) -> str:
    """An array as fractions in lowest terms: `[1/3, 1/2, 1]`."""
    if np.ndim(array) == 0:
        return str(Fraction(float(array)).limit_denominator(99))
    return f"[{', '.join(shares(part) for part in array)}]"


def product(parts) -> str:
    return f"{' · '.join(map(str, parts))} = {math.prod(parts)}"


def idea() -> Iterator[str]:
    counts = ref.bigram_counts(TOKENS, 3)
    assert np.allclose(ref.bigram_probs(counts).sum(axis=1), 1)
    assert np.allclose(ref.average_weights(4).sum(axis=1), 1)
    yield "Every row of P sums to 1"
    yield "keeps the rows that sum to 1"
    assert np.allclose(ref.bigram_probs(np.zeros((4, 4)), 0.0), 1 / 4)
    yield "the row is uniform, 1 / V"
    yield "A text of T tokens has T - 1 pairs"
    assert ref.bigram_perplexity(np.eye(2)[::-1], np.array([0, 1, 0])) == 1
    yield "V for a model that knows nothing, 1 for one that is never surprised"
    yield r"\text{average: } c = \frac{1}{T} \sum_{s=0}^{T-1} x_s"
    yield r"\text{so far: } c_t = \frac{1}{t+1} \sum_{s=0}^{t} x_s"
    yield r"\dfrac{1}{t+1} & s \le t \\ 0 & s > t"
    yield r"-\frac{1}{T-1} \sum_{t=1}^{T-1} \ln P_{x_{t-1}\,x_t}"


def three_positions() -> Iterator[str]:
    mean, C, W = ref.average_context(X), ref.causal_average(X), ref.average_weights(3)
    yield f"T = {X.shape[0]}, d = {X.shape[1]}"
    yield f"| X | {rows(X)} | {shape(X)} |"
    columns = [" + ".join(map(str, column)) for column in X.T]
    yield f"| average of X | [{', '.join(columns)}] / {len(X)} = {rows(mean)} | {shape(mean)} |"
    for t in (0, 1):
        columns = [" + ".join(map(str, column)) for column in X[: t + 1].T]
        yield f"| row {t} so far | [{', '.join(columns)}] / {t + 1} = {rows(C[t])} | {shape(C[t])} |"
    assert (C[2] == mean).all()
    yield f"| row 2 so far | {rows(C[2])}, the average of all | {shape(C[2])} |"
    yield f"| averages so far, C | {rows(C)} | {shape(C)} |"
    yield f"| W | {shares(W)} | {shape(W)} |"
    assert np.allclose(W @ X, C)
    yield f"| W X | {rows((W @ X).round(12))} = C | {shape(W)} times {shape(X)} -> {shape(W @ X)} |"


def down_the_columns() -> Iterator[str]:
    W = np.tri(3) / [3, 2, 1]
    assert np.allclose(W.sum(axis=1)[-1], 11 / 6)
    yield f"the same triangle is {shares(W)}"
    sums = [shares(x) for x in W.sum(axis=1)]
    yield f"Its rows sum to {sums[0]}, {sums[1]} and {sums[2]}"
    last = (W @ X)[-1, -1]
    assert last > X.max()
    yield f"W X ends in {X[0, 1]}/3 + {X[1, 1]}/2 + {X[2, 1]}/1 = {told(last)}"


def six_tokens() -> Iterator[str]:
    N = ref.bigram_counts(TOKENS, 3)
    totals, P = N.sum(axis=1, keepdims=True), ref.bigram_probs(N)
    yield f"a = 0, b = 1, c = 2: T = {len(TOKENS)}, V = {len(N)}"
    yield f"| tokens | {rows(TOKENS)} | {shape(TOKENS)} |"
    yield f"| first of each pair | {rows(TOKENS[:-1])} | {shape(TOKENS[:-1])} |"
    yield f"| second of each pair | {rows(TOKENS[1:])} | {shape(TOKENS[1:])} |"
    yield f"| N | {rows(N)}, sum {N.sum()} | {shape(N)} |"
    yield f"| row totals | {rows(totals)} | {shape(totals)} |"
    yield f"| N + 1 | {rows(N + 1)} | {shape(N)} |"
    yield f"| totals + 1 · {len(N)} | {rows(totals + len(N))} | {shape(totals)} |"
    over = [int(total) + 3 for total in totals.ravel()]
    np.testing.assert_allclose(P, (N + 1) / np.array(over)[:, np.newaxis])
    told_rows = [f"[{', '.join(f'{count + 1}/{total}' for count in row)}]" for row, total in zip(N, over, strict=True)]
    yield f"| P for alpha = 1 | [{', '.join(told_rows)}] | {shape(P)} |"
    pairs = list(itertools.pairwise(TOKENS))
    of_pairs = [f"{N[i, j] + 1}/{over[i]}" for i, j in pairs]
    yield f"| p of each pair | [{', '.join(of_pairs)}] | {shape(pairs)[:2]}] |"
    parts = [Fraction(each) for each in of_pairs]
    yield f"| their product | {product(parts)} |"
    perplexity = ref.bigram_perplexity(P, TOKENS)
    assert perplexity == pytest.approx((1 / math.prod(parts)) ** (1 / len(parts)))
    yield f"| perplexity | {1 / math.prod(parts)}^(1/{len(parts)}) = {told(perplexity)} |"


def without_smoothing() -> Iterator[str]:
    P = ref.bigram_probs(ref.bigram_counts(TOKENS, 3), 0.0)
    parts = [Fraction(P[i, j]).limit_denominator(9) for i, j in itertools.pairwise(TOKENS)]
    yield f"With alpha = 0 the row of a is {shares(P[0])}, the product is {product(parts)}"
    perplexity = ref.bigram_perplexity(P, TOKENS)
    yield f"falls to ({1 / math.prod(parts)})^(1/{len(parts)}) = {told(perplexity)}"
    assert P[0, 0] == 0
    assert ref.bigram_perplexity(P, np.array([0, 0])) == math.inf
    yield "`a a` now has probability 0"


def questions() -> Iterator[str]:
    hidden_afterwards = np.full((3, 3), 1 / 3) * np.tri(3)
    assert hidden_afterwards[0].sum() == pytest.approx(1 / 3)
    yield "What would row 0 sum to"
    assert ref.bigram_counts(np.array([0, 1, 0, 1]), 2)[0, 1] == 2
    yield "Try `0 1 0 1` and look at entry [0, 1]"
    assert np.isclose(0.2**500, 0)
    assert 0 < ref.bigram_perplexity(np.full((5, 5), 0.2), np.zeros(501, dtype=int)) < 6
    yield "What is 0.2 to the power of 500?"
    with np.errstate(over="ignore"):
        assert np.int8(100) + np.int8(100) < 0
    yield "what `100 + 100` is in it"
    yield "Compare a row of 3 pairs with one of 3000"


def tasks() -> Iterator[str]:
    """What sets a task or a rule."""
    yield "100 points"
    yield "No positions, T = 0, raise"
    yield "Try it on X [2, 2] and on X [3, 2]"
    yield "Row t is the mean of rows 0 to t"
    yield "write down for t = 0 which rows"
    yield "Then for t = 1."
    yield "row t could see row t + 1"
    yield "to predict row t + 1"
    yield "T = 0 gives [0, 0]"
    yield "mark with 1 who is seen; then make every row sum to 1"
    yield "An id below 0"
    yield "T - 1 pairs, whatever the text"
    yield "add 1 at the place of each"
    yield "With alpha = 0 an unseen row"
    yield "divide 0 by 0"
    yield "Over the T - 1 pairs of the text"
    yield "What becomes of 0?"
    yield f"{100 * CORE_SHARE} % of its points"
    yield f"The other {100 - 100 * CORE_SHARE} %"


TOPICS = [idea, three_positions, down_the_columns, six_tokens, without_smoothing, questions, tasks]


@pytest.mark.parametrize("topic", TOPICS)
def test_the_handout_says_what_was_computed(topic: Callable[[], Iterator[str]]) -> None:
    missing, _ = struck(EN, topic())
    assert missing == []


def test_no_other_number_stands_in_the_handout() -> None:
    _, left = struck(EN, itertools.chain.from_iterable(topic() for topic in TOPICS))
    assert left == []


def test_the_exercises_take_the_hour_that_the_handout_allows() -> None:
    assert "about an hour" in EN.text
    assert sum(section.minutes for section in EN.sections) == 60


def test_following_the_formulas_gives_the_reference() -> None:
    T, V, alpha = 5, 4, 0.5
    some = np.random.default_rng(0).normal(size=(T, 3))
    c = [sum(some[s] for s in range(t + 1)) / (t + 1) for t in range(T)]
    W = [[1 / (t + 1) if s <= t else 0 for s in range(T)] for t in range(T)]
    np.testing.assert_allclose(ref.average_context(some), sum(some) / T)
    np.testing.assert_allclose(ref.causal_average(some), c)
    np.testing.assert_allclose(ref.average_weights(T), W)
    x = [3, 1, 3, 3, 0, 1, 3, 1]
    N = ref.bigram_counts(np.array(x), V)
    P = [[(N[i, j] + alpha) / (sum(N[i, k] for k in range(V)) + alpha * V) for j in range(V)] for i in range(V)]
    np.testing.assert_allclose(ref.bigram_probs(N, alpha), P)
    PPL = math.exp(-sum(math.log(P[x[t - 1]][x[t]]) for t in range(1, len(x))) / (len(x) - 1))
    assert ref.bigram_perplexity(np.array(P), np.array(x)) == pytest.approx(PPL)
