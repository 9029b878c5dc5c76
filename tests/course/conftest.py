from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

MANIFEST = """\
id = "toy"
title = { en = "Toy", zh-TW = "玩具" }
files = ["toy.py"]

[limits]
cpu_seconds = 2.0

[[exercises]]
id = "toy.double"
title = { en = "Double", zh-TW = "加倍" }
names = ["double"]
points = 10

[[exercises]]
id = "toy.treble"
title = { en = "Treble", zh-TW = "三倍" }
names = ["treble"]
needs = ["toy.double"]
points = 5
"""
LOCK = """\
# A comment, and an empty line:

hidden   core  toy.double  hidden/test_double.py::test_values
hidden   edge  toy.double  hidden/test_double.py::test_of[a b]
visible  core  toy.treble  visible/test_treble.py::test_values
"""


@pytest.fixture
def manifest_text() -> str:
    return MANIFEST


@pytest.fixture
def make_assignment(tmp_path: Path) -> Callable[..., Path]:
    """Write `assignments/<folder>` of a course in `tmp_path` and return its folder."""

    def make(folder: str = "toy", text: str | bytes = MANIFEST, lock: str | bytes | None = LOCK) -> Path:
        home = tmp_path / "assignments" / folder
        (home / "hidden").mkdir(parents=True)
        for name, content in (("assignment.toml", text), ("tests.lock", lock)):
            if content is not None:
                (home / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return home

    return make
