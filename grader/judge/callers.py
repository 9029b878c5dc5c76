"""All callers of one submission, and what they came to together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType, TracebackType
from typing import Self

from grader.judge.caller import ReferenceSeconds, WorkerCaller
from grader.judge.carry import Carrier, answers
from grader.judge.direct import DirectCaller
from grader.model.errors import GraderError
from grader.model.manifest import Manifest
from grader.sandbox.base import Output, Sandbox


class Callers:
    """The submission's own caller and, where there is a reference, those in which some exercises are answered by it.

    Args:
        sandbox: Where workers come from.
        files: The submission.
        manifest: The assignment.
        right: The reference; None in a kit.
        reference_seconds: See `WorkerCaller`.
        student: Likewise.
        refused: Likewise.
        questions: Likewise.
    """

    def __init__(  # noqa: PLR0913  # likewise
        self,
        sandbox: Sandbox,
        files: Mapping[str, bytes],
        manifest: Manifest,
        right: DirectCaller | None,
        reference_seconds: ReferenceSeconds,
        *,
        student: str | None = None,
        refused: Mapping[str, str] = MappingProxyType({}),
        questions: Sequence[str] = (),
    ) -> None:
        self.own = WorkerCaller(
            sandbox, files, manifest, reference_seconds, student=student, refused=refused, questions=questions
        )
        self.carrier = Carrier(self.own, manifest, answers(right, manifest)) if right else None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all workers, and keep what they printed."""
        for caller in self._all():
            caller.close()

    def _all(self) -> Iterator[WorkerCaller]:
        yield self.own
        yield from self.carrier.callers if self.carrier else ()

    @property
    def printed(self) -> list[Output]:
        """What all workers printed, the submission's own first."""
        return [output for caller in self._all() for output in caller.printed]

    @property
    def fault(self) -> GraderError | None:
        """What was ours and kept a call from being made."""
        return next((caller.fault for caller in self._all() if caller.fault), None)

    @property
    def overrun(self) -> bool:
        """Whether a call ran out of wall time alone."""
        return any(caller.overrun for caller in self._all())

    @property
    def killed(self) -> bool:
        """Whether a worker was killed from outside."""
        return any(caller.killed for caller in self._all())

    @property
    def used(self) -> dict[str, float]:
        """What calls that broke a limit had used."""
        return {name: value for caller in reversed([*self._all()]) for name, value in caller.used.items()}
