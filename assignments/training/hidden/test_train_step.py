"""training.train_step: micro-batches of any sizes are one batch, its gradients are clipped once, and nothing is left over.

The models compute in float64 and gradient descent moves them, so that a step shows the gradients themselves.
"""

import math

import pytest
import torch

from grader.testing import assert_close, assert_equal, assert_rejects, core, edge, exercise

pytestmark = exercise("training.train_step")

V = 5
REFUSED = ("ValueError", "RuntimeError")


def normal(rng, *shape):
    return torch.from_numpy(rng.normal(size=shape))


def weights_of_a_table(rng):
    """Draw the logits after each token, and a bias."""
    return normal(rng, V, V), normal(rng, V)


def batch(rng, B, T, kept):
    """Draw tokens and targets, of which so many are kept, none of them the last of its row's successors by chance."""
    x, y = (torch.from_numpy(rng.integers(V, size=(B, T))) for _ in range(2))
    y.view(-1)[torch.from_numpy(rng.permutation(B * T)[kept:])] = -1
    return x, y


def micro_batches(rng):
    """Draw three micro-batches of unlike sizes and lengths, of which unlike parts are kept."""
    return [batch(rng, 2, 5, 3), batch(rng, 3, 4, 12), batch(rng, 1, 6, 1)]


def require_same_steps(submission, reference, weights, steps, max_norm, *, momentum=0.0, stale=None, **moved):
    """Make steps there and here, and compare each loss and the weights after each step."""
    theirs, ours = submission.Table(*weights), reference.Table(*weights)
    if stale is not None:
        submission.leave_gradients(theirs, stale)
    there, here = submission.sgd(theirs, 0.3, momentum, **moved), reference.sgd(ours, 0.3, momentum, **moved)
    for number, batches in enumerate(steps, start=1):
        got = submission.train_step(theirs, batches, there, max_norm)
        assert_close(got, reference.train_step(ours, batches, here, max_norm), what=f"the loss of step {number}")
        after = theirs.state_dict()
        for name, expected in ours.state_dict().items():
            assert_close(after[name], expected, what=f"{name} after step {number}", rtol=3e-6, atol=1e-8)


@core
def test_micro_batches_are_one_batch(submission, reference, rng):
    require_same_steps(submission, reference, weights_of_a_table(rng), [micro_batches(rng)], math.inf)


@core
def test_gradients_are_clipped_once_when_all_are_added_up(submission, reference, rng):
    weights, batches = weights_of_a_table(rng), micro_batches(rng)
    # Far below any norm that these micro-batches have, alone or together, but not below each entry.
    require_same_steps(submission, reference, weights, [batches], 0.05)


@core
def test_a_second_step_does_not_know_of_the_first(submission, reference, rng):
    require_same_steps(
        submission, reference, weights_of_a_table(rng), [micro_batches(rng), micro_batches(rng)[1:]], math.inf
    )


@edge
def test_gradients_from_before_are_dropped(submission, reference, rng):
    require_same_steps(submission, reference, weights_of_a_table(rng), [micro_batches(rng)], math.inf, stale=0.7)


@edge
def test_a_norm_below_the_largest_is_left_alone(submission, reference, rng):
    require_same_steps(submission, reference, weights_of_a_table(rng), [micro_batches(rng)], 1e6)


@edge
@pytest.mark.parametrize("moved", [{"groups": 2}, {"only": ["bias"]}], ids=["two groups", "the bias alone"])
def test_the_norm_is_of_all_gradients_of_the_model(submission, reference, rng, moved):
    require_same_steps(submission, reference, weights_of_a_table(rng), [micro_batches(rng)], 0.05, **moved)


@edge
def test_the_optimizer_makes_the_step(submission, reference, rng):
    steps = [micro_batches(rng) for _ in range(2)]
    require_same_steps(submission, reference, weights_of_a_table(rng), steps, 0.5, momentum=0.8)


@edge
def test_a_micro_batch_without_a_target_adds_nothing(submission, reference, rng):
    batches = [batch(rng, 2, 3, 4), batch(rng, 1, 4, 0), batch(rng, 2, 2, 3)]
    require_same_steps(submission, reference, weights_of_a_table(rng), [batches], math.inf)


@edge
def test_batches_may_come_only_once(submission, reference, rng):
    weights, batches = weights_of_a_table(rng), micro_batches(rng)
    theirs, ours = submission.Table(*weights), reference.Table(*weights)
    got = submission.train_step(theirs, submission.only_once(batches), submission.sgd(theirs, 0.3), math.inf)
    assert_close(got, reference.train_step(ours, batches, reference.sgd(ours, 0.3), math.inf), what="the loss")
    assert_close(theirs.state_dict()["logits"], ours.state_dict()["logits"], what="the logits after the step")


@edge
@pytest.mark.parametrize("training", [True, False])
def test_the_mode_stays_as_it_is(submission, reference, rng, training):
    """In training mode the dropout of this model takes all logits away: the loss is ln V, and nothing moves."""
    logits, batches = normal(rng, V, V), micro_batches(rng)
    model, ours = submission.Table(logits, dropout=1.0), reference.Table(logits)
    model.train(training)
    got = submission.train_step(model, batches, submission.sgd(model, 0.3), math.inf)
    expected = reference.train_step(ours, batches, reference.sgd(ours, 0.3), math.inf)
    assert_close(got, math.log(V) if training else expected, what="the loss")
    after = bool((model(batches[0][0])[0] == 0).all())
    before, after = ("training" if mode else "evaluation" for mode in (training, after))
    assert before == after, f"the model was in {before} mode before the call and is in {after} mode after it"


@edge
def test_where_there_is_nothing_to_learn_the_model_stays(submission, reference, rng):
    """With momentum even a step without a gradient would move it."""
    weights, batches = weights_of_a_table(rng), micro_batches(rng)
    model = submission.Table(*weights)
    optimizer = submission.sgd(model, 0.3, 0.8)
    submission.train_step(model, batches, optimizer, math.inf)
    before = model.state_dict()
    for nothing in ([batch(rng, 2, 3, 0), batch(rng, 1, 4, 0)], []):
        assert_rejects(submission.train_step, model, nothing, optimizer, math.inf, error=REFUSED)
        for name, weight in model.state_dict().items():
            assert_equal(weight, before[name], what=f"{name} after a step without targets was refused")
