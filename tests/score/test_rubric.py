from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course.lock import LockedTest
from grader.model.points import rounded
from grader.model.verdict import Status, Suite, Tier
from grader.score.rubric import CORE_SHARE, counting, exercise_status, points, share

FIRST, SECOND, EDGE, CORNER = "a", "b", "c", "d"


def hidden(tier: Tier, test_id: str, exercise: str = "toy.double") -> LockedTest:
    return LockedTest(Suite.HIDDEN, tier, exercise, test_id)


FOUR = [hidden(Tier.CORE, FIRST), hidden(Tier.CORE, SECOND), hidden(Tier.EDGE, EDGE), hidden(Tier.EDGE, CORNER)]
OF_A_TEST = [status for status in Status if status is not Status.PARTIAL]
SUITES = st.lists(st.sampled_from(Tier), max_size=8).map(
    lambda tiers: [hidden(tier, str(number)) for number, tier in enumerate(tiers)]
)


def passing(tests) -> dict[str, bool]:
    return dict.fromkeys((test.id for test in tests), True)


@pytest.mark.parametrize(
    ("passed", "earned"),
    [
        ("abcd", Fraction(1)),
        ("ab", Fraction(4, 5)),
        ("abc", Fraction(9, 10)),
        ("acd", Fraction(0)),
        ("cd", Fraction(0)),
        ("", Fraction(0)),
    ],
)
def test_the_core_earns_four_fifths_and_only_then_edges_the_rest(passed, earned):
    assert share(FOUR, dict.fromkeys(passed, True)) == earned


def test_without_edge_tests_the_core_earns_all():
    assert share(FOUR[:2], passing(FOUR)) == 1
    assert share(FOUR[:2], passing(FOUR[:1])) == 0


def test_without_core_tests_nothing_is_earned_and_nothing_has_passed():
    assert share(FOUR[2:], passing(FOUR)) == 0
    assert exercise_status(FOUR[2:], dict.fromkeys("abcd", Status.PASSED)) is Status.FAILED


def test_an_exercise_without_tests_earns_nothing():
    assert share([], {}) == 0
    assert exercise_status([], {}) is Status.FAILED


@given(SUITES, st.data())
def test_a_test_more_that_passes_never_costs_anything(suite, data):
    passed = data.draw(st.fixed_dictionaries({test.id: st.booleans() for test in suite}))
    earned = share(suite, passed)
    assert 0 <= earned <= 1
    for test in suite:
        assert share(suite, passed | {test.id: True}) >= earned
        assert share(suite, passed | {test.id: False}) <= earned


@given(SUITES, st.data())
def test_a_test_that_is_missing_is_a_test_that_failed(suite, data):
    passed = data.draw(st.fixed_dictionaries({test.id: st.booleans() for test in suite}))
    held = {test_id: True for test_id, did in passed.items() if did}
    assert share(suite, held) == share(suite, passed)


@given(SUITES, st.text(max_size=3))
def test_a_test_that_nobody_expected_earns_nothing(suite, stranger):
    known = {test.id for test in suite}
    assert share(suite, {} if stranger in known else {stranger: True}) == 0


@given(SUITES)
def test_the_parts_of_an_exercise_sum_to_its_whole(suite):
    core = [test for test in suite if test.tier is not Tier.EDGE]
    edge = [test for test in suite if test.tier is Tier.EDGE]
    if core and edge:
        alone = [share(suite, passing([*core, test])) - CORE_SHARE for test in edge]
        assert CORE_SHARE + sum(alone) == share(suite, passing(suite)) == 1


@given(SUITES, st.data())
def test_passed_is_said_of_full_marks_alone_and_partial_of_the_rest_that_earned(suite, data):
    statuses = data.draw(st.fixed_dictionaries({}, optional={test.id: st.sampled_from(OF_A_TEST) for test in suite}))
    status = exercise_status(suite, statuses)
    earned = share(suite, {test_id: each is Status.PASSED for test_id, each in statuses.items()})
    if status is Status.GRADER_ERROR:
        assert Status.GRADER_ERROR in statuses.values()
    else:
        assert (status is Status.PASSED) == (earned == 1)
        assert (status is Status.PARTIAL) == (0 < earned < 1)


def test_the_cause_is_told_of_an_exercise_whose_core_failed():
    found = {FIRST: Status.FAILED, SECOND: Status.TIMEOUT, EDGE: Status.IMPORT_ERROR, CORNER: Status.PASSED}
    assert exercise_status(FOUR, found) is Status.TIMEOUT


def test_only_hidden_tests_of_the_exercise_count():
    visible = LockedTest(Suite.VISIBLE, Tier.CORE, "toy.double", "v")
    other = hidden(Tier.CORE, "o", "toy.treble")
    assert counting([visible, *FOUR, other], "toy.double") == FOUR


@given(st.lists(st.fractions(0, 100), max_size=6), st.fractions(0, 100))
def test_rounding_keeps_the_order(scores, more):
    assert rounded(sum(scores, Fraction(0)) + more) >= rounded(sum(scores, Fraction(0)))


def test_points_are_what_the_manifest_says_to_the_last_digit():
    assert points(Fraction(1, 3), 0.1) * 3 == Fraction(1, 10)
    assert points(Fraction(1), 2.675) == Fraction("2.675")


SHEET = [hidden(Tier.QUESTION, question) for question in "abcdef"]


@given(st.sets(st.sampled_from("abcdef")))
def test_each_question_of_a_worksheet_earns_the_same_part(right):
    assert share(SHEET, dict.fromkeys(right, True)) == Fraction(len(right), 6)


@pytest.mark.parametrize(
    ("statuses", "told"),
    [
        (dict.fromkeys("abcdef", Status.PASSED), Status.PASSED),
        ({"a": Status.PASSED}, Status.PARTIAL),
        (dict.fromkeys("abcdef", Status.NOT_IMPLEMENTED), Status.NOT_IMPLEMENTED),
        (dict.fromkeys("abcde", Status.FAILED) | {"f": Status.NOT_IMPLEMENTED}, Status.NOT_IMPLEMENTED),
        (dict.fromkeys("abcdef", Status.IMPORT_ERROR), Status.IMPORT_ERROR),
        (dict.fromkeys("abcde", Status.PASSED) | {"f": Status.GRADER_ERROR}, Status.GRADER_ERROR),
    ],
)
def test_a_worksheet_is_partial_where_some_of_its_questions_are_right(statuses, told):
    assert exercise_status(SHEET, statuses) is told


def test_a_question_among_other_tests_is_one_of_the_core():
    mixed = [*SHEET, hidden(Tier.CORE, "core"), hidden(Tier.EDGE, "edge")]
    assert share(mixed, passing(mixed)) == 1
    assert share(mixed, passing(mixed) | {"a": False}) == 0
