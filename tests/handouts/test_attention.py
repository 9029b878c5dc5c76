"""The numbers of the handout of `attention`, each computed; its formulas, each followed."""

from __future__ import annotations

import contextlib
import io
import itertools
import math
import sys
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from grader.score.rubric import CORE_SHARE
from reference import attention as ref
from tests.handouts.claims import cells, rows, shape, struck, told
from tests.handouts.page import page

E = np.exp
EN = page("attention", "en")
BLANKS = "__ __ __"

Q, K, V = (np.array(x) for x in ([[1], [2]], [[1], [3]], [[10], [20]]))  # two tokens
Q3, K3, V3 = (np.array(x) for x in ([[0, 1], [1, 0], [2, 1]], [[2, 0], [1, 1], [0, 2]], [[10], [20], [30]]))  # three
ASKS_NOTHING = np.array([[0, 1], [1, 0], [0, 0]])  # the queries of three tokens, the last one changed


def causal(S):
    return np.where(np.tri(len(S), dtype=bool), S, -np.inf)


def down_the_columns(S):
    return E(causal(S)) / E(causal(S)).sum(axis=0)


def idea() -> Iterator[str]:
    A = ref.attention_weights(Q3, K3)
    assert np.allclose(A.sum(axis=1), 1)
    assert A.sum(axis=0).max() > 1 > A.sum(axis=0).min()
    yield f"belongs to one query and sums to {told(round(A.sum(axis=1)[0], 12))}"
    signs = [np.dot(*pair) for pair in itertools.product(itertools.product([1, -1], repeat=4), [(1, 1, 1, 1)])]
    yield f"terms of mean {told(np.mean(signs))} and variance {told(np.var(signs) / 4)}"
    assert np.std(signs) == math.sqrt(4)
    yield f"exp(-∞) is exactly {told(E(-np.inf))}"
    yield f"A score of 0 hides nothing, because exp(0) is {told(E(0))}"
    cut = ref.attention_weights(Q3, K3) * np.tri(3)
    assert not np.allclose(cut.sum(axis=1), 1)
    yield "no longer sums to 1"


def two_tokens() -> Iterator[str]:
    got = ref.two_token_example()
    S, A, Z = got["S"], got["A"], got["Z"]
    for name, array in (("Q", Q), ("K", K), ("V", V)):
        yield f"| {name} | {rows(array)} | {shape(array)} |"
    yield f"T = {len(Q)} and d_k = d_v = {Q.shape[1]}, causal"
    yield f"| S = Q K^T / √{Q.shape[1]} | {rows(S)} | {shape(Q)} times {shape(K.T)} -> {shape(Q @ K.T)} |"
    yield f"| masked | {rows(causal(S))} | {shape(S)} |"
    yield f"| A | {rows(A)} | {shape(A)} |"
    yield f"| sums of its rows | {rows(A.sum(axis=1))} | {shape(A.sum(axis=1))} |"
    yield f"| Z = A V | {rows(Z, 2)} | {shape(A)} times {shape(V)} -> {shape(Z)} |"
    yield f"keeps its own value, {told(Z[0, 0])}"
    assert A[1, 0] == pytest.approx(E(2) / (E(2) + E(6)))
    yield f"e² / (e² + e⁶) = {told(A[1, 0])}"
    mean = f"{told(A[1, 0])} · {told(V[0, 0])} + {told(A[1, 1])} · {told(V[1, 0])} = {told(Z[1, 0], 2)}"
    yield f"{mean}, a mean, and so between {told(V.min())} and {told(V.max())}"
    wrong = down_the_columns(S)
    assert (wrong @ V).max() > V.max()
    yield f"Down the columns the same scores give {rows(wrong)}"
    sums, outputs = wrong.sum(axis=1), wrong @ V
    yield f"rows that sum to {cells(sums, between=' and ')}, and an output of {told(outputs.max(), 2)}"
    yield f"√1 = {told(math.sqrt(1))}"


