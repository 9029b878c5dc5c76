"""shapes.matmul_shape: NumPy's rule, without NumPy."""

import re

from grader.testing import assert_rejects, assert_tuple, core, edge, exercise

pytestmark = exercise("shapes.matmul_shape")


def assert_product(submission, a, b, expected):
    got = assert_tuple(submission.matmul_shape(a, b), len(expected), f"the shape of {a} @ {b}")
    assert got == expected, f"{a} @ {b} has shape {expected}, not {got}"


@core
def test_the_inner_axis_is_gone(submission):
    assert_product(submission, (5, 2), (2, 7), (5, 7))


@core
def test_queries_meet_the_transpose_of_keys(submission):
    assert_product(submission, (5, 2), (2, 5), (5, 5))


@core
def test_batch_axes_stay_in_front(submission):
    assert_product(submission, (3, 5, 2), (3, 2, 7), (3, 5, 7))
    assert_product(submission, (4, 3, 5, 2), (4, 3, 2, 7), (4, 3, 5, 7))


@core
def test_one_matrix_serves_a_whole_batch(submission):
    assert_product(submission, (4, 3, 5, 2), (2, 7), (4, 3, 5, 7))
    assert_product(submission, (5, 2), (4, 2, 7), (4, 5, 7))


@core
def test_batch_axes_are_aligned_from_the_right_and_an_axis_of_one_stretches(submission):
    assert_product(submission, (3, 5, 2), (4, 3, 2, 7), (4, 3, 5, 7))
    assert_product(submission, (4, 1, 5, 2), (1, 3, 2, 7), (4, 3, 5, 7))


@core
def test_a_vector_on_the_left_is_a_row_for_a_moment(submission):
    assert_product(submission, (2,), (2, 7), (7,))
    assert_product(submission, (2,), (4, 2, 7), (4, 7))


@core
def test_a_vector_on_the_right_is_a_column_for_a_moment(submission):
    assert_product(submission, (5, 2), (2,), (5,))
    assert_product(submission, (4, 5, 2), (2,), (4, 5))


@core
def test_two_vectors_make_a_number(submission):
    assert_product(submission, (3,), (3,), ())


@core
def test_inner_axes_that_differ_are_an_error(submission):
    for a, b in (((5, 2), (7, 2)), ((5, 2), (1, 7)), ((2,), (3,)), ((5, 2), (3,)), ((4, 5, 2), (4, 3, 7))):
        assert_rejects(submission.matmul_shape, a, b)


@edge
def test_batch_axes_that_differ_are_an_error_that_tells_both_shapes(submission):
    said = assert_rejects(submission.matmul_shape, (4, 3, 5, 2), (4, 11, 2, 7))
    for shape in (r"4\D{1,3}3\D{1,3}5\D{1,3}2", r"4\D{1,3}11\D{1,3}2\D{1,3}7"):
        assert re.search(shape, said), f"the message should hold both shapes, and is {said!r:.200}"
    assert_rejects(submission.matmul_shape, (4, 3, 5, 2), (4, 2, 7))


@edge
def test_what_has_no_axes_is_an_error(submission):
    for a, b in (((), (3,)), ((3,), ()), ((5, 2), ())):
        assert_rejects(submission.matmul_shape, a, b)


@edge
def test_an_axis_may_be_empty(submission):
    assert_product(submission, (0, 2), (2, 7), (0, 7))
    assert_product(submission, (5, 0), (0, 7), (5, 7))
    assert_product(submission, (0, 5, 2), (1, 2, 7), (0, 5, 7))
