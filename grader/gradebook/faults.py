"""What SQLite says when it cannot go on, in words that help."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

from grader.model.errors import GraderError

_FAULTS = {
    sqlite3.SQLITE_FULL: ("cannot be written: No space left on device", "make room, or name another --gradebook"),
    sqlite3.SQLITE_READONLY: ("cannot be written to", "see to its permissions, or name another --gradebook"),
    sqlite3.SQLITE_CANTOPEN: ("cannot be opened", "see to the permissions of its folder, or name another --gradebook"),
    sqlite3.SQLITE_BUSY: ("another process has held it for a minute", "wait for it, or name another --gradebook"),
    sqlite3.SQLITE_CORRUPT: ("it is damaged", "put your copy back, or move it away: all will be graded again"),
}
_PRIMARY = 0xFF
_A_LITTLE = 64 * 1024


def fault(error: sqlite3.DatabaseError, path: Path) -> GraderError:
    """Return an error of SQLite's as one of ours."""
    code = getattr(error, "sqlite_errorcode", 0) & _PRIMARY
    # The file that processes share beside a gradebook does not fit either, and of that SQLite says less.
    if code == sqlite3.SQLITE_IOERR and shutil.disk_usage(path.parent).free < _A_LITTLE:
        code = sqlite3.SQLITE_FULL
    message, hint = _FAULTS.get(code, (f"cannot be used: {error}", "name another --gradebook"))
    return GraderError(message, where=path, hint=hint)
