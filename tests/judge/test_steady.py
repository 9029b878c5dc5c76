from __future__ import annotations

from typing import Any

from grader.judge.steady import with_first_words
from grader.model.evidence import ErrorInfo, Evidence, HeatMap, TestEvidence
from grader.model.verdict import Status, Suite, Tier


def found(suite: Suite, status: Status, message: str) -> Evidence:
    error = ErrorInfo(types=["ValueError"], message=message)
    test: dict[str, Any] = {"id": "a", "suite": suite, "tier": Tier.CORE, "exercise": "toy.a", "seed": 1}
    return Evidence(assignment="toy", tests=[TestEvidence(**test, status=status, message=message, error=error)])


def words(evidence: Evidence) -> tuple[str, str | None]:
    (test,) = evidence.tests
    return test.message, test.error and test.error.message


def test_a_visible_test_says_what_it_said_first() -> None:
    first, second = (found(Suite.VISIBLE, Status.FAILED, text) for text in ("mine", "the hidden input"))
    assert words(with_first_words(first, second)) == ("mine", "mine")


def test_where_its_verdict_changed_it_says_nothing() -> None:
    first, second = found(Suite.VISIBLE, Status.PASSED, ""), found(Suite.VISIBLE, Status.FAILED, "the hidden input")
    merged = with_first_words(first, second)
    assert merged.tests[0].status is Status.FAILED
    assert words(merged) == ("", None)


def test_an_import_says_what_it_said_first_in_hidden_tests_too() -> None:
    first, second = (found(Suite.HIDDEN, Status.IMPORT_ERROR, text) for text in ("mine", "the hidden input"))
    assert words(with_first_words(first, second)) == ("mine", "mine")


def test_a_hidden_test_says_what_it_said_last_for_only_the_instructor_reads_it() -> None:
    first, second = (found(Suite.HIDDEN, Status.FAILED, text) for text in ("mine", "other"))
    assert words(with_first_words(first, second)) == ("other", "other")


def test_where_the_first_judge_was_lost_the_second_speaks_for_itself() -> None:
    second = found(Suite.VISIBLE, Status.FAILED, "mine")
    assert words(with_first_words(Evidence(assignment="toy", problem="killed"), second)) == ("mine", "mine")


def test_where_the_first_time_was_a_fault_of_ours_the_second_speaks_for_itself() -> None:
    first, second = found(Suite.VISIBLE, Status.GRADER_ERROR, "gone"), found(Suite.VISIBLE, Status.FAILED, "mine")
    assert words(with_first_words(first, second)) == ("mine", "mine")


def drawn(status: Status, number: float) -> Evidence:
    (test,) = found(Suite.VISIBLE, status, "").tests
    heat = HeatMap(what="the weights", got=[[number]], right=[[1.0]])
    return Evidence(assignment="toy", tests=[test.model_copy(update={"heat_maps": [heat]})])


def test_a_heat_map_is_the_one_of_the_first_time_for_the_second_knows_the_hidden_inputs() -> None:
    merged = with_first_words(drawn(Status.FAILED, 0.5), drawn(Status.FAILED, 0.314))
    assert [heat.got for heat in merged.tests[0].heat_maps] == [[[0.5]]]
    assert with_first_words(drawn(Status.PASSED, 1.0), drawn(Status.FAILED, 0.314)).tests[0].heat_maps == []
