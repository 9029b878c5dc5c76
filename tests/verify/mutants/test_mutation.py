"""A toy reference is mutated; what the suite misses, and what is declared wrongly, is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grader.model.errors import CourseError
from grader.verify.mutants import comparison, equivalents
from grader.verify.mutants.mutation import Mutation, mutate
from grader.verify.mutants.telling import render
from tests.e2e.toy import TEST, toy_course
from tests.verify.test_toy import SQUARE

DECLARED = """
[[equivalents]]
function = "toy.double"
before = "return 2 * x + 0 # nothing"
after = "return  2 * x - 0"
reason = "Adding nothing and taking nothing away are the same."
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    return toy_course(tmp_path / "course", limits="{ cpu_seconds = 0.3 }")


def write(course: Path, name: str, text: str) -> None:
    (course / name).write_text(text, encoding="utf-8")


def body(course: Path, text: str) -> None:
    write(course, "reference/toy.py", f"def double(x):\n    {text}\n")


def suite(course: Path, old: str, new: str) -> None:
    write(course, "assignments/toy/hidden/test_double.py", TEST.replace(old, new))


def mutated(course: Path, *, seeds: int = 1, jobs: int = 1) -> Mutation:
    return mutate(course / "assignments" / "toy", seeds=seeds, jobs=jobs)


def declared(course: Path, monkeypatch: pytest.MonkeyPatch, text: str = DECLARED, most: float = 0.5) -> str:
    """What is said of a reference with one equivalent mutant and another, `return 2 * x`, that nobody declares."""
    monkeypatch.setattr(equivalents, "MOST", most)
    body(course, "return 2 * x + 0  # nothing")
    write(course, "assignments/toy/equivalents.toml", text)
    return "\n".join(render(mutated(course)))


def test_a_sound_suite_kills_every_mutant(toy: Path) -> None:
    found = mutated(toy)
    assert len(found.fates) > 5
    assert all(fate.killed for fate in found.fates)
    lines = list(render(found))
    assert lines[0] == f"toy: {len(found.fates)} of {len(found.fates)} mutants killed (100.0%), 1 seed"
    assert lines[-1] == "  holds"


def test_a_survivor_is_shown_as_a_diff_with_its_place(toy: Path) -> None:
    suite(toy, "np.arange(3.0)), np.array([0.0, 2.0, 4.0])", "np.zeros(3)), np.zeros(3)")
    told = "\n".join(render(mutated(toy)))
    assert "  survives: reference/toy.py:2 in double: return 2 * x -> return 3 * x" in told
    assert "    --- reference/toy.py" in told
    assert "    -    return 2 * x\n    +    return 3 * x" in told
    assert "does not hold: " in told


def test_a_mutant_that_is_caught_on_some_seeds_only_survives(toy: Path) -> None:
    suite(
        toy,
        "def test_values(submission):\n",
        "def test_values(submission, rng):\n    if rng.random() < 0.5:\n        return\n",
    )
    found = mutated(toy, seeds=5)
    assert {len(fate.caught) for fate in found.fates} & {1, 2, 3, 4}
    assert "survives with " in "\n".join(render(found))


def test_a_mutant_that_loops_for_ever_is_stopped_and_counts_as_killed(toy: Path) -> None:
    body(toy, "n = 0\n    while n < 2:\n        n += 1\n    return n * x")
    found = mutated(toy)
    endless = [fate for fate in found.fates if fate.mutant.after in {"while True:", "n -= 1", "n *= 1"}]
    assert len(endless) >= 2
    assert all(fate.killed for fate in endless)


def test_the_fates_are_the_same_over_any_number_of_processes(toy: Path) -> None:
    one, many = mutated(toy), mutated(toy, jobs=3)
    assert [(fate.mutant, fate.caught) for fate in one.fates] == [(fate.mutant, fate.caught) for fate in many.fates]


def test_a_helper_counts_for_the_exercise_that_calls_it(toy: Path) -> None:
    body(toy, "return twice(x)\n\n\ndef twice(x):\n    return x + x")
    assert {fate.exercise for fate in mutated(toy).fates} == {"toy.double"}


def test_a_helper_that_nothing_calls_is_code_that_survives(toy: Path) -> None:
    body(toy, "return 2 * x\n\n\ndef unused(x):\n    return x + x")
    survivors = mutated(toy).survivors
    assert survivors
    assert {(fate.exercise, fate.mutant.function) for fate in survivors} == {("helpers", "unused")}


def test_a_declared_equivalent_is_compared_on_a_thousand_calls_and_no_survivor(toy: Path, monkeypatch) -> None:
    monkeypatch.setattr(equivalents, "MOST", 0.5)
    body(toy, "return 2 * x + 0  # nothing")
    write(toy, "assignments/toy/equivalents.toml", DECLARED)
    found = mutated(toy)
    (fate,) = [fate for fate in found.fates if fate.reason]
    assert fate.compared >= 3 * comparison.CALLS == 3000
    assert fate.unequal is None
    assert found.problems == []
    assert [survivor.mutant.after for survivor in found.survivors] == ["return (2 * x)"]


