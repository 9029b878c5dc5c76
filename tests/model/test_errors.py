from pathlib import Path

import pytest

from grader.model.errors import CourseError, GraderError, SandboxUnavailableError, UsageError


@pytest.mark.parametrize(
    ("kind", "code"), [(GraderError, 4), (UsageError, 2), (CourseError, 3), (SandboxUnavailableError, 4)]
)
def test_each_kind_of_error_has_its_exit_code(kind, code):
    assert kind("x").exit_code == code
    assert issubclass(kind, GraderError)


def test_an_error_tells_where_what_and_what_to_do():
    error = CourseError("no points", hint="add some", where=Path("a") / "assignment.toml", line=7)
    assert str(error) == f"{Path('a') / 'assignment.toml'}:7: no points\nhint: add some"


def test_what_is_not_known_is_not_mentioned():
    assert str(GraderError("no points")) == "no points"
    assert str(GraderError("no points", where="a.toml")) == "a.toml: no points"
    assert str(GraderError("no points", hint="add some")) == "no points\nhint: add some"


def test_a_place_is_one_line_whatever_it_is_called():
    assert str(GraderError("no points", where=Path("a\x1b[2J\nhint: all is well"))) == (
        "a\\x1b[2J\\nhint: all is well: no points"
    )
