from __future__ import annotations

from pathlib import Path

import pytest

from grader.bundle.cut import cut
from grader.course.locate import assignment_ids, load_assignments
from grader.pipeline.digest import evidence_digest, suite_digest
from grader.pipeline.settings import prepare
from tests.conftest import ROOT


@pytest.mark.parametrize("assignment", assignment_ids(ROOT))
def test_verdicts_of_a_bundle_are_those_of_the_course(assignment: str, tmp_path: Path) -> None:
    [original] = load_assignments(ROOT, [assignment])
    for item in cut([original]):
        (tmp_path / item.path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / item.path).write_bytes(item.content)
    [copy] = load_assignments(tmp_path, [])
    assert suite_digest(copy) == suite_digest(original)
    assert evidence_digest(copy) == evidence_digest(original)
    assert prepare(copy).locked == original.lock()
    assert [(copy.right_run / each.file).read_bytes() for each in copy.manifest.artifacts] == [
        (original.right_run / each.file).read_bytes() for each in original.manifest.artifacts
    ]
