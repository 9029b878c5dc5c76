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
