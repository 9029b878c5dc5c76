"""What a class comes to."""

from __future__ import annotations

from grader.graded.read import Graded
from grader.html.tally import Tally
from grader.model.evidence import Flag
from grader.model.report import Report
from grader.model.verdict import Status, Suite
from tests.graded import made


def tally(*reports: Report) -> Tally:
    found = Tally()
    for report in reports:
        found.add(Graded(made.row(report), report, None))
    return found


def test_the_exercise_that_the_fewest_passed_comes_first_and_faults_of_ours_are_no_verdict():
    easy, hard = (lambda score: made.exercise("toy.easy", score)), (lambda score: made.exercise("toy.hard", score))
    found = tally(
        made.report("a", easy(10.0), hard(0.0)),
        made.report("b", easy(10.0), hard(10.0)),
        made.report("c", easy(0.0), made.exercise("toy.hard", None)),
    )
    assert [(each.id, each.passed, each.graded) for each in found.hardest] == [
        ("toy.hard", 0.5, 2),
        ("toy.easy", 2 / 3, 3),
    ]
    assert found.hardest[0].found == {Status.FAILED: 1, Status.PASSED: 1, Status.GRADER_ERROR: 1}


def test_a_misconception_is_counted_once_for_each_who_holds_it():
    twice = made.exercise(
        score=0.0, diagnosis=made.explained(), also=[made.explained(), made.explained(mistake="toy.double/other")]
    )
    found = tally(made.report("a", twice), made.report("b", made.exercise(score=0.0, diagnosis=made.explained())))
    assert [(each.id, each.students) for each in found.commonest] == [
        ("toy.double/adds-2", ["a", "b"]),
        ("toy.double/other", ["a"]),
    ]
    assert found.lines[0].mistakes == ["toy.double/adds-2", "toy.double/other"]


def test_a_fault_of_ours_is_told_with_what_was_said_of_it():
    broken = made.tried("test_a", Status.GRADER_ERROR, "the test itself is broken", Suite.HIDDEN)
    lost = made.report("b", made.exercise(score=None))
    lost.assignments[0] = lost.assignments[0].model_copy(update={"problem": "the judge was killed"})
    found = tally(made.report("a", made.exercise(score=None, tests=[broken])), lost, made.report("c"))
    assert [(each.id, each.where, each.message) for each in found.faults] == [
        ("a", "toy.double", "the test itself is broken"),
        ("b", "toy", "the judge was killed"),
    ]


def test_the_ten_slowest_are_told_with_their_slowest_part():
    reports = [made.report(f"s{n:02}", timings={"total": n, "suite": n, "sandbox": 0.1, "t": n / 2}) for n in range(12)]
    found = tally(*reports).slowest
    assert [slow.id for slow in found] == [f"s{n:02}" for n in range(11, 1, -1)]
    assert (found[0].what, found[0].of_it) == ("t", 5.5)


def test_what_a_person_should_look_at_is_kept_with_whose_it_is():
    report = made.report("a")
    report.assignments[0].flags.append(Flag(file="toy.py", line=3, name="eval"))
    [flag] = tally(report, made.report("b")).flags
    assert (flag.id, flag.file, flag.line, flag.name) == ("a", "toy.py", 3, "eval")
