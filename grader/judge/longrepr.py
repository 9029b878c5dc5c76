"""What pytest says of a suite that it cannot use, without the way there through its own code."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

_ERROR = re.compile(r"E( .*|$)")
_FRAME = re.compile(r"(?P<file>\S.*?):(?P<line>\d+): ")


def shortened(longrepr: str, course: Path) -> str:
    """Return the error alone, after the last place in the course that it passed; all of it where pytest marks no error.

    Args:
        longrepr: pytest's own account.
        course: The folder with all that the course's author wrote.
    """
    lines = longrepr.splitlines()
    error = textwrap.dedent("\n".join(found[1] for line in lines if (found := _ERROR.fullmatch(line)))).strip()
    frames = [found for line in lines if (found := _FRAME.match(line))]
    own = [found for found in frames if Path(found["file"]).resolve().is_relative_to(course.resolve())]
    place = f"line {own[-1]['line']} of {Path(own[-1]['file']).name}: " if own else ""
    return f"{place}{error}" if error else longrepr
