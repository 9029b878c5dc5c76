"""Objects of course authors' code under handles, as a worker keeps those of a submission."""

from __future__ import annotations

from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np

from grader.wire.records import Record, replaced
from grader.wire.tensors import is_generator, is_tensor
from grader.wire.values import Handle

_PLAIN = (
    bool | int | float | complex | str | bytes | np.ndarray | np.generic | np.random.Generator
    | Record | Handle | FunctionType | BuiltinFunctionType | type | None
)  # fmt: skip


class Objects:
    """What handles stand for here.

    The numbers are below 0, where no worker has any: an object of the course's own is never taken for a submission's
    unless it was bound to its handle.

    Args:
        first: The number of the first one; the next ones are lower.
    """

    def __init__(self, first: int = -1) -> None:
        self._objects: dict[int, object] = {}
        self._handles: dict[int, Handle] = {}  # by the id() of an object, which is held and so keeps its id()
        self._next = first

    def revived(self, value: Any) -> Any:  # noqa: ANN401  # any value of a request
        """Return a value with an object in the place of each handle.

        Raises:
            LookupError: A handle stands for nothing here.
        """
        return replaced(value, self._revive)

    def reduced(self, value: Any) -> Any:  # noqa: ANN401  # whatever course authors' code returns
        """Return a value with a handle in the place of each object that does not cross, which is kept from now on."""
        return replaced(value, self._reduce)

    def bind(self, seen: Any, value: Any) -> None:  # noqa: ANN401  # what was recorded, and what came of the same call here
        """Let the handles of a recorded value stand for the objects that are in the same places of another one."""
        if isinstance(seen, Handle):
            self._bind(seen, value)
        elif isinstance(seen, dict) and isinstance(value, dict):
            for key in seen.keys() & value.keys():
                self.bind(seen[key], value[key])
        elif isinstance(seen, list | tuple) and isinstance(value, list | tuple):
            for mine, theirs in zip(seen, value, strict=False):
                self.bind(mine, theirs)

    def known(self, value: Any) -> Any:  # noqa: ANN401  # the arguments of a call, as they are after it
        """Return a value with a handle in the place of each object that has one."""
        return replaced(value, lambda part: self._handles.get(id(part), part))

    def forget(self, handle: Handle) -> None:
        """Let go of an object; one that is not known is gone already."""
        if handle.id in self._objects:
            self._handles.pop(id(self._objects.pop(handle.id)), None)

    def _bind(self, handle: Handle, value: object) -> None:
        if not _crosses(value):
            self.forget(handle)
            self._objects[handle.id] = value
            self._handles.setdefault(id(value), handle)

    def _revive(self, value: object) -> object:
        if not isinstance(value, Handle):
            return value
        if value.id not in self._objects:
            raise LookupError(f"no object of a class {value.type} has number {value.id} here")
        return self._objects[value.id]

    def _reduce(self, value: object) -> object:
        if id(value) in self._handles:
            return self._handles[id(value)]
        if isinstance(value, dict):  # of a class of its own, as a state dict is
            return self.reduced(dict(value))
        # Copies, as over the wire: an object may go on to change what it has shown of itself.
        if is_tensor(type(value)):
            return value.detach().clone()  # type: ignore[attr-defined]  # torch is not imported here, not even for its types
        if isinstance(value, np.ndarray):
            return value.copy()
        if _crosses(value):
            return value
        handle = Handle(self._next, type(value).__name__)
        self._next -= 1
        self._objects[handle.id] = value
        self._handles[id(value)] = handle
        return handle


def _crosses(value: object) -> bool:
    """Whether a value is one of those that cross to the judge as they are."""
    kind = type(value)
    return isinstance(value, _PLAIN | list | tuple | dict) or is_tensor(kind) or is_generator(kind)
