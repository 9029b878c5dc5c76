"""What a verdict was reached with: digests over the suites, the lock, the manifest and the reference."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from grader.course.assignment import Assignment
from grader.course.lock import FILE_NAME
from grader.model.manifest import Manifest
from grader.model.verdict import Suite


def suite_digest(assignment: Assignment) -> str:
    """Return the SHA-256 over everything of the course that decides a verdict and its points, as hexadecimal digits."""
    return _digest(assignment, needed(assignment))


def evidence_digest(assignment: Assignment) -> str:
    """Return the SHA-256 over everything of the course that decides what a judge finds out.

    Titles and points are no part of it: they are put to evidence afterwards. Nor is which assignments come before.
    """
    manifest = _deciding_manifest(assignment.manifest).encode()
    return sha256(_digest(assignment, _deciding(assignment)).encode() + manifest).hexdigest()


def _digest(assignment: Assignment, paths: Iterable[Path]) -> str:
    total = sha256()
    for path in sorted({*paths}):
        name = path.relative_to(assignment.course).as_posix().encode()
        content = path.read_bytes()
        total.update(len(name).to_bytes(4, "big") + name + len(content).to_bytes(8, "big") + content)
    return total.hexdigest()


def _deciding_manifest(manifest: Manifest) -> str:
    each = "__all__"
    return manifest.model_dump_json(
        exclude={
            "title": True,
            "after": True,
            "exercises": {each: {"title", "points"}},
            "artifacts": {each: {"collect"}},
        }
    )


def needed(assignment: Assignment) -> list[Path]:
    """Return the files of the course that grading one assignment takes, each once, in order."""
    manifest = assignment.folder / "assignment.toml"
    return sorted({*_deciding(assignment), *filter(Path.is_file, [manifest])})


def _deciding(assignment: Assignment) -> Iterator[Path]:
    """The files that decide what a judge finds out, beside the manifest."""
    folders = [*(assignment.suite(suite) for suite in Suite), assignment.misconceptions, assignment.right_run]
    parts = [path for folder in folders for path in folder.rglob("*") if "__pycache__" not in path.parts]
    modules = list(_reference(assignment))
    modules += assignment.materials.values()
    modules += [assignment.data(data.file) for data in assignment.manifest.data]
    named = [assignment.worksheet, assignment.folder / FILE_NAME, assignment.misconceptions]
    yield from (path for path in (*parts, *modules, *named) if path.is_file())


def _reference(assignment: Assignment) -> Iterator[Path]:
    """The modules of the reference, and those that they import."""
    waiting, seen = list(assignment.manifest.modules), set[str]()
    while waiting:
        module = waiting.pop()
        path = assignment.reference(module)
        if module not in seen and path.is_file():
            seen.add(module)
            yield path
            waiting += _imported(path)


def _imported(path: Path) -> Iterator[str]:
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):  # it cannot be imported, which is told where it is
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]
