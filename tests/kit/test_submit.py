from __future__ import annotations

# ruff: noqa: RUF001  # Chinese punctuation
import json
import zipfile
from pathlib import Path

import pytest

from grader.batch.handed_in import asked_of
from grader.course.locate import load_assignments
from grader.intake.discover import discover
from grader.kit.check import read_files
from grader.kit.make import make_kit
from grader.kit.receipt import tell
from grader.kit.since import doubts
from grader.kit.state import State
from grader.kit.submit import archive, pack, write
from grader.kit.touched import code_of
from grader.kit.worksheet import blank
from grader.model.errors import UsageError
from tests.conftest import ROOT


def packed(kit: Path, *only: str, student: str = "ada"):
    return pack(load_assignments(kit, only), student, kit)


def test_what_counts_is_packed_and_nothing_else(kit, solved, tmp_path) -> None:
    (solved / "notes.txt").write_text("mine")
    path = write(packed(kit), tmp_path / "ada.zip", kit)
    with zipfile.ZipFile(path) as found:
        assert found.namelist() == ["attention.py", "shapes.py"]
        assert found.read("attention.py") == (solved / "attention.py").read_bytes()


def test_the_digest_is_that_of_the_submission_that_a_grader_reads(kit, solved, tmp_path) -> None:
    path = write(packed(kit), tmp_path / "ada.zip", kit)
    receipt = json.loads((tmp_path / "ada.receipt.json").read_text("utf-8"))
    [all_of_it] = discover([path], ["attention.py", "shapes.py", "answers.toml"])
    [alone] = discover([path], ["attention.py"])
    assert (all_of_it.id, all_of_it.digest, alone.digest) == (
        receipt["student"],
        receipt["digest"],
        receipt["digests"]["attention"],
    )
    assert receipt["missing"] == []


def test_the_same_files_are_the_same_bytes_in_any_order() -> None:
    assert archive({"a.py": b"1", "b.py": b"2"}) == archive({"b.py": b"2", "a.py": b"1"})


def test_what_is_still_the_template_is_told(kit, solved) -> None:
    receipt = packed(kit).receipt
    assert set(receipt.bare) == set(receipt.exercises["shapes"])
    told = "\n".join(tell(receipt, Path("ada.zip"), "en"))
    assert "attention: 9 exercises would be graded, 9 of them written" in told
    assert "not begun: shapes" in told
    assert "answers.toml" not in told


def test_what_failed_or_was_not_checked_as_it_is_now_is_told_in_a_line(kit, solved) -> None:
    assignments = load_assignments(kit, ["attention"])
    receipt, state = packed(kit, "attention").receipt, State()
    code = code_of(assignments[0].manifest, read_files(assignments[0], solved))
    for name, digest in code.items():
        state.note(name, digest, passed=True)
    assert list(doubts(assignments, receipt, state, kit, "en")) == []
    state.note("attention.softmax", code["attention.softmax"], passed=False)
    state.seen["attention.qkv"] = "other"
    assert list(doubts(assignments, receipt, state, kit, "en")) == [
        "failed when last checked: attention.softmax; not checked as it is now: attention.qkv"
    ]
    [line] = doubts(assignments, receipt, State(), kit, "zh-TW")
    assert line.startswith("目前的版本還沒檢查過：attention.softmax, attention.qkv, ")
    assert line.endswith("，還有 3 題")


def test_of_an_assignment_that_was_begun_it_is_told_what_is_not_there_and_where_none_was_of_all(kit) -> None:
    told = list(tell(packed(kit).receipt, Path("ada.zip"), "en"))
    assert "attention: 9 exercises would be graded, 0 of them written" in told
    assert "not there: answers.toml" in told
    (kit / "student_template" / "shapes.py").write_bytes((ROOT / "reference" / "shapes.py").read_bytes())
    told = list(tell(packed(kit).receipt, Path("ada.zip"), "zh-TW"))
    assert "shapes：會評 9 題，其中 8 題已作答" in told
    assert "尚未開始：attention" in told
    assert "缺少：answers.toml" in told


