"""Whose fault a failed read is."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from grader.intake.base import Problem, Refused
from grader.intake.names import shown
from grader.model.errors import GraderError

_OPENS = "this is no fault of the submission: `chmod -R u+rX` its folder or archive, and grade again"
_DENIED = {errno.EACCES, errno.EPERM}
_OURS = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EIO}


def unreadable(file: str, error: OSError) -> Problem:
    """Return the problem that a failed read of a submission's file or folder is.

    What we may not read is a problem of ours: whoever laid it there for us can mend it, and the student cannot see it.

    Raises:
        GraderError: It is this machine that failed: out of descriptors or memory, or a failing disk.
    """
    if error.errno in _OURS:
        hint = "this is no fault of the submission: see to the machine and grade again"
        raise GraderError(f"cannot be read: {error.strerror}", hint=hint, where=file) from error
    ours = error.errno in _DENIED
    return Problem(
        file, f"it cannot be read: {error.strerror or error}", _OPENS if ours else "hand in again", ours=ours
    )


@contextmanager
def blaming(file: str) -> Iterator[None]:
    """Turn whatever reading an archive raises into `Refused`, for its bytes are the student's.

    The libraries that parse archives raise nearly anything when led astray, so anything counts, save what is ours.
    """
    try:
        yield
    except (Refused, GraderError, MemoryError):
        raise
    except Exception as error:
        # A disk has no invalid places: it was the archive that sent us to one.
        if isinstance(error, OSError) and error.errno != errno.EINVAL:
            problem = unreadable(file, error)
        else:
            reason = shown(str(error)) or type(error).__name__
            problem = Problem(file, f"it is broken: {reason}", "make the archive anew and hand in again")
        raise Refused(problem.file, problem.message, problem.hint) from error
