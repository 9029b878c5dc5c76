"""A step of a table whose logits are all 0: the gradient of a row is its shares of 1/3 less what came, and SGD shows it."""

import math

import torch

from grader.testing import assert_close, assert_equal, assert_rejects, core, edge, exercise

pytestmark = exercise("training.train_step")

V = 3
# After token 0 comes 1, in the first micro-batch; in the second 2 comes after 0, and three times 1 after 2.
SHORT = (torch.tensor([[0, 1]]), torch.tensor([[1, -1]]))
LONG = (torch.tensor([[0, 2], [2, 2]]), torch.tensor([[2, 1], [1, 1]]))
# The mean over 5 kept targets: [2/3, -1/3, -1/3] of the row of 0, [1/3, -2/3, 1/3] three times of the row of 2.
MOVED = torch.tensor([[-2, 1, 1], [0, 0, 0], [-3, 6, -3]], dtype=torch.float64) / 15
LN_3 = math.log(3)


def zeros():
    return torch.zeros(V, V, dtype=torch.float64)


def stepped(submission, batches, max_norm=math.inf, *, lr=1.0, momentum=0.0, logits=None, stale=None, again=0):
    """Make a step, and others after it; return the first loss and the logits after them all."""
    model = submission.Table(zeros() if logits is None else logits)
    if stale is not None:
        submission.leave_gradients(model, stale)
    optimizer = submission.sgd(model, lr, momentum)
    loss = submission.train_step(model, batches, optimizer, max_norm)
    for _ in range(again):
        submission.train_step(model, batches, optimizer, max_norm)
    return loss, model.state_dict()["logits"]


@core
def test_micro_batches_are_one_batch(submission):
    loss, after = stepped(submission, [SHORT, LONG])
    assert_close(loss, LN_3, what="the loss before the step")
    assert_close(after, MOVED, what="the logits after a step with lr = 1")
    logits = torch.tensor([[1.0, 0, 2], [0, 1, 0], [3, 0, 1]], dtype=torch.float64)
    loss, _ = stepped(submission, [SHORT, LONG], logits=logits)
    nll = -logits.log_softmax(dim=-1)
    assert_close(loss, (nll[0, 1] + nll[0, 2] + 3 * nll[2, 1]).item() / 5, what="the mean over 5 targets")


@core
def test_gradients_are_clipped_once_when_all_are_added_up(submission):
    _, after = stepped(submission, [SHORT, LONG], 0.1)
    assert_close(after, MOVED * 0.1 / MOVED.norm(), what="the logits after a step of norm 0.1", rtol=1e-4)


@core
def test_a_second_step_does_not_know_of_the_first(submission):
    """A rate of almost 0: both steps have the same gradient, and together move twice as far."""
    _, after = stepped(submission, [SHORT, LONG], lr=1e-5, again=1)
    assert_close(after, MOVED * 2e-5, what="the logits after two steps")


@edge
def test_gradients_from_before_are_dropped(submission):
    _, after = stepped(submission, [SHORT, LONG], stale=0.7)
    assert_close(after, MOVED, what="the logits after a step, when gradients of 0.7 were left over")


@edge
def test_a_norm_below_the_largest_is_left_alone(submission):
    _, after = stepped(submission, [SHORT, LONG], 100.0)
    assert_close(after, MOVED, what="the logits after a step whose norm may be 100")


@edge
def test_the_norm_is_of_all_gradients_of_the_model(submission):
    """Of a bias too, whose gradient is the sum of the rows: in another group, or not moved by the optimizer at all."""
    both = torch.cat([MOVED, MOVED.sum(dim=0, keepdim=True)])
    for how, what in (({"groups": 2}, "in two groups"), ({"only": ["logits"]}, "of which the optimizer moves one")):
        model = submission.Table(zeros(), torch.zeros(V, dtype=torch.float64))
        submission.train_step(model, [SHORT, LONG], submission.sgd(model, 1.0, **how), 0.1)
        expected = MOVED * 0.1 / both.norm()
        got = model.state_dict()["logits"]
        assert_close(got, expected, what=f"the logits after a step of norm 0.1 of two tensors, {what}", rtol=1e-4)


@edge
def test_the_optimizer_makes_the_step(submission):
    """With momentum 0.5 the second step is 1.5 times as long as the first."""
    _, after = stepped(submission, [SHORT, LONG], lr=1e-5, momentum=0.5, again=1)
    assert_close(after, MOVED * 2.5e-5, what="the logits after two steps with momentum")


@edge
def test_a_micro_batch_without_a_target_adds_nothing(submission):
    nothing = (torch.tensor([[0, 1]]), torch.tensor([[-1, -1]]))
    loss, after = stepped(submission, [SHORT, nothing, LONG])
    assert_close(loss, LN_3, what="the loss")
    assert_close(after, MOVED, what="the logits after a step with an empty micro-batch")


@edge
def test_batches_may_come_only_once(submission):
    _, after = stepped(submission, submission.only_once([SHORT, LONG]))
    assert_close(after, MOVED, what="the logits after a step with batches that come only once")


@edge
def test_the_mode_stays_as_it_is(submission):
    """In training mode the dropout of this model takes all logits away."""
    for training in (True, False):
        model = submission.Table(torch.eye(V, dtype=torch.float64), dropout=1.0)
        model.train(training)
        loss = submission.train_step(model, [LONG], submission.sgd(model, 1.0), math.inf)
        expected = LN_3 if training else math.log(math.e + 2)
        assert_close(loss, expected, what=f"the loss with{'' if training else 'out'} dropout")
        dropped = bool((model(LONG[0])[0] == 0).all())
        before, after = ("training" if mode else "evaluation" for mode in (training, dropped))
        assert before == after, f"the model was in {before} mode before the call and is in {after} mode after it"


@edge
def test_where_there_is_nothing_to_learn_the_model_stays(submission):
    model = submission.Table(zeros())
    optimizer = submission.sgd(model, 1.0, 0.5)
    submission.train_step(model, [LONG], optimizer, math.inf)
    before = model.state_dict()["logits"]
    for nothing in ([(torch.tensor([[0, 1]]), torch.tensor([[-1, -1]]))], []):
        errors = ("ValueError", "RuntimeError")
        assert_rejects(submission.train_step, model, nothing, optimizer, math.inf, error=errors)
        assert_equal(model.state_dict()["logits"], before, what="the logits after a step that was refused")
