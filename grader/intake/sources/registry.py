"""The systems whose downloads are read. What none of them recognises is a folder of anything."""

from __future__ import annotations

from collections.abc import Mapping

from grader.intake.sources import blackboard, canvas, classroom, gradescope, moodle, nbgrader
from grader.intake.sources.base import Source

SOURCES: Mapping[str, Source] = {
    "canvas": canvas,
    "moodle": moodle,
    "gradescope": gradescope,
    "blackboard": blackboard,
    "classroom": classroom,
    "nbgrader": nbgrader,
}
