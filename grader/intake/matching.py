"""Whose a submission is: what its source says of its students, looked up in the roster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from grader.intake.base import Origin, Said, Submission
from grader.intake.discover import refuse_collisions
from grader.intake.ids import safe_id
from grader.intake.names import collision_key, shown
from grader.intake.roster import ID, Roster, Student, name_keys
from grader.model.errors import UsageError

_NAME, _GROUP = "name", "group"
# Columns whose values the course may use as its own ids. Numbers that a system makes up are never tried as one.
_AS_ID = ("sid", "login", "github", "email")


@dataclass(frozen=True)
class Matched:
    """A class and its roster, put together.

    Args:
        submissions: One for each student whose work was handed in, and those of nobody on the roster.
        unmatched: The ids of those.
        absent: Who is on the roster and handed in nothing.
    """

    submissions: list[Submission]
    unmatched: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()


def matched(submissions: Sequence[Submission], roster: Roster) -> Matched:
    """Give each submission the id of its student; work of several becomes a submission of each.

    Raises:
        UsageError: One may be of two students, or two are of one.
    """
    ids = {collision_key(student.folder) for student in roster.students}
    found = [each for submission in submissions for each in _of_its_students(submission, roster, ids)]
    found.sort(key=lambda each: each.id)
    refuse_collisions(found)
    there = {each.id for each in found if _is_matched(each)}
    return Matched(
        found,
        tuple(each.id for each in found if not _is_matched(each)),
        tuple(student.id for student in roster.students if student.folder not in there),
    )


def _is_matched(submission: Submission) -> bool:
    return submission.origin is not None and submission.origin.matched is True


def each_partners(submissions: Sequence[Submission]) -> list[Submission]:
    """Make work of several a submission of each, where no roster tells their ids.

    Raises:
        UsageError: Two have one id.
    """
    found = [each for submission in submissions for each in _apart(submission)]
    found.sort(key=lambda each: each.id)
    refuse_collisions(found)
    return found


def _apart(submission: Submission) -> Iterator[Submission]:
    origin = submission.origin
    if origin is None or len(origin.who) < 2:
        yield submission
        return
    names = list(dict.fromkeys(map(_called, origin.who)))
    for name in names:
        partners = tuple(each for each in names if each != name)
        yield replace(submission, id=safe_id(name), origin=replace(origin, partners=partners))


def _of_its_students(submission: Submission, roster: Roster, ids: set[str]) -> Iterator[Submission]:
    origin = submission.origin or Origin("", submission.source.name)
    owners = list(_owners(submission, origin, roster))
    for student, called in owners:
        partners = tuple(name for other, name in owners if other is not student or name != called)
        known = replace(origin, matched=student is not None, partners=partners)
        yield replace(submission, id=_id(student, called, ids), origin=known)


def _id(student: Student | None, called: str, ids: set[str]) -> str:
    if student is not None:
        return student.folder
    # Whoever is not on the roster must not pass for somebody who is.
    return safe_id(f"unmatched {called}" if collision_key(safe_id(called)) in ids else called)


def _owners(submission: Submission, origin: Origin, roster: Roster) -> Iterator[tuple[Student | None, str]]:
    """Yield each student whose work it is, and what they are called; None for one who is not on the roster."""
    found: dict[str, tuple[Student | None, str]] = {}
    for said in origin.who or ({},):
        if group := _group(said, roster):
            found |= {student.id: (student, student.folder) for student in group}
        elif student := _student(submission, origin, said, roster):
            found[student.id] = (student, student.folder)
        else:
            called = _called(said) if len(origin.who) > 1 else origin.called
            found.setdefault(f"\0{called}", (None, called))
    yield from found.values()


def _called(said: Said) -> str:
    return next((values[0] for values in said.values() if values and values[0]), "")


def _group(said: Said, roster: Roster) -> list[Student]:
    """Return the students of the group whose name it is, where the roster has groups."""
    if _GROUP not in roster.columns or not said.get(_GROUP):
        return []
    names = {key for value in said[_GROUP] for key in name_keys(value)}
    return [student for student in roster.students if names & name_keys(student.get(_GROUP))]


def _student(submission: Submission, origin: Origin, said: Said, roster: Roster) -> Student | None:
    """Return whose work it is, by what tells students apart; only where nothing of that is known, by name."""
    sure = _hits(said, roster, [column for column in said if column not in (_NAME, _GROUP)])
    found = sure or _hits(said, roster, [_NAME])
    if len(found) > 1:
        first, second = list(found.values())[:2]
        what = f"{shown(str(submission.source))} ({shown(origin.called)})"
        raise UsageError(
            f"{what} may be of {first.id!r} or of {second.id!r}",
            where=roster.path,
            line=second.line,
            hint=_hint(said, roster, sure=bool(sure)),
        )
    return next(iter(found.values()), None)


def _hits(said: Said, roster: Roster, columns: Sequence[str]) -> dict[str, Student]:
    found: dict[str, Student] = {}
    for column in columns:
        for value in said.get(column, ()):
            keys = name_keys(value) if column == _NAME else {value}
            places = [ID] if column in _AS_ID and column not in roster.columns else [column]
            hits = [student for place in places for key in sorted(keys) for student in roster.find(place, key)]
            found |= {student.id: student for student in hits}
    return found


def _hint(said: Said, roster: Roster, *, sure: bool) -> str:
    lacking = [column for column in said if column not in roster.columns and column not in (_NAME, _GROUP)]
    if not sure and lacking:
        return f"give the roster a column {lacking[0]}, which tells them apart"
    return "correct the roster, so that only one of them has it"
