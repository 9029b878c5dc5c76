"""Neither a kit of the whole unit nor the wheel that students install holds a solution, a hidden test or a misconception."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.bundle.wheel import own_wheel
from grader.course.locate import load_assignments
from grader.kit.make import make_kit
from tests.conftest import ROOT

# A line that long is written once; shorter ones are idioms that any file may have.
LONG = 45


def lines(text: str) -> set[str]:
    """The lines of a text that would be recognised anywhere."""
    found = (line.partition("  # ")[0].strip() for line in text.splitlines())
    return {line for line in found if len(line) >= LONG and not line.startswith(("#", "from ", "import ", '"""'))}


def secret() -> Iterator[tuple[str, set[str]]]:
    """What no student may have, each file with its lines."""
    for path in sorted(ROOT.glob("reference/*.py")):
        solutions = re.findall(r"# BEGIN SOLUTION\n(.*?)# END SOLUTION", path.read_text("utf-8"), flags=re.DOTALL)
        yield path.name, lines("\n".join(solutions))
    for part in ("hidden/*.py", "misconceptions/*.py", "right_answers/*.py"):
        for path in sorted(ROOT.glob(f"assignments/*/{part}")):
            yield f"{path.parent.parent.name}/{path.parent.name}/{path.name}", lines(path.read_text("utf-8"))


@pytest.fixture(scope="module")
def handed_out(tmp_path_factory) -> dict[str, str]:
    """All text that a student is given, by file."""
    home = tmp_path_factory.mktemp("given")
    make_kit(home / "kit", load_assignments(ROOT, ()))
    with zipfile.ZipFile(io.BytesIO(own_wheel().content)) as opened:
        opened.extractall(home / "wheel")
    files = [path for path in home.rglob("*") if path.is_file()]
    return {path.relative_to(home).as_posix(): path.read_text("utf-8", errors="replace") for path in files}


def test_no_file_is_called_as_what_is_secret(handed_out):
    parts = {part for name in handed_out for part in Path(name).parts}
    assert not parts & {
        "hidden",
        "misconceptions",
        "misconceptions.py",
        "reference",
        "right_answers",
        "tests.lock",
        ".seed-key",
    }


def of(*patterns: str) -> set[str]:
    """The lines of some files of the course."""
    return {line for pattern in patterns for path in ROOT.glob(pattern) for line in lines(path.read_text("utf-8"))}


def test_no_line_of_a_solution_a_hidden_test_or_a_misconception_is_handed_out(handed_out):
    told = {line for text in handed_out.values() for line in lines(text)}
    # What a visible test says is no secret, and neither is the example of a new assignment, wherever else it stands.
    said = of("assignments/*/visible/*.py", "grader/author/skeleton/*.j2")
    # A model to look into is given whole, to those who have written one: `interpret` comes after `gpt2`.
    said |= of("assignments/interpret/materials/*.py")
    # What a template gives may stand in right answers and mistakes too; of a solution no line may stand in it.
    given = of("student_template/*.py", "student_template/hw11/*.py")
    leaked = {name: found & told - said - (set() if "/" not in name else given) for name, found in secret()}
    # The words of a misconception are in a kit, so that it can name it; the function that makes it is not.
    code = {
        name: sorted(line for line in found if re.search(r"[=(\[]", line) and not line.startswith(('"', "hint=")))
        for name, found in leaked.items()
    }
    assert {name: found for name, found in code.items() if found} == {}


def test_what_is_looked_for_would_be_found(handed_out):
    found = dict(secret())
    assert len(found) > 150
    assert sum(map(len, found.values())) > 3000
    assert len(handed_out) > 300
