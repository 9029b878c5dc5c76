"""Run the console blocks of README.md and compare what they print, or write it down.

    python -m tests.docs.readme --write

A block opens with three backticks and `console`; a line that starts with `$ ` is a command, the lines
after it are what it printed. A block after the comment `<!-- differs by machine -->` is run, but not compared.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
_BLOCK = re.compile(r"(<!-- differs by machine -->\n+)?```console\n(.*?)```", re.DOTALL)


@dataclass(frozen=True)
class Command:
    """A command of the README and what it is said to print."""

    line: str
    output: str
    compared: bool


def commands(text: str) -> list[Command]:
    """Return the commands of a document in order."""
    return [
        command
        for found in _BLOCK.finditer(text)
        for command in _in_block(found.group(2), compared=found.group(1) is None)
    ]


def _in_block(block: str, *, compared: bool) -> Iterator[Command]:
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, _, output = part.partition("\n")
        yield Command(line, output.rstrip("\n"), compared)


class Shell:
    """Runs commands one after the other in a copy of the repository, as a reader would."""

    def __init__(self, home: Path) -> None:
        self._top = home / "rowwise"
        self._here = self._top
        self._state = home / "where"
        for name in _tracked():
            target = self._top / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target)

    def run(self, line: str) -> tuple[int, str]:
        """Run one command; return its exit code and what it printed on both streams."""
        script = f'cd "{self._here}" && {{ {line}\n}}; code=$?; pwd > "{self._state}"; exit $code'
        path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
        env = {"PATH": path, "HOME": str(self._top.parent), "COLUMNS": "100", "LC_ALL": "C.UTF-8"}
        done = subprocess.run(
            ["/bin/bash", "-c", script],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            env=env,
            timeout=300,
        )
        self._here = Path(self._state.read_text("utf-8").strip())
        return done.returncode, self._shown(done.stdout)

    def _shown(self, text: str) -> str:
        """What a reader would see, without where the copy lies and without progress."""
        lines = [line.rstrip() for line in text.replace(str(self._top.parent), "").rstrip("\n").splitlines()]
        return "\n".join(line for line in lines if not re.match(r"graded \d+ of \d+", line))


def normal(text: str) -> str:
    """Take out of an output what depends on the course key: seeds, and numbers that a hidden test saw."""
    text = re.sub(r"seed \d+", "seed", text)
    return re.sub(
        r"^(before|now): .*$", lambda line: re.sub(r"\d+(\.\d+)?", "0", line.group()), text, flags=re.MULTILINE
    )


def _tracked() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def refreshed(text: str, shell: Shell) -> str:
    """Return the document with the output that its commands print now."""

    def block(found: re.Match[str]) -> str:
        ran = [
            f"$ {command.line}\n{output}\n" if (output := shell.run(command.line)[1]) else f"$ {command.line}\n"
            for command in _in_block(found.group(2), compared=True)
        ]
        return f"{found.group(1) or ''}```console\n{''.join(ran)}```"

    return _BLOCK.sub(block, text)


def main() -> None:
    """Write the README's outputs anew."""
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as home:
        README.write_text(refreshed(README.read_text("utf-8"), Shell(Path(home))), encoding="utf-8")


if __name__ == "__main__":
    main()
