"""What decides the score of `bigram_counts`: how often j comes right after i, then every edge by itself."""

import numpy as np

from grader.testing import as_array, assert_close, assert_equal, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("context.bigram_counts")


def counted(submission, tokens, V):
    """Return the counts as float64: in which dtype they have to come is a question of its own."""
    got = submission.bigram_counts(tokens, V)
    return as_array(got, shape=(V, V), what=f"the counts of {len(tokens)} tokens").astype(np.float64)


def text(rng, V=5, T=47):
    """Draw a text in which every id occurs, some pair repeats, and some token follows itself."""
    tokens = np.concatenate([rng.permutation(V), rng.integers(0, V, size=T - V - 1)])
    return np.insert(tokens, 7, tokens[7])


def assert_refuses_ids(function, tokens, V):
    """A ValueError is asked for; the IndexError that NumPy gives by itself is as good."""
    try:
        assert_rejects(function, tokens, V, error="IndexError")
    except AssertionError:
        assert_rejects(function, tokens, V)


@core
def test_entry_i_j_is_how_often_j_comes_right_after_i(submission, reference, rng):
    for V in (5, 7):
        tokens = text(rng, V)
        got = counted(submission, tokens, V)
        assert got.sum() == len(tokens) - 1, f"{len(tokens)} tokens have {len(tokens) - 1} pairs, you count {got.sum()}"
        assert_close(got, reference.bigram_counts(tokens, V).astype(np.float64), what="the counts")


@edge
def test_ids_that_do_not_occur_keep_their_rows_and_columns(submission, rng):
    V, tokens = 5, text(rng)
    ids = np.array([0, 2, 3, 6, 8])
    got, dense = counted(submission, ids[tokens], 11), counted(submission, tokens, V)
    assert_close(got[np.ix_(ids, ids)], dense, what="the counts of those that occur")
    assert got.sum() == dense.sum(), "an id that does not occur has a count"


@edge
def test_a_text_without_pairs_has_counts_of_zero(submission, rng):
    for length in (1, 0):
        got = counted(submission, text(rng)[:length], 5)
        assert not got.any(), f"a text of {length} tokens has no pair, you count {got.sum()}"


@edge
def test_an_id_out_of_range_is_refused(submission, rng):
    for wrong in (-1, 5, -2, 6):
        tokens = text(rng)
        tokens[11] = wrong
        assert_refuses_ids(submission.bigram_counts, tokens, 5)


@edge
def test_a_batch_of_texts_is_refused(submission, rng):
    assert_rejects(submission.bigram_counts, text(rng)[:42].reshape(2, 21), 5)


@edge
def test_the_counts_are_int64(submission, rng):
    as_array(submission.bigram_counts(text(rng), 5), dtype=np.int64, what="the counts")


@edge
def test_ids_may_come_in_any_integer_dtype(submission, rng):
    ids = np.array([3, 29, 47, 71, 90])
    tokens = ids[text(rng)]
    wide = counted(submission, tokens, 97)
    for dtype in (np.uint8, np.int8, np.int32):
        assert_equal(counted(submission, tokens.astype(dtype), 97), wide, f"the counts of {np.dtype(dtype)} ids")


@edge
def test_the_tokens_are_left_as_they_were(submission, rng):
    assert_unchanged(submission.bigram_counts, text(rng), 5)
