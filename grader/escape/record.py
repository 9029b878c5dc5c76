"""JSON that is one line where it should be, and does nothing to a terminal that shows the file."""

from __future__ import annotations

import json
import re

from grader.escape.characters import spelled_out

# What the log of a GitHub workflow takes for a command wherever it stands; broken as `terminal` does, this would be no JSON.
_COMMAND = re.compile(r"#(?=#\[)")


def json_line(value: object) -> str:
    r"""Return a value as one line of JSON, without its line end.

    `json.loads` undoes it, but for a lone half of a surrogate pair, which no UTF-8 file can hold: it becomes U+FFFD.

    Raises:
        ValueError: The value holds a NaN or an infinity, which JSON has no word for.
    """
    return inert(json.dumps(value, ensure_ascii=False, allow_nan=False))


def inert(document: str) -> str:
    r"""Return a JSON document with every character in its strings that is not harmless as `\uXXXX`.

    `terminal.block` leaves it as it is, so that it can be printed too.
    """
    return _COMMAND.sub(r"\\u0023", spelled_out(document, _as_json, keep="\n"))


def _as_json(char: str) -> str:
    return "\ufffd" if "\ud800" <= char <= "\udfff" else json.dumps(char)[1:-1]
