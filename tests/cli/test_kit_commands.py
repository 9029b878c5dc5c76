"""A student's evening: a new kit, the templates checked, a mistake named, an exercise done."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.cli.main import cli
from grader.model.errors import UsageError
from tests.conftest import ROOT


@pytest.fixture
def kit(grader, tmp_path: Path) -> Path:
    ran = grader("new", tmp_path / "kit", "-a", "attention", "-a", "masking")
    assert ran.returncode == 0, ran.stderr
    return tmp_path / "kit"


@pytest.fixture
def said(kit: Path, monkeypatch) -> Callable[..., str]:
    """Run a command in the kit, in this process, and return what it prints on both streams."""
    monkeypatch.chdir(kit)
    return lambda *arguments: CliRunner().invoke(cli, list(arguments), catch_exceptions=False).output


def solve(kit: Path, change: str = "") -> None:
    for module in ("attention", "masking"):
        (kit / "student_template" / f"{module}.py").write_text(
            (ROOT / "reference" / f"{module}.py").read_text("utf-8"), encoding="utf-8"
        )
    with (kit / "student_template" / "attention.py").open("a", encoding="utf-8") as file:
        file.write(change)


COLUMNS = """

def attention_weights(Q, K, mask=None):
    S = attention_scores(Q, K)
    if mask is not None:
        S = np.where(mask, S, -np.inf)
    return softmax(S, axis=-2)
