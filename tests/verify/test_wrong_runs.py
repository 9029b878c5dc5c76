"""A wrong run must lose points in its own exercise, and a test must say what is wrong with it."""

import pytest

from grader.model.errors import CourseError
from grader.verify.run import verify_assignment
from tests.e2e.toy_run import MISTAKES, run_course


@pytest.fixture
def problems(tmp_path):
    home = run_course(tmp_path) / "assignments" / "toy"

    def found(**change: str) -> list[str]:
        text = MISTAKES
        for old, new in change.items():
            text = text.replace({"words": "three times", "rows": "1,3\\n2,6", "id": "toy.run/tripled"}[old], new)
        (home / "misconceptions.py").write_text(text, encoding="utf-8")
        return verify_assignment(home, seeds=1, write_lock=False).problems

    return found


def test_a_wrong_run_that_no_test_catches_survives(problems):
    assert any("toy.run/tripled survives" in each for each in problems(rows="1,2\\n2,4"))


def test_a_wrong_run_of_which_nobody_says_what_is_wrong_is_a_problem(problems):
    assert any("toy.run/tripled is not named as itself" in each for each in problems(words="four times"))


def test_a_wrong_run_belongs_to_an_exercise_that_judges_artifacts(problems):
    with pytest.raises(CourseError, match="no exercise that judges artifacts"):
        problems(id="toy.double/tripled")
