"""Who handed in, as a service tells it: `python -I -m grader.bundle.student SERVICE FILE` prints the id.

A bundle runs it at the service. Due dates and penalties are left to the service, and nothing here reads them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any


def gradescope(metadata: Mapping[str, Any]) -> str:
    """Return the address of the student; of a group that which comes first, whoever of them handed in."""
    return min(str(user["email"]) for user in metadata["users"])


def prairielearn(data: Mapping[str, Any]) -> str:
    """Return the id that the question showed to its student."""
    return str(data["params"]["student"])


READERS: dict[str, Callable[[Mapping[str, Any]], str]] = {"gradescope": gradescope, "prairielearn": prairielearn}


def main() -> None:
    """Print the id."""
    service, file = sys.argv[1:]
    try:
        sys.stdout.write(READERS[service](json.loads(Path(file).read_bytes())) + "\n")
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.exit(f"error: {file} does not say who handed in: {type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
