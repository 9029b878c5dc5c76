"""The k largest logits, on numbers that can be followed by eye."""

import torch

from grader.testing import as_tensor, assert_close, assert_equal, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("generation.top_k_filter")

GONE = -torch.inf
LOGITS = torch.tensor([[0.5, 2.0, -1.0, 3.0, 1.0], [4.0, -3.0, -2.0, -5.0, -4.0]], dtype=torch.float64)


@core
def test_the_k_largest_stay_where_they_stand(submission):
    one = [[GONE, GONE, GONE, 3.0, GONE], [4.0, GONE, GONE, GONE, GONE]]
    three = [[GONE, 2.0, GONE, 3.0, 1.0], [4.0, -3.0, -2.0, GONE, GONE]]
    for k, expected in ((1, one), (3, three)):
        got = submission.top_k_filter(LOGITS, k)
        assert_close(got, torch.tensor(expected, dtype=torch.float64), what=f"the logits filtered with k = {k}")


@edge
def test_what_ties_with_the_kth_stays(submission):
    logits = torch.tensor([[1.0, 2.0, 0.0, 2.0, 3.0]], dtype=torch.float64)
    expected = torch.tensor([[GONE, 2.0, GONE, 2.0, 3.0]], dtype=torch.float64)
    assert_equal(submission.top_k_filter(logits, 2), expected, what="a tie, filtered with k = 2")


@edge
def test_a_k_beyond_the_vocabulary_filters_nothing(submission):
    for k in (5, 6, 1000):
        assert_equal(submission.top_k_filter(LOGITS, k), LOGITS, what=f"5 logits, filtered with k = {k}")


@edge
def test_any_number_of_rows_and_the_dtype_stays(submission):
    logits = LOGITS.float()
    for rows, shape in ((logits[0], (5,)), (logits.expand(3, 2, 5), (3, 2, 5))):
        what = f"{list(shape)} float32 logits, filtered"
        got = as_tensor(submission.top_k_filter(rows, 2), shape=shape, dtype=torch.float32, what=what)
        assert_equal(got.isfinite().sum(dim=-1).unique(), torch.tensor([2]), what="the number that stays in a row")


@edge
def test_gradients_reach_the_logits_that_stay(submission):
    g = torch.tensor([[0.0, 7.0, 0.0, 5.0, 0.0], [2.0, 0.0, 3.0, 0.0, 0.0]], dtype=torch.float64)
    _, [grad] = submission.top_k_filter.vjp(LOGITS, 2, wrt=[0], cotangents=[g])
    assert_close(grad, g, what="the gradient of the logits")


@edge
def test_keeping_no_token_is_refused(submission):
    assert_rejects(submission.top_k_filter, LOGITS, 0)


@edge
def test_the_logits_stay_as_they_were(submission):
    assert_unchanged(submission.top_k_filter, LOGITS, 2)
