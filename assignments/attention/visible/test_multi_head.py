"""attention.multi_head: several heads side by side, each with its own slice of the columns."""

import numpy as np

from grader.testing import as_array, assert_close, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("attention.multi_head")

# Three tokens that are the unit vectors, so that the rows of W_q, W_k and W_v are the queries, keys and values.
# Two heads of width 2: the first is the example of three tokens worked by hand, the second one like it.
X = np.eye(3)
W_Q = np.sqrt(2) * np.array([[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 0.0]])
W_K = np.log([[2.0, 3.0, 3.0, 2.0], [4.0, 1.0, 1.0, 4.0], [5.0, 2.0, 2.0, 5.0]])
W_V = np.array([[10.0, 0.0, 0.0, 6.0], [20.0, 40.0, 5.0, 12.0], [30.0, 80.0, 12.0, 0.0]])
W_O = np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 2.0, 1.0]])
W_O_SQUARE = np.array([[1.0, 0.0, 2.0, 0.0], [0.0, 1.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [0.0, 2.0, 1.0, 3.0]])
# Weights 1, then 3/4, 1/4, then .3, .2, .5 in the first head; 1, then .6, .4, then 3/6, 1/6, 2/6 in the second.
CAUSAL = np.array([[10.0, 0.0, 0.0, 6.0], [12.5, 10.0, 2.0, 8.4], [22.0, 48.0, 29 / 6, 5.0]])
# Without a mask the first head's rows are 2, 4, 5 of 11, then 3, 1, 2 of 6, then as before.
OPEN = np.array([[250 / 11, 560 / 11, 80 / 11, 60 / 11], [110 / 6, 200 / 6, 7.0, 4.2], [22.0, 48.0, 29 / 6, 5.0]])


@core
def test_one_output_row_for_each_token_as_wide_as_w_o(submission):
    got = submission.multi_head_attention(X, W_Q, W_K, W_V, W_O, 2)
    as_array(got, shape=(3, 3), what="the output of 3 tokens for a W_o of shape (4, 3)")


@core
def test_heads_attend_apart_and_are_mixed_by_w_o(submission):
    got = submission.multi_head_attention(X, W_Q, W_K, W_V, W_O, 2)
    assert_close(got, CAUSAL @ W_O, what="the causal output of two heads")


@core
def test_without_the_causal_mask_every_token_sees_all(submission):
    got = submission.multi_head_attention(X, W_Q, W_K, W_V, W_O_SQUARE, 2, causal=False)
    assert_close(got, OPEN @ W_O_SQUARE, what="the output of two heads with causal=False")


@core
def test_a_token_reaches_every_later_output_and_no_earlier_one(submission):
    tokens = np.array([[1.0, 0.5, 0.0], [0.0, 1.0, 0.5], [0.5, 0.0, 1.0], [1.0, 1.0, -0.5]])
    got = as_array(submission.multi_head_attention(tokens, W_Q, W_K, W_V, W_O, 2), shape=(4, 3))
    for t in range(4):
        changed = tokens.copy()
        changed[t] += 0.25, 0.5, -0.25
        after = as_array(submission.multi_head_attention(changed, W_Q, W_K, W_V, W_O, 2), shape=(4, 3))
        moved = np.abs(after - got).max(axis=-1) > 1e-9
        assert not moved[:t].any(), f"token {t} was changed, and an output before it changed too"
        assert moved[t:].all(), f"token {t} was changed, but not every output from it on changed"


@edge
def test_the_examples_of_a_batch_know_nothing_of_each_other(submission):
    batch = np.stack([X, np.zeros((3, 3))])
    got = submission.multi_head_attention(batch, W_Q, W_K, W_V, W_O, 2)
    assert_close(got, np.stack([CAUSAL @ W_O, np.zeros((3, 3))]), what="the output of a batch")
    got = submission.multi_head_attention(batch[:1, np.newaxis], W_Q, W_K, W_V, W_O, 2)
    assert_close(got, (CAUSAL @ W_O)[np.newaxis, np.newaxis], what="the output of a batch of one, of one")


@edge
def test_one_head_has_all_columns_to_itself(submission):
    got = as_array(
        submission.multi_head_attention(X, W_Q, W_K, W_V, W_O, 1), shape=(3, 3), what="the output of one head"
    )
    assert_close(got[0], CAUSAL[0] @ W_O, what="the output of one head for the first token, which sees itself alone")


@edge
def test_four_columns_do_not_divide_among_three_heads(submission):
    assert_rejects(submission.multi_head_attention, X, W_Q, W_K, W_V, W_O, 3)


@edge
def test_no_heads_at_all_are_an_error(submission):
    assert_rejects(submission.multi_head_attention, X, W_Q, W_K, W_V, W_O, 0)


@edge
def test_float32_stays_float32(submission):
    arrays = (array.astype(np.float32) for array in (X, W_Q, W_K, W_V, W_O))
    as_array(submission.multi_head_attention(*arrays, 2), dtype=np.float32, what="the output of float32")


@edge
def test_one_array_of_float64_is_enough_for_float64(submission):
    arrays = (X, W_Q, W_K, W_V, W_O)
    got = submission.multi_head_attention(X.astype(np.float32), *arrays[1:], 2)
    assert_close(got, CAUSAL @ W_O, what="the output where X alone is float32, with the numbers that it has in float64")
    got = submission.multi_head_attention(*(array.astype(np.float32) for array in arrays[:-1]), W_O, 2)
    as_array(got, dtype=np.float64, what="the output where W_o alone is float64")


@edge
def test_values_of_another_width_than_queries_and_keys_are_an_error(submission):
    wider, fitting = np.hstack([W_V, W_V[:, :2]]), np.vstack([W_O, W_O[2:]])
    assert_rejects(submission.multi_head_attention, X, W_Q, W_K, wider, fitting, 2)


@edge
def test_the_arguments_are_left_alone(submission):
    assert_unchanged(submission.multi_head_attention, X, W_Q, W_K, W_V, W_O, 2)
