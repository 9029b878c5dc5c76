"""generation.top_p_filter: from the most probable token down, while the probability of those before is less than p.

Every p lies halfway between two sums of probabilities, so that no rounding decides. Edge tests compare the answer with
its own value in the ordinary case where they can, so that one mistake costs once.
"""

import numpy as np
import torch

from grader.testing import as_tensor, assert_close, assert_equal, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("generation.top_p_filter")

V = 6


def drawn(rng, *lead):
    """Draw probabilities, largest first, and logits of them: each row has them in an order of its own, and is shifted."""
    probs = np.sort(rng.dirichlet(np.full(V, 8.0)) * 0.7 + np.arange(1, V + 1) / 70)[::-1]
    probs /= probs.sum()
    rows = rng.permuted(np.broadcast_to(np.log(probs), (*lead, V)), axis=-1) + rng.normal(size=(*lead, 1))
    return probs, torch.from_numpy(rows)


def halfway(probs, n):
    """Return the p with which n tokens stay: halfway between what n - 1 and n of them have."""
    return float(probs[: n - 1].sum() + probs[n - 1] / 2)


@core
def test_the_nucleus_stays_where_it_stands(submission, reference, rng):
    probs, logits = drawn(rng, 3)
    for n in (2, 3, 4):
        p = halfway(probs, n)
        what = f"the logits filtered with p = {p:.3f}"
        got = as_tensor(submission.top_p_filter(logits, p), shape=(3, V), what=what)
        assert_close(got, reference.top_p_filter(logits, p), what=what)


@edge
def test_one_token_stays_however_small_p_is(submission, rng):
    probs, logits = drawn(rng, 2)
    expected = logits.masked_fill(logits < logits.amax(dim=-1, keepdim=True), -torch.inf)
    for p in (1e-6, float(probs[0]) / 2):
        assert_equal(submission.top_p_filter(logits, p), expected, what=f"the logits filtered with p = {p:.3g}")


@edge
def test_p_of_1_filters_nothing(submission, rng):
    _, logits = drawn(rng, 2)
    assert_equal(submission.top_p_filter(logits, 1.0), logits, what="the logits filtered with p = 1")
    sure = logits.clone()
    sure[0, int(rng.integers(V))] += 60.0
    what = "the logits filtered with p = 1, where one token is so sure that all others add nothing to a sum"
    assert_equal(submission.top_p_filter(sure, 1.0), sure, what=what)


@edge
def test_of_equal_logits_the_first_stay(submission, rng):
    """Of so many that a sort which need not keep their order does not."""
    large = torch.zeros(2, 40, dtype=torch.bool)
    for row in large:
        row[rng.choice(40, size=21, replace=False)] = True
    logits = torch.where(large, 2.0, 0.0).double()
    p = 4.5 * float(logits[0].softmax(dim=-1).max())
    expected = logits.masked_fill(~large | (large.cumsum(dim=-1) > 5), -torch.inf)
    assert_equal(submission.top_p_filter(logits, p), expected, what="the logits where 5 of 21 equal ones stay")


@edge
def test_one_row_or_a_batch_of_batches(submission, rng):
    probs, logits = drawn(rng, 2, 3)
    p = halfway(probs, 3)
    got = as_tensor(submission.top_p_filter(logits, p), shape=(2, 3, V))
    for alone in (logits[1, 1], logits[1, 1:2]):
        assert_equal(got[1, 1], submission.top_p_filter(alone, p).reshape(V), what="one row out of a batch [2, 3, V]")


@edge
def test_the_dtype_stays(submission, rng):
    probs, logits = drawn(rng, 2)
    for dtype in (torch.float32, torch.float64):
        got = submission.top_p_filter(logits.to(dtype), halfway(probs, 3))
        as_tensor(got, dtype=dtype, what=f"{dtype} logits, filtered")


@edge
def test_gradients_reach_the_logits_that_stay(submission, rng):
    probs, logits = drawn(rng, 2)
    p = halfway(probs, 3)
    kept = torch.isfinite(submission.top_p_filter(logits, p))
    g = torch.where(kept, torch.from_numpy(rng.normal(size=(2, V))), 0.0)
    _, [grad] = submission.top_p_filter.vjp(logits, p, wrt=[0], cotangents=[g])
    assert_close(grad, g, what="the gradient of the logits")


@edge
def test_a_p_out_of_range_is_refused(submission, rng):
    for p in (0.0, -0.3, 1.2):
        assert_rejects(submission.top_p_filter, drawn(rng, 2)[1], p)


@edge
def test_the_logits_stay_as_they_were(submission, rng):
    probs, logits = drawn(rng, 2)
    assert_unchanged(submission.top_p_filter, logits, halfway(probs, 3))
