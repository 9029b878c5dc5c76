"""Talk goes to stderr, results to stdout."""

from __future__ import annotations

import os
import sys


def say(text: str) -> None:
    """Tell the user something; of several processes only the first one speaks."""
    if os.environ.get("RANK", "0") == "0":
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()


def result(text: str) -> None:
    """Print a result."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
