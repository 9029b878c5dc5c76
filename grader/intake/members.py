"""Names of an archive's members: how they are written, and which are refused."""

from __future__ import annotations

import re

# What archivers write who do not say so: today's, that of Windows in Taiwan, and the oldest, which fits anything.
_ENCODINGS = ("utf-8", "cp950")
_LAST_ENCODING = "cp437"
# Patterns, for names may be long and many: to look at each character in Python would take half a minute.
_REFUSED = {
    r"\A\Z": "its name is empty",
    # Half a surrogate pair, the ends of lines and what reorders the text around it among them.
    r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028-\u202e\u2066-\u2069]": "its name holds control characters",
    r"\\": "its name holds a backslash",
    r"\A(/|[A-Za-z]:)": "its name is an absolute path",
    r"(\A|/)\.\.(/|\Z)": "its name leads out of the archive",
    r"//": "its name holds an empty folder name",
    r"(\A|/)[^/]{256}": "its name is too long",  # no file system takes it, so it is nobody's work
}


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
    wrong = next((why for pattern, why in _REFUSED.items() if re.search(pattern, name)), None)
    return wrong or tuple(part for part in name.removesuffix("/").split("/") if part != ".")
