"""The classes that an assignment gives: their objects cross by value, and are of the submission's own class while they are here."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib import import_module
from typing import Any

from grader.wire.errors import WireError
from grader.wire.records import PLAIN, Record, fields_of, name_of, replaced, taken
from grader.worker.errors import NotDefined


class Given:
    """What stands for a record here, and for an object there.

    Args:
        names: Dotted names of the classes, as in "shapes.ModelShape".
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._modules = {name: module for module, _, name in (dotted.partition(".") for dotted in names)}

    def take(self, value: object) -> Record | None:
        """Return the record of an object of a given class; None where it is of another one.

        Raises:
            BaseException: Whatever its class raises; it is the submission's.
        """
        bases = type.mro(type(value))
        for name, module in self._modules.items():
            kind = getattr(sys.modules.get(module), name, None)
            if isinstance(kind, type) and any(base is kind for base in bases):
                return taken(name, kind, value)
        return None

    def built(self, value: Any) -> Any:  # noqa: ANN401  (any value that travels)
        """Return a value from the judge with an object in the place of each record.

        Raises:
            NotDefined: The submission does not define the class any more.
            BaseException: Whatever the class raises.
        """
        return replaced(value, self._build, PLAIN)

    def _build(self, value: object) -> object:
        if not isinstance(value, Record):
            return value
        name = name_of(value)
        if name not in self._modules:
            raise WireError(f"record: no class {name} is given")
        module = import_module(self._modules[name])
        if not hasattr(module, name):
            raise NotDefined(f"{module.__name__}.py does not define {name}, which is given: copy it from the template")
        return getattr(module, name)(**{field: self.built(part) for field, part in fields_of(value).items()})
