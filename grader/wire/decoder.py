"""From a tree and its arrays to a value, believing nothing.

What is made is plain: `ndarray` and `Tensor` of the base type with memory of their own, and builtin containers. Every
array must be referred to exactly once, so that no two values share memory.
"""

from __future__ import annotations

from collections.abc import Callable
from re import compile as regex
from typing import TypeAlias

from numpy import frombuffer, uint8

from grader.wire import digits, generators, tensors
from grader.wire.arrays import DTYPES, Array
from grader.wire.errors import Unsendable, WireError
from grader.wire.header import Json
from grader.wire.limits import KEYS, MAX_BITS, MAX_BYTES, MAX_NAME
from grader.wire.records import Record
from grader.wire.text import clean
from grader.wire.values import Handle, Lent

Revive: TypeAlias = Callable[["Handle | Lent"], object]

_MAX_COLLISIONS = 16
_PLAIN = frozenset({bool, int, float, type(None)})
_SCALAR = regex(r"(?:[0-9a-f]{2}){1,16}")


def keep(reference: Handle | Lent) -> object:
    """Leave a reference as it is."""
    return reference


class Decoder:
    """Decodes the values of one frame.

    Args:
        arrays: The arrays of the frame. They are given away, not copied.
        revive: Returns what a `Handle` or `Lent` stands for on this side, or raises `WireError`.
    """

    def __init__(self, arrays: list[Array], revive: Revive = keep) -> None:
        self.revive = revive
        self._arrays: dict[Json, Array] = dict(enumerate(arrays))

    def value(self, node: Json) -> object:
        """Return the value a tree stands for.

        Raises:
            WireError: The tree is not one that an `Encoder` writes.
        """
        if type(node) in _PLAIN:
            return node
        if isinstance(node, str):
            return clean(node)
        if not isinstance(node, dict) or len(node) != 1:
            raise WireError("tree: neither a plain value nor one tag with its body")
        ((tag, body),) = node.items()
        if tag not in _TAGS:
            raise WireError(f"tree: unknown tag {tag[:50]!r}")
        return _TAGS[tag](self, body)

    def finish(self) -> None:
        """Check that no array is left.

        Raises:
            WireError: Nothing in the trees refers to one of them.
        """
        if self._arrays:
            raise WireError(f"tree: {len(self._arrays)} arrays to which nothing refers")

    def take(self, at: Json) -> Array:
        """Return the array at one position, which must not have been taken."""
        if type(at) is not int or at not in self._arrays:
            raise WireError("tree: refers to an array that is not there, or for the second time")
        return self._arrays.pop(at)

    def values(self, body: Json) -> list[object]:
        """Return the values of a container's items."""
        if not isinstance(body, list):
            raise WireError("tree: the items of a container must be a list")
        return [self.value(node) for node in body]


def _tuple(decoder: Decoder, body: Json) -> object:
    return tuple(decoder.values(body))


def _dict(decoder: Decoder, body: Json) -> object:
    parts = decoder.values(body)
    keys = parts[::2]
    if len(parts) % 2 or not all(_is_key(key) for key in keys):
        raise WireError("dict: must alternate keys, of types that may be keys, and values")
    # Chosen keys could all have one hash, and a dict of them would take quadratic time.
    if len(keys) - len({hash(key) for key in keys}) > _MAX_COLLISIONS:
        raise WireError("dict: too many keys with the same hash")
    found = dict(zip(keys, parts[1::2], strict=True))
    if len(found) != len(keys):
        raise WireError("dict: a key stands twice")
    return found


def _is_key(key: object) -> bool:
    parts = key if isinstance(key, tuple) else (key,)
    return all(isinstance(part, KEYS) for part in parts)


def _list(decoder: Decoder, body: Json) -> object:
    return decoder.values(body)


def _float(_: Decoder, body: Json) -> object:
    if not isinstance(body, str) or body not in ("nan", "inf", "-inf"):
        raise WireError("float: must be nan, inf or -inf")
    return float(body)


def _int(_: Decoder, body: Json) -> object:
    return digits.read(body, MAX_BITS)


def _complex(decoder: Decoder, body: Json) -> object:
    match decoder.values(body):
        case [float(real), float(imaginary)]:
            return complex(real, imaginary)
        case _:
            raise WireError("complex: must be two floats")


def _bytes(decoder: Decoder, body: Json) -> object:
    array = decoder.take(body)
    if array.dtype != uint8 or array.ndim != 1 or array.nbytes > MAX_BYTES:
        raise WireError(f"bytes: must be one axis of uint8, at most {MAX_BYTES}")
    return array.tobytes()


def _array(decoder: Decoder, body: Json) -> Array:
    array = decoder.take(body)
    # NumPy takes a byte of 2 in a boolean array for true in one place, and for unequal to true in another.
    if array.dtype.kind == "b" and array.size and array.view(uint8).max() > 1:
        raise WireError("array: a bool that is neither 0 nor 1")
    return array


def _scalar(_: Decoder, body: Json) -> object:
    match body:
        case [str(name), str(text)] if name in DTYPES and _SCALAR.fullmatch(text):
            data = bytes.fromhex(text)
        case _:
            raise WireError("scalar: must be a dtype that travels and its bytes")
    if len(data) != DTYPES[name].itemsize or (name == "bool" and data > b"\1"):
        raise WireError(f"scalar: no {name}")
    return frombuffer(data, DTYPES[name])[0]


def _tensor(decoder: Decoder, body: Json) -> object:
    match body:
        case [at, name]:
            return tensors.make(_array(decoder, at), name)
        case _:
            raise WireError("tensor: must be an array and a dtype")


def _generator(_: Decoder, body: Json) -> object:
    return generators.make(body)


def _torch_generator(decoder: Decoder, body: Json) -> object:
    return tensors.generator(decoder.take(body))


def _handle(decoder: Decoder, body: Json) -> object:
    match body:
        case [int(number), str(name)] if _is_id(number) and len(name) <= MAX_NAME:
            return decoder.revive(Handle(number, clean(name)))
        case _:
            raise WireError("handle: must be a number from 0 up and the name of a type")


def _lent(decoder: Decoder, body: Json) -> object:
    if not isinstance(body, int) or not _is_id(body):
        raise WireError("lent: must be a number from 0 up")
    return decoder.revive(Lent(body))


def _record(decoder: Decoder, body: Json) -> object:
    match decoder.values(body):
        case [str(name), *parts] if len(parts) % 2 == 0:
            fields = {
                field: part for field, part in zip(parts[::2], parts[1::2], strict=True) if isinstance(field, str)
            }
        case _:
            raise WireError("record: must be a name, and then alternate names of fields and values")
    if 2 * len(fields) != len(parts):
        raise WireError("record: the name of a field stands twice, or is none")
    try:
        return Record(name, fields)
    except Unsendable as error:
        raise WireError(f"record: {error.what}") from None


def _is_id(number: int) -> bool:
    return type(number) is int and number >= 0


_TAGS: dict[str, Callable[[Decoder, Json], object]] = {
    "list": _list,
    "tuple": _tuple,
    "dict": _dict,
    "float": _float,
    "int": _int,
    "complex": _complex,
    "bytes": _bytes,
    "array": _array,
    "scalar": _scalar,
    "tensor": _tensor,
    "generator": _generator,
    "torch_generator": _torch_generator,
    "handle": _handle,
    "lent": _lent,
    "record": _record,
}
