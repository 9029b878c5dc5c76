"""Requests with other numbers, or with what does not fit."""

from __future__ import annotations

import numpy as np

from grader.judge.record import Request
from grader.verify.mutants.shaken import misfit, shaken


def test_numbers_and_masks_are_drawn_anew_in_their_shape_and_dtype() -> None:
    arrays = [np.zeros((50, 3), np.float32), np.zeros((40, 2)), np.arange(900).reshape(30, 30) % 2 == 0]
    before = [array.copy() for array in arrays]
    got = shaken(Request("f", tuple(arrays[:2]), {"mask": arrays[2]}), np.random.default_rng(3))
    drawn = [*got.args, got.kwargs["mask"]]
    for array, new, old in zip(arrays, drawn, before, strict=True):
        assert (new.shape, new.dtype) == (array.shape, array.dtype)
        assert not np.array_equal(new, array)
        np.testing.assert_array_equal(array, old)


def test_sizes_axes_names_and_whole_numbers_stay() -> None:
    lengths = np.array([2, 3])
    got = shaken(Request("f", (3, "mean", [lengths, None]), {"axis": -1}), np.random.default_rng(0))
    assert got.args[:2] == (3, "mean")
    assert got.args[2][0] is lengths
    assert got.kwargs == {"axis": -1}


def test_masks_of_any_density_come_up() -> None:
    rng = np.random.default_rng(0)
    request = Request("f", (np.ones((5, 5), bool),))
    shares = {float(shaken(request, rng).args[0].mean()) for _ in range(60)}
    assert {0.0, 1.0} < shares


def test_one_array_loses_an_entry_or_an_axis_or_gains_one_and_all_else_stays() -> None:
    rng = np.random.default_rng(0)
    request = Request("f", (np.arange(6.0).reshape(2, 3),), {"mask": np.ones(4, bool)})
    met = [misfit(request, rng) for _ in range(300)]
    assert {each.args[0].shape for each in met} == {(2, 3), (1, 2, 3), (3,), (2,), (1, 3), (2, 2), (0, 3), (2, 0)}
    assert {each.kwargs["mask"].shape for each in met} == {(4,), (1, 4), (), (3,), (0,)}
    assert all(each.args[0].shape == (2, 3) or each.kwargs["mask"].shape == (4,) for each in met)
    assert request.args[0].shape == (2, 3)


def test_a_size_becomes_one_out_of_range_or_out_of_step_and_flags_and_names_stay() -> None:
    rng = np.random.default_rng(0)
    sizes = {misfit(Request("f", (30,)), rng).args[0] for _ in range(300)}
    assert sizes == {-2, -1, 0, 1, 2, 3, 28, 29, 30, 31, 32}
    assert misfit(Request("f", (True,), {"causal": False}), rng) == Request("f", (True,), {"causal": False})
    assert misfit(Request("f"), rng) == Request("f")
