"""interpret.agreement: the correlation of ranks, in which equal numbers share the mean of theirs."""

import torch

from grader.testing import assert_close, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("interpret.agreement")

N = 7
ERRORS = ("ValueError", "RuntimeError")


def two(rng, n=N):
    """Draw weights, and effects of either sign whose sizes lie far apart: no two alike, and no simple relation."""
    while True:
        weights, effects = torch.from_numpy(rng.dirichlet([0.7] * n)), torch.from_numpy(rng.normal(size=n) ** 3)
        same = (weights.argsort().argsort() - effects.argsort().argsort()).abs()
        if 4 < same.sum() < n * n / 3 and len(effects.sign().unique()) == 2:
            return weights, effects


@core
def test_agreement_is_the_correlation_of_ranks_in_which_equal_numbers_share_theirs(submission, reference, rng):
    for n in (N, 5):
        weights, effects = two(rng, n)
        for sign, name in ((1, "the agreement"), (-1, "the agreement with the effects turned round")):
            got, expected = (each.agreement(weights, sign * effects) for each in (submission, reference))
            assert_close(got, expected, what=f"{name} of {n} tokens")
    for counts in ((1, 3, 2, 1), (2, 1, 1, 3)):
        tied = torch.repeat_interleave(torch.tensor([-0.5, 0.0, 0.25, 2.0]).double(), torch.tensor(counts))
        tied, other = tied[torch.from_numpy(rng.permutation(N))], torch.from_numpy(rng.normal(size=N))
        other[int(tied.argmax())] += 3  # the agreement is not near 0, so that signs and squares show
        for weights, effects, where in ((tied, other, "weights"), (other, tied, "effects"), (tied, tied * -2, "both")):
            got, expected = (each.agreement(weights, effects) for each in (submission, reference))
            assert_close(got, expected, what=f"the agreement with ties among the {where}")


@edge
def test_numbers_that_are_all_equal_have_no_order(submission, rng):
    weights, effects = two(rng)
    for a, b in ((weights * 0 + 0.5, effects), (weights, effects * 0), (weights[:1], effects[:1])):
        assert_rejects(submission.agreement, a, b, error=ERRORS)


@edge
def test_nan_is_refused(submission, rng):
    for side in (0, 1):
        both = [each.clone() for each in two(rng)]
        both[side][int(rng.integers(N))] = torch.nan
        assert_rejects(submission.agreement, *both, error=ERRORS)


@edge
def test_two_of_other_lengths_or_axes_are_refused(submission, rng):
    weights, effects = two(rng)
    for a, b in ((weights, effects[:-1]), (weights[:-2], effects), (weights[None], effects[None])):
        assert_rejects(submission.agreement, a, b, error=(*ERRORS, "IndexError"))


@edge
def test_a_small_difference_is_an_order_too(submission, rng):
    weights, effects = two(rng)
    expected = submission.agreement(weights, effects)
    near = 1 + weights.argsort().argsort().double() * 1e-12
    near[weights.argmax()] = 2.0  # all others are 1 in float32
    assert_close(submission.agreement(near, effects), expected, what="the agreement of weights that are nearly equal")


@edge
def test_weights_and_effects_stay_as_they_were(submission, rng):
    assert_unchanged(submission.agreement, *two(rng))
