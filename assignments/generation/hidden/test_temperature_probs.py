"""generation.temperature_probs: softmax(logits / T), and the first of the largest at 0."""

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

pytestmark = exercise("generation.temperature_probs")

V = 7


def normal(rng, *shape):
    return torch.from_numpy(rng.normal(size=shape))


@core
def test_logits_are_divided_by_the_temperature_and_softmaxed(submission, reference, rng):
    logits = 2 * normal(rng, 3, V)
    for temperature in (1.0, float(rng.uniform(0.3, 0.8)), float(rng.uniform(1.3, 3.0))):
        got = submission.temperature_probs(logits, temperature)
        what = f"the probabilities at temperature {temperature:.3g}"
        assert_row_stochastic(as_tensor(got, shape=(3, V), what=what), what=what)
        assert_close(got, reference.temperature_probs(logits, temperature), rtol=1e-5, atol=1e-6, what=what)


@edge
def test_at_0_everything_is_on_the_first_of_the_largest(submission, rng):
    logits = normal(rng, 5, V)
    first, last = sorted(rng.choice(V, size=2, replace=False).tolist())
    logits[3, [first, last]] = 9.0
    logits[4] = 1.0
    expected = torch.zeros(5, V, dtype=torch.float64)
    for row, token in enumerate([*logits[:3].argmax(dim=-1).tolist(), first, 0]):
        expected[row, token] = 1.0
    assert_close(submission.temperature_probs(logits, 0.0), expected, what="the probabilities at temperature 0")


@edge
def test_one_row_or_a_batch_of_batches(submission, rng):
    logits = 2 * normal(rng, 2, 3, V)
    for temperature in (0.7, 0.0):
        got = as_tensor(submission.temperature_probs(logits, temperature), shape=(2, 3, V))
        for alone in (logits[1, 1], logits[1, 1:2]):
            row = submission.temperature_probs(alone, temperature).reshape(V)
            assert_close(got[1, 1], row, rtol=1e-5, atol=1e-6, what="one row out of a batch [2, 3, V]")


@edge
def test_large_logits_and_hidden_ones_give_no_nan(submission, rng):
    near = normal(rng, 2, V)
    temperature = float(rng.uniform(0.5, 0.9))
    expected = submission.temperature_probs(near, temperature)
    got = submission.temperature_probs(near + 4000.0, temperature)
    assert_close(got, expected, rtol=1e-5, atol=1e-6, what="the probabilities of the same logits, each 4000 larger")
    hidden = torch.cat([near, torch.full((2, 1), -torch.inf, dtype=torch.float64)], dim=1)
    padded = torch.cat([as_tensor(expected, shape=(2, V)), torch.zeros(2, 1, dtype=torch.float64)], dim=1)
    got = submission.temperature_probs(hidden, temperature)
    assert_close(got, padded, rtol=1e-5, atol=1e-6, what="the probabilities with one logit of -inf")


@edge
def test_the_dtype_stays(submission, rng):
    for dtype in (torch.float32, torch.float64):
        for temperature in (0.0, 0.7):
            got = submission.temperature_probs(normal(rng, 2, V).to(dtype), temperature)
            as_tensor(got, dtype=dtype, what=f"the probabilities of {dtype} logits at temperature {temperature}")


@edge
def test_gradients_reach_the_logits(submission, rng):
    """Against differences of the submission's own values: whether those are right is a question of its own."""
    logits, g, v = (normal(rng, 2, V) for _ in range(3))
    temperature, h = float(rng.uniform(0.5, 2.0)), 1e-5
    _, [grad] = submission.temperature_probs.vjp(logits, temperature, wrt=[0], cotangents=[g])
    ahead, behind = (submission.temperature_probs(logits + sign * h * v, temperature) for sign in (1, -1))
    along = (as_tensor(grad, shape=(2, V), what="the gradient of the logits") * v).sum()
    slope = (g * (ahead - behind)).sum() / (2 * h)
    assert_close(along, slope, rtol=1e-4, atol=1e-5, what="the gradient of the logits, along one direction")


@edge
def test_a_negative_temperature_is_refused(submission, rng):
    for temperature in (-float(rng.uniform(0.1, 0.9)), -float(rng.uniform(1.1, 2))):
        assert_rejects(submission.temperature_probs, normal(rng, 2, V), temperature)


@edge
def test_the_logits_stay_as_they_were(submission, rng):
    for temperature in (0.0, 0.7):
        assert_unchanged(submission.temperature_probs, normal(rng, 2, V), temperature)
