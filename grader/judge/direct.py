"""Course authors' code, called in this process: the reference, misconceptions, right answers.

Nothing a student wrote ever comes here.
"""

from __future__ import annotations

import functools
import sys
import types
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from grader.judge.budget import CallBudget
from grader.judge.given import Given
from grader.judge.objects import Objects
from grader.judge.record import Call, Outcome, Request
from grader.model.errors import CourseError
from grader.testing.student import Cause
from grader.wire.gradients import vjp
from grader.wire.values import Handle

Patch = Callable[..., Any]

# Below the number of any object that was recorded.
_OF_A_REPLAY = -(2**62)


class Source:
    """A module of the course, compiled once, from which fresh namespaces are made.

    Args:
        path: Where it lies.
        text: What to take in place of what lies there.
        name: What it is imported as, where that is not what its file is called.
    """

    def __init__(self, path: Path, text: str | None = None, *, name: str | None = None) -> None:
        self.path = path
        self.name = name or path.stem
        try:
            source = path.read_bytes() if text is None else text
            self._code = compile(source, str(path), "exec", dont_inherit=True)
        except (OSError, SyntaxError, ValueError) as error:
            raise CourseError(f"cannot be read as Python: {error}", where=path) from error

    def namespace(self, patches: Mapping[str, Patch] | None = None) -> types.ModuleType:
        """Return a fresh module in which `patches` replace functions of the same name.

        Each patch is given the module as its first argument, so that a patched function that calls
        another one meets the other's patch.

        Raises:
            CourseError: The module does not run.
        """
        module = types.ModuleType(self.name)
        module.__file__ = str(self.path)
        try:
            with _importable(module):
                exec(self._code, module.__dict__)  # noqa: S102  # the course author's own module
        except Exception as error:
            raise CourseError(f"cannot be imported: {type(error).__name__}: {error}", where=self.path) from error
        # A patched class may derive from the one whose place it takes.
        module.originals = types.SimpleNamespace(**{name: getattr(module, name, None) for name in patches or ()})  # type: ignore[attr-defined]
        for name, patch in (patches or {}).items():
            setattr(module, name, functools.partial(patch, module))
        return module


def namespaces_of(
    sources: Sequence[Source], patches: Mapping[str, Mapping[str, Patch]] = MappingProxyType({})
) -> list[types.ModuleType]:
    """Return fresh namespaces of modules, each of which may import those before it.

    Args:
        sources: The modules.
        patches: For each module by name, what takes the place of its functions.

    Raises:
        CourseError: A module does not run.
    """
    made = []
    with ExitStack() as stack:
        for source in sources:
            made.append(source.namespace(patches.get(source.name)))
            stack.enter_context(_importable(made[-1]))
    return made


@contextmanager
def _importable(module: types.ModuleType) -> Iterator[None]:
    """Let a module be found under its name while it runs: a dataclass asks there what its annotations mean."""
    before = sys.modules.get(module.__name__)
    sys.modules[module.__name__] = module
    try:
        yield
    finally:
        del sys.modules[module.__name__]
        if before is not None:
            sys.modules[module.__name__] = before


def merged(namespaces: Sequence[types.ModuleType], given: Sequence[str] = ()) -> types.SimpleNamespace:
    """Return the functions of several modules of the reference under one name, as a test calls them.

    Args:
        namespaces: The modules.
        given: The names of the classes that the assignment gives.

    Raises:
        CourseError: The reference does not define such a class.
    """
    classes = Given(given, namespaces)
    classes.require()
    found = {name: value for module in namespaces for name, value in vars(module).items() if not name.startswith("__")}
    return types.SimpleNamespace(
        **{name: classes.around(value) if classes.concerns(name, value) else value for name, value in found.items()}
    )


class DirectCaller:
    """Calls the functions of namespaces in this process; while one runs, it may import the others, as a submission's may.

    Args:
        namespaces: Modules of one submission.
        given: The names of the classes that the assignment gives.
    """

    def __init__(self, *namespaces: types.ModuleType, given: Sequence[str] = ()) -> None:
        self._given = Given(given, namespaces)
        self._objects = Objects()
        self._namespaces = namespaces
        self._functions = {name: value for module in namespaces for name, value in vars(module).items()}

    def call(self, request: Request, _budget: CallBudget | None = None, /) -> Outcome:
        """Make the call; nothing that it raises escapes, save what ends a process. The course's own calls are not counted."""
        return self._outcome(request, self._objects)

    def has_class(self, name: str) -> bool:
        """Whether a name is a class, which makes objects that stay where they are, or a method of one."""
        return isinstance(self._functions.get(name.partition(".")[0]), type)

    def again(self) -> Callable[[Call], Outcome]:
        """Return what makes recorded calls again, in order: what was an object of the submission is one of the course's own now."""
        objects = Objects(first=_OF_A_REPLAY)
        return lambda call: self._outcome(call.request, objects, call.outcome.value)

    def replay(self, calls: Iterable[Call]) -> Iterator[Outcome]:
        """Make recorded calls again, all of them."""
        return map(self.again(), calls)

    def value(self, request: Request) -> tuple[Any, Any]:
        """Make the call and return its value and the copies of the arguments that it was made with, or raise what it raises."""
        args, kwargs = self._given.built(request.copy_arguments())
        return self._given.taken(self._made(request, None, args, kwargs)), (args, kwargs)

    def forget(self, handles: Iterable[Handle], /) -> None:
        """See `Caller`."""
        for handle in handles:
            self._objects.forget(handle)

    def _outcome(self, request: Request, objects: Objects, seen: object = None) -> Outcome:
        args, kwargs = request.copy_arguments()
        value, raised = None, None
        try:
            owner, args, kwargs = self._given.built(objects.revived((request.on, args, kwargs)))
            value = self._made(request, owner, args, kwargs)
            objects.bind(seen, value)
        except Exception as error:  # noqa: BLE001  # whatever a wrong implementation raises is its outcome
            raised = cause_of(error)
        args, kwargs = self._given.taken(objects.known((args, kwargs)))
        return Outcome(objects.reduced(self._given.taken(value)), raised, args, kwargs)

    def _made(self, request: Request, owner: object, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:  # noqa: ANN401  # as above
        with warnings.catch_warnings(), np.errstate(all="ignore"), ExitStack() as stack:
            warnings.simplefilter("ignore")
            for module in self._namespaces:
                stack.enter_context(_importable(module))
            found = self._functions[request.function] if request.on is None else getattr(owner, request.function)
            if request.reads:
                return found
            if request.gradient is not None:
                return vjp(found, args, kwargs, owner, request.gradient.wrt, request.gradient.cotangents)
            return found(*args, **kwargs)


def cause_of(error: BaseException) -> Cause:
    """Describe an exception the way a worker does."""
    names = tuple(cls.__name__ for cls in type(error).__mro__ if cls is not object)
    return Cause(types=names, message=str(error))
