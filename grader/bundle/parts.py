"""What bundles are made of. Each part is made when a service asks for it: one that students can read asks for no secret."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from grader import __version__
from grader.bundle.cut import cut
from grader.bundle.item import Item, under
from grader.bundle.key import bundle_key
from grader.bundle.pins import constraints, packages
from grader.bundle.wheel import own_wheel
from grader.course.assignment import Assignment

CONSTRAINTS = "constraints.txt"


@dataclass(frozen=True)
class Parts:
    """The parts.

    Args:
        assignments: What the bundle grades.
        course_key: Returns the course key, and makes it where there is none.
        pip_options: Options for the installer of packages at the service.
    """

    assignments: Sequence[Assignment]
    course_key: Callable[[], bytes] = field(repr=False)
    pip_options: str = ""

    @property
    def ids(self) -> list[str]:
        """The assignments by their ids."""
        return [assignment.id for assignment in self.assignments]

    def course(self, service: str) -> list[Item]:
        """Return what grading takes of the course, with a key of this bundle: nothing that a student may see.

        Raises:
            CourseError: It cannot be graded with.
            UsageError: There is no course key, and none can be made.
        """
        return under("course", [*cut(self.assignments), bundle_key(self.course_key(), service, self.ids)])

    @cached_property
    def engine(self) -> list[Item]:
        """The grader and the versions of all that it needs: nothing secret.

        Raises:
            UsageError: The grader, or a package that an assignment allows, is not installed here.
        """
        return [own_wheel(), Item(CONSTRAINTS, constraints(packages(self.assignments)).encode())]

    @property
    def words(self) -> dict[str, str]:
        """What templates ask for."""
        return {
            "IDS": ", ".join(self.ids),
            "CHOSEN": " ".join(f"-a {each}" for each in self.ids),
            "NAME": "-".join(self.ids),
            "FILES": ", ".join(dict.fromkeys(file for each in self.assignments for file in each.manifest.taken)),
            "PACKAGES": " ".join(packages(self.assignments)),
            "PIP_OPTIONS": self.pip_options,
            "POINTS": f"{sum(each.manifest.points for each in self.assignments):g}",
            "PYTHON": platform.python_version(),
            "VERSION": __version__,
            "WHEEL": self.engine[0].path,
        }
