"""What this course declares of its mutants is there, and little."""

from __future__ import annotations

import pytest

from grader.course.assignment import load_assignment
from grader.verify.mutants.derive import derive
from grader.verify.mutants.equivalents import load_equivalents, misdeclared, reasons
from tests.conftest import ROOT

DECLARING = sorted(path.parent.name for path in (ROOT / "assignments").glob("*/equivalents.toml"))


@pytest.mark.parametrize("name", DECLARING)
def test_every_declaration_means_one_mutant_of_the_reference_and_they_are_few(name: str) -> None:
    assignment = load_assignment(ROOT / "assignments" / name)
    mutants = [
        mutant
        for module in assignment.manifest.modules
        for mutant in derive(module, assignment.reference(module).read_text("utf-8"))
    ]
    declared = load_equivalents(assignment)
    everything = [*declared.equivalents, *declared.survivors]
    assert everything
    assert list(misdeclared(mutants, declared)) == []
    assert len(reasons(mutants, everything)) == len(everything)
