"""Records: what crosses by value of an object of a class that an assignment gives, such as a configuration.

The class itself crosses nowhere. Each side builds an object of its own class of that name, or works on the record as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from operator import is_
from typing import Any, NoReturn

from numpy import ndarray

from grader.wire.errors import Unsendable
from grader.wire.limits import MAX_FIELDS, MAX_NAME

_CONTAINERS = frozenset({list, tuple, dict})
# Most of what a call is made with; a reference is none of these.
PLAIN = frozenset({type(None), bool, int, float, complex, str, bytes, ndarray})


class Record:
    """The name of a class, and the fields of one of its objects as attributes.

    Args:
        name: The name of the class.
        fields: From the name of a field to its value.

    Raises:
        Unsendable: A name is no identifier or begins with an underscore, or there are too many fields.
    """

    __slots__ = ("_fields", "_name")
    _fields: dict[str, Any]
    _name: str

    def __init__(self, name: str, fields: Mapping[str, Any], /) -> None:
        if len(fields) > MAX_FIELDS:
            raise Unsendable(f"a record of {len(fields)} fields (the limit is {MAX_FIELDS})")
        if wrong := [each for each in (name, *fields) if not _is_name(each)]:
            raise Unsendable(f"a record with the name {str(wrong[0])[:MAX_NAME]!r}")
        object.__setattr__(self, "_name", name)
        object.__setattr__(self, "_fields", dict(fields))

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  (whatever the field holds)
        """Return a field."""
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._fields:
            raise AttributeError(f"{self._name} has no field {name}")
        return self._fields[name]

    def __setattr__(self, name: str, _: object) -> NoReturn:
        """Refuse: a record is a value."""
        raise AttributeError(f"{name}: a record cannot be changed")

    def __eq__(self, other: object) -> bool:
        """Return whether both have the same name and the same fields, in any order."""
        return isinstance(other, Record) and (self._name, self._fields) == (other._name, other._fields)

    __hash__ = None  # type: ignore[assignment]  # its fields may hold what has none

    def __repr__(self) -> str:
        return f"{self._name}({', '.join(f'{field}={value!r}' for field, value in self._fields.items())})"

    def __reduce__(self) -> tuple[type[Record], tuple[str, dict[str, Any]]]:
        """Say how to copy it."""
        return Record, (self._name, self._fields)


def name_of(record: Record) -> str:
    """Return the name of the class that a record is of."""
    return record._name  # noqa: SLF001  (the attributes of a record are its fields)


def fields_of(record: Record) -> dict[str, Any]:
    """Return the fields of a record by name."""
    return dict(record._fields)


def taken(name: str, kind: type, value: object) -> Record | None:
    """Return the record of an object, or None where its class is no dataclass.

    Args:
        name: The name under which the class is given.
        kind: The class.
        value: An object of it, or of one derived from it. Its fields are read past what a class has of its own for that.

    Raises:
        AttributeError: A field is missing.
        Unsendable: The class has too many fields, or one whose name begins with an underscore.
    """
    if not is_dataclass(kind):
        return None
    return Record(name, {field.name: object.__getattribute__(value, field.name) for field in fields(kind)})


def replaced(value: Any, change: Callable[[Any], Any], leaving: frozenset[type] = frozenset()) -> Any:  # noqa: ANN401  (any value of the grader's or of a course's own)
    """Return a value in which everything that is neither list, tuple nor dict went through `change`.

    A container of which nothing changed stays the object that it was.

    Args:
        value: The value.
        change: Returns what takes the place of a part.
        leaving: Types of parts that stay as they are: `change` is not asked about them.
    """
    kind = type(value)
    if kind not in _CONTAINERS:
        return change(value)
    old = value.values() if kind is dict else value
    if leaving.issuperset(map(type, old)):
        return value
    new = [item if type(item) in leaving else replaced(item, change, leaving) for item in old]
    if all(map(is_, new, old)):
        return value
    return dict(zip(value, new, strict=True)) if kind is dict else kind(new)


def _is_name(name: object) -> bool:
    return isinstance(name, str) and name.isidentifier() and not name.startswith("_") and len(name) <= MAX_NAME
