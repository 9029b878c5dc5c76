"""The files of a course and of a run, as they are read: what they hold, or an error that names the file and the remedy."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from hypothesis import strategies as st
from pydantic import BaseModel

from grader.course.lock import read_lock, write_lock
from grader.course.toml import load_toml
from grader.judge.fingerprints import read_fingerprints
from grader.model.errors import CourseError, GraderError, UsageError
from grader.model.manifest import Manifest
from grader.pipeline.replay import read_report
from tests.course.conftest import LOCK, MANIFEST
from tests.fuzz.base import MIB, Input, bounded

_VALUES = [
    "1",
    "-1",
    "0",
    "1e999",
    "nan",
    "inf",
    "-inf",
    '""',
    '"a"',
    "'x\ty'",
    "[]",
    "{}",
    "true",
    "1979-05-27",
    "07:32:00",
]
_VALUES += [
    '["toy.double"]',
    "[[[[1]]]]",
    "[" * 3000 + "]" * 3000,
    "{a=" * 500 + "1" + "}" * 500,
    "9" * 5000,
    "0x" + "f" * 40,
]
_VALUES += [
    '"\\u0000"',
    '"\\u202e"',
    '"""\n[[exercises]]\n"""',
    '[{id = "toy.x"}, {id = 3}]',
    '{ en = "A", zh-TW = "B" }',
]
_KEYS = [
    "id",
    "title",
    "files",
    "limits",
    "exercises",
    "points",
    "needs",
    "names",
    "cpu_seconds",
    "a.b.c",
    '"\x7f"',
    "''",
]
_KEYS += [
    "limits.cpu_seconds",
    "title.en",
    "exercises.id",
    "[exercises]",
    "[limits]",
    "[[exercises]]",
    "[[limits]]",
    "[a]",
]
_LINES = MANIFEST.splitlines()


def inputs() -> st.SearchStrategy[Input]:
    """Return manifests and locks with lines put in, left out and changed."""
    fresh = st.builds("{} = {}".format, st.sampled_from(_KEYS), st.sampled_from(_VALUES)) | st.sampled_from(_KEYS)
    line = fresh | st.text("[]{}=.\"'# az19\\\u202e\x00", max_size=12) | st.sampled_from(_LINES)
    word = st.sampled_from(["hidden", "visible", "core", "edge", "toy.double", "a::b", "#", "\t", "\x1b[2J"]) | st.text(
        max_size=5
    )
    locked = st.lists(st.lists(word, max_size=6).map("  ".join), max_size=6).map(lambda new: LOCK + "\n".join(new))
    return _edited(line).map(partial(_encoded, ".toml")) | locked.map(partial(_encoded, ".lock"))


def mended(changed: Input, choice: int) -> Input:
    """Return it as it is: nothing here has a sum or a length."""
    return changed


def check(path: Path) -> str:
    """Read a file as what its name says; see `Target`."""
    suffix = next(known for known in _READERS if path.name.endswith(known))
    read, kind = _READERS[suffix]
    try:
        with bounded(64 * MIB):
            read(path)
    except GraderError as error:
        _explains(error, kind, path)
        return f"{suffix} refused"
    return f"{suffix} read"


@st.composite
def _edited(draw: st.DrawFn, line: st.SearchStrategy[str]) -> str:
    lines = list(_LINES)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(lines)))
        lines[at : at + draw(st.integers(0, 2))] = draw(st.lists(line, max_size=2))
    return "\n".join(lines)


def _encoded(suffix: str, text: str) -> Input:
    return Input(suffix, text.encode("utf-8", "surrogatepass"))


def _explains(error: GraderError, kind: type[GraderError], path: Path) -> None:
    assert type(error) is kind
    assert error.where == path, f"the file is named: {error.where}"
    assert error.message
    assert error.hint, f"there is a hint to: {error.message}"
    assert error.line is None or 1 <= error.line <= len(path.read_text("utf-8", errors="replace").splitlines())


def _manifest(path: Path) -> None:
    manifest = load_toml(path, Manifest)
    _same(manifest)
    for exercise in manifest.exercises:
        assert manifest.prerequisites(exercise.id)[-1:] != [exercise.id]


def _lock(path: Path) -> None:
    tests = read_lock(path)
    with tempfile.TemporaryDirectory() as folder:
        write_lock(Path(folder) / "tests.lock", tests)
        assert sorted(read_lock(Path(folder) / "tests.lock")) == sorted(tests)


def _same(model: BaseModel) -> None:
    assert type(model).model_validate_json(model.model_dump_json(by_alias=True)) == model


_READERS: Mapping[str, tuple[Callable[[Path], None], type[GraderError]]] = {
    ".toml": (_manifest, CourseError),
    ".lock": (_lock, CourseError),
    ".report.json": (lambda path: _same(read_report(path)), UsageError),
    ".fingerprints.json": (lambda path: _same(read_fingerprints(path)), CourseError),
}
