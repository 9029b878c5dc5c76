"""An assignment made ready to judge submissions: what is the same for all of them is read, compiled and run once."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from types import SimpleNamespace

from grader.course.assignment import Assignment
from grader.course.lock import LockedTest
from grader.course.runs import check_data, right_run
from grader.course.signatures import parameters
from grader.course.worksheet import load_worksheet
from grader.judge.diagnose import Diagnosing, patched
from grader.judge.direct import merged, namespaces_of
from grader.judge.naming import diagnosing
from grader.judge.sources import materials_of, sources_of
from grader.model.errors import CourseError
from grader.testing.artifacts import Artifacts


class Prepared:
    """The reference, the questions and the data of an assignment.

    Args:
        assignment: The assignment.

    Raises:
        CourseError: A part of it is missing, or cannot be read or run.
    """

    def __init__(self, assignment: Assignment) -> None:
        self.assignment = assignment
        self.manifest = manifest = assignment.manifest
        # A kit has no reference: its visible tests do without, and so does everything here.
        modules = [assignment.reference(module) for module in manifest.modules]
        self._sources = sources_of(assignment) if all(path.is_file() for path in modules) else []
        self.right = patched(self._sources, (), manifest.given_names) if self._sources else None
        self.questions = load_worksheet(assignment)
        self.materials = materials_of(assignment)
        self.sound = Artifacts(right_run(assignment))
        check_data(assignment)

    @cached_property
    def reference(self) -> SimpleNamespace | None:
        """What tests see of the reference; None in a kit."""
        namespaces = namespaces_of(self._sources)
        return merged(namespaces, self.manifest.given_names) if namespaces else None

    @cached_property
    def diagnosing(self) -> Diagnosing:
        """What names mistakes."""
        return diagnosing(self.assignment, self._sources)

    @cached_property
    def parameters(self) -> dict[str, tuple[str, ...]]:
        """What the functions of a submission call their parameters."""
        return parameters(self.assignment)

    @cached_property
    def locked(self) -> frozenset[LockedTest]:
        """The tests that count.

        Raises:
            CourseError: There is no lock, or a wrong one.
        """
        return frozenset(self.assignment.lock())

    def ready(self) -> None:
        """Make once what every submission would else make for itself."""
        _ = self.reference, self.parameters
        with suppress(CourseError):  # each judge that needs it meets it, and tells it
            _ = self.locked

    def warm(self) -> None:
        """Make once what every wrong submission would else make for itself; a first one, alone, may have no use for all of it."""
        self.diagnosing.warm()
