"""The picture of an exercise: the matrices that its visible tests saw, beside the right ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.course.assignment import Assignment
from grader.heat.drawn import Drawn, drawn
from grader.kit.check import check, working_folder
from grader.kit.checked import Checked
from grader.kit.choose import choose
from grader.kit.picturing.blocks import Marks, key, plotted
from grader.kit.tell import tell
from grader.model.errors import UsageError
from grader.model.verdict import Suite
from grader.words import picture as words

_NARROWEST = 40


@dataclass(frozen=True)
class Written:
    """The files of a picture, and what is to be said of one that could not be made as it was asked for."""

    files: list[Path]
    note: str = ""


def look(
    assignments: Sequence[Assignment], exercise: str, here: Path, course: Path, *, language: str = "en"
) -> Checked:
    """Run the visible tests of an exercise, for a picture of it.

    Args:
        assignments: All of the course.
        exercise: Its id.
        here: The working folder.
        course: The course, or the kit.
        language: The language of messages, `en` or `zh-TW`.

    Raises:
        UsageError: There is no such exercise, or its tests let nothing be seen, or none of the student's files are here.
        GraderError: Something on our side went wrong.
    """
    assignment, chosen = choose(assignments, exercise)[0]
    folder = working_folder(here, course, assignment)
    if not chosen:
        raise UsageError(f"{exercise} is an assignment: name one exercise", hint=_hint([assignment]))
    if folder is None:
        raise UsageError(
            "none of your files are here", hint="change into the folder that holds them, such as student_template/"
        )
    [checked] = check(assignment, chosen, folder, language=language)
    if not heat_maps(checked) and exercise not in with_picture([assignment]):
        raise UsageError(f"there is no picture of {exercise}: its tests look at no matrix", hint=_hint(assignments))
    return checked


def heat_maps(checked: Checked) -> list[Drawn]:
    """Return what the visible tests of an exercise saw."""
    return [drawn(heat) for test in checked.tests for heat in test.heat_maps]


def nothing_to_see(checked: Checked, language: str) -> list[str]:
    """Return the lines that say why there is no picture: how the exercise stands."""
    return [*tell(checked, language, set()), f"    {words.NO_PICTURE_YET(language)}"]


def picture_lines(checked: Checked, language: str, width: int, marks: Marks) -> Iterator[str]:
    """Yield a picture as lines for a terminal, with what the characters mean at the end.

    Args:
        checked: The exercise; one without a heat map has no line.
        language: `en` or `zh-TW`.
        width: How many columns there are; it is not drawn for fewer than 40.
        marks: The characters to draw with.
    """
    heats = heat_maps(checked)
    for heat in heats:
        yield from plotted(heat, language, max(width, _NARROWEST), marks)
        yield ""
    yield from key(language, max(width, _NARROWEST), marks) if heats else ()


def write(checked: Checked, language: str, folder: Path) -> Written:
    """Write a picture as EXERCISE.svg and, where there is matplotlib, EXERCISE.png.

    Args:
        checked: The exercise, with a heat map.
        language: `en` or `zh-TW`.
        folder: Where to; it is made where it is missing.
    """
    from grader.kit.picturing.png import has_chinese, png  # noqa: PLC0415  # a terminal needs neither
    from grader.kit.picturing.sheet import sheet  # noqa: PLC0415  # likewise
    from grader.kit.picturing.svg import svg  # noqa: PLC0415  # likewise

    heats = heat_maps(checked)
    vector, pixels = folder / f"{checked.exercise}.svg", folder / f"{checked.exercise}.png"
    folder.mkdir(parents=True, exist_ok=True)
    vector.write_text(svg(sheet(checked.exercise, heats, language)), encoding="utf-8", newline="\n")
    try:
        legible = language == "en" or has_chinese()
        pixels.write_bytes(png(sheet(checked.exercise, heats, language if legible else "en")))
    except ImportError:
        return Written([vector], words.NO_MATPLOTLIB(language, name=pixels.name))
    return Written([vector, pixels], "" if legible else words.NO_FONT(language, name=pixels.name))


def with_picture(assignments: Sequence[Assignment]) -> list[str]:
    """Return the exercises of which there is a picture: those whose visible tests show a matrix. Nothing is run."""
    found = {
        exercise
        for assignment in assignments
        for path in assignment.suite(Suite.VISIBLE).glob("test_*.py")
        for exercise in _shown_in(path.read_bytes())
    }
    return [each.id for assignment in assignments for each in assignment.manifest.exercises if each.id in found]


def _shown_in(source: bytes) -> set[str]:
    """The exercises that a file of tests names, where it shows a matrix at all."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    named = [(node.func.id, node.args) for node in calls if isinstance(node.func, ast.Name)]
    if not any(name == "show_heat_map" for name, _ in named):
        return set()
    marked = [arguments[0] for name, arguments in named if name == "exercise" and arguments]
    return {str(each.value) for each in marked if isinstance(each, ast.Constant)}


def _hint(assignments: Sequence[Assignment]) -> str:
    names = with_picture(assignments)
    return f"there is one of: {', '.join(names)}" if names else "no exercise of it has a picture"
