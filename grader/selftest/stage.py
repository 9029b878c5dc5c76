"""Set up what is attacked: the course, a class of attackers and honest students, and what lies around."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from grader.sandbox.base import Level
from grader.selftest.corpus import BUILDER, HONEST, SUBMISSION, UNCHANGED, Attack
from grader.selftest.course import BASE, FILE, right_answer, write_course
from grader.selftest.place import Place, facts, filled, make_place
from grader.selftest.tokens import Tokens

_AFTER = "-next"
# So many attacks, none of which is to disturb anything, share the honest submission that comes after them.
_SHARING = 8
_LARGEST_FILLED = 1 << 20
_PLAIN = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True)
class Stage:
    """Everything in one folder, which others on the machine may look into, as they may into a teacher's folder.

    Args:
        folder: It.
        tokens: What is planted.
        places: The surroundings of each attack, by its name.
        names: Under what name each attack is handed in.
    """

    folder: Path
    tokens: Tokens
    places: dict[str, Place] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    @property
    def course(self) -> Path:
        """The course."""
        return self.folder / "course"

    @property
    def calm(self) -> Path:
        """A class without an attacker."""
        return self.folder / "calm"

    @property
    def attacked(self) -> Path:
        """The class with the attackers."""
        return self.folder / "class"

    @property
    def temporary(self) -> Path:
        """Where the grader may put what it needs for a while."""
        return self.folder / "tmp"

    def out(self, class_: Path) -> Path:
        """Where the reports of a class lie."""
        return self.folder / "out" if class_ == self.attacked else self.folder / "calm-out"


def neighbours(attacks: Sequence[Attack], level: Level) -> dict[str, str]:
    """Return the honest submission that is graded after each attack, by the attack's name.

    One is graded after every few attacks; one that a level is known not to keep from its neighbours has its own.
    """
    group: list[str] = []
    groups = [group]
    for attack in sorted(attacks, key=lambda attack: attack.name):
        alone = attack.expected.probe == "neighbour" and attack.happens(level)
        if alone or len(group) == _SHARING:
            groups.append(group := [])
        group.append(attack.name)
        if alone:
            groups.append(group := [])
    return {name: group[-1] + _AFTER for group in groups for name in group}


@contextmanager
def staged(attacks: Sequence[Attack], level: Level, keeper: int, owner: int | None = None) -> Iterator[Stage]:
    """Set the stage, and clear it away.

    Args:
        attacks: Whom to hand in.
        level: The level that they are to be held at.
        keeper: The id of the process that starts the grader.
        owner: The user who grades, where that is not the one who runs this.
    """
    with ExitStack() as undo:
        folder = Path(tempfile.mkdtemp(prefix="rowwise-stage-")).resolve()
        undo.callback(shutil.rmtree, folder, ignore_errors=True)
        folder.chmod(0o755)
        stage = Stage(folder, Tokens())
        write_course(stage.course, stage.tokens)
        for path in (stage.out(stage.attacked), stage.out(stage.calm), stage.temporary):
            path.mkdir()
        _hand_in_honest(stage, {*neighbours(attacks, level).values()})
        for number, attack in enumerate(attacks):
            _hand_in(stage, attack, folder / "around" / str(number), keeper, owner)
            undo.callback(stage.places[attack.name].close)
        if owner is not None:
            _give(folder, owner)
        yield stage


def _hand_in_honest(stage: Stage, between: Collection[str]) -> None:
    right = right_answer(stage.tokens)
    for class_ in (stage.calm, stage.attacked):
        _put(class_ / HONEST, right)
        _put(class_ / UNCHANGED, BASE)
    for name in between:
        _put(stage.attacked / name, right)


def _put(folder: Path, text: str) -> None:
    folder.mkdir(parents=True)
    (folder / FILE).write_text(text, encoding="utf-8")


def _hand_in(stage: Stage, attack: Attack, around: Path, keeper: int, owner: int | None) -> None:
    text = b"".join(path.read_bytes() for path in attack.folder.glob("*.py"))
    place = stage.places[attack.name] = make_place(around, text, owner)
    told = {
        "course": str(stage.course),
        "class": str(stage.attacked),
        "out": str(stage.out(stage.attacked)),
        "grader": str(keeper),
    } | facts(place)
    folder = stage.attacked / attack.name
    folder.mkdir()
    stage.names[attack.name] = attack.name
    if (attack.folder / BUILDER).exists():
        made = _built(attack, folder, around / "made")
        stage.names[attack.name] = made.name
        _fill(made, told)
    else:
        (folder / FILE).write_bytes(filled((attack.folder / SUBMISSION).read_bytes(), told))


def _built(attack: Attack, folder: Path, aside: Path) -> Path:
    """Have an attack built; where it is one thing in the folder, that thing is handed in, in place of the folder."""
    made = attack.build(folder, BASE)
    if made is None or made == folder:
        return folder
    folder.rename(aside)
    target = folder.parent / _handed_in_as(made.name, attack.name)
    (aside / made.relative_to(folder)).rename(target)
    return target


def _handed_in_as(made: str, attack: str) -> str:
    """The attack's name with what is behind the first dot; a strange name is left as it is, for it may be the attack."""
    stem, dot, suffix = made.partition(".")
    return f"{attack}{dot}{suffix}" if _PLAIN.fullmatch(stem) else made


def _fill(path: Path, told: dict[str, str]) -> None:
    """Replace placeholders in links and Python files of a built folder."""
    for each in [path, *path.rglob("*")] if path.is_dir() and not path.is_symlink() else [path]:
        if each.is_symlink():
            target = os.fsencode(each.readlink())
            if (pointed := filled(target, told)) != target:
                each.unlink()
                each.symlink_to(os.fsdecode(pointed))
        elif each.suffix == ".py" and each.is_file() and each.stat().st_size <= _LARGEST_FILLED:
            text = each.read_bytes()
            if (new := filled(text, told)) != text:
                each.write_bytes(new)


def _give(folder: Path, owner: int) -> None:
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, owner, owner, follow_symlinks=False)
