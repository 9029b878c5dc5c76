"""The header of a frame: JSON, held to limits before anything is made of it.

`json` alone accepts too much: other encodings, repeated keys, `NaN`, numbers of any length, nesting up to the
interpreter's limit. All of it is refused here, before the payload is allocated.
"""

from __future__ import annotations

from json import JSONDecoder, JSONEncoder
from math import isfinite
from typing import TypeAlias

from grader.wire.errors import WireError

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

MAX_DEPTH = 128
MAX_NODES = 150_000
MAX_TEXT = 100_000
INT_LIMIT = 2**63
_MAX_DIGITS = len(str(-INT_LIMIT))
_DOUBTFUL_DIGITS = len(str(INT_LIMIT))


def dump(tree: Json) -> bytes:
    """Return `tree` as compact UTF-8 JSON.

    Raises:
        ValueError: A float is not finite; those have a tag of their own.
    """
    return _encode(tree).encode()


def parse(header: bytes | bytearray) -> Json:
    """Return what a header says.

    Raises:
        WireError: It is not JSON in UTF-8, or is larger, deeper or odder than a header may be.
    """
    try:
        tree: Json = _decode(header.decode())
    except RecursionError:
        raise WireError("header: nested too deeply") from None
    except ValueError as error:
        raise WireError(f"header: not JSON in UTF-8: {str(error)[:200]}") from None
    if not _is_small(header):
        _measure(tree)
    return tree


def _is_small(header: bytes | bytearray) -> bool:
    """Whether a header is too short to break a limit: each value takes a byte, and each layer a bracket. Most are."""
    return len(header) <= MAX_TEXT and header.count(b"[") + header.count(b"{") < MAX_DEPTH


def _measure(tree: Json) -> None:
    """Walk the tree layer by layer, without recursion, and raise where it goes too far."""
    seen = 0
    layer = [tree]
    for _ in range(MAX_DEPTH):
        seen += len(layer)
        if seen > MAX_NODES:
            raise WireError(f"header: more than {MAX_NODES} values")
        layer = _below(layer)
        if not layer:
            return
    raise WireError(f"header: nested more than {MAX_DEPTH} deep")


def _below(layer: list[Json]) -> list[Json]:
    """Return the next layer; every frame comes through here, so that a call for each of its nodes would be felt."""
    found: list[Json] = []
    for node in layer:
        kind = type(node)
        if kind is list:
            found += node  # type: ignore[arg-type]  # a list, by its type
        elif kind is dict:
            found += node.values()  # type: ignore[union-attr]  # likewise
        elif kind is str and len(node) > MAX_TEXT:  # type: ignore[arg-type]  # likewise
            raise WireError(f"header: a string of more than {MAX_TEXT} characters")
    return found


def _integer(digits: str) -> int:
    if len(digits) < _DOUBTFUL_DIGITS:
        return int(digits)
    # Checked by length first: the time to convert a number grows with the square of its digits.
    if len(digits) > _MAX_DIGITS or not -INT_LIMIT <= int(digits) < INT_LIMIT:
        raise WireError("header: an integer beyond 64 bits")
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if not isfinite(value):
        raise WireError("header: a number beyond the range of a float")
    return value


def _constant(name: str) -> float:
    raise WireError(f"header: {name} is no JSON")


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise WireError("header: a key stands twice")
    return found


# Bound once, at import: what a submission does to the `json` module later cannot reach them.
_decode = JSONDecoder(
    parse_int=_integer, parse_float=_float, parse_constant=_constant, object_pairs_hook=_object
).decode
_encode = JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")).encode
