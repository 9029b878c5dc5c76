"""When the last commit of a clone was made, without running or believing anything of the clone.

A repository's configuration can name programs that git runs. So git is never run in the clone: it is given an empty
repository of ours that borrows the clone's objects, and the name of the one commit to look at.
Source: gitrepository-layout(5), `objects/info/alternates`; git(1), environment variables.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from shutil import which

from grader.intake.base import Refused
from grader.intake.nofollow import OPENER, opened

_SECONDS = 10
_LONGEST = 1024 * 1024
_COMMIT = re.compile(r"[0-9a-f]{40}")
_REF = re.compile(r"ref: (refs/[\w./-]+)")


def committed(clone: Path) -> datetime | None:
    """Return when the commit that is checked out was made, as whoever made it says; None where that cannot be told."""
    git = which("git")
    if git is None:
        return None
    with suppress(OSError, Refused, ValueError, subprocess.SubprocessError):
        commit = _head(clone)
        return _asked(git, clone / ".git" / "objects", commit) if commit else None
    return None


def _head(clone: Path) -> str | None:
    """Return the commit that is checked out."""
    head = _small(clone, ".git", "HEAD").strip()
    if _COMMIT.fullmatch(head):
        return head
    found = _REF.fullmatch(head)
    if found is None or ".." in found[1]:
        return None
    with suppress(OSError, Refused):
        loose = _small(clone, ".git", *found[1].split("/")).strip()
        return loose if _COMMIT.fullmatch(loose) else None
    packed = re.search(rf"^([0-9a-f]{{40}}) {re.escape(found[1])}$", _small(clone, ".git", "packed-refs"), re.MULTILINE)
    return packed[1] if packed else None


def _small(top: Path, *way: str) -> str:
    """Read a small file below a folder, following no link."""
    folder = OPENER.at(top)
    for name in way[:-1]:
        with opened(folder):
            inner = folder.folder(name)
        folder = inner
    with opened(folder), folder.file(way[-1]) as stream:
        return stream.read(_LONGEST).decode("utf-8", errors="replace")


def _asked(git: str, objects: Path, commit: str) -> datetime | None:
    if "\n" in str(objects):
        return None
    with tempfile.TemporaryDirectory() as name:
        own = Path(name)
        for folder in ("refs", "objects/info"):
            (own / folder).mkdir(parents=True)
        (own / "HEAD").write_text("ref: refs/heads/none\n")
        (own / "objects" / "info" / "alternates").write_text(f"{objects}\n")
        environment = {
            "PATH": os.environ.get("PATH", ""),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "HOME": name,
        }
        command = [
            git,
            "--no-pager",
            f"--git-dir={name}",
            "log",
            "-1",
            "--no-show-signature",
            "--format=%ct",
            commit,
            "--",
        ]
        done = subprocess.run(
            command,
            env=environment,
            cwd=name,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    text = done.stdout.decode("ascii", errors="replace").strip()
    return datetime.fromtimestamp(int(text), UTC) if text.isdigit() and len(text) < 12 else None
