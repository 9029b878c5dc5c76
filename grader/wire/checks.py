"""What a field of a message may hold. A check returns the value it was given, or raises `WireError`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from grader.wire.errors import WireError

Check: TypeAlias = Callable[[object], Any]


def anything(value: object) -> object:
    """Accept any value that travels."""
    return value


def text(limit: int) -> Check:
    """Accept a string of at most `limit` characters."""

    def check(value: object) -> str:
        if not isinstance(value, str) or len(value) > limit:
            raise WireError(f"must be a string of at most {limit} characters")
        return value

    return check


def one_of(*words: str) -> Check:
    """Accept one of a few words."""

    def check(value: object) -> str:
        if not isinstance(value, str) or value not in words:
            raise WireError(f"must be one of {', '.join(words)}")
        return value

    return check


def natural(limit: int) -> Check:
    """Accept an int from 0 to `limit`."""

    def check(value: object) -> int:
        if type(value) is not int or not 0 <= value <= limit:
            raise WireError(f"must be a number from 0 to {limit}")
        return value

    return check


def optional(inner: Check) -> Check:
    """Accept None, or what `inner` accepts."""
    return lambda value: None if value is None else inner(value)


def either(first: Check, second: Check) -> Check:
    """Accept what one of two checks accepts."""

    def check(value: object) -> Any:  # noqa: ANN401  (what either returns)
        try:
            return first(value)
        except WireError as error:
            other = error
        try:
            return second(value)
        except WireError as error:
            raise WireError(f"{other}, or {error}") from None

    return check


def many(inner: Check, limit: int) -> Check:
    """Accept a list of at most `limit` items, each of which `inner` accepts."""

    def check(value: object) -> list[Any]:
        if not isinstance(value, list) or len(value) > limit:
            raise WireError(f"must be a list of at most {limit}")
        return [inner(item) for item in value]

    return check


def mapping(inner: Check, limit: int) -> Check:
    """Accept a dict from strings to what `inner` accepts, with at most `limit` entries."""

    def check(value: object) -> dict[str, Any]:
        if not isinstance(value, dict) or len(value) > limit or not all(isinstance(key, str) for key in value):
            raise WireError(f"must be a dict with at most {limit} strings for keys")
        return {key: inner(item) for key, item in value.items()}

    return check


def blob(value: object) -> bytes:
    """Accept bytes."""
    if not isinstance(value, bytes):
        raise WireError("must be bytes")
    return value


def arguments(value: object) -> tuple[object, ...]:
    """Accept a tuple."""
    if not isinstance(value, tuple):
        raise WireError("must be a tuple")
    return value


def record(make: Callable[..., Any], fields: dict[str, Check]) -> Check:
    """Accept a dict with exactly the keys of `fields`, and return `make(**values)`."""

    def check(value: object) -> Any:  # noqa: ANN401  (whatever `make` makes)
        if not isinstance(value, dict) or value.keys() != fields.keys():
            raise WireError(f"must have the fields {', '.join(fields) or 'of none'}")
        return make(**{name: _field(name, inner, value[name]) for name, inner in fields.items()})

    return check


def _field(name: str, inner: Check, value: object) -> Any:  # noqa: ANN401  (likewise)
    try:
        return inner(value)
    except WireError as error:
        raise WireError(f"{name} {error}") from None
