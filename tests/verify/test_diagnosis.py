"""Whole files with known mistakes, graded in this process by the rules of a real grading: each mistake once, and at its root."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.course.assignment import load_assignment
from grader.judge.collect import run_pytest
from grader.judge.direct import DirectCaller, Source, merged
from grader.judge.naming import diagnosing, name_mistakes
from grader.judge.plugin import JudgePlugin
from grader.judge.single import Single
from grader.judge.trial import Bench
from grader.model.manifest import Manifest
from grader.model.verdict import Status, Suite
from tests.conftest import ROOT
from tests.verify.heard import forget_suites, reference_of

# A right answer whose functions call each other as most students' do.
RIGHT = {
    name: (ROOT / "assignments" / name / "right_answers" / f"{style}.py").read_text("utf-8")
    for name, style in (("attention", "renormalised"), ("masking", "index_grids"))
}
SOFTMAX_DOWN = """
def softmax(x, axis=0):
    (x,) = floats(x)
    top = x.max(axis=axis, keepdims=True)
    E = np.exp(x - np.where(top == -np.inf, 0, top).astype(x.dtype))
    total = E.sum(axis=axis, keepdims=True)
    return E / np.where(total == 0, 1, total).astype(x.dtype)
"""
OWN_SOFTMAX_DOWN = """
def attention_weights(Q, K, mask=None):
    S = attention_scores(Q, K)
    if mask is not None:
        if mask.dtype != bool or np.broadcast_shapes(mask.shape, S.shape) != S.shape:
            raise ValueError
        S = np.where(mask, S, S.dtype.type(-np.inf))
    return my_softmax(S)

def my_softmax(S):
    return softmax(S, axis=-2)
"""
NOT_SCALED = """
def attention_scores(Q, K):
    Q, K = floats(Q, K)
    return Q @ np.swapaxes(K, -2, -1)
"""
NEXT_SEEN = """
def multi_head_attention(X, W_q, W_k, W_v, W_o, n_head, causal=True):
    X, W_q, W_k, W_v, W_o = floats(X, W_q, W_k, W_v, W_o)
    if n_head < 1 or W_q.shape[-1] % n_head:
        raise ValueError("heads must divide the width")
    T = X.shape[-2]
    mask = np.tri(T, k=1 if causal else T).astype(bool)
    parts = zip(*(np.split(X @ W, n_head, axis=-1) for W in (W_q, W_k, W_v)), strict=True)
    return np.concatenate([attention(q, k, v, mask) for q, k, v in parts], axis=-1) @ W_o
"""
ROW_SUM_MISSING = """
def attention_backward(Q, K, V, dZ, mask=None):
    Q, K, V, dZ = floats(Q, K, V, dZ)
    A = attention_weights(Q, K, mask)
    if dZ.shape != (*Q.shape[:-1], V.shape[-1]):
        raise ValueError
    dS = A * (dZ @ V.swapaxes(-1, -2)) / float(np.sqrt(Q.shape[-1]))
    return dS @ K, dS.swapaxes(-1, -2) @ Q, A.swapaxes(-1, -2) @ dZ
"""
TWO_AT_ONCE = """
def attention(Q, K, V, mask=None):
    Q, K, V = floats(Q, K, V)
    attention_weights(Q, K, mask)
    S = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        S = S * mask
    return softmax(S) @ V
"""
FILLED_UNCHECKED = """
def attention_weights(Q, K, mask=None):
    S = attention_scores(Q, K)
    if mask is not None:
        S = np.where(mask, S, S.dtype.type(-1e9))
    return softmax(S)
"""
MASKS = """
def causal_mask(T_q, T_k=None):
    T_k = T_q if T_k is None else T_k
    if T_k < T_q:
        raise ValueError
    return np.tri(T_q, T_k, k=T_k - T_q + 1, dtype=bool)

def padding_mask(lengths, T):
    if np.any(lengths < 0) or np.any(lengths > T):
        raise ValueError
    return np.arange(T) >= lengths[:, None]

def combine_masks(causal, padding):
    if causal.dtype != bool or padding.dtype != bool or causal.shape[1] != padding.shape[1]:
        raise ValueError
    return causal[None, None] | padding[:, None, None, :]