def questions() -> Iterator[str]:
    exponentials = E([-1000.0, -3, 0])
    yield f"between {told(exponentials.min())} and {told(exponentials.max())}"
    assert E(0.0 - 1000) == 0  # the row of 0s, when 1000 is taken off it: nothing is left to share
    np.testing.assert_array_equal(ref.softmax(np.array([[0, 0], [1000, 1000]])), np.full((2, 2), 0.5))
    np.testing.assert_array_equal(ref.softmax(np.array([-np.inf, -np.inf])), [0, 0])
    S = ref.attention_scores(Q3, Q3)
    np.testing.assert_array_equal(S, S.T)  # one matrix for queries and keys
    query, keys = np.ones((1, 64)), np.array([np.ones(64), np.zeros(64)])
    plain, scaled = query @ keys.T, ref.attention_scores(query, keys)
    yield f"of width {query.size} that agree in {np.sum(query == keys[0])} entries of 1"
    yield f"another key with score {told(plain[0, 1])}: the scores are {cells(plain, between=' and ')}"
    yield f"or {cells(scaled, between=' and ')} with the scale"
    np.testing.assert_allclose(ref.attention(Q3, K3, np.ones((3, 1))), 1)
    turned = ref.attention(Q, K, V, np.triu(np.ones((2, 2), dtype=bool)))
    assert turned[1, 0] == 20
    fill = ref.softmax(np.where(np.tri(3, dtype=bool), ref.attention_scores(Q3, K3), 0)) @ V3
    yield f"The first output of your table would be exactly {told(fill[0, 0])}"
    numbers = np.arange(12).reshape(3, 4)
    right = numbers[:, :2]
    yield f"you cut Q {shape(numbers)} by reshaping it straight to {shape(numbers.reshape(2, 3, 2))}"
    yield f"Write {numbers.min()} to {numbers.max()} into it"
    yield f"Head 0 should hold {cells(right[0])}, {cells(right[1])} and {cells(right[2])}"
    assert list(numbers.reshape(2, 3, 2)[0, 1]) == [2, 3] == list(numbers[0, 2:])
    dA = np.array([[0.5, -1, 2]])
    A = np.array([[0.5, 0.25, 0.25]])
    for more in (0, 5):  # with r, what is added to every value has no effect; without it, it has
        assert (A * (dA + more - (A * (dA + more)).sum())).sum() == pytest.approx(0)
    yield "each row of dS sums to 0"
    yield "Add 5 to every entry of dA, as if all values were worth 5 more"


def on_paper() -> Iterator[str]:
    yield f"T = {len(Q3)}, d_k = {Q3.shape[1]}, d_v = {V3.shape[1]}, causal"
    for name, array in (("Q", Q3), ("K", K3), ("V", V3)):
        yield f"| {name} | {rows(array)} | {shape(array)} |"
    x = np.unique(ref.attention_scores(Q3, K3))
    yield f"√2 = {told(math.sqrt(2))}"
    yield f"| x | {cells(x, between=' | ')} |"
    yield f"| e^x | {cells(E(x), between=' | ')} |"
    steps = ref.attention_steps(Q3, K3, V3)
    four = " | ".join(f"{name} {shape(array)}" for name, array in steps.items() if name != "output")
    sums, output = shape(steps["weights"].sum(axis=1)), shape(steps["output"])
    yield f"| query | Q K^T {shape(Q3 @ K3.T)} | {four} | sum of the row {sums} | output {output} |"
    yield f"| query | weights {shape(steps['weights'])} | sum of the row {sums} | output {output} |"
    yield f"| sum of the column {shape(steps['weights'].sum(axis=0))} |"
    for query in range(3):
        yield f"| {query} | {' | '.join([BLANKS] * 4)} | __ | __ |"
        yield f"| {query} | {BLANKS} | __ | __ |"
    yield f"The values are {cells(V3[:2], between=', ')} and {told(V3[2, 0])}"
    yield f"Let the last query be {rows(ASKS_NOTHING[-1])} instead of {rows(Q3[-1])}"


def answers() -> Iterator[str]:
    steps = ref.attention_steps(Q3, K3, V3)
    for query in range(3):
        shown = [Q3 @ K3.T, *(steps[name] for name in ("scores", "masked", "weights"))]
        total = steps["weights"][query].sum()
        assert total == pytest.approx(1)
        told_steps = " | ".join(cells(array[query]) for array in shown)
        yield f"| {query} | {told_steps} | {told(round(total, 12))} | {told(steps['output'][query, 0], 2)} |"
    wrong = down_the_columns(steps["scores"])
    sums, outputs = wrong.sum(axis=1), (wrong @ V3)[:, 0]
    for query in range(3):
        yield f"| {query} | {cells(wrong[query])} | {told(sums[query])} | {told(outputs[query], 2)} |"
    columns = cells(wrong.sum(axis=0).round(12))
    yield f"| sum of the column | {columns} | | |"
    of_rows = f"{cells(sums[:2], between=', ')} and {told(sums[2])}"
    yield f"The rows sum to {of_rows}, the columns to {columns[0]}, {columns[2]} and {columns[4]}"
    assert sums[2] > wrong.sum() / 2
    assert (outputs[:2] < V3.min()).all()
    assert outputs[2] > V3.max()
    yield f"{cells(outputs[:2], 2, between=' and ')} lie below every value, and {told(outputs[2], 2)} above"


