"""The folder of reports belongs to one run at a time, and is known to be writable before anything is graded."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from grader.batch import folder
from grader.batch.folder import held, write_report
from grader.model.errors import GraderError, UsageError
from tests.batch.test_run import report

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="folders are not locked on Windows")


def test_the_folder_is_made_and_nothing_is_left_in_it(tmp_path: Path) -> None:
    with held(tmp_path / "a" / "b", []):
        pass
    assert list((tmp_path / "a" / "b").iterdir()) == []


@POSIX
def test_a_second_run_is_turned_away_until_the_first_is_done(tmp_path: Path) -> None:
    with held(tmp_path, []), pytest.raises(UsageError, match="another run is writing here"), held(tmp_path, []):
        pass
    with held(tmp_path, []):
        pass


@POSIX
def test_a_run_that_was_killed_holds_nothing(tmp_path: Path) -> None:
    script = f"""
        import os, pathlib, signal
        from grader.batch.folder import held
        with held(pathlib.Path({str(tmp_path)!r}), []):
            os.kill(os.getpid(), signal.SIGKILL)
    """
    ran = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], cwd=Path(__file__).parents[2], check=False)
    assert ran.returncode == -9
    with held(tmp_path, []):
        pass


@POSIX
def test_a_file_system_without_locks_is_written_to_all_the_same(tmp_path: Path, monkeypatch) -> None:
    def refuse(*_):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(folder.fcntl, "flock", refuse)
    before = len(list(Path("/proc/self/fd").iterdir())) if sys.platform == "linux" else 0
    with held(tmp_path, []):
        pass
    assert sys.platform != "linux" or len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_file_in_its_place_is_told(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(UsageError, match="cannot be written to") as caught, held(tmp_path / "out", []):
        pass
    assert "--out" in caught.value.hint


def test_a_folder_that_may_not_be_written_to_is_told(tmp_path: Path, monkeypatch) -> None:
    def refuse(*_, **__):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "touch", refuse)
    with pytest.raises(UsageError, match="cannot be written to: Read-only file system"), held(tmp_path, []):
        pass


def test_what_killed_runs_left_half_written_is_cleared_away_and_nothing_else(tmp_path: Path) -> None:
    ann = tmp_path / "ann"
    ann.mkdir()
    drafts = [tmp_path / f".summary.json.{'0' * 16}", ann / f".report.json.{'a' * 16}"]
    drafts.append(ann / ".report.student.json.0123456789abcdef")
    others = [ann / ".report.json.swp", ann / "report.json", tmp_path / ".summary.json.old", tmp_path / "notes"]
    for path in (*drafts, *others):
        path.write_text("half")
    with held(tmp_path, ["ann", "bob"]):
        pass
    assert not any(path.exists() for path in drafts)
    assert all(path.exists() for path in others)


def test_both_reports_are_written(tmp_path: Path) -> None:
    write_report(tmp_path, report("ann"))
    assert sorted(path.name for path in (tmp_path / "ann").iterdir()) == ["report.json", "report.student.json"]


@pytest.mark.parametrize("fails", [1, 2])
def test_a_disk_that_fills_up_leaves_both_old_reports(tmp_path: Path, monkeypatch, fails) -> None:
    write_report(tmp_path, report("ann", 1.0))
    before = {path.name: path.read_bytes() for path in (tmp_path / "ann").iterdir()}
    _fill_up(monkeypatch, fails)
    with pytest.raises(GraderError, match="No space left"):
        write_report(tmp_path, report("ann", 2.0))
    assert {path.name: path.read_bytes() for path in (tmp_path / "ann").iterdir()} == before


@pytest.mark.parametrize("fails", [1, 2])
def test_a_disk_that_fills_up_leaves_no_folder_for_a_report_that_is_not_there(tmp_path, monkeypatch, fails) -> None:
    _fill_up(monkeypatch, fails)
    with pytest.raises(GraderError, match="No space left"):
        write_report(tmp_path, report("ann"))
    assert list(tmp_path.iterdir()) == []


def _fill_up(monkeypatch, fails: int) -> None:
    """Let the given one of the next writes fail."""
    calls = iter(range(1, 10))

    def fsync(descriptor):
        if next(calls) == fails:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fsync)
