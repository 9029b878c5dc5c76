"""A student's evening: a new kit, the templates checked, a mistake named, an exercise done."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import ROOT


@pytest.fixture
def kit(grader, tmp_path: Path) -> Path:
    ran = grader("new", tmp_path / "kit", "-a", "attention", "-a", "masking")
    assert ran.returncode == 0, ran.stderr
    return tmp_path / "kit"


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
    assert all("not_implemented" in line for line in lines)


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
    assert lines[5].endswith(
        "your rows sum to [1.433, 1.567], each should sum to 1; it is your columns that do: [1, 1, 1]"
    )


def test_files_of_the_working_folder_come_before_the_kits(grader, kit: Path, tmp_path: Path) -> None:
    solve(kit)
    ran = grader("check", "masking.causal", "--course", kit, cwd=kit / "student_template")
    assert ran.returncode == 0, ran.stdout


def test_a_check_leaves_nothing_in_the_kit(grader, kit: Path) -> None:
    before = sorted(kit.rglob("*"))
    assert grader("check", "masking.causal", cwd=kit).returncode == 1
    assert sorted(kit.rglob("*")) == before


def test_an_unknown_exercise_is_told_with_a_suggestion(grader, kit: Path) -> None:
    ran = grader("check", "attention.sofmax", cwd=kit)
    assert ran.returncode == 2
    assert "did you mean 'attention.softmax'" in ran.stderr