"""


class Hand:
    """A submission that is called in this process, as it is or with right answers in the place of some of it."""

    def __init__(self, source: Source, manifest: Manifest, right: Mapping[str, object]) -> None:
        self.own = DirectCaller(source.namespace())
        self.carrier = self
        self._source, self._manifest, self._right = source, manifest, right

    def carries(self, _: str) -> bool:
        """Every exercise asks for functions."""
        return True

    def without(self, exercises: tuple[str, ...]) -> DirectCaller:
        """Return the caller in which these exercises are the reference's."""
        module = self._source.namespace()
        for name in (name for exercise in exercises for name in self._manifest.exercise(exercise).names):
            setattr(module, name, self._right[name])
        return DirectCaller(module)


def graded(folder: Path, assignment: str, *mistakes: str) -> tuple[dict[str, list[str]], set[str]]:
    """Return the names of the mistakes of a file by exercise, and the exercises that lose points for them."""
    path = folder / f"{assignment}.py"
    path.write_text("\n".join([RIGHT[assignment], *mistakes]), encoding="utf-8")
    loaded, sources = load_assignment(ROOT / "assignments" / assignment), reference_of(assignment)
    namespaces = [source.namespace() for source in sources]
    reference = merged(namespaces)
    exercises = [exercise.id for exercise in loaded.manifest.exercises]
    hand = Hand(Source(path), loaded.manifest, vars(reference))
    single = Single(Bench(reference, DirectCaller(*namespaces), exercises), hand, loaded.manifest, {}, lambda _: True)
    forget_suites()
    run_pytest(loaded, list(Suite), JudgePlugin(loaded.manifest, single))
    hidden = [test for test in single.evidence.values() if test.suite is Suite.HIDDEN]
    wrong = {test.exercise for test in hidden if (test.carried or test).status is not Status.PASSED}
    named: dict[str, list[str]] = {}
    for each in name_mistakes(loaded.manifest, lambda: diagnosing(loaded, sources), single):
        named.setdefault(each.exercise, []).extend(each.misconceptions)
    return named, wrong


def test_a_right_file_has_no_name_and_loses_nothing(tmp_path: Path) -> None:
    assert graded(tmp_path, "attention") == ({}, set())
    assert graded(tmp_path, "masking") == ({}, set())


def test_a_wrong_softmax_is_named_once_and_what_uses_it_is_carried_forward(tmp_path: Path) -> None:
    named, wrong = graded(tmp_path, "attention", SOFTMAX_DOWN)
    assert named == {"attention.softmax": ["attention.softmax/first-axis-by-default"]}
    assert wrong == {"attention.softmax"}


def test_a_mistake_in_a_private_helper_is_named_where_it_is_called_first(tmp_path: Path) -> None:
    named, wrong = graded(tmp_path, "attention", OWN_SOFTMAX_DOWN)
    assert named == {"attention.weights": ["attention.weights/softmax-columns"]}
    assert wrong == {"attention.weights"}


@pytest.mark.parametrize(
    ("assignment", "mistakes", "names"),
    [
        (
            "attention",
            [NOT_SCALED, NEXT_SEEN, ROW_SUM_MISSING],
            {"scores": "not-scaled", "multi_head": "next-seen", "backward": "row-sum-missing"},
        ),
        ("masking", [MASKS], {"causal": "sees-next", "padding": "inverted", "combine": "either"}),
    ],
)
def test_three_independent_mistakes_have_three_names(
    tmp_path: Path, assignment: str, mistakes: list[str], names: dict[str, str]
) -> None:
    named, wrong = graded(tmp_path, assignment, *mistakes)
    expected = {f"{assignment}.{exercise}": [f"{assignment}.{exercise}/{slug}"] for exercise, slug in names.items()}
    assert named == expected
    assert wrong == set(expected)


def test_two_mistakes_in_one_function_are_named_as_a_pair(tmp_path: Path) -> None:
    named, wrong = graded(tmp_path, "attention", TWO_AT_ONCE)
    assert list(named) == ["attention.attention"]
    assert sorted(named["attention.attention"]) == ["attention.scores/not-scaled", "attention.weights/fill-zero"]
    assert wrong == {"attention.attention"}


def test_edges_that_fail_apart_each_have_their_name_and_what_uses_the_function_is_not_named_again(
    tmp_path: Path,
) -> None:
    named, wrong = graded(tmp_path, "attention", FILLED_UNCHECKED)
    slugs = ["empty-row-uniform", "numbers-as-mask", "mask-with-more-axes"]
    assert named == {"attention.weights": [f"attention.weights/{slug}" for slug in slugs]}
    assert wrong == {"attention.weights"}
