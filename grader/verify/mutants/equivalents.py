"""`equivalents.toml`: mutants that do the same as the reference, and others that no test may catch, each with the reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import Field

from grader.course.assignment import Assignment
from grader.course.toml import load_toml
from grader.model.manifest import Strict
from grader.verify.mutants.mutant import Mutant, plain

# With more of them a share of killed mutants would say little.
MOST = 0.05

# All others but so many must be killed.
SPARED = 0.03

Qualified = Annotated[str, Field(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$", max_length=200)]


class Declared(Strict):
    """One mutant."""

    function: Qualified = Field(description="`module.function`, or `module.Class.method`")
    before: str = Field(min_length=1, description="The line of the reference, without its comment")
    after: str = Field(min_length=1, description="The same line in the mutant")
    reason: str = Field(min_length=20, description="Why both give the same, or why the exercise leaves it open")

    def fits(self, mutant: Mutant) -> bool:
        """Whether it is this mutant that is meant."""
        here = (f"{mutant.module}.{mutant.function}", mutant.before, mutant.after)
        return here == (self.function, plain(self.before), plain(self.after))


class Equivalents(Strict):
    """All that an assignment declares."""

    equivalents: list[Declared] = Field(default=[], description="Mutants that do the same as the reference")
    survivors: list[Declared] = Field(
        default=[], description="Mutants that differ only where the exercise asks for nothing: they count as not killed"
    )


def load_equivalents(assignment: Assignment) -> Equivalents:
    """Return what an assignment declares equivalent; nothing where it has no such file.

    Raises:
        CourseError: The file cannot be read, or does not fit the model.
    """
    path = assignment.equivalents
    return load_toml(path, Equivalents, "equivalents") if path.is_file() else Equivalents()


def reasons(mutants: Sequence[Mutant], declared: Sequence[Declared]) -> dict[Mutant, str]:
    """Return the mutants that are declared, each with its reason."""
    return {mutant: found.reason for mutant in mutants for found in declared if found.fits(mutant)}


def misdeclared(mutants: Sequence[Mutant], declared: Equivalents) -> Iterator[str]:
    """Tell which declarations mean no mutant or one that another means too, and whether there are too many."""
    names: set[str] = set()
    for each in [*declared.equivalents, *declared.survivors]:
        if (name := _named(each)) in names:
            yield f"{name} stands twice"
        elif not any(each.fits(mutant) for mutant in mutants):
            yield f"{name} is no mutant of the reference: copy function, before and after from what `--mutate` prints"
        names.add(name)
    equivalent, surviving = len(declared.equivalents), len(declared.survivors)
    if equivalent > MOST * len(mutants):
        yield f"{equivalent} of {len(mutants)} mutants are declared equivalent: at most {MOST:.0%} may be"
    if surviving > SPARED * (others := len(mutants) - equivalent):
        yield f"{surviving} of {others} mutants that are not equivalent are declared to survive: at most {SPARED:.0%} may"


def _named(each: Declared) -> str:
    return f"equivalents.toml: {each.function}: {plain(each.before)} -> {plain(each.after)}"
