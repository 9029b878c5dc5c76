"""A student's worksheet, as a worker reads it: answers, or a `SyntaxError` that says in which line and what to write."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from hypothesis import strategies as st

from grader.worker.errors import NoAnswer, Unanswered
from grader.worker.source import decode
from grader.worker.worksheet import fill
from tests.fuzz.base import MIB, Input, bounded

NAME = "answers.toml"
_LINES = [
    'student = "ada"',
    "[small]",
    "matrix = [2, 3]",
    "cells = 6",
    "",
    "# rows = 2",
    "[own]",
    'matrix = ""',
    "cells = []",
]
_VALUES = [
    "1",
    "-1",
    "1_234",
    "1,234",
    "(2, 3)",
    "[2, 3",
    "[[2]]",
    '""',
    '"a"',
    "'''\n",
    "nan",
    "true",
    "07:32:00",
    "{a = 1}",
]
_VALUES += ["[" * 3000, "{a=" * 500, "9" * 5000, "0x" + "f" * 5000, "2 x 3", "6 # six", '"\\u202e"']
_KEYS = ["student", "small", "own", "small.matrix", "own.cells", "[own]", "[[own]]", "matrix", "cells", "''", '"\x7f"']


def inputs() -> st.SearchStrategy[Input]:
    """Return worksheets with lines put in, left out and changed."""
    fresh = st.builds("{} = {}".format, st.sampled_from(_KEYS), st.sampled_from(_VALUES)) | st.sampled_from(_KEYS)
    line = fresh | st.text("[]{}=.\"'# az19\\\u202e\x00\r", max_size=12) | st.sampled_from(_LINES)
    return _edited(line).map(lambda text: Input(".toml", text.encode("utf-8", "surrogatepass")))


def mended(changed: Input, choice: int) -> Input:
    """Return it as it is: nothing here has a sum or a length."""
    del choice
    return changed


def check(path: Path) -> str:
    """Read a file as a worksheet; see `Target`."""
    module = ModuleType("answers")
    try:
        with bounded(64 * MIB):
            text = decode(NAME, path.read_bytes())
            fill(module, text, NAME)
    except SyntaxError as error:
        _explains(error, path.read_bytes())
        return "refused"
    assert isinstance(vars(module)["student"], str)
    return " ".join(_answered(module, question) for question in ("small.matrix", "own.cells"))


def _explains(error: SyntaxError, data: bytes) -> None:
    assert error.filename == NAME
    assert error.lineno is not None
    assert 1 <= error.lineno <= data.count(b"\n") + data.count(b"\r") + 1


def _answered(module: ModuleType, question: str) -> str:
    try:
        value = vars(module)["answer"](question, rows=2)
    except Unanswered:
        return "blank"
    except NoAnswer:
        return "none"
    assert isinstance(value, bool | int | float | str | list)
    return type(value).__name__


@st.composite
def _edited(draw: st.DrawFn, line: st.SearchStrategy[str]) -> str:
    lines = list(_LINES)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(lines)))
        lines[at : at + draw(st.integers(0, 2))] = draw(st.lists(line, max_size=2))
    return "\n".join(lines)
