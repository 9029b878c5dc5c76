"""Nothing that the grader does depends on what time of day it is: a clock that is set decides nothing."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.conftest import ROOT

WALL = {
    "time": {"time", "time_ns", "localtime", "gmtime", "ctime", "asctime", "strftime", "CLOCK_REALTIME"},
    "datetime": {"datetime", "date"},
}
STAMPS = {"st_mtime", "st_mtime_ns", "st_ctime", "st_ctime_ns", "st_atime", "st_atime_ns", "st_birthtime"}


def looks(source: str) -> list[str]:
    """Where a module asks for the time of day or for when a file was changed."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            asked = WALL.get(node.module or "", set()) & {alias.name for alias in node.names}
            found += [f"line {node.lineno}: {name}" for name in sorted(asked)]
        elif isinstance(node, ast.Attribute):
            of = node.value.id if isinstance(node.value, ast.Name) else ""
            if node.attr in STAMPS | WALL.get(of, set()):
                found.append(f"line {node.lineno}: {node.attr}")
    return found


@pytest.mark.parametrize(
    "source",
    ["import time\ntime.time()", "from time import time_ns", "from datetime import datetime", "path.stat().st_mtime"],
)
def test_a_look_at_the_clock_is_seen(source: str) -> None:
    assert looks(source)


def test_looks_at_a_clock_that_only_goes_forward_are_none() -> None:
    assert looks("import time\ntime.monotonic()\ntime.perf_counter()\ntime.process_time()\ntime.sleep(1)") == []


def test_the_grader_never_looks_at_the_clock_on_the_wall() -> None:
    modules = sorted((ROOT / "grader").rglob("*.py"))
    assert len(modules) > 50
    found = {str(path): looks(path.read_text("utf-8")) for path in modules}
    assert {Path(path).name: where for path, where in found.items() if where} == {}
