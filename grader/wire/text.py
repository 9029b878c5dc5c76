"""Strings that can be printed and written to a file, whatever they held."""

from __future__ import annotations


def clean(text: str) -> str:
    """Return `text` with each lone surrogate replaced by U+FFFD, so that it has a UTF-8 form."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
