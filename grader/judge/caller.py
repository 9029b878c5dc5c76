"""A submission in workers: one for many calls, and a fresh one after any fault."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar

from grader.judge.budget import CallBudget
from grader.judge.clock import OutOfTimeError
from grader.judge.handles import Handles
from grader.judge.link import KilledError, Link
from grader.judge.question import question_of
from grader.judge.record import Outcome, Request
from grader.judge.sheet import missing, strangers, whose
from grader.model.errors import CourseError, GraderError
from grader.model.manifest import Manifest
from grader.model.verdict import Status
from grader.sandbox.base import Output, Sandbox
from grader.testing.student import Cause, StudentError
from grader.wire.errors import Unsendable
from grader.wire.messages import (
    Answer,
    Bounds,
    Failed,
    Failure,
    Flag,
    Get,
    Import,
    Load,
    Loaded,
    Release,
    Replace,
    Returned,
)
from grader.wire.messages import Request as Question
from grader.wire.values import Handle

ReferenceSeconds = Callable[[Request], float]
Result = TypeVar("Result")


class WorkerCaller:
    """Calls a submission's functions in sandboxed workers.

    Args:
        sandbox: Where workers come from.
        files: The submission.
        manifest: Says which function lives in which module, and the limits.
        reference_seconds: How long the reference takes for a call; asked only when the submission is slow.
        student: Whose submission it is; None where only its worksheet says.
        refused: Why files that are there could not be taken.
        questions: Those of the worksheet.
        stand_ins: From the name of a function to one of the judge's that takes its place, wherever the submission uses it.
    """

    def __init__(  # noqa: PLR0913  # one of them only where it is known
        self,
        sandbox: Sandbox,
        files: Mapping[str, bytes],
        manifest: Manifest,
        reference_seconds: ReferenceSeconds,
        stand_ins: Mapping[str, Callable[..., Any]] | None = None,
        *,
        student: str | None = None,
        refused: Mapping[str, str] = MappingProxyType({}),
        questions: Sequence[str] = (),
    ) -> None:
        self.flags: list[Flag] = []
        self.printed: list[Output] = []
        self.overrun = False
        self.killed = False
        self.used: dict[str, float] = {}
        self.fault: GraderError | None = None
        self._sandbox = sandbox
        self._files = dict(files)
        self._manifest = manifest
        self._reference_seconds = reference_seconds
        self._stand_ins = dict(stand_ins or {})
        self._student = student
        self._refused = refused
        self._questions = questions
        self._strangers = ""
        self._claimed: str | None = None
        self._module = manifest.homes
        self._link: Link | None = None
        self._handles = Handles()
        self._imported: set[str] = set()
        self._ever: set[str] = set()
        self._standing = False
        self._unusable: dict[str, StudentError] = {}

    def carrying(self, stand_ins: Mapping[str, Callable[..., Any]]) -> WorkerCaller:
        """Return a caller of the same submission with stand-ins. What cannot be imported is known to both, and tried by one."""
        shared = self._sandbox, self._files, self._manifest, self._reference_seconds
        twin = WorkerCaller(*shared, stand_ins, student=self._student, refused=self._refused, questions=self._questions)
        twin._unusable, twin._ever = self._unusable, self._ever  # of this very class
        return twin

    def call(self, request: Request, budget: CallBudget | None = None, /) -> Outcome:
        """Make the call; a death that may be the machine's doing is tried once more, in a fresh worker.

        Raises:
            StudentError: The module cannot be imported, or the call hung, ended its process, or called back too often.
            AttributeError: No exercise asks for such a function: the test is wrong.
            GraderError: The call could not be made, which is no fault of the submission; `fault` keeps it.
        """
        module = self._module.get(request.function)
        if module is None and request.on is None:
            raise AttributeError(f"no exercise of {self._manifest.id} asks for `{request.function}`")
        budget = budget or CallBudget()
        if module is None or request.on is not None:
            return self._keeping_faults(partial(self._called, request, request.function, budget))
        return self._keeping_faults(partial(self._twice, module, partial(self._called_in, module, request, budget)))

    def owner(self) -> str:
        """Return whose worksheet it is: the student's whose submission it is or, where nobody says, whoever the sheet says.

        Raises:
            StudentError: The sheet has to be asked, and is missing, cannot be read or does not say.
            GraderError: It could not be asked; `fault` keeps it.
        """
        if self._student is not None:
            return self._student
        sheet = self._manifest.worksheet
        assert sheet  # noqa: S101  # only the tests of one ask
        self._keeping_faults(partial(self._twice, sheet.module, partial(self._import, sheet.module)))
        assert self._claimed is not None  # noqa: S101  # a sheet that does not say is not imported
        return self._claimed

    def _keeping_faults(self, attempt: Callable[[], Result]) -> Result:
        try:
            return attempt()
        except (OSError, MemoryError, RuntimeError) as error:
            # Out of descriptors, memory or threads: what ran out is the judge's own, and so is the fault.
            self.fault = GraderError(f"a call could not be made: {type(error).__name__}: {error}")
            raise self.fault from error
        except GraderError as error:
            self.fault = error
            raise

    def forget(self, handles: Sequence[Handle], /) -> None:
        """See `Caller`; a worker that does not let go is the next test's to find out."""
        for handle in handles:
            if self._link is not None and self._handles.alive(handle):
                with suppress(StudentError):
                    self._ask(Release(self._handles.sent(handle).id), f"letting go of a {handle.type}", lambda: 0.0)

    def close(self) -> None:
        """End the worker, and keep what it printed."""
        if self._link is not None:
            self.printed.append(self._link.close())
        self._link = None
        self._standing = False
        self._imported.clear()

    def _twice(self, module: str, attempt: Callable[[], Result]) -> Result:
        try:
            return attempt()
        except KilledError:
            if self.killed:  # one may be the machine's doing
                raise
            self.killed = True
            self._unusable.pop(module, None)
            return attempt()

    def _called_in(self, module: str, request: Request, budget: CallBudget) -> Outcome:
        self._import(module)
        return self._called(request, f"{module}.{request.function}", budget)

    def _called(self, request: Request, target: str, budget: CallBudget) -> Outcome:
        # One that was made in a process that is gone is missed before the worker is asked for anything.
        question = question_of(request, target, self._handles)
        try:
            answer = self._ask(question, request.function, lambda: self._reference_seconds(request), budget)
        except Unsendable as error:
            raise TypeError(f"the test passed {error.what} to {request.function}") from error
        if isinstance(answer, Failed):
            return Outcome(raised=self._raised(request.function, answer.error))
        assert isinstance(answer, Returned)  # noqa: S101  # the wire lets no other answer through
        if answer.args is None or answer.kwargs is None:
            return Outcome(self._handles.received(answer.value), None, request.args, request.kwargs)
        value, args, kwargs = self._handles.received((answer.value, answer.args, answer.kwargs))
        return Outcome(value, None, args, kwargs)

    def _raised(self, function: str, failure: Failure) -> Cause:
        """Return what a call raised; a blank of a worksheet says what a template says, for the sheet knows of no exercise."""
        sheet = self._manifest.worksheet
        if sheet and function in sheet.names and failure.types[:1] == ["Unanswered"]:
            return Cause(tuple(failure.types), sheet.id, self._manifest.file_of(sheet.module), note=self._strangers)
        return cause_of(failure)

    def _import(self, module: str) -> None:
        """Have a module imported in the worker; what cannot be is told again, not tried again."""
        if module in self._unusable:
            raise self._unusable[module]
        if module in self._imported and self._standing == bool(self._stand_ins):
            return
        try:
            self._try_import(module)
        except KilledError as error:
            # Told again it is no kill, which would be tried once more.
            self._unusable[module] = StudentError(error.status, error.cause)
            raise
        except StudentError as error:
            self._unusable[module] = error
            raise

    def _try_import(self, module: str) -> None:
        file = self._manifest.file_of(module)
        if file not in self._files:
            said = self._refused.get(file) or missing(file, self._student)
            raise StudentError(Status.IMPORT_ERROR, Cause(("FileNotFoundError",), said))
        if self._link is None:
            self._start()
        if module not in self._imported:
            answer = self._ask(Import(module), f"importing {file}", lambda: 0.0)
            if isinstance(answer, Failed):
                raise self._unimportable(module, answer.error)
            self._refuse_another_students(module)
            self._imported.add(module)
            self._ever.add(module)
        if self._stand_ins and not self._standing:
            self._put_stand_ins()

    def _refuse_another_students(self, module: str) -> None:
        """Read whose a worksheet says it is: with another's numbers its answers are no answers."""
        sheet = self._manifest.worksheet
        if sheet is None or module != sheet.module:
            return
        answer = self._ask(Get(f"{module}.student"), f"reading {sheet.file}", lambda: 0.0)
        claimed = answer.value if isinstance(answer, Returned) else None
        wrong = whose(str(sheet.file), claimed, self._student)
        if wrong is not None:
            raise self._unimportable(module, Failure("import", ["ValueError"], wrong, str(sheet.file), None))
        self._claimed = str(claimed)
        if module not in self._ever:  # later on its words could be those of a hidden test's input
            entries = self._ask(Get(f"{module}.entries"), f"reading {sheet.file}", lambda: 0.0)
            self._strangers = strangers(entries.value if isinstance(entries, Returned) else None, self._questions)

    def _unimportable(self, module: str, error: Failure) -> StudentError:
        """Return what is told of an import. Of one that went well before, no words: they could be those of a hidden test's input."""
        if module in self._ever:
            return StudentError(
                import_status(error),
                Cause(
                    message=f"{self._manifest.file_of(module)} was imported before, and cannot be again in a fresh process"
                ),
            )
        return StudentError(import_status(error), cause_of(error))

    def _put_stand_ins(self) -> None:
        """Replace functions in all modules at once: one that is imported later would bring the original back."""
        self._standing = True
        for module in self._manifest.programs:
            if f"{module}.py" in self._files and module not in self._imported:
                self._ask(
                    Import(module), f"importing {module}.py", lambda: 0.0
                )  # what cannot be is told when it is called
        for name, function in self._stand_ins.items():
            answer = self._ask(Replace(f"{self._module[name]}.{name}", function), f"replacing {name}", lambda: 0.0)
            if isinstance(answer, Failed):
                raise StudentError(
                    Status.BLOCKED, Cause(message=f"{name} could not be replaced: {answer.error.message}")
                )

    def _start(self) -> None:
        """Start a worker and hand it the files. Nothing of them is run yet."""
        answer = self._loaded(self._files)
        if isinstance(answer, Failed):
            raise self._unloadable(answer)
        # Every worker reads the same files before any of them runs: any worker's word is as good.
        assert isinstance(answer, Loaded)  # noqa: S101  # the wire lets no other answer through
        self.flags = list(answer.flags)

    def _unloadable(self, answer: Failed) -> CourseError | StudentError:
        """Return whose fault it is that the files could not be loaded: the course's, if nothing at all cannot be either."""
        self.close()
        if isinstance(self._loaded({}), Failed):
            return CourseError(
                f"what the manifest forbids or allows cannot be arranged: {answer.error.message}",
                where=f"{self._manifest.id}/assignment.toml",
            )
        self.close()
        return StudentError(import_status(answer.error), cause_of(answer.error))

    def _loaded(self, files: dict[str, bytes]) -> Answer:
        self._link = Link(self._sandbox.fork(), self._manifest.limits)
        self._handles.start()
        manifest = self._manifest
        limits = manifest.limits
        bounds = Bounds(limits.reply_mb, limits.memory_mb, limits.processes, limits.open_files, limits.file_mb)
        load = Load(
            files,
            [*manifest.modules, *(each.module for each in manifest.materials)],
            list(manifest.allowed_imports),
            list(manifest.forbidden),
            bounds,
            list(manifest.given),
        )
        try:
            return self._ask(load, "reading the files", lambda: 0.0)
        except StudentError as error:
            if files:
                self._blame(error)
            raise

    def _blame(self, error: StudentError) -> None:
        """Say that the fault is ours, if a worker fails in the same way with no file of the student's at all."""
        try:
            self._loaded({})
        except StudentError:
            raise GraderError(f"a worker cannot start: {error.cause.message}", hint="run `grader doctor`") from error
        self.close()

    def _ask(
        self,
        question: Question,
        name: str,
        reference_seconds: Callable[[], float],
        budget: CallBudget | None = None,
    ) -> Answer:
        assert self._link is not None  # noqa: S101  # _start was called
        try:
            return self._link.ask(question, name, reference_seconds, budget or CallBudget())
        except StudentError as error:
            if isinstance(error, OutOfTimeError):
                self.overrun |= error.unspent
                self.used |= {f"{name}: {clock}": seconds for clock, seconds in error.used.items()}
            self.close()
            raise


def cause_of(failure: Failure) -> Cause:
    """Return what a worker said as the judge says it."""
    way = tuple((spot.file, spot.line) for spot in failure.way)
    return Cause(tuple(failure.types), failure.message, failure.file, failure.line, way=way)


def import_status(failure: Failure) -> Status:
    """Return what it means that a module did not come in: memory and forbidden calls keep their own names."""
    if "MemoryError" in failure.types:
        return Status.MEMORY
    return Status.BLOCKED if failure.types[:1] == ["Blocked"] else Status.IMPORT_ERROR
