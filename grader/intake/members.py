"""Names of an archive's members: how they are written, and which are refused."""

from __future__ import annotations

import re
import unicodedata

# What archivers write who do not say so: today's, that of Windows in Taiwan, and the oldest, which fits anything.
_ENCODINGS = ("utf-8", "cp950")
_LAST_ENCODING = "cp437"
_DRIVE = re.compile(r"[A-Za-z]:")


def decoded(raw: bytes) -> str:
    """Return a name that does not say how it is written. The wanted names are ASCII, and so the same in all."""
    for encoding in _ENCODINGS:
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return raw.decode(_LAST_ENCODING)


def member_parts(name: str) -> tuple[str, ...] | str:
    """Split the name of a member into its folders and its own name.

    Returns:
        The parts, none for the archive's root; or, as text, what is wrong with a name that could lead elsewhere.
    """
    if not name:
        return "its name is empty"
    if any(unicodedata.category(c) in ("Cc", "Cs") for c in name):
        return "its name holds control characters"
    if "\\" in name:
        return "its name holds a backslash"
    if name.startswith("/") or _DRIVE.match(name):
        return "its name is an absolute path"
    parts = [part for part in name.removesuffix("/").split("/") if part != "."]
    if ".." in parts:
        return "its name leads out of the archive"
    return tuple(parts) if all(parts) else "its name holds an empty folder name"
