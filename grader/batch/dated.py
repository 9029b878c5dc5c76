"""When a submission was handed in, as far as its files tell: whoever copies them may lose that, and whoever made them may have set it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from grader.gradebook.results import Dated
from grader.intake.base import Submission
from grader.intake.names import shown

_DEPTH = 4


def by_file(submission: Submission) -> Dated:
    """Return the time of an archive or a whole download, or of the youngest of the files that were taken out of a folder."""
    wanted = {name.rpartition("/")[2] for name in submission.files}
    shared = submission.origin is not None and submission.origin.shared
    found = [] if shared else list(_times(submission.source, wanted, _DEPTH))
    times = found or list(_own(submission.source))
    return Dated(shown(submission.place), int(max(times, default=0)), "file")


def _times(path: Path, wanted: set[str], depth: int) -> Iterator[float]:
    if depth < 0:
        return
    with suppress(OSError), os.scandir(path) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _times(Path(entry.path), wanted, depth - 1)
            elif entry.name in wanted and stat.S_ISREG((found := entry.stat(follow_symlinks=False)).st_mode):
                yield found.st_mtime


def _own(path: Path) -> Iterator[float]:
    with suppress(OSError):
        yield path.lstat().st_mtime
