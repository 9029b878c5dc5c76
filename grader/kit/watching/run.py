"""A watch at work: the threads that tell of keys, saves and verdicts, and the one that draws."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from grader.kit.check import working_folder
from grader.kit.lesson import Step
from grader.kit.slips import nothing_here
from grader.kit.state import Kept
from grader.kit.watching.events import Changed, Event, Key
from grader.kit.watching.files import watch
from grader.kit.watching.judging import Judging
from grader.kit.watching.keys import Keys, keys
from grader.kit.watching.screen import Screen
from grader.kit.watching.watching import Watching

_BEAT_SECONDS = 1.0
_KEY_SECONDS = 0.2


def run(lesson: Sequence[Step], kept: Kept, here: Path, language: str, screen: Screen) -> None:
    """Watch until the student quits.

    Args:
        lesson: All exercises.
        kept: How far the student is; where they begin.
        here: The working folder.
        language: `en` or `zh-TW`.
        screen: Where to draw.

    Raises:
        UsageError: None of the student's files are here.
        GraderError: The kit cannot be written to.
    """
    folders = {working_folder(here, step.assignment.course, step.assignment) for step in lesson} - {None}
    if not folders:
        raise nothing_here(here, lesson[0].assignment.course, [step.assignment for step in lesson])
    events: queue.Queue[Event] = queue.Queue()
    stop = threading.Event()
    with Judging(events.put) as judging, keys() as pressed:
        watching = Watching(lesson, kept, here, language, judging)
        threads = [_thread(watch, folder, lambda: events.put(Changed()), stop) for folder in folders]
        threads.append(_thread(_press, pressed, events, stop))
        try:
            watching.begin()
            _loop(watching, events, judging, screen)
        finally:
            stop.set()
            for thread in threads:
                thread.join(2 * _KEY_SECONDS)
    screen.say(watching.goodbye)


def _loop(watching: Watching, events: queue.Queue[Event], judging: Judging, screen: Screen) -> None:
    beat, next_beat = 0, time.monotonic() + _BEAT_SECONDS
    screen.draw(watching.view(beat))
    while not watching.ended:
        fresh = False
        with suppress(queue.Empty):
            fresh = watching.handle(events.get(timeout=max(next_beat - time.monotonic(), 0.01)))
            while not watching.ended:
                fresh |= watching.handle(events.get_nowait())
        if time.monotonic() >= next_beat:
            beat, next_beat = beat + 1, time.monotonic() + _BEAT_SECONDS
            # No way of being told of saves is sure, so the files are read now and then, too.
            fresh |= watching.handle(Changed())
            judging.hurry()
            screen.foot(watching.foot(beat))
        if fresh or screen.resized:
            screen.draw(watching.view(beat))


def _thread(target: object, *arguments: object) -> threading.Thread:
    thread = threading.Thread(target=target, args=arguments, daemon=True)  # type: ignore[arg-type]  # a function of ours
    thread.start()
    return thread


def _press(pressed: Keys, events: queue.Queue[Event], stop: threading.Event) -> None:
    while not stop.is_set():
        try:
            char = pressed.read(_KEY_SECONDS)
        except OSError:  # the terminal is gone
            char = ""
        if char == "":
            events.put(Key("q"))
            return
        if char is not None:
            events.put(Key(char))
