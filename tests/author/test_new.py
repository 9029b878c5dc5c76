from __future__ import annotations

import pytest

from grader.author.lint import lint
from grader.author.new import new_assignment
from grader.course.locate import load_assignments
from grader.model.errors import UsageError


def test_a_new_assignment_holds_from_the_first_minute(tmp_path, grader):
    new_assignment(tmp_path, "norms", "")
    ran = grader("verify", "norms", "--lock", "--seeds", "2", "--course", tmp_path)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    [found] = load_assignments(tmp_path, ["norms"])
    assert lint(found) == []


@pytest.mark.parametrize(
    ("name", "title", "said"),
    [
        ("Norms", "", "cannot be the name"),
        ("class", "", "cannot be the name"),
        ("2d", "", "cannot be the name"),
        ("random", "", "is the name of a module"),
        ("numpy", "", "is the name of a module"),
        ("con", "", "kept by Windows"),
        ("nul", "", "kept by Windows"),
        ("lpt1", "", "kept by Windows"),
        ("norms", 'the "norm"', "one line without quotes"),
    ],
)
def test_a_name_that_could_not_be_a_module_is_refused(tmp_path, name, title, said):
    with pytest.raises(UsageError, match=said):
        new_assignment(tmp_path, name, title)
    assert list(tmp_path.iterdir()) == []


def test_nothing_that_is_there_is_overwritten(tmp_path):
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference" / "norms.py").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="is there already"):
        new_assignment(tmp_path, "norms", "")
    assert (tmp_path / "reference" / "norms.py").read_text("utf-8") == "mine"
    assert not (tmp_path / "assignments").exists()
