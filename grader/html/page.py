"""A page of a report: a template filled in, with the words of both languages."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from jinja2 import Environment

from grader.html.words import PAGE, SIGN
from grader.pages.fill import fill, templates_of
from grader.words.status import STATUS

_TEMPLATES = files("grader.html") / "templates"


def render(template: str, *, language: str, script: str = "", **names: object) -> str:
    """Return a page.

    Args:
        template: The name of its template.
        language: The one that is shown first; the page holds both.
        script: The file of its script; a page without one may run none.
        names: What the template tells of.
    """
    page = _templates().get_template(template)
    return fill(page, _text("style.css"), script=_text(script) if script else "", language=language, **names)


@cache
def _templates() -> Environment:
    templates = templates_of("grader.html", "grader.heat")
    templates.globals |= {"page": PAGE, "status_words": STATUS, "status_signs": SIGN}
    return templates


@cache
def _text(name: str) -> str:
    return (_TEMPLATES / name).read_text("utf-8")
