"""positions.permutation: shuffle before an encoder or after it; what differs is what it knows of the order."""

import numpy as np

from grader.testing import assert_close, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("positions.permutation")

T, D = 5, 7


def encoder(work):
    """Lend `work` as an encoder that takes tokens [T, d] and nothing else, for the submission decides what it is given.

    What it refuses is a RuntimeError, as which every error of a lent function arrives in the submission.
    """

    def encode(X):
        if type(X) is not np.ndarray or X.ndim != 2 or X.dtype.kind not in "iuf" or X.size > 1000:
            raise RuntimeError("an encoder takes an array of tokens, [T, d]")
        return work(X)

    return encode


def mixed(X):
    """Attend to everything, with no positions at all."""
    E = np.exp(X @ X.T / 3)
    return E / E.sum(axis=-1, keepdims=True) @ X


def averaged_so_far(X):
    return np.cumsum(X, axis=0) / np.arange(1, len(X) + 1)[:, None]


def leaning(X):
    """Know the position of a token, and hardly use it."""
    return X + 1e-6 * np.arange(len(X))[:, None]


def a_shuffle(rng):
    """Draw a permutation that is not its own inverse and leaves no token in its place."""
    cycle = rng.permutation(T)
    perm = np.empty(T, dtype=np.int64)
    perm[cycle] = np.roll(cycle, 1)
    return perm


def some_tokens(rng):
    """Draw tokens with one row that is larger than the others, and of one sign."""
    X = rng.normal(size=(T, D))
    X[rng.integers(T)] -= 3
    return X


def measured(submission, encode, X, perm):
    got = submission.order_sensitivity(encode, X, perm)
    assert isinstance(got, float | int | np.number | np.ndarray), f"a number is asked for, got a {type(got).__name__}"
    assert np.size(got) == 1, f"one number is asked for, got an array of shape {np.shape(got)}"
    return float(np.reshape(got, ()))


@core
def test_it_is_0_without_positions_and_the_largest_difference_with(submission, reference, rng):
    X, perm = some_tokens(rng), a_shuffle(rng)
    blind = measured(submission, encoder(mixed), X, perm)
    assert abs(blind) < 1e-9, f"attention without positions does not know the order, but you find {blind:.3g}"
    sighted = measured(submission, encoder(averaged_so_far), X, perm)
    expected = reference.order_sensitivity(encoder(averaged_so_far), X, perm)
    assert_close(sighted, expected, what="the sensitivity of a running mean")
    assert_close(
        measured(submission, encoder(averaged_so_far), -X, perm), expected, what="the same, with all signs turned round"
    )


@edge
def test_a_small_difference_is_one_too(submission, reference, rng):
    X, perm = some_tokens(rng), a_shuffle(rng)
    expected = reference.order_sensitivity(encoder(leaning), X, perm)
    got = measured(submission, encoder(leaning), X, perm)
    assert_close(got, expected, what="the sensitivity of an encoder that hardly uses positions")


@edge
def test_an_encoder_may_give_one_number_a_token_or_a_matrix(submission, reference, rng):
    X, perm = some_tokens(rng), a_shuffle(rng)
    for work in (lambda X: averaged_so_far(X)[:, 0], lambda X: averaged_so_far(X)[:, :4].reshape(len(X), 2, 2)):
        expected = reference.order_sensitivity(encoder(work), X, perm)
        got = measured(submission, encoder(work), X, perm)
        assert_close(got, expected, what=f"the sensitivity of an encoder that gives {list(work(X).shape)}")


@edge
def test_whole_numbers_are_compared_as_numbers(submission, rng):
    X, perm = rng.integers(1, 100, size=(T, D)), a_shuffle(rng)
    encode = encoder(lambda X: np.cumsum(np.ones_like(X), axis=0).astype(np.uint8))
    # Each token is told its place, counted from 1: the largest jump of the shuffle.
    expected = float(np.abs(perm - np.arange(T)).max())
    assert_close(measured(submission, encode, X, perm), expected, what="the sensitivity of an encoder that gives uint8")


@edge
def test_a_number_that_stands_twice_or_below_0_is_refused(submission, rng):
    X, perm = some_tokens(rng), a_shuffle(rng)
    assert_rejects(submission.order_sensitivity, encoder(mixed), X, np.where(perm == 0, 1, perm))
    assert_rejects(submission.order_sensitivity, encoder(mixed), X, np.where(perm == T - 1, -1, perm))


@edge
def test_a_permutation_of_fewer_tokens_is_refused(submission, rng):
    X, perm = some_tokens(rng), a_shuffle(rng)
    assert_rejects(submission.order_sensitivity, encoder(mixed), X, perm[perm < T - 1])
    assert_rejects(submission.order_sensitivity, encoder(mixed), X[:, 0], perm)


@edge
def test_no_tokens_have_no_order(submission, rng):
    X, perm = some_tokens(rng), a_shuffle(rng)
    got = measured(submission, encoder(averaged_so_far), X[:0], perm[:0])
    assert_close(got, 0.0, what="the sensitivity to the order of no tokens")


@edge
def test_the_tokens_and_the_permutation_stay_as_they_were(submission, rng):
    assert_unchanged(submission.order_sensitivity, encoder(averaged_so_far), some_tokens(rng), a_shuffle(rng))
