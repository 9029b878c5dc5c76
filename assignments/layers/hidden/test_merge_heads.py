"""What decides the score of `merge_heads`: where a head's numbers go, then every edge by itself."""

import torch

from grader.testing import as_tensor, assert_close, assert_equal, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("layers.merge_heads")


def drawn(rng, *shape):
    return torch.from_numpy(rng.standard_normal(shape))


def rows(x):
    """Head beside head, [B, T, d]."""
    return torch.cat(list(x.unbind(dim=1)), dim=-1)


@core
def test_the_heads_of_a_token_stand_side_by_side(submission, rng):
    x = drawn(rng, 2, 3, 5, 7)
    assert_equal(submission.merge_heads(x), rows(x), what="3 heads of width 7")


@edge
def test_axes_of_size_1_stay(submission, rng):
    for B, H, T in ((2, 3, 1), (2, 1, 5), (1, 3, 5)):
        got = submission.merge_heads(drawn(rng, B, H, T, 7))
        as_tensor(got, shape=(B, T, 7 * H), what=f"{H} heads of {T} tokens in a batch of {B}, merged")


@edge
def test_the_dtype_stays_and_the_argument_as_it_was(submission, rng):
    for dtype in (torch.float32, torch.int64):
        got = assert_unchanged(submission.merge_heads, (9 * drawn(rng, 2, 3, 5, 2)).to(dtype))
        as_tensor(got, dtype=dtype, what=f"merged heads of {dtype}")


@edge
def test_gradients_pass(submission, rng):
    x, v, g = drawn(rng, 2, 3, 5, 7), drawn(rng, 2, 3, 5, 7), drawn(rng, 2, 5, 21)
    _, [grad] = submission.merge_heads.vjp(x, wrt=[0], cotangents=[g])
    # Each number goes to one place, so what comes back along v is what v carries when it is merged.
    assert_close((grad * v).sum(), (g * submission.merge_heads(v)).sum(), what="the gradient by x, along v")


@edge
def test_other_than_four_axes_are_refused(submission, rng):
    for shape in ((3, 5, 7), (2, 2, 3, 5, 7)):
        assert_rejects(submission.merge_heads, drawn(rng, *shape), error=("ValueError", "RuntimeError"))
