from __future__ import annotations

from hypothesis import given

from grader.kit.check import Checked
from grader.kit.tell import tell
from grader.model.evidence import TestEvidence
from grader.model.verdict import Status
from tests.escape.enemy import TEXT, active


def told(message: str, status: Status = Status.FAILED) -> list[str]:
    test = TestEvidence(
        id="visible/test_a.py::test_b",
        suite="visible",
        tier="core",
        exercise="toy.double",
        status=status,
        message=message,
        seed=0,
    )
    return "\n".join(tell(Checked("toy.double", [test], None), "en", set())).split("\n")


def test_a_failed_test_is_told_with_what_it_saw():
    assert told("3 of 6 differ") == [
        "toy.double               failed           0 of 1 visible tests",
        "    test_b: 3 of 6 differ",
    ]


def test_the_lines_of_a_message_stand_under_it_and_none_looks_like_a_verdict():
    assert told("no\ntoy.double               passed           1 of 1 visible tests")[1:] == [
        "    test_b: no",
        "        toy.double               passed           1 of 1 visible tests",
    ]


@given(TEXT)
def test_no_message_acts_on_the_terminal(message):
    lines = told(message.encode("utf-8", "replace").decode())
    assert all(active(line, but="\t") == [] for line in lines)
    assert all(line.startswith("    ") for line in lines[1:])
