"""Names of files and folders: which are nobody's work, which are archives', and how any of them is shown."""

from __future__ import annotations

import unicodedata

from grader.escape.terminal import line

_CLUTTER = {"__macosx", "__pycache__", "thumbs.db", "desktop.ini", "expected.toml"}
# Longest first: `a.tar.gz` is called `a`.
_ARCHIVES = (
    *(".tar.bz2", ".tar.zst", ".tar.gz", ".tar.xz"),
    *(".tbz2", ".tzst", ".tgz", ".txz", ".tbz", ".zip", ".tar", ".rar", ".7z"),
    *(".bz2", ".zst", ".gz", ".xz"),
)
_LONGEST_SHOWN = 200


def is_clutter(name: str) -> bool:
    """Whether a name is left by a system or a tool, or is the course's own, and never anyone's work."""
    return name.startswith(".") or name.casefold() in _CLUTTER


def archive_suffix(name: str) -> str:
    """Return the suffix that makes a name an archive's, in lower case and with its dot; empty for any other name."""
    return next((suffix for suffix in _ARCHIVES if name.casefold().endswith(suffix)), "")


def is_archive(name: str) -> bool:
    """Whether a name is that of an archive, of a kind that can be read or not."""
    return archive_suffix(name) != ""


def is_notebook(name: str) -> bool:
    """Whether a name is that of a notebook."""
    return name.casefold().endswith(".ipynb")


def collision_key(name: str) -> str:
    """Return what two names share when some file system takes them for one.

    Most fold case, macOS composes accents, ext4 and HFS+ pass over characters that draw nothing, and Windows drops dots
    and spaces at the end.
    """
    drawn = "".join(c for c in name if unicodedata.category(c) != "Cf" and not "\ufe00" <= c <= "\ufe0f")
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", drawn).casefold()).rstrip(". ")


def shown(name: str) -> str:
    """Return a name fit for one line of a terminal and of a report, and not too long for either."""
    text = line(name[: _LONGEST_SHOWN + 1])
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"
