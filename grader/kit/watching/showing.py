"""What a watch knows, as the screen that shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from grader.kit.checked import Checked
from grader.kit.hint import shown
from grader.kit.printed import printed
from grader.kit.status import row, stale_of, standing
from grader.kit.tell import tell
from grader.kit.watching.now import Now
from grader.kit.watching.picture import pictured
from grader.kit.watching.view import Line, Tone, View
from grader.model.verdict import Status
from grader.words import watch as words

_BEATS = "●○"


def view(now: Now, beat: int) -> View:
    """Return the screen as it should be now."""
    language, step = now.language, now.step
    title = step.exercise.title.said_in(language)
    hints = shown(step, now.kept.state, language) if now.shown == "exercise" else []
    more = words.PICTURE_REST if now.shown == "picture" else words.REST
    body = {"exercise": _exercise, "list": _table, "picture": _picture}[now.shown]
    return View(
        Line(
            words.TITLE(language, exercise=step.id, title=title, done=len(now.finished), count=len(now.lesson)), "title"
        ),
        [*_lost(now), *body(now)],
        [*(Line(f"    {text}", "idea") for text in hints), *now.note],
        "  ".join(f"{key} {meaning(language)}" for key, meaning in words.KEYS.items()),
        foot(now, beat),
        lambda count: more(language, count=count, name=step.id),
    )


def foot(now: Now, beat: int) -> str:
    """Return the last line: what is going on, and that this is alive."""
    mark = _BEATS[beat % len(_BEATS)]
    if now.waiting:
        return f"{mark} {words.CHECKING(now.language)}{'.' * (1 + beat % 3)}"
    if now.last is None:
        return f"{mark} {words.NOTHING_YET(now.language)}"
    folder = now.folder.name if now.folder else ""
    told = words.CHECKED(now.language, folder=folder, time=now.last_at, seconds=now.last.seconds)
    return f"{mark} {told}"


def goodbye(now: Now) -> str:
    """Return what is said at the end."""
    path = now.kept.path.relative_to(now.step.assignment.course).as_posix()
    return words.GOODBYE(now.language, done=len(now.finished), count=len(now.lesson), path=path)


def _lost(now: Now) -> Iterator[Line]:
    if lost := [step.id for step in now.lesson if step.id in now.kept.state.lost]:
        yield Line(words.WAS_FINISHED(now.language, names=", ".join(lost)), "loud")


def _table(now: Now) -> Iterator[Line]:
    width = max(len(step.id) for step in now.lesson)
    stale = stale_of(now.lesson, now.kept.state, now.here)
    for step in now.lesson:
        how = standing(step, now.kept.state, now.here)
        mark = ">" if step is now.step else " "
        tone: Tone = "passed" if step.id in now.kept.state.finished else "plain"
        yield Line(f"{mark} {row(step, how, now.kept.state, now.language, width, stale=stale)}", tone)
    yield Line(words.BACK(now.language), "quiet")


def _picture(now: Now) -> Iterator[Line]:
    yield from pictured(now.checked.get(now.step.id), now.step, now.lesson, now.language)
    yield Line(words.BACK_FROM_PICTURE(now.language), "quiet")


def _exercise(now: Now) -> Iterator[Line]:
    checked = now.checked.get(now.step.id)
    manifest = now.step.assignment.manifest
    if not now.files.get(manifest.id):
        yield Line(words.NO_FILES(now.language, files=" / ".join(manifest.files), folder=now.here), "failed")
    elif checked is not None:
        yield from _toned(checked, tell(checked, now.language, set()))
        yield from (Line(text, "quiet") for text in printed(checked.printed, now.language))
        if checked.passed:
            yield Line(words.FINISHED_NOW(now.language), "passed")


def _toned(checked: Checked, lines: Iterable[str]) -> Iterator[Line]:
    first: Tone = "passed" if checked.passed else "to do" if checked.status is Status.NOT_IMPLEMENTED else "failed"
    for number, text in enumerate(part for line in lines for part in line.split("\n")):
        yield Line(text, first if number == 0 else "idea" if text.startswith("    =>") else "plain")
