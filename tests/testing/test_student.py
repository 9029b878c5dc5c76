from grader.model.verdict import Status
from grader.testing.student import Cause, StudentError


def test_a_cause_reads_as_python_would_tell_it_with_its_place():
    assert str(Cause(("KeyError", "LookupError"), "'x'", "toy.py", 3)) == "KeyError: 'x' (toy.py, line 3)"
    assert str(Cause(("KeyError",), "'x'", "toy.py")) == "KeyError: 'x'"
    assert str(Cause(message="double used more than 2 s")) == "double used more than 2 s"


def test_a_student_s_error_says_what_its_cause_says():
    error = StudentError(Status.FAILED, Cause(("Odd", "ValueError"), "no"))
    assert str(error) == "Odd: no"


def test_an_error_is_of_its_class_and_of_those_it_derives_from():
    error = StudentError(Status.FAILED, Cause(("Odd", "ValueError", "Exception")))
    assert all(error.is_a(name) for name in ("Odd", "ValueError", "Exception"))
    assert not error.is_a("TypeError")


def test_what_did_not_raise_is_of_no_class():
    assert not StudentError(Status.MEMORY, Cause(("MemoryError",))).is_a("MemoryError")
