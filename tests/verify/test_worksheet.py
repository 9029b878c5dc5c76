"""What `verify` writes for a worksheet holds for every student."""

from __future__ import annotations

from pathlib import Path

from grader.course.assignment import load_assignment
from grader.judge.fingerprints import read_fingerprints
from grader.judge.imprint import request_key
from grader.judge.record import Request
from grader.verify.run import verify_assignment
from tests.e2e.toy_worksheet import worksheet_course


def test_a_kit_has_fingerprints_of_what_everybody_is_asked_and_of_nothing_drawn(grader, tmp_path: Path) -> None:
    course = worksheet_course(tmp_path)
    ran = grader("verify", "toy", "--lock", "--course", course)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "note:" not in ran.stdout
    calls = read_fingerprints(load_assignment(course / "assignments" / "toy").fingerprints).calls
    everybody = [Request("answer", (f"small.{name}",), {"rows": 2, "columns": 3}) for name in ("matrix", "cells")]
    assert {request_key(request) for request in everybody} < set(calls)
    assert len(calls) == 3  # and what the tests of the function ask


def test_a_blank_sheet_that_is_no_toml_and_a_material_without_its_names_are_problems(tmp_path: Path) -> None:
    home = worksheet_course(tmp_path) / "assignments" / "toy"
    manifest, sheet = home / "assignment.toml", home / "worksheet.toml"
    given = '\n[[materials]]\nfile = "tools.py"\nnames = ["tally"]\n\n[[exercises]]'
    manifest.write_text(manifest.read_text("utf-8").replace("\n[[exercises]]", given, 1), encoding="utf-8")
    sheet.write_text(sheet.read_text("utf-8").replace("Write a shape", "Write\\u0001 a shape"), encoding="utf-8")
    (home / "materials").mkdir()
    (home / "materials" / "tools.py").write_text("def tell():\n    return 1\n", encoding="utf-8")
    told = verify_assignment(home, seeds=1, write_lock=True).problems
    assert len(told) == 2
    assert "tools.py defines no function or class `tally`" in told[0]
    assert "a blank worksheet in en would be no TOML" in told[1]
