"""What of a course goes to a node: all that judging needs, and nothing else."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from grader.course.assignment import load_assignment
from grader.executors.packed import PackedCourse, packed, unpacked
from grader.judge.prepared import Prepared
from grader.pipeline.digest import evidence_digest, suite_digest
from tests.e2e.toy import hand_in, toy_course


def names(made: PackedCourse) -> list[str]:
    with tarfile.open(fileobj=io.BytesIO(made.content)) as archive:
        return archive.getnames()


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    return toy_course(tmp_path / "course") / "assignments" / "toy"


def test_neither_submissions_nor_keys_nor_templates_are_in_it(toy: Path) -> None:
    hand_in(toy.parents[1], "ann", "def double(x):\n    return 2 * x\n")
    (toy.parents[1] / ".seed-key").write_text("0" * 64)
    (toy / "sample_class").mkdir()
    (toy / "sample_class" / "toy.py").write_text("secret")
    assert names(packed([load_assignment(toy)])) == [
        "assignments/toy/assignment.toml",
        "assignments/toy/hidden/test_double.py",
        "assignments/toy/tests.lock",
        "assignments/toy/visible/test_double.py",
        "reference/toy.py",
    ]


def test_the_same_files_give_the_same_bytes_and_others_do_not(toy: Path) -> None:
    before = packed([load_assignment(toy)])
    test = toy / "hidden" / "test_double.py"
    test.touch()
    assert packed([load_assignment(toy)]) == before
    test.write_text(test.read_text("utf-8") + "\n")
    assert packed([load_assignment(toy)]).digest != before.digest


@pytest.mark.parametrize("name", ["attention", "efficient", "shapes"])
def test_what_is_unpacked_decides_the_same_and_can_be_judged_with(course: Path, tmp_path: Path, name: str) -> None:
    here = load_assignment(course / "assignments" / name)
    unpacked(packed([here]), tmp_path / "there")
    there = load_assignment(tmp_path / "there" / "assignments" / name)
    assert (suite_digest(there), evidence_digest(there)) == (suite_digest(here), evidence_digest(here))
    prepared = Prepared(there)
    assert prepared.reference is not None
    assert prepared.diagnosing is not None


def test_nobody_else_may_look_into_it_and_it_may_come_twice(toy: Path, tmp_path: Path) -> None:
    made, there = packed([load_assignment(toy)]), tmp_path / "files" / "there"
    for _ in range(2):
        unpacked(made, there)
    assert there.stat().st_mode & 0o077 == 0
    assert list(there.parent.iterdir()) == [there]


def test_what_arrives_damaged_is_refused_and_leaves_nothing(toy: Path, tmp_path: Path) -> None:
    made = packed([load_assignment(toy)])
    with pytest.raises(ValueError, match="damaged"):
        unpacked(made._replace(content=made.content[:-1]), tmp_path / "files" / "there")
    assert not (tmp_path / "files").exists()
