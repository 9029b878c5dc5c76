"""Read the attacks: each a folder with a submission, or what builds one, and what is expected of it."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from grader.course.toml import load_toml
from grader.model.errors import CourseError, UsageError
from grader.sandbox.base import Level
from grader.selftest.expectation import Expectation

_PACKAGE = Path(__file__).parent
# In a wheel beside this file, in a checkout among the tests.
_HOMES = (_PACKAGE / "attacks", _PACKAGE.parents[1] / "tests" / "adversarial")

EXPECTED = "expect.toml"
SUBMISSION = "target.py"
BUILDER = "make.py"
_HINT = "held, happens and at are tables of levels; tests/adversarial holds attacks to compare with"
_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
# Not parsed: an attack may be one on the parser.
_DOCSTRING = re.compile(rb'(?:#[^\n]*\n)*"""(.+?)"""', re.DOTALL)
_LONGEST_NAME = 60
# Handed in beside the attacks, by those who attack nothing.
HONEST = "neighbour"
UNCHANGED = "base"
PLACEHOLDERS = ("course", "class", "out", "home", "tcp", "unix", "victim", "tag", "grader")
_PLACEHOLDER = re.compile(rb"\{\{([a-z]+)\}\}")


@dataclass(frozen=True)
class Attack:
    """One attack.

    Args:
        name: The folder's name, also the id under which it is handed in.
        folder: Where it lies.
        told: What it does, in the words of its docstring.
        expected: What must become of it.
    """

    name: str
    folder: Path
    told: str
    expected: Expectation

    def happens(self, level: Level) -> bool:
        """Whether a level is known not to stop it."""
        return self.expected.happens.at(level) is not None

    def build(self, folder: Path, base: str) -> Path | None:
        """Run the attack's `make.py` in an empty folder; None where it is a plain file.

        Raises:
            CourseError: It has no function `make`, or that returned something outside the folder.
        """
        path = self.folder / BUILDER
        if not path.exists():
            return None
        spec = importlib.util.spec_from_file_location(f"attack_{self.name}", path)
        if spec is None or spec.loader is None:
            raise CourseError("cannot be imported", where=path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        if not hasattr(module, "make"):
            raise CourseError("there is no function make(folder, base)", where=path)
        made = Path(module.make(folder, base))
        if not made.is_relative_to(folder):
            raise CourseError(f"make() returned {made}, which is outside the folder it was given", where=path)
        return made


def find_corpus() -> Path:
    """Return the folder of the attacks that came with this grader.

    Raises:
        UsageError: There is none: the installation is not whole.
    """
    for home in _HOMES:
        if any(home.glob(f"*/{EXPECTED}")):
            return home
    raise UsageError("the attacks are missing from this installation", where=_HOMES[0], hint="install rowwise again")


def load_corpus(folder: Path) -> list[Attack]:
    """Return all attacks in a folder, by name.

    Raises:
        CourseError: One of them is not as an attack must be.
    """
    return [load_attack(path.parent) for path in sorted(folder.glob(f"*/{EXPECTED}"))]


def load_attack(folder: Path) -> Attack:
    """Read one attack.

    Raises:
        CourseError: A file is missing, its name or docstring is, or the expectation does not hold together.
    """
    if not _NAME.fullmatch(folder.name) or len(folder.name) > _LONGEST_NAME or folder.name in (HONEST, UNCHANGED):
        raise CourseError(
            "not a name for an attack",
            where=folder,
            hint=f"snake_case, at most {_LONGEST_NAME} characters, neither {HONEST} nor {UNCHANGED}",
        )
    present = [name for name in (SUBMISSION, BUILDER) if (folder / name).is_file()]
    if len(present) != 1:
        raise CourseError(f"an attack has {SUBMISSION} or {BUILDER}, one of the two", where=folder)
    submission = folder / present[0]
    _check_placeholders(submission)
    return Attack(folder.name, folder, _told(submission), _expectation(folder / EXPECTED))


def _check_placeholders(path: Path) -> None:
    for found in _PLACEHOLDER.findall(path.read_bytes()):
        if (name := found.decode()) not in PLACEHOLDERS:
            close = get_close_matches(name, PLACEHOLDERS, n=1)
            raise CourseError(
                f"nothing is put in place of {{{{{name}}}}}",
                where=path,
                hint=f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(PLACEHOLDERS)}",
            )


def _expectation(path: Path) -> Expectation:
    try:
        return load_toml(path, Expectation)
    except CourseError as error:
        raise CourseError(error.message, where=error.where, line=error.line, hint=_HINT) from error


def _told(path: Path) -> str:
    found = _DOCSTRING.match(path.read_bytes().removeprefix(b"\xef\xbb\xbf").lstrip())
    if found is None:
        raise CourseError("no docstring", where=path, hint="tell the attack in two or three plain sentences")
    return " ".join(found.group(1).decode(errors="replace").split())


def harmless(attacks: Iterable[Attack]) -> list[Attack]:
    """Return the attacks that may run unheld on a person's own machine."""
    return [attack for attack in attacks if attack.expected.harmless]
