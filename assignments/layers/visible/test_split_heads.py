"""layers.split_heads: each row cut into contiguous slices, head h taking the h-th."""

import torch

from grader.testing import assert_equal, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("layers.split_heads")

EITHER = ("ValueError", "RuntimeError")
X = torch.arange(1.0, 13.0).reshape(1, 2, 6)  # two tokens of width 6
HEADS = torch.tensor([[[[1.0, 2.0], [7.0, 8.0]], [[3.0, 4.0], [9.0, 10.0]], [[5.0, 6.0], [11.0, 12.0]]]])


def heads(x, n_head):
    """Slice by slice, [B, H, T, d / H]."""
    return torch.stack(x.split(x.shape[-1] // n_head, dim=-1), dim=1)


@core
def test_the_worked_example(submission):
    assert_equal(submission.split_heads(X, 3), HEADS, what="two tokens in three heads")


@core
def test_every_example_of_a_batch_is_cut_alike(submission, rng):
    x = torch.from_numpy(rng.standard_normal((3, 5, 14)))
    assert_equal(submission.split_heads(x, 2), heads(x, 2), what="a batch of 3 in 2 heads")


@edge
def test_one_head_takes_everything(submission):
    assert_equal(submission.split_heads(X, 1), X[:, None], what="the only head")


@edge
def test_a_single_token_keeps_its_axes(submission):
    assert_equal(submission.split_heads(X[:, :1], 2), heads(X[:, :1], 2), what="a single token in 2 heads")


@edge
def test_a_transposed_tensor_is_cut_as_well(submission):
    x = X.permute(2, 1, 0)  # [6, 2, 1]
    x = torch.cat([x, 2 * x], dim=2).permute(2, 1, 0)  # [2, 2, 6], and the last axis is not the one that lies together
    assert_equal(submission.split_heads(x, 3), heads(x, 3), what="a transposed tensor in 3 heads")


@edge
def test_the_dtype_stays(submission):
    for dtype in (torch.float64, torch.int64):
        assert_equal(submission.split_heads(X.to(dtype), 3), HEADS.to(dtype), what=f"heads of {dtype}")


@edge
def test_gradients_pass(submission):
    _, [got] = submission.split_heads.vjp(X, 3, wrt=[0], cotangents=[HEADS])
    assert_equal(got, X, what="the gradient by x")


@edge
def test_a_width_that_does_not_divide_is_an_error(submission):
    assert_rejects(submission.split_heads, X, 4, error=EITHER)
    assert_rejects(submission.split_heads, X.reshape(2, 1, 6), 4, error=EITHER)


@edge
def test_fewer_than_one_head_are_an_error(submission):
    for n_head in (0, -2):
        assert_rejects(submission.split_heads, X, n_head, error=EITHER)


@edge
def test_other_than_three_axes_are_an_error(submission):
    for x in (X[0], X[None]):
        assert_rejects(submission.split_heads, x, 3, error=EITHER)


@edge
def test_the_argument_is_left_alone(submission):
    assert_unchanged(submission.split_heads, X, 3)
