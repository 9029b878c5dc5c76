"""What belongs to an installed package: the files a sandbox has to show for it to be imported."""

from __future__ import annotations

import importlib.util
import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution, packages_distributions
from pathlib import Path

from grader.model.errors import GraderError


def installed_paths(names: tuple[str, ...]) -> list[Path]:
    """Return the folders and files of some packages and of all that they require, libraries and metadata included.

    Args:
        names: Import names.

    Raises:
        GraderError: A package is not installed.
    """
    found = {path: None for name in names for path in _by_import(name.partition(".")[0])}
    waiting = [_distribution(name.partition(".")[0]) for name in names]
    seen = set()
    while waiting:
        dist = waiting.pop()
        if dist.name not in seen:
            seen.add(dist.name)
            found |= dict.fromkeys(_top_level(dist))
            waiting += _required(dist)
    return list(found)


def _distribution(name: str) -> Distribution:
    try:
        return distribution(name)
    except PackageNotFoundError:
        for other in packages_distributions().get(name, []):
            return distribution(other)
    raise GraderError(
        f"the package {name!r} is not installed", hint=f"python -m pip install {name}, or drop it from allowed_imports"
    )


def _by_import(name: str) -> list[Path]:
    """Return where the import system finds a package: all there is of one that was installed without a record of its files."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        return []
    return [Path(folder) for folder in spec.submodule_search_locations or []] or [Path(spec.origin)]


def _top_level(dist: Distribution) -> list[Path]:
    """Return what a distribution put directly into the folder of packages; scripts and data elsewhere are left out."""
    # The record is read as text: of torch's ten thousand lines only the first words matter, and objects for them take a tenth of a second.
    record = dist.read_text("RECORD") or ""
    names = {re.split(r"[/,]", line, maxsplit=1)[0] for line in record.splitlines()} - {"..", "__pycache__", ""}
    return [Path(str(dist.locate_file(name))) for name in sorted(names)]


def _required(dist: Distribution) -> list[Distribution]:
    """Return the installed distributions that one names as required, those of extras left out."""
    required = []
    for line in dist.requires or []:
        requirement, _, marker = line.partition(";")
        name = re.match(r"[\w.-]+", requirement)
        if name and "extra" not in marker:
            try:
                required.append(distribution(name[0]))
            except PackageNotFoundError:  # for another system or version of Python
                continue
    return required
