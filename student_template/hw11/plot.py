"""`plot`: draw a run's curves again."""

from __future__ import annotations

import argparse

from hw11 import draw, metrics
from hw11.errors import HomeworkError
from hw11.folder import RunFolder
from hw11.say import result


def plot(arguments: argparse.Namespace) -> int:
    """Write loss.png from metrics.csv.

    Raises:
        HomeworkError: There is no such run, nothing is logged yet, or matplotlib is not installed.
    """
    folder = RunFolder(arguments.run)
    counted = folder.read_record()["baselines"]
    rows = metrics.read(folder.metrics)
    if not rows:
        raise HomeworkError(f"{folder.metrics} holds no step yet", hint="train first")
    draw.save(rows, draw.baselines(counted), folder.picture)
    result(str(folder.picture))
    return 0
