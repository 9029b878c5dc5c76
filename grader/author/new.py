"""A new assignment, with one small exercise that is whole: it holds from the first minute, and is changed from there."""

from __future__ import annotations

import keyword
import re
import sys
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from grader.course.locate import load_assignments
from grader.intake.ids import safe_id
from grader.model.errors import UsageError
from grader.pipeline.write import write_together
from grader.template.building import build

_SKELETON = Environment(  # noqa: S701 - text files, and no page
    loader=PackageLoader("grader.author", "skeleton"), undefined=StrictUndefined, keep_trailing_newline=True
)
# Where each part goes, below the course.
_PARTS = {
    "assignments/{id}/assignment.toml": "assignment.toml.j2",
    "assignments/{id}/handout.md": "handout.md.j2",
    "assignments/{id}/handout.zh-TW.md": "handout.zh-TW.md.j2",
    "assignments/{id}/visible/test_center_rows.py": "visible.py.j2",
    "assignments/{id}/hidden/test_center_rows.py": "hidden.py.j2",
    "assignments/{id}/misconceptions.py": "misconceptions.py.j2",
    "assignments/{id}/right_answers/lists.py": "right_answer.py.j2",
    "reference/{id}.py": "reference.py.j2",
}
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_AWKWARD = re.compile(r"[\"'\\\n\r]")
_PACKAGES = ("numpy", "torch", "matplotlib", "grader", "pytest")


def new_assignment(course: Path, name: str, title: str) -> list[Path]:
    """Write an assignment and its template.

    Args:
        course: The course; made where there is none.
        name: The id of the assignment, which is the name of its module too.
        title: What it is called, in English; the other language is for a person to write.

    Returns:
        The files, relative to the course.

    Raises:
        UsageError: The name cannot be a module's, or is taken.
    """
    _check(name, title)
    shown = title or name.replace("_", " ").capitalize()
    files = {
        Path(place.format(id=name)): _SKELETON.get_template(part).render(id=name, title=shown)
        for place, part in _PARTS.items()
    }
    for place in files:
        if (course / place).exists():
            raise UsageError("is there already", where=course / place, hint="choose another name")
    write_together({course / place: text for place, text in files.items()})
    manifests = [each.manifest for each in load_assignments(course, ())]
    return [*files, *(path.relative_to(course) for path in build(course, manifests, [name]))]


def _check(name: str, title: str) -> None:
    if _NAME.fullmatch(name) is None or keyword.iskeyword(name):
        hint = "small letters, digits and _, and a letter first, as in rms_norm"
        raise UsageError(f"{name!r} cannot be the name of an assignment", hint=hint)
    if name in sys.stdlib_module_names or name in _PACKAGES:
        raise UsageError(f"{name!r} is the name of a module that submissions import", hint="choose another name")
    if safe_id(name) != name:
        raise UsageError(
            f"{name!r} is kept by Windows, where a student could have no file of it", hint="choose another name"
        )
    if _AWKWARD.search(title):
        raise UsageError("a title is one line without quotes and backslashes", hint="it can be changed in the files")
