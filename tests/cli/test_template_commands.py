from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.toy import toy_course


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    course = toy_course(tmp_path / "course")
    (course / "reference" / "toy.py").write_text(
        'def double(x):\n    """Twice x."""\n    # BEGIN SOLUTION\n    return 2 * x\n    # END SOLUTION\n',
        encoding="utf-8",
    )
    return course


def test_this_courses_templates_are_what_its_reference_gives(grader) -> None:
    ran = grader("template", "check")
    assert ran.returncode == 0, ran.stdout


def test_a_stale_template_is_told_and_build_mends_it(grader, toy: Path) -> None:
    stale = grader("template", "check", "--course", toy)
    assert stale.returncode == 3
    assert "toy.py:2" in stale.stdout
    assert "grader template build" in stale.stderr
    assert grader("template", "build", "--course", toy).stdout == "student_template/toy.py\n"
    assert grader("template", "check", "--course", toy).returncode == 0
    assert 'raise NotImplementedError("toy.double")' in (toy / "student_template" / "toy.py").read_text("utf-8")


def test_a_broken_marker_is_the_courses_fault_with_file_and_line(grader, toy: Path) -> None:
    path = toy / "reference" / "toy.py"
    path.write_text(path.read_text("utf-8").replace("    # END SOLUTION\n", ""), encoding="utf-8")
    ran = grader("template", "build", "--course", toy)
    assert ran.returncode == 3
    assert "toy.py:3" in ran.stderr
    assert "hint:" in ran.stderr
