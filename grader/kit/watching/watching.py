"""What a watch does: events come in, requests to the judge and views go out. No thread, no terminal."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from grader.kit.lesson import Step, current, following
from grader.kit.reset import reset
from grader.kit.state import Kept
from grader.kit.watching import showing
from grader.kit.watching.asking import Asking, Judge
from grader.kit.watching.events import Changed, Done, Event, Key
from grader.kit.watching.now import Now, Shown, lacking
from grader.kit.watching.view import Line, View
from grader.model.errors import GraderError
from grader.words import watch as words


class Watching:
    """One exercise on the screen, and the keys that a student presses.

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
        self.now = Now(lesson, kept, here, language, current(lesson, kept.state))
        self.now.note = [Line(kept.trouble, "ask")] if kept.trouble else []
        self._asking = Asking(self.now, judge, clock)
        self._keys: Mapping[str, Callable[[], None]] = {
            "n": self._next,
            "h": self._hint,
            "l": lambda: self._turn("list"),
            "c": self._asking.everything,
            "r": self._ask_reset,
            "d": lambda: self._turn("picture"),
            "q": self._quit,
        }

    def begin(self) -> None:
        """Check the exercise that was worked on last."""
        self._go_to(self.now.step)

    def handle(self, event: Event) -> bool:
        """Take in what happened; return whether there is something new to show."""
        if isinstance(event, Done):
            return self._asking.done(event)
        if isinstance(event, Changed):
            return self._asking.changed()
        return self._key(event)

    def view(self, beat: int = 0) -> View:
        """Return the screen as it should be now."""
        return showing.view(self.now, beat)

    def foot(self, beat: int) -> str:
        """Return its last line."""
        return showing.foot(self.now, beat)

    @property
    def goodbye(self) -> str:
        """What is said at the end."""
        return showing.goodbye(self.now)

    def _go_to(self, step: Step) -> None:
        now = self.now
        now.step = step
        now.kept.state.current = step.id
        now.kept.save()
        now.shown, now.in_doubt = "exercise", False
        now.files.pop(step.assignment.id, None)
        if lack := lacking(step.assignment):
            now.files[step.assignment.id] = now.read(step.assignment)
            now.say(lack)
            return
        self._asking.changed()

    def _key(self, key: Key) -> bool:
        if self.now.in_doubt:
            self._answer(key.char)
            return True
        act = self._keys.get(key.char.lower())
        if act is None:
            return False
        try:
            act()
        except GraderError as error:
            self.now.say(str(error))
        return True

    def _next(self) -> None:
        now = self.now
        now.note = []
        step = following(now.lesson, now.kept.state, now.step)
        if step is not None:
            self._go_to(step)
        else:
            now.note = [Line(words.ALL_FINISHED(now.language), "passed")]

    def _hint(self) -> None:
        self.now.shown = "exercise"
        self.now.kept.state.one_more_hint(self.now.step.id)
        self.now.kept.save()

    def _turn(self, shown: Shown) -> None:
        """Show something else, or the exercise again."""
        self.now.shown = "exercise" if self.now.shown == shown else shown

    def _ask_reset(self) -> None:
        now, exercise = self.now, self.now.step.exercise
        now.in_doubt, now.shown = True, "exercise"
        names = ", ".join(exercise.names or exercise.artifacts)
        file = now.step.assignment.manifest.file_of(exercise.module) if exercise.names else names
        now.note = [Line(words.RESET(now.language, names=names, file=file), "ask")]

    def _answer(self, char: str) -> None:
        now = self.now
        now.in_doubt = False
        if char.lower() != "y":
            now.note = [Line(words.RESET_NOT(now.language), "quiet")]
            return
        try:
            backup = reset(now.step, now.folder or now.here)
        except GraderError as error:
            now.say(str(error))
            return
        shown_as = backup.relative_to(now.step.assignment.course).as_posix()
        self._asking.changed()
        now.note = [Line(words.RESET_DONE(now.language, name=now.step.id, backup=shown_as), "ask")]

    def _quit(self) -> None:
        self.ended = True
