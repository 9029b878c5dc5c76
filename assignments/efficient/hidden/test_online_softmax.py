"""What decides the score of `online_softmax`: the maximum and the sum of ragged blocks, then every edge by itself."""

import numpy as np

from grader.testing import (
    as_array,
    assert_close,
    assert_finite,
    assert_rejects,
    assert_tuple,
    assert_unchanged,
    core,
    edge,
    exercise,
)

pytestmark = exercise("efficient.online_softmax")

WIDTHS = (3, 1, 4, 2)


def ragged(rng, *rows):
    """Scores in blocks of several widths, cut from one array; in row i the maximum stands in block i, if there is one."""
    rows = rows or (5,)
    blocks = [rng.uniform(-1, 1, size=(*rows, width)) for width in WIDTHS]
    for i, block in enumerate(blocks[: rows[-1]]):
        block[..., i, 0] += 2
    return blocks


def maximum_and_sum(submission, blocks, what="of blocks"):
    """Read both as float64: in which dtype they have to come is a question of its own."""
    rows = np.shape(blocks[0])[:-1]
    got = assert_tuple(submission.online_softmax(blocks), 2)
    return [
        as_array(each, shape=(*rows, 1), what=f"{name} {what}").astype(np.float64)
        for each, name in zip(got, ("the maximum", "the sum"), strict=True)
    ]


def same(got, expected, what):
    """Compare with the answer's own value in the ordinary case, so that one mistake costs once."""
    for each, want, name in zip(got, expected, ("the maximum", "the sum"), strict=True):
        assert_close(each, want, rtol=1e-5, what=f"{name} {what}")


def check(submission, reference, blocks, what="of blocks", **tolerance):
    m, d = maximum_and_sum(submission, blocks, what)
    expected = reference.online_softmax(blocks)
    for got, want, name in zip((m, d), expected, ("the maximum", "the sum"), strict=True):
        assert_close(got, want.astype(np.float64), what=f"{name} {what}", **tolerance)


@core
def test_the_maximum_and_the_sum_are_those_of_the_whole_row(submission, reference, rng):
    blocks = ragged(rng)
    row = np.concatenate(blocks, axis=-1)
    m, d = maximum_and_sum(submission, blocks)
    assert_close(m, row.max(axis=-1, keepdims=True), what="the maximum")
    shares = np.exp(row - m) / d
    assert np.allclose(shares.sum(axis=-1), 1, rtol=1e-5), "exp(x - maximum) / sum should give weights that sum to 1"
    # Wide enough for float32: what is lost by computing in it is a question of its own.
    check(submission, reference, blocks, rtol=1e-5)
    check(submission, reference, [block - 5 for block in blocks[::-1]], "of scores below 0", rtol=1e-5)
    grown = [block + 3 * i for i, block in enumerate(blocks)]
    check(submission, reference, grown, "of scores that grow in every row", rtol=1e-5)


@edge
def test_rows_that_begin_with_nothing(submission, rng):
    blocks = ragged(rng)
    expected = maximum_and_sum(submission, blocks)
    nothing = np.full((5, 2), -np.inf)
    got = maximum_and_sum(submission, [nothing, *blocks], "of rows that begin with -inf")
    same(got, expected, "of rows that begin with -inf")
    part = np.where(np.arange(5)[:, np.newaxis] % 2 == 0, 0.5, nothing)
    even = maximum_and_sum(submission, [part, *blocks], "where every other row begins with -inf")
    same([each[1::2] for each in even], [each[1::2] for each in expected], "of every other row")


@edge
def test_rows_of_nothing(submission, rng):
    blocks = ragged(rng)
    for block in blocks:
        block[[0, 3]] = -np.inf
    m, d = maximum_and_sum(submission, blocks)
    assert_close(m[[0, 3]], np.full((2, 1), -np.inf), what="the maximum of a row of -inf")
    assert_close(d[[0, 3]], np.zeros((2, 1)), what="the sum of a row of -inf")


