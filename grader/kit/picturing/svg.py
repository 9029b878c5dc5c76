"""A picture as SVG, which needs nothing but itself: no script, no font of others, no request."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from grader.escape.page import html
from grader.heat import colours
from grader.kit.picturing.remarks import column_sums, row_sums
from grader.kit.picturing.sheet import Placed, Sheet
from grader.words import picture as words


def svg(sheet: Sheet) -> str:
    """Return a picture as the text of an SVG file; its description holds every number for whoever does not see it."""
    heard = [line for placed in sheet.panels for line in _heard(placed, sheet.language)]
    return _environment().get_template("picture.svg.j2").render(sheet=sheet, heard=heard, colours=colours)


def _heard(placed: Placed, language: str) -> Iterator[str]:
    panel = placed.panel
    yield placed.side
    for row, (cells, total) in enumerate(zip(panel.table, row_sums(panel), strict=False)):
        yield words.HEARD_ROW(language, row=row, numbers=", ".join(cells[:-1]), sum=total)
    yield words.HEARD_COLUMNS(language, numbers=", ".join(column_sums(panel)))


@cache
def _environment() -> Environment:
    return Environment(
        loader=ChoiceLoader([PackageLoader("grader.kit.picturing"), PackageLoader("grader.heat")]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_inert,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _inert(value: object) -> Markup:
    """What the template prints: tags of its own as they are, and all else as text."""
    return value if isinstance(value, Markup) else Markup(html(str(value)))  # noqa: S704  # `html` leaves no tag in it
