"""Other inputs of the same kind: what a test passes, with other numbers in it, or in a shape that does not fit."""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.judge.record import Request


def shaken(request: Request, rng: np.random.Generator) -> Request:
    """Return the request with every array of real numbers or truth values drawn anew, in its shape and dtype.

    Numbers are of any size from hundredths to tens, masks of any density, none and all included. Whole numbers, single
    values and text stay: they are sizes, axes and names.
    """
    return Request(
        request.function,
        tuple(_drawn(value, rng) for value in request.args),
        {name: _drawn(value, rng) for name, value in request.kwargs.items()},
    )


def misfit(request: Request, rng: np.random.Generator) -> Request:
    """Return the request with one of its arrays in another shape, or one of its sizes out of step or out of range.

    Which it is is drawn, and how it is changed: an array loses an entry along an axis, or all of them, or it loses or
    gains an axis.
    """
    places = [*range(len(request.args)), *request.kwargs]
    args, kwargs = list(request.args), dict(request.kwargs)
    if places:
        place = places[rng.integers(len(places))]
        if isinstance(place, int):
            args[place] = _misfit(args[place], rng)
        else:
            kwargs[place] = _misfit(kwargs[place], rng)
    return Request(request.function, tuple(args), kwargs)


def _misfit(value: Any, rng: np.random.Generator) -> Any:  # noqa: ANN401  # whatever a test passes
    if isinstance(value, int) and not isinstance(value, bool):
        return int(rng.integers(-2, 4)) if rng.random() < 0.5 else value + int(rng.integers(-2, 3))
    if not isinstance(value, np.ndarray):
        return value
    shapes = [value[None]]
    if value.size:
        shapes += [np.asarray(value[0]), value[..., 0]] if value.ndim else []
        shapes += [np.delete(value, 0, axis) for axis in range(value.ndim)]
        shapes += [np.take(value, [], axis) for axis in range(value.ndim)]
    return np.array(shapes[rng.integers(len(shapes))])


def _drawn(value: Any, rng: np.random.Generator) -> Any:  # noqa: ANN401  # whatever a test passes
    if isinstance(value, list | tuple):
        return type(value)(_drawn(each, rng) for each in value)
    if not isinstance(value, np.ndarray):
        return value
    if value.dtype == bool:
        return rng.random(value.shape) < rng.choice([0.0, 0.1, 0.5, 0.9, 1.0])
    if np.issubdtype(value.dtype, np.floating):
        return (rng.standard_normal(value.shape) * 10.0 ** rng.uniform(-2, 1)).astype(value.dtype)
    return value
