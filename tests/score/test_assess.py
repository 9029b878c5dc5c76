from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.evidence import Carried, Diagnosis, Flag, OutputInfo
from grader.model.verdict import Status
from grader.score.assess import overall, total
from tests.score.toy import LOCKED, evidence, ran, report

ANY = st.fixed_dictionaries({test.id: st.sampled_from(Status) for test in LOCKED})


def test_everything_passed_is_full_marks():
    found = report(evidence())
    assert (found.status, found.score, found.points) == (Status.PASSED, 6.1, 6.1)
    assert [part.score for part in found.exercises] == [1.1, 5.0]


def test_fractions_are_rounded_once_at_the_end():
    # Of 1.1 points, a core and one edge of three earn 0.9533..: with the 5 of the other, 5.9533..
    found = report(evidence({"hidden/c": Status.FAILED, "hidden/d": Status.FAILED}))
    assert found.exercises[0].score == 0.95
    assert found.score == 5.95
    assert found.status is Status.PARTIAL


def test_a_failed_core_earns_nothing_whatever_the_edges_do():
    found = report(evidence({"hidden/a": Status.CRASHED}))
    assert (found.exercises[0].status, found.exercises[0].score) == (Status.CRASHED, 0.0)


def carried(**statuses):
    """Evidence in which the second exercise failed by itself, and was carried to what is given."""
    tests = [
        test.model_copy(update={"carried": Carried(needs=["toy.double"], status=statuses["treble"])})
        if test.exercise == "toy.treble"
        else test
        for test in evidence({"hidden/a": Status.FAILED, "hidden/e": Status.FAILED}).tests
    ]
    return report(evidence(tests=tests))


def test_an_exercise_that_passes_once_carried_has_its_points_and_says_so():
    found = carried(treble=Status.PASSED)
    assert [(part.status, part.score, part.carried) for part in found.exercises] == [
        (Status.FAILED, 0.0, []),
        (Status.PASSED, 5.0, ["toy.double"]),
    ]
    assert found.score == 5.0
    assert found.status is Status.PARTIAL


def test_an_exercise_that_fails_carried_too_keeps_its_own_verdict():
    found = carried(treble=Status.CRASHED)
    assert (found.exercises[1].status, found.exercises[1].score, found.exercises[1].carried) == (Status.FAILED, 0.0, [])


def test_a_fault_of_ours_while_carrying_is_no_score():
    assert carried(treble=Status.GRADER_ERROR).score is None


def test_a_visible_test_decides_nothing():
    assert report(evidence({"visible/a": Status.FAILED})).score == 6.1


@pytest.mark.parametrize("missing", ["hidden/a", "hidden/e"])
def test_a_test_that_has_no_result_earns_nothing(missing):
    tests = [test for test in evidence().tests if test.id != missing]
    found = report(evidence(tests=tests))
    part = next(part for part in found.exercises if part.score == 0)
    assert part.status is Status.FAILED
    assert found.points == 6.1


def test_a_test_that_has_two_results_earns_nothing():
    for again in (Status.PASSED, Status.FAILED):
        found = report(evidence(tests=[*evidence().tests, ran(LOCKED[1], again)]))
        assert (found.exercises[0].status, found.exercises[0].score) == (Status.FAILED, 0.0)


def test_a_test_that_is_not_locked_earns_nothing_and_is_not_told():
    stranger = ran(LOCKED[1]).model_copy(update={"id": "hidden/new"})
    tests = [stranger if test.id == "hidden/a" else test for test in evidence().tests]
    found = report(evidence(tests=tests))
    assert found.exercises[0].score == 0
    assert "hidden/new" not in [test.id for test in found.exercises[0].tests]


def test_a_result_under_another_exercise_s_name_earns_nothing():
    tests = [test.model_copy(update={"exercise": "toy.treble"}) for test in evidence().tests]
    assert report(evidence(tests=tests)).exercises[0].score == 0


def test_our_own_fault_is_never_a_0():
    found = report(evidence({"hidden/b": Status.GRADER_ERROR}))
    assert (found.exercises[0].status, found.exercises[0].score) == (Status.GRADER_ERROR, None)
    assert (found.exercises[1].status, found.exercises[1].score) == (Status.PASSED, 5.0)
    assert (found.status, found.score) == (Status.GRADER_ERROR, None)


def test_a_problem_of_the_judge_leaves_no_score_at_all():
    found = report(evidence(problem="the judge ended with exit code 1"))
    assert [(part.status, part.score) for part in found.exercises] == [(Status.GRADER_ERROR, None)] * 2
    assert found.score is None
    assert found.problem == found.exercises[0].message == "the judge ended with exit code 1"


@given(ANY)
def test_there_is_a_score_exactly_where_no_fault_is_ours(statuses):
    found = report(evidence(statuses))
    ours = any(status.is_ours for test_id, status in statuses.items() if test_id.startswith("hidden"))
    assert (found.score is None) == ours == found.status.is_ours


@given(ANY, st.sampled_from([test.id for test in LOCKED]))
def test_passing_one_test_more_never_costs_a_point(statuses, test_id):
    before = report(evidence({k: Status.FAILED if v.is_ours else v for k, v in statuses.items()})).score
    after = report(
        evidence({k: Status.FAILED if v.is_ours else v for k, v in statuses.items()} | {test_id: Status.PASSED})
    )
    assert after.score >= before


def test_only_the_exercises_asked_for_are_reported():
    found = report(evidence(), only=["toy.treble"])
    assert [part.id for part in found.exercises] == ["toy.treble"]
    assert (found.score, found.points) == (5.0, 5.0)


def test_the_message_of_a_cause_that_lies_before_any_input_is_told():
    lost = [ran(test, Status.IMPORT_ERROR, message="SyntaxError: '(' was never closed") for test in LOCKED]
    assert "never closed" in report(evidence(tests=lost)).exercises[0].message


def test_the_message_of_a_hidden_test_is_not_the_exercise_s():
    failed = [ran(test, Status.FAILED, message="got 1.5, expected 2.5") for test in LOCKED]
    assert report(evidence(tests=failed)).exercises[0].message == ""


def test_what_the_judge_saw_stands_in_the_report():
    diagnosis = Diagnosis(
        exercise="toy.treble", misconceptions=["toy.treble/x"], en=[], zh_tw=[], calls=1, separating=1
    )
    flag = Flag(file="toy.py", line=1, name="ctypes")
    found = report(evidence(diagnoses=[diagnosis], flags=[flag], output=OutputInfo(text="hello")))
    assert [part.diagnosis for part in found.exercises] == [None, diagnosis]
    assert (found.flags, found.output.text, found.suite_digest) == ([flag], "hello", "d")


@pytest.mark.parametrize(
    ("statuses", "told"),
    [
        ([Status.PASSED, Status.PASSED], Status.PASSED),
        ([Status.PASSED, Status.TIMEOUT], Status.PARTIAL),
        ([Status.PARTIAL, Status.FAILED], Status.PARTIAL),
        ([Status.NOT_IMPLEMENTED, Status.TIMEOUT], Status.TIMEOUT),
        ([Status.PASSED, Status.GRADER_ERROR], Status.GRADER_ERROR),
        ([], Status.FAILED),
    ],
    ids=str,
)
def test_several_statuses_are_told_as_one(statuses, told):
    assert overall(statuses) is told


def test_a_sum_with_a_fault_of_ours_in_it_is_none():
    assert total([Fraction(1, 3)] * 3) == 1.0
    assert total([Fraction(1), None]) is None
    assert total([]) == 0.0
