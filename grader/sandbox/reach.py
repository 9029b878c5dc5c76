"""What a worker may reach where no mounts hide the rest: the same things as in a room of its own, each at its own place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.sandbox.packages import installed_paths
from grader.sandbox.view import (
    DEVICES,
    WORKERS_PARTS,
    foreign_packages,
    outermost,
    standard_library,
    system_files,
    system_libraries,
)


@dataclass
class Reach:
    """The paths, by what may be done with them.

    Args:
        trees: Files and folders that may be read with all below them.
        listed: Folders of which the names may be read, for the import system looks for modules there.
        packages_at: From the import name of a package to where it lies.
    """

    trees: list[str] = field(default_factory=list)
    listed: list[str] = field(default_factory=list)
    packages_at: dict[str, str] = field(default_factory=dict)

    @property
    def devices(self) -> list[str]:
        """The devices that may be read and written."""
        return list(DEVICES)

    def outermost(self) -> list[str]:
        """Return the paths that lie in no other of them."""
        return [str(path) for path in outermost(map(Path, [*self.listed, *self.trees]))]


def reach(package: Path, packages: tuple[str, ...]) -> Reach:
    """Return what may be reached for some packages.

    Args:
        package: The folder of the `grader` package, of which the worker's part alone is reached.
        packages: Import names.

    Raises:
        GraderError: A package is not installed.
    """
    found = Reach()
    for folder in outermost([*standard_library(), *system_libraries()]):
        _add(folder, foreign_packages(folder), found)
    installed = installed_paths(packages)
    own = [package / part for part in WORKERS_PARTS]
    found.trees += [str(path) for path in (*system_files(), *installed, *own)]
    found.packages_at = dict(_named(installed))
    return found


def _add(path: Path, hidden: Sequence[Path], found: Reach) -> None:
    """Add a path whole where nothing below it is hidden, else piece by piece: a rule for a folder holds for all below it."""
    if path in hidden or not path.exists() or (path.is_symlink() and path.is_dir()):
        return  # a linked folder may be one that is hidden by its own name
    if not any(other.is_relative_to(path) for other in hidden):
        found.trees.append(str(path))
        return
    found.listed.append(str(path))
    for child in sorted(path.iterdir()):
        _add(child, hidden, found)


def _named(installed: Sequence[Path]) -> Iterator[tuple[str, str]]:
    for path in installed:
        if (path / "__init__.py").exists() or path.suffix in (".py", ".so"):
            yield path.name.partition(".")[0], str(path)
