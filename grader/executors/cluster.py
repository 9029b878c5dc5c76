"""A cluster: each submission is a task of its own, for a node that was chosen for it. The gradebook and the course key stay here."""

from __future__ import annotations

import secrets
import threading
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import ValidationError

from grader.course.assignment import Assignment
from grader.executors import node
from grader.executors.admission import Wanted, prepare_node
from grader.executors.base import Place
from grader.executors.dask_link import connected
from grader.executors.link import Link, LostError
from grader.executors.nodes import AHEAD, Node, Nodes
from grader.executors.packed import packed
from grader.executors.safety import address_of, require_safety
from grader.executors.watch import Watch
from grader.judge.job import Job
from grader.judge.run import Stopped
from grader.model.evidence import Evidence
from grader.pipeline.ground import environment

_PATIENCE_SECONDS = 60.0
_LOOK_EVERY_SECONDS = 0.2
_LEAVE_SECONDS = 5.0


def open_cluster(place: Place) -> ClusterExecutor:
    """Join a cluster.

    Raises:
        UsageError: Dask is not installed, no scheduler was named, or the connection would not be encrypted.
        GraderError: The scheduler cannot be reached, or no node is fit to judge.
    """
    address = address_of(place.scheduler)
    require_safety(address)
    return ClusterExecutor(place, connected(address))


class ClusterExecutor:
    """Judges on the nodes of a cluster.

    A submission whose worker is lost is a fault of ours, after which whoever asked asks once more: it then has a worker to itself, so that
    it takes no other with it, nor is blamed for what another did.

    Args:
        place: What the run is about.
        link: The cluster; it is closed in the end.
        patience: For how many seconds to wait for a node where there is none.

    Raises:
        GraderError: No node is fit to judge.
    """

    def __init__(self, place: Place, link: Link, patience: float = _PATIENCE_SECONDS) -> None:
        environments = {each.id: environment(each.manifest) for each in place.assignments}
        self._wanted = Wanted(secrets.token_hex(8), packed(place.assignments), place.level, environments)
        self._link = link
        self._nodes = Nodes(patience, place.say)
        self._watch = Watch(link, self._nodes, lambda worker: prepare_node(link, worker, self._wanted))
        self._lost: set[bytes] = set()
        try:
            self._watch.start()
            self._nodes.await_first()
        except BaseException:
            self._close()
            raise
        self.jobs = place.jobs or AHEAD * max(1, self._nodes.threads)

    def run(self, job: Job, assignment: Assignment, stop: threading.Event | None = None) -> Evidence:
        """Judge one submission to one assignment, once; see `Executor`."""
        asked = job.model_copy(update={"assignment": Path("assignments") / assignment.id}).model_dump_json()
        stop = stop or threading.Event()
        known = sha256(asked.encode()).digest()
        alone = known in self._lost
        given = self._nodes.give(alone=alone, stop=stop)
        try:
            return Evidence.model_validate_json(self._said(given, asked, stop))
        except LostError as error:
            self._nodes.check()
            self._lost.add(known)
            return Evidence(assignment=assignment.id, problem=given.lost or str(error))
        except ValidationError as error:
            return Evidence(assignment=assignment.id, problem=f"{given.worker.address} gave no result: {error}")
        finally:
            self._nodes.take_back(given, alone=alone)

    def _said(self, given: Node, asked: str, stop: threading.Event) -> str:
        task = self._link.submit(given.worker.address, node.judge, self._wanted.run, asked)
        try:
            while not task.wait(_LOOK_EVERY_SECONDS):
                self._go_on(given, stop)
        except BaseException:
            task.cancel()
            raise
        if said := task.result():
            return said
        raise LostError(f"the worker {given.worker.address} was started anew while it had this submission")

    def _go_on(self, given: Node, stop: threading.Event) -> None:
        if stop.is_set():
            raise Stopped
        self._nodes.check()
        if given.lost:
            raise LostError(given.lost)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def _close(self) -> None:
        """Leave, within a bounded time: whoever pressed ^C waits for no machine that is gone."""
        leaving = threading.Thread(target=self._leave, name="cluster-leave", daemon=True)
        leaving.start()
        leaving.join(_LEAVE_SECONDS)

    def _leave(self) -> None:
        self._watch.close()
        self._link.tell(self._nodes.addresses, node.leave, self._wanted.run)
        self._link.close()
