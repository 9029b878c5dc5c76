"""What `verify` runs the suites on: the reference, right answers, the bare template, and every mistake."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from grader.course.assignment import Assignment
from grader.judge.diagnose import patched
from grader.judge.direct import DirectCaller, Source
from grader.judge.record import Caller
from grader.model.errors import CourseError
from grader.testing.catalogue import Catalogue, Misconception


class Role(StrEnum):
    """What is expected of a subject."""

    RIGHT = "right answer"
    TEMPLATE = "template"
    MISCONCEPTION = "misconception"
    VARIANT = "variant"


@dataclass(frozen=True)
class Subject:
    """Something to run the suites on."""

    role: Role
    name: str
    caller: Caller
    misconception: Misconception | None = None

    def concerns(self, exercise: str) -> bool:
        """Whether the tests of an exercise say something about it: a mistake is judged by its own exercise."""
        return self.misconception is None or self.misconception.exercise == exercise


def subjects(assignment: Assignment, references: list[Source], catalogue: Catalogue) -> list[Subject]:
    """Return everything that an assignment's suites must tell apart.

    Raises:
        CourseError: A template is missing, or a module of the course cannot be read or imported.
    """
    return [
        Subject(Role.RIGHT, "reference", DirectCaller(*(source.namespace() for source in references))),
        *_right_answers(assignment),
        Subject(
            Role.TEMPLATE,
            "student_template",
            DirectCaller(*(_template(assignment, module).namespace() for module in assignment.manifest.modules)),
        ),
        *(Subject(Role.MISCONCEPTION, m.id, patched(references, [m]), m) for m in catalogue.misconceptions),
        *_variants(references, catalogue),
    ]


def _template(assignment: Assignment, module: str) -> Source:
    path = assignment.template(module)
    if not path.is_file():
        hint = f"run `grader template build {assignment.id}`"
        raise CourseError("there is no template", where=path, hint=hint)
    return Source(path)


def _right_answers(assignment: Assignment) -> list[Subject]:
    return [
        Subject(Role.RIGHT, f"right_answers/{path.name}", DirectCaller(Source(path).namespace()))
        for path in assignment.right_answers
    ]


def _variants(references: list[Source], catalogue: Catalogue) -> list[Subject]:
    by_id = {m.id: m for m in catalogue.misconceptions}
    found = []
    for number, variant in enumerate(catalogue.variants, start=1):
        original = by_id[variant.of]
        again = Misconception(
            original.id, original.function, variant.implementation, original.en, original.zh_tw, original.equivalent
        )
        found.append(Subject(Role.VARIANT, f"{original.id} (variant {number})", patched(references, [again]), original))
    return found
