"""What an honest worker says in place of an answer that does not travel."""

from __future__ import annotations

from grader.wire.codec import encode
from grader.wire.encoder import Reduce
from grader.wire.errors import Oversized, Unsendable, mebibytes
from grader.wire.messages import Answer, Returned
from grader.worker.errors import Unreturnable


def refusal(name: str, answer: Answer, error: Unsendable, reduce: Reduce) -> BaseException:
    """Return what to raise for an answer that cannot be sent.

    Args:
        name: Of the function that was called.
        answer: Its answer.
        error: Why the answer cannot be sent.
        reduce: The channel's.
    """
    alone = _hindrance(answer.value, reduce) if isinstance(answer, Returned) else None
    if not isinstance(error, Oversized):
        # Of the value alone nothing but room for its arrays was wanting.
        left = isinstance(answer, Returned) and isinstance(alone, Oversized | None)
        said = f"left {error.what} in its arguments" if left else f"returned {error.what}"
        return TypeError(f"your code {said}, which cannot be graded")
    value = alone.size if isinstance(alone, Oversized) else 0
    size, more = (value, "") if value > error.room else (error.size, " with those that it left in its arguments")
    most = f"more than the {mebibytes(error.room)} MiB that one call may return"
    return Unreturnable(f"{name} returned {mebibytes(size)} MiB of arrays{more}, {most}")


def _hindrance(value: object, reduce: Reduce) -> Unsendable | None:
    """Return why a value cannot be sent where there is no room for any array: so none is copied, and all are counted."""
    try:
        encode(value, reduce, 0)
    except Unsendable as error:
        return error
    return None
