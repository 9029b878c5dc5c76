"""efficient.online_softmax: the maximum of a row and its sum of exponentials, from blocks that are seen once."""

import numpy as np

from grader.testing import as_array, assert_close, assert_rejects, assert_tuple, assert_unchanged, core, edge, exercise

pytestmark = exercise("efficient.online_softmax")

# exp of the scores is 1, 2 | 8 | 4, 1 in the first row and 4, 2 | 1 | 1, 2 in the second.
BLOCKS = [np.log([[1.0, 2.0], [4.0, 2.0]]), np.log([[8.0], [1.0]]), np.log([[4.0, 1.0], [1.0, 2.0]])]
MAXIMUM = np.log([[8.0], [4.0]])
SUM = np.array([[16 / 8], [10 / 4]])
NOTHING = np.full((2, 2), -np.inf)


def maximum_and_sum(submission, blocks):
    """Read both as float64; which dtype they must have is a test of its own."""
    rows = np.shape(blocks[0])[:-1]
    got = assert_tuple(submission.online_softmax(blocks), 2)
    return tuple(
        as_array(each, shape=(*rows, 1), what=what).astype(np.float64)
        for each, what in zip(got, ("the maximum", "the sum"), strict=True)
    )


@core
def test_one_block_has_its_own_maximum_and_sum(submission):
    m, d = maximum_and_sum(submission, BLOCKS[:1])
    assert_close(m, np.log([[2.0], [4.0]]), what="the maximum of one block")
    assert_close(d, np.array([[3 / 2], [6 / 4]]), what="the sum of one block")


@core
def test_the_maximum_is_that_of_all_blocks(submission):
    assert_close(maximum_and_sum(submission, BLOCKS)[0], MAXIMUM, what="the maximum of three blocks")


@core
def test_the_sum_is_relative_to_the_last_maximum(submission):
    assert_close(maximum_and_sum(submission, BLOCKS)[1], SUM, what="the sum of three blocks")


@core
def test_the_order_of_the_blocks_does_not_matter(submission):
    m, d = maximum_and_sum(submission, BLOCKS[::-1])
    assert_close(m, MAXIMUM, what="the maximum, blocks in reverse")
    assert_close(d, SUM, what="the sum, blocks in reverse")


@core
def test_scores_below_zero_have_a_maximum_below_zero(submission):
    m, d = maximum_and_sum(submission, [block - 7 for block in BLOCKS])
    assert_close(m, MAXIMUM - 7, what="the maximum of negative scores")
    assert_close(d, SUM, what="the sum of negative scores")


@edge
def test_a_row_may_begin_with_nothing(submission):
    m, d = maximum_and_sum(submission, [NOTHING, *BLOCKS])
    assert_close(m, MAXIMUM, what="the maximum after a block of -inf")
    assert_close(d, SUM, what="the sum after a block of -inf")


@edge
def test_a_row_of_nothing_has_maximum_minus_infinity_and_sum_zero(submission):
    m, d = maximum_and_sum(submission, [NOTHING, NOTHING[:, :1]])
    assert_close(m, np.full((2, 1), -np.inf), what="the maximum of nothing")
    assert_close(d, np.zeros((2, 1)), what="the sum of nothing")


@edge
def test_very_large_and_very_low_scores_do_no_harm(submission):
    far = np.array([[1000.0], [-20000.0]])
    m, d = maximum_and_sum(submission, [block + far for block in BLOCKS])
    assert_close(m, MAXIMUM + far, what="the maximum of far scores")
    assert_close(d, SUM, what="the sum of far scores")


@edge
def test_a_block_may_hold_no_score(submission):
    d = maximum_and_sum(submission, [BLOCKS[0], np.zeros((2, 0)), *BLOCKS[1:]])[1]
    assert_close(d, SUM, what="the sum with an empty block in between")


@edge
def test_any_number_of_axes_may_stand_before_the_scores(submission):
    m, d = maximum_and_sum(submission, [block[0] for block in BLOCKS])
    assert_close(m, MAXIMUM[0], what="the maximum of a single row")
    assert_close(d, SUM[0], what="the sum of a single row")
    batch = [np.stack([[block, block[::-1]]] * 3) for block in BLOCKS]  # [3, 2, 2, n]
    d = maximum_and_sum(submission, batch)[1]
    assert_close(d[2, 1], SUM[::-1], what="the sum of the last example of a batch")


@edge
def test_blocks_may_come_as_a_list_a_tuple_or_an_array(submission):
    blocks = np.stack([BLOCKS[0], BLOCKS[2]])  # [2, 2, 2]: an array yields its blocks one by one, as any iterable does
    for each in (list(blocks), tuple(blocks), blocks):
        d = maximum_and_sum(submission, each)[1]
        assert_close(d, np.array([[8 / 4], [9 / 4]]), what=f"the sum of blocks in a {type(each).__name__}")


@edge
def test_float32_stays_float32(submission):
    for each in assert_tuple(submission.online_softmax([block.astype(np.float32) for block in BLOCKS]), 2):
        as_array(each, dtype=np.float32, what="a result of float32")


@edge
def test_every_other_dtype_becomes_float64(submission):
    for blocks in ([np.array([[3, 1]]), np.array([[2]])], [BLOCKS[0].astype(np.float32), *BLOCKS[1:]]):
        for each in assert_tuple(submission.online_softmax(blocks), 2):
            as_array(each, dtype=np.float64, what=f"a result of {blocks[0].dtype} and {blocks[1].dtype}")


@edge
def test_no_block_at_all_is_an_error(submission):
    assert_rejects(submission.online_softmax, [])


@edge
def test_rows_that_do_not_fit_are_an_error(submission):
    assert_rejects(submission.online_softmax, [BLOCKS[0], BLOCKS[1][:1]])


@edge
def test_the_blocks_are_left_alone(submission):
    assert_unchanged(submission.online_softmax, BLOCKS)
