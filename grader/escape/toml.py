"""A string of TOML, in quotes."""

from __future__ import annotations

from grader.escape.characters import spelled_out

_SHORT = {"\n": "\\n", "\t": "\\t"}


def string(text: str) -> str:
    r"""Return a basic string of TOML on one line, quotes included, with all that is not harmless as `\UXXXXXXXX`.

    `tomllib` undoes it, but for a lone half of a surrogate pair, which no UTF-8 file can hold: it becomes U+FFFD.
    """
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{spelled_out(quoted, _as_toml)}"'


def _as_toml(char: str) -> str:
    if "\ud800" <= char <= "\udfff":
        return "\ufffd"
    return _SHORT.get(char, f"\\U{ord(char):08X}")
