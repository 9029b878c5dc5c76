"""Kills judges, zygotes and workers of a running grader, each submission's at most once."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from dataclasses import dataclass, field

from tests.faults.judges import below, judges, servers
from tests.faults.processes import Process, alive, children_by_thread, kill

KINDS = ("judge", "zygote", "worker")
_LOOK_EVERY = 0.004
_WHICH_WORKER = (1, 1, 1, 2)
_LIFE_OF_A_WORKER = 0.4


@dataclass
class _Life:
    """A judge, and what is to happen below it."""

    judge: Process
    server: int
    slot: int
    kind: str
    which: int
    share: float
    since: float
    victim: Process | None = None
    due: float = 0.0
    workers: list[Process] = field(default_factory=list)


class Killer(threading.Thread):
    """Watches a grader and kills at random moments until it has killed often enough.

    A judge is tied to its slot, the thread of the grader that started its server. After a kill the next judge of the
    slot is let be: it may be the second attempt at the same submission, which has only two.

    Args:
        grader: The grader's process number.
        kills: How many processes to kill.
        depth: How far below its judge a worker stands.
        rng: Chooses victims and moments.
    """

    def __init__(self, grader: int, kills: int, depth: int, rng: random.Random) -> None:
        super().__init__(daemon=True)
        self.killed: Counter[str] = Counter()
        self._grader = grader
        self._kills = kills
        self._depth = depth
        self._rng = rng
        self._lives: dict[Process, _Life] = {}
        self._seen: set[Process] = set()
        self._spared: set[int] = set()
        self._lifetime = 1.0

    def run(self) -> None:
        """Kill, until it was often enough or the grader is gone."""
        while self.killed.total() < self._kills and alive(self._grader):
            self._welcome()
            for life in list(self._lives.values()):
                self._attend(life)
            time.sleep(_LOOK_EVERY)

    def _welcome(self) -> None:
        threads = {pid: thread for thread, pids in children_by_thread(self._grader).items() for pid in pids}
        for server in servers(self._grader):
            for judge in judges(server.pid):
                if judge in self._seen:
                    continue
                self._seen.add(judge)
                slot = threads.get(server.pid, 0)
                if slot in self._spared:
                    self._spared.remove(slot)
                else:
                    self._lives[judge] = self._planned(judge, server.pid, slot)

    def _planned(self, judge: Process, server: int, slot: int) -> _Life:
        life = _Life(
            judge,
            server,
            slot,
            self._rng.choice(KINDS),
            self._rng.choice(_WHICH_WORKER),
            self._rng.random(),
            time.monotonic(),
        )
        if life.kind == "judge":
            life.victim, life.due = judge, life.since + life.share * self._lifetime
        return life

    def _attend(self, life: _Life) -> None:
        if alive(life.judge.pid) != life.judge:
            del self._lives[life.judge]
            self._lifetime += ((time.monotonic() - life.since) - self._lifetime) / 8
        elif life.victim is None:
            self._choose(life)
        elif time.monotonic() >= life.due:
            del self._lives[life.judge]
            if kill(life.victim):
                self.killed[life.kind] += 1
                self._spared.add(life.slot)

    def _choose(self, life: _Life) -> None:
        """Find the process that is to die, once it is there."""
        if life.kind == "zygote":
            # The process that goes into the sandbox, or the one that waits outside for it, where there are two.
            above = below(life.server, self._rng.randrange(self._depth - 1))
            life.victim = above[0] if above else None
            span = self._lifetime
        else:
            life.workers += [each for each in below(life.server, self._depth - 1) if each not in life.workers]
            life.victim = life.workers[life.which - 1] if len(life.workers) >= life.which else None
            span = _LIFE_OF_A_WORKER
        life.due = time.monotonic() + life.share * span
