"""Text for Markdown as GitHub reads it, in a table as well."""

from __future__ import annotations

import re

from grader.escape.terminal import line

# The only two characters that could end a code span or, in a table, the cell around it.
_ENDS = str.maketrans({char: rf"\x{ord(char):02x}" for char in "`|"})

# What could begin something else than words.
_MARKS = re.compile(r"[\\`*_\[\]<>#|~$&!]|^[+-]|(?<=^\d)[.)]")


def prose(text: str) -> str:
    """Return the course's own words so that they are read as they stand. Never a stranger's: a name would tell somebody."""
    return _MARKS.sub(lambda found: f"\\{found[0]}", line(text))


def markdown(text: str) -> str:
    """Return a code span: in one there are no links, images, tags, mentions or references, whatever the text."""
    return f"`{line(text).translate(_ENDS)}`" if text else ""
