"""What decides the score of `bigram_perplexity`: the mean over the pairs of a text, then every edge by itself."""

import numpy as np

from grader.testing import assert_close, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("context.bigram_perplexity")


def model(rng, V=5):
    """Draw probabilities, none of them near 0."""
    counts = rng.integers(1, 9, size=(V, V)).astype(np.float64)
    return counts / counts.sum(axis=1, keepdims=True)


def text(rng, V=5, T=17):
    """Draw a text whose tokens all occur, with a pair that comes twice."""
    tokens = np.concatenate([rng.permutation(V), rng.integers(0, V, size=T - 3 - V)])
    return np.concatenate([tokens, tokens[3:6]])


def impossible(probs, i, j):
    """Make the pair impossible, and give its share to another follower."""
    probs = probs.copy()
    probs[i, (j + 1) % len(probs)] += probs[i, j]
    probs[i, j] = 0
    return probs


def assert_refuses_ids(function, probs, tokens):
    """A ValueError is asked for; the IndexError that NumPy gives by itself is as good."""
    try:
        assert_rejects(function, probs, tokens, error="IndexError")
    except AssertionError:
        assert_rejects(function, probs, tokens)


@core
def test_the_perplexity_is_exp_of_the_mean_over_the_pairs(submission, reference, rng):
    for T in (17, 29):
        probs, tokens = model(rng), text(rng, T=T)
        expected = reference.bigram_perplexity(probs, tokens)
        assert_close(submission.bigram_perplexity(probs, tokens), expected, what="the perplexity")
    uniform = submission.bigram_perplexity(np.full((5, 5), 0.2), text(rng))
    assert_close(uniform, 5.0, what="the perplexity of a model that knows nothing, with 5 tokens to choose from")


@edge
def test_an_impossible_pair_makes_it_infinite(submission, rng):
    tokens = text(rng)
    probs = impossible(model(rng), tokens[4], tokens[5])
    assert_close(submission.bigram_perplexity(probs, tokens), np.inf, what="the perplexity of an impossible text")


@edge
def test_an_impossible_pair_that_does_not_occur_does_no_harm(submission, rng):
    tokens = text(rng)  # of ids 0 to 4, where the model has 7
    got = submission.bigram_perplexity(impossible(model(rng, V=7), tokens[2], 5), tokens)
    assert np.isfinite(got), f"every pair of the text is possible, but the perplexity is {got}"


@edge
def test_a_text_without_pairs_is_refused(submission, rng):
    assert_rejects(submission.bigram_perplexity, model(rng), text(rng)[:1])
    assert_rejects(submission.bigram_perplexity, model(rng), text(rng)[:0])


@edge
def test_a_single_pair_is_enough(submission, rng):
    got = submission.bigram_perplexity(model(rng), text(rng)[:2])
    assert np.isfinite(got), f"two tokens are one pair, but the perplexity is {got}"


@edge
def test_a_long_text_does_not_underflow(submission, rng):
    tokens = text(rng, T=2003)
    uniform = submission.bigram_perplexity(np.full((5, 5), 0.2), tokens)
    assert np.isfinite(uniform), f"the perplexity of a text of {len(tokens)} tokens is {uniform}"
    hardly = impossible(model(rng), tokens[4], tokens[5])
    hardly[tokens[4], tokens[5]] = 1e-60  # far below what float32 holds
    got = submission.bigram_perplexity(hardly, tokens[3:7])
    assert np.isfinite(got), f"a pair of probability 1e-60 is possible, but the perplexity is {got}"


@edge
def test_an_id_out_of_range_is_refused(submission, rng):
    for wrong in (-1, 5, -2, 6):
        tokens = text(rng)
        tokens[6] = wrong
        assert_refuses_ids(submission.bigram_perplexity, model(rng), tokens)


@edge
def test_what_is_no_table_or_no_text_is_refused(submission, rng):
    assert_rejects(submission.bigram_perplexity, model(rng)[:, :4], text(rng) % 4)
    assert_rejects(submission.bigram_perplexity, model(rng), text(rng)[:16].reshape(2, 8))


@edge
def test_float16_probabilities_are_computed_in_float64(submission, rng):
    probs, tokens = model(rng).astype(np.float16), text(rng)
    wide = submission.bigram_perplexity(probs.astype(np.float64), tokens)
    assert_close(submission.bigram_perplexity(probs, tokens), wide, what="the perplexity of float16 probabilities")


@edge
def test_the_arguments_are_left_as_they_were(submission, rng):
    assert_unchanged(submission.bigram_perplexity, model(rng), text(rng))
