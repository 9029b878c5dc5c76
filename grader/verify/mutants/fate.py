"""What became of a mutant, as plain data that crosses from its process to the command."""

from __future__ import annotations

from dataclasses import dataclass, field

from grader.verify.mutants.mutant import Mutant

HELPERS = "helpers"


@dataclass
class Fate:
    """What the hidden tests made of one mutant.

    Args:
        mutant: The mutant.
        judges: The exercises whose tests judge it.
        rounds: Rounds of inputs that it was tried on.
        reason: Why it is declared equivalent, where it is.
        spared: Why no test may catch it, where it is declared to survive.
        caught: By round, the test that caught it first.
        compared: Calls on which it was compared with the reference, where it is declared equivalent.
        unequal: The first of them on which it was not the same.
    """

    mutant: Mutant
    judges: frozenset[str]
    rounds: int
    reason: str | None = None
    spared: str | None = None
    caught: dict[int, str] = field(default_factory=dict)
    compared: int = 0
    unequal: str | None = None

    @property
    def exercise(self) -> str:
        """The exercise that it counts for; `helpers` where there are several, or none."""
        return next(iter(self.judges)) if len(self.judges) == 1 else HELPERS

    @property
    def killed(self) -> bool:
        """Whether it loses points on every round: a submission meets one alone."""
        return len(self.caught) == self.rounds

    @property
    def survives(self) -> bool:
        """Whether it loses none, and is declared neither to be right nor to survive."""
        return not self.killed and self.reason is None and self.spared is None

    def concerns(self, exercise: str) -> bool:
        """Whether the tests of an exercise say something about it."""
        return exercise in self.judges