def future() -> Iterator[str]:
    right, wrong = ref.attention_steps(Q3, K3, V3)["output"], down_the_columns(ref.attention_scores(Q3, K3)) @ V3
    then = ref.attention_steps(ASKS_NOTHING, K3, V3)["output"]
    then_wrong = down_the_columns(ref.attention_scores(ASKS_NOTHING, K3)) @ V3
    assert (then == right).tolist() == [[True], [True], [False]]
    assert (np.abs(then_wrong - wrong) > 0.5).all()
    then = then.round(12)
    yield f"With the last query {rows(ASKS_NOTHING[-1])} the right outputs are {cells(then[:2], 2, ', ')} and {told(then[2, 0])}"
    yield f"The wrong outputs are {cells(then_wrong[:2], 2, ', ')} and {told(then_wrong[2, 0], 2)}"


def tasks() -> Iterator[str]:
    """What sets a task or a rule."""
    yield "100 points"
    yield "An entry of -∞ has weight 0, and where all are -∞ all weights are 0"
    yield "an axis of length 1"
    yield "[0, 0], then [1000, 1000]"
    yield "what is 0 / 0"
    yield "Try a row of 1000s above a row of 0s"
    yield "token 0 for token 1"
    yield "token 1 for token 0"
    yield "A width of 0 raises"
    yield "write entry [0, 1]"
    yield "which one is 1?"
    yield "let every value be 1"
    yield "`S` and `A` are [2, 2]"
    yield "For T = 3 the mask hides three scores"
    yield "the hidden scores were 0"
    yield "whose are 2 3?"
    yield "A column may sum to anything: many queries may look"
    yield "has weights 0 and output 0"
    yield f"{100 * CORE_SHARE} % of its points"
    yield f"The other {100 - 100 * CORE_SHARE} %"


TOPICS = [idea, two_tokens, questions, on_paper, answers, future, tasks]


@pytest.mark.parametrize("topic", TOPICS)
def test_the_handout_says_what_was_computed(topic: Callable[[], Iterator[str]]) -> None:
    missing, _ = struck(EN, topic())
    assert missing == []


def test_no_other_number_stands_in_the_handout() -> None:
    _, left = struck(EN, itertools.chain.from_iterable(topic() for topic in TOPICS))
    assert left == []


def test_the_exercises_take_the_three_hours_that_the_handout_allows() -> None:
    assert "Allow about three hours" in " ".join(EN.text.split())
    assert sum(section.minutes for section in EN.sections) == 3 * 60


def test_following_the_formulas_gives_the_reference() -> None:
    rng = np.random.default_rng(0)
    X, W_q, W_k, W_v, dZ = (rng.normal(size=size) for size in ((4, 3), (3, 2), (3, 2), (3, 5), (4, 5)))
    mask = np.tri(4, dtype=bool)
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    S = Q @ K.T / np.sqrt(2)
    S[~mask] = -np.inf
    A = np.array([[E(S[i, j]) / sum(E(S[i, k]) for k in range(4)) for j in range(4)] for i in range(4)])
    dV, dA = A.T @ dZ, dZ @ V.T
    r = np.array([sum(A[i, j] * dA[i, j] for j in range(4)) for i in range(4)])
    dS = A * (dA - r[:, np.newaxis])
    dQ, dK = dS @ K / np.sqrt(2), dS.T @ Q / np.sqrt(2)
    assert all(map(np.allclose, ref.project_qkv(X, W_q, W_k, W_v), (Q, K, V)))
    assert np.allclose(ref.attention(Q, K, V, mask), A @ V)
    assert all(map(np.allclose, ref.attention_backward(Q, K, V, dZ, mask), (dQ, dK, dV)))


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_the_check_of_the_tables_runs_and_prints_the_answers(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "attention", ref)
    [code] = page("attention", language).code
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(code, "handout", "exec"), {})  # noqa: S102  # a learner runs it as it stands
    printed = out.getvalue().split("\n")
    steps = ref.attention_steps(Q3, K3, V3)
    wrong = down_the_columns(steps["scores"])
    for table in [*steps.values(), wrong, wrong @ V3]:
        assert str(table.round(3)) in out.getvalue()
    assert f"rows {wrong.sum(axis=1).round(3)} columns [1. 1. 1.]" in printed
