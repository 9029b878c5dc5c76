"""What the suites of an assignment are run with: its reference, and a bench for each round."""

from __future__ import annotations

from grader.course.assignment import Assignment
from grader.course.runs import check_data, right_run
from grader.course.worksheet import load_worksheet
from grader.judge.direct import DirectCaller, merged, namespaces_of
from grader.judge.sheet import Sheet
from grader.judge.sources import sources_of
from grader.judge.trial import Bench
from grader.testing.artifacts import Artifacts


class Ground:
    """The reference of an assignment, as tests see it and as they call it.

    Args:
        assignment: The assignment.

    Raises:
        CourseError: The reference, a material or the worksheet cannot be read, or does not run.
    """

    def __init__(self, assignment: Assignment) -> None:
        manifest = assignment.manifest
        given = manifest.given_names
        self.sources = sources_of(assignment)
        self.namespaces = namespaces = namespaces_of(self.sources)
        self.right = DirectCaller(*namespaces, given=given)
        run = Artifacts(right_run(assignment))
        check_data(assignment)
        exercises = [exercise.id for exercise in manifest.exercises]
        self._bench = Bench(merged(namespaces, given), self.right, exercises, manifest.limits.calls, given, sound=run)
        self.questions = load_worksheet(assignment)
        self._assignment = assignment.id

    def bench(self, number: int) -> Bench:
        """Return the bench of a round: each has another student, and so another worksheet."""
        if not self.questions:
            return self._bench
        return self._bench.with_sheet(Sheet(self.questions, self._assignment, lambda: f"student-{number}"))
