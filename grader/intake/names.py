"""Names of files and folders: which are nobody's work, which are archives', and how any of them is shown."""

from __future__ import annotations

import unicodedata

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


def collision_key(name: str) -> str:
    """Return what two names share when some file system takes them for one."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def shown(name: str) -> str:
    """Return a name fit for a terminal and a report: what does not print, or turns the text around, is escaped."""
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"