"""


def test_a_fresh_kit_is_all_to_do(grader, kit: Path) -> None:
    ran = grader("check", cwd=kit)
    assert ran.returncode == 1
    lines = [line for line in ran.stdout.splitlines() if not line.startswith(" ")]
    assert len(lines) == 15
    assert all("not implemented" in line for line in lines)


def test_right_answers_pass(grader, kit: Path) -> None:
    solve(kit)
    ran = grader("check", cwd=kit)
    assert ran.returncode == 0, ran.stdout
    assert ran.stdout.count("passed") == 15


@pytest.mark.parametrize(("language", "word"), [("en", "column"), ("zh-TW", "直行")])
def test_a_kit_names_the_column_wise_softmax_in_both_languages(grader, kit: Path, language: str, word: str) -> None:
    solve(kit, COLUMNS)
    ran = grader("check", "attention.weights", "--lang", language, cwd=kit)
    assert ran.returncode == 1
    lines = ran.stdout.splitlines()
    assert "=>" in lines[1]
    assert word in lines[1]
    # The line of the function as it counts, and first of all what the student's own rows and columns sum to.
    source = (kit / "student_template" / "attention.py").read_text("utf-8").splitlines()
    assert "attention_weights" in lines[4]
    assert f" {len(source) - 4}" in lines[4]
    assert "[1.433, 1.567]" in lines[7]
    assert lines[7].endswith(
        {"en": "it is your columns that do: ", "zh-TW": "是你的直行\uff1a"}[language] + "[1, 1, 1]"
    )


def test_files_of_the_working_folder_come_before_the_kits(grader, kit: Path, tmp_path: Path) -> None:
    solve(kit)
    ran = grader("check", "masking.causal", "--course", kit, cwd=kit / "student_template")
    assert ran.returncode == 0, ran.stdout


def test_a_check_leaves_nothing_in_the_kit_but_how_far_the_student_is(grader, kit: Path) -> None:
    before = sorted(kit.rglob("*"))
    assert grader("check", "masking.causal", cwd=kit).returncode == 1
    assert sorted(kit.rglob("*")) == sorted([*before, kit / ".rowwise", kit / ".rowwise" / "state.json"])


def test_an_unknown_exercise_is_told_with_a_suggestion(grader, kit: Path) -> None:
    ran = grader("check", "attention.sofmax", cwd=kit)
    assert ran.returncode == 2
    assert "did you mean 'attention.softmax'" in ran.stderr


def test_of_a_name_that_is_like_none_the_nearest_three_are_told(said, kit: Path) -> None:
    with pytest.raises(UsageError) as caught:
        said("check", "xyz")
    assert str(caught.value.hint).count("'") == 6


def test_several_exercises_are_checked_in_order_and_what_they_printed_is_shown_once(said, kit: Path) -> None:
    solve(kit, COLUMNS.replace("    S =", "    print('scores', Q.shape, '\\x1b[2J')\n    S ="))
    told = said("check", "attention.weights", "masking.causal", "attention.qkv")
    verdicts = [line.split()[0] for line in told.splitlines() if line[0] != " "]
    assert verdicts == ["attention.qkv", "attention.weights", "masking.causal"]
    assert told.count("your code printed") == 1
    assert "    | scores (2, 4) \\x1b[2J" in told.splitlines()


def test_a_mistake_without_a_name_is_to_be_mended_first_in_what_the_exercise_needs(said, kit: Path) -> None:
    solve(kit, "\n_softmax = softmax\n\ndef softmax(x, axis=-1):\n    return _softmax(x, axis) + 1\n")
    told = said("check", "attention.weights", "attention.softmax")
    assert told.count("mend that first") == 1
    assert "    it needs attention.softmax, which does not pass: mend that first" in told.splitlines()
    solve(kit, COLUMNS)
    assert "mend that first" not in said("check", "attention.weights")


def test_a_hint_on_an_assignment_is_on_its_first_exercise_that_is_not_finished(said, kit: Path) -> None:
    solve(kit)
    assert "passed" in said("check", "masking.causal")
    assert said("hint", "masking").splitlines()[0] != "masking.causal"
    assert said("hint", "masking.causal").splitlines()[0] == "masking.causal"


def test_with_verbose_the_entries_around_the_first_bad_one_are_told(grader, kit: Path) -> None:
    solve(kit, COLUMNS)
    ran = grader("check", "attention.weights", "--verbose", cwd=kit)
    assert "and 5 more" not in ran.stdout
    assert "! marks what differs" in ran.stdout
    assert "0.83333!" in ran.stdout


def test_what_was_finished_and_fails_is_told_by_check_and_listed_by_status(grader, kit: Path) -> None:
    solve(kit)
    assert grader("check", "attention.weights", cwd=kit).returncode == 0
    solve(kit, COLUMNS)
    ran = grader("check", "attention.weights", cwd=kit)
    assert "was finished, and fails now" in ran.stdout
    assert "attention.weights     was finished" in grader("status", cwd=kit).stdout


def test_an_assignment_of_which_no_file_is_there_is_told_and_the_others_are_checked(grader, kit: Path) -> None:
    solve(kit)
    (kit / "student_template" / "masking.py").rename(kit / "student_template" / "masking (1).py")
    ran = grader("check", cwd=kit)
    assert ran.stdout.count("passed") == 9
    assert ran.stderr.startswith("masking: none of your files are here")
    assert "should be called masking.py" in ran.stderr


def test_a_hint_that_could_not_be_shown_was_not_seen(said, kit: Path) -> None:
    handout = kit / "assignments" / "masking" / "handout.md"
    kept = handout.read_bytes()
    handout.write_bytes(b"\xff")
    assert "take it from your course again" in CliRunner().invoke(cli, ["hint", "masking.causal"]).exception.hint
    handout.write_bytes(kept)
    assert "(hint 1 of 3)" in said("hint", "masking.causal")
    assert "(hint 2 of 3)" not in said("hint", "masking.causal", "--again")


def test_a_hint_is_one_more_each_time_and_of_the_exercise_that_is_asked_for(said, kit: Path) -> None:
    first = said("hint").splitlines()
    assert (first[0], first[2][:22]) == ("attention.softmax", "    Idea (hint 1 of 3)")
    assert "\n    概念" in said("hint", "masking.causal", "--lang", "zh-TW")
    assert said("hint", "masking.causal").count("(hint") == 2
    assert said("hint", "masking.causal", "--again").count("(hint") == 2
    (kit / ".rowwise" / "state.json").write_text("{", encoding="utf-8")
    assert "counted anew" in said("status")
    begun = said("hint", "masking")
    assert "counted anew" in begun
    assert begun.count("(hint") == 1


def test_a_hint_names_the_test_that_failed_when_last_checked(said, kit: Path) -> None:
    assert "`grader check attention.weights` first" in said("hint", "attention.weights")
    solve(kit, COLUMNS)
    assert "(core)" in said("check", "attention.weights")
    told = said("hint", "attention.weights", "--again").splitlines()[1]
    assert told.endswith("when you last checked: test_each_row_sums_to_one")
    assert "test_each_row_sums_to_one" in said("hint", "attention.weights", "--again", "--lang", "zh-TW")
    solve(kit)
    assert "passed" in said("check", "attention.weights")
    assert "test_" not in said("hint", "attention.weights", "--again")


def test_what_is_submitted_is_graded_under_the_digest_of_its_receipt(grader, grade, kit: Path, tmp_path: Path) -> None:
    solve(kit)
    ran = grader("submit", "ada", "-a", "masking", cwd=kit)
    assert ran.returncode == 0, ran.stderr
    receipt = json.loads((kit / "ada.receipt.json").read_text("utf-8"))
    out = tmp_path / "scores"
    ran = grade(kit / "ada.zip", "--one", "-a", "masking", "--only", "masking.causal", "--out", out)
    assert ran.returncode == 0, ran.stderr
    report = json.loads((out / "ada" / "report.json").read_text("utf-8"))
    assert report["submission"]["digest"] == receipt["digest"]


def test_what_is_no_python_is_not_packed(grader, kit: Path) -> None:
    (kit / "student_template" / "masking.py").write_text("def (\n", encoding="utf-8")
    ran = grader("submit", "ada", cwd=kit)
    assert ran.returncode == 2
    assert ran.stderr.startswith("error: masking.py:1: this is no Python")
    assert not (kit / "ada.zip").exists()


def test_a_kit_of_the_whole_unit_needs_no_names(tmp_path: Path) -> None:
    ran = CliRunner().invoke(cli, ["new", str(tmp_path / "kit"), "--course", str(ROOT)], catch_exceptions=False)
    assert ran.exit_code == 0
    assert {path.name for path in (tmp_path / "kit/assignments").iterdir()} == {
        path.parent.name for path in ROOT.glob("assignments/*/assignment.toml")
    }
