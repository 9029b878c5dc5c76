from __future__ import annotations

import sys
from pathlib import Path

import pytest

from grader.batch import exposure
from grader.sandbox.base import Level

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other modes")


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of which the modes decide, whatever stands above it."""
    monkeypatch.setattr(Path, "parents", ())
    return tmp_path


@pytest.mark.parametrize(("level", "root"), [(Level.FULL, True), (Level.FULL, False), (Level.CONTAINER, False)])
def test_levels_at_which_modes_add_nothing_need_no_word(
    level: Level, root: bool, course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exposure, "is_root", lambda: root)
    course.chmod(0o755)
    assert exposure.exposure(level, course) is None


@pytest.mark.parametrize("level", [Level.CONTAINER, Level.WEAK])
def test_without_namespaces_root_is_told_how_to_close_a_course_and_nothing_once_it_is_closed(
    level: Level, course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exposure, "is_root", lambda: True)
    course.chmod(0o755)
    assert f"chmod -R go= {course}" in str(exposure.exposure(level, course))
    course.chmod(0o700)
    assert exposure.exposure(level, course) is None


@pytest.mark.parametrize("level", [Level.WEAK, Level.NONE])
def test_workers_that_are_the_same_user_can_read_a_closed_course_and_that_is_said(
    level: Level, course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exposure, "is_root", lambda: False)
    course.chmod(0o700)
    assert f"level {level} may let a submission read the hidden tests" in str(exposure.exposure(level, course))
