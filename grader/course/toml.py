"""Read a TOML file into a typed model; every complaint names the file, the place and the remedy."""

from __future__ import annotations

import re
import tomllib
import typing
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from grader.model.errors import CourseError

Model = typing.TypeVar("Model", bound=BaseModel)


def load_toml(path: Path, model: type[Model], schema: str = "manifest") -> Model:
    """Return the file as a `model`.

    Args:
        path: The file.
        model: What it must fit.
        schema: The name by which `grader schema` prints what is allowed.

    Raises:
        CourseError: The file is missing, is not UTF-8 or TOML, or does not fit the model.
    """
    text = _text(path)
    try:
        data = tomllib.loads(text)
    # Beside its own error it lets out what numbers of thousands of digits and nested brackets lead to.
    except (ValueError, RecursionError) as error:
        raise CourseError(
            f"not valid TOML: {error}", where=path, hint="see https://toml.io for the notation"
        ) from error
    try:
        return model.model_validate(data)
    except ValidationError as error:
        # A mistyped key is also a missing one: the typo comes first, for it is the cause.
        details = sorted(error.errors(), key=lambda detail: detail["type"] != "extra_forbidden")
        raise CourseError(
            "; ".join(_complaint(detail, model) for detail in details),
            where=path,
            line=_line_of(text.splitlines(), details[0]["loc"]),
            hint=f"`grader schema {schema}` prints what is allowed",
        ) from error


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError as error:
        raise CourseError(
            "there is no such file", where=path, hint="an assignment is a folder with an assignment.toml"
        ) from error
    except UnicodeDecodeError as error:
        raise CourseError(
            f"byte {error.object[error.start]:#x} at offset {error.start} is not UTF-8",
            where=path,
            hint="save the file as UTF-8",
        ) from error
    except OSError as error:
        raise CourseError(f"cannot be read: {error.strerror}", where=path, hint="see to its permissions") from error


def _complaint(detail: ErrorDetails, model: type[BaseModel]) -> str:
    place = _dotted(detail["loc"])
    if detail["type"] == "extra_forbidden":
        known = _known_keys(model, detail["loc"][:-1])
        close = get_close_matches(str(detail["loc"][-1]), known, n=1)
        return f"unknown key `{place}`" + (
            f"; did you mean `{close[0]}`?" if close else f"; known here: {', '.join(sorted(known))}"
        )
    if detail["type"] == "missing":
        return f"key `{place}` is missing"
    message = detail["msg"].removeprefix("Value error, ")
    return f"`{place}`: {message}" if place else message


def _dotted(location: tuple[int | str, ...]) -> str:
    """`("exercises", 0, "id")` as `exercises[0].id`."""
    dotted = ""
    for part in location:
        dotted += f"[{part}]" if isinstance(part, int) else f".{part}" if dotted else part
    return dotted


def _known_keys(model: type[BaseModel], location: tuple[int | str, ...]) -> list[str]:
    """The keys allowed at `location`, following the fields' types down from `model`."""
    for part in location:
        if isinstance(part, str):
            # The name of a table among others, such as an assignment's, is no field.
            found = (f for name, f in model.model_fields.items() if part in (name, f.alias))
            model = next((each for field in found if (each := _model_in(field.annotation))), model)
    return [field.alias or name for name, field in model.model_fields.items()]


def _model_in(annotation: object) -> type[BaseModel] | None:
    for candidate in (annotation, *typing.get_args(annotation)):
        if isinstance(candidate, type) and issubclass(candidate, BaseModel):
            return candidate
    return None


def _line_of(lines: list[str], location: tuple[int | str, ...]) -> int | None:
    """The line of the key at `location`, else of the table that lacks it; TOML readers keep no positions."""
    found = 0
    for part, index in pairwise((*location, None)):
        if isinstance(part, str):
            found = _find(lines, max(found, 1), part, index) or found
    return found or None


def _find(lines: list[str], start: int, key: str, index: int | str | None) -> int | None:
    """The line of `[[key]]` number `index`, else of `key` between `start` and the next of such tables."""
    tables = [number for number, line in enumerate(lines, start=1) if line.partition("#")[0].strip() == f"[[{key}]]"]
    # A line within a longer text may look like a table, and there may be fewer of them than items.
    if isinstance(index, int) and index < len(tables):
        return tables[index]
    end = next(
        (number for number in range(start + 1, len(lines) + 1) if lines[number - 1].startswith("[[")), len(lines) + 1
    )
    named = re.compile(rf"""[^#]*(?<![\w-]){re.escape(key)}["']?\s*[=.\]]""")
    return next((number for number in range(start, end) if named.match(lines[number - 1])), None)
