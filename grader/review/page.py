"""The page that a person reads: every text as it was handed in, with what to look for."""

from __future__ import annotations

import base64
from collections.abc import Sequence

from grader.pages.fill import fill, templates_of
from grader.review.cases import Answer, Case

_PAGES = templates_of("grader.review")
_PAGES.filters["data"] = lambda content: "data:image/png;base64," + base64.b64encode(content).decode()


def as_page(answers: Sequence[Answer], cases: Sequence[Case]) -> str:
    """Return the page. It asks for nothing beside itself, and holds no script."""
    style = "".join(_PAGES.get_template(name).render() for name in ("plain.css", "review.css"))
    page = _PAGES.get_template("review.html.j2")
    return fill(page, style, answers=answers, groups=_grouped(answers), cases=cases)


def _grouped(answers: Sequence[Answer]) -> list[list[Answer]]:
    """Return answers to the same together, as whoever reads them wants to compare them."""
    groups: dict[tuple[str, str], list[Answer]] = {}
    for each in answers:
        groups.setdefault((each.assignment, each.file), []).append(each)
    return list(groups.values())
