"""`assignment.toml`: what an assignment is made of, as typed data."""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=64)]
ExerciseId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$", max_length=128)]
FileName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]*\.py$", max_length=64)]
DottedName = Annotated[str, Field(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$", max_length=200)]


class Strict(BaseModel):
    """A frozen model that refuses keys it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Text(Strict):
    """One text in the languages of the course."""

    en: str = Field(min_length=1, description="English")
    zh_tw: str = Field(min_length=1, alias="zh-TW", description="Traditional Chinese")


class Limits(Strict):
    """What a worker may use. Time and arrays are per call, calls per test, the rest per worker."""

    cpu_seconds: float = Field(
        2.0, gt=0, le=3600, description="CPU seconds a call may take, whatever the reference takes"
    )
    reference_multiple: float = Field(
        100.0, ge=1, description="A call may also take this many times the reference's own time"
    )
    wall_seconds: float = Field(10.0, gt=0, le=7200, description="Wall-clock seconds a call may take")
    memory_mb: int = Field(
        1024, ge=64, description="MiB of memory on top of what the interpreter and the packages take"
    )
    processes: int = Field(64, ge=1, description="Threads and processes")
    open_files: int = Field(128, ge=16, description="Open file descriptors")
    file_mb: int = Field(16, ge=0, description="MiB of the largest file it may write")
    output_kb: int = Field(1024, ge=1, description="KiB of printed text that are kept")
    reply_mb: int = Field(
        64, ge=1, description="MiB of arrays that one call may return, its arguments as they are afterwards included"
    )
    calls: int = Field(
        10_000,
        ge=1,
        description="Calls that one test may make into the submission, and the submission back into the test",
    )


class Exercise(Strict):
    """One thing to implement, and what it is worth."""

    id: ExerciseId
    title: Text
    points: float = Field(gt=0, le=1000)
    names: list[str] = Field(
        min_length=1, description="The functions or classes of the module that the exercise asks for"
    )
    needs: list[ExerciseId] = Field(
        default=[], description="Exercises of this assignment whose functions this one may call"
    )

    @property
    def module(self) -> str:
        """The module the exercise lives in, without `.py`."""
        return self.id.partition(".")[0]


class Manifest(Strict):
    """An assignment: its files, its exercises, its limits."""

    schema_version: int = Field(1, ge=1, le=1)
    id: Identifier
    title: Text
    files: list[FileName] = Field(min_length=1, description="The files taken from a submission; all others are ignored")
    allowed_imports: list[DottedName] = Field(
        default=["numpy"], description="Packages a submission may import, beside the standard library"
    )
    forbidden: list[DottedName] = Field(
        default=[], description="Ready-made answers: calling one is refused in the worker"
    )
    limits: Limits = Limits()
    exercises: list[Exercise] = Field(min_length=1)

    @property
    def points(self) -> float:
        """What the whole assignment is worth."""
        return sum(exercise.points for exercise in self.exercises)

    @property
    def modules(self) -> list[str]:
        """The modules of a submission, in the order of `files`."""
        return [name.removesuffix(".py") for name in self.files]

    def exercise(self, exercise_id: str) -> Exercise:
        """Return one exercise by id.

        Raises:
            KeyError: No exercise has that id.
        """
        return next((e for e in self.exercises if e.id == exercise_id), None) or _missing(exercise_id)

    def prerequisites(self, exercise_id: str) -> list[str]:
        """Return all exercises that one needs, directly or through others, in the order of the manifest."""
        found: set[str] = set()
        waiting = [exercise_id]
        while waiting:
            fresh = set(self.exercise(waiting.pop()).needs) - found
            found |= fresh
            waiting += sorted(fresh)
        return [e.id for e in self.exercises if e.id in found]

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        ids = [exercise.id for exercise in self.exercises]
        _refuse_duplicates(ids)
        names = [f"{exercise.module}.{name}" for exercise in self.exercises for name in exercise.names]
        if twice := [name for name in names if names.count(name) > 1]:
            raise ValueError(f"two exercises ask for `{twice[0]}`: a function is one exercise's")
        for exercise in self.exercises:
            if f"{exercise.module}.py" not in self.files:
                raise ValueError(
                    f"exercise {exercise.id!r} lives in {exercise.module}.py, which is not among files {self.files}"
                )
            for need in exercise.needs:
                if need not in ids:
                    raise ValueError(
                        f"exercise {exercise.id!r} needs {need!r}, which is not an exercise of this assignment"
                    )
        try:
            tuple(TopologicalSorter({e.id: e.needs for e in self.exercises}).static_order())
        except CycleError as error:
            raise ValueError(f"exercises need each other in a circle: {' -> '.join(error.args[1])}") from error
        for position, exercise in enumerate(self.exercises):
            if late := [need for need in exercise.needs if ids.index(need) > position]:
                raise ValueError(f"exercise {exercise.id!r} stands before {late[0]!r}, which it needs: put it after")
        return self


def _missing(exercise_id: str) -> Exercise:
    raise KeyError(exercise_id)


def _refuse_duplicates(ids: Sequence[str]) -> None:
    for exercise_id in ids:
        if ids.count(exercise_id) > 1:
            raise ValueError(f"exercise {exercise_id!r} stands twice")
