"""A test's request as the message that asks a worker for it."""

from __future__ import annotations

from grader.judge.handles import Handles
from grader.judge.record import Request
from grader.wire.messages import Call, Get, Vjp


def question_of(request: Request, target: str, handles: Handles) -> Call | Get | Vjp:
    """Return the message.

    Args:
        request: What a test asks for.
        target: What the worker knows it by: "module.function", or the name of a method or attribute.
        handles: Knows which objects are alive.

    Raises:
        StudentError: An object of the request went with its process.
    """
    on, args, kwargs = handles.sent((request.on, request.args, request.kwargs))
    number = on.id if on else None
    if request.reads:
        return Get(target, number)
    if request.gradient is not None:
        asked = request.gradient
        return Vjp(target, args, kwargs, number, list(asked.wrt), list(asked.cotangents))
    return Call(target, args, kwargs, number)
