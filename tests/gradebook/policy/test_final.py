"""What counts of several attempts, for whom, and how many late days that takes."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from grader.gradebook.policy.final import Final, Known, finals
from grader.gradebook.policy.lateness import DAY
from grader.gradebook.policy.model import Policy
from grader.gradebook.policy.work import Attempt, Ruling

DUE = int(datetime(2026, 10, 1, tzinfo=UTC).timestamp())
AT = "2026-10-01T00:00:00Z"


def attempt(score: float, after: int = 0, student: str = "ada", **exercises: float) -> Attempt:
    return Attempt(student, DUE + after, score, 10.0, exercises)


def known(*attempts: Attempt, rulings: tuple[Ruling, ...] = (), assignments: tuple[str, ...] = ("x",)) -> Known:
    found: dict[tuple[str, str], list[Attempt]] = {}
    for each in attempts:
        for assignment in assignments:
            found.setdefault((each.student, assignment), []).append(each)
    return Known(dict.fromkeys(assignments, 10.0), found, {("ada", "x"): rulings})


def policy(**keys: object) -> Policy:
    usual = {"assignments": {"x": {"due": AT}}, "late": {"percent_per_day": 10}}
    return Policy.model_validate(usual | keys)


def of(what: Known, rules: Policy, student: str = "ada") -> Final:
    return finals(student, what, rules)[0]


def ruling(score: float | None = None, exercise: str = "", kind: str | None = None, comment: str = "") -> Ruling:
    return Ruling(exercise, kind or ("comment" if score is None else "score"), score, comment, "prof", "because", 0)


def test_the_latest_attempt_counts_unless_the_best_is_to() -> None:
    tries = known(attempt(9), attempt(7, -5), attempt(8, 0))
    assert of(tries, policy()).score == 8
    assert of(known(attempt(9, -9), attempt(7, -5)), policy()).score == 7
    assert of(known(attempt(9, -9), attempt(7, -5)), policy(attempts="best")).score == 9


def test_the_best_is_the_best_after_what_lateness_costs() -> None:
    found = of(known(attempt(8.9), attempt(9.8, DAY)), policy(attempts="best"))
    assert (found.score, found.lateness.days) == (Fraction("8.9"), 0)
    assert of(known(attempt(8), attempt(9.8, DAY)), policy(attempts="best")).score == Fraction("8.82")


def test_of_attempts_that_are_as_good_the_one_that_takes_no_day_of_the_bank_counts() -> None:
    found = of(known(attempt(8), attempt(8, DAY)), policy(attempts="best", bank_days=3))
    assert (found.lateness.from_bank, found.attempt and found.attempt.submitted) == (0, DUE)


def test_what_comes_after_the_cut_off_takes_nothing_from_what_came_before() -> None:
    rules = policy(late={"cut_off_days": 1})
    assert of(known(attempt(8), attempt(9, 2 * DAY)), rules).score == 8
    late = of(known(attempt(9, 2 * DAY)), rules)
    assert (late.score, late.earned, late.lateness.cut_off) == (0, 9, True)


def test_an_extension_is_one_students_alone_and_moves_the_cut_off() -> None:
    own = {"students": {"ada": {"extensions": {"x": "2026-10-03T00:00:00Z"}}}}
    rules = policy(**own, late={"percent_per_day": 10, "cut_off_days": 1})
    both = known(attempt(8, 2 * DAY), attempt(8, 2 * DAY, "bob"))
    assert of(both, rules).score == 8
    assert of(both, rules, "bob").score == 0


def test_the_bank_goes_to_what_is_due_first_whatever_it_is_called() -> None:
    rules = policy(bank_days=3, assignments={"x": {"due": "2026-10-02T00:00:00Z"}, "y": {"due": AT}})
    y, x = attempt(10, 2 * DAY), attempt(10, 3 * DAY)
    what = Known({"x": 10.0, "y": 10.0}, {("ada", "y"): [y], ("ada", "x"): [x]}, {})
    found = {each.assignment: each for each in finals("ada", what, rules)}
    assert (found["y"].lateness.from_bank, found["x"].lateness.from_bank) == (2, 1)
    assert (found["y"].score, found["x"].score) == (10, 9)


def test_a_student_may_have_a_bank_of_their_own() -> None:
    rules = policy(bank_days=0, students={"ada": {"bank_days": 1}})
    both = known(attempt(10, DAY), attempt(10, DAY, "bob"))
    assert (of(both, rules).score, of(both, rules, "bob").score) == (10, 9)


def test_who_is_excused_is_not_asked_for_it() -> None:
    found = of(known(attempt(3)), policy(students={"ada": {"excused": ["x"]}}))
    assert (found.excused, found.score) == (True, 0)


def test_a_bonus_comes_on_top_and_is_not_late_and_the_cap_holds_for_all_of_it() -> None:
    own = {"students": {"ada": {"bonus": {"x": 2.5}}}}
    assert of(known(attempt(10, DAY)), policy(**own)).score == Fraction("11.5")
    capped = policy(**own, assignments={"x": {"due": AT, "cap": 10}})
    assert of(known(attempt(10, DAY)), capped).score == 10


def test_what_one_of_a_group_hands_in_counts_for_all_of_it_and_for_nobody_else() -> None:
    rules = policy(groups=[{"members": ["ada", "bob"]}])
    what = known(attempt(8), attempt(9, 0, "bob"), attempt(2, 0, "cyd"))
    assert (of(what, rules).score, of(what, rules, "bob").score, of(what, rules, "cyd").score) == (9, 9, 2)
    assert of(known(attempt(8)), rules, "bob").attempts == 1


def test_each_of_a_group_has_a_due_time_and_a_bank_of_their_own() -> None:
    rules = policy(groups=[{"members": ["ada", "bob"]}], students={"bob": {"bank_days": 1}})
    what = known(attempt(10, DAY))
    assert (of(what, rules).score, of(what, rules, "bob").score) == (9, 10)


def test_nothing_handed_in_is_nothing() -> None:
    found = of(known(attempt(8)), policy(), "bob")
    assert (found.score, found.attempt, found.attempts) == (0, None, 0)


def test_a_persons_decision_stands_before_what_lateness_costs() -> None:
    assert of(known(attempt(3, DAY), rulings=(ruling(10.0),)), policy()).score == 9
    parts = attempt(5, a=5.0, b=0.0)
    assert of(known(parts, rulings=(ruling(4.0, "b"),)), policy()).score == 9
    assert of(known(parts, rulings=(ruling(1.0, "a"),)), policy()).score == 1


def test_of_decisions_the_last_stands_until_it_is_withdrawn() -> None:
    parts = attempt(5, a=5.0)
    again = (ruling(1.0, "a"), ruling(2.0, "a"), ruling(comment="see me"))
    assert of(known(parts, rulings=again), policy()).score == 2
    assert of(known(parts, rulings=(*again, ruling(exercise="a", kind="withdrawn"))), policy()).score == 5


def test_somebody_may_decide_about_what_was_never_handed_in() -> None:
    found = of(known(rulings=(ruling(7.0),)), policy())
    assert (found.score, found.attempt) == (7, None)


tries = st.lists(st.builds(attempt, st.integers(0, 10), st.integers(-DAY, 6 * DAY)), min_size=1, max_size=4)


@given(tries, st.integers(0, 4))
def test_the_best_is_never_less_than_the_latest_and_never_more_than_was_earned(made, bank: int) -> None:
    rules = {"bank_days": bank, "late": {"percent_per_day": 15, "cut_off_days": 4}}
    best, latest = (of(known(*made), policy(attempts=rule, **rules)) for rule in ("best", "latest"))
    assert 0 <= latest.score <= best.score <= max(each.score for each in made)


@given(tries)
def test_one_more_attempt_in_time_never_harms_where_the_best_counts(made) -> None:
    rules = policy(attempts="best")
    assert of(known(*made, attempt(5, -1)), rules).score >= of(known(*made), rules).score


def test_an_answer_in_words_counts_with_what_it_is_worth_once_a_person_has_read_it() -> None:
    tries = replace(known(attempt(8)), by_hand={"x": {"answers.md": 5.0}})
    before = of(tries, policy())
    assert (before.score, before.points, before.waiting) == (8, 10, ("answers.md",))
    read = replace(tries, rulings={("ada", "x"): (ruling(4, "answers.md"),)})
    after = of(read, policy())
    assert (after.score, after.points, after.waiting) == (12, 15, ())


def test_nothing_waits_for_a_person_where_nothing_was_handed_in() -> None:
    tries = replace(known(attempt(8)), by_hand={"x": {"answers.md": 5.0}})
    assert of(tries, policy(), "bo").waiting == ()
