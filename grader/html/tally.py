"""What a class comes to, gathered while its reports are read one at a time: they are large, and this is small."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.graded.read import Graded
from grader.html.kept import Exercise, Fault, Flagged, Line, Mistake, Slow
from grader.model.evidence import Diagnosis, Explanation
from grader.model.manifest import Text
from grader.model.report import AssignmentReport, ExerciseReport, Report
from grader.model.verdict import Status

_TOTAL = "total"
_STAGES = (_TOTAL, "suite")
_SLOWEST = 10


class Tally:
    """A class, as it is read."""

    def __init__(self) -> None:
        self.titles: dict[str, Text] = {}
        self.exercises: dict[str, Exercise] = {}
        self.mistakes: dict[str, Mistake] = {}
        self.lines: list[Line] = []
        self.faults: list[Fault] = []
        self.flags: list[Flagged] = []
        self._timings: list[Slow] = []

    def add(self, graded: Graded) -> None:
        """Take in a submission."""
        report = graded.report
        for part in report.assignments:
            self.titles.setdefault(part.id, part.title)
            self.flags += [Flagged(graded.row.id, flag.file, flag.line, flag.name) for flag in part.flags]
            self._fault_of(graded.row.id, part)
            for exercise in part.exercises:
                self.exercises.setdefault(exercise.id, Exercise(exercise.id, exercise.title)).found[
                    exercise.status
                ] += 1
        named = dict.fromkeys(name for exercise in _exercises(report) for name in self._named(exercise))
        for name in named:
            self.mistakes[name].students.append(graded.row.id)
        self.lines.append(_line(graded, list(named)))
        self._timings = sorted([*self._timings, _slow(graded)], key=lambda slow: -slow.seconds)[:_SLOWEST]

    @property
    def slowest(self) -> Sequence[Slow]:
        """Those that took longest."""
        return self._timings

    @property
    def hardest(self) -> list[Exercise]:
        """The exercises, those that the fewest passed first."""
        return sorted(self.exercises.values(), key=lambda exercise: exercise.passed)

    @property
    def commonest(self) -> list[Mistake]:
        """The misconceptions, those that the most hold first."""
        return sorted(self.mistakes.values(), key=lambda mistake: (-len(mistake.students), mistake.id))

    def _fault_of(self, student: str, part: AssignmentReport) -> None:
        if part.problem is not None:
            self.faults.append(Fault(student, part.id, part.problem))
            return
        self.faults += [
            Fault(student, exercise.id, exercise.message or _first_said(exercise))
            for exercise in part.exercises
            if exercise.status.is_ours
        ]

    def _named(self, exercise: ExerciseReport) -> Iterator[str]:
        for diagnosis in (exercise.diagnosis, *exercise.also):
            for name, en, zh_tw in _explained(diagnosis):
                self.mistakes.setdefault(name, Mistake(name, en, zh_tw))
                yield name


def _exercises(report: Report) -> Iterator[ExerciseReport]:
    return (exercise for part in report.assignments for exercise in part.exercises)


def _explained(diagnosis: Diagnosis | None) -> Iterator[tuple[str, Explanation, Explanation]]:
    if diagnosis is not None:
        yield from zip(diagnosis.misconceptions, diagnosis.en, diagnosis.zh_tw, strict=True)


def _first_said(exercise: ExerciseReport) -> str:
    return next((test.message for test in exercise.tests if test.status.is_ours), "")


def _line(graded: Graded, mistakes: Sequence[str]) -> Line:
    report, counted = graded.report, graded.counted
    exercises = list(_exercises(report))
    return Line(
        graded.row.id,
        report.status,
        report.score,
        report.points,
        float(counted.total.score) if counted else None,
        float(counted.total.points) if counted else 0.0,
        sum(final.lateness.days for final in counted.finals) if counted else 0,
        sum(exercise.status is Status.PASSED for exercise in exercises),
        len(exercises),
        mistakes,
        report.timings.get(_TOTAL, 0.0),
    )


def _slow(graded: Graded) -> Slow:
    timings = graded.report.timings
    parts = {name: seconds for name, seconds in timings.items() if name not in _STAGES}
    what = max(parts, key=parts.__getitem__, default="")
    return Slow(graded.row.id, timings.get(_TOTAL, 0.0), what, parts.get(what, 0.0))
