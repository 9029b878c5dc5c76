"""Keys, one at a time, without waiting for a line to end."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

_LOOK_EVERY_SECONDS = 0.02
_ESCAPE = "\x1b"
# With these the console of Windows begins a key that is no character.
_PREFIXES = ("\x00", "\xe0")


class Keys(Protocol):
    """Where keys come from."""

    def read(self, seconds: float, /) -> str | None:
        """Return the next key, or None where none was pressed within `seconds`; an empty one where there will be no more."""
        ...


if sys.platform == "win32":
    import msvcrt

    class _Console:
        def read(self, seconds: float, /) -> str | None:
            until = time.monotonic() + seconds
            while not msvcrt.kbhit():
                if time.monotonic() > until:
                    return None
                time.sleep(_LOOK_EVERY_SECONDS)
            char = msvcrt.getwch()
            if char in _PREFIXES:
                msvcrt.getwch()
                return _ESCAPE
            return char

    @contextmanager
    def keys() -> Iterator[Keys]:
        """Read the keys of the console."""
        yield _Console()

else:
    import os
    import select
    import termios
    import tty

    class _Terminal:
        def __init__(self, descriptor: int) -> None:
            self._descriptor = descriptor
            self._typed = ""

        def read(self, seconds: float, /) -> str | None:
            if not self._typed and not self._type(seconds):
                return None
            char, self._typed = self._typed[:1], self._typed[1:]
            return char

        def _type(self, seconds: float) -> bool:
            there, _, _ = select.select([self._descriptor], [], [], seconds)
            if not there:
                self._keep_mode()
                return False
            typed = os.read(self._descriptor, 64).decode(errors="replace")
            # An arrow and its like come as several characters, and mean nothing here.
            self._typed = typed if not typed.startswith(_ESCAPE) else _ESCAPE
            return True

        def _keep_mode(self) -> None:
            """Take keys one at a time again, after a shell that had the terminal meanwhile."""
            if (
                termios.tcgetattr(self._descriptor)[3] & termios.ICANON
                and os.tcgetpgrp(self._descriptor) == os.getpgrp()
            ):
                tty.setcbreak(self._descriptor)

    @contextmanager
    def keys() -> Iterator[Keys]:
        """Read the keys of the terminal, which is afterwards as it was."""
        descriptor = sys.stdin.fileno()
        before = termios.tcgetattr(descriptor)
        try:
            tty.setcbreak(descriptor)
            yield _Terminal(descriptor)
        finally:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
