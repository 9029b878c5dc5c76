"""The plan of what can be seen inside a sandbox: where each thing comes from, and where it stands."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from grader.sandbox.packages import installed_paths

PACKAGES = Path("/packages")

DEVICES = tuple(f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom"))

# Of the grader itself, what the worker is made of.
WORKERS_PARTS = ("__init__.py", "wire", "worker")

# What the dynamic loader and the C library read; of the kernel's own files only which processors there are.
_SYSTEM = ("/etc/ld.so.cache", "/etc/alternatives", "/sys/devices/system/cpu")

# Where a system keeps its shared libraries, one way or another.
_LIBRARIES = ("/lib/{triplet}", "/usr/lib/{triplet}", "/lib64", "/usr/lib64")

# Prefixes whose `lib` folder belongs to the system and holds far more than an interpreter's libraries.
_SYSTEM_PREFIXES = ("/", "/usr", "/usr/local")


class View(NamedTuple):
    """A folder, file or device of this machine and where the sandbox shows it, read-only."""

    source: str
    target: str
    device: bool = False


class Plan(NamedTuple):
    """All views, outer ones first, and the folders within them that are hidden."""

    views: list[View]
    covers: list[str]


def planned(package: Path, packages: tuple[str, ...]) -> Plan:
    """Return what a sandbox for some packages shows.

    Args:
        package: The folder of the `grader` package, of which the worker's part alone is shown.
        packages: Import names.

    Raises:
        GraderError: A package is not installed.
    """
    folders = outermost([*standard_library(), *system_libraries()])
    views = [
        *(View(str(path), str(path)) for path in [*folders, *system_files()]),
        *(View(name, name, device=True) for name in DEVICES),
        *(View(str(path), str(PACKAGES / path.name)) for path in installed_paths(packages)),
        *(View(str(package / part), str(PACKAGES / "grader" / part)) for part in WORKERS_PARTS),
    ]
    return Plan(views, [str(cover) for folder in folders for cover in foreign_packages(folder)])


def standard_library() -> list[Path]:
    """Return the folders of the standard library, that of its extensions too where it lies elsewhere."""
    extension = importlib.util.find_spec("_ctypes")
    found = [Path(os.__file__).parent]
    if extension and extension.origin and Path(extension.origin).is_absolute():
        found.append(Path(extension.origin).parent)
    return found


def system_files() -> list[Path]:
    """Return what else the loader and the C library read, as far as this system has it."""
    return [Path(name) for name in _SYSTEM if Path(name).exists()]


def system_libraries() -> list[Path]:
    """Return the folders in which shared libraries are looked for."""
    triplet = getattr(sys.implementation, "_multiarch", "")
    names = [name.format(triplet=triplet) for name in _LIBRARIES if triplet or "{" not in name]
    found = [Path(name) for name in names if Path(name).is_dir()]
    return [*found, *_library_folders_of_this_process(), *_libraries_of_prefix()]


def _library_folders_of_this_process() -> Iterable[Path]:
    """Yield where the C library was loaded from, wherever this system keeps it."""
    for line in Path("/proc/self/maps").read_text().splitlines():
        name = Path(line.partition("/")[2])
        if name.name.startswith(("libc.so", "libc-", "ld-musl")):
            yield "/" / name.parent


def _libraries_of_prefix() -> list[Path]:
    """Return the interpreter's own library folder where it brings more than itself, as conda's does."""
    folder = Path(sys.base_prefix) / "lib"
    own = [path for path in folder.glob("*.so*") if not path.name.startswith("libpython")]
    return [folder] if own and sys.base_prefix not in _SYSTEM_PREFIXES else []


def outermost(folders: Iterable[Path]) -> list[Path]:
    """Return the folders that lie in no other of them, each once."""
    kept: list[Path] = []
    for folder in sorted(set(folders), key=lambda path: len(path.parts)):
        if not any(folder.is_relative_to(outer) for outer in kept):
            kept.append(folder)
    return kept


def foreign_packages(folder: Path) -> list[Path]:
    """Return the folders of installed packages below one of the standard library or of libraries."""
    return [
        path
        for name in ("site-packages", "dist-packages")
        for path in (*folder.glob(name), *folder.glob(f"*/{name}"))
        if path.is_dir()
    ]
