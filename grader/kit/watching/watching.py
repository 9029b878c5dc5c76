"""What a watch knows and does: events come in, requests to the judge and views go out. No thread, no terminal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Protocol

from grader.course.assignment import Assignment
from grader.kit.check import Checked, read_files, working_folder
from grader.kit.hint import shown
from grader.kit.lesson import Step, current, following
from grader.kit.reset import reset
from grader.kit.slips import require_packages
from grader.kit.state import Kept
from grader.kit.status import row, standing
from grader.kit.tell import tell
from grader.kit.touched import code_of
from grader.kit.watching.events import Changed, Done, Event, Key
from grader.kit.watching.judging import Asked
from grader.kit.watching.picture import pictured
from grader.kit.watching.view import Line, View
from grader.kit.watching.words import WORDS
from grader.model.errors import GraderError
from grader.model.verdict import Status, most_telling

_BEATS = "●○"


class Judge(Protocol):
    """Whoever judges what is asked, and answers with a `Done`."""

    def ask(self, *asked: Asked) -> None:
        """Have these judged, in the place of all that was asked before."""
        ...


class Watching:
    """One exercise, and how it stands.

    Args:
        lesson: All exercises, in order.
        kept: How far the student is.
        here: The working folder.
        language: `en` or `zh-TW`.
        judge: Judges.
        clock: Tells the time of day, in words.
    """

    def __init__(  # noqa: PLR0913  # the last only for tests
        self,
        lesson: Sequence[Step],
        kept: Kept,
        here: Path,
        language: str,
        judge: Judge,
        *,
        clock: Callable[[], str] = lambda: time.strftime("%H:%M:%S"),
    ) -> None:
        self.ended = False
        self._lesson = lesson
        self._kept = kept
        self._here = here
        self._language = language
        self._words = WORDS[language]
        self._judge = judge
        self._clock = clock
        self._numbers = count(1)
        self._asked: dict[int, Asked] = {}
        self._files: dict[str, dict[str, bytes]] = {}
        self._half: dict[str, bytes] = {}
        self._passed: dict[str, str] = {}
        self._checked: dict[str, Checked] = {}
        self._note: list[Line] = [Line(kept.trouble, "ask")] if kept.trouble else []
        self._listing = False
        self._drawing = False
        self._asking = False
        self._everything: set[str] | None = None
        self._last: Done | None = None
        self._last_at = ""
        self._step = current(lesson, kept.state)

    def begin(self) -> None:
        """Check the exercise that was worked on last."""
        self._go_to(self._step)

    def handle(self, event: Event) -> bool:
        """Take in what happened; return whether there is something new to show."""
        if isinstance(event, Done):
            return self._done(event)
        if isinstance(event, Changed):
            return self._changed()
        return self._key(event)

    # What is asked of the judge.

    def _go_to(self, step: Step) -> None:
        self._step = step
        self._kept.state.current = step.id
        self._kept.save()
        self._listing, self._drawing, self._asking = False, False, False
        self._files.pop(step.assignment.id, None)
        if lacking := _lacking(step.assignment):
            self._files[step.assignment.id] = self._read(step.assignment)
            self._note = lacking
            return
        self._changed()

    def _changed(self) -> bool:
        """Check what a save touches: the exercise on the screen, then those that were finished."""
        assignment = self._step.assignment
        files = self._read(assignment)
        before = self._files.get(assignment.id)
        if files == before or (before is not None and self._is_half_written(files)):
            return False
        self._files[assignment.id] = files
        self._note = [] if before is not None else self._note
        code = code_of(assignment.manifest, files)
        state = self._kept.state
        for name in [name for name in state.lost if name in code and code[name] == self._passed.get(name)]:
            state.note(name, code[name], passed=True)  # it is again as it was when it passed
        # What the exercise on the screen needs is run with it.
        with_it = [self._step.id, *assignment.manifest.prerequisites(self._step.id)]
        owed = [name for name in state.owed(code) if name not in with_it]
        wanted = [each for each in ([self._step.id], owed) if files and each]
        self._ask(*(self._request(assignment, each, files, code) for each in wanted))
        return True

    def _ask(self, *asked: Asked) -> None:
        """Ask for these; what was asked before and is not answered yet was about other files."""
        self._asked = {each.number: each for each in asked}
        self._everything = None
        self._judge.ask(*asked)

    def _is_half_written(self, files: dict[str, bytes]) -> bool:
        """Whether a file is empty that was not so a moment ago, as it is while some editors save."""
        first, self._half = files != self._half, files
        return first and not all(files.values())

    def _request(
        self, assignment: Assignment, exercises: Sequence[str], files: dict[str, bytes], code: dict[str, str]
    ) -> Asked:
        settled = tuple(name for name, known in self._passed.items() if code.get(name) == known)
        return Asked(next(self._numbers), assignment, tuple(exercises), files, settled)

    def _check_all(self) -> None:
        home = self._step.assignment
        there = {step.assignment.id: step.assignment for step in self._lesson}.values()
        requests = [
            Asked(next(self._numbers), assignment, (), files, (), assignment is home)
            for assignment in there
            if not _lacking(assignment) and (files := self._read(assignment))
        ]
        self._note = [Line(self._words.checking_all, "quiet")]
        self._ask(*requests)
        self._everything = {each.id for asked in requests for each in asked.assignment.manifest.exercises}

    def _read(self, assignment: Assignment) -> dict[str, bytes]:
        folder = working_folder(self._here, assignment.course, assignment)
        try:
            return read_files(assignment, folder) if folder else {}
        except OSError:  # an editor is putting another file in its place: there will be one more event
            return dict(self._files.get(assignment.id, {}))

    # What comes back.

    def _done(self, done: Done) -> bool:
        asked = self._asked.pop(done.number, None)
        if asked is None:
            return False
        self._last, self._last_at = done, self._clock()
        if done.problem:
            self._everything = None
            self._note = [Line(text, "failed") for text in done.problem.splitlines()]
            return True
        code = code_of(asked.assignment.manifest, asked.files)
        for checked in done.found:
            self._take(checked, code, asked.exercises)
        self._kept.save()
        if self._everything is not None and self._everything <= self._checked.keys() and not self._asked:
            passed = [name for name in self._everything if self._checked[name].passed]
            told = self._words.checked_all.format(passed=len(passed), count=len(self._everything))
            self._note, self._everything = [Line(told, "title")], None
            self._listing, self._drawing = True, False
        return True

    def _take(self, checked: Checked, code: dict[str, str], exercises: Sequence[str]) -> None:
        name = checked.exercise
        self._checked[name] = checked
        if checked.passed:
            self._passed[name] = code[name]
        # What was only run because another needs it is finished when the student has been there.
        been_there = (*exercises, *self._kept.state.finished, *self._kept.state.lost)
        if not exercises or name in been_there:
            self._kept.state.note(name, code[name], passed=checked.passed)

    # Keys.

    def _key(self, key: Key) -> bool:
        if self._asking:
            self._answer(key.char)
            return True
        act = {
            "n": self._next,
            "h": self._hint,
            "l": self._list,
            "c": self._check_all,
            "r": self._ask_reset,
            "d": self._picture,
            "q": self._quit,
        }.get(key.char.lower())
        if act is None:
            return False
        try:
            act()
        except GraderError as error:
            self._note = [Line(text, "failed") for text in str(error).splitlines()]
        return True

    def _next(self) -> None:
        self._note = []
        step = following(self._lesson, self._kept.state, self._step)
        if step is not None:
            self._go_to(step)
        else:
            self._note = [Line(self._words.all_finished, "passed")]

    def _hint(self) -> None:
        self._listing, self._drawing = False, False
        self._kept.state.one_more_hint(self._step.id)
        self._kept.save()

    def _list(self) -> None:
        self._listing, self._drawing = not self._listing, False

    def _picture(self) -> None:
        self._drawing, self._listing = not self._drawing, False

    def _ask_reset(self) -> None:
        exercise = self._step.exercise
        self._asking, self._listing, self._drawing = True, False, False
        names = ", ".join(exercise.names or exercise.artifacts)
        asked = self._words.reset.format(
            names=names, file=self._step.assignment.manifest.file_of(exercise.module) if exercise.names else names
        )
        self._note = [Line(asked, "ask")]

    def _answer(self, char: str) -> None:
        self._asking = False
        if char.lower() != "y":
            self._note = [Line(self._words.reset_not, "quiet")]
            return
        folder = working_folder(self._here, self._step.assignment.course, self._step.assignment)
        try:
            backup = reset(self._step, folder or self._here)
        except GraderError as error:
            self._note = [Line(text, "failed") for text in str(error).splitlines()]
            return
        shown_as = backup.relative_to(self._step.assignment.course).as_posix()
        self._changed()
        self._note = [Line(self._words.reset_done.format(name=self._step.id, backup=shown_as), "ask")]

    def _quit(self) -> None:
        self.ended = True

    # What is shown.

    def view(self, beat: int = 0) -> View:
        """Return the screen as it should be now."""
        title = self._step.exercise.title.said_in(self._language)
        progress = self._words.progress.format(done=len(self._finished()), count=len(self._lesson))
        plain = not (self._listing or self._drawing)
        hints = [Line(f"    {text}", "idea") for text in self._hints()] if plain else []
        shown = self._table() if self._listing else self._picture_lines() if self._drawing else self._exercise()
        body = [*self._lost(), *shown]
        more = self._words.picture_rest if self._drawing else self._words.more
        keys = "  ".join(f"{key} {meaning}" for key, meaning in self._words.keys)
        return View(
            Line(f"{self._step.id}  {title}  ({progress})", "title"),
            body,
            [*hints, *self._note],
            keys,
            self.foot(beat),
            more.replace("{name}", self._step.id),
        )

    def _finished(self) -> list[str]:
        return [step.id for step in self._lesson if step.id in self._kept.state.finished]

    def _lost(self) -> Iterator[Line]:
        if lost := [step.id for step in self._lesson if step.id in self._kept.state.lost]:
            yield Line(self._words.was_finished.format(names=", ".join(lost)), "loud")

    def _table(self) -> Iterator[Line]:
        width = max(len(step.id) for step in self._lesson)
        for step in self._lesson:
            how = standing(step, self._kept.state, self._here)
            mark = ">" if step is self._step else " "
            tone = "passed" if step.id in self._kept.state.finished else "plain"
            yield Line(f"{mark} {row(step, how, self._kept.state, self._language, width)}", tone)  # type: ignore[arg-type]  # both are tones
        yield Line(self._words.back, "quiet")

    def _picture_lines(self) -> Iterator[Line]:
        checked = self._checked.get(self._step.id)
        yield from pictured(checked, self._step, self._lesson, self._language)
        yield Line(self._words.back_from_picture, "quiet")

    def _exercise(self) -> Iterator[Line]:
        checked = self._checked.get(self._step.id)
        files = self._files.get(self._step.assignment.id)
        if not files:
            manifest = self._step.assignment.manifest
            yield Line(self._words.no_files.format(files=" / ".join(manifest.files), folder=self._here), "failed")
        elif checked is not None:
            yield from _told(checked, tell(checked, self._language, set()))
            if checked.passed:
                yield Line(self._words.finished_now, "passed")

    def _hints(self) -> Iterable[str]:
        return shown(self._step, self._kept.state, self._language)

    def foot(self, beat: int) -> str:
        """Return the last line: what is going on, and that this is alive."""
        mark = _BEATS[beat % len(_BEATS)]
        if self._asked:
            return f"{mark} {self._words.checking}{'.' * (1 + beat % 3)}"
        if self._last is None:
            return f"{mark} {self._words.nothing_yet}"
        folder = working_folder(self._here, self._step.assignment.course, self._step.assignment)
        told = self._words.checked.format(
            folder=folder.name if folder else "", time=self._last_at, seconds=self._last.seconds
        )
        return f"{mark} {told}"

    @property
    def goodbye(self) -> str:
        """What is said at the end."""
        path = self._kept.path.relative_to(self._step.assignment.course).as_posix()
        return self._words.goodbye.format(done=len(self._finished()), count=len(self._lesson), path=path)


def _lacking(assignment: Assignment) -> list[Line]:
    """What to say where a package is missing that an assignment needs."""
    try:
        require_packages(assignment)
    except GraderError as error:
        return [Line(text, "failed") for text in str(error).splitlines()]
    return []


def _told(checked: Checked, lines: Iterable[str]) -> Iterator[Line]:
    status = most_telling(test.status for test in checked.tests)
    first = "passed" if checked.passed else "to do" if status is Status.NOT_IMPLEMENTED else "failed"
    for number, text in enumerate(part for line in lines for part in line.split("\n")):
        yield Line(text, first if number == 0 else "idea" if text.startswith("    =>") else "plain")  # type: ignore[arg-type]  # tones
