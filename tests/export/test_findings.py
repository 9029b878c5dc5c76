from __future__ import annotations

from grader.export.base import Options
from grader.export.findings import findings
from grader.model.verdict import Status
from tests.export import classes
from tests.graded import made


def found(tmp_path, report, **options):
    (grade,) = classes.exported(tmp_path, classes.with_files(report))
    return [(each.rule, each.file, each.line, each.message) for each in findings(grade, Options(**options))]


def test_a_named_mistake_stands_where_its_exercise_is_written(tmp_path):
    report = made.report("ada", made.exercise("toy.half", 0.0, diagnosis=made.explained("toy.half", "toy.half/x")))
    (finding,) = found(tmp_path, report, exercises=classes.toy_course())
    assert finding[:3] == ("toy.half/x", "toy.py", 5)


def test_without_the_course_it_stands_where_the_code_raised_or_at_the_top(tmp_path):
    raised = made.tried("a", Status.FAILED, "odd", error=made.raised("ValueError", "odd", "toy.py", 6))
    for number, tests in ((6, [raised]), (1, [])):
        report = made.report("ada", made.exercise(score=0.0, diagnosis=made.explained(), tests=tests))
        assert found(tmp_path / str(number), report)[0][2] == number


def test_a_file_that_cannot_be_imported_is_one_mistake(tmp_path):
    broken = made.raised("SyntaxError", "x", "toy.py", 3)
    tests = [made.tried("a", Status.IMPORT_ERROR, "SyntaxError: x", error=broken)]
    parts = [made.exercise(f"toy.e{n}", 0.0, status=Status.IMPORT_ERROR, tests=tests) for n in range(3)]
    assert found(tmp_path, made.report("ada", *parts)) == [("toy.e0/import_error", "toy.py", 3, "SyntaxError: x")]


def test_what_failed_without_a_name_or_a_line_says_what_was_seen(tmp_path):
    report = made.report("ada", made.exercise(score=0.0, tests=[made.tried("a", Status.FAILED, "4 is not 5")]))
    assert found(tmp_path, report, exercises=classes.toy_course()) == [
        ("toy.double/failed", "toy.py", 1, "a: 4 is not 5")
    ]


def test_a_fault_of_ours_and_what_passed_are_no_findings(tmp_path):
    assert found(tmp_path, classes.fault()) == []


def test_a_file_that_is_no_ones_is_no_place(tmp_path):
    elsewhere = made.tried("a", Status.FAILED, "x", error=made.raised("ValueError", "x", "/etc/passwd", 6))
    (finding,) = found(tmp_path, made.report("ada", made.exercise(score=0.0, tests=[elsewhere])))
    assert finding[1:3] == ("toy.py", 1)
