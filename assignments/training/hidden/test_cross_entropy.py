"""training.cross_entropy: the mean over kept tokens of what the right token's logit lacks to the log-sum-exp of all.

Edge tests compare the answer with its own value elsewhere where they can, so that one mistake costs once.
"""

import math

import torch

from grader.testing import as_tensor, assert_close, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("training.cross_entropy")

ERRORS = ("ValueError", "RuntimeError", "IndexError")
NOT_FITTING = ("ValueError", "RuntimeError")
B, T, V = 3, 5, 7


def drawn(rng, *shape, scale=2.0):
    return torch.from_numpy(scale * rng.standard_normal(shape))


def tokens(rng, *shape):
    return torch.from_numpy(rng.integers(V, size=shape))


def floor(V):
    """The smallest loss that is left where the softmax is taken twice."""
    return math.log(math.e + V - 1) - 1


@core
def test_it_is_the_mean_negative_log_likelihood(submission, reference, rng):
    logits, targets = drawn(rng, B, T, V), tokens(rng, B, T)
    assert_close(submission.cross_entropy(logits, targets), reference.cross_entropy(logits, targets), what="the loss")
    sure = 60.0 * torch.nn.functional.one_hot(targets, V).double()
    said = f"; a softmax of probabilities never gets below ln(e + {V} - 1) - 1 = {floor(V):.3f}"
    what = f"the loss of a model that is sure and right{said}"
    assert_close(submission.cross_entropy(sure, targets), torch.zeros(()).double(), what=what)


@core
def test_ignored_targets_count_neither_in_the_sum_nor_in_the_number(submission, rng):
    logits, targets = drawn(rng, B, T, V), tokens(rng, B, T)
    targets[0, 1:], targets[2, 3] = -1, -1
    kept = targets != -1
    expected = submission.cross_entropy(logits[kept], targets[kept])
    assert_close(submission.cross_entropy(logits, targets), expected, what="the loss where 5 of 15 targets are ignored")


@core
def test_huge_logits_overflow_nothing(submission, rng):
    for huge, at, target in ((1e4, 0, 3), (-1e4, 2, 2), (1e4, 1, 1)):
        row = drawn(rng, V)
        row[at] = huge
        lacking = row.logsumexp(dim=0) - row[target]
        got = submission.cross_entropy(row[None], torch.tensor([target]))
        assert_close(got, lacking, what=f"the loss of a row in which one logit is {huge:g}")


@edge
def test_large_logits_cost_no_digits(submission, rng):
    """As many tokens as are equally likely, and no other: ln of their number is left, also beside a logit that has no digits for it."""
    for dtype, rtol in ((torch.bfloat16, 8e-3), (torch.float32, None)):
        many, order = int(rng.integers(4, V)), torch.from_numpy(rng.permutation(V))
        logits = torch.zeros(1, V).index_fill(1, order[:many], float(rng.integers(9_000, 16_000))).to(dtype)
        expected = torch.tensor(math.log(many)).to(dtype)
        what = f"the loss of {dtype} logits of which {many} are equally large"
        assert_close(submission.cross_entropy(logits, order[:1]), expected, rtol=rtol, what=what)


@edge
def test_rows_far_apart_do_not_touch_each_other(submission, rng):
    logits, targets = drawn(rng, 4, V), tokens(rng, 4)
    far = logits + torch.tensor([[0.0], [3e3], [-3e3], [0.0]]).double()
    got = submission.cross_entropy(far, targets)
    assert_close(got, submission.cross_entropy(logits, targets), what="the loss with a constant added to a row")


@edge
def test_another_index_can_be_ignored(submission, rng):
    logits, targets = drawn(rng, 6, V), tokens(rng, 6)
    ignored = int(targets[0])
    targets[3] = (ignored + 1) % V
    kept = targets != ignored
    got = submission.cross_entropy(logits, targets, ignore_index=ignored)
    assert_close(got, submission.cross_entropy(logits[kept], targets[kept]), what=f"the loss without token {ignored}")


@edge
def test_nothing_kept_is_refused(submission, rng):
    assert_rejects(submission.cross_entropy, drawn(rng, 2, 3, V), torch.full((2, 3), -1), error=ERRORS)


@edge
def test_targets_out_of_range_are_refused(submission, rng):
    for wrong in (V, -2):
        targets = tokens(rng, 4)
        targets[1] = wrong
        assert_rejects(submission.cross_entropy, drawn(rng, 4, V), targets, error=ERRORS)


@edge
def test_any_number_of_axes(submission, rng):
    logits, targets = drawn(rng, 2, 3, 5, V), tokens(rng, 2, 3, 5)
    flat = submission.cross_entropy(logits.reshape(-1, V), targets.reshape(-1))
    assert_close(submission.cross_entropy(logits, targets), flat, what="the loss of [2, 3, 5, V]")
    one = submission.cross_entropy(logits[0, 0, :1], targets[0, 0, :1])
    assert_close(submission.cross_entropy(logits[0, 0, 0], targets[0, 0, 0]), one, what="the loss of one row [V]")


@edge
def test_shapes_that_do_not_fit_are_refused(submission, rng):
    for shape in ((3, 2), (3,), (2, 3, 1)):
        assert_rejects(submission.cross_entropy, drawn(rng, 2, 3, V), tokens(rng, *shape), error=NOT_FITTING)


@edge
def test_the_gradient_is_softmax_minus_one_hot(submission, rng):
    logits, targets = drawn(rng, 1, V), tokens(rng, 1)
    expected = logits.softmax(dim=-1)
    expected[0, targets[0]] -= 1
    _, [got] = submission.cross_entropy.vjp(logits, targets, wrt=[0], cotangents=[torch.tensor(2.0).double()])
    assert_close(got, 2 * expected, what="twice the gradient of the logits")


@edge
def test_the_dtype_stays(submission, rng):
    for dtype in (torch.float32, torch.float64):
        got = submission.cross_entropy(drawn(rng, 2, 3, V).to(dtype), tokens(rng, 2, 3))
        as_tensor(got, shape=(), dtype=dtype, what=f"the loss of {dtype} logits")


@edge
def test_the_arguments_stay_as_they_were(submission, rng):
    targets = tokens(rng, 2, 3)
    targets[1, 2] = int(rng.integers(1, V))  # not 0, which is what some write in the place of an ignored one
    targets[0, 1] = (targets[1, 2] + 1) % V
    assert_unchanged(submission.cross_entropy, drawn(rng, 2, 3, V), targets, ignore_index=int(targets[1, 2]))
