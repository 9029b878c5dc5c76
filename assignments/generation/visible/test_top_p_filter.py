"""The nucleus, on probabilities that can be added up by hand."""

import torch

from grader.testing import as_tensor, assert_close, assert_equal, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("generation.top_p_filter")

# The order of the vocabulary is not that of the probabilities.
LOGITS = torch.tensor([[0.2, 0.4, 0.1, 0.3], [0.3, 0.1, 0.2, 0.4]], dtype=torch.float64).log() + 1.0


def keeping(*rows):
    """Return the logits of these tokens, and -inf in the place of the others."""
    kept = torch.zeros(LOGITS.shape, dtype=torch.bool)
    for row, tokens in enumerate(rows):
        kept[row, tokens] = True
    return LOGITS.masked_fill(~kept, -torch.inf)


@core
def test_tokens_stay_while_the_probability_before_them_is_less_than_p(submission):
    """Before the tokens of 0.4, 0.3, 0.2, 0.1 there are 0, 0.4, 0.7 and 0.9."""
    for p, rows in ((0.5, ([1, 3], [3, 0])), (0.8, ([1, 3, 0], [3, 0, 2])), (0.95, ([0, 1, 2, 3], [0, 1, 2, 3]))):
        assert_close(submission.top_p_filter(LOGITS, p), keeping(*rows), what=f"the logits filtered with p = {p}")


@edge
def test_one_token_stays_however_small_p_is(submission):
    for p in (0.001, 0.3):
        assert_equal(submission.top_p_filter(LOGITS, p), keeping([1], [3]), what=f"the logits filtered with p = {p}")


@edge
def test_p_of_1_filters_nothing(submission):
    assert_equal(submission.top_p_filter(LOGITS, 1.0), LOGITS, what="the logits filtered with p = 1")
    # Next to the first one's probability those of the others are lost in rounding.
    sure = torch.tensor([60.0, 0.0, 1.0, -1.0])
    got = as_tensor(submission.top_p_filter(sure, 1.0), shape=(4,), what="4 logits, filtered with p = 1")
    assert got.isfinite().all(), (
        f"p = 1 filters nothing, and of the logits {sure.tolist()} yours drops {sure[~got.isfinite()].tolist()}: "
        "next to a probability that is nearly 1, a sum is rounded to 1 before they come"
    )
    assert_equal(got, sure, what=f"the logits {sure.tolist()} filtered with p = 1")


@edge
def test_of_equal_logits_the_first_stay(submission):
    equal = torch.zeros(40, dtype=torch.float64)
    got, expected = submission.top_p_filter(equal, 0.11), equal.masked_fill(torch.arange(40) > 4, -torch.inf)
    stay = as_tensor(got, shape=(40,), what="40 equal logits, filtered").isfinite()
    assert stay.sum() != 5 or stay[:5].all(), (
        f"of 40 equal logits 5 stay with p = 0.11, as they should, but not the first: yours are {stay.nonzero()[:, 0].tolist()}. "
        "A sort keeps the order of what is equal only with stable=True"
    )
    assert_equal(got, expected, what="40 equal logits, filtered with p = 0.11")


@edge
def test_any_number_of_rows_and_the_dtype_stays(submission):
    logits = LOGITS.float()
    for rows, shape in ((logits[0], (4,)), (logits.expand(3, 2, 4), (3, 2, 4))):
        what = f"{list(shape)} float32 logits, filtered"
        got = as_tensor(submission.top_p_filter(rows, 0.5), shape=shape, dtype=torch.float32, what=what)
        assert_equal(got.isfinite().sum(dim=-1).unique(), torch.tensor([2]), what="the number that stays in a row")


@edge
def test_gradients_reach_the_logits_that_stay(submission):
    g = torch.tensor([[0.0, 7.0, 0.0, 5.0], [2.0, 0.0, 0.0, 3.0]], dtype=torch.float64)
    _, [grad] = submission.top_p_filter.vjp(LOGITS, 0.5, wrt=[0], cotangents=[g])
    assert_close(grad, g, what="the gradient of the logits")


@edge
def test_a_p_out_of_range_is_refused(submission):
    for p in (0.0, -0.1, 1.1):
        assert_rejects(submission.top_p_filter, LOGITS, p)


@edge
def test_the_logits_stay_as_they_were(submission):
    assert_unchanged(submission.top_p_filter, LOGITS, 0.5)
