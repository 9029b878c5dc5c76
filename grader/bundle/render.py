"""Templates of a bundle: files in which `@WORDS@` stand for what differs from bundle to bundle."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from grader.bundle.item import PLAIN, Item

_TEMPLATES = Path(__file__).parent / "templates"
_WORD = re.compile(r"@([A-Z_]+)@")


def rendered(template: str, words: Mapping[str, str], path: str = "", mode: int = PLAIN) -> Item:
    """Return a template as a file of the bundle.

    Args:
        template: Its name below `templates/`.
        words: What to put for each word. One that a template asks for must be there.
        path: What it is called in the bundle; by default as the template is.
        mode: Who may read, write and run it.

    Raises:
        KeyError: The template asks for a word that is not there.
    """
    text = (_TEMPLATES / template).read_text("utf-8")
    filled = _WORD.sub(lambda found: words[found[1]], text)
    return Item(path or template.rpartition("/")[2], filled.encode(), mode)
