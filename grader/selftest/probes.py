"""Decide whether an attack got through: one function a kind, each returning what was seen, or None."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from grader.selftest.expectation import ProbeName
from grader.selftest.place import Place
from grader.selftest.reports import Pair
from grader.selftest.tokens import Tokens

# C0 but line feed and tab, DEL, C1, and what turns the direction of writing or draws nothing.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


@dataclass(frozen=True)
class Scene:
    """What is there to see after an attack.

    Args:
        tokens: What was planted.
        place: The attack's surroundings.
        pair: Its reports; None where there are none.
        base: The score of the same submission without the attack.
        row: What was printed about it to the terminal.
        reached: The listeners that somebody reached.
        survivors: Processes that carry the attack's word.
        left: Files that carry it, in folders that all may write to.
        next_to_it: What is wrong with the honest submission after it.
    """

    tokens: Tokens
    place: Place
    pair: Pair | None
    base: float
    row: str
    reached: tuple[str, ...]
    survivors: tuple[str, ...]
    left: tuple[str, ...]
    next_to_it: str | None

    @property
    def texts(self) -> dict[str, str]:
        """All that was written or printed about the attack."""
        reports = {"the report": self.pair.instructor, "the student's report": self.pair.student} if self.pair else {}
        return reports | {"the terminal": self.row}


def _secret(scene: Scene) -> str | None:
    read = [f"{word} in {where}" for where, text in scene.texts.items() for word in scene.tokens.read(text)]
    return f"a planted word was read: {', '.join(read)}" if read else None


def _breach(scene: Scene) -> str | None:
    said = re.search(r"^BREACH.*$", scene.pair.printed if scene.pair else "", flags=re.MULTILINE)
    return f"it says {said.group()[:200]!r}" if said else None


def _marker(scene: Scene) -> str | None:
    written = sorted(path.name for path in scene.place.home.iterdir())
    return f"it wrote outside: {', '.join(written)[:200]}" if written else None


def _connection(scene: Scene) -> str | None:
    return f"it reached a listener: {', '.join(scene.reached)}" if scene.reached else None


def _victim(scene: Scene) -> str | None:
    died = scene.place.victim is not None and scene.place.victim.poll() is not None
    return "another process of the user who grades was killed" if died else None


def _survivor(scene: Scene) -> str | None:
    return f"processes of it live on: {'; '.join(scene.survivors)}" if scene.survivors else None


def _neighbour(scene: Scene) -> str | None:
    return f"the honest submission after it is not graded as before: {scene.next_to_it}" if scene.next_to_it else None


def _input(scene: Scene) -> str | None:
    leaked = scene.pair is not None and scene.tokens.holds_input(scene.pair.student)
    return "a hidden input stands in the student's report" if leaked else None


def _control(scene: Scene) -> str | None:
    found = {where: _CONTROL.search(text) for where, text in scene.texts.items()}
    told = [f"U+{ord(seen.group()):04X} in {where}" for where, seen in found.items() if seen]
    return f"control characters got through: {', '.join(told)}" if told else None


def _gain(scene: Scene) -> str | None:
    score = scene.pair.report.score if scene.pair else None
    return (
        f"it earned {score:g}, {scene.base:g} without the attack" if score is not None and score > scene.base else None
    )


PROBES: Mapping[ProbeName, Callable[[Scene], str | None]] = {
    "secret": _secret,
    "breach": _breach,
    "marker": _marker,
    "connection": _connection,
    "victim": _victim,
    "survivor": _survivor,
    "neighbour": _neighbour,
    "input": _input,
    "control": _control,
    "gain": _gain,
}

# What no attack of whatever kind may bring about where it is stopped.
ALWAYS: tuple[ProbeName, ...] = ("secret", "gain", "survivor", "victim", "neighbour")
