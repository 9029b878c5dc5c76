"""The language of a kit: in which its commands speak where nobody says otherwise."""

from __future__ import annotations

import tomllib
from pathlib import Path

from grader.model.errors import UsageError

FILE = "kit.toml"
LANGUAGES = ("en", "zh-TW")


def kit_file(language: str) -> str:
    """Return what stands in a kit's file."""
    return f'# The language in which `grader` speaks here: "en" or "zh-TW".\nlanguage = "{language}"\n'


def kit_language(here: Path) -> str:
    """Return the language of the kit that a folder lies in; English outside of kits.

    Raises:
        UsageError: Its file says none that there is.
    """
    for folder in (here, *here.parents):
        if (folder / FILE).is_file() and (folder / "assignments").is_dir():
            return _read(folder / FILE)
    return LANGUAGES[0]


def _read(path: Path) -> str:
    try:
        said = tomllib.loads(path.read_text("utf-8-sig")).get("language")
    except (OSError, ValueError):
        said = None
    if said not in LANGUAGES:
        raise UsageError(
            "this names no language that the commands speak",
            where=path,
            hint=f'write language = "{LANGUAGES[0]}" or language = "{LANGUAGES[1]}"',
        )
    return str(said)
