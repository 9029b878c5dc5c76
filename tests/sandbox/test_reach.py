from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from grader.sandbox.reach import Reach, _add, reach

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has Landlock")

PACKAGE = Path(__file__).parents[2] / "grader"


def test_a_folder_with_nothing_hidden_is_one_tree(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    found = Reach()
    _add(tmp_path, [], found)
    assert found == Reach([str(tmp_path)])


def test_a_folder_with_something_hidden_is_listed_and_read_but_for_that(tmp_path: Path) -> None:
    for name in ("json", "python3/site-packages", "python3/deep"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "os.py").touch()
    (tmp_path / "way-around").symlink_to(tmp_path / "python3/site-packages")
    (tmp_path / "broken").symlink_to(tmp_path / "nowhere")
    found = Reach()
    _add(tmp_path, [tmp_path / "python3/site-packages"], found)
    assert [Path(path).relative_to(tmp_path).as_posix() for path in found.listed] == [".", "python3"]
    assert [Path(path).relative_to(tmp_path).as_posix() for path in found.trees] == ["json", "os.py", "python3/deep"]


def test_the_standard_library_and_the_packages_are_reached_and_the_course_is_not() -> None:
    found = reach(PACKAGE, ("numpy",))
    assert any(Path(os.__file__).is_relative_to(tree) for tree in found.trees)
    assert set(found.packages_at) == {"numpy"}
    assert [tree for tree in found.trees if Path(tree).is_relative_to(PACKAGE)] == [
        f"{PACKAGE}/{part}" for part in ("__init__.py", "wire", "worker")
    ]
    for tree in (*found.trees, *found.listed):
        assert not PACKAGE.is_relative_to(tree)
        assert tree not in ("/", "/root", "/home", "/etc", "/usr", "/tmp")  # noqa: S108 - not to be reached


def test_few_paths_lie_in_no_other() -> None:
    found = reach(PACKAGE, ("numpy",))
    outer = [Path(path) for path in found.outermost()]
    assert len(outer) < 30
    assert all(any(Path(path).is_relative_to(other) for other in outer) for path in (*found.trees, *found.listed))
