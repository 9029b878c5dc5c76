"""layers.merge_heads: the heads side by side again."""

import torch

from grader.testing import assert_equal, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("layers.merge_heads")

HEADS = torch.tensor([[[[1.0, 2.0], [7.0, 8.0]], [[3.0, 4.0], [9.0, 10.0]], [[5.0, 6.0], [11.0, 12.0]]]])
X = torch.arange(1.0, 13.0).reshape(1, 2, 6)


def rows(x):
    """Head beside head, [B, T, d]."""
    return torch.cat(list(x.unbind(dim=1)), dim=-1)


@core
def test_the_worked_example_backwards(submission):
    assert_equal(submission.merge_heads(HEADS), X, what="three heads of two tokens")


@core
def test_every_example_of_a_batch_is_merged_alike(submission, rng):
    x = torch.from_numpy(rng.standard_normal((3, 2, 5, 7)))
    assert_equal(submission.merge_heads(x), rows(x), what="a batch of 3 of 2 heads")


@edge
def test_one_head_is_the_row(submission):
    assert_equal(submission.merge_heads(HEADS[:, :1]), HEADS[:, 0], what="the only head")


@edge
def test_a_single_token_keeps_its_axes(submission):
    x = HEADS[:, :, :1]
    assert_equal(submission.merge_heads(x), rows(x), what="a single token")


@edge
def test_transposed_heads_are_merged_as_well(submission):
    x = torch.cat([HEADS, 2 * HEADS]).permute(3, 2, 1, 0).contiguous().permute(3, 2, 1, 0)
    assert_equal(submission.merge_heads(x), rows(x), what="transposed heads")


@edge
def test_the_dtype_stays(submission):
    for dtype in (torch.float64, torch.int64):
        assert_equal(submission.merge_heads(HEADS.to(dtype)), X.to(dtype), what=f"rows of {dtype}")


@edge
def test_gradients_pass(submission):
    _, [got] = submission.merge_heads.vjp(HEADS, wrt=[0], cotangents=[X])
    assert_equal(got, HEADS, what="the gradient by x")


@edge
def test_other_than_four_axes_are_an_error(submission):
    for x in (HEADS[0], HEADS[None]):
        assert_rejects(submission.merge_heads, x, error=("ValueError", "RuntimeError"))


@edge
def test_the_argument_is_left_alone(submission):
    assert_unchanged(submission.merge_heads, HEADS)
