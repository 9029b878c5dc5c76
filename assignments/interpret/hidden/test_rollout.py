"""interpret.rollout: half of each layer's mean head and half the identity, multiplied, the last layer leftmost."""

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

pytestmark = exercise("interpret.rollout")

L, H, T = 3, 2, 5


def maps(rng, *shape, alpha=0.5):
    """Draw attention weights; a small alpha makes them unlike each other."""
    return torch.from_numpy(rng.dirichlet([alpha] * shape[-1], size=shape[:-1]))


@core
def test_the_rollout_multiplies_what_the_layers_pass_on(submission, reference, rng):
    full = maps(rng, L, H, T, T)
    causal = full.tril() + torch.eye(T, dtype=full.dtype) / 10
    for A, what in (
        (full, f"the rollout of {L} layers"),
        (causal / causal.sum(dim=-1, keepdim=True), "the rollout of causal maps"),
        (full[:2, :, :3, :3].softmax(dim=-1), "the rollout of 2 layers"),
    ):
        got = as_tensor(submission.rollout(A), shape=A.shape[-2:], what=what)
        assert_row_stochastic(got, what=what)
        assert_close(got, reference.rollout(A), what=what)


@edge
def test_one_layer_of_one_head_is_passed_on_by_half(submission, rng):
    A = maps(rng, 1, 1, T, T)
    twice = A.repeat(1, 2, 1, 1)
    assert_close(submission.rollout(A), submission.rollout(twice), what="the rollout of one head, instead of two alike")
    as_tensor(submission.rollout(A[..., :1, :1] * 0 + 1), shape=(1, 1), what="the rollout of a single token")


@edge
def test_the_dtype_stays(submission, rng):
    got = submission.rollout(maps(rng, L, H, T, T).float())
    as_tensor(got, dtype=torch.float32, what="the rollout of float32 maps")


@edge
def test_gradients_reach_the_maps(submission, rng):
    """Along a direction the gradient says what two rollouts near each other say."""
    A, direction, g = maps(rng, L, H, T, T), maps(rng, L, H, T, T), torch.from_numpy(rng.normal(size=(T, T)))
    _, [grad] = submission.rollout.vjp(A, wrt=[0], cotangents=[g])
    ahead, behind = (submission.rollout(A + step * direction) for step in (1e-4, -1e-4))
    slope = ((ahead - behind) * g).sum() / 2e-4
    assert_close(
        (grad * direction).sum(), slope, rtol=1e-5, atol=1e-6, what="the gradient of the maps, along a direction"
    )


@edge
def test_other_shapes_are_refused(submission, rng):
    for shape in ((H, T, T), (2, L, H, T, T), (L, H, 1, T), (L, H, T, 1)):
        assert_rejects(submission.rollout, maps(rng, *shape), error=("ValueError", "RuntimeError", "IndexError"))


@edge
def test_the_maps_stay_as_they_were(submission, rng):
    assert_unchanged(submission.rollout, maps(rng, L, H, T, T))
