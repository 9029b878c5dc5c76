"""Values that cross to a submission, copied part by part, and quickly compared."""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np

from grader.wire.records import Record, fields_of, name_of
from grader.wire.tensors import is_generator, is_tensor
from grader.wire.values import Handle

_UNCHANGING = frozenset({bool, int, float, complex, str, bytes, Handle, type(None)})
# Of more than that the arguments of a call are no longer kept beside it: a worker's memory is the submission's.
_MOST_KEPT = 1 << 16


class Kept:
    """The arguments of a call as they are before it, where they are small and of kinds that can be compared quickly.

    Args:
        args: The arguments.
        kwargs: The keyword arguments.
    """

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self._before = (copied(args), copied(kwargs)) if _weight((args, kwargs)) <= _MOST_KEPT else None

    def match(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether the arguments are certainly what they were before the call."""
        return self._before is not None and unchanged(self._before, (args, kwargs))


def _weight(value: Any) -> float:  # noqa: ANN401  # whatever a submission is called with
    """Return about how many bytes a value takes; infinitely many, where a part of it is not of a kind that is compared quickly."""
    kind = type(value)
    if kind is np.ndarray or is_tensor(kind):
        return math.inf if kind is np.ndarray and value.dtype.hasobject else value.nbytes
    if kind is list or kind is tuple:
        return sum(map(_weight, value), 64)
    if kind is dict:
        return sum(map(_weight, value.values()), 64)
    return 64 if kind in _UNCHANGING else math.inf


def copied(value: Any) -> Any:  # noqa: ANN401, PLR0911  # any value that crosses the wire, one kind after the other
    """Return a copy, as what arrives over the wire is: no part is shared, and a tensor is plain and without a gradient."""
    kind = type(value)
    if kind in _UNCHANGING:
        return value
    if kind is list or kind is tuple:
        return kind(map(copied, value))
    if kind is dict:
        return {name: copied(part) for name, part in value.items()}
    if kind is np.ndarray and not value.dtype.hasobject:
        return value.copy(order="K")
    if kind is Record:
        return Record(name_of(value), {name: copied(part) for name, part in fields_of(value).items()})
    if is_tensor(kind):
        return value.detach().clone()
    return value.clone_state() if is_generator(kind) else copy.deepcopy(value)


def same_entries(one: Any, other: Any) -> bool:  # noqa: ANN401  # likewise
    """Return whether two arrays, or two tensors, are alike in shape, dtype and every entry; this is quickly told.

    Where an entry is NaN they may be called different though they are not.
    """
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    return bool(one.tobytes() == other.tobytes() if isinstance(one, np.ndarray) else one.equal(other))


def unchanged(before: Any, after: Any) -> bool:  # noqa: ANN401, PLR0911  # likewise
    """Return whether an argument is after a call certainly what it was before; of what cannot be asked quickly it is not."""
    kind = type(before)
    if kind is not type(after):
        return False
    if kind in _UNCHANGING:
        return bool(before == after)
    if kind is list or kind is tuple:
        return len(before) == len(after) and all(map(unchanged, before, after))
    if kind is dict:
        return list(before) == list(after) and all(unchanged(before[name], after[name]) for name in before)
    if kind is Record:
        return name_of(before) == name_of(after) and unchanged(fields_of(before), fields_of(after))
    if is_tensor(kind) or (kind is np.ndarray and not before.dtype.hasobject):
        return same_entries(before, after)
    return False
