"""Load an assignment's misconceptions."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

import numpy as np

from grader.model.errors import CourseError
from grader.model.manifest import Manifest
from grader.testing.catalogue import Catalogue, collecting

_NAME = "misconceptions"


def load_catalogue(path: Path, manifest: Manifest) -> Catalogue:
    """Return what an assignment's misconceptions declare; an empty catalogue where there are none.

    Args:
        path: `misconceptions.py`, or a folder `misconceptions/` whose files may import from each other.
        manifest: The assignment's.

    Raises:
        CourseError: A file does not run, or declares something about an exercise that does not exist.
    """
    if not path.exists():
        return Catalogue()
    with collecting() as catalogue, _importable(path):
        for name in (_NAME, *(f"{_NAME}.{part.stem}" for part in sorted(path.glob("[!_]*.py")))):
            try:
                _freeze(importlib.import_module(name))
            except Exception as error:
                raise CourseError(f"{name} cannot be imported: {type(error).__name__}: {error}", where=path) from error
    _check(catalogue, manifest, path)
    catalogue.misconceptions = [
        replace(found, module=manifest.exercise(found.exercise).module) for found in catalogue.misconceptions
    ]
    return catalogue


def _freeze(module: ModuleType) -> None:
    """Keep the arrays of a module as they are: one mistake may change what another passes on, and then neither is what it was."""
    for value in vars(module).values():
        if isinstance(value, np.ndarray):
            value.setflags(write=False)


@contextmanager
def _importable(path: Path) -> Iterator[None]:
    """Let `misconceptions` be imported from one place, and forget it afterwards: every assignment has its own."""
    finder = _Finder(path)
    sys.meta_path.insert(0, finder)
    _forget()
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        _forget()


def _forget() -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == _NAME]:
        del sys.modules[name]


class _Finder(MetaPathFinder):
    """Finds the package `misconceptions` in the assignment; its parts are found by the package itself."""

    def __init__(self, path: Path) -> None:
        self._file = path / "__init__.py" if path.is_dir() else path
        self._parts = [str(path)] if path.is_dir() else None

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return how to load the package."""
        del path, target
        if fullname != _NAME:
            return None
        return spec_from_file_location(_NAME, self._file, submodule_search_locations=self._parts)


def _check(catalogue: Catalogue, manifest: Manifest, path: Path) -> None:
    names = {exercise.id: exercise.definitions for exercise in manifest.exercises}
    judged = [exercise.id for exercise in manifest.exercises if exercise.artifacts]
    if stray := [run.id for run in catalogue.wrong_runs if run.exercise not in judged]:
        raise CourseError(f"wrong run {stray[0]!r} belongs to no exercise that judges artifacts", where=path)
    ids = [found.id for found in catalogue.misconceptions] + [run.id for run in catalogue.wrong_runs]
    if twice := [each for each in ids if ids.count(each) > 1]:
        kind = "wrong run" if twice[0] in [run.id for run in catalogue.wrong_runs] else "misconception"
        raise CourseError(f"{kind} {twice[0]!r} stands twice", where=path)
    for found in catalogue.misconceptions:
        if found.function not in names.get(found.exercise, ()):
            raise CourseError(
                f"misconception {found.id!r} replaces `{found.function}`, which exercise {found.exercise!r} does not have",
                where=path,
                hint="its id is `exercise/slug`, and its function is called as the exercise's or named with name=; of a method that is its class",
            )
    for other in [v.of for v in catalogue.variants] + [e for m in catalogue.misconceptions for e in m.equivalent]:
        if other not in ids:
            raise CourseError(
                f"there is no misconception {other!r}",
                where=path,
                hint="a variant and an equivalent name one by its id",
            )
