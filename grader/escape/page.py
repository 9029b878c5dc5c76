"""Text for a page of HTML, between tags or in a quoted attribute."""

from __future__ import annotations

from html import escape

from grader.escape.terminal import block


def html(text: str) -> str:
    """Return HTML that shows `block(text)` and holds no tag; `html.unescape` undoes it."""
    return escape(block(text), quote=True)
