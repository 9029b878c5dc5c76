from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.errors import GraderError
from grader.sandbox.packages import installed_paths
from grader.sandbox.view import foreign_packages, outermost, planned

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has views")

PACKAGE = Path(__file__).parents[2] / "grader"


def test_a_package_comes_with_its_libraries_and_metadata() -> None:
    names = [path.name for path in installed_paths(("numpy",))]
    assert "numpy" in names
    assert any(name.startswith("numpy-") and name.endswith(".dist-info") for name in names)
    site = next(path for path in installed_paths(("numpy",)) if path.name == "numpy").parent
    assert ("numpy.libs" in names) == (site / "numpy.libs").exists()


def test_a_package_comes_with_what_it_requires_and_no_more() -> None:
    names = {path.name for path in installed_paths(("jinja2",))}
    assert {"jinja2", "markupsafe"} <= names
    assert "numpy" not in names
    assert "babel" not in names


def test_a_dotted_name_means_its_package() -> None:
    assert installed_paths(("numpy.linalg",)) == installed_paths(("numpy",))


def test_a_package_under_another_name_than_its_distribution_is_found() -> None:
    assert any(path.name == "_pytest" for path in installed_paths(("_pytest",)))


def test_no_script_and_no_cache_belongs_to_a_package() -> None:
    paths = installed_paths(("numpy", "pytest"))
    assert all(path.exists() for path in paths)
    assert not {path.name for path in paths} & {"..", "bin", "__pycache__"}


def test_a_package_that_is_not_installed_is_named_with_a_remedy() -> None:
    with pytest.raises(GraderError, match="'no_such_package' is not installed") as caught:
        installed_paths(("no_such_package",))
    assert "pip install no_such_package" in caught.value.hint


def test_of_the_grader_only_the_workers_part_is_shown() -> None:
    views = planned(PACKAGE, ("numpy",)).views
    ours = {view.source: view.target for view in views if Path(view.source).is_relative_to(PACKAGE)}
    assert ours == {
        f"{PACKAGE}/__init__.py": "/packages/grader/__init__.py",
        f"{PACKAGE}/wire": "/packages/grader/wire",
        f"{PACKAGE}/worker": "/packages/grader/worker",
    }


def test_the_standard_library_stands_at_its_own_place_and_devices_are_marked() -> None:
    views = planned(PACKAGE, ()).views
    assert any(Path(os.__file__).is_relative_to(view.target) and view.source == view.target for view in views)
    assert {view.target for view in views if view.device} == {
        f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom")
    }


def test_no_target_stands_twice() -> None:
    targets = [view.target for view in planned(PACKAGE, ("pytest", "numpy", "jinja2", "numpy.linalg")).views]
    assert len(targets) == len(set(targets))


def test_neither_home_nor_configuration_nor_programs_are_shown() -> None:
    for view in planned(PACKAGE, ("numpy",)).views:
        for kept in ["/", "/home", "/root", "/etc", "/usr", "/usr/bin", "/bin", "/proc", "/var", "/opt", "/run"]:
            assert view.target != kept


def test_installed_packages_below_a_shown_folder_are_covered(tmp_path: Path) -> None:
    for name in ("site-packages", "python3/dist-packages", "python3.11/site-packages", "else"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "dist-packages").touch()
    found = {str(path.relative_to(tmp_path)) for path in foreign_packages(tmp_path)}
    assert found == {"site-packages", "python3/dist-packages", "python3.11/site-packages"}


@given(st.lists(st.lists(st.sampled_from("ab"), max_size=3).map(lambda parts: Path("/", *parts))))
def test_onlyoutermost_folders_are_kept_and_none_is_lost(folders: list[Path]) -> None:
    kept = outermost(folders)
    assert all(any(folder.is_relative_to(outer) for outer in kept) for folder in folders)
    assert all(not one.is_relative_to(other) for one in kept for other in kept if one is not other)
    assert set(kept) <= set(folders)
