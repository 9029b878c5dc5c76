"""Text for the commands of a GitHub workflow, which a line of its log that begins with `::` is."""

from __future__ import annotations

from grader.escape.terminal import line

_MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def message(text: str) -> str:
    """Return what may stand after a command's second `::`: one line, whatever it holds; its own lines are kept as `%0A`."""
    return "\n".join(map(line, text.split("\n"))).translate(_MESSAGE)


def property_value(text: str) -> str:
    """Return what may stand as a property of a command, such as `title`."""
    return line(text).translate(_PROPERTY)
