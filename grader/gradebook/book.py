"""A gradebook on disk: a SQLite file that any number of processes may read, and one at a time writes."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from grader.gradebook.faults import fault
from grader.gradebook.opening import connected, prepare, transaction
from grader.model.errors import UsageError

FILE_NAME = "gradebook.db"


class Book:
    """An open gradebook. Threads may share it.

    Args:
        path: The file; made, with its folder, where there is none.
        must_exist: Whether a missing file is an error.

    Raises:
        UsageError: It is missing, no gradebook, made by a later version, or cannot be opened.
    """

    def __init__(self, path: Path, *, must_exist: bool = False) -> None:
        self.path = path
        self._turn = threading.RLock()
        if must_exist and not path.is_file():
            raise UsageError("there is no gradebook", where=path, hint="`grader grade` makes one in its --out")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = connected(path)
        except OSError as error:
            raise UsageError(
                f"cannot be made: {error.strerror}", where=path, hint="name another --gradebook"
            ) from error
        try:
            with self._told():
                prepare(self._connection, path)
        except BaseException:
            self._connection.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._turn:
            self._connection.close()

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401  # what SQLite takes
        """Return what a query finds."""
        with self._told():
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Write several things, all or none; others who write wait.

        Raises:
            GraderError: It cannot be written. Then it is as it was.
        """
        with self._told(), transaction(self._connection):
            yield self._connection

    def erase(self) -> None:
        """Write the file anew, so that what was deleted cannot be read out of its free pages."""
        with self._told():
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @contextmanager
    def _told(self) -> Iterator[None]:
        with self._turn:
            try:
                yield
            except sqlite3.DatabaseError as error:
                raise fault(error, self.path) from error
