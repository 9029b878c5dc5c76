"""Attacks and reports in one line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.model.evidence import OutputInfo
from grader.model.report import AssignmentReport, Report, SubmissionInfo
from grader.model.verdict import Status
from grader.pipeline.write import as_json
from grader.score.student import for_student
from grader.selftest.corpus import Attack, load_attack
from grader.selftest.place import Place, make_place
from grader.selftest.probes import Scene
from grader.selftest.reports import Pair
from grader.selftest.tokens import Tokens

EXPECT = """
about = "secrets"
title = "reads"
harmless = true
probe = "secret"
status = "partial"
score = 40
[held]
full = "not mounted"
container = "Landlock"
[happens]
weak = "it is read"
none = "it is read"
"""
TARGET = '"""Reads\nwhat it may not."""\n\nprint("hello")\n'


@pytest.fixture
def write_attack(tmp_path: Path) -> Callable[..., Path]:
    """Writes the files of an attack; `make.py` and other names as keywords, with `_` for the dot."""

    def write(name: str = "reads", *, expect: str | None = EXPECT, **files: str) -> Path:
        folder = tmp_path / "attacks" / name
        folder.mkdir(parents=True)
        for file, text in (files or {"target_py": TARGET}).items():
            (folder / file.replace("_py", ".py")).write_text(text, encoding="utf-8")
        if expect is not None:
            (folder / "expect.toml").write_text(expect, encoding="utf-8")
        return folder

    return write


@pytest.fixture
def attack(write_attack: Callable[..., Path]) -> Callable[..., Attack]:
    """Writes an attack and reads it."""
    return lambda *names, **files: load_attack(write_attack(*names, **files))


def pair(*, score: float = 40.0, status: Status = Status.PARTIAL, printed: str = "", total: float = 1.0) -> Pair:
    """Reports on a submission that did this."""
    part = AssignmentReport(
        id="target",
        title={"en": "Target", "zh-TW": "標靶"},
        status=status,
        score=score,
        points=100,
        exercises=[],
        output=OutputInfo(text=printed),
        isolation=None,
        suite_digest="",
        problem=None,
    )
    report = Report(
        grader_version="1",
        submission=SubmissionInfo(id="reads", source="reads", digest="", files=[]),
        status=status,
        score=score,
        points=100,
        assignments=[part],
        environment={},
        timings={"total": total},
    )
    return Pair(report, as_json(report), as_json(for_student(report)))


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """The surroundings of an attack that asks for all there is."""
    made = make_place(tmp_path / "around", b"{{tcp}} {{unix}} {{victim}}", owner=None)
    yield made
    made.close()


@pytest.fixture
def scene(place: Place) -> Callable[..., Scene]:
    """What is there to see after an attack that came to nothing, but for what is given."""

    def make(**seen: object) -> Scene:
        nothing: dict[str, object] = {
            "tokens": Tokens(),
            "place": place,
            "pair": pair(),
            "base": 40.0,
            "row": "│ reads │ partial │ 40.00 / 100 │ │",
            "reached": (),
            "survivors": (),
            "left": (),
            "next_to_it": None,
        }
        return Scene(**(nothing | seen))  # type: ignore[arg-type]

    return make
