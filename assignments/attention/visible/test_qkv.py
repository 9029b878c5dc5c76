"""attention.qkv: three views of the same tokens, each through a matrix of its own."""

import numpy as np

from grader.testing import as_array, assert_close, assert_rejects, assert_tuple, assert_unchanged, core, edge, exercise

pytestmark = exercise("attention.qkv")

X = np.array([[1.0, 2.0], [3.0, 0.0], [-1.0, 1.0]])
W_Q = np.array([[1.0, 2.0], [0.0, 1.0]])
W_K = np.array([[0.0, 1.0], [1.0, 3.0]])
W_V = np.array([[2.0, 0.0], [1.0, -1.0]])
W_V_WIDE = np.array([[2.0, 0.0, 1.0], [1.0, -1.0, 5.0]])
Q = np.array([[1.0, 4.0], [3.0, 6.0], [-1.0, -1.0]])
K = np.array([[2.0, 7.0], [0.0, 3.0], [1.0, 2.0]])
V = np.array([[4.0, -2.0], [6.0, 0.0], [-1.0, -1.0]])


@core
def test_three_results_come_back_in_the_order_q_k_v(submission):
    parts = assert_tuple(submission.project_qkv(X, W_Q, W_K, W_V), 3, what="(Q, K, V)")
    for name, part, expected in zip("QKV", parts, (Q, K, V), strict=True):
        assert_close(part, expected, what=name)


@core
def test_values_may_be_wider_than_keys(submission):
    parts = assert_tuple(submission.project_qkv(X, W_Q, W_K, W_V_WIDE), 3, what="(Q, K, V)")
    wide = np.array([[4.0, -2.0, 11.0], [6.0, 0.0, 3.0], [-1.0, -1.0, 4.0]])
    for name, part, expected in zip("QKV", parts, (Q, K, wide), strict=True):
        assert_close(part, expected, what=name)


@edge
def test_a_batch_is_projected_like_its_sequences(submission):
    batch = np.stack([X, X[::-1]])
    parts = assert_tuple(submission.project_qkv(np.stack([batch, 2 * batch]), W_Q, W_K, W_V), 3, what="(Q, K, V)")
    for name, part, one in zip("QKV", parts, (Q, K, V), strict=True):
        expected = np.stack([one, one[::-1]])
        assert_close(part, np.stack([expected, 2 * expected]), what=f"{name} for two batch axes")


@edge
def test_float32_stays_float32(submission):
    arrays = (array.astype(np.float32) for array in (X, W_Q, W_K, W_V))
    for name, part in zip("QKV", assert_tuple(submission.project_qkv(*arrays), 3), strict=True):
        as_array(part, dtype=np.float32, what=name)


@edge
def test_integers_become_float64(submission):
    arrays = (array.astype(np.int64) for array in (X, W_Q, W_K, W_V))
    for name, part, expected in zip("QKV", assert_tuple(submission.project_qkv(*arrays), 3), (Q, K, V), strict=True):
        assert_close(part, expected, what=name)


@edge
def test_the_arguments_are_left_alone(submission):
    assert_unchanged(submission.project_qkv, np.stack([X, X]), W_Q, W_K, W_V)


@edge
def test_a_matrix_that_does_not_fit_is_an_error(submission):
    assert_rejects(submission.project_qkv, X, W_Q, W_K, np.ones((3, 2)))
    assert_rejects(submission.project_qkv, X[:, :1], W_Q, W_K, W_V)
