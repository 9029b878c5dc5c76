from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.pipeline import engine


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name in ("judge/a.py", "worker/b.py", "judge/pytest.ini", "pipeline/gather.py", "batch/c.py", "judge/x.pyc"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    monkeypatch.setattr(engine, "_HOME", tmp_path)
    yield tmp_path
    forget()


def forget() -> None:
    engine.code_digest.cache_clear()
    engine.judging_digest.cache_clear()


def digests() -> tuple[str, str]:
    forget()
    return engine.code_digest(), engine.judging_digest()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("judge/a.py", (True, True)),
        ("worker/b.py", (True, True)),
        ("judge/pytest.ini", (True, True)),
        ("pipeline/gather.py", (True, True)),
        ("batch/c.py", (True, False)),
        ("judge/x.pyc", (False, False)),
    ],
)
def test_code_that_judges_is_told_from_code_that_tells(home: Path, name: str, expected: tuple[bool, bool]) -> None:
    before = digests()
    (home / name).write_text("changed")
    assert tuple(new != old for new, old in zip(digests(), before, strict=True)) == expected


def test_every_part_that_judges_is_there() -> None:
    assert [part for part in engine._JUDGING if not (engine._HOME / part).exists()] == []
