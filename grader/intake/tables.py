"""The text of a table that a spreadsheet or another system saved."""

from __future__ import annotations

import codecs
from pathlib import Path

from grader.model.errors import UsageError

_DELIMITERS = ",;\t"


def table_text(path: Path, hint: str) -> str:
    """Return the text of a file in UTF-8, or in UTF-16 with its mark, as Excel saves `Unicode Text`.

    Args:
        path: The file.
        hint: What it should be, for whoever is told that it is not.

    Raises:
        UsageError: It cannot be read, or is in another encoding.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror}", where=path, hint=hint) from error
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            "cannot be read: it is not in UTF-8", where=path, hint=f"save it as `CSV UTF-8`; {hint}"
        ) from error


def delimiter_of(text: str) -> str:
    """Return what stands between the cells: a comma, or the semicolon or tab of spreadsheets that have it for decimals."""
    heading = next((line for line in text.splitlines() if line.strip()), "")
    return max(_DELIMITERS, key=heading.count)
