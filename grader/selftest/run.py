"""Hand in attacks at a level: a class without an attacker first, then one that is full of them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.sandbox.base import Level
from grader.selftest.corpus import Attack
from grader.selftest.course import ASSIGNMENT
from grader.selftest.keeping import Keeper, Ran
from grader.selftest.outcome import Result, judged
from grader.selftest.stage import Stage, staged
from grader.selftest.tokens import VARIABLE

Command = Callable[[list[str]], list[str]]
# A run in which an attack holds up the grader must end, and the machine may be busy.
_SECONDS_AN_ATTACK = 20.0
_SECONDS_AT_LEAST = 120.0
# Nothing is wrapped, so that what belongs to one submission stands in one line.
_COLUMNS = "100000"


def run_attacks(
    attacks: Sequence[Attack],
    level: Level,
    *,
    command: Command = list,
    owner: int | None = None,
    jobs: int | None = None,
) -> Result:
    """Grade a class of attackers and honest students, and look at what is there afterwards.

    Args:
        attacks: Whom to hand in.
        level: The level to hold them at.
        command: Makes the command line that runs another one, say in a container.
        owner: The user who then grades, where that is not the one who runs this.
        jobs: Submissions judged at once; by default one a core.

    Raises:
        ValueError: An attack that does harm is to run unheld.
        GraderError: The grader could not be run.
    """
    if level is Level.NONE and (harmful := [attack.name for attack in attacks if not attack.expected.harmless]):
        raise ValueError(f"never unheld: {', '.join(harmful)}")
    with Keeper() as keeper, staged(attacks, level, keeper.pid, owner) as stage:
        run = _Run(stage, level, keeper, command, jobs or os.cpu_count() or 1)
        calm = run.grade(stage.calm, submissions=2)
        attacked = run.grade(stage.attacked, submissions=2 * len(attacks))
        return judged(stage, attacks, level, calm, attacked)


@dataclass(frozen=True)
class _Run:
    stage: Stage
    level: Level
    keeper: Keeper
    command: Command
    jobs: int

    def grade(self, class_: Path, submissions: int) -> Ran:
        """Grade one of the classes with a process of its own."""
        argv = [
            sys.executable,
            "-P",
            "-m",
            "grader",
            "grade",
            str(class_),
            "--class",
            "-a",
            ASSIGNMENT,
            "-j",
            str(self.jobs),
        ]
        argv += ["--course", str(self.stage.course), "--out", str(self.stage.out(class_))]
        argv += ["--isolation", self.level.value] + ["--allow-weak-isolation"] * (
            not self.level.reaches(Level.CONTAINER)
        )
        planted = {VARIABLE: self.stage.tokens.environment, "TMPDIR": str(self.stage.temporary), "COLUMNS": _COLUMNS}
        return self.keeper.run(
            self.command(argv),
            env=planted,
            cwd=self.stage.course,
            said=self.stage.folder / f"said-{class_.name}",
            seconds=max(_SECONDS_AT_LEAST, submissions * _SECONDS_AN_ATTACK),
        )
