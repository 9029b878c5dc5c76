"""A gradebook's file is opened: made or brought up to date, and a stranger's left as it is."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.gradebook.migrations import APPLICATION_ID, MIGRATIONS
from grader.model.errors import UsageError

_PATIENCE_SECONDS = 60.0


def connected(path: Path) -> sqlite3.Connection:
    """Connect to a file, which is made where there is none.

    Raises:
        UsageError: It cannot be opened.
    """
    try:
        return sqlite3.connect(path, timeout=_PATIENCE_SECONDS, isolation_level=None, check_same_thread=False)
    except sqlite3.OperationalError as error:
        raise UsageError(f"cannot be opened: {error}", where=path, hint="name another --gradebook") from error


def prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Make the tables, or bring them up to date.

    Raises:
        UsageError: It is no gradebook, or one of a later version. It is left as it is.
    """
    # A file of a stranger is left as it is: looked at before anything is changed.
    _refuse_strangers(connection, path)
    _patiently(connection, "PRAGMA journal_mode = WAL")
    # What was committed survives the loss of power; what is deleted is overwritten.
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")
    if _age(connection) < len(MIGRATIONS):
        _migrate(connection)
    if _age(connection) > len(MIGRATIONS):
        raise UsageError("a gradebook of a later version of the grader", where=path, hint="use that version")


def _refuse_strangers(connection: sqlite3.Connection, path: Path) -> None:
    try:
        mark = connection.execute("PRAGMA application_id").fetchone()[0]
        empty = not connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_NOTADB:
            raise
        mark, empty = 0, False
    if mark != APPLICATION_ID and not (empty and mark == 0):
        raise UsageError("not a gradebook", where=path, hint="name another --gradebook; this file is left as it is")


def _migrate(connection: sqlite3.Connection) -> None:
    """Bring the tables up to date. Of two processes that find none, one makes them, and the other waits."""
    with transaction(connection):
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        for number in range(_age(connection), len(MIGRATIONS)):
            # Not `executescript`: it would commit what is open.
            for statement in filter(str.strip, MIGRATIONS[number].split(";")):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number + 1}")


def _age(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Write several things, all or none; others who write wait."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _patiently(connection: sqlite3.Connection, statement: str) -> None:
    """Run what SQLite refuses at once, without its usual patience, while another process has the file."""
    until = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            connection.execute(statement)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return
