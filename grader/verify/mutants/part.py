"""A share of an assignment's mutants, in a process of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from grader.course.assignment import Assignment, load_assignment
from grader.judge.collect import run_pytest
from grader.judge.diagnose import patched
from grader.judge.direct import Source
from grader.judge.plugin import JudgePlugin, Runner
from grader.judge.record import Caller
from grader.judge.sources import material_sources
from grader.model.errors import CourseError
from grader.model.verdict import Suite
from grader.verify.ground import Ground
from grader.verify.mutants.comparison import Comparison
from grader.verify.mutants.cull import Cull
from grader.verify.mutants.fate import Fate
from grader.verify.mutants.hurried import Hurried
from grader.verify.mutants.mutant import Mutant


def decide(folder: Path, fates: list[Fate]) -> list[Fate]:
    """Run the hidden tests of an assignment on mutants, and compare those declared equivalent with the reference.

    Raises:
        CourseError: A hidden test cannot be collected.
    """
    assignment = load_assignment(folder)
    manifest = assignment.manifest
    texts = {module: assignment.reference(module).read_text("utf-8") for module in manifest.modules}
    ground = Ground(assignment)
    callers = dict(_callers(assignment, fates, texts))
    living = [fate for fate in fates if fate.mutant in callers]
    _run(assignment, Cull(ground, living, callers))
    if declared := [fate for fate in living if fate.reason is not None]:
        hidden = [test for test in assignment.lock() if test.suite is Suite.HIDDEN]
        _run(assignment, Comparison(ground, declared, callers, hidden))
    return fates


def _run(assignment: Assignment, runner: Runner) -> None:
    run_pytest(assignment, [Suite.HIDDEN], JudgePlugin(assignment.manifest, runner))


def _callers(assignment: Assignment, fates: list[Fate], texts: dict[str, str]) -> Iterator[tuple[Mutant, Caller]]:
    """Yield a caller of each mutant; one that cannot even be imported is caught by that."""
    for fate in fates:
        changed = texts | {fate.mutant.module: fate.mutant.edit.applied(texts[fate.mutant.module])}
        sources = [Source(assignment.reference(module), text) for module, text in changed.items()]
        try:
            caller = patched([*sources, *material_sources(assignment)], (), assignment.manifest.given_names)
        except CourseError:
            fate.caught = dict.fromkeys(range(fate.rounds), "its import")
        else:
            yield fate.mutant, Hurried(caller, assignment.manifest.limits.cpu_seconds)
