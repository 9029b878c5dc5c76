"""Verify one assignment: does its suite know right from wrong, and every wrong by name?"""

from __future__ import annotations

import time
from pathlib import Path

from grader.course.assignment import load_assignment
from grader.course.blank import unreadable
from grader.judge.catalogue import load_catalogue
from grader.judge.collect import run_pytest
from grader.judge.diagnose import Diagnostician
from grader.judge.fingerprints import as_text, make_fingerprints
from grader.judge.plugin import JudgePlugin
from grader.model.verdict import Suite
from grader.verify import lock
from grader.verify.findings import (
    idle_tests,
    misnamed,
    mistakes,
    surprises,
    survivors,
    template_problems,
    undefined,
    unproven,
    untested,
    without_variant,
    wrong_runs,
)
from grader.verify.ground import Ground
from grader.verify.matrix import Matrix
from grader.verify.mutants.equivalents import load_equivalents
from grader.verify.result import Result
from grader.verify.subjects import Role, subjects


def verify_assignment(folder: Path, *, seeds: int, write_lock: bool) -> Result:
    """Run the suites of one assignment on the reference, right answers, template and every mistake.

    Args:
        folder: The assignment's.
        seeds: Rounds of inputs for every right answer.
        write_lock: Write tests.lock and the fingerprints from what was collected, before comparing with them.

    Raises:
        CourseError: Something of the assignment cannot be read, imported or collected.
    """
    started = time.perf_counter()
    assignment = load_assignment(folder)
    manifest = assignment.manifest
    load_equivalents(assignment)  # what is wrong with it is told now, and not after all else was run
    catalogue = load_catalogue(assignment.misconceptions, manifest)
    ground = Ground(assignment)
    references = ground.sources
    matrix = Matrix(ground, subjects(assignment, references, catalogue), seeds)
    plugin = JudgePlugin(manifest, matrix)
    run_pytest(assignment, list(Suite), plugin)

    tests = [test.locked for test in plugin.selected]
    fingerprints = as_text(make_fingerprints(references, catalogue, manifest, matrix.visible))
    if write_lock:
        lock.write(assignment, tests, fingerprints)
    found = [
        *mistakes(matrix.rows, tests, Diagnostician(references, catalogue, manifest)),
        *wrong_runs(matrix.rows, tests),
    ]
    problems = [
        *untested(manifest, tests),
        *undefined(manifest, ground.namespaces),
        *(unreadable(ground.questions, manifest.id) if ground.questions else ()),
        *surprises(matrix.rows),
        *template_problems(matrix.rows, tests, manifest),
        *unproven(manifest, catalogue),
        *without_variant(catalogue),
        *survivors(found),
        *misnamed(found, catalogue),
        *lock.stale(assignment, tests, fingerprints),
    ]
    right = [row.subject.name for row in matrix.rows if row.subject.role is Role.RIGHT]
    idle, blind = idle_tests(found, tests), matrix.blind
    return Result(assignment.id, tests, right, found, problems, idle, blind, seeds, time.perf_counter() - started)
