"""Documents that may be only so large."""

from __future__ import annotations

from collections.abc import Callable, Sequence

# How much is said of each exercise, in characters, where it is too much to say all.
_LENGTHS = (20_000, 8_000, 3_000, 1_000, 300, 80, 0)
_TAIL = " ..."


def shortened(text: str, length: int) -> str:
    """Return text of at most some characters, which says where it was cut."""
    return text if len(text) <= length else text[: max(0, length - len(_TAIL))] + _TAIL[:length]


def fitting(render: Callable[[int], str], most: int, size: Callable[[str], int]) -> str:
    """Return the fullest document that is not too large.

    Args:
        render: Makes one, given how many characters are said of each exercise.
        most: How large it may be.
        size: Tells how large one is.
    """
    made = ""
    for length in _LENGTHS:
        made = render(length)
        if size(made) <= most:
            break
    return made


def in_bytes(text: str) -> int:
    """Return the size of a text as a file."""
    return len(text.encode())


def lines(parts: Sequence[str]) -> str:
    """Return lines as one text, without those that say nothing."""
    return "\n".join(part for part in parts if part)
