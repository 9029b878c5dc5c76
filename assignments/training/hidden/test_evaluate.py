"""training.evaluate: each kept token weighs the same, dropout is off, there is no graph, and the model is left as it was."""

import pytest
import torch

from grader.testing import assert_close, assert_equal, assert_rejects, core, edge, exercise

pytestmark = exercise("training.evaluate")

V = 5
REFUSED = ("ValueError", "RuntimeError")
FAILING = ("IndexError", "RuntimeError", "ValueError")


def normal(rng, *shape):
    return torch.from_numpy(rng.normal(size=shape))


def weights_of_a_table(rng):
    """Draw the logits after each token, and a bias."""
    return normal(rng, V, V), normal(rng, V)


def batch(rng, B, T, kept):
    x, y = (torch.from_numpy(rng.integers(V, size=(B, T))) for _ in range(2))
    y.view(-1)[torch.from_numpy(rng.permutation(B * T)[kept:])] = -1
    return x, y


def batches_of(rng):
    """Draw three batches of unlike sizes and lengths, of which unlike parts are kept."""
    return [batch(rng, 2, 5, 3), batch(rng, 3, 4, 12), batch(rng, 1, 6, 1)]


def dropped(model, x):
    """Whether a model whose dropout takes all away is in training mode."""
    return bool((model(x)[0] == 0).all())


def two_tables(submission, rng):
    """Draw two tables whose logits are added up; the dropout of the first is on, that of the second off."""
    first, second = normal(rng, V, V), normal(rng, V, V)
    model = submission.Sum(first, second, dropout=1.0)
    model["second"].eval()
    return model, first, second


@core
def test_each_kept_token_weighs_the_same(submission, reference, rng):
    for _ in range(2):
        weights, batches = weights_of_a_table(rng), batches_of(rng)
        got = submission.evaluate(submission.Table(*weights), batches)
        assert_close(got, reference.evaluate(reference.Table(*weights), batches), what="the loss of three batches")


@core
def test_dropout_is_off(submission, reference, rng):
    weights, batches = weights_of_a_table(rng), batches_of(rng)
    got = submission.evaluate(submission.Table(*weights, dropout=1.0), batches)
    expected = reference.evaluate(reference.Table(*weights), batches)
    assert_close(got, expected, what="the loss of a model in training mode, whose dropout takes all away")


@core
@pytest.mark.parametrize("training", [True, False])
def test_the_mode_is_what_it_was(submission, rng, training):
    model, batches = submission.Table(normal(rng, V, V), dropout=1.0), batches_of(rng)
    model.train(training)
    submission.evaluate(model, batches)
    before, after = ("training" if mode else "evaluation" for mode in (training, dropped(model, batches[0][0])))
    assert before == after, f"the model was in {before} mode before the call and is in {after} mode after it"


@edge
def test_each_module_has_its_own_mode_again(submission, rng):
    (model, _, second), batches = two_tables(submission, rng), batches_of(rng)
    submission.evaluate(model, batches)
    x = batches[0][0]
    assert_close(model(x)[0], second[x], what="the logits when the dropout of one part was on and of the other off")


@edge
def test_the_mode_is_what_it_was_when_the_model_fails_too(submission, rng):
    (model, _, second), batches = two_tables(submission, rng), batches_of(rng)
    unknown = (torch.tensor([[V]]), torch.tensor([[0]]))
    assert_rejects(submission.evaluate, model, [batches[0], unknown], error=FAILING)
    x = batches[0][0]
    assert_close(model(x)[0], second[x], what="the logits after a token that the model does not know")


@edge
def test_the_mode_is_what_it_was_when_there_is_no_target(submission, rng):
    (model, _, second), x = two_tables(submission, rng), batches_of(rng)[0][0]
    for nothing in ([batch(rng, 2, 3, 0)], []):
        assert_rejects(submission.evaluate, model, nothing, error=REFUSED)
        assert_close(model(x)[0], second[x], what="the logits after batches without a target")


@edge
def test_there_is_no_graph(submission, rng):
    model, batches = submission.Table(*weights_of_a_table(rng)), batches_of(rng)
    submission.evaluate(model, batches)
    assert not model.made_graphs(), "the model was called with gradients on: a graph of each batch was made"
    model(batches[0][0])
    assert model.made_graphs(), "after evaluate no graph is made any more: what was switched off is off for good"


@edge
def test_gradients_stay_as_they_were(submission, rng):
    model = submission.Table(*weights_of_a_table(rng))
    submission.leave_gradients(model, 0.7)
    before = submission.gradients(model)
    submission.evaluate(model, batches_of(rng))
    for name, gradient in submission.gradients(model).items():
        assert gradient is not None, f"the gradient of {name} is gone"
        assert_equal(gradient, before[name], what=f"the gradient of {name} after evaluate")


@edge
def test_torchs_own_generator_stays_where_it_was(submission, rng):
    model, batches, seed = (
        submission.Table(*weights_of_a_table(rng), dropout=0.5),
        batches_of(rng),
        int(rng.integers(2**31)),
    )
    submission.seed_torch(seed)
    expected = submission.next_random("before evaluate")
    submission.seed_torch(seed)
    submission.evaluate(model, batches)
    assert_equal(submission.next_random("after evaluate"), expected, what="what torch draws next")


@edge
def test_a_batch_without_a_target_adds_nothing(submission, reference, rng):
    weights, batches = weights_of_a_table(rng), [batch(rng, 2, 3, 4), batch(rng, 1, 4, 0), batch(rng, 2, 2, 3)]
    got = submission.evaluate(submission.Table(*weights), batches)
    assert_close(got, reference.evaluate(reference.Table(*weights), batches), what="the loss")


@edge
def test_batches_may_come_only_once(submission, reference, rng):
    weights, batches = weights_of_a_table(rng), batches_of(rng)
    got = submission.evaluate(submission.Table(*weights), submission.only_once(batches))
    assert_close(got, reference.evaluate(reference.Table(*weights), batches), what="the loss")


@edge
def test_where_there_is_no_target_there_is_no_mean(submission, rng):
    model = submission.Table(normal(rng, V, V))
    for nothing in ([batch(rng, 2, 3, 0), batch(rng, 1, 4, 0)], []):
        assert_rejects(submission.evaluate, model, nothing, error=REFUSED)
