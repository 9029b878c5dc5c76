"""What decides the score of `split_heads`: which numbers a head gets, then every edge by itself."""

import torch

from grader.testing import as_tensor, assert_close, assert_equal, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("layers.split_heads")

EITHER = ("ValueError", "RuntimeError")


def drawn(rng, *shape):
    return torch.from_numpy(rng.standard_normal(shape))


def heads(x, n_head):
    """Slice by slice, [B, H, T, d / H]."""
    return torch.stack(x.split(x.shape[-1] // n_head, dim=-1), dim=1)


@core
def test_head_h_is_the_hth_slice_of_every_token(submission, rng):
    x = drawn(rng, 2, 5, 21)
    assert_equal(submission.split_heads(x, 3), heads(x, 3), what="3 heads of width 7")


@edge
def test_axes_of_size_1_stay(submission, rng):
    for B, T, n_head in ((1, 5, 3), (2, 1, 3), (2, 5, 1)):
        got = submission.split_heads(drawn(rng, B, T, 21), n_head)
        as_tensor(got, shape=(B, n_head, T, 21 // n_head), what=f"{n_head} heads of {T} tokens in a batch of {B}")


@edge
def test_rows_that_do_not_lie_one_after_the_other_are_cut_as_well(submission, rng):
    x = drawn(rng, 21, 5, 2).permute(2, 1, 0)
    together = submission.split_heads(x.contiguous(), 3)
    assert_equal(submission.split_heads(x, 3), together, what="heads of a transposed tensor")


@edge
def test_the_dtype_stays_and_the_argument_as_it_was(submission, rng):
    for dtype in (torch.float32, torch.int64):
        got = assert_unchanged(submission.split_heads, (9 * drawn(rng, 2, 3, 10)).to(dtype), 2)
        as_tensor(got, dtype=dtype, what=f"heads of {dtype}")


@edge
def test_gradients_pass(submission, rng):
    x, v, g = drawn(rng, 2, 5, 21), drawn(rng, 2, 5, 21), drawn(rng, 2, 3, 5, 7)
    _, [grad] = submission.split_heads.vjp(x, 3, wrt=[0], cotangents=[g])
    # Each number goes to one place, so what comes back along v is what v's own heads carry.
    assert_close((grad * v).sum(), (g * submission.split_heads(v, 3)).sum(), what="the gradient by x, along v")


@edge
def test_a_width_that_does_not_divide_is_refused(submission, rng):
    assert_rejects(submission.split_heads, drawn(rng, 2, 5, 22), 3, error=EITHER)
    assert_rejects(submission.split_heads, drawn(rng, 3, 6, 22), 3, error=EITHER)


@edge
def test_fewer_than_one_head_are_refused(submission, rng):
    for n_head in (0, -3):
        assert_rejects(submission.split_heads, drawn(rng, 2, 5, 21), n_head, error=EITHER)


@edge
def test_other_than_three_axes_are_refused(submission, rng):
    for shape in ((5, 21), (2, 3, 5, 21)):
        assert_rejects(submission.split_heads, drawn(rng, *shape), 3, error=EITHER)
