"""Wheels of what is installed here, for an installer that has no network."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from email import message_from_string
from importlib.metadata import Distribution, distribution
from pathlib import Path

_OF_AN_INSTALLATION = {"INSTALLER", "REQUESTED", "direct_url.json"}


def wheels_of(names: Iterable[str], folder: Path) -> Path:
    """Write a wheel of each installed package to a new folder and return it."""
    folder.mkdir()
    for name in names:
        _write(distribution(name), folder)
    return folder


def _write(found: Distribution, folder: Path) -> None:
    tags = message_from_string(found.read_text("WHEEL") or "").get_all("Tag") or []
    python, abi, _ = tags[0].split("-")
    platforms = ".".join(dict.fromkeys(tag.split("-")[2] for tag in tags))
    name = found.name.replace("-", "_").replace(".", "_")
    with zipfile.ZipFile(folder / f"{name}-{found.version}-{python}-{abi}-{platforms}.whl", "w") as wheel:
        for file in found.files or []:
            # What lies outside the packages, as commands do, an installer writes anew.
            if ".." not in file.parts and "__pycache__" not in file.parts and file.name not in _OF_AN_INSTALLATION:
                wheel.write(file.locate(), file.as_posix())
