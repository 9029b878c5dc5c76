"""context.bigram_perplexity: over how many equally likely tokens is the model undecided? The text is a b a c a b."""

import numpy as np

from grader.testing import assert_close, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("context.bigram_perplexity")

A, B, C = 0, 1, 2
TEXT = np.array([A, B, A, C, A, B])
SMOOTH = np.array([[1 / 6, 3 / 6, 2 / 6], [2 / 4, 1 / 4, 1 / 4], [2 / 4, 1 / 4, 1 / 4]])
SHARES = np.array([[0, 2 / 3, 1 / 3], [1, 0, 0], [1, 0, 0]])


@core
def test_a_model_that_knows_nothing_is_undecided_over_the_whole_vocabulary(submission):
    got = submission.bigram_perplexity(np.full((4, 4), 1 / 4), np.array([0, 3, 1, 1, 2]))
    assert_close(got, 4.0, what="the perplexity of a uniform model of 4 tokens")


@core
def test_the_worked_example(submission):
    # The five pairs have probabilities 1/2, 1/2, 1/3, 1/2, 1/2: their product is 1/48.
    assert_close(submission.bigram_perplexity(SMOOTH, TEXT), 48 ** (1 / 5), what="the perplexity of a b a c a b")


@core
def test_row_and_column_are_not_exchanged(submission):
    got = submission.bigram_perplexity(SMOOTH, np.array([C, B, A]))
    assert_close(got, 8 ** (1 / 2), what="the perplexity of c b a, whose pairs have probabilities 1/4 and 1/2")


@core
def test_two_tokens_are_one_pair(submission):
    assert_close(submission.bigram_perplexity(SMOOTH, np.array([A, C])), 3.0, what="the perplexity of a c")


@edge
def test_an_impossible_pair_makes_it_infinite(submission):
    got = submission.bigram_perplexity(SHARES, np.array([A, B, A, A]))
    assert_close(got, np.inf, what="the perplexity of a text with a pair of probability 0")


@edge
def test_an_impossible_pair_that_does_not_occur_does_no_harm(submission):
    got = submission.bigram_perplexity(SHARES, TEXT)
    assert_close(got, (27 / 4) ** (1 / 5), what="the perplexity of the text under its own shares")


@edge
def test_fewer_than_two_tokens_are_an_error(submission):
    assert_rejects(submission.bigram_perplexity, SMOOTH, TEXT[:1])
    assert_rejects(submission.bigram_perplexity, SMOOTH, TEXT[:0])


@edge
def test_a_long_text_does_not_underflow(submission):
    got = submission.bigram_perplexity(SMOOTH, np.tile([A, B], 1500))
    assert_close(got, 2.0, what="the perplexity of a b a b and so on, 3000 tokens")


@edge
def test_an_id_beyond_the_vocabulary_is_an_error(submission):
    try:
        assert_rejects(submission.bigram_perplexity, SMOOTH, np.array([A, 3, B]), error="IndexError")
    except AssertionError:  # a ValueError is as good
        assert_rejects(submission.bigram_perplexity, SMOOTH, np.array([A, 3, B]))


@edge
def test_a_negative_id_is_an_error(submission):
    try:
        assert_rejects(submission.bigram_perplexity, SMOOTH, np.array([A, -1, B]), error="IndexError")
    except AssertionError:  # a ValueError is as good
        assert_rejects(submission.bigram_perplexity, SMOOTH, np.array([A, -1, B]))


@edge
def test_what_is_no_table_or_no_text_is_an_error(submission):
    assert_rejects(submission.bigram_perplexity, SMOOTH[:, :2], np.array([A, B, A]))
    assert_rejects(submission.bigram_perplexity, SMOOTH, TEXT.reshape(2, 3))


@edge
def test_float16_probabilities_are_computed_in_float64(submission):
    probs = SMOOTH.astype(np.float16)
    third = float(probs[A, C])
    got = submission.bigram_perplexity(probs, TEXT)
    assert_close(got, float((16 / third) ** (1 / 5)), what="the perplexity of float16 probabilities")


@edge
def test_the_arguments_are_left_alone(submission):
    assert_unchanged(submission.bigram_perplexity, SMOOTH, TEXT)
