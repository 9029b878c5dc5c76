"""Course authors' code, called in this process: the reference, misconceptions, right answers.

Nothing a student wrote ever comes here.
"""

from __future__ import annotations

import functools
import types
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from grader.judge.budget import CallBudget
from grader.judge.record import Outcome, Request
from grader.model.errors import CourseError
from grader.testing.student import Cause

Patch = Callable[..., Any]


class Source:
    """A module of the course, compiled once, from which fresh namespaces are made."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._code = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
        except (OSError, SyntaxError, ValueError) as error:
            raise CourseError(f"cannot be read as Python: {error}", where=path) from error

    def namespace(self, patches: Mapping[str, Patch] | None = None) -> types.ModuleType:
        """Return a fresh module in which `patches` replace functions of the same name.

        Each patch is given the module as its first argument, so that a patched function that calls
        another one meets the other's patch.

        Raises:
            CourseError: The module does not run.
        """
        module = types.ModuleType(self.path.stem)
        module.__file__ = str(self.path)
        try:
            exec(self._code, module.__dict__)  # noqa: S102  # the course author's own module
        except Exception as error:
            raise CourseError(f"cannot be imported: {type(error).__name__}: {error}", where=self.path) from error
        for name, patch in (patches or {}).items():
            setattr(module, name, functools.partial(patch, module))
        return module


def merged(namespaces: Sequence[types.ModuleType]) -> types.SimpleNamespace:
    """Return the functions of several modules under one name, as a test calls them."""
    return types.SimpleNamespace(
        **{name: value for module in namespaces for name, value in vars(module).items() if not name.startswith("__")}
    )


class DirectCaller:
    """Calls the functions of namespaces in this process."""

    def __init__(self, *namespaces: types.ModuleType) -> None:
        self._functions = {name: value for module in namespaces for name, value in vars(module).items()}

    def call(self, request: Request, _budget: CallBudget | None = None, /) -> Outcome:
        """Make the call; nothing that it raises escapes, save what ends a process. The course's own calls are not counted."""
        args, kwargs = request.copy_arguments()
        try:
            value = self._called(request.function, args, kwargs)
        except Exception as error:  # noqa: BLE001  # whatever a wrong implementation raises is its outcome
            return Outcome(raised=cause_of(error), args=args, kwargs=kwargs)
        return Outcome(value=value, args=args, kwargs=kwargs)

    def value(self, request: Request) -> Any:  # noqa: ANN401  # whatever the function gives
        """Make the call and return its value, or raise what it raises."""
        return self._called(request.function, *request.copy_arguments())

    def _called(self, function: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:  # noqa: ANN401  # as above
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return self._functions[function](*args, **kwargs)


def cause_of(error: BaseException) -> Cause:
    """Describe an exception the way a worker does."""
    names = tuple(cls.__name__ for cls in type(error).__mro__ if cls is not object)
    return Cause(types=names, message=str(error))
