import base64
import json

import pytest

from grader.model.evidence import Diagnosis, Explanation, Flag, HeatMap, IsolationInfo, OutputInfo
from grader.model.report import ProblemInfo, Report, SubmissionInfo, SubmittedFile
from grader.model.verdict import Status, Suite
from grader.score.assess import assess
from grader.score.student import for_student
from tests.score.toy import ASSIGNMENT, LOCKED, evidence, raised, ran, report

SOURCE = b"def double(x):\n    return x\n"


def whole(found) -> Report:
    content = base64.b64encode(SOURCE).decode()
    submission = SubmissionInfo(
        id="ann",
        source="secret-source",
        digest="digest",
        files=[SubmittedFile(name="toy.py", sha256="secret-sum", content=content)],
        problems=[ProblemInfo(file="b.py", message="not UTF-8", hint="save as UTF-8")],
    )
    part = report(found)
    return Report(
        grader_version="0",
        submission=submission,
        status=part.status,
        score=part.score,
        points=part.points,
        assignments=[part],
        environment={"python": "secret-version"},
        timings={"secret-time": 1.0},
    )


def seen(error, suite: Suite = Suite.HIDDEN):
    tests = [ran(test, Status.FAILED, error=error, message="said") for test in LOCKED]
    told = for_student(whole(evidence(tests=tests))).assignments[0].exercises[0].tests
    return next(test for test in told if test.suite is suite)


def test_a_student_reads_what_was_earned_and_why():
    words = Explanation(name="You added.", why="2 + 2 is no proof.", hint="Try 3.")
    diagnosis = Diagnosis(
        exercise="toy.double", misconceptions=["toy.double/adds"], en=[words], zh_tw=[words], calls=1, separating=1
    )
    told = for_student(whole(evidence({"hidden/a": Status.FAILED}, diagnoses=[diagnosis])))
    assert (told.submission, told.status, told.score, told.points) == ("ann", Status.PARTIAL, 5.0, 6.1)
    first = told.assignments[0].exercises[0]
    assert (first.status, first.score, first.points, first.diagnosis) == (Status.FAILED, 0.0, 1.1, diagnosis)
    assert told.problems[0].hint == "save as UTF-8"


def test_of_a_hidden_test_a_student_sees_class_and_own_line_alone():
    test = seen(raised("Odd", "ValueError", "Exception"))
    assert (test.error, test.file, test.line) == ("ValueError", "toy.py", 2)
    assert test.name is None
    assert test.message is None


def test_of_a_visible_test_a_student_sees_name_and_message_too():
    test = seen(raised("ValueError"), Suite.VISIBLE)
    assert (test.name, test.message) == ("visible/a", "said")


def test_nothing_secret_gets_into_a_student_s_report():
    tests = [
        ran(
            test,
            Status.FAILED,
            message="secret-message" if test.suite is Suite.HIDDEN else "",
            error=raised("SecretClass", "Exception"),
        )
        for test in LOCKED
    ]
    isolation = IsolationInfo(level="full", guarantees={}, findings=["secret-finding"], kernel="secret", landlock_abi=1)
    found = evidence(
        tests=tests,
        output=OutputInfo(text="secret-output"),
        flags=[Flag(file="secret.py", line=1, name="secret-flag")],
        isolation=isolation,
        environment={"x": "secret"},
    )
    text = for_student(whole(found)).model_dump_json(by_alias=True).lower()
    for word in ("secret", "hidden/", "the hidden input", "seed", base64.b64encode(SOURCE).decode().lower()):
        assert word not in text


def test_a_class_of_the_student_s_own_is_told_by_the_builtin_one_it_derives_from():
    assert seen(raised("Leak0314", "AxisError", "ValueError")).error == "AxisError"
    assert seen(raised("Leak0314")).error is None
    assert seen(None).error is None


@pytest.mark.parametrize(
    ("file", "line"), [("0.314", 1), ("toy.py", 31415), ("toy.py", 0), ("toy.py", -1), ("toy.py", None), (None, 1)]
)
def test_a_place_that_is_not_in_the_student_s_files_is_not_told(file, line):
    test = seen(raised("ValueError", file=file, line=line))
    assert (test.error, test.file, test.line) == ("ValueError", None, None)


def test_the_line_after_the_last_is_one_of_the_student_s():
    assert seen(raised("SyntaxError", line=SOURCE.count(b"\n") + 1)).line == 3


def test_our_own_fault_is_owned_and_our_paths_are_not_told():
    told = for_student(whole(evidence(problem="/srv/course/hidden is missing")))
    text = json.dumps(told.model_dump(mode="json"))
    assert "/srv/course" not in text
    assert "not your fault" in text
    assert told.score is None


def test_a_hidden_question_has_its_name_but_not_its_message():
    asked = LOCKED[1]._replace(tier="question", id="hidden/test_sheet.py::test_answer[own.q]")
    found = evidence(tests=[ran(asked, Status.FAILED, message="got 6, expected 7")])
    part = assess(ASSIGNMENT, [asked], found, suite_digest="d")
    told = for_student(whole(evidence()).model_copy(update={"assignments": [part]})).assignments[0].exercises[0].tests
    assert [(test.name, test.message, test.status) for test in told] == [("own.q", None, Status.FAILED)]


def test_a_heat_map_is_told_of_a_visible_test_alone():
    heat = HeatMap(what="the weights", got=[[None, 0.5]], right=[[0.0, 1.0]])
    tests = [ran(test, Status.FAILED, message="").model_copy(update={"heat_maps": [heat]}) for test in LOCKED]
    told = for_student(whole(evidence(tests=tests))).assignments[0].exercises[0].tests
    assert {test.suite: test.heat_maps for test in told} == {Suite.VISIBLE: [heat], Suite.HIDDEN: []}
