"""attention.steps: three tokens of width 2, every step by hand."""

import numpy as np

from grader.testing import (
    as_array,
    assert_close,
    assert_equal,
    assert_keys,
    assert_rejects,
    assert_row_stochastic,
    assert_unchanged,
    core,
    edge,
    exercise,
    show_heat_map,
)

pytestmark = exercise("attention.steps")

KEYS = ("scores", "masked", "weights", "output")

# The root of 2 in Q takes the scale out, and the logarithms in K make every exponential a whole number.
Q = np.sqrt(2) * np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
K = np.log([[2.0, 3.0], [4.0, 1.0], [5.0, 2.0]])
V = np.array([[10.0, 0.0], [20.0, 40.0], [30.0, 80.0]])
SCORES = np.log([[2.0, 4.0, 5.0], [3.0, 1.0, 2.0], [6.0, 4.0, 10.0]])
WEIGHTS = np.array([[1, 0, 0], [0.75, 0.25, 0], [0.3, 0.2, 0.5]])
OUTPUT = np.array([[10.0, 0.0], [12.5, 10.0], [22.0, 48.0]])


@core
def test_scores_come_before_the_mask(submission):
    assert_close(assert_keys(submission.attention_steps(Q, K, V), *KEYS)["scores"], SCORES, what="`scores`")


@core
def test_masked_scores_show_the_past_and_hide_what_lies_ahead(submission):
    got = assert_keys(submission.attention_steps(Q, K, V), *KEYS)
    masked = as_array(got["masked"], shape=(3, 3), what="`masked`")
    past = np.tri(3, dtype=bool)
    assert_close(masked[past], SCORES[past], what="`masked` where a key lies in the past")
    assert (masked[~past] < -1e6).all(), "`masked` should be -inf where a key lies ahead of its query"


@core
def test_weights_are_shares_of_what_each_token_may_see(submission):
    got = assert_keys(submission.attention_steps(Q, K, V), *KEYS)
    show_heat_map(got["weights"], WEIGHTS, "the weights of three tokens")
    assert_row_stochastic(got["weights"], what="`weights`")
    assert_close(got["weights"], WEIGHTS, what="`weights`")


@core
def test_the_output_is_their_mean_of_the_values(submission):
    assert_close(assert_keys(submission.attention_steps(Q, K, V), *KEYS)["output"], OUTPUT, what="`output`")


@core
def test_a_shorter_sequence_is_worked_in_the_same_way(submission):
    # A causal token never hears of what comes after it, so the first two come out as they do among three.
    got = assert_keys(submission.attention_steps(Q[:2], K[:2], V[:2]), *KEYS)
    assert_close(got["weights"], WEIGHTS[:2, :2], what="`weights` of two tokens")
    assert_close(got["output"], OUTPUT[:2], what="`output` of two tokens")


@edge
def test_hidden_scores_are_exactly_minus_infinity(submission):
    got = assert_keys(submission.attention_steps(Q, K, V), *KEYS)
    masked = as_array(got["masked"], shape=(3, 3), what="`masked`")
    assert_equal(np.isneginf(masked), ~np.tri(3, dtype=bool), what="where `masked` is -inf")


@edge
def test_a_batch_is_worked_like_its_examples(submission):
    got = assert_keys(submission.attention_steps(*(np.stack([array, array]) for array in (Q, K, V))), *KEYS)
    assert_close(got["weights"], np.stack([WEIGHTS, WEIGHTS]), what="`weights` of a batch")
    assert_close(got["output"], np.stack([OUTPUT, OUTPUT]), what="`output` of a batch")


@edge
def test_float32_stays_float32(submission):
    got = assert_keys(submission.attention_steps(*(array.astype(np.float32) for array in (Q, K, V))), *KEYS)
    for key in KEYS:
        as_array(got[key], dtype=np.float32, what=f"`{key}` of float32")


@edge
def test_the_arguments_are_left_alone(submission):
    assert_unchanged(submission.attention_steps, Q, K, V)


@edge
def test_fewer_keys_than_queries_are_an_error(submission):
    assert_rejects(submission.attention_steps, Q, K[:2], V[:2])
