"""Does what the judge asks of a submission, and turns whatever is raised into a `Failed`."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from types import ModuleType
from typing import Any

from grader.wire.copies import Kept
from grader.wire.errors import WireError
from grader.wire.gradients import vjp
from grader.wire.messages import (
    Answer,
    Call,
    Failed,
    Get,
    Import,
    Imported,
    Load,
    Loaded,
    Message,
    Release,
    Replace,
    Returned,
    Set,
    Vjp,
)
from grader.worker.errors import Blocked, NotDefined
from grader.worker.failure import Setting, describe
from grader.worker.given import Given
from grader.worker.guard import Guard
from grader.worker.loader import Submission
from grader.worker.objects import Objects
from grader.worker.scan import scan
from grader.worker.source import decode
from grader.worker.worksheet import SUFFIX

_space = vars(builtins)
_original = dict(_space)


@dataclass
class Attempt:
    """How far a request has come: what an error in it is told with."""

    phase: str = "call"
    called: object = None


class Dispatcher:
    """One submission, and what may be asked of it.

    Args:
        objects: What handles stand for.
    """

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._submission: Submission | None = None
        self._setting = Setting()
        self._guard = Guard((), ())

    def answer(self, request: Message) -> Answer:
        """Do what one request asks.

        Returns:
            Its answer; `Failed` where anything at all was raised, or something forbidden was called.

        Raises:
            WireError: The request itself is wrong, or the judge is gone.
        """
        attempt = Attempt()
        try:
            return self._attempt(request, attempt)
        except WireError:
            raise
        except BaseException as error:  # noqa: BLE001  (SystemExit and KeyboardInterrupt are the submission's too)
            return self.failed(error, attempt)
        finally:
            _tidy()

    def failed(self, error: BaseException, attempt: Attempt) -> Failed:
        """Return what is told of an error."""
        return Failed(describe(error, attempt.phase, self._setting, attempt.called))

    def close(self) -> None:
        """Take the submission out of this process, as far as it was put in."""
        self._guard.uninstall()
        if self._submission:
            self._submission.uninstall()

    def _attempt(self, request: Message, attempt: Attempt) -> Answer:
        try:
            if type(request) not in _ANSWERS:
                raise WireError(f"message: {request.kind} is no request")
            return _ANSWERS[type(request)](self, request, attempt)
        finally:
            self._guard.check()

    def _load(self, request: Load, _: Attempt) -> Answer:
        if self._submission:
            raise WireError("load: a submission is loaded already")
        if "torch" in request.allowed:
            # Tensors can only arrive where it is loaded. Where it is not installed the submission's import says so.
            with suppress(ImportError):
                import_module("torch")
        self._setting = Setting(request.files, request.bounds)
        self._objects.given = Given(request.given)
        flags = scan(_texts(request.files), request.forbidden)
        self._guard = Guard(request.forbidden, request.allowed)
        self._guard.install()
        self._submission = Submission(request.files, request.modules, request.allowed)
        self._submission.install()
        return Loaded(flags)

    def _import(self, request: Import, attempt: Attempt) -> Answer:
        self._module(request.module, attempt)
        return Imported()

    def _call(self, request: Call, attempt: Attempt) -> Answer:
        attempt.called = function = _attribute(*self._owner(request, attempt))
        args, kwargs = self._objects.given.built((request.args, request.kwargs))
        kept = Kept(args, kwargs)
        return _returned(function(*args, **kwargs), kept, args, kwargs)

    def _vjp(self, request: Vjp, attempt: Attempt) -> Answer:
        owner, name = self._owner(request, attempt)
        attempt.called = function = _attribute(owner, name)
        args, kwargs = self._objects.given.built((request.args, request.kwargs))
        kept = Kept(args, kwargs)
        return _returned(vjp(function, args, kwargs, owner, request.wrt, request.cotangents), kept, args, kwargs)

    def _get(self, request: Get, attempt: Attempt) -> Answer:
        return Returned(_attribute(*self._owner(request, attempt)))

    def _set(self, request: Set, attempt: Attempt) -> Answer:
        setattr(*self._owner(request, attempt), self._objects.given.built(request.value))
        return Returned()

    def _replace(self, request: Replace, attempt: Attempt) -> Answer:
        module, _, name = request.target.partition(".")
        owner = self._module(module, attempt)
        assert self._submission  # noqa: S101  # it has modules, so it is loaded
        self._submission.replace(owner, name, request.value)
        return Returned()

    def _release(self, request: Release, _: Attempt) -> Answer:
        self._objects.release(request.on)
        return Returned()

    def _owner(self, request: Call | Vjp | Get | Set, attempt: Attempt) -> tuple[Any, str]:
        """Return the object whose attribute is meant, and the attribute's name."""
        if request.on is not None:
            return self._objects[request.on], request.target
        module, _, path = request.target.partition(".")
        *outer, name = path.split(".")
        owner: Any = self._module(module, attempt)
        for part in outer:
            owner = _attribute(owner, part)
        return owner, name

    def _module(self, name: str, attempt: Attempt) -> ModuleType:
        if not self._submission:
            raise WireError("message: no submission is loaded")
        attempt.phase = "import"
        module = self._submission.load(name)
        try:
            self._guard.check()
        except Blocked:
            del sys.modules[name]  # it caught the error; to ask for it again must end as it ends now
            raise
        attempt.phase = "call"
        return module


def _returned(value: object, kept: Kept, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Returned:
    return Returned(value, None, None) if kept.match(args, kwargs) else Returned(value, args, kwargs)


def _texts(files: dict[str, bytes]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for file, data in files.items():
        if file.endswith(SUFFIX):
            continue  # no line of it is run
        with suppress(SyntaxError):
            texts[file] = decode(file, data)
    return texts


def _attribute(owner: Any, name: str) -> Any:  # noqa: ANN401  (any object of the submission)
    if isinstance(owner, ModuleType) and not hasattr(owner, name):
        near = get_close_matches(name, vars(owner), n=1)
        hint = f": did you mean {near[0]}?" if near else ""
        raise NotDefined(f"{owner.__name__}.py does not define {name}{hint}")
    return getattr(owner, name)


def _tidy() -> None:
    """Show what was printed, and undo a careless assignment to a builtin, which would reach this loop too."""
    _space.update(_original)
    for stream in (sys.stdout, sys.stderr):
        with suppress(BaseException):
            stream.flush()


_ANSWERS: dict[type[Message], Callable[[Dispatcher, Any, Attempt], Answer]] = {
    Load: Dispatcher._load,  # noqa: SLF001  (the table is part of the class)
    Import: Dispatcher._import,  # noqa: SLF001
    Call: Dispatcher._call,  # noqa: SLF001
    Vjp: Dispatcher._vjp,  # noqa: SLF001
    Get: Dispatcher._get,  # noqa: SLF001
    Set: Dispatcher._set,  # noqa: SLF001
    Replace: Dispatcher._replace,
    Release: Dispatcher._release,  # noqa: SLF001
}