def test_a_declaration_that_is_caught_is_told(toy: Path, monkeypatch) -> None:
    told = declared(toy, monkeypatch, DECLARED.replace("2 * x - 0", "2 * x + 1"))
    assert "is declared equivalent, but hidden/test_double.py::test_values catches it" in told


def test_a_declaration_that_only_the_suite_takes_for_equal_is_told(toy: Path, monkeypatch) -> None:
    suite(toy, "np.arange(3.0)), np.array([0.0, 2.0, 4.0])", "np.zeros(3)), np.zeros(3)")
    told = declared(toy, monkeypatch, DECLARED.replace("2 * x - 0", "3 * x + 0"))
    assert "is declared equivalent, but differs from the reference in call 2, double as hidden/test_double.py" in told


def test_a_declaration_of_no_mutant_is_told(toy: Path, monkeypatch) -> None:
    told = declared(toy, monkeypatch, DECLARED.replace("2 * x - 0", "2 * x / 0"))
    assert "equivalents.toml: toy.double: return 2 * x + 0 -> return 2 * x / 0 is no mutant of the reference" in told


def test_a_declaration_that_stands_twice_is_told(toy: Path, monkeypatch) -> None:
    assert "stands twice" in declared(toy, monkeypatch, DECLARED + DECLARED)


SPARED = """
[[survivors]]
function = "toy.double"
before = "return 2 * x + 0"
after = "return (2 * x)"
reason = "Whether nothing is added is left open here."
"""


def test_a_declared_survivor_is_shown_with_its_reason_and_counts_as_not_killed(toy: Path, monkeypatch) -> None:
    monkeypatch.setattr(equivalents, "SPARED", 0.5)
    told = declared(toy, monkeypatch, DECLARED + SPARED)
    assert "survives, as declared: reference/toy.py:2 in double: return 2 * x + 0 -> return (2 * x)" in told
    assert "+    return (2 * x)  # nothing\n    reason: Whether nothing is added is left open here." in told
    killed, of = map(int, re.match(r"toy: (\d+) of (\d+) mutants killed", told).groups())
    assert killed == of - 1
    assert told.endswith("holds")


def test_a_declared_survivor_that_is_caught_is_told(toy: Path, monkeypatch) -> None:
    told = declared(toy, monkeypatch, SPARED.replace('"return (2 * x)"', '"return 2 * x + 1"'))
    assert "is declared to survive, but hidden/test_double.py::test_values catches it" in told


def test_more_declared_survivors_than_three_in_a_hundred_are_told(toy: Path, monkeypatch) -> None:
    told = declared(toy, monkeypatch, DECLARED + SPARED)
    assert "that are not equivalent are declared to survive: at most 3% may" in told
    assert "does not hold" in told


def test_more_than_a_twentieth_declared_is_told(toy: Path, monkeypatch) -> None:
    told = declared(toy, monkeypatch, most=0.05)
    assert "mutants are declared equivalent: at most 5% may be" in told
    assert "does not hold" in told


def test_a_declaration_that_differs_only_for_what_does_not_fit_is_told(toy: Path, monkeypatch) -> None:
    monkeypatch.setattr(equivalents, "MOST", 0.5)
    body(toy, "return 2 * x + 0 * x.shape[0]")
    text = DECLARED.replace("2 * x + 0 # nothing", "2 * x + 0 * x.shape[0]").replace("2 * x - 0", "2 * x + 0")
    write(toy, "assignments/toy/equivalents.toml", text)
    assert "is declared equivalent, but differs from the reference in call" in "\n".join(render(mutated(toy)))


def test_a_mistyped_key_is_told_with_file_line_and_suggestion(toy: Path) -> None:
    write(toy, "assignments/toy/equivalents.toml", DECLARED.replace("reason", "reasons"))
    with pytest.raises(CourseError) as caught:
        mutated(toy)
    told = str(caught.value)
    assert "equivalents.toml:6" in told
    assert "unknown key `equivalents[0].reasons`; did you mean `reason`?" in told
    assert "`grader schema equivalents`" in told


def test_the_command_exits_3_for_a_survivor_and_only_if_asked_to_mutate(grader, toy: Path) -> None:
    write(toy, "assignments/toy/misconceptions.py", SQUARE)
    body(toy, "return 2 * x + 0")
    assert grader("verify", "toy", "--lock", "--course", toy).returncode == 0
    ran = grader("verify", "toy", "--mutate", "--seeds", "1", "--course", toy)
    assert ran.returncode == 3
    assert "survives: reference/toy.py:2 in double" in ran.stdout
    body(toy, "return 2 * x")
    ran = grader("verify", "toy", "--mutate", "--seeds", "1", "--course", toy)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_nothing_is_mutated_where_the_rest_does_not_hold(grader, toy: Path) -> None:
    ran = grader("verify", "toy", "--mutate", "--course", toy)
    assert ran.returncode == 3
    assert "mutants" not in ran.stdout
