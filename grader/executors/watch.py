"""Watches who comes to a cluster and who goes."""

from __future__ import annotations

import threading
from typing import Protocol

from grader.executors.link import Link, LinkError, Worker
from grader.executors.nodes import Nodes
from grader.model.errors import GraderError

_EVERY_SECONDS = 0.5


class Prepare(Protocol):
    """Makes a worker ready."""

    def __call__(self, worker: Worker) -> None:
        """Make it ready.

        Raises:
            GraderError: It is not fit.
        """
        ...


class Watch:
    """Has every worker that comes made ready, in a thread of its own, and tells `Nodes` what becomes of it.

    Args:
        link: The cluster.
        nodes: Who is told.
        prepare: Makes a worker ready.
    """

    def __init__(self, link: Link, nodes: Nodes, prepare: Prepare) -> None:
        self._link, self._nodes, self._prepare = link, nodes, prepare
        self._known: dict[str, str] = {}
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="cluster-watch", daemon=True)

    def start(self) -> None:
        """Look once, and go on looking.

        Raises:
            GraderError: The scheduler is gone.
        """
        self.look()
        self._nodes.check()
        self._thread.start()

    def _watch(self) -> None:
        while not self._end.wait(_EVERY_SECONDS):
            try:
                self.look()
            except Exception as error:  # noqa: BLE001  # whatever it is: nobody else would see a node go
                self._nodes.fail(GraderError(f"the cluster is watched no more: {type(error).__name__}: {error}"))
                return

    def look(self) -> None:
        """Look once."""
        try:
            there = {worker.address: worker for worker in self._link.workers()}
        except LinkError as error:
            self._nodes.fail(
                GraderError(f"the cluster is gone: {error}", hint="the same command goes on where this one ended")
            )
            return
        for address in (*self._nodes.see(there), *(self._known.keys() - there.keys())):
            self._known.pop(address, None)
        for worker in there.values():
            if self._known.get(worker.address) != worker.home and not worker.paused:
                self._known[worker.address] = worker.home
                self._nodes.expect(worker.address)
                threading.Thread(target=self._meet, args=[worker], name="cluster-node", daemon=True).start()

    def _meet(self, worker: Worker) -> None:
        try:
            self._prepare(worker)
        except GraderError as error:
            self._nodes.refuse(error)
        except Exception as error:  # noqa: BLE001  # whatever it is: others would wait for this node for ever
            self._nodes.refuse(GraderError(f"{type(error).__name__}: {error}", where=worker.address))
        else:
            self._nodes.admit(worker)

    def close(self) -> None:
        """Look no more."""
        self._end.set()
        if self._thread.is_alive():
            self._thread.join(_EVERY_SECONDS)
