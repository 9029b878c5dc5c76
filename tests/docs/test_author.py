"""The README's assignment, written by following it, holds."""

from __future__ import annotations

import re
from pathlib import Path

from tests.docs.readme import README


def blocks() -> list[str]:
    """The code of the section on writing an assignment, in order: manifest, reference, suite, misconceptions."""
    section = README.read_text("utf-8").partition("## Write an assignment")[2]
    return [
        re.sub(r"^   ", "", code, flags=re.MULTILINE)
        for code in re.findall(r"   ```(?:toml|python)\n(.*?)   ```", section, flags=re.DOTALL)
    ]


def test_the_assignment_of_the_readme_can_be_built_verified_and_locked(grader, tmp_path: Path) -> None:
    manifest, reference, suite, misconceptions = blocks()
    home = tmp_path / "assignments" / "stats"
    visible = suite.replace("submission, reference, rng", "submission, rng").replace(
        "reference.mean(x)", "float(x.mean())"
    )
    files = {
        home / "assignment.toml": manifest,
        home / "hidden" / "test_mean.py": suite,
        home / "visible" / "test_mean.py": visible,
        home / "misconceptions.py": misconceptions,
        tmp_path / "reference" / "stats.py": reference,
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for command in (("template", "build"), ("verify", "--lock", "stats"), ("verify", "stats")):
        ran = grader(*command, "--course", tmp_path)
        assert ran.returncode == 0, ran.stdout + ran.stderr
