"""The arrays of a frame: which dtypes travel, how large they may be, and the memory for them.

A header lists its arrays as `[dtype, shape]`; their bytes follow it in that order, C-contiguous, nothing between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, TypeAlias

from numpy import asarray, dtype, empty, ndarray, uint8

from grader.wire.errors import Oversized, Unsendable, WireError
from grader.wire.header import Json

Array: TypeAlias = "ndarray[Any, dtype[Any]]"

DTYPES: dict[str, dtype[Any]] = {
    name: dtype(name)
    for name in (
        "bool",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "float16",
        "float32",
        "float64",
        "complex64",
        "complex128",
    )
}
_NAMES = {kind: name for name, kind in DTYPES.items()}
_NUMBERS = frozenset({int})
MAX_ARRAYS = 4096
MAX_AXES = 32


def span(shape: Sequence[int], itemsize: int) -> int:
    """Return the bytes an array of `shape` would take if none of its axes were empty.

    This, not the bytes it takes, is what is held to a limit: NumPy refuses `(0, 2**62)`, and so an empty axis must not
    hide a huge one.
    """
    return (prod(shape) or prod(max(axis, 1) for axis in shape)) * itemsize


def flat(array: Array) -> memoryview:
    """Return the bytes of a C-contiguous array, as a writable view."""
    return array.reshape(-1).view(uint8).data


def ready(array: Array, room: int) -> Array:
    """Return `array` as a frame carries it: a plain C-contiguous ndarray in native byte order.

    Args:
        array: Any ndarray; a subclass is reduced to the plain array it holds.
        room: The bytes it may take, checked before a copy is made of a strided or broadcast view.

    Raises:
        Unsendable: Its dtype is not one that travels, or it has too many axes.
        Oversized: It is too large.
    """
    plain = asarray(array)
    native = DTYPES.get(_name(plain.dtype))
    if native is None:
        raise Unsendable(f"an array of dtype {plain.dtype.name[:50]} (only numbers and booleans travel)")
    if plain.ndim > MAX_AXES:
        raise Unsendable(f"an array of {plain.ndim} axes (the limit is {MAX_AXES})")
    size = span(plain.shape, native.itemsize)
    if size > room:
        raise Oversized(size, room)
    copied = asarray(plain, dtype=native, order="C")
    # A byte other than 0 and 1 in a boolean array makes `True != True`; the other side refuses it.
    return asarray(copied.view(uint8) != 0) if native is DTYPES["bool"] else copied


def _name(kind: dtype[Any]) -> str:
    """Return the name of a dtype, which NumPy puts together anew for each that asks: of those that travel it is known."""
    return _NAMES.get(kind) or kind.name


def describe(arrays: Sequence[Array]) -> list[Json]:
    """Return the list of arrays as it stands in a header."""
    return [[_name(array.dtype), list(array.shape)] for array in arrays]


def allocate(listing: Json, payload: int, cap: int) -> list[Array]:
    """Return uninitialised arrays for the payload of a frame, once its header has been found to be honest.

    Args:
        listing: The header's list of `[dtype, shape]`.
        payload: The length of the payload in bytes, which the arrays must fill exactly.
        cap: The bytes that no array may span, and that the caller holds `payload` to.

    Raises:
        WireError: The listing is malformed, or says another length.
    """
    if not isinstance(listing, list) or len(listing) > MAX_ARRAYS:
        raise WireError(f"header: arrays must be a list of at most {MAX_ARRAYS}")
    specs = [_spec(entry, cap) for entry in listing]
    if sum(size for _, _, size in specs) != payload:
        raise WireError("header: the arrays do not add up to the payload")
    return [empty(shape, kind) for kind, shape, _ in specs]


def _spec(entry: Json, cap: int) -> tuple[dtype[Any], tuple[int, ...], int]:
    """Return what an array is made of, and how many bytes it takes."""
    if not isinstance(entry, list) or len(entry) != 2:
        raise WireError("header: an array is [dtype, shape]")
    name, shape = entry
    if not isinstance(name, str) or name not in DTYPES:
        raise WireError(f"header: dtype {str(name)[:50]!r} does not travel")
    if not isinstance(shape, list) or len(shape) > MAX_AXES:
        raise WireError(f"header: a shape is a list of at most {MAX_AXES} numbers")
    axes: tuple[Any, ...] = tuple(shape)
    if not _NUMBERS.issuperset(map(type, axes)) or min(axes, default=0) < 0:
        raise WireError("header: a shape holds something other than numbers from 0 up")
    kind = DTYPES[name]
    size = prod(axes) * kind.itemsize
    if (size or span(axes, kind.itemsize)) > cap:
        raise WireError(f"header: an array larger than {cap} bytes")
    return kind, axes, size
