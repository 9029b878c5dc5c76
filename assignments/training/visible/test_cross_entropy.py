"""The loss, on two tokens whose probabilities are 1/4 and 3/4."""

import math

import torch

from grader.testing import as_tensor, assert_close, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("training.cross_entropy")

ERRORS = ("ValueError", "RuntimeError", "IndexError")
NOT_FITTING = ("ValueError", "RuntimeError")
ROW = torch.tensor([0.0, math.log(3)]).double()
V = 5


def number(x):
    return torch.tensor(x).double()


def drawn(rng, *shape):
    return torch.from_numpy(2 * rng.standard_normal(shape))


@core
def test_the_worked_example(submission):
    got = submission.cross_entropy(ROW.expand(2, 2).clone(), torch.tensor([1, 0]))
    assert_close(got, number((math.log(4 / 3) + math.log(4)) / 2), what="the mean of ln 4/3 and ln 4")


@core
def test_it_is_torchs(submission, rng):
    logits, targets = drawn(rng, 2, 3, V), torch.tensor([[0, 4, 2], [3, 3, 1]])
    expected = torch.nn.functional.cross_entropy(logits.mT, targets)
    assert_close(submission.cross_entropy(logits, targets), expected, what="the loss")


@core
def test_a_sure_and_right_model_has_no_loss(submission):
    floor = math.log(math.e + V - 1) - 1
    said = f"; a softmax of probabilities never gets below ln(e + {V} - 1) - 1 = {floor:.3f}"
    got = submission.cross_entropy(50 * torch.eye(V).double(), torch.arange(V))
    assert_close(got, number(0.0), what=f"the loss of a model that is sure and right{said}")


@core
def test_ignored_targets_count_neither_in_the_sum_nor_in_the_number(submission):
    got = submission.cross_entropy(ROW.expand(2, 3, 2).clone(), torch.tensor([[1, -1, -1], [-1, 0, 0]]))
    assert_close(got, number((math.log(4 / 3) + 2 * math.log(4)) / 3), what="the loss of one target and two, of six")


@core
def test_huge_logits_overflow_nothing(submission):
    logits = torch.tensor([[1e4, 0.0, -1e4], [1e4, 1e4, 0.0]]).double()
    got = submission.cross_entropy(logits, torch.tensor([2, 0]))
    assert_close(got, number((2e4 + math.log(2)) / 2), what="the loss with logits of 1e4 and -1e4")


@edge
def test_large_logits_cost_no_digits(submission):
    """Beside 1e4 float32 has three decimals left, and bfloat16 not even the units."""
    for dtype, rtol in ((torch.bfloat16, 8e-3), (torch.float32, None)):
        got = submission.cross_entropy(torch.tensor([[0.0, 1e4, 1e4]]).to(dtype), torch.tensor([2]))
        expected = number(math.log(2)).to(dtype)
        assert_close(got, expected, rtol=rtol, what=f"the loss of {dtype} logits 0, 1e4 and 1e4 for the last one")


@edge
def test_rows_far_apart_do_not_touch_each_other(submission):
    logits = torch.stack([ROW, ROW - 5e3])
    assert_close(
        submission.cross_entropy(logits, torch.tensor([0, 0])), number(math.log(4)), what="the loss of rows far apart"
    )


@edge
def test_another_index_can_be_ignored(submission):
    got = submission.cross_entropy(ROW.expand(3, 2).clone(), torch.tensor([0, 1, 0]), ignore_index=0)
    assert_close(got, number(math.log(4 / 3)), what="the loss without token 0")


@edge
def test_nothing_kept_is_refused(submission):
    assert_rejects(submission.cross_entropy, ROW[None], torch.tensor([-1]), error=ERRORS)


@edge
def test_targets_out_of_range_are_refused(submission):
    for wrong in (2, -2):
        assert_rejects(submission.cross_entropy, ROW.expand(2, 2).clone(), torch.tensor([0, wrong]), error=ERRORS)


@edge
def test_any_number_of_axes(submission):
    for shape in ((), (1,), (2, 1, 3)):
        logits, targets = ROW.expand(*shape, 2).clone(), torch.ones(shape, dtype=torch.int64)
        assert_close(
            submission.cross_entropy(logits, targets), number(math.log(4 / 3)), what=f"the loss of {[*shape, 2]}"
        )


@edge
def test_shapes_that_do_not_fit_are_refused(submission, rng):
    for shape in ((2,), (3, 2)):
        targets = torch.zeros(shape, dtype=torch.int64)
        assert_rejects(submission.cross_entropy, drawn(rng, 2, 3, V), targets, error=NOT_FITTING)


@edge
def test_the_gradient_is_softmax_minus_one_hot_over_the_kept(submission):
    logits, targets = ROW.expand(2, 2).clone(), torch.tensor([1, -1])
    _, [got] = submission.cross_entropy.vjp(logits, targets, wrt=[0], cotangents=[number(1.0)])
    assert_close(got, torch.tensor([[0.25, -0.25], [0.0, 0.0]]).double(), what="the gradient of the logits")


@edge
def test_the_dtype_stays(submission):
    for dtype in (torch.float32, torch.float64):
        got = submission.cross_entropy(ROW[None].to(dtype), torch.tensor([1]))
        as_tensor(got, shape=(), dtype=dtype, what=f"the loss of {dtype} logits")


@edge
def test_the_arguments_stay_as_they_were(submission):
    assert_unchanged(submission.cross_entropy, ROW.expand(2, 2).clone(), torch.tensor([1, -1]))
