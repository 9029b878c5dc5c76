"""context.bigram_counts: row = a token, column = what comes right after it. The text is a b a c a b."""

import numpy as np

from grader.testing import as_array, assert_close, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("context.bigram_counts")

A, B, C = 0, 1, 2
TEXT = np.array([A, B, A, C, A, B])
COUNTS = np.array([[0.0, 2.0, 1.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])


def counted(submission, tokens, V=3):
    """Read the counts as float64; which dtype they must have is a test of its own."""
    got = submission.bigram_counts(tokens, V)
    return as_array(got, shape=(V, V), what=f"the counts of {len(tokens)} tokens").astype(np.float64)


@core
def test_six_tokens_are_five_pairs(submission):
    total = counted(submission, TEXT).sum()
    assert total == 5, f"a b a c a b has 5 pairs, you count {total:g}"


@core
def test_a_pair_that_comes_twice_counts_twice(submission):
    got = counted(submission, TEXT)[A, B]
    assert got == 2, f"b follows a 2 times, you count {got:g}"


@core
def test_row_and_column_are_not_exchanged(submission):
    got = counted(submission, np.array([A, B, C]))
    assert_close(got, np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]), what="the counts of a b c")


@core
def test_entry_i_j_is_how_often_j_comes_right_after_i(submission):
    assert_close(counted(submission, TEXT), COUNTS, what="the counts of a b a c a b")


@core
def test_a_token_may_follow_itself(submission):
    assert_close(counted(submission, np.array([B, B, B]), 2), np.array([[0.0, 0.0], [0.0, 2.0]]), what="b b b")


@edge
def test_tokens_that_do_not_occur_have_rows_and_columns_of_zeros(submission):
    expected = np.zeros((5, 5))
    expected[1, 3] = 1
    assert_close(counted(submission, np.array([1, 3]), 5), expected, what="the counts of 1 3 in a vocabulary of 5")


@edge
def test_fewer_than_two_tokens_have_no_pairs(submission):
    for length in (1, 0):
        assert not counted(submission, TEXT[:length]).any(), f"a text of {length} tokens has no pair"


@edge
def test_an_id_beyond_the_vocabulary_is_an_error(submission):
    try:
        assert_rejects(submission.bigram_counts, np.array([A, 3, B]), 3, error="IndexError")
    except AssertionError:  # a ValueError is as good
        assert_rejects(submission.bigram_counts, np.array([A, 3, B]), 3)


@edge
def test_a_negative_id_is_an_error(submission):
    try:
        assert_rejects(submission.bigram_counts, np.array([A, -1, B]), 3, error="IndexError")
    except AssertionError:  # a ValueError is as good
        assert_rejects(submission.bigram_counts, np.array([A, -1, B]), 3)


@edge
def test_a_batch_of_texts_is_an_error(submission):
    assert_rejects(submission.bigram_counts, TEXT.reshape(2, 3), 3)


@edge
def test_the_counts_are_int64(submission):
    as_array(submission.bigram_counts(TEXT, 3), dtype=np.int64, what="the counts")


@edge
def test_ids_may_come_in_a_small_dtype(submission):
    expected = np.zeros((12, 12))
    expected[[10, 11], [11, 11]] = 1
    got = counted(submission, np.array([10, 11, 11], dtype=np.int8), 12)
    assert_close(got, expected, what="the counts of 10 11 11 in int8")


@edge
def test_the_tokens_are_left_alone(submission):
    assert_unchanged(submission.bigram_counts, TEXT, 3)