@pytest.mark.parametrize("student", ["YOUR-ID", "your_id", "<YOUR-ID>", "STUDENT_ID", "你的學號", "你的代號"])
def test_what_stands_for_an_id_is_none(kit, solved, student) -> None:
    with pytest.raises(UsageError, match="stands for your own id") as refused:
        packed(kit, student=student)
    assert "grader submit ada" in refused.value.hint
    with pytest.raises(UsageError, match="stands for your own id"):
        blank(load_assignments(kit, ["shapes"]), student, "en")


def test_a_comment_alone_does_not_make_a_template_an_answer(kit) -> None:
    file = kit / "student_template" / "attention.py"
    file.write_text(file.read_text("utf-8").replace("    raise Not", "    # think\n\n    raise Not"), encoding="utf-8")
    assert len(packed(kit, "attention").receipt.bare) == 9


@pytest.mark.parametrize(
    ("content", "line"), [(b"def f(:\n    pass\n", 1), (b"x = 1\nif x:\n", 2), (b"\xff\n", 1), (b"\x00", 1)]
)
def test_a_file_that_is_no_python_is_refused_with_its_line(kit, solved, content, line) -> None:
    (solved / "attention.py").write_bytes(content)
    with pytest.raises(UsageError, match="no Python") as refused:
        packed(kit, "attention")
    assert (refused.value.where, refused.value.line) == ("attention.py", line)
    assert "mend that line" in refused.value.hint


def test_a_worksheet_that_was_drawn_for_another_is_refused(kit, solved) -> None:
    sheet = blank(load_assignments(kit, ["shapes"]), "ada", "en")
    (solved / "answers.toml").write_text(sheet.text, encoding="utf-8")
    assert "answers.toml" in packed(kit, "shapes").receipt.files
    with pytest.raises(UsageError, match="that of 'ada'"):
        packed(kit, "shapes", student="bob")


def test_a_folder_without_files_is_refused(kit) -> None:
    for file in (kit / "student_template").iterdir():
        file.unlink()
    with pytest.raises(UsageError, match="none of your files"):
        packed(kit)


@pytest.mark.parametrize("student", ["", "/", "a/b", "../ada", "ada/", ".", "a\nb", "a\0b", "a" * 300, "\u9673" * 60])
def test_an_id_that_can_name_no_archive_is_refused(kit, solved, student) -> None:
    with pytest.raises(UsageError, match="cannot be the id of a student"):
        packed(kit, student=student)


@pytest.mark.parametrize("student", ["\u9673 \u5927\u6587", "-x", "o'brien", "a b", "ada.l", ".."])
def test_the_id_of_the_receipt_is_that_under_which_the_archive_is_graded(kit, solved, tmp_path, student) -> None:
    made = packed(kit, student=student)
    path = write(made, None, tmp_path)
    [read] = discover([path], made.receipt.files, "one")
    assert (path.parent, read.id) == (tmp_path, made.receipt.student)


def test_a_file_that_a_manifest_lets_be_large_is_packed_and_graded_as_it_is(tmp_path) -> None:
    make_kit(tmp_path / "kit", load_assignments(ROOT, ["homework11"]))
    work = tmp_path / "kit" / "student_template"
    (work / "run").mkdir()
    (work / "run" / "checkpoint.pt").write_bytes(bytes(3 << 20))
    path = write(packed(tmp_path / "kit"), tmp_path / "ada.zip", tmp_path / "kit")
    asked = asked_of(load_assignments(ROOT, ["homework11"]), "auto", "one")
    [read] = discover([path], asked.wanted, "one", asked.caps)
    assert len(read.files["run/checkpoint.pt"]) == 3 << 20
    (work / "run" / "checkpoint.pt").write_bytes(bytes(9 << 20))
    with pytest.raises(UsageError, match=r"checkpoint\.pt"):
        packed(tmp_path / "kit")
