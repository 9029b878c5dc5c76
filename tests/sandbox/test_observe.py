"""What a canary says counts only where it says so; what it does not say counts against the sandbox."""

from __future__ import annotations

import json
import socket
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.model.manifest import Limits
from grader.sandbox.base import GUARANTEES, Death, Output
from grader.sandbox.observe import _ABOUT, Observation, observed

if sys.platform == "linux":
    from grader.worker.probes import PROBES

KILLED = Death("signalled", 9, memory=False)
HELD = dict.fromkeys(_ABOUT, "")


class Pretended:
    """A canary that answers what it is told to, with the task it was given."""

    def __init__(self, answer: bytes, cpu: float = 0.01, death: Death | None = KILLED) -> None:
        self.socket, self._theirs = socket.socketpair()
        self._answer, self._cpu, self._death = answer, cpu, death
        self.task: dict[str, Any] = {}

    def start(self, task: dict[str, Any]) -> Pretended:
        self.task = task
        self.act(task)
        self._theirs.sendall(self._answer)
        self._theirs.close()
        return self

    def act(self, task: dict[str, Any]) -> None: ...

    def cpu_seconds(self) -> float:
        return self._cpu

    def shares_user(self) -> bool:
        return False

    def wait(self, timeout: float) -> Death | None:
        return self._death

    def kill(self) -> None:
        self.socket.close()

    def output(self) -> Output:
        return Output(b"", False)


def _observed(canary: Pretended) -> Observation:
    return observed(canary.start, Limits())


def _says(**changes: str) -> bytes:
    return json.dumps(HELD | {name.replace("_", " "): text for name, text in changes.items()}).encode()


@pytest.mark.skipif(sys.platform != "linux", reason="the probes call the C library of Linux")
def test_every_probe_bears_on_a_guarantee() -> None:
    assert set(PROBES) == set(_ABOUT)
    assert set(_ABOUT.values()) | {"time"} == set(GUARANTEES)


def test_where_everything_was_refused_all_guarantees_hold() -> None:
    assert _observed(Pretended(_says())) == (dict.fromkeys(GUARANTEES, True), ())


@pytest.mark.parametrize("name", _ABOUT)
def test_one_thing_that_was_possible_breaks_its_guarantee_alone(name: str) -> None:
    seen = _observed(Pretended(json.dumps(HELD | {name: "was possible"}).encode()))
    assert [key for key, holds in seen.guarantees.items() if not holds] == [_ABOUT[name]]
    assert seen.findings == (f"{_ABOUT[name]}: was possible",)


@pytest.mark.parametrize("name", _ABOUT)
def test_silence_on_one_thing_breaks_its_guarantee(name: str) -> None:
    answer = {other: "" for other in HELD if other != name}
    seen = _observed(Pretended(json.dumps(answer).encode()))
    assert not seen.guarantees[_ABOUT[name]]
    assert "no answer" in seen.findings[0]


@pytest.mark.parametrize("answer", [b"", b"{", b"[]", b"nonsense", b"[1, 2]", b"3", b'{"a": 1}'])
def test_an_answer_that_is_none_breaks_what_only_a_canary_can_tell(answer: bytes) -> None:
    seen = _observed(Pretended(answer))
    assert not any(holds for name, holds in seen.guarantees.items() if name != "time")


def test_a_file_made_outside_is_seen_by_the_judge_whatever_the_canary_says() -> None:
    class Writing(Pretended):
        def act(self, task: dict[str, Any]) -> None:
            Path(task["planted"]).with_name("left").touch()

    seen = _observed(Writing(_says()))
    assert not seen.guarantees["filesystem"]


def test_a_connection_is_seen_by_the_judge_whatever_the_canary_says() -> None:
    class Connecting(Pretended):
        def act(self, task: dict[str, Any]) -> None:
            socket.create_connection(("127.0.0.1", task["port"])).close()

    seen = _observed(Connecting(_says()))
    assert not seen.guarantees["network"]


def test_a_canary_that_outlives_its_kill_breaks_time() -> None:
    assert not _observed(Pretended(_says(), death=None)).guarantees["time"]


def test_a_cpu_clock_that_cannot_be_read_breaks_cpu() -> None:
    assert not _observed(Pretended(_says(), cpu=0.0)).guarantees["cpu"]


def test_what_was_planted_is_removed() -> None:
    canary = Pretended(_says())
    _observed(canary)
    assert not Path(canary.task["planted"]).parent.exists()
