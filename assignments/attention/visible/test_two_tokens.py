"""attention.two_tokens: the lecture's example, Q = [1, 2], K = [1, 3], V = [10, 20]."""

import numpy as np

from grader.testing import (
    as_array,
    assert_close,
    assert_keys,
    assert_rejects,
    assert_row_stochastic,
    assert_unchanged,
    core,
    edge,
    exercise,
    show_heat_map,
)

pytestmark = exercise("attention.two_tokens")


@core
def test_the_scores_are_the_products_before_any_mask(submission):
    got = assert_keys(submission.two_token_example(), "S", "A", "Z")
    assert_close(got["S"], np.array([[1.0, 3.0], [2.0, 6.0]]), what="S")


@core
def test_the_first_token_sees_itself_and_the_second_sees_both(submission):
    got = assert_keys(submission.two_token_example(), "S", "A", "Z")
    # e^2 and e^6 share one unit: 1 / (1 + e^4) and the rest.
    expected = np.array([[1, 0], [0.01798621, 0.98201379]])
    show_heat_map(got["A"], expected, "the weights of the lecture's two tokens")
    assert_row_stochastic(got["A"], what="A")
    assert_close(got["A"], expected, rtol=1e-6, atol=1e-8, what="A")


@core
def test_the_second_output_is_19_82(submission):
    got = assert_keys(submission.two_token_example(), "S", "A", "Z")
    assert_close(got["Z"], np.array([[10.0], [19.8201379]]), rtol=1e-8, atol=1e-7, what="Z")


@core
def test_other_numbers_are_worked_in_the_same_way(submission):
    # Scores 0, ln 3 and 0, 2 ln 3: e to them is 1, 3 and 1, 9.
    Q, K, V = np.array([[1.0], [2.0]]), np.array([[0.0], [np.log(3)]]), np.array([[-10.0], [30.0]])
    got = assert_keys(submission.two_token_example(Q, K, V), "S", "A", "Z")
    assert_close(got["S"], np.log([[1.0, 3.0], [1.0, 9.0]]), what="S of other numbers")
    assert_close(got["A"], np.array([[1.0, 0.0], [0.1, 0.9]]), what="A of other numbers")
    assert_close(got["Z"], np.array([[-10.0], [26.0]]), what="Z of other numbers")


@core
def test_vectors_of_width_4_are_scaled_by_2(submission):
    Q, K = (
        np.array([[1.0, 0.0, 0.0, 1.0], [2.0, 1.0, 0.0, 0.0]]),
        np.array([[2.0, 0.0, 5.0, 2.0], [0.0, 6.0, 1.0, 4.0]]),
    )
    got = assert_keys(submission.two_token_example(Q=Q, K=K), "S", "A", "Z")
    assert_close(got["S"], np.array([[2.0, 2.0], [2.0, 3.0]]), what="S for d_k = 4")
    assert_row_stochastic(got["A"], what="A for d_k = 4")


@core
def test_values_may_be_wide(submission):
    V = np.array([[10.0, 0.0, 1.0], [20.0, 5.0, 1.0]])
    got = assert_keys(submission.two_token_example(V=V), "S", "A", "Z")
    expected = np.array([[10.0, 0.0, 1.0], [19.8201379, 4.91006895, 1.0]])
    assert_close(got["Z"], expected, rtol=1e-8, atol=1e-7, what="Z for values of width 3")


@edge
def test_float32_stays_float32(submission):
    arrays = (np.array(column, dtype=np.float32) for column in ([[1], [2]], [[1], [3]], [[10], [20]]))
    got = assert_keys(submission.two_token_example(*arrays), "S", "A", "Z")
    for key in ("S", "A", "Z"):
        as_array(got[key], dtype=np.float32, what=f"{key} of float32")


@edge
def test_the_arguments_are_left_alone(submission):
    assert_unchanged(
        submission.two_token_example, *(np.array(column) for column in ([[1.0], [2]], [[1.0], [3]], [[10.0], [20]]))
    )


@edge
def test_what_does_not_fit_is_an_error(submission):
    # Queries of width 3 meet the lecture's keys of width 1; then three values stand against two keys.
    assert_rejects(submission.two_token_example, np.array([[1.0, 0.0, 1.0], [2.0, 1.0, 0.0]]))
    assert_rejects(submission.two_token_example, V=np.array([[10.0], [20.0], [30.0]]))
