"""Options for the installer of packages, such as another index: words that are the same in a shell, a Makefile and a Dockerfile."""

from __future__ import annotations

import re

from grader.model.errors import UsageError

_HARMLESS = re.compile(r"[A-Za-z0-9 _./:=+,~-]*")


def checked(options: str) -> str:
    """Return the options.

    Raises:
        UsageError: A character in them means something to a shell.
    """
    if not _HARMLESS.fullmatch(options):
        raise UsageError(
            f"--pip-options has characters that a shell would take for its own: {options!r}",
            hint="letters, digits, spaces and _ . / : = + , ~ - may stand in it",
        )
    return options
