from __future__ import annotations

from pathlib import Path

import pytest

from grader.cli import refuse_an_old_python
from grader.course.locate import load_assignments
from grader.kit.slips import nothing_here, require_packages
from grader.model.errors import UsageError


@pytest.fixture
def empty(kit: Path) -> Path:
    """A kit without the student's files."""
    for file in (kit / "student_template").iterdir():
        file.unlink()
    return kit


def told(here: Path, kit: Path) -> str:
    return nothing_here(here, kit, load_assignments(kit, ["attention"])).hint


@pytest.mark.parametrize("where", ["my work", "homework/week 3"])
def test_files_in_another_folder_are_found(empty: Path, where: str) -> None:
    folder = empty / where
    folder.mkdir(parents=True)
    (folder / "attention.py").write_text("")
    assert told(empty, empty) == f"they are in another folder: cd {folder}"
    (empty / "elsewhere").mkdir()
    assert told(empty / "elsewhere", empty) == f"they are in another folder: cd {folder}"


def test_files_in_the_folder_above_are_found(empty: Path) -> None:
    (empty / "attention.py").write_text("")
    assert told(empty / "assignments", empty) == f"they are in another folder: cd {empty}"


@pytest.mark.parametrize("name", ["Attention.py", "attention (1).py", "attention.py.txt", "my_attention.py"])
def test_a_file_with_another_name_is_told_with_the_right_one(empty: Path, name: str) -> None:
    (empty / "student_template" / name).write_text("")
    if (empty / "student_template" / "attention.py").is_file():
        pytest.skip("this disk does not tell the two names apart")
    assert told(empty, empty) == f"{empty / 'student_template' / name} should be called attention.py: rename it"


def test_a_notebook_is_told_what_is_wanted_instead(empty: Path) -> None:
    (empty / "student_template" / "attention.ipynb").write_text("{}")
    assert "is a notebook, and what is checked is a module" in told(empty, empty)
    assert "attention.py" in told(empty, empty)


def test_where_there_is_nothing_it_says_where_files_belong(empty: Path) -> None:
    assert "student_template/" in told(empty, empty)


def test_a_missing_package_is_told_with_the_command_that_installs_it(kit: Path) -> None:
    [attention] = load_assignments(kit, ["attention"])
    require_packages(attention)
    manifest = attention.manifest.model_copy(update={"allowed_imports": ["numpy", "no_such_package.part"]})
    lacking = type(attention)(manifest, attention.folder, attention.course)
    with pytest.raises(UsageError, match="attention needs no_such_package") as refused:
        require_packages(lacking)
    assert refused.value.hint.endswith("-m pip install no_such_package")


def test_an_old_python_is_told_what_to_do_and_a_new_one_goes_on() -> None:
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer, and this is 3\.9"):
        refuse_an_old_python((3, 9))
    refuse_an_old_python((3, 11))
