"""What a program is told of a run: a JSON object a line, for each submission as it is finished."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from grader.batch.finished import Finished
from grader.escape.record import inert
from grader.model.errors import GraderError


class Machine:
    """Tells a program of each submission. That it reads no more stops no class; it is told in the end.

    Args:
        tell: Told of each submission, as a line.
        out: Where reports go.
    """

    def __init__(self, tell: Callable[[str], None], out: Path) -> None:
        self._tell, self._out = tell, out
        self._fault: GraderError | None = None

    def __call__(self, each: Finished) -> None:
        """Tell of one submission."""
        if self._fault is None:
            try:
                self._tell(as_json_line(each, self._out))
            except GraderError as error:
                self._fault = error

    def close(self) -> None:
        """Raise what kept it from telling everything.

        Raises:
            GraderError: Nobody reads it any more.
        """
        if self._fault is not None:
            raise self._fault


def as_json_line(each: Finished, out: Path) -> str:
    """Return one submission as one line of ASCII: no name in it ends a line or acts on a terminal."""
    row = each.row
    fields = {
        "id": row.id,
        "status": row.status,
        "score": row.score,
        "points": row.points,
        "exercises": row.exercises,
        "how": each.how,
        "why": each.why,
        "seconds": round(each.seconds, 3),
        "report": str(out / row.report),
    }
    return inert(json.dumps(fields))
