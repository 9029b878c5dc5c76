"""What a verdict was reached with: a digest over the suites, the lock, the manifest and the reference."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from grader.course.assignment import Assignment
from grader.course.lock import FILE_NAME
from grader.model.verdict import Suite


def suite_digest(assignment: Assignment) -> str:
    """Return the SHA-256 over everything of the course that decides a verdict, as hexadecimal digits."""
    total = sha256()
    for path in sorted(_deciding(assignment)):
        name = path.relative_to(assignment.course).as_posix().encode()
        content = path.read_bytes()
        total.update(len(name).to_bytes(4, "big") + name + len(content).to_bytes(8, "big") + content)
    return total.hexdigest()


def _deciding(assignment: Assignment) -> list[Path]:
    folders = [*(assignment.suite(suite) for suite in Suite), assignment.misconceptions]
    parts = [path for folder in folders for path in folder.rglob("*") if "__pycache__" not in path.parts]
    modules = [assignment.reference(module) for module in assignment.manifest.modules]
    modules += assignment.materials.values()
    toml = assignment.folder / "assignment.toml"
    single = [toml, assignment.worksheet, assignment.folder / FILE_NAME, assignment.misconceptions]
    return [path for path in (*parts, *modules, *single) if path.is_file()]
