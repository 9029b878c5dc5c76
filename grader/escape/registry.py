"""Every place where a stranger's text lands."""

from __future__ import annotations

from typing import Protocol

from grader.escape.island import island
from grader.escape.markdown import markdown
from grader.escape.page import html
from grader.escape.record import json_line
from grader.escape.sheet import cell
from grader.escape.terminal import block, line
from grader.escape.toml import string
from grader.escape.workflow import message, property_value


class Landing(Protocol):
    """What every place has in common. Letters, digits and Chinese text stand in what it returns as they came."""

    def __call__(self, text: str, /) -> str:
        """Return `text` so that at this place it is nothing but text."""
        ...


LANDINGS: dict[str, Landing] = {
    "line of a terminal": line,
    "block of a terminal": block,
    "html": html,
    "json in a page": island,
    "csv cell": cell,
    "markdown": markdown,
    "json line": json_line,
    "toml string": string,
    "message of a workflow command": message,
    "property of a workflow command": property_value,
}
