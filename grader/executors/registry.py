"""The executors there are."""

from __future__ import annotations

from grader.executors.base import Executor, Kind, Place
from grader.executors.local import Local
from grader.sandbox.base import Level
from grader.sandbox.registry import refuse_below


class _Dask:
    """Judging on a cluster. The nodes say what they give, and not this machine."""

    def level(self, asked: Level | None, minimum: Level) -> Level:
        level = asked or Level.FULL
        refuse_below(level, minimum)
        return level

    def open(self, place: Place) -> Executor:
        from grader.executors.cluster import open_cluster  # noqa: PLC0415  # an extra, and slow to import

        return open_cluster(place)


EXECUTORS: dict[str, Kind] = {"local": Local(), "dask": _Dask()}
