"""The worker's end of things that stay where they are: its own objects, and the judge's functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grader.wire.errors import Unsendable, WireError
from grader.wire.records import Record
from grader.wire.values import Handle, Lent
from grader.worker.given import Given

MAX_OBJECTS = 10_000
_MAX_NAME = 200


class Objects:
    """What a `Handle` or a `Lent` stands for here: the `reduce` and `revive` of the worker's channel.

    Args:
        borrow: Returns the function that stands for one lent by the judge.
    """

    def __init__(self, borrow: Callable[[Lent], Callable[..., object]]) -> None:
        self.given = Given()
        self._borrow = borrow
        self._objects: dict[int, object] = {}
        self._handles: dict[int, Handle] = {}  # by the id() of an object, which is held and so keeps its id()
        self._lent: dict[int, Lent] = {}  # likewise, of a function in `_functions`
        self._functions: dict[Lent, Callable[..., object]] = {}
        self._next = 0

    def __getitem__(self, number: int) -> Any:  # noqa: ANN401  (any object at all)
        if number not in self._objects:
            raise WireError(f"handle: no object has number {number}")
        return self._objects[number]

    def reduce(self, value: object) -> Handle | Lent | Record:
        """Return what stands for an object that does not travel, which is kept from now on unless it crosses by value.

        Raises:
            Unsendable: It would be one object too many.
            BaseException: Whatever the class of an object that crosses by value raises.
        """
        if id(value) in self._lent:
            return self._lent[id(value)]
        record = self.given.take(value)
        if record is not None:
            return record
        if id(value) not in self._handles:
            if len(self._objects) >= MAX_OBJECTS:
                raise Unsendable(f"more than {MAX_OBJECTS} objects of its own")
            self._objects[self._next] = value
            self._handles[id(value)] = Handle(self._next, type.__dict__["__name__"].__get__(type(value))[:_MAX_NAME])
            self._next += 1
        return self._handles[id(value)]

    def revive(self, reference: Handle | Lent) -> object:
        """Return the object itself, or a function that calls the judge's.

        Raises:
            WireError: There is no such object.
        """
        if isinstance(reference, Handle):
            return self[reference.id]
        if reference not in self._functions:
            function = self._borrow(reference)
            self._functions[reference] = function
            self._lent[id(function)] = reference
        return self._functions[reference]

    def release(self, number: int) -> None:
        """Forget an object; one that is not known is forgotten already."""
        if number in self._objects:
            del self._handles[id(self._objects.pop(number))]