@edge
def test_scores_a_long_way_from_zero_and_from_each_other(submission, rng):
    blocks = ragged(rng)
    m, d = maximum_and_sum(submission, blocks)
    far = rng.permutation([2e4, 1e3, 0.0, -1e3, -2e4])[:, np.newaxis]
    same(maximum_and_sum(submission, [block + far for block in blocks]), (m + far, d), "of rows far from each other")
    apart = [block + step for block, step in zip(blocks, 1000.0 * rng.permutation(len(blocks)), strict=True)]
    got, turned = maximum_and_sum(submission, apart), maximum_and_sum(submission, apart[::-1])
    assert_finite(got[1], what="the sum of blocks far apart")
    same(got, turned, "of blocks far apart, in either order")
    ends = [np.array([[-1.0, 1.0]]), np.array([[1.0]]), np.array([[-1.0]])]
    expected = maximum_and_sum(submission, [1000 * end for end in ends])[1]
    for largest in (float(np.finfo(np.float64).max), float(np.finfo(np.float32).max)):
        got = maximum_and_sum(submission, [largest * end for end in ends])
        same(got, (np.array([[largest]]), expected), "of the largest numbers")


@edge
def test_blocks_without_scores(submission, rng):
    blocks = ragged(rng)
    none = np.zeros((5, 0))
    got = maximum_and_sum(submission, [none, *blocks[:2], none, *blocks[2:]])
    same(got, maximum_and_sum(submission, blocks), "with empty blocks in between")


@edge
def test_rows_in_a_batch_and_a_row_alone(submission, rng):
    blocks = ragged(rng)
    m, d = maximum_and_sum(submission, blocks)
    same(maximum_and_sum(submission, [block[2] for block in blocks]), (m[2], d[2]), "of a single row")
    for lead in ((2,), (2, 3)):
        batch = [np.array(np.broadcast_to(block, (*lead, *block.shape))) for block in blocks]
        batch[0][0] -= 1  # so that the examples are not all alike
        got = [each[(-1,) * len(lead)] for each in maximum_and_sum(submission, batch)]
        same(got, (m, d), f"of the last example of a batch {lead}")


@edge
def test_blocks_in_a_list_a_tuple_or_an_array(submission, rng):
    blocks = rng.uniform(-1, 1, size=(4, 5, 3))
    expected = maximum_and_sum(submission, list(blocks))
    for each in (tuple(blocks), blocks):
        same(maximum_and_sum(submission, each), expected, f"of blocks in a {type(each).__name__}")


@edge
def test_the_dtype_follows_all_blocks(submission, rng):
    eighths = [np.round(8 * block) / 8 for block in ragged(rng)]
    wide = maximum_and_sum(submission, eighths)
    mixed = [block.astype(np.float32 if i < 2 else np.float64) for i, block in enumerate(eighths)]
    for blocks in (*([block.astype(dtype) for block in eighths] for dtype in (np.float32, np.float16)), mixed):
        what = f"of {blocks[0].dtype} first and {blocks[-1].dtype} last"
        result = np.float32 if blocks[-1].dtype == np.float32 else np.float64
        for each, want in zip(assert_tuple(submission.online_softmax(blocks), 2), wide, strict=True):
            assert_close(each, want.astype(result), what=f"a result {what}")
    whole = [np.round(8 * block) for block in eighths]
    wide = maximum_and_sum(submission, whole)
    for each, want in zip(submission.online_softmax([block.astype(np.int64) for block in whole]), wide, strict=True):
        assert_close(each, want, what="a result of int64")


@edge
def test_no_blocks_are_refused(submission):
    assert_rejects(submission.online_softmax, [])


@edge
def test_rows_that_do_not_fit_are_refused(submission, rng):
    blocks = ragged(rng)
    for odd in (blocks[1][:1], blocks[1][:4], blocks[1][np.newaxis]):
        assert_rejects(submission.online_softmax, [blocks[0], odd, blocks[2]])


@edge
def test_the_blocks_stay_as_they_were(submission, rng):
    assert_unchanged(submission.online_softmax, ragged(rng))
