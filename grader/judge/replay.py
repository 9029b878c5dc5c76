"""Recorded calls, made again by the course's own code; what always comes out the same is worked out once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from grader.judge.direct import DirectCaller
from grader.judge.record import Call, Outcome, returned_size
from grader.judge.script import Line
from grader.wire.records import replaced
from grader.wire.values import Handle

# For all that one diagnosis remembers. A call that does not fit any more is made again each time.
_ROOM_BYTES = 256 * 1024 * 1024
_NOWHERE = 0  # no object of a submission has this number, nor any place


class Room:
    """How many bytes may still be remembered, by several replays together."""

    def __init__(self, size: int = _ROOM_BYTES) -> None:
        self._left = size

    def takes(self, size: int) -> bool:
        """Whether there is room for so much, which is taken then."""
        fits = size <= self._left
        self._left -= size if fits else 0
        return fits


class Replay:
    """Makes recorded calls again with one caller, and remembers what came of each.

    A call is remembered with all those before it in its test, for what comes of it may depend on them. Where one is not
    known, those before it are made too, so that the objects that it concerns are what they were.

    Args:
        caller: Makes the calls. Its answers depend on what it is asked alone.
        room: Where there is room for what is remembered.
    """

    def __init__(self, caller: DirectCaller, room: Room) -> None:
        self._caller = caller
        self._room = room
        self._known: dict[bytes | None, Outcome] = {}

    def __call__(self, script: Iterable[Line]) -> Iterator[Outcome]:
        """Yield what comes of each call: what was an object of the submission is one of the caller's own now."""
        again, skipped = self._caller.again(), list[Call]()
        for line in script:
            if line.begins:
                again, skipped = self._caller.again(), []
            if line.key in self._known:
                skipped.append(line.call)
                yield _told(self._known[line.key], line)
            else:
                for call in skipped:
                    again(call)
                skipped = []
                yield self._made(line, again(line.call))

    def learn(self, script: Iterable[Line]) -> None:
        """Remember what came of calls that this very caller answered: they need not be made again."""
        for line in script:
            self._keep(line, line.call.outcome)

    def _made(self, line: Line, outcome: Outcome) -> Outcome:
        shared = outcome.sharing(line.call.request)
        self._keep(line, shared)
        return shared

    def _keep(self, line: Line, outcome: Outcome) -> None:
        if line.key is not None and line.key not in self._known and self._room.takes(returned_size(outcome)):
            self._known[line.key] = _placed(outcome, line)


def _placed(outcome: Outcome, line: Line) -> Outcome:
    """Return an outcome with the place in its test for the number of each object."""
    places = line.places
    return _changed(outcome, lambda handle: Handle(places.get(handle.id, _NOWHERE), handle.type))


def _told(known: Outcome, line: Line) -> Outcome:
    """Return a remembered outcome with the numbers that its objects have in this script."""
    numbers = dict(zip(line.places.values(), line.places, strict=True))
    return _changed(known, lambda handle: Handle(numbers.get(handle.id, _NOWHERE), handle.type))


def _changed(outcome: Outcome, change: Callable[[Handle], Handle]) -> Outcome:
    old = outcome.value, outcome.args, outcome.kwargs
    value, args, kwargs = replaced(old, lambda part: change(part) if isinstance(part, Handle) else part)
    return Outcome(value, outcome.raised, args, kwargs)
