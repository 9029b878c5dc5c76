"""Disks that are full, read-only or not there: what is written is whole, what is not is told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.e2e.test_our_faults import LIMITS, RIGHT, report
from tests.e2e.toy import hand_in, toy_course
from tests.faults import mounted
from tests.faults.graded import grade

CLASS = ["summary.csv", "summary.json", "gradebook.db", "gradebook.db-wal", "gradebook.db-shm"]

pytestmark = pytest.mark.skipif(mounted.refusal() is not None, reason=str(mounted.refusal()))


@pytest.fixture
def course(tmp_path: Path) -> Path:
    return toy_course(tmp_path / "course", limits=LIMITS)


@pytest.mark.parametrize("size", ["4k", "28k", "64k"])
def test_on_a_disk_that_fills_up_reports_are_whole_or_absent(course: Path, tmp_path: Path, size: str) -> None:
    for number in range(8):
        submissions = hand_in(course, f"s{number}", RIGHT)
    out, kept = tmp_path / "out", tmp_path / "kept"
    out.mkdir()
    # What the run left is copied from the disk that it alone sees.
    under = mounted.under(mounted.full(out, size))
    script = f"\"$@\"; code=$?; cp -a '{out}/.' '{kept}'; exit $code"
    ran = grade(course, [submissions], out, "-j", "2", prefix=[*under, "sh", "-c", script, "sh"])
    assert ran.code == 4
    assert "cannot be written: No space left on device" in ran.said
    assert ran.said.count("error:") == 1
    assert "Traceback" not in ran.said
    students = {path.name for path in kept.iterdir() if path.is_dir()}
    assert len(students) <= int(size.removesuffix("k")) // 8, "a page for each of two reports"
    for student in students:
        assert sorted(path.name for path in (kept / student).iterdir()) == ["report.json", "report.student.json"]
        assert report(kept, student)["score"] == 10
    assert [path.name for path in kept.iterdir() if path.is_file() and path.name not in CLASS] == []
    assert ran.left_in_temp == []


def test_a_folder_that_cannot_be_written_to_is_told_before_anything_is_graded(course: Path, tmp_path: Path) -> None:
    submissions = hand_in(course, "ann", "import time\ntime.sleep(600)\n")
    out = tmp_path / "out"
    out.mkdir()
    ran = grade(course, [submissions], out, prefix=mounted.under(mounted.read_only(out)))
    assert ran.code == 2
    assert ran.said.endswith(f"error: {out}: cannot be written to: Read-only file system\nhint: give another --out\n")
    assert list(out.iterdir()) == []


def test_without_a_temporary_folder_nobody_is_judged_and_nobody_loses_a_point(
    course: Path, tmp_path: Path, monkeypatch
) -> None:
    # What measures coverage would have to write its own file, which may be in one of those folders too.
    for name in [name for name in os.environ if name.startswith("COVERAGE_")]:
        monkeypatch.delenv(name)
    submissions = hand_in(course, "ann", RIGHT)
    out = tmp_path / "out"
    out.mkdir()
    (tmp_path / "out-temp").mkdir()
    elsewhere = [folder for folder in map(Path, ("/tmp", "/var/tmp", "/usr/tmp")) if folder.exists()]  # noqa: S108 - Python's own choices
    script = [mounted.without_files(tmp_path / "out-temp"), *map(mounted.read_only, [course, *elsewhere])]
    script += [mounted.without_files(tmp_path / "out-temp"), "true"]
    script = [f"mount --bind '{out}' /mnt", *script, f"mount --move /mnt '{out}'"]
    (tmp_path / "key").write_text("0" * 64)
    ran = grade(course, [submissions], out, prefix=mounted.under("; ".join(script)))
    assert ran.code == 4, ran.said
    assert "Traceback" not in ran.said
    assert "no judge could be had" in report(out, "ann")["assignments"][0]["problem"]
    assert report(out, "ann")["score"] is None
    assert grade(course, [submissions], out).code == 0
