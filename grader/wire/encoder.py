"""From a value to a tree and its arrays.

The type of a value is read off the object itself, never off what it says of itself, and a subclass of a type that
travels is read by that type's own methods. So an untrusted class has no say in what is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import isfinite
from types import NoneType
from typing import Any, TypeAlias

from numpy import asarray, bool_, frombuffer, ndarray, number, uint8
from numpy.random import Generator

from grader.wire import generators, tensors
from grader.wire.arrays import DTYPES, Array, ready
from grader.wire.errors import Oversized, Unsendable
from grader.wire.frames import Caps
from grader.wire.header import INT_LIMIT, MAX_TEXT, Json
from grader.wire.limits import KEYS, MAX_BITS, MAX_BYTES, MAX_NAME, MAX_NESTING, MAX_VALUES
from grader.wire.records import Record, fields_of, name_of
from grader.wire.text import clean
from grader.wire.values import Handle, Lent

Reduce: TypeAlias = Callable[[object], "Handle | Lent | Record"]


def refuse(value: object) -> Handle | Lent | Record:
    """Refuse a value of a type that does not travel.

    Raises:
        Unsendable: Always. The message names the type.
    """
    raise Unsendable(f"a value of type {type(value).__qualname__}")


class Encoder:
    """Encodes the values of one frame.

    Args:
        reduce: Given an object of a type that does not travel, returns what stands for it, or raises `Unsendable`.
        room: The bytes that the arrays may take together. Those beyond it are counted and left out.
    """

    def __init__(self, reduce: Reduce = refuse, room: int = Caps().payload_bytes) -> None:
        self.arrays: list[Array] = []
        self.size = 0
        self._reduce = reduce
        self._room = room
        self._values = 0
        self._depth = 0

    def tree(self, value: object) -> Json:
        """Return the tree of one value; its arrays are added to `arrays`.

        Raises:
            Unsendable: The value, or something within it, does not travel.
        """
        self._values += 1
        if self._values > MAX_VALUES:
            raise Unsendable(f"more than {MAX_VALUES} values outside arrays")
        kind = type(value)
        known = _EXACT.get(kind)
        return self._derived(kind, value) if known is None else known(self, value)

    def add(self, array: Array) -> int:
        """Take an array into the frame, and return its position.

        One that has no room any more is counted all the same: whoever returned too much is told how much it was.
        """
        try:
            carried = ready(array, self._room - self.size)
        except Oversized as error:
            self.size += error.size
            return 0
        self.size += carried.nbytes
        self.arrays.append(carried)
        return len(self.arrays) - 1

    def within(self, kind: str, items: Iterable[object]) -> list[Json]:
        """Return the trees of the items of a container."""
        self._depth += 1
        if self._depth > MAX_NESTING:
            raise Unsendable(f"a {kind} nested more than {MAX_NESTING} deep")
        nodes = [self.tree(item) for item in items]
        self._depth -= 1
        return nodes

    def _derived(self, kind: type, value: object) -> Json:
        if issubclass(kind, bool_ | number):
            return _scalar(value)
        if tensors.is_tensor(kind):
            array, name = tensors.take(value)
            return {"tensor": [self.add(array), name]}
        if tensors.is_generator(kind):
            return {"torch_generator": self.add(tensors.state(value))}
        for base in _BASES:
            if issubclass(kind, base):
                return _EXACT[base](self, value)
        return self.tree(self._reduce(value))


def _same(_: Encoder, value: Any) -> Json:  # noqa: ANN401  (None, True or False)
    return value  # type: ignore[no-any-return]  # likewise


def _int(_: Encoder, value: Any) -> Json:  # noqa: ANN401  (an int or of a subclass; so below)
    number = int.__int__(value)
    if -INT_LIMIT <= number < INT_LIMIT:
        return number
    if number.bit_length() > MAX_BITS:
        raise Unsendable(f"an int of {number.bit_length()} bits (the limit is {MAX_BITS})")
    return {"int": hex(number)}


def _float(_: Encoder, value: Any) -> Json:  # noqa: ANN401
    number = float.__float__(value)
    return number if isfinite(number) else {"float": repr(number)}


def _complex(encoder: Encoder, value: Any) -> Json:  # noqa: ANN401
    number = complex.__complex__(value)
    return {"complex": [_float(encoder, number.real), _float(encoder, number.imag)]}


def _str(_: Encoder, value: Any) -> Json:  # noqa: ANN401
    if str.__len__(value) > MAX_TEXT:
        raise Unsendable(f"a string of {str.__len__(value)} characters (the limit is {MAX_TEXT})")
    return clean(str.__str__(value))


def _bytes(encoder: Encoder, value: Any) -> Json:  # noqa: ANN401
    if bytes.__len__(value) > MAX_BYTES:
        raise Unsendable(f"bytes of length {bytes.__len__(value)} (the limit is {MAX_BYTES})")
    return {"bytes": encoder.add(frombuffer(bytes.__bytes__(value), uint8))}


def _list(encoder: Encoder, value: Any) -> Json:  # noqa: ANN401
    return {"list": encoder.within("list", list.__iter__(value))}


def _tuple(encoder: Encoder, value: Any) -> Json:  # noqa: ANN401
    return {"tuple": encoder.within("tuple", tuple.__iter__(value))}


def _dict(encoder: Encoder, value: Any) -> Json:  # noqa: ANN401
    # Keys and values alternate in one flat list.
    return {"dict": encoder.within("dict", _alternating(dict.items(value)))}


def _alternating(items: Iterable[tuple[object, object]]) -> Iterator[object]:
    for key, item in items:
        for part in tuple.__iter__(key) if isinstance(key, tuple) else (key,):
            if not issubclass(type(part), KEYS):
                raise Unsendable(f"a dict with a key of type {type(part).__qualname__}")
        yield key
        yield item


def _array(encoder: Encoder, value: Any) -> Json:  # noqa: ANN401
    return {"array": encoder.add(value)}


def _scalar(value: Any) -> Json:  # noqa: ANN401
    # A scalar is written in the tree: a list of a thousand of them must not take a thousand arrays.
    plain = asarray(value)
    if plain.ndim or plain.dtype.name not in DTYPES:
        raise Unsendable(f"a NumPy scalar of dtype {plain.dtype.name[:MAX_NAME]} (only numbers and booleans travel)")
    return {"scalar": [plain.dtype.name, plain.tobytes().hex()]}


def _generator(_: Encoder, value: Any) -> Json:  # noqa: ANN401
    return {"generator": generators.take(value)}


def _handle(_: Encoder, value: Any) -> Json:  # noqa: ANN401
    return {"handle": [value.id, clean(value.type[:MAX_NAME])]}


def _lent(_: Encoder, value: Any) -> Json:  # noqa: ANN401
    return {"lent": value.id}


def _record(encoder: Encoder, value: Any) -> Json:  # noqa: ANN401
    parts = (part for pair in fields_of(value).items() for part in pair)
    return {"record": encoder.within("record", (name_of(value), *parts))}


_EXACT: dict[type, Callable[[Encoder, Any], Json]] = {
    NoneType: _same,
    bool: _same,
    int: _int,
    float: _float,
    complex: _complex,
    str: _str,
    bytes: _bytes,
    list: _list,
    tuple: _tuple,
    dict: _dict,
    ndarray: _array,
    Generator: _generator,
    Handle: _handle,
    Lent: _lent,
    Record: _record,
}
_BASES = (int, float, complex, str, bytes, list, tuple, dict, ndarray, Generator)
