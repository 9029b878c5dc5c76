"""Which characters only draw something, and which do something: move a cursor, turn text around, or hide."""

from __future__ import annotations

import re
from collections.abc import Callable

# Letters and marks that draw nothing: with them two names would look the same.
_INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
_WIDE_SPACE = "\u3000"  # the space of Chinese text
_DRAWN = bytes(range(0x20, 0x7F))
# Most text is ASCII and is not looked at one by one.
_SUSPECT = r"[^\x20-\x7e{}]+"


def is_harmless(char: str) -> bool:
    """Whether a character does nothing but draw itself: no control, no mark of direction, no half of a pair."""
    return (char.isprintable() or char == _WIDE_SPACE) and _INVISIBLE.match(char) is None


def spelled_out(text: str, spell: Callable[[str], str], *, keep: str = "") -> str:
    """Return `text` with each character that is not harmless replaced by its spelling; those in `keep` stay."""
    if text.isascii() and not text.encode().translate(None, _DRAWN + keep.encode()):
        return text  # as most is, and this is told ten times as fast

    def spelled(found: re.Match[str]) -> str:
        run = found[0]
        if run.isprintable() and _INVISIBLE.search(run) is None:
            return run
        return "".join(char if is_harmless(char) else spell(char) for char in run)

    return re.sub(_SUSPECT.format(re.escape(keep)), spelled, text)


def as_python(char: str) -> str:
    r"""Return a character as a Python literal spells it: `\x1b`, `\u202e`."""
    return char.encode("unicode_escape").decode()
