"""Messages as frames: which fields each kind has, and what each may hold."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from grader.wire.checks import (
    Check,
    anything,
    arguments,
    blob,
    either,
    many,
    mapping,
    natural,
    one_of,
    optional,
    record,
    text,
)
from grader.wire.codec import decode, encode
from grader.wire.decoder import Revive, keep
from grader.wire.encoder import Reduce, refuse
from grader.wire.errors import WireError
from grader.wire.frames import Caps, Frame
from grader.wire.messages import (
    MAX_FLAGS,
    MAX_MESSAGE,
    MAX_SPOTS,
    MAX_TYPES,
    Bounds,
    Call,
    CallBack,
    CallBackResult,
    Failed,
    Failure,
    Flag,
    Get,
    Import,
    Imported,
    Load,
    Loaded,
    Message,
    Release,
    Replace,
    Returned,
    Set,
    Spot,
    Vjp,
)

_MAX_NAME = 200
_MAX_FILES = 64
_MAX_WRT = 255
_MAX_GENERATORS = 1000
_MAX_NUMBER = 2**31
_MAX_BOUND = 2**62

_name = text(_MAX_NAME)
_names = many(_name, 1000)
_on = optional(natural(_MAX_NUMBER))
_keywords = mapping(anything, 255)
_flag = record(Flag, {"file": _name, "line": natural(_MAX_NUMBER), "name": _name})
_spot = record(Spot, {"file": _name, "line": natural(_MAX_NUMBER)})
_failure = record(
    Failure,
    {
        "phase": one_of("import", "call"),
        "types": many(_name, MAX_TYPES),
        "message": text(MAX_MESSAGE),
        "file": optional(_name),
        "line": optional(natural(_MAX_NUMBER)),
        "way": many(_spot, MAX_SPOTS),
    },
)
_bounds = record(Bounds, {field.name: natural(_MAX_BOUND) for field in fields(Bounds)})
_FIELDS: dict[type[Message], dict[str, Check]] = {
    Load: {
        "files": mapping(blob, _MAX_FILES),
        "modules": _names,
        "allowed": _names,
        "forbidden": _names,
        "bounds": _bounds,
        "given": _names,
    },
    Loaded: {"flags": many(_flag, MAX_FLAGS)},
    Import: {"module": _name},
    Imported: {},
    Call: {"target": _name, "args": arguments, "kwargs": _keywords, "on": _on},
    Vjp: {
        "target": _name,
        "args": arguments,
        "kwargs": _keywords,
        "on": _on,
        "wrt": many(either(natural(_MAX_NUMBER), _name), _MAX_WRT),
        "cotangents": many(anything, _MAX_WRT),
    },
    Get: {"target": _name, "on": _on},
    Set: {"target": _name, "value": anything, "on": _on},
    Replace: {"target": _name, "value": anything},
    Release: {"on": natural(_MAX_NUMBER)},
    Returned: {"value": anything, "args": optional(arguments), "kwargs": optional(_keywords)},
    Failed: {"error": _failure},
    CallBack: {"id": natural(_MAX_NUMBER), "args": arguments, "kwargs": _keywords},
    CallBackResult: {"value": anything, "error": optional(_failure), "generators": many(anything, _MAX_GENERATORS)},
}
_KINDS = {kind.kind: kind for kind in _FIELDS}


def to_frame(message: Message, reduce: Reduce = refuse, caps: Caps = Caps()) -> Frame:  # noqa: B008  (it is frozen)
    """Return the frame of a message: its kind, and its fields in the order of `_FIELDS`.

    Raises:
        Unsendable: A value in it does not travel.
        Oversized: Its arrays take more than may be sent.
    """
    found = _fields(message)
    return encode((message.kind, *(found[name] for name in _FIELDS[type(message)])), reduce, caps.payload_bytes)


def from_frame(frame: Frame, revive: Revive = keep) -> Message:
    """Return the message of a frame.

    Raises:
        WireError: It is no message, or a field does not hold what it must.
    """
    found = decode(frame.tree, frame.arrays, revive)
    if not isinstance(found, tuple) or not found or not isinstance(found[0], str) or found[0] not in _KINDS:
        raise WireError("message: must be of a known kind")
    return _checked(_KINDS[found[0]], found[1:])


def _checked(kind: type[Message], found: tuple[object, ...]) -> Message:
    checks = _FIELDS[kind]
    if len(found) != len(checks):
        raise WireError(f"{kind.kind}: must have the fields {', '.join(checks) or 'of none'}")
    made: dict[str, Any] = {}
    name = ""
    try:
        for value, (name, check) in zip(found, checks.items(), strict=True):
            made[name] = check(value)
    except WireError as error:
        raise WireError(f"{kind.kind}: {name} {error}") from None
    return kind(**made)


def _fields(message: Message) -> dict[str, Any]:
    match message:
        case Load():
            return vars(message) | {"bounds": vars(message.bounds)}
        case Loaded():
            return {"flags": [vars(flag) for flag in message.flags]}
        case Failed():
            return {"error": _failure_fields(message.error)}
        case CallBackResult(error=Failure() as error):
            return {"value": message.value, "error": _failure_fields(error), "generators": message.generators}
        case _:
            return vars(message)


def _failure_fields(error: Failure) -> dict[str, Any]:
    return vars(error) | {"way": [vars(spot) for spot in error.way]}
