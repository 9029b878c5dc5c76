"""JSON inside a `<script>` element, where a browser looks for the end of the element before anything reads JSON."""

from __future__ import annotations

from grader.escape.record import json_line

# With these spelled out there is no tag and no comment, whatever the strings are.
_SPELLED = str.maketrans({char: f"\\u{ord(char):04x}" for char in "<>&"})


def island(value: object) -> str:
    r"""Return a value as one line of JSON that ends no element; `json.loads` undoes it.

    Raises:
        ValueError: The value holds a NaN or an infinity, which JSON has no word for.
    """
    return json_line(value).translate(_SPELLED)
