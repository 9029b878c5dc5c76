"""The command line. Before anything else it says so where Python is too old: what is imported next could not even be read by it."""

from __future__ import annotations

import sys

OLDEST = (3, 11)


def refuse_an_old_python(version: tuple[int, int]) -> None:
    """End with a remedy, if a version of Python is older than what the grader needs."""
    if version < OLDEST:
        needed, found = (".".join(map(str, each)) for each in (OLDEST, version))
        raise SystemExit(
            f"error: rowwise needs Python {needed} or newer, and this is {found} ({sys.executable})\n"
            "hint: install a newer one from https://www.python.org, make an environment with it "
            "(python3 -m venv .venv), and install rowwise there"
        )


refuse_an_old_python(sys.version_info[:2])
