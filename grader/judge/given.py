"""Records for course authors' code, which works on objects of its own classes, as a submission does in its worker."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import is_dataclass
from types import FunctionType, ModuleType
from typing import Any

from grader.model.errors import CourseError
from grader.wire.records import Record, fields_of, name_of, replaced, taken


class Given:
    """The classes that an assignment gives, as they are in some namespaces.

    Args:
        names: Their names, without modules.
        namespaces: Where they are looked for; each namespace has classes of its own.
    """

    def __init__(self, names: Sequence[str], namespaces: Sequence[ModuleType]) -> None:
        self._names = names
        self._classes = {
            name: vars(module)[name] for name in names for module in reversed(namespaces) if name in vars(module)
        }

    def require(self) -> None:
        """Check that the namespaces, which are the reference's, define them.

        Raises:
            CourseError: One is missing, or no dataclass.
        """
        for name in self._names:
            if not is_dataclass(self._classes.get(name)):
                raise CourseError(
                    f"{name} is given by the manifest, but the reference has no such dataclass",
                    hint="define it in the reference, outside the markers of a solution",
                )

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function as a test calls it: with records for its arguments and for what it returns."""

        @functools.wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401  # whatever the function takes and gives
            args, kwargs = self.built((args, kwargs))
            return self.taken(function(*args, **kwargs))

        return called

    def concerns(self, name: str, value: object) -> bool:
        """Whether what a namespace has under a name is called with records: its functions and the given classes are."""
        return bool(self._names) and (name in self._names or isinstance(value, FunctionType | functools.partial))

    def built(self, value: Any) -> Any:  # noqa: ANN401  # any value that crosses the wire
        """Return a value with an object in the place of each record."""
        return replaced(value, self._build) if self._names else value

    def taken(self, value: Any) -> Any:  # noqa: ANN401  # any value of the course's own
        """Return a value with a record in the place of each object of a given class."""
        return replaced(value, self._take) if self._names else value

    def _build(self, value: object) -> object:
        if not isinstance(value, Record):
            return value
        if name_of(value) not in self._classes:
            raise AttributeError(f"there is no {name_of(value)}, which is given")
        return self._classes[name_of(value)](**self.built(fields_of(value)))

    def _take(self, value: object) -> object:
        for name, kind in self._classes.items():
            if isinstance(kind, type) and isinstance(value, kind):
                record = taken(name, kind, value)
                return value if record is None else Record(name, self.taken(fields_of(record)))
        return value
