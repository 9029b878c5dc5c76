from __future__ import annotations

import re
from dataclasses import replace

import pytest

from grader.bundle.pins import constraints, packages
from grader.course.locate import load_assignments
from grader.model.errors import UsageError
from tests.conftest import ROOT


def test_every_version_is_one_of_those_that_the_project_is_tested_with() -> None:
    known = {
        line.lower().replace("_", "-").replace(".", "-")
        for line in (ROOT / ".ci/constraints.txt").read_text().splitlines()
    }
    pinned = constraints(packages(load_assignments(ROOT, ["layers"]))).splitlines()
    assert {line.replace(".", "-") for line in pinned} <= known
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.]*", line) for line in pinned)


def test_an_assignment_without_torch_pins_none() -> None:
    names = [
        line.partition("==")[0] for line in constraints(packages(load_assignments(ROOT, ["masking"]))).splitlines()
    ]
    assert {"numpy", "pytest", "pytest-json-report", "pydantic-core"} <= set(names)
    assert not {"torch", "matplotlib", "mypy"} & set(names)
    assert packages(load_assignments(ROOT, ["shapes"])) == []
    assert packages(load_assignments(ROOT, ["masking", "training"])) == ["matplotlib", "numpy", "torch"]


def test_a_package_that_is_not_here_has_no_version() -> None:
    [found] = load_assignments(ROOT, ["masking"])
    lacking = replace(
        found, manifest=found.manifest.model_copy(update={"allowed_imports": ["nowhere_to_be_found.sub"]})
    )
    with pytest.raises(UsageError, match="nowhere_to_be_found is not installed"):
        packages([lacking])
