from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grader.ci.run import Request, run
from grader.model.errors import GraderError, UsageError
from tests.ci.conftest import HIDDEN, RIGHT, SECRET, WRONG
from tests.conftest import ROOT
from tests.e2e.toy import toy_course

UPPER = """

def causal_mask(T_q, T_k=None):
    T_k = T_k or T_q
    return np.triu(np.ones((T_q, T_k), dtype=bool), k=T_k - T_q)
"""


class Told:
    """A run, and all that a student can read of it."""

    def __init__(self, repository: Path, page: Path, **request: object) -> None:
        self.lines: list[str] = []
        self.commands: list[str] = []
        environment = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(page), "GITHUB_REPOSITORY": "class/ada"}
        asked = Request(repository, environment=environment, **request)  # type: ignore[arg-type]
        self.code = run(asked, self.lines.append, lambda text: self.commands.extend(text.splitlines()))
        self.page = page.read_text("utf-8") if page.exists() else ""

    @property
    def all(self) -> str:
        return "\n".join([*self.lines, *self.commands, self.page])


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A course whose hidden test must not be told of; and a repository beside it, with `toy.py` still to write."""
    course = toy_course(tmp_path / "course")
    (course / "assignments/toy/hidden/test_double.py").write_text(HIDDEN, encoding="utf-8")
    lock = course / "assignments/toy/tests.lock"
    lock.write_text(
        lock.read_text().replace("hidden/test_double.py::test_values", f"hidden/test_double.py::test_{SECRET}")
    )
    (tmp_path / "work").mkdir()
    return course


def hand_in(course: Path, source: str) -> Path:
    work = course.parent / "work"
    (work / "toy.py").write_text(source, encoding="utf-8")
    return work


def test_a_fresh_kit_is_not_begun_and_does_not_pass(repository: Path, tmp_path: Path) -> None:
    told = Told(repository, tmp_path / "page")
    assert told.code == 1
    assert [line for line in told.lines if line.startswith("masking ") and "not begun" in line]
    assert told.commands == []
    assert told.page == ""


def test_right_work_passes(repository: Path, tmp_path: Path) -> None:
    (repository / "student_template/masking.py").write_bytes((ROOT / "reference/masking.py").read_bytes())
    told = Told(repository, tmp_path / "page")
    assert told.code == 0, told.all
    assert "visible tests" in told.lines[0]
    assert "60.00 / 60" in told.page
    assert [command.partition(" ")[0] for command in told.commands] == ["::notice"]


def test_a_mistake_stands_at_its_line_and_on_the_page(repository: Path, tmp_path: Path) -> None:
    file = repository / "student_template/masking.py"
    file.write_text((ROOT / "reference/masking.py").read_text("utf-8") + UPPER, encoding="utf-8")
    line = len(file.read_text("utf-8").splitlines()) - 2
    told = Told(repository, tmp_path / "page", language="zh-TW", fail_under=80.0)
    assert any(c.startswith(f"::error file=student_template/masking.py,line={line},title=") for c in told.commands)
    assert [each for each in told.lines if each.startswith("    => ")]
    assert "50.00 / 60" in told.page
    assert told.code == 0


def test_hidden_tests_decide_where_the_course_is_there(toy: Path, tmp_path: Path) -> None:
    told = Told(hand_in(toy, RIGHT), tmp_path / "page", course=toy)
    assert told.code == 0, told.all
    assert "hidden tests" in told.lines[0]
    assert "10.00 / 10" in told.page


@pytest.mark.parametrize("source", [WRONG, "def double(x):\n    raise ValueError(f'{x}')\n"])
def test_nothing_of_a_hidden_test_is_told(
    toy: Path, tmp_path: Path, source: str, capfd: pytest.CaptureFixture[str]
) -> None:
    told = Told(hand_in(toy, source), tmp_path / "page", course=toy)
    assert told.code == 1
    assert "0.00 / 10" in told.page
    printed = capfd.readouterr()
    assert SECRET not in told.all + printed.out + printed.err


def test_a_course_that_fails_is_nobodys_score_and_says_nothing(toy: Path, tmp_path: Path) -> None:
    (toy / "assignments/toy/hidden/test_double.py").write_text(
        HIDDEN + f"\nassert False, '{SECRET}'\n", encoding="utf-8"
    )
    with pytest.raises(GraderError, match="not your fault") as raised:
        Told(hand_in(toy, RIGHT), tmp_path / "page", course=toy)
    assert raised.value.exit_code == 4
    assert SECRET not in str(raised.value)
    assert raised.value.__cause__ is None
    assert raised.value.__suppress_context__


def test_a_folder_that_is_no_course_is_refused(toy: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no course"):
        Told(hand_in(toy, RIGHT), tmp_path / "page", course=tmp_path)


def test_answers_of_the_course_are_nobodys_work(toy: Path, tmp_path: Path) -> None:
    manifest = toy / "assignments/toy/assignment.toml"
    manifest.write_text(manifest.read_text("utf-8").replace('["toy.py"]', '["toy.py", "other.py"]'), encoding="utf-8")
    work = hand_in(toy, RIGHT)
    (work / "toy.py").rename(work / "other.py")
    shutil.copytree(toy, work / ".course")
    told = Told(work, tmp_path / "page", course=work / ".course")
    assert told.code == 1
    assert [line for line in told.lines if line.startswith("  toy.double") and "import_error" in line]
    (work / ".course").rename(work / "course")
    with pytest.raises(UsageError, match="among the work"):
        Told(work, tmp_path / "page", course=work / "course")
