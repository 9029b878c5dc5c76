"""positions.permutation: encoders that one can follow by hand."""

import numpy as np

from grader.testing import assert_close, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("positions.permutation")

# Token 0 goes to the end, and the others move up: this is not its own inverse.
MOVED_UP = np.array([1, 2, 0])


def encoder(work):
    """Lend `work` as an encoder that takes tokens [T, d] and nothing else, for the submission decides what it is given."""

    def encode(X):
        if type(X) is not np.ndarray or X.ndim != 2 or X.dtype.kind not in "iuf" or X.size > 1000:
            raise RuntimeError("an encoder takes an array of tokens, [T, d]")
        return work(X)

    return encode


def mixed(X):
    """Attend to everything, with no positions at all."""
    E = np.exp(X @ X.T / 3)
    return E / E.sum(axis=-1, keepdims=True) @ X


def numbered(X):
    """Add its position to each token."""
    return X + np.arange(len(X))[:, None]


def summed_so_far(X):
    return np.cumsum(X, axis=0)


def measured(submission, encode, X, perm):
    got = submission.order_sensitivity(encode, X, perm)
    assert isinstance(got, float | int | np.number | np.ndarray), f"a number is asked for, got a {type(got).__name__}"
    assert np.size(got) == 1, f"one number is asked for, got an array of shape {np.shape(got)}"
    return float(np.reshape(got, ()))


@core
def test_an_encoder_that_looks_at_each_token_alone_does_not_know_the_order(submission):
    X = np.array([[1.0, 5.0, 2.0, 0.5], [4.0, 0.0, -2.0, 3.0], [2.5, 1.0, 1.0, -1.0]])
    got = measured(submission, encoder(lambda X: X**2), X, MOVED_UP)
    assert abs(got) < 1e-9, f"the encoder squares each token by itself, so its sensitivity is 0, not {got:.3g}"


@core
def test_attention_without_positions_does_not_know_the_order(submission):
    X = np.array([[1.0, 0.5, 2.0, 1.5], [0.0, 0.25, -2.0, 1.0], [0.5, 1.0, 1.0, -1.0]])
    got = measured(submission, encoder(mixed), X, MOVED_UP)
    assert abs(got) < 1e-9, f"attention without positions has sensitivity 0, not {got:.3g}"


@core
def test_an_encoder_that_adds_positions_does(submission):
    # Before or after the shuffle, rows are given 0, 1, 2 or 1, 2, 0: they differ by 1, 1 and 2.
    X = np.array([[1.0, 2.0, 0.0, 1.0], [3.0, 4.0, 1.0, 0.0], [5.0, 6.0, 0.0, 2.0]])
    assert_close(measured(submission, encoder(numbered), X, MOVED_UP), 2.0, what="the sensitivity")


@core
def test_a_running_sum_by_hand(submission):
    # Shuffled first: 0, -1, 2. Shuffled afterwards: sums 3, 3, 2 in the order 3, 2, 3. They differ by -3, -3 and -1.
    X = np.array([[3.0, 0, 0], [0, 0, 0], [-1.0, 0, 0]])
    assert_close(measured(submission, encoder(summed_so_far), X, MOVED_UP), 3.0, what="the sensitivity")


@edge
def test_tokens_left_in_their_places_show_nothing(submission):
    X = np.array([[3.0, 1.0], [0.5, 7.0], [2.0, -1.0]])
    got = measured(submission, encoder(summed_so_far), X, np.arange(3))
    assert_close(got, 0.0, what="the sensitivity to a permutation that moves nothing")


@edge
def test_a_small_difference_is_one_too(submission):
    X = np.array([[3.0, 2.0], [0.5, 9.0], [1.0, -4.0]])
    got = measured(submission, encoder(lambda X: X + 1e-6 * np.arange(len(X))[:, None]), X, MOVED_UP)
    assert_close(got, 2e-6, what="the sensitivity of an encoder that hardly uses positions")


@edge
def test_an_encoder_may_give_one_number_a_token(submission):
    X = np.array([[3.0, 2.0], [0.5, 8.0], [1.0, -5.0]])
    got = measured(submission, encoder(lambda X: np.arange(10.0, 10.0 + len(X))), X, MOVED_UP)
    assert_close(got, 2.0, what="the sensitivity of an encoder that gives 10, 11, 12")


@edge
def test_whole_numbers_are_compared_as_numbers(submission):
    X = np.array([[3, 2], [7, 8], [1, 5]])
    encode = encoder(lambda X: np.cumsum(np.ones_like(X), axis=0).astype(np.uint8))
    got = measured(submission, encode, X, MOVED_UP)
    assert_close(got, 2.0, what="the sensitivity of an encoder that gives 1, 2, 3 in uint8")


@edge
def test_a_number_that_stands_twice_or_below_0_is_an_error(submission):
    X = np.array([[3.0, 2.0], [0.5, 8.0], [1.5, -6.0]])
    assert_rejects(submission.order_sensitivity, encoder(mixed), X, np.array([0, 0, 1]))
    assert_rejects(submission.order_sensitivity, encoder(mixed), X, np.array([-1, 0, 1]))


@edge
def test_a_permutation_of_fewer_tokens_is_an_error(submission):
    X = np.array([[3.0, 2.0], [0.5, 8.0], [1.5, -6.5]])
    assert_rejects(submission.order_sensitivity, encoder(mixed), X, np.array([1, 0]))


@edge
def test_where_there_are_no_tokens_nothing_differs(submission):
    got = measured(submission, encoder(numbered), np.zeros((0, 2)), np.arange(0))
    assert_close(got, 0.0, what="the sensitivity to the order of no tokens")


@edge
def test_the_tokens_are_left_alone(submission):
    X = np.array([[3.0, 2.0], [0.5, 8.0], [1.5, -7.0]])
    assert_unchanged(submission.order_sensitivity, encoder(summed_so_far), X, MOVED_UP)
