"""A Dockerfile without an engine: what it says, and its files put where an image has them."""

from __future__ import annotations

import re
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Dockerfile:
    """The instructions of the Dockerfile in a folder, in order."""

    folder: Path

    @property
    def instructions(self) -> list[tuple[str, str]]:
        text = (self.folder / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
        return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines)]

    def of(self, kind: str) -> list[str]:
        return [rest for word, rest in self.instructions if word == kind]

    def copies(self) -> list[tuple[list[str], str, dict[str, str]]]:
        """Sources, target and flags of each COPY."""
        found = []
        for rest in self.of("COPY"):
            words = shlex.split(rest)
            flags = dict(word.removeprefix("--").split("=") for word in words if word.startswith("--"))
            *sources, target = [word for word in words if not word.startswith("--")]
            found.append((sources, target, flags))
        return found

    def copy_into(self, root: Path) -> None:
        """Do what COPY does, with `root` for the root of the image."""
        for sources, target, flags in self.copies():
            for source in sources:
                place = root / target.lstrip("/") / (source if target.endswith("/") else "")
                place.parent.mkdir(parents=True, exist_ok=True)
                (shutil.copytree if (self.folder / source).is_dir() else shutil.copy)(self.folder / source, place)
                if "chmod" in flags:
                    place.chmod(int(flags["chmod"], 8))

    def check(self) -> None:
        """Every file is there, every version pinned, and no word needs more than the engine knows."""
        assert {word for word, _ in self.instructions} <= {"ARG", "FROM", "COPY", "RUN", "USER", "ENTRYPOINT", "ENV"}
        for sources, _, _ in self.copies():
            assert all((self.folder / source).exists() for source in sources)
        constraints = (self.folder / "constraints.txt").read_text("utf-8").splitlines()
        assert all(re.fullmatch(r"[a-z0-9-]+==[0-9a-z.]+", line) for line in constraints)
        for run in self.of("RUN"):
            if "pip install" in run:
                assert "-c /opt/grader/constraints.txt" in run
                assert {word for word in run.split() if word.endswith(".whl")} == {
                    f"/opt/grader/{path.name}" for path in self.folder.glob("*.whl")
                }
