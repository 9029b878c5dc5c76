"""The loss of a table that gives 1/2, 1/4, 1/4: each kept token costs ln 2 or ln 4."""

import math

import torch

from grader.testing import assert_close, assert_equal, assert_rejects, core, edge, exercise

pytestmark = exercise("training.evaluate")

LN_2 = math.log(2)
LOGITS = torch.tensor([[2.0, 1, 1]] * 3, dtype=torch.float64).log()
# Targets of ln 2, ln 4; then four of ln 2; then one of ln 4 beside one that is ignored.
BATCHES = [
    (torch.tensor([[0, 1]]), torch.tensor([[0, 2]])),
    (torch.tensor([[2, 2], [1, 0]]), torch.tensor([[0, 0], [0, 0]])),
    (torch.tensor([[1, 1]]), torch.tensor([[-1, 1]])),
]
MEAN = (5 * LN_2 + 2 * 2 * LN_2) / 7
X = BATCHES[0][0]


def two_tables(submission):
    """Return two tables whose logits are added up; the dropout of the first is on, that of the second off."""
    model = submission.Sum(torch.ones(3, 3, dtype=torch.float64), LOGITS, dropout=1.0)
    model["second"].eval()
    return model


@core
def test_each_kept_token_weighs_the_same(submission):
    assert_close(submission.evaluate(submission.Table(LOGITS), BATCHES), MEAN, what="the mean over 7 kept tokens")


@core
def test_dropout_is_off_and_afterwards_the_mode_is_what_it_was(submission):
    for training in (True, False):
        model = submission.Table(LOGITS, dropout=1.0)
        model.train(training)
        assert_close(submission.evaluate(model, BATCHES), MEAN, what="the loss")
        dropped = bool((model(X)[0] == 0).all())
        before, after = ("training" if mode else "evaluation" for mode in (training, dropped))
        assert before == after, f"the model was in {before} mode before the call and is in {after} mode after it"


@edge
def test_each_module_has_its_own_mode_again(submission):
    model = two_tables(submission)
    submission.evaluate(model, BATCHES)
    assert_close(model(X)[0], LOGITS[X], what="the logits when the dropout of one part was on and of the other off")
    unknown = (torch.tensor([[3]]), torch.tensor([[0]]))
    assert_rejects(submission.evaluate, model, [unknown], error=("IndexError", "RuntimeError", "ValueError"))
    assert_close(model(X)[0], LOGITS[X], what="the logits after a token that the model does not know")


@edge
def test_there_is_no_graph_and_gradients_stay(submission):
    model = submission.Table(LOGITS)
    submission.leave_gradients(model, 0.7)
    before = submission.gradients(model)
    submission.evaluate(model, BATCHES)
    graphs, after = model.made_graphs(), submission.gradients(model)
    assert_equal(after["logits"], before["logits"], what="the gradient after evaluate")
    assert not graphs, "the model was called with gradients on: a graph of each batch was made"
    model(X)
    assert model.made_graphs(), "after evaluate no graph is made any more: what was switched off is off for good"


@edge
def test_torchs_own_generator_stays_where_it_was(submission):
    submission.seed_torch(1)
    expected = submission.next_random("before evaluate")
    submission.seed_torch(1)
    submission.evaluate(submission.Table(LOGITS, dropout=0.5), BATCHES)
    assert_equal(submission.next_random("after evaluate"), expected, what="what torch draws next")


@edge
def test_a_batch_without_a_target_adds_nothing_and_batches_may_come_only_once(submission):
    nothing = (torch.tensor([[0, 1]]), torch.tensor([[-1, -1]]))
    got = submission.evaluate(submission.Table(LOGITS), [nothing, *BATCHES])
    assert_close(got, MEAN, what="the mean over 7 kept tokens")
    got = submission.evaluate(submission.Table(LOGITS), submission.only_once(BATCHES))
    assert_close(got, MEAN, what="the mean over batches that come only once")


@edge
def test_where_there_is_no_target_there_is_no_mean(submission):
    for nothing in ([(torch.tensor([[0, 1]]), torch.tensor([[-1, -1]]))], []):
        assert_rejects(submission.evaluate, submission.Table(LOGITS), nothing, error=("ValueError", "RuntimeError"))
