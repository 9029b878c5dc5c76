"""The visible tests of the worked examples show what a softmax down the columns gives, before they refuse it."""

from __future__ import annotations

import contextlib
import importlib.util
from types import SimpleNamespace

import numpy as np
import pytest

from grader.testing.heat import keep_heat_maps
from tests.testing.apart import apart


def down_the_columns(scores, mask=None):
    e = np.exp(scores if mask is None else np.where(mask, scores, -np.inf))
    return e / e.sum(axis=-2, keepdims=True)


def attention_weights(Q, K, mask=None):
    return down_the_columns(Q @ K.T / np.sqrt(Q.shape[-1]), mask)


def attention_steps(Q, K, V):
    mask = np.tri(len(Q), dtype=bool)
    scores = Q @ K.T / np.sqrt(Q.shape[-1])
    return {"scores": scores, "masked": scores, "weights": down_the_columns(scores, mask), "output": V}


def two_token_example():
    scores = np.array([[1.0, 3.0], [2.0, 6.0]])
    return {"S": scores, "A": down_the_columns(scores, np.tri(2, dtype=bool)), "Z": scores}


SUBMISSION = SimpleNamespace(
    attention_weights=attention_weights,
    attention_steps=attention_steps,
    two_token_example=two_token_example,
    masked_softmax=down_the_columns,
)

SHOWING = [
    ("attention", "test_weights", "test_without_a_mask_all_keys_share"),
    ("attention", "test_weights", "test_a_hidden_key_has_no_share_and_the_others_take_it_over"),
    ("attention", "test_steps", "test_weights_are_shares_of_what_each_token_may_see"),
    ("attention", "test_two_tokens", "test_the_first_token_sees_itself_and_the_second_sees_both"),
    ("masking", "test_softmax", "test_weights_are_shares_of_exp_of_the_scores"),
    ("masking", "test_softmax", "test_the_first_of_the_lectures_two_tokens_sees_only_itself"),
]


@pytest.mark.parametrize(("assignment", "file", "name"), SHOWING, ids=lambda part: part)
@apart
def test_columns_that_sum_to_one_are_shown_beside_rows_that_do(course, assignment, file, name):
    path = course / "assignments" / assignment / "visible" / f"{file}.py"
    spec = importlib.util.spec_from_file_location(f"shown_{assignment}_{file}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    shown = keep_heat_maps()
    with contextlib.suppress(AssertionError):
        getattr(module, name)(SUBMISSION)
    [heat] = shown
    sums = np.array(heat.got).sum(axis=0)
    assert np.allclose(sums[sums > 0], 1, atol=1e-5)
    assert np.allclose(np.array(heat.right).sum(axis=1), 1, atol=1e-5)
