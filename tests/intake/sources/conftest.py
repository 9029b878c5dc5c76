"""Downloads, laid down as a folder or as a zip."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from grader.intake.base import CAPS, Caps, Submission
from grader.intake.leftover import Leftover
from grader.intake.sources.base import Asked
from grader.intake.sources.collect import collect

Lay = Callable[[Mapping[str, bytes], str], Path]


@pytest.fixture
def lay(tmp_path: Path, make_zip: Callable[..., bytes]) -> Lay:
    def laid(files: Mapping[str, bytes], form: str) -> Path:
        if form == "zip":
            (tmp_path / "download.zip").write_bytes(make_zip(files))
            return tmp_path / "download.zip"
        for name, content in files.items():
            path = tmp_path / "download" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return tmp_path / "download"

    return laid


class Collected:
    """What was collected of a download."""

    def __init__(self, path: Path, source: str, caps: Caps, wanted: tuple[str, ...]) -> None:
        self.left: list[Leftover] = []
        self.said: list[str] = []
        asked = Asked(wanted, ["attention"], caps, source)
        self.submissions = collect([path], asked, self.left.append, self.said.append)

    @property
    def by_id(self) -> Mapping[str, Submission]:
        return {each.id: each for each in self.submissions}

    @property
    def told(self) -> str:
        """All names that somebody is told of."""
        found = [name for each in self.left for name in each.loose]
        for each in self.submissions:
            found += [*each.ignored, *(problem.file for problem in each.problems)]
        return "\n".join(found)


@pytest.fixture
def collected() -> Callable[..., Collected]:
    def make(
        path: Path, source: str = "auto", caps: Caps = CAPS, wanted: tuple[str, ...] = ("attention.py",)
    ) -> Collected:
        return Collected(path, source, caps, wanted)

    return make
