"""A worksheet as a module: answers written down as TOML, asked for as a function's."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from itertools import islice
from types import ModuleType
from typing import Any

from grader.wire.limits import MAX_BITS
from grader.worker.errors import NoAnswer, Unanswered

SUFFIX = ".toml"
_BLANK: tuple[object, ...] = ("", [])
_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_LONG = re.compile(r"\d[\d_]{4000}")
_MOST_ENTRIES, _MOST_LETTERS = 500, 100
_NOTATION = "a shape is written [2, 3, 4], a whole number 1234 or 1_234, and nothing else stands in its line"


def fill(module: ModuleType, text: str, file: str) -> None:
    """Give a module what a worksheet holds: `answer(question, **numbers)`, `student`, whose it says it is, and `entries`, all that stands in it.

    Args:
        module: The module.
        text: The worksheet.
        file: Its name, for the error.

    Raises:
        SyntaxError: It is no TOML. It has the line, and says how answers are written.
    """
    answers = _parsed(text, file)
    student = answers.get("student")
    vars(module)["student"] = student if isinstance(student, str) else ""
    vars(module)["entries"] = [entry[:_MOST_LETTERS] for entry in islice(_entries(answers), _MOST_ENTRIES)]
    vars(module)["answer"] = _asked(answers)


def _entries(answers: dict[str, Any]) -> Iterator[str]:
    """The names of all that a sheet holds, `own.q`, and of what stands in no section."""
    for name, value in answers.items():
        yield from (f"{name}.{inner}" for inner in value) if isinstance(value, dict) and value else (name,)


def _asked(answers: dict[str, Any]) -> Callable[..., object]:
    def answer(question: str, **_numbers: int) -> object:
        """Return what stands in the sheet for a question such as `own.q`: a list, a number or a text.

        Raises:
            Unanswered: Nothing does.
            NoAnswer: It is or holds something that no question asks for, and that does not travel.
        """
        section, _, name = question.partition(".")
        table = answers.get(section)
        value = table.get(name, "") if isinstance(table, dict) else ""
        if (value.strip() if isinstance(value, str) else value) in _BLANK:
            raise Unanswered(question)
        _require_answer(question, value)
        return value

    return answer


def _require_answer(question: str, value: object) -> None:
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, list):
            waiting += each
        elif not isinstance(each, bool | int | float | str):
            kind = "table" if isinstance(each, dict) else type(each).__name__
            raise NoAnswer(f"a {kind} stands at {question}, and no question asks for one: {_NOTATION}")
        elif isinstance(each, int) and each.bit_length() > MAX_BITS:
            raise NoAnswer(f"a number of more than 300 digits stands at {question}, and no answer is as long")


def _parsed(text: str, file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise SyntaxError(f"nested too deeply: {_NOTATION}", (file, 1, 1, None)) from None
    except tomllib.TOMLDecodeError as error:
        said = str(error)
        place = _PLACE.search(said)
        end = text.count("\n") + (not text.endswith("\n"))
        line, column = (int(place[1]), int(place[2])) if place and place[1] else (max(end, 1), 1)
        raise SyntaxError(f"not valid TOML ({_PLACE.sub('', said)}): {_NOTATION}", (file, line, column, None)) from None
    except ValueError:
        # Python reads no decimal number of more digits than a few thousand, and tells no place.
        found = _LONG.search(text)
        line = text.count("\n", 0, found.start()) + 1 if found else 1
        raise SyntaxError(
            f"a number of thousands of digits: no answer is as long; {_NOTATION}", (file, line, 1, None)
        ) from None
