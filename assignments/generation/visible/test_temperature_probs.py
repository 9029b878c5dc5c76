"""What a temperature does to probabilities, on numbers that can be followed by hand."""

import math

import torch

from grader.testing import as_tensor, assert_close, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("generation.temperature_probs")

# The probabilities 0.1, 0.6, 0.3, as logits; any number may be added to all.
LOGITS = torch.tensor([[1.0, 6.0, 3.0]], dtype=torch.float64).log() + 2.0


@core
def test_temperature_1_is_the_softmax(submission):
    expected = torch.tensor([[0.1, 0.6, 0.3]], dtype=torch.float64)
    assert_close(submission.temperature_probs(LOGITS, 1.0), expected, rtol=1e-5, atol=1e-6, what="the probabilities")


@core
def test_a_low_temperature_sharpens_and_a_high_one_flattens(submission):
    """Dividing logits by T is raising probabilities to the power 1 / T: by 0.5 they are squared, by 2 their root is taken."""
    for temperature, powers in ((0.5, [1.0, 36.0, 9.0]), (2.0, [1.0, math.sqrt(6), math.sqrt(3)])):
        expected = torch.tensor([powers], dtype=torch.float64) / sum(powers)
        got = submission.temperature_probs(LOGITS, temperature)
        assert_close(got, expected, rtol=1e-5, atol=1e-6, what=f"the probabilities at temperature {temperature}")


@edge
def test_at_0_everything_is_on_the_first_of_the_largest(submission):
    logits = torch.tensor([[1.0, 3.0, 3.0], [2.0, -1.0, 0.0], [5.0, 5.0, 5.0]], dtype=torch.float64)
    expected = torch.tensor([[0, 1, 0], [1, 0, 0], [1, 0, 0]], dtype=torch.float64)
    assert_close(submission.temperature_probs(logits, 0.0), expected, what="the probabilities at temperature 0")


@edge
def test_large_logits_give_no_nan(submission):
    got = submission.temperature_probs(LOGITS + 5000.0, 1.0)
    expected = torch.tensor([[0.1, 0.6, 0.3]], dtype=torch.float64)
    assert_close(got, expected, rtol=1e-5, atol=1e-6, what="the probabilities of logits near 5000")


@edge
def test_any_number_of_rows_and_the_dtype_stays(submission):
    logits = LOGITS.float()
    for temperature in (0.0, 1.0):
        for shape in ((3,), (2, 2, 3)):
            got = submission.temperature_probs(logits.expand(shape) if len(shape) > 1 else logits[0], temperature)
            as_tensor(got, shape=shape, dtype=torch.float32, what=f"the probabilities of {list(shape)} float32 logits")


@edge
def test_gradients_reach_the_logits(submission):
    g = torch.tensor([[1.0, 0.0, 0.0]], dtype=torch.float64)
    probs, [grad] = submission.temperature_probs.vjp(LOGITS, 1.0, wrt=[0], cotangents=[g])
    assert_close(grad, probs * (g - probs[0, 0]), rtol=1e-5, atol=1e-6, what="the gradient of the first probability")


@edge
def test_a_negative_temperature_is_refused(submission):
    assert_rejects(submission.temperature_probs, LOGITS, -0.5)


@edge
def test_the_logits_stay_as_they_were(submission):
    for temperature in (0.0, 0.5):
        assert_unchanged(submission.temperature_probs, LOGITS, temperature)
