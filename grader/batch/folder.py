"""The folder of reports: one run at a time, and known to be writable before anything is graded."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from grader.model.errors import UsageError
from grader.model.report import Report
from grader.pipeline.write import as_json, remove_drafts, write_together
from grader.score.student import for_student

SUMMARY, SHEET = "summary.json", "summary.csv"
_REPORT, _STUDENT = "report.json", "report.student.json"
REPORTS = (_REPORT, _STUDENT)

if sys.platform != "win32":
    import fcntl


@contextmanager
def held(out: Path, ids: Sequence[str]) -> Iterator[None]:
    """Make the folder, hold it for this run alone, and clear away what killed runs left half written.

    Args:
        out: The folder of reports.
        ids: The submissions of the run.

    Raises:
        UsageError: It cannot be written to, or another run is writing there.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        _try(out)
        lock = _lock(out)
    except BlockingIOError as error:
        raise UsageError("another run is writing here", where=out, hint="wait for it, or give another --out") from error
    except OSError as error:
        raise UsageError(f"cannot be written to: {error.strerror}", where=out, hint="give another --out") from error
    try:
        remove_drafts(out, (SUMMARY, SHEET))
        for each in ids:
            remove_drafts(out / each, REPORTS)
        yield
    finally:
        if lock is not None:
            os.close(lock)


def strangers(out: Path, ids: Collection[str]) -> list[str]:
    """Return whose reports of earlier runs lie in the folder, of submissions that are not among `ids`."""
    return sorted(each.parent.name for each in out.glob(f"*/{_REPORT}") if each.parent.name not in ids)


def write_report(out: Path, report: Report) -> None:
    """Write the reports on one submission, both or none.

    Raises:
        GraderError: They cannot be written.
    """
    folder = out / report.submission.id
    try:
        write_together({folder / _STUDENT: as_json(for_student(report)), folder / _REPORT: as_json(report)})
    except BaseException:
        with suppress(OSError):  # only an empty one goes
            folder.rmdir()
        raise


def _try(out: Path) -> None:
    """Make a file and remove it: whether one may is known to the kernel alone."""
    trial = out / f".{SUMMARY}.{os.urandom(8).hex()}"
    trial.touch(exist_ok=False)
    trial.unlink()


if sys.platform == "win32":

    def _lock(out: Path) -> int | None:  # noqa: ARG001 - a folder cannot be locked there
        return None

else:

    def _lock(out: Path) -> int | None:
        """Lock the folder itself: the lock goes with the process, however it ends, and leaves no file."""
        descriptor = os.open(out, os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise
        except OSError:  # a file system without locks; each report is written in one step all the same
            os.close(descriptor)
            return None
        return descriptor
