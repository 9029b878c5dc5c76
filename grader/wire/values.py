"""What stands on the wire for a thing that stays where it is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Handle:
    """An object that lives in the worker.

    Attributes:
        id: Its number there.
        type: The name of its class, as the worker tells it: for messages, no evidence of anything.
    """

    id: int
    type: str


@dataclass(frozen=True, slots=True)
class Lent:
    """A function that lives in the judge, and that the worker may call back."""

    id: int
