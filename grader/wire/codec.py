"""A value as a tree of JSON and a list of arrays, and back.

What travels: None, bool, int, float, complex, str, bytes; list, tuple and dict of them, with keys of plain types; arrays
and scalars of NumPy's numeric dtypes; tensors where torch is loaded; random generators; records of any of these; handles and
lent functions.
"""

from __future__ import annotations

from grader.wire.arrays import Array
from grader.wire.decoder import Decoder, Revive, keep
from grader.wire.encoder import Encoder, Reduce, refuse
from grader.wire.errors import Oversized, WireError
from grader.wire.frames import Caps, Frame
from grader.wire.header import Json


def encode(value: object, reduce: Reduce = refuse, room: int = Caps().payload_bytes) -> Frame:
    """Return the tree and the arrays of a value.

    Args:
        value: Anything.
        reduce: Given an object of a type that does not travel, returns the `Handle`, `Lent` or `Record` that stands for it, or
            raises `Unsendable`.
        room: The bytes that the arrays may take together.

    Raises:
        Unsendable: The value, or something within it, does not travel. It is a `TypeError`.
        Oversized: Its arrays take more than `room`.
    """
    encoder = Encoder(reduce, room)
    tree = encoder.tree(value)
    if encoder.size > room:
        raise Oversized(encoder.size, room)
    return Frame(tree, encoder.arrays)


def decode(tree: Json, arrays: list[Array], revive: Revive = keep) -> object:
    """Return the value that a tree and its arrays stand for.

    Args:
        tree: As `header.parse` returns it, so bounded in depth and size.
        arrays: As `arrays.allocate` returns them, filled. They become part of the value.
        revive: Returns what a `Handle` or `Lent` stands for on this side, or raises `WireError`.

    Raises:
        WireError: They are not what `encode` writes.
    """
    decoder = Decoder(arrays, revive)
    try:
        value = decoder.value(tree)
    except RecursionError:  # a caller that is itself deep in calls has less room than the tree may need
        raise WireError("tree: nested too deeply") from None
    decoder.finish()
    return value
