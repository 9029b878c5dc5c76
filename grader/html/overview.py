"""The page of a class: what it came to at a glance, and a table of all submissions that its script draws as it is scrolled."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, median
from urllib.parse import quote

from markupsafe import Markup

from grader.escape.island import island
from grader.escape.terminal import line
from grader.graded.read import GradedClass
from grader.html.counted import points
from grader.html.kept import Line, Mistake
from grader.html.page import render
from grader.html.spread import bars
from grader.html.tally import Tally
from grader.html.words import CLASS, SIGN
from grader.model.verdict import Status
from grader.words.status import STATUS

REPORT = "report.html"
_SHOWN = 12
_DRAWN = 50
_SCRIPT = "class.js"
_WORDS = ("showing", "none", "any")


def class_page(graded: GradedClass, tally: Tally, *, language: str) -> str:
    """Return the page of a class.

    Args:
        graded: The class.
        tally: What its reports came to.
        language: The one that is shown first.
    """
    counted = graded.counted is not None
    shares = _shares(tally.lines, counted=counted)
    return render(
        "class.html.j2",
        language=language,
        script=_SCRIPT,
        words=CLASS,
        summary=graded.summary,
        tally=tally,
        counted=counted,
        bars=bars(shares),
        told=_told(tally, shares),
        number=points,
        place=place,
        shown=_SHOWN,
        drawn=_DRAWN,
        data=Markup(island(_data(tally, counted=counted))),  # noqa: S704  # `island` leaves nothing in it that ends the element
    )


def place(student: str) -> str:
    """Return where a student's page lies, relative to that of the class."""
    return f"{quote(student, safe='')}/{REPORT}"


def _shares(lines: Sequence[Line], *, counted: bool) -> list[float]:
    if counted:
        return [
            each.counted / each.counted_points for each in lines if each.counted is not None and each.counted_points
        ]
    return [each.score / each.points for each in lines if each.score is not None and each.points]


def _told(tally: Tally, shares: Sequence[float]) -> list[tuple[str, str]]:
    """The class in a few numbers, by the name of the words for each."""
    told = [("graded", str(len(tally.lines)))]
    if shares:
        told += [("mean", f"{100 * fmean(shares):.1f} %"), ("median", f"{100 * median(shares):.1f} %")]
        told += [("full", str(sum(share >= 1 for share in shares)))]
    ours = sum(each.status.is_ours for each in tally.lines)
    return [*told, *([("faults", str(ours))] if ours else [])]


def _data(tally: Tally, *, counted: bool) -> dict[str, object]:
    """What the script draws from, in lists: names of fields would take most of the room."""
    statuses = [*Status]
    mistakes: list[Mistake] = tally.commonest
    known = {mistake.id: number for number, mistake in enumerate(mistakes)}
    rows = [
        [
            line(each.id),
            statuses.index(each.status),
            each.score,
            _rounded(each.counted) if counted else None,
            each.days_late,
            each.passed,
            each.exercises,
            [known[name] for name in each.mistakes],
            round(each.seconds, 2),
            *([place(each.id)] if line(each.id) != each.id else []),
        ]
        for each in tally.lines
    ]
    return {
        "report": REPORT,
        "counted": counted,
        "points": max((each.points for each in tally.lines), default=0.0),
        "statuses": [[status.value, SIGN[status], *STATUS[status]] for status in statuses],
        "mistakes": [[line(each.id), line(each.en.name), line(each.zh_tw.name)] for each in mistakes],
        "words": {name: list(CLASS[name]) for name in _WORDS},
        "rows": rows,
    }


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, 2)
