"""generation.top_k_filter: the k largest stay where they stand, all others become -inf.

Edge tests compare the answer with its own value in the ordinary case where they can, so that one mistake costs once.
"""

import torch

from grader.testing import as_tensor, assert_close, assert_equal, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("generation.top_k_filter")

V = 7


def distinct(rng, *lead):
    """Draw logits of either sign, no two in a row alike, in any order."""
    rows = rng.permuted(torch.arange(V).numpy() * 0.7 - 2.0 + rng.uniform(0, 0.3, size=(*lead, V)), axis=-1)
    return torch.from_numpy(rows)


@core
def test_the_k_largest_stay_where_they_stand(submission, reference, rng):
    for k in (1, 2, int(rng.integers(3, V))):
        logits = distinct(rng, 3)
        got = as_tensor(submission.top_k_filter(logits, k), shape=(3, V), what=f"the logits filtered with k = {k}")
        assert_close(got, reference.top_k_filter(logits, k), what=f"the logits filtered with k = {k}")


@edge
def test_what_ties_with_the_kth_stays(submission, rng):
    order = torch.from_numpy(rng.permutation(V))
    logits = torch.tensor([5.0, 3.0, 3.0, 3.0, 1.0, 0.0, -1.0], dtype=torch.float64)[order]
    for k in (2, 3):
        expected = logits.masked_fill(logits < 3, -torch.inf)
        assert_equal(submission.top_k_filter(logits[None], k)[0], expected, what=f"a tie, filtered with k = {k}")


@edge
def test_a_k_beyond_the_vocabulary_filters_nothing(submission, rng):
    logits = distinct(rng, 2)
    for k in (V, V + 1, 10**6):
        assert_equal(submission.top_k_filter(logits, k), logits, what=f"{V} logits, filtered with k = {k}")


@edge
def test_one_row_or_a_batch_of_batches(submission, rng):
    logits = distinct(rng, 2, 3)
    got = as_tensor(submission.top_k_filter(logits, 2), shape=(2, 3, V))
    for alone in (logits[1, 1], logits[1, 1:2]):
        row = submission.top_k_filter(alone, 2).reshape(V)
        assert_equal(got[1, 1], row, what="one row out of a batch [2, 3, V]")


@edge
def test_the_dtype_stays(submission, rng):
    for dtype in (torch.float32, torch.float64):
        got = submission.top_k_filter(distinct(rng, 2).to(dtype), 3)
        as_tensor(got, dtype=dtype, what=f"{dtype} logits, filtered")


@edge
def test_gradients_reach_the_logits_that_stay(submission, rng):
    logits = distinct(rng, 2)
    kept = torch.isfinite(submission.top_k_filter(logits, 3))
    g = torch.where(kept, distinct(rng, 2), 0.0)
    _, [grad] = submission.top_k_filter.vjp(logits, 3, wrt=[0], cotangents=[g])
    assert_close(grad, g, what="the gradient of the logits")


@edge
def test_keeping_no_token_is_refused(submission, rng):
    for k in (0, -1):
        assert_rejects(submission.top_k_filter, distinct(rng, 2), k)


@edge
def test_the_logits_stay_as_they_were(submission, rng):
    assert_unchanged(submission.top_k_filter, distinct(rng, 2), 3)
