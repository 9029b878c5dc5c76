"""What a watch asks of its judge, and what it makes of the answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Protocol

from grader.course.assignment import Assignment
from grader.kit.checked import Checked
from grader.kit.touched import code_of
from grader.kit.watching.events import Done
from grader.kit.watching.judging import Asked
from grader.kit.watching.now import Now, lacking
from grader.kit.watching.view import Line
from grader.words import watch as words


class Judge(Protocol):
    """Whoever judges what is asked, and answers with a `Done`."""

    def ask(self, *asked: Asked) -> None:
        """Have these judged, in the place of all that was asked before."""
        ...


class Asking:
    """What was asked, and what passed on which code.

    Args:
        now: What the watch knows.
        judge: Judges.
        clock: Tells the time of day, in words.
    """

    def __init__(self, now: Now, judge: Judge, clock: Callable[[], str]) -> None:
        self._now = now
        self._judge = judge
        self._clock = clock
        self._numbers = count(1)
        self._half: dict[str, bytes] = {}
        self._passed: dict[str, str] = {}
        self._everything: set[str] | None = None

    def changed(self) -> bool:
        """Check what a save touches: the exercise on the screen, then those that were finished."""
        now = self._now
        assignment = now.step.assignment
        files = now.read(assignment)
        before = now.files.get(assignment.id)
        if files == before or (before is not None and self._is_half_written(files)):
            return False
        now.files[assignment.id] = files
        now.note = [] if before is not None else now.note
        code = code_of(assignment.manifest, files)
        self._restore(code)
        # What the exercise on the screen needs is run with it.
        with_it = [now.step.id, *assignment.manifest.prerequisites(now.step.id)]
        owed = [name for name in now.kept.state.owed(code) if name not in with_it]
        wanted = [each for each in ([now.step.id], owed) if files and each]
        self._ask(*(self._request(assignment, each, files, code) for each in wanted))
        return True

    def everything(self) -> None:
        """Check all exercises of which there are files."""
        now = self._now
        home = now.step.assignment
        there = {step.assignment.id: step.assignment for step in now.lesson}.values()
        requests = [
            Asked(next(self._numbers), assignment, (), files, (), assignment is home, now.language)
            for assignment in there
            if not lacking(assignment) and (files := now.read(assignment))
        ]
        now.note = [Line(words.CHECKING_ALL(now.language), "quiet")]
        self._ask(*requests)
        self._everything = {each.id for asked in requests for each in asked.assignment.manifest.exercises}

    def done(self, done: Done) -> bool:
        """Take in an answer; return whether it was waited for."""
        now = self._now
        asked = now.waiting.pop(done.number, None)
        if asked is None:
            return False
        now.last, now.last_at = done, self._clock()
        if done.problem:
            self._everything = None
            now.say(done.problem)
            return True
        code = code_of(asked.assignment.manifest, asked.files)
        for checked in done.found:
            self._take(checked, code, asked.exercises)
        now.kept.save()
        self._tell_of_everything()
        return True

    def _restore(self, code: dict[str, str]) -> None:
        """What is again as it was when it passed is finished again, and not run for that."""
        state = self._now.kept.state
        for name in [name for name in state.lost if name in code and code[name] == self._passed.get(name)]:
            state.note(name, code[name], passed=True)

    def _ask(self, *asked: Asked) -> None:
        """Ask for these; what was asked before and is not answered yet was about other files."""
        self._now.waiting = {each.number: each for each in asked}
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
        return Asked(next(self._numbers), assignment, tuple(exercises), files, settled, language=self._now.language)

    def _take(self, checked: Checked, code: dict[str, str], exercises: Sequence[str]) -> None:
        name, state = checked.exercise, self._now.kept.state
        self._now.checked[name] = checked
        if checked.passed:
            self._passed[name] = code[name]
        # What was only run because another needs it is finished when the student has been there.
        been_there = (*exercises, *state.finished, *state.lost)
        if not exercises or name in been_there:
            state.note(name, code[name], passed=checked.passed, failing=checked.failing)

    def _tell_of_everything(self) -> None:
        now, everything = self._now, self._everything
        if everything is None or now.waiting or not everything <= now.checked.keys():
            return
        passed = [name for name in everything if now.checked[name].passed]
        told = words.CHECKED_ALL(now.language, passed=len(passed), count=len(everything))
        now.note, now.shown, self._everything = [Line(told, "title")], "list", None
