"""Two layers of two heads, on two tokens: every number can be checked by hand."""

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
    show_heat_map,
)

pytestmark = exercise("interpret.rollout")

FIRST = [[[1.0, 0.0], [0.2, 0.8]], [[1.0, 0.0], [0.6, 0.4]]]  # the mean head is [[1, 0], [.4, .6]]
LAST = [[[1.0, 0.0], [1.0, 0.0]], [[0.6, 0.4], [0.2, 0.8]]]  # the mean head is [[.8, .2], [.6, .4]]
MAPS = torch.tensor([FIRST, LAST], dtype=torch.float64)


@core
def test_the_rollout_multiplies_what_the_layers_pass_on(submission):
    """The first layer passes on [[1, 0], [.2, .8]], the last [[.9, .1], [.3, .7]]."""
    got = as_tensor(submission.rollout(MAPS), shape=(2, 2), what="the rollout")
    expected = torch.tensor([[0.92, 0.08], [0.44, 0.56]], dtype=torch.float64)
    show_heat_map(got, expected.numpy(), "the rollout of two layers")
    assert_row_stochastic(got, what="the rollout")
    assert_close(got, expected, what="the rollout")


@edge
def test_a_single_layer_is_passed_on_by_half(submission):
    expected = torch.tensor([[1.0, 0.0], [0.2, 0.8]], dtype=torch.float64)
    assert_close(submission.rollout(MAPS[:1]), expected, what="the rollout of the first layer")


@edge
def test_the_dtype_stays(submission):
    as_tensor(submission.rollout(MAPS.float()), dtype=torch.float32, what="the rollout of float32 maps")


@edge
def test_gradients_reach_the_maps(submission):
    """A weight counts half in the mean of two heads, half again beside the identity, and then what it is multiplied by."""
    last = torch.tensor([[1.0, 0.0], [0.2, 0.8]], dtype=torch.float64)  # what the last layer's weights multiply
    g = torch.tensor([[1.0, 0.0], [0.0, 3.0]], dtype=torch.float64)
    _, [grad] = submission.rollout.vjp(MAPS, wrt=[0], cotangents=[g])
    assert_close(grad[1, 0], g @ last.T / 4, what="the gradient of a head of the last layer")


@edge
def test_other_shapes_are_refused(submission):
    for maps in (MAPS[0], MAPS[:, :, :1]):
        assert_rejects(submission.rollout, maps, error=("ValueError", "RuntimeError", "IndexError"))


@edge
def test_the_maps_stay_as_they_were(submission):
    assert_unchanged(submission.rollout, MAPS)
