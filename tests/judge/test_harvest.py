import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.judge.harvest import disagreement
from grader.model.evidence import TestEvidence
from grader.model.verdict import Status

NAMES = ["a", "b", "c"]
OUTCOMES = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(["passed", "failed", "error", "skipped", "xpassed"]))
STATUSES = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(Status))


def ours(**statuses: Status) -> dict[str, TestEvidence]:
    return {
        name: TestEvidence(id=name, suite="hidden", tier="core", exercise="e", status=status, seed=0)
        for name, status in statuses.items()
    }


def theirs(*pairs: tuple[str, str]) -> dict:
    return {"tests": [{"nodeid": name, "outcome": outcome} for name, outcome in pairs]}


def test_two_records_that_agree_agree():
    report = theirs(("a", "passed"), ("b", "failed"))
    assert disagreement(report, ours(a=Status.PASSED, b=Status.TIMEOUT), ["b", "a"]) is None
    assert disagreement({}, {}, []) is None


@pytest.mark.parametrize(
    ("report", "evidence", "said"),
    [
        (theirs(("a", "passed"), ("a", "passed")), ours(a=Status.PASSED), "a was reported twice"),
        (theirs(("a", "passed")), {}, "a was selected, but has no result"),
        (theirs(), ours(a=Status.PASSED), "a was selected, but has no result"),
        (theirs(("a", "failed")), ours(a=Status.PASSED), "a is passed in our record, but failed in pytest's"),
        (theirs(("a", "skipped")), ours(a=Status.PASSED), "a is passed in our record, but skipped in pytest's"),
        (theirs(("a", "passed")), ours(a=Status.FAILED), "a is failed in our record, but passed in pytest's"),
        (theirs(("a", "passed"), ("b", "passed")), ours(a=Status.PASSED), "b ran without being selected"),
    ],
)
def test_where_they_differ_is_told(report, evidence, said):
    assert disagreement(report, evidence, ["a"]) == said


@given(OUTCOMES, STATUSES, st.sets(st.sampled_from(NAMES)))
def test_nothing_that_only_one_side_calls_passed_gets_through(outcomes, statuses, selected):
    if disagreement(theirs(*outcomes.items()), ours(**statuses), selected) is None:
        assert outcomes.keys() == selected
        assert {name for name in selected if statuses[name] is Status.PASSED} == {
            name for name in selected if outcomes[name] == "passed"
        }
