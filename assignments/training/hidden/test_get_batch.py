"""training.get_batch: windows of consecutive tokens, their targets one later, every start equally likely.

In the data of most tests every token stands once, so that a window tells where it began.
"""

import torch

from grader.testing import as_tensor, assert_equal, assert_rejects, assert_tuple, core, edge, exercise

pytestmark = exercise("training.get_batch")

ERRORS = ("ValueError", "RuntimeError")
STARTS = 5
DRAWS = 2000
# A right answer is beyond these once in more than ten million tests: chi-squared with 4 and with 16 degrees of freedom.
MOST_UNEVEN, MOST_RELATED = 40.0, 70.0


def generator(rng):
    return torch.Generator().manual_seed(int(rng.integers(2**31)))


def numbered(rng, n):
    """Token ids of which each is one more than that before it."""
    return torch.arange(n) + int(rng.integers(1000))


def batch(submission, data, batch_size, block_size, g):
    submission.seed_torch(1)
    got = assert_tuple(submission.get_batch(data, batch_size, block_size, g), 2, what="a batch")
    shape = (batch_size, block_size)
    return tuple(as_tensor(each, shape=shape, what=name) for each, name in zip(got, ("x", "y"), strict=True))


def uneven(counts):
    """How far counts are from being equal: the statistic of the chi-squared test."""
    expected = counts.sum() / len(counts)
    return float(((counts - expected) ** 2 / expected).sum())


def related(pairs):
    """How far a table of counts is from being the product of its margins: the statistic of the test of independence."""
    expected = pairs.sum(dim=1, keepdim=True) * pairs.sum(dim=0) / pairs.sum()
    return float(((pairs - expected) ** 2 / expected.clamp(min=1e-9)).sum())


@core
def test_rows_are_consecutive_and_targets_one_later(submission, rng):
    data = numbered(rng, 60)
    x, y = batch(submission, data, 11, 7, generator(rng))
    assert_equal(
        x.long(), (x[:, :1] + torch.arange(7)).long(), what="the rows of x, each counted on from its first token"
    )
    assert_equal(
        y.long(), (x + 1).long(), what="the targets, where each token of the data is one more than that before it"
    )
    assert data[0] <= x.min(), "x holds tokens that are not in the data"
    least = batch(submission, data[:2], 1, 1, generator(rng))
    for name, got, token in zip(("x", "y"), least, data[:2], strict=True):
        assert_equal(got.long(), token.reshape(1, 1), what=f"{name} of two tokens, for one row of one token")


@core
def test_every_start_is_equally_likely_the_last_one_included(submission, rng):
    data = numbered(rng, STARTS + 3)
    x, _ = batch(submission, data, DRAWS, 3, generator(rng))
    counts = torch.tensor([int((x[:, 0] == token).sum()) for token in data[:STARTS]])
    assert counts[-1] > 0, "the last start is never drawn: its target is the last token of the data"
    assert counts.sum() == DRAWS, "a row of x starts where no row can"
    assert uneven(counts) < MOST_UNEVEN, f"{DRAWS} rows began {counts.tolist()} times at the {STARTS} starts"


@edge
def test_each_row_is_drawn_by_itself(submission, rng):
    data = numbered(rng, STARTS + 2)
    x, _ = batch(submission, data, DRAWS, 2, generator(rng))
    starts = (x[:, 0] - data[0]).long()
    pairs = (STARTS * starts[::2] + starts[1::2]).bincount(minlength=STARTS**2).reshape(STARTS, STARTS)
    assert related(pairs) < MOST_RELATED, "where a row begins tells where the next one does"


@edge
def test_batches_come_from_the_generator_alone(submission, rng):
    data, seed = numbered(rng, 500), int(rng.integers(2**31))
    seen = []
    for s, other in ((seed, 1), (seed, 2), (seed + 1, 1)):
        submission.seed_torch(other)
        seen.append(submission.get_batch(data, 13, 2, torch.Generator().manual_seed(s))[0])
    assert_equal(seen[1], seen[0], what="a batch from a generator of the same seed")
    assert not torch.equal(seen[2], seen[0]), "a generator of another seed gives the same batch"


@edge
def test_the_next_batch_is_another_one(submission, rng):
    data = numbered(rng, 500)
    submission.seed_torch(1)
    get = submission.get_batch
    started = generator(rng)
    torch.rand(5, generator=started)
    first, _ = get(data, 13, 2, started)
    (*_, advanced), _ = get.arguments_after
    second, _ = get(data, 13, 2, advanced)
    assert not torch.equal(first, second), "two batches in a row from one generator are the same"


@edge
def test_ids_are_int64_whatever_the_data_are(submission, rng):
    data = torch.tensor([50256, 40000, 50256, 40000], dtype=torch.int32)
    submission.seed_torch(1)
    x, y = submission.get_batch(data, 5, 2, generator(rng))
    for name, each in (("x", x), ("y", y)):
        as_tensor(each, dtype=torch.int64, what=f"{name} of int32 data")
        assert_equal(
            each.sum(dim=1), torch.full((5,), 90256), what=f"the sum of a row of {name}, of the tokens 50256 and 40000"
        )


@edge
def test_data_too_short_and_empty_batches_are_refused(submission, rng):
    for n, batch_size, block_size in ((5, 3, 5), (5, 3, 6), (0, 3, 1), (5, 0, 2), (5, 3, 0)):
        assert_rejects(submission.get_batch, numbered(rng, n), batch_size, block_size, generator(rng), error=ERRORS)


@edge
def test_data_of_two_axes_are_refused(submission, rng):
    data = numbered(rng, 24).reshape(12, 2)
    assert_rejects(submission.get_batch, data, 3, 2, generator(rng), error=ERRORS)
