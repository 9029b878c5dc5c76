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
_failure = record(
    Failure,
    {
        "phase": one_of("import", "call"),
        "types": many(_name, MAX_TYPES),
        "message": text(MAX_MESSAGE),
        "file": optional(_name),
        "line": optional(natural(_MAX_NUMBER)),
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
    Returned: {"value": anything, "args": arguments, "kwargs": _keywords},
    Failed: {"error": _failure},
    CallBack: {"id": natural(_MAX_NUMBER), "args": arguments, "kwargs": _keywords},
    CallBackResult: {"value": anything, "error": optional(_failure), "generators": many(anything, _MAX_GENERATORS)},
}
_READERS: dict[str, Check] = {kind.kind: record(kind, checks) for kind, checks in _FIELDS.items()}


def to_frame(message: Message, reduce: Reduce = refuse, caps: Caps = Caps()) -> Frame:  # noqa: B008  (it is frozen)
    """Return the frame of a message.

    Raises:
        Unsendable: A value in it does not travel.
        Oversized: Its arrays take more than may be sent.
    """
    return encode((message.kind, _fields(message)), reduce, caps.payload_bytes)


def from_frame(frame: Frame, revive: Revive = keep) -> Message:
    """Return the message of a frame.

    Raises:
        WireError: It is no message, or a field does not hold what it must.
    """
    match decode(frame.tree, frame.arrays, revive):
        case (str(kind), found) if kind in _READERS:
            try:
                message: Message = _READERS[kind](found)
            except WireError as error:
                raise WireError(f"{kind}: {error}") from None
            return message
        case _:
            raise WireError("message: must be of a known kind")


def _fields(message: Message) -> dict[str, Any]:
    match message:
        case Load():
            return vars(message) | {"bounds": vars(message.bounds)}
        case Loaded():
            return {"flags": [vars(flag) for flag in message.flags]}
        case Failed():
            return {"error": vars(message.error)}
        case CallBackResult(error=Failure() as error):
            return {"value": message.value, "error": vars(error), "generators": message.generators}
        case _:
            return vars(message)
