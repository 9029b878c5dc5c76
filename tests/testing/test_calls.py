import numpy as np
import pytest

from grader.model.verdict import Status
from grader.testing import assert_rejects, assert_unchanged
from grader.testing.student import Cause, StudentError


class Pretended:
    """A function of a submission, without a submission."""

    name = "softmax"

    def __init__(self, body):
        self.body = body
        self.arguments_after = ((), {})

    def __call__(self, *args, **kwargs):
        self.arguments_after = (args, kwargs)
        return self.body(*args, **kwargs)


def raising(*types: str, status: Status = Status.FAILED) -> Pretended:
    def body(*args, **kwargs):
        raise StudentError(status, Cause((*types, "Exception", "BaseException") if types else (), "bad axis"))

    return Pretended(body)


def after(change) -> Pretended:
    """A function that leaves its arguments as `change` says."""
    function = Pretended(None)

    def body(*args, **kwargs):
        function.arguments_after = change(*args, **kwargs)
        return "result"

    function.body = body
    return function


def test_the_error_asked_for_is_a_rejection():
    assert_rejects(raising("ValueError"), 1, axis=2)
    assert_rejects(raising("TypeError"), 1, error="TypeError")


def test_a_class_derived_from_it_is_too():
    assert_rejects(raising("AxisError", "ValueError", "IndexError"), 1)


def test_a_result_is_no_rejection():
    with pytest.raises(AssertionError, match=r"softmax should raise ValueError for 1, but returned None$"):
        assert_rejects(Pretended(lambda x: None), 1)


def test_another_error_is_told():
    with pytest.raises(AssertionError, match="should raise ValueError for 1, but raised KeyError: bad axis"):
        assert_rejects(raising("KeyError"), 1)


@pytest.mark.parametrize("status", [Status.TIMEOUT, Status.CRASHED, Status.MEMORY, Status.BLOCKED])
def test_what_did_not_come_back_rejected_nothing(status):
    with pytest.raises(StudentError):
        assert_rejects(raising("ValueError", status=status), 1)


def test_a_template_rejects_nothing():
    with pytest.raises(StudentError):
        assert_rejects(raising("NotImplementedError", "RuntimeError"), 1)


def test_leaving_python_is_no_rejection():
    def leave(*args):
        raise StudentError(Status.FAILED, Cause(("SystemExit", "BaseException")))

    with pytest.raises(StudentError):
        assert_rejects(Pretended(leave), 1)


def test_a_function_that_leaves_its_arguments_alone_gives_its_result():
    x = np.array([1.0, np.nan])
    function = after(lambda *args, **kwargs: ((args[0].copy(),), {"mask": kwargs["mask"].copy(), "axis": -1}))
    assert assert_unchanged(function, x, mask=np.array([True]), axis=-1) == "result"


@pytest.mark.parametrize(
    "other",
    [np.zeros(2), np.ones(3), np.ones(2, "float32"), None, [1.0, 1.0]],
    ids=["value", "shape", "dtype", "none", "list"],
)
def test_an_argument_that_changed_is_named(other):
    x = np.ones(2)
    with pytest.raises(AssertionError, match="softmax changed its argument 2 in place; work on a copy"):
        assert_unchanged(after(lambda a, b: ((a, other), {})), x, x.copy())
    with pytest.raises(AssertionError, match="changed its argument mask in place"):
        assert_unchanged(after(lambda a, mask: ((a,), {"mask": other})), x, mask=x.copy())


@pytest.mark.parametrize(
    "wrap", [lambda x: [x], lambda x: (1, x), lambda x: {"W": {"b": x}}], ids=["list", "tuple", "dict"]
)
def test_an_array_within_an_argument_counts_too(wrap):
    assert assert_unchanged(after(lambda a: ((wrap(np.ones(2)),), {})), wrap(np.ones(2))) == "result"
    for changed in (wrap(np.zeros(2)), wrap(None), {}, []):
        with pytest.raises(AssertionError, match="changed its argument 1 in place"):
            assert_unchanged(after(lambda a, changed=changed: ((changed,), {})), wrap(np.ones(2)))
