"""Bad input of any kind gets one clear message and loses nothing that was graded."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from tests.e2e.hostile import hand_in, right_answer


def exercise(out: Path, student: str) -> dict:
    return json.loads((out / student / "report.json").read_text("utf-8"))["assignments"][0]["exercises"][0]


@pytest.mark.parametrize(
    ("source", "line", "words"),
    [
        (b"def softmax(x:\n    pass\n", 1, "SyntaxError"),
        (b"# r\xe9sum\xe9\n\ndef softmax(x):\n    return x\n", 1, "0xe9"),
        (b"import numpy as np\nimport scipy.special\n", 2, "scipy"),
        (b"import numpy as np\n\nraise RuntimeError('at import')\n", 3, "at import"),
        (b"import numpy as np\n\x00\n", None, "null"),
    ],
    ids=["syntax", "latin-1", "absent-package", "raises-at-import", "null-byte"],
)
def test_a_file_that_cannot_be_imported_is_told_with_its_line(
    grade, tmp_path: Path, source: bytes, line: int | None, words: str
) -> None:
    hand_in(tmp_path / "class", "ann", "")
    (tmp_path / "class" / "ann" / "attention.py").write_bytes(source)
    hand_in(tmp_path / "class", "zoe", right_answer())
    ran = grade(tmp_path / "class", "-a", "attention", "--out", tmp_path / "out")
    assert ran.returncode == 0, ran.stderr
    found = exercise(tmp_path / "out", "ann")
    assert found["status"] == "import_error"
    assert words.lower() in found["message"].lower()
    assert "attention.py" in found["message"]
    if line is not None:
        assert f"line {line}" in found["message"]
    assert exercise(tmp_path / "out", "zoe")["status"] == "passed"


def test_a_broken_archive_is_a_report_not_an_end(grade, tmp_path: Path) -> None:
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "ann.zip").write_bytes(b"PK\x03\x04 not really")
    with zipfile.ZipFile(tmp_path / "class" / "zoe.zip", "w") as archive:
        archive.writestr("attention.py", right_answer())
    ran = grade(tmp_path / "class", "-a", "attention", "--out", tmp_path / "out")
    assert ran.returncode == 0, ran.stderr
    assert exercise(tmp_path / "out", "ann")["status"] == "import_error"
    assert "ann.zip" in exercise(tmp_path / "out", "ann")["message"]
    assert exercise(tmp_path / "out", "zoe")["status"] == "passed"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["nowhere", "-a", "attention"], 2, "hint:"),
        (["assignments", "-a", "attenton"], 2, "did you mean 'attention'"),
        (["assignments", "-a", "attention", "--only", "attention.sofmax"], 2, "did you mean 'attention.softmax'"),
        (["assignments"], 2, "--assignment"),
    ],
)
def test_a_mistake_on_the_command_line_is_one_message_with_a_hint(
    grade, tmp_path: Path, arguments: list[str], code: int, words: str
) -> None:
    ran = grade(*arguments, "--out", tmp_path / "out")
    assert ran.returncode == code
    assert words in ran.stderr
    assert "Traceback" not in ran.stderr


def test_reports_written_beside_the_submissions_are_no_submission(grade, tmp_path: Path) -> None:
    hand_in(tmp_path / "class", "zoe", right_answer())
    for _ in range(2):
        ran = grade(tmp_path / "class", "-a", "attention", "--out", tmp_path / "class" / "scores")
        assert ran.returncode == 0, ran.stderr
    summary = json.loads((tmp_path / "class" / "scores" / "summary.json").read_text("utf-8"))
    assert [row["id"] for row in summary["submissions"]] == ["zoe"]


def test_one_of_several_paths_without_its_file_does_not_stop_the_others(grade, tmp_path: Path) -> None:
    zoe = hand_in(tmp_path / "class", "zoe", right_answer())
    ann = tmp_path / "class" / "ann"
    ann.mkdir()
    (ann / "notes.txt").write_text("I forgot")
    ran = grade(ann, zoe, "-a", "attention", "--out", tmp_path / "out")
    assert ran.returncode == 0, ran.stderr
    assert exercise(tmp_path / "out", "ann")["status"] == "import_error"
    assert exercise(tmp_path / "out", "zoe")["status"] == "passed"


def test_exercises_of_two_assignments_can_be_chosen_at_once(grade, tmp_path: Path) -> None:
    hand_in(tmp_path / "class", "zoe", right_answer())
    both = ["-a", "attention", "-a", "masking", "--only", "attention.softmax"]
    ran = grade(tmp_path / "class", *both, "--only", "masking.causal", "--out", tmp_path / "two")
    assert ran.returncode == 0, ran.stderr
    ran = grade(tmp_path / "class", *both, "--out", tmp_path / "one")
    assert ran.returncode == 0, ran.stderr
    points = {name: json.loads((tmp_path / name / "zoe" / "report.json").read_text("utf-8")) for name in ("two", "one")}
    assert [(points[name]["score"], points[name]["points"]) for name in ("two", "one")] == [(10, 20), (10, 10)]
    assert points["one"]["status"] == "passed"
