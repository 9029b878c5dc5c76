"""The nodes that may judge, and whose turn it is."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping

from grader.executors.link import Worker
from grader.judge.run import Stopped
from grader.model.errors import GraderError

_LOOK_EVERY_SECONDS = 0.2
# How many submissions wait at a node for each that it judges, so that none of its threads waits for us.
AHEAD = 3


class Node:
    """A worker that was found fit. Its fields belong to `Nodes`, save `lost`, which anybody may read."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self.busy = 0
        self.kept_free = False
        self.paused_since: float | None = None
        self.lost = ""

    @property
    def load(self) -> float:
        """How much it has to do, for what it is."""
        return self.busy / self.worker.threads

    @property
    def has_room(self) -> bool:
        """Whether it may be given one more."""
        return not self.kept_free and not self.worker.paused and self.busy < AHEAD * self.worker.threads


class Nodes:
    """Those that were found fit, refused, and lost.

    Args:
        patience: For how many seconds a run waits for a node where there is none.
        say: Told of nodes that are refused or lost.
    """

    def __init__(self, patience: float, say: Callable[[str], None]) -> None:
        self._patience, self._say = patience, say
        self._changed = threading.Condition()
        self._fit: dict[str, Node] = {}
        self._refused: dict[str, GraderError] = {}
        self._coming: set[str] = set()
        self._fault: GraderError | None = None
        self._last = time.monotonic()
        self._last_lost = ""

    @property
    def threads(self) -> int:
        """How many submissions the nodes judge at once."""
        with self._changed:
            return sum(node.worker.threads for node in self._fit.values())

    @property
    def addresses(self) -> list[str]:
        """Where those that were found fit are."""
        with self._changed:
            return list(self._fit)

    def expect(self, address: str) -> None:
        """Note that a worker is being looked at."""
        with self._changed:
            self._coming.add(address)

    def admit(self, worker: Worker) -> None:
        """Take a worker that was found fit."""
        with self._changed:
            self._coming.discard(worker.address)
            self._fit[worker.address] = Node(worker)
            self._refused.pop(worker.address, None)
            self._changed.notify_all()

    def refuse(self, error: GraderError) -> None:
        """Note that a worker is not to judge; `where` of the error is its address."""
        address = str(error.where)
        with self._changed:
            self._coming.discard(address)
            self._refused[address] = error
            self._changed.notify_all()
        self._say(f"a node is left out: {address}: {error.message}{f'; {error.hint}' if error.hint else ''}")

    def see(self, there: Mapping[str, Worker]) -> list[str]:
        """Compare what there is with what there was, and return who is gone.

        Who was started anew, or begins nothing for want of memory and does not recover, has lost what it had too.
        """
        with self._changed:
            gone = {
                address: why for address, node in self._fit.items() if (why := self._gone(node, there.get(address)))
            }
            for address, why in gone.items():
                self._lose(self._fit.pop(address), why)
            for address in self._refused.keys() - there.keys():
                del self._refused[address]
            self._last = time.monotonic() if self._fit else self._last
            self._changed.notify_all()
            return list(gone)

    def _gone(self, node: Node, worker: Worker | None) -> str:
        if worker is None or worker.home != node.worker.home:
            return "was lost"
        node.worker = worker
        node.paused_since = (node.paused_since or time.monotonic()) if worker.paused else None
        paused = node.paused_since is not None and time.monotonic() - node.paused_since > self._patience
        return f"had too little memory for {self._patience:.0f} s to begin anything" if paused else ""

    def _lose(self, node: Node, why: str) -> None:
        limit = f" (its limit of memory: {node.worker.memory / 2**20:.0f} MiB)" if node.worker.memory else ""
        node.lost = f"the worker {node.worker.address} {why}{limit}: its log, or that of Dask's nanny, tells more"
        self._last_lost = node.lost
        self._say(f"a node is gone, and others take over: {node.lost}")

    def fail(self, error: GraderError) -> None:
        """Let everybody know that the cluster is gone."""
        with self._changed:
            self._fault = error
            self._changed.notify_all()

    def check(self) -> None:
        """Raise what `fail` was told.

        Raises:
            GraderError: The cluster is gone.
        """
        if self._fault:
            raise self._fault

    def await_first(self) -> None:
        """Wait until the workers that are there have been looked at, and one at least was found fit.

        Raises:
            GraderError: None was.
        """

        def settled() -> bool:
            return bool(self._fault) or (not self._coming and bool(self._fit or self._refused))

        with self._changed:
            self._changed.wait_for(settled, self._patience)
            self.check()
            if not self._fit:
                raise self._none()

    def give(self, *, alone: bool, stop: threading.Event) -> Node:
        """Return the node that has least to do, when one has room; `take_back` makes the room again.

        Args:
            alone: Whether nothing else is to be there meanwhile.
            stop: Set when nothing is wanted any more.

        Raises:
            Stopped: `stop` was set.
            GraderError: There is no node any more.
        """
        with self._changed:
            while True:
                node = self._free(stop)
                if not alone:
                    node.busy += 1
                    return node
                if self._emptied(node, stop):
                    node.busy = 1
                    return node

    def _free(self, stop: threading.Event) -> Node:
        while True:
            self._go_on(stop)
            if free := [node for node in self._fit.values() if node.has_room]:
                return min(free, key=lambda node: node.load)
            self._changed.wait(_LOOK_EVERY_SECONDS)

    def _emptied(self, node: Node, stop: threading.Event) -> bool:
        """Keep a node free of others; return whether it came to have nothing to do, and was not lost before."""
        node.kept_free = True
        try:
            while node.busy and not node.lost:
                self._go_on(stop)
                self._changed.wait(_LOOK_EVERY_SECONDS)
        except BaseException:
            node.kept_free = False
            raise
        return not node.lost

    def _go_on(self, stop: threading.Event) -> None:
        if stop.is_set():
            raise Stopped
        self.check()
        if not self._fit and not self._coming and time.monotonic() - self._last > self._patience:
            raise self._none()

    def take_back(self, node: Node, *, alone: bool) -> None:
        """Note that a node has done what it was given for, one way or the other."""
        with self._changed:
            node.busy -= 1
            if alone:
                node.kept_free = False
            self._changed.notify_all()

    def _none(self) -> GraderError:
        reasons = "; ".join(f"{error.where}: {error.message}" for error in self._refused.values())
        hint = next((error.hint for error in self._refused.values() if error.hint), "")
        if not reasons:
            before = f"; before, {self._last_lost}" if self._last_lost else ""
            return GraderError(
                f"the cluster has no worker that begins anything, and none came within {self._patience:.0f} s{before}",
                hint="`dask worker ADDRESS` starts one; the same command goes on where this one ended",
            )
        return GraderError(f"no node of the cluster can judge: {reasons}", hint=hint)
