"""No test of a suite can be passed by chance of its sizes: in every core test some call has none that agree.

Where two axes have one length, a transposed matrix fits; where a length is 1, everything broadcasts; where it is a
product, a wrong reshape fits; where queries are keys or tokens are equal, half of what attention does cannot be seen.
"""

from __future__ import annotations

import inspect
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from grader.course.assignment import load_assignment
from grader.course.lock import LockedTest
from grader.judge.diagnose import patched
from grader.judge.record import Request
from grader.judge.trial import Trial
from grader.model.verdict import Status, Suite, Tier
from grader.verify.subjects import Role, Subject
from tests.conftest import ROOT
from tests.verify.heard import heard_from, reference_of

# The axes of each argument, or its value where it is a number; `2*n` is an even length. Numbers are what the exercise fixes.
AXES = {
    "softmax": "rows n",
    "project_qkv": "T d_model, d_model d_k, d_model d_k, d_model d_v",
    "attention_scores": "T_q d_k, T_k d_k",
    "attention_weights": "T_q d_k, T_k d_k",
    "attention": "T_q d_k, T_k d_k, T_k d_v",
    "two_token_example": "2 d_k, 2 d_k, 2 d_v",
    "attention_steps": "T d_k, T d_k, T d_v",
    "multi_head_attention": "T d_in, d_in H*d_head, d_in H*d_head, d_in H*d_head, H*d_head d_out, H",
    "attention_backward": "T_q d_k, T_k d_k, T_k d_v, T_q d_v",
    "causal_mask": "T_q, T_k",
    "padding_mask": "B, T",
    "sliding_window_mask": "T, window",
    "combine_masks": "T T, B T",
    "apply_mask": "T_q T_k, T_q T_k",
    "masked_softmax": "T_q T_k, T_q T_k",
    "average_context": "T d",
    "causal_average": "T d",
    "average_weights": "T",
    "bigram_counts": "T, V",
    "bigram_probs": "V V",
    "bigram_perplexity": "V V, T",
    "sinusoidal_encoding": "T, 2*pairs",
    "rotate_2d": "n 2",
    "rope_frequencies": "2*pairs",
    "apply_rope": "T 2*pairs, T",
    "relative_scores": "2*pairs, 2*pairs, n",
    "order_sensitivity": ", T d, T",
}


def sizes(request: Request, function: Any) -> dict[str, int] | None:
    """Return the length of each axis of a call, or None where the arguments are not of the plainest form."""
    bound = inspect.signature(function).bind(*request.args, **request.kwargs).arguments
    given: list[tuple[str, int]] = []
    for axes, value in zip(AXES[request.function].split(","), bound.values(), strict=False):
        lengths = np.shape(value) if isinstance(value, np.ndarray) else (value,)
        if axes.split() and len(axes.split()) != len(lengths):
            return None
        given += zip(axes.split(), lengths, strict=False)
    found = {axis: int(length) for axis, length in given if "*" not in axis}
    for axis, length in given:
        factor, _, name = axis.rpartition("*")
        if factor:
            by = found[factor] if factor in found else int(factor)
            found[name] = length // by if by else 0
    return found


def is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, number))


def tells(request: Request, function: Any) -> bool:
    """Whether all sizes of a call are prime and none agree, and no two of its arrays, and no two rows of one."""
    found = sizes(request, function)
    if found == {}:  # the exercise's own example, with nothing to choose
        return True
    if found is None or not all(map(is_prime, found.values())) or len(set(found.values())) < len(found):
        return False
    arrays = [value for value in [*request.args, *request.kwargs.values()] if isinstance(value, np.ndarray)]
    reals = [array for array in arrays if array.dtype.kind == "f"]
    alike = any(a.shape == b.shape and np.array_equal(a, b) for a, b in combinations(reals, 2))
    return not alike and all(len(np.unique(array, axis=0)) == len(array) for array in reals)


def core_tests(assignment: str, but: str = "no test") -> list[tuple[LockedTest, Trial]]:
    """Return the hidden core tests, but for those whose name holds a text, and what the reference did in them."""
    given = load_assignment(ROOT / "assignments" / assignment).manifest.given_names
    reference = Subject(Role.RIGHT, "reference", patched(reference_of(assignment), (), given))
    heard = heard_from(
        assignment,
        [reference],
        lambda test: (test.suite, test.tier) == (Suite.HIDDEN, Tier.CORE) and but not in test.id,
    )
    assert {trial.status for _, trial in heard["reference"]} == {Status.PASSED}
    return heard["reference"]


@pytest.mark.parametrize("assignment", ["attention", "context", "masking", "positions"])
def test_in_every_core_test_some_call_has_prime_sizes_none_of_which_agree(assignment: str) -> None:
    functions = {name: value for source in reference_of(assignment) for name, value in vars(source.namespace()).items()}
    blind = [
        f"{test.id}: {[sizes(call.request, functions[call.request.function]) for call in trial.calls]}"
        for test, trial in core_tests(assignment)
        if not any(tells(call.request, functions[call.request.function]) for call in trial.calls)
    ]
    assert blind == []


def cut(request: Request) -> list[int]:
    """The sizes of a call that takes its keys, or its scores, in pieces: how many there are, and how many at a time."""
    if request.function == "online_softmax":
        [blocks] = request.args
        return [len(blocks[0]), *(block.shape[-1] for block in blocks)]
    Q, K, V, tile = request.args
    queries = [] if request.kwargs.get("causal") else [len(Q)]  # tokens are their own keys
    return [*queries, len(K), K.shape[-1], V.shape[-1], tile]


def test_in_every_core_test_of_efficient_some_call_is_cut_into_pieces_of_a_size_that_nothing_else_has() -> None:
    sizes_of = {
        test.id: [cut(call.request) for call in trial.calls]
        for test, trial in core_tests("efficient", but="8192_tokens")
    }
    assert len(sizes_of) == 3
    assert [test for test, found in sizes_of.items() if all(len(set(sizes)) < len(sizes) for sizes in found)] == []


def model(request: Request) -> list[int] | None:
    """The sizes of a model, its width as that of a head, and the other numbers of a call; None where it has no model."""
    shape, *numbers = request.args
    if not hasattr(shape, "d_model"):
        return None
    return [shape.n_layer, shape.n_head, shape.d_model // shape.n_head, shape.vocab_size, shape.block_size, *numbers]


def test_in_every_core_test_of_shapes_some_model_has_prime_sizes_none_of_which_agree() -> None:
    models = {test.id: [model(call.request) for call in trial.calls] for test, trial in core_tests("shapes")}
    asked = {test: [sizes for sizes in found if sizes] for test, found in models.items()}
    asked = {test: found for test, found in asked.items() if found}
    assert len({test.partition("::")[0] for test in asked}) == 4
    blind = [
        test
        for test, found in asked.items()
        if not any(all(map(is_prime, sizes)) and len(set(sizes)) == len(sizes) for sizes in found)
    ]
    assert blind == []
