"""What goes wrong on the wire, on either end of it."""

from __future__ import annotations


class WireError(Exception):
    """The other side sent something malformed, oversized, unexpected or extra: nothing more it says is believed."""


class ChannelClosed(WireError):  # noqa: N818  (an event, which a caller tells apart from a malformed frame)
    """The other side closed the connection, or died."""


class Unsendable(TypeError):  # noqa: N818  (says what the value is, as TypeError says what the trouble is)
    """This side was given a value that does not travel. Nothing of the message has been sent.

    Args:
        what: The value in words, as in "a list nested more than 32 deep".
    """

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} cannot be sent")
        self.what = what


class Oversized(Unsendable):
    """This side was given more bytes of arrays than the other side accepts. Nothing of the message has been sent.

    Args:
        size: The bytes of all arrays of the message.
        room: The bytes that may be sent.
    """

    def __init__(self, size: int, room: int) -> None:
        super().__init__(f"{mebibytes(size)} MiB of arrays (the limit is {mebibytes(room)} MiB)")
        self.size = size
        self.room = room


def mebibytes(size: int) -> str:
    """Return a number of bytes in MiB, rounded up to a tenth, so that what is over a limit reads as over it."""
    return f"{-(-size * 10 // 2**20) / 10:.15g}"
