"""Batches from data in which every token stands once, so that a row tells where it began."""

import torch

from grader.testing import as_tensor, assert_equal, assert_rejects, assert_tuple, core, edge, exercise

pytestmark = exercise("training.get_batch")

ERRORS = ("ValueError", "RuntimeError")
DATA = torch.arange(10, 30)
STARTS, DRAWS = 4, 1600
# A right answer is beyond these once in more than ten million tests: chi-squared with 3 and with 9 degrees of freedom.
MOST_UNEVEN, MOST_RELATED = 37.0, 54.0


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def batch(submission, data, batch_size, block_size, g):
    submission.seed_torch(1)
    got = assert_tuple(submission.get_batch(data, batch_size, block_size, g), 2, what="a batch")
    shape = (batch_size, block_size)
    return tuple(as_tensor(each, shape=shape, what=name) for each, name in zip(got, ("x", "y"), strict=True))


def uneven(counts):
    expected = counts.sum() / len(counts)
    return float(((counts - expected) ** 2 / expected).sum())


def related(pairs):
    expected = pairs.sum(dim=1, keepdim=True) * pairs.sum(dim=0) / pairs.sum()
    return float(((pairs - expected) ** 2 / expected.clamp(min=1e-9)).sum())


@core
def test_rows_are_consecutive_and_targets_one_later(submission):
    x, y = batch(submission, DATA, 3, 5, generator())
    assert_equal(
        x.long(), (x[:, :1] + torch.arange(5)).long(), what="the rows of x, each counted on from its first token"
    )
    assert_equal(
        y.long(), (x + 1).long(), what="the targets, where each token of the data is one more than that before it"
    )
    assert x.min() >= DATA[0], "x holds tokens that are not in the data"


@core
def test_every_start_is_equally_likely_the_last_one_included(submission):
    x, y = batch(submission, torch.arange(STARTS + 2), DRAWS, 2, generator())
    counts = torch.tensor([int((x[:, 0] == start).sum()) for start in range(STARTS)])
    assert y.max() == STARTS + 1, "the last token of the data is no target of any row"
    assert counts.sum() == DRAWS, "a row of x starts where no row can"
    assert uneven(counts) < MOST_UNEVEN, f"{DRAWS} rows began {counts.tolist()} times at the {STARTS} starts"


@edge
def test_each_row_is_drawn_by_itself(submission):
    x, _ = batch(submission, torch.arange(STARTS + 3), DRAWS, 3, generator(1))
    pairs = (STARTS * x[::2, 0].long() + x[1::2, 0].long()).bincount(minlength=STARTS**2).reshape(STARTS, STARTS)
    assert related(pairs) < MOST_RELATED, "where a row begins tells where the next one does"


@edge
def test_batches_come_from_the_generator_alone(submission):
    seen = []
    for begin, (seed, other) in enumerate(((3, 1), (3, 2), (4, 1))):
        submission.seed_torch(other)
        # A kit knows a call by its numbers, and a generator is none: the data of each begin at another one.
        x, _ = assert_tuple(submission.get_batch(torch.arange(begin, begin + 1000), 17, 3, generator(seed)), 2)
        seen.append(as_tensor(x, what="x").long() - begin)
    assert_equal(seen[1], seen[0], what="a batch from a generator of the same seed")
    assert not torch.equal(seen[2], seen[0]), "a generator of another seed gives the same batch"


@edge
def test_the_next_batch_is_another_one(submission):
    submission.seed_torch(1)
    drawn = submission.drawn_in_turn(torch.arange(1000), 17, 3, 0)
    first, second = (as_tensor(each, what="the tokens of a batch") for each in drawn)
    assert not torch.equal(first, second), "two batches in a row from one generator are the same"


@edge
def test_ids_are_int64_whatever_the_data_are(submission):
    submission.seed_torch(1)
    x, y = submission.get_batch(torch.full((9,), 50256, dtype=torch.int32), 2, 3, generator())
    for name, each in (("x", x), ("y", y)):
        assert_equal(each, torch.full((2, 3), 50256), what=f"{name} of int32 data that are all 50256")


@edge
def test_data_too_short_and_empty_batches_are_refused(submission):
    for batch_size, block_size in ((2, 20), (2, 21), (0, 3), (2, 0)):
        assert_rejects(submission.get_batch, DATA, batch_size, block_size, generator(), error=ERRORS)


@edge
def test_data_of_two_axes_are_refused(submission):
    assert_rejects(submission.get_batch, DATA.reshape(10, 2), 2, 2, generator(), error=ERRORS)
