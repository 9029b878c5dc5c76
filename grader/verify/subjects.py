"""What `verify` runs the suites on: the reference, right answers, the bare template, and every mistake."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from grader.course.assignment import Assignment
from grader.course.runs import right_run
from grader.judge.diagnose import patched
from grader.judge.direct import DirectCaller, Source, namespaces_of
from grader.judge.record import Caller
from grader.judge.sources import material_sources
from grader.model.errors import CourseError
from grader.model.manifest import ANSWER, Exercise
from grader.testing.artifacts import Artifacts
from grader.testing.catalogue import Catalogue, Misconception, WrongRun


class Role(StrEnum):
    """What is expected of a subject."""

    RIGHT = "right answer"
    TEMPLATE = "template"
    MISCONCEPTION = "misconception"
    WRONG_RUN = "wrong run"
    VARIANT = "variant"


@dataclass(frozen=True)
class Subject:
    """Something to run the suites on.

    Args:
        role: What is expected of it.
        name: What it is called.
        caller: Calls it.
        misconception: The mistake that it makes.
        without: An exercise that it has nothing for.
        artifacts: What its program wrote.
        wrong_run: The mistake that is in that.
    """

    role: Role
    name: str
    caller: Caller
    misconception: Misconception | None = None
    without: str | None = None
    artifacts: Artifacts = field(default_factory=Artifacts)
    wrong_run: WrongRun | None = None

    @property
    def is_wrong(self) -> bool:
        """Whether it makes a mistake."""
        return self.misconception is not None or self.wrong_run is not None

    def concerns(self, exercise: str) -> bool:
        """Whether the tests of an exercise say something about it: a mistake is judged by its own exercise."""
        if self.misconception is not None:
            return self.misconception.exercise == exercise
        if self.wrong_run is not None:
            return self.wrong_run.exercise == exercise
        return exercise != self.without


def subjects(assignment: Assignment, references: list[Source], catalogue: Catalogue) -> list[Subject]:
    """Return everything that an assignment's suites must tell apart.

    Raises:
        CourseError: A template is missing, or a module of the course cannot be read or imported.
    """
    given = assignment.manifest.given_names
    templates = [_template(assignment, module) for module in assignment.manifest.programs]
    run, right = right_run(assignment), patched(references, (), given)
    return [
        Subject(Role.RIGHT, "reference", right, artifacts=Artifacts(run)),
        *_right_answers(assignment, Artifacts(run)),
        Subject(
            Role.TEMPLATE,
            "student_template",
            DirectCaller(
                *namespaces_of([*templates, *material_sources(assignment)]),
                *_blank(assignment.manifest.worksheet),
                given=given,
            ),
        ),
        *(Subject(Role.MISCONCEPTION, m.id, patched(references, [m], given), m) for m in catalogue.misconceptions),
        *_variants(references, catalogue, given),
        *_wrong_runs(right, catalogue, run),
    ]


def _wrong_runs(right: Caller, catalogue: Catalogue, run: dict[str, bytes]) -> Iterator[Subject]:
    """Runs with one mistake each, of code that is right."""
    for wrong in catalogue.wrong_runs:
        yield Subject(Role.WRONG_RUN, wrong.id, right, artifacts=Artifacts(wrong.spoil(dict(run))), wrong_run=wrong)


def _template(assignment: Assignment, module: str) -> Source:
    path = assignment.template(module)
    if not path.is_file():
        hint = f"run `grader template build {assignment.id}`"
        raise CourseError("there is no template", where=path, hint=hint)
    return Source(path)


def _right_answers(assignment: Assignment, run: Artifacts) -> list[Subject]:
    return [_right_answer(path, assignment, run) for path in assignment.right_answers]


def _right_answer(path: Path, assignment: Assignment, run: Artifacts) -> Subject:
    """One right answer: a program, which need not answer a worksheet as well. It may import what has no exercise, and the materials."""
    manifest = assignment.manifest
    others = [module for module in manifest.programs if module not in manifest.answered]
    before = [*map(Source, map(assignment.reference, others)), *material_sources(assignment)]
    name = manifest.answered[0] if len(manifest.answered) == 1 else None
    *given, namespace = namespaces_of([*before, Source(path, name=name)])
    without = manifest.worksheet.id if manifest.worksheet and not hasattr(namespace, ANSWER) else None
    caller = DirectCaller(namespace, *given, given=manifest.given_names)
    return Subject(Role.RIGHT, f"right_answers/{path.name}", caller, without=without, artifacts=run)


def _blank(sheet: Exercise | None) -> Iterator[ModuleType]:
    """A worksheet as it is handed out, in the place of a template."""
    if sheet is None:
        return

    def answer(*_: object, **__: object) -> NoReturn:
        raise NotImplementedError(sheet.id)

    blank = ModuleType(sheet.module)
    vars(blank)[ANSWER] = answer
    yield blank


def _variants(references: list[Source], catalogue: Catalogue, given: list[str]) -> list[Subject]:
    by_id = {m.id: m for m in catalogue.misconceptions}
    found = []
    for number, variant in enumerate(catalogue.variants, start=1):
        original = by_id[variant.of]
        again = replace(original, implementation=variant.implementation)
        name = f"{original.id} (variant {number})"
        found.append(Subject(Role.VARIANT, name, patched(references, [again], given), original))
    return found
