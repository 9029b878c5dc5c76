from __future__ import annotations

import pytest

from grader.wire.messages import Failure
from grader.worker.lent import raised_there


@pytest.mark.parametrize("kind", [ValueError, TypeError, IndexError, KeyError, ZeroDivisionError])
def test_an_error_that_python_has_is_raised_as_it_was(kind: type[Exception]) -> None:
    error = raised_there(Failure("call", [kind.__name__, "Exception"], "why"))
    assert type(error) is kind
    assert error.args == ("why",)


def test_of_a_class_that_python_does_not_have_the_nearest_base_is_raised() -> None:
    assert (
        type(raised_there(Failure("call", ["AxisError", "ValueError", "IndexError", "Exception"], "axis")))
        is ValueError
    )


@pytest.mark.parametrize(
    "name", ["SystemExit", "KeyboardInterrupt", "AssertionError", "Exception", "UnicodeDecodeError", "print", "Mine"]
)
def test_anything_else_is_told_by_its_name(name: str) -> None:
    error = raised_there(Failure("call", [name], "why"))
    assert type(error) is RuntimeError
    assert str(error) == f"the function you were given raised {name}: why"
