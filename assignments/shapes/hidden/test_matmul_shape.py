"""What decides the score of `matmul_shape`: matrices, vectors and what does not fit, then every edge by itself."""

import re

from grader.testing import assert_rejects, assert_tuple, core, edge, exercise

pytestmark = exercise("shapes.matmul_shape")


def sizes(rng, count):
    """Draw different primes."""
    return [int(size) for size in rng.choice([2, 3, 5, 7, 11, 13, 17, 19, 23], size=count, replace=False)]


def assert_product(submission, a, b, expected):
    got = assert_tuple(submission.matmul_shape(a, b), len(expected), f"the shape of {a} @ {b}")
    assert got == expected, f"{a} @ {b} has shape {expected}, not {got}"


def assert_names(said, *shapes):
    """Check that a message holds some shapes, however they are written."""
    for shape in shapes:
        written = r"\D{1,3}".join(map(str, shape))
        assert re.search(rf"(?<!\d){written}(?!\d)", said), f"the message should hold the shape {shape}: {said!r:.200}"


@core
def test_inner_axes_go_outer_axes_stay_and_batch_axes_stretch(submission, rng):
    n, k, m, B, H, C = sizes(rng, 6)
    assert_product(submission, (n, k), (k, m), (n, m))
    assert_product(submission, (B, n, k), (B, k, m), (B, n, m))
    assert_product(submission, (B, H, n, k), (B, H, k, m), (B, H, n, m))
    assert_product(submission, (B, H, n, k), (k, m), (B, H, n, m))
    assert_product(submission, (n, k), (B, H, k, m), (B, H, n, m))
    assert_product(submission, (H, n, k), (B, H, k, m), (B, H, n, m))
    assert_product(submission, (B, H, n, k), (B, 1, k, m), (B, H, n, m))
    assert_product(submission, (B, 1, n, k), (1, H, k, m), (B, H, n, m))
    assert_product(submission, (C, B, 1, n, k), (H, k, m), (C, B, H, n, m))
    assert_product(submission, (B, n, k), (H, 1, k, m), (H, B, n, m))
    assert_product(submission, (B, H, 1, k), (B, H, k, 1), (B, H, 1, 1))


@core
def test_a_vector_has_an_axis_only_during_the_product(submission, rng):
    n, k, m, B, H = sizes(rng, 5)
    assert_product(submission, (n, k), (k,), (n,))
    assert_product(submission, (k,), (k, m), (m,))
    assert_product(submission, (k,), (k,), ())
    assert_product(submission, (k,), (B, H, k, m), (B, H, m))
    assert_product(submission, (B, H, n, k), (k,), (B, H, n))
    assert_product(submission, (1,), (1, m), (m,))


@core
def test_inner_axes_that_differ_are_refused(submission, rng):
    n, k, m, B, other = sizes(rng, 5)
    for a, b in (
        ((n, k), (other, m)),
        ((n, k), (m, k)),
        ((k, n), (k, m)),
        ((n, k), (1, m)),
        ((n, 1), (k, m)),
        ((B, n, k), (B, other, m)),
        ((k,), (other, m)),
        ((n, k), (other,)),
        ((k,), (other,)),
        ((n, 1), (k,)),
    ):
        assert_rejects(submission.matmul_shape, a, b)


@edge
def test_batch_axes_that_differ_are_refused_and_the_message_holds_both_shapes(submission, rng):
    n, k, m, B, H, other = sizes(rng, 6)
    for a, b in (
        ((B, n, k), (other, k, m)),
        ((0, n, k), (B, k, m)),
        ((B, H, n, k), (B, other, k, m)),
        ((B, H, n, k), (other, H, k, m)),
        ((B, H, n, k), (B, k, m)),
        ((H, n, k), (H, B, k, m)),
    ):
        assert_names(assert_rejects(submission.matmul_shape, a, b), a, b)
    for a, b in (((n, k), (other, m)), ((B, H, n, k), (other, m)), ((n, k), (other,))):
        assert_names(assert_rejects(submission.matmul_shape, a, b), a, b)


@edge
def test_what_has_no_axes_is_refused(submission, rng):
    n, k = sizes(rng, 2)
    for a, b in (((), (k,)), ((k,), ()), ((), (n, k)), ((n, k), ()), ((), ())):
        assert_rejects(submission.matmul_shape, a, b)


@edge
def test_an_axis_may_be_empty(submission, rng):
    n, k, m, B = sizes(rng, 4)
    assert_product(submission, (0, k), (k, m), (0, m))
    assert_product(submission, (n, 0), (0, m), (n, m))
    assert_product(submission, (B, n, k), (B, k, 0), (B, n, 0))
    assert_product(submission, (0, n, k), (1, k, m), (0, n, m))
    assert_product(submission, (1, n, k), (0, k, m), (0, n, m))
