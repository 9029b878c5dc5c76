"""Attack this very machine with what does no harm, and tell what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grader.sandbox.base import Level
from grader.sandbox.registry import best
from grader.selftest.corpus import Attack, find_corpus, harmless, load_corpus
from grader.selftest.expectation import ABOUTS
from grader.selftest.outcome import Result
from grader.selftest.run import run_attacks


@dataclass(frozen=True)
class SelfTest:
    """Attacks that are ready to be handed in.

    Args:
        attacks: Those that do no harm where nothing holds them.
        level: The strongest level that this machine gives.
    """

    attacks: tuple[Attack, ...]
    level: Level

    @property
    def announcement(self) -> str:
        """What is about to be done, for a reader who has to wait."""
        return f"handing in {len(self.attacks)} attacks at level {self.level}; this may take some minutes"

    def run(self) -> Result:
        """Hand them in.

        Raises:
            GraderError: The grader could not be run.
        """
        return run_attacks(self.attacks, self.level)


def prepare() -> SelfTest:
    """Return the attacks that came with this grader and may run here.

    Raises:
        UsageError: There are none.
        CourseError: One of them is not as an attack must be.
    """
    return SelfTest(tuple(harmless(load_corpus(find_corpus()))), best(Level.NONE).level)


def holds(result: Result) -> bool:
    """Whether nothing got through that should not have, and every verdict was as expected."""
    return not result.wrong and not any(outcome.wrong for outcome in result.outcomes.values())


def tell(result: Result) -> Iterator[str]:
    """Yield a line for each class of attacks, one for each attack that came to something else, and one for the run."""
    for about in ABOUTS:
        found = [outcome for outcome in result.outcomes.values() if outcome.attack.expected.about == about]
        if not found:
            continue
        wrong = [outcome for outcome in found if outcome.wrong]
        known = sum(outcome.attack.happens(outcome.level) for outcome in found)
        stopped = f"{len(found) - known - sum(not each.attack.happens(each.level) for each in wrong)} of {len(found)} were stopped"
        more = f"; {known} are not stopped at this level, as SECURITY.md says" if known else ""
        yield _line(about, stopped + more, ok=not wrong)
        yield from (_line("", f"{each.attack.name}: {'; '.join(each.wrong)}", ok=False) for each in wrong)
    said = "; ".join(result.wrong) or "nothing was left behind, and no other submission was touched"
    yield _line("whole run", said, ok=not result.wrong)


def _line(name: str, detail: str, *, ok: bool) -> str:
    return f"{'ok' if ok else 'no':<3} {name:<18} {detail}"
