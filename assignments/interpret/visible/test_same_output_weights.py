"""Any right answer will do: what is asked of it is what the exercise says of it."""

import torch

from grader.testing import (
    as_tensor,
    assert_close,
    assert_rejects,
    assert_row_stochastic,
    assert_unchanged,
    core,
    edge,
    exercise,
)

pytestmark = exercise("interpret.same_output_weights")

A = torch.tensor([[0.5, 0.2, 0.2, 0.1], [0.25, 0.25, 0.25, 0.25]], dtype=torch.float64)
V = torch.tensor([[0.0, 2.0], [1.0, 0.0], [2.0, 3.0], [4.0, 1.0]], dtype=torch.float64)
ERRORS = ("ValueError", "RuntimeError")


def require_other_weights_with_the_same_output(got, weights, values):
    what = "the other weights"
    as_tensor(got, shape=tuple(weights.shape), dtype=weights.dtype, what=what)
    for row, least in enumerate(got.amin(dim=-1)):
        assert least >= 0, f"{what}: row {row} has the weight {least:.2g}: your step is too long for this row"
    assert_row_stochastic(got, what=what)
    assert_close(got @ values, weights @ values, what=f"the output of {what}")
    for row, change in enumerate((got - weights).abs().amax(dim=-1)):
        assert change > 1e-6, f"{what}: no weight of row {row} differs from what it was by more than 1e-6"


@core
def test_every_row_differs_and_the_output_does_not(submission):
    require_other_weights_with_the_same_output(submission.same_output_weights(A, V), A, V)
    require_other_weights_with_the_same_output(submission.same_output_weights(A, V[:, :1]), A, V[:, :1])


@edge
def test_a_row_that_is_nearly_sure_gives_only_what_it_has(submission):
    rest = torch.tensor(
        [[0.002], [0.001], [5e-6], [5e-6]], dtype=torch.float64
    )  # whatever a fixed step, it is too long
    sure = torch.where(torch.eye(4, dtype=torch.bool), 1 - 3 * rest, rest)
    require_other_weights_with_the_same_output(submission.same_output_weights(sure, V), sure, V)


@edge
def test_a_value_that_comes_twice_is_direction_enough(submission):
    values = torch.tensor([[0.0, 2.0, 1.0], [1.0, 0.0, 5.0], [0.0, 2.0, 1.0]], dtype=torch.float64)
    weights = torch.tensor([[0.2, 0.3, 0.5]], dtype=torch.float64)
    require_other_weights_with_the_same_output(submission.same_output_weights(weights, values), weights, values)


@edge
def test_without_a_null_direction_it_is_refused(submission):
    weights = torch.tensor([[0.2, 0.3, 0.5]], dtype=torch.float64)
    assert_rejects(submission.same_output_weights, weights, V[:3], error=ERRORS)


@edge
def test_a_row_without_room_is_refused(submission):
    """Two values are alike, so that the one direction trades weight between their keys, and both have next to none."""
    values = torch.tensor([[0.0, 2.0], [4.0, 1.0], [1.0, 0.0], [1.0, 0.0]], dtype=torch.float64)
    weights = torch.tensor([[0.25, 0.25, 0.25, 0.25], [0.3, 0.7 - 4e-9, 2e-9, 2e-9]], dtype=torch.float64)
    assert_rejects(submission.same_output_weights, weights, values, error=ERRORS)


@edge
def test_weights_of_0_and_other_shapes_are_refused(submission):
    zero = torch.tensor([[0.5, 0.0, 0.2, 0.3]], dtype=torch.float64)
    for weights, values in ((zero, V), (A, V[:3]), (A[0], V)):
        assert_rejects(submission.same_output_weights, weights, values, error=(*ERRORS, "IndexError"))


@edge
def test_the_dtype_stays(submission):
    require_other_weights_with_the_same_output(
        submission.same_output_weights(A.float(), V.float()), A.float(), V.float()
    )


@edge
def test_weights_and_values_stay_as_they_were(submission):
    assert_unchanged(submission.same_output_weights, A, V)
