"""Text in columns of a terminal, where a Chinese character takes two."""

from __future__ import annotations

# From the radicals of Chinese on.
_WIDE = 0x2E80


def is_wide(char: str) -> bool:
    """Whether a character takes two columns."""
    return ord(char) >= _WIDE


def width(text: str) -> int:
    """Return how many columns a text takes."""
    return sum(1 + is_wide(char) for char in text)


def left(text: str, columns: int) -> str:
    """Return a text with spaces after it, up to a width."""
    return text + " " * (columns - width(text))


def right(text: str, columns: int) -> str:
    """Return a text with spaces before it, up to a width."""
    return " " * (columns - width(text)) + text
