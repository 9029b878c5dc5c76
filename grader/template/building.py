"""`student_template/` as a whole: written from `reference/`, and compared with it."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from grader.model.errors import CourseError
from grader.model.manifest import Manifest
from grader.template.source import read
from grader.template.stripping import strip


@dataclass(frozen=True)
class Stale:
    """A committed template that is not what its reference gives.

    Args:
        path: The template.
        line: The first line that differs, counted from 1; None where there is no such file.
        expected: That line as it should be, with its end; empty where it should not be.
        found: That line as it is, with its end; empty where it is missing.
    """

    path: Path
    line: int | None
    expected: str
    found: str

    def __str__(self) -> str:
        if self.line is None:
            return f"{self.path}: missing"
        return f"{self.path}:{self.line}: expected {self.expected!r}, found {self.found!r}"


def build(root: Path, manifests: Iterable[Manifest], wanted: Collection[str] = ()) -> list[Path]:
    """Write the templates of some assignments, all or none of them.

    Args:
        root: The course, which holds `reference/` and `student_template/`.
        manifests: The assignments; several may share a file, and then each says which functions are its own.
        wanted: The ids of those whose templates are written; all where empty.

    Returns:
        The templates that changed, in the order of the manifests.

    Raises:
        CourseError: A reference is missing or broken, or two exercises name the same function; nothing is written.
    """
    changed = {path: text for path, text in _templates(root, manifests, wanted).items() if _current(path) != text}
    for path, text in changed.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, text)
    return list(changed)


def check(root: Path, manifests: Iterable[Manifest], wanted: Collection[str] = ()) -> list[Stale]:
    """Return the committed templates that are not, byte for byte, what `build` would write.

    Raises:
        CourseError: As `build`.
    """
    pairs = [(path, text, _current(path)) for path, text in _templates(root, manifests, wanted).items()]
    return [_compare(path, text, found) for path, text, found in pairs if found != text]


def _templates(root: Path, manifests: Iterable[Manifest], wanted: Collection[str]) -> dict[Path, bytes]:
    templates = {}
    manifests = list(manifests)
    meant = {module for each in manifests if not wanted or each.id in wanted for module in each.programs}
    for module, names in ((m, names) for m, names in _names(root, manifests).items() if m in meant):
        reference = root / "reference" / f"{module}.py"
        text = strip(read(reference), names, where=reference)
        templates[root / "student_template" / f"{module}.py"] = text.encode("utf-8")
    return templates


def _names(root: Path, manifests: Iterable[Manifest]) -> dict[str, dict[str, str]]:
    """Return which exercise each function belongs to, module by module; assignments may share a module."""
    modules: dict[str, dict[str, str]] = {}
    for manifest in manifests:
        modules |= {module: modules.get(module, {}) for module in manifest.programs}
        for exercise in (each for each in manifest.exercises if not each.is_worksheet):
            for name in exercise.names:
                owner = modules[exercise.module].setdefault(name, exercise.id)
                if owner != exercise.id:
                    raise CourseError(
                        f"`{name}` is named by both {owner} and {exercise.id}",
                        hint="a function is one exercise's: take it out of the other's names",
                        where=root / "assignments" / manifest.id / "assignment.toml",
                    )
    return modules


def _current(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _write(path: Path, text: bytes) -> None:
    """Replace a file in one step, so that no one ever reads half a template."""
    beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        beside.write_bytes(text)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _compare(path: Path, expected: bytes, found: bytes | None) -> Stale:
    if found is None:
        return Stale(path, None, "", "")
    pairs = zip_longest(expected.splitlines(keepends=True), found.splitlines(keepends=True), fillvalue=b"")
    line, (want, got) = next((n, pair) for n, pair in enumerate(pairs, 1) if pair[0] != pair[1])
    return Stale(path, line, want.decode("utf-8", "replace"), got.decode("utf-8", "replace"))
