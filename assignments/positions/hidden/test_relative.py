"""positions.relative: turned by their positions, query and key know only how far apart they stand."""

import numpy as np

from grader.testing import as_array, assert_close, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("positions.relative")


def query_and_key(rng):
    """Draw vectors whose entries are well away from 0."""
    return tuple(rng.choice([-1.0, 1.0], size=6) * rng.uniform(0.5, 2, size=6) for _ in range(2))


def scores(submission, q, k, n, *base):
    """Return the scores as float64: in which dtype they have to come is a question of its own."""
    what = f"the scores of {n} positions"
    return as_array(submission.relative_scores(q, k, n, *base), shape=(n, n), what=what).astype(np.float64)


@core
def test_the_scores_are_those_of_the_turned_vectors(submission, reference, rng):
    (q, k), n = query_and_key(rng), int(rng.choice([5, 7]))
    got = scores(submission, q, k, n)
    assert_close(
        got[0, 0], float(q @ k), rtol=1e-5, atol=1e-5, what="the score at distance 0, which is the plain q . k"
    )
    # Wide enough for float32: what is lost by computing in it is a question of its own.
    assert_close(got[1:, 1:], got[:-1, :-1], rtol=1e-5, atol=1e-5, what="each score, one step down its diagonal,")
    assert_close(got, reference.relative_scores(q, k, n), rtol=1e-5, atol=1e-5, what="the scores")
    # A base that is nearly the usual one shows far apart only, and best in the second pair of a wide head.
    q, k = np.tile(q, 3), np.tile(k, 3)
    expected = reference.relative_scores(q, k, 100)
    assert_close(scores(submission, q, k, 100), expected, rtol=0, atol=1e-4, what="the scores of a wider head")


@edge
def test_the_base_is_the_one_that_is_given(submission, reference, rng):
    (q, k), base = query_and_key(rng), float(rng.choice([30.0, 70.0, 500.0]))
    expected = reference.relative_scores(q, k, 5, base)
    assert_close(scores(submission, q, k, 5, base), expected, rtol=1e-5, atol=1e-5, what=f"the scores for base {base}")


@edge
def test_there_may_be_no_positions_or_one(submission, rng):
    q, k = query_and_key(rng)
    scores(submission, q, k, 0)
    assert_close(scores(submission, q, k, 1), np.array([[q @ k]]), rtol=1e-5, what="the scores of a single position")


@edge
def test_float32_stays_float32(submission, rng):
    q, k = (np.round(4 * v).astype(np.float32) for v in query_and_key(rng))
    as_array(submission.relative_scores(q, k, 5), dtype=np.float32, what="the scores of float32 vectors")


@edge
def test_every_other_dtype_becomes_float64(submission, rng):
    whole = [rng.integers(1, 10, size=6) for _ in range(2)]
    # Many positions for float32 beside float64: what is lost where a query is turned in float32 is little.
    for *dtypes, n in ((np.int64, np.int64, 5), (np.float16, np.float16, 5), (np.float32, np.float64, 50)):
        got = submission.relative_scores(*(v.astype(np.float64) for v in whole), n)
        wide = as_array(got, dtype=np.float64, what="the scores of float64 vectors")
        q, k = (v.astype(dtype) for v, dtype in zip(whole, dtypes, strict=True))
        assert_close(submission.relative_scores(q, k, n), wide, what=f"the scores of {q.dtype} and {k.dtype}")


@edge
def test_vectors_that_do_not_fit_are_refused(submission, rng):
    q, k = query_and_key(rng)
    assert_rejects(submission.relative_scores, q, k[:4], 5)
    assert_rejects(submission.relative_scores, q, k[:2], 5)
    assert_rejects(submission.relative_scores, q[None], k[None], 5)


@edge
def test_an_odd_width_is_refused(submission, rng):
    q, k = query_and_key(rng)
    assert_rejects(submission.relative_scores, q[:5], k[:5], 5)


@edge
def test_a_number_of_positions_below_0_is_refused(submission, rng):
    assert_rejects(submission.relative_scores, *query_and_key(rng), -int(rng.integers(1, 6)))


@edge
def test_query_and_key_stay_as_they_were(submission, rng):
    assert_unchanged(submission.relative_scores, *query_and_key(rng), 5)
