"""positions.rope: each pair of neighbouring columns turns by position times frequency.

Edge tests compare the answer with the answer's own value in the ordinary case where they can, so that one mistake costs
once.
"""

import numpy as np

from grader.testing import as_array, assert_close, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("positions.rope")

T, D = 5, 6


def some_positions(rng, *lead):
    """Draw positions as a cache has them: rising, with gaps, the first of them after 0."""
    return np.cumsum(rng.integers(1, 4, size=(*lead, T)), axis=-1) + 1


def rotated(submission, x, positions, *base):
    """Return the rows as float64: in which dtype they have to come is a question of its own."""
    what = f"x of shape {x.shape}, turned by positions of shape {positions.shape}"
    return as_array(submission.apply_rope(x, positions, *base), shape=x.shape, what=what).astype(np.float64)


def lengths(x):
    """Return the length of each pair of neighbouring columns."""
    return np.hypot(x[..., 0::2], x[..., 1::2])


@core
def test_pairs_of_neighbours_turn_by_position_times_frequency(submission, reference, rng):
    # As many positions as pairs first: there positions that have no axis of their own give numbers.
    for positions in (np.arange(D // 2), np.arange(T), some_positions(rng)):
        x = rng.normal(size=(len(positions), D))
        got = rotated(submission, x, positions)
        if positions[0] == 0:
            assert_close(got[0], x[0], rtol=1e-5, atol=1e-5, what="the row at position 0, which is not turned at all")
        # Wide enough for float32: what is lost by computing in it is a question of its own.
        assert_close(lengths(got), lengths(x), rtol=1e-5, atol=1e-5, what="the lengths of the pairs (2i, 2i+1)")
        expected = reference.apply_rope(x, positions)
        assert_close(got, expected, rtol=1e-5, atol=1e-5, what=f"the rows at positions {positions.tolist()}")
    unit = np.tile(np.eye(D)[0], (T, 1))
    assert rotated(submission, unit, np.ones(T))[0, 1] > 0.8, "column 0 turns towards column 1, counter-clockwise"


@edge
def test_a_batch_shares_its_positions(submission, rng):
    for lead in ((2, 3), (3,)):
        x, positions = rng.normal(size=(*lead, T, D)), some_positions(rng)
        got = rotated(submission, x, positions)
        for index in np.ndindex(*lead):
            alone = rotated(submission, x[index], positions)
            assert_close(got[index], alone, rtol=1e-5, atol=1e-5, what=f"one sequence out of a batch {list(x.shape)}")


@edge
def test_each_sequence_may_have_positions_of_its_own(submission, rng):
    x, positions = rng.normal(size=(3, T, D)), some_positions(rng, 3)
    got = rotated(submission, x, positions)
    for b in range(3):
        alone = rotated(submission, x[b], positions[b])
        assert_close(got[b], alone, rtol=1e-5, atol=1e-5, what="one sequence out of a batch with positions [3, T]")


@edge
def test_the_base_is_the_one_that_is_given(submission, reference, rng):
    x, positions, base = rng.normal(size=(T, D)), np.arange(T), float(rng.choice([30.0, 70.0, 500.0]))
    expected = reference.apply_rope(x, positions, base)
    assert_close(
        rotated(submission, x, positions, base), expected, rtol=1e-5, atol=1e-5, what=f"the rows for base {base}"
    )


@edge
def test_positions_need_not_be_whole_or_positive(submission, reference, rng):
    x, positions = rng.normal(size=(T, D)), np.append(0.0, rng.permutation([-2.5, -1.0, 3.5, 7.75]))
    expected = reference.apply_rope(x, positions)
    got = rotated(submission, x, positions)
    assert_close(got, expected, rtol=1e-5, atol=1e-5, what=f"the rows at positions {positions.tolist()}")


@edge
def test_float32_stays_float32(submission, rng):
    x = rng.integers(-9, 10, size=(T, D)).astype(np.float32)
    for positions in (some_positions(rng), some_positions(rng).astype(np.float64)):
        what = f"float32 rows at {positions.dtype} positions"
        as_array(submission.apply_rope(x, positions), dtype=np.float32, what=what)


@edge
def test_every_other_dtype_becomes_float64(submission, rng):
    whole, positions = rng.integers(1, 10, size=(T, D)), some_positions(rng)
    got = submission.apply_rope(whole.astype(np.float64), positions)
    wide = as_array(got, dtype=np.float64, what="the turned float64 rows")
    for dtype in (np.int64, np.float16):
        assert_close(submission.apply_rope(whole.astype(dtype), positions), wide, what=f"turned {np.dtype(dtype)} rows")


@edge
def test_positions_that_do_not_fit_are_refused(submission, rng):
    x, positions = rng.normal(size=(3, T, D)), some_positions(rng)
    assert_rejects(submission.apply_rope, x[0], positions[:1])
    assert_rejects(submission.apply_rope, x[0], positions[:4])
    assert_rejects(submission.apply_rope, x, some_positions(rng, 2))
    assert_rejects(submission.apply_rope, x[0, 0], np.array(3))  # a row alone has no axis of tokens


@edge
def test_an_odd_width_is_refused(submission, rng):
    assert_rejects(submission.apply_rope, rng.normal(size=(T, D + 1)), some_positions(rng))


@edge
def test_rows_and_positions_stay_as_they_were(submission, rng):
    assert_unchanged(submission.apply_rope, rng.normal(size=(T, D)), some_positions(rng).astype(np.float64))
