import json  # noqa: F401  (so that it is there)
import sys
import warnings

import numpy as np
import pytest

from grader.judge.direct import DirectCaller, Source, merged, namespaces_of
from grader.judge.record import Request
from grader.model.errors import CourseError


@pytest.fixture
def source(tmp_path):
    def write(text: str, name: str = "toy.py") -> Source:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return Source(tmp_path / name)

    return write


TEXT = "def double(x):\n    return 2 * x\n\ndef quadruple(x):\n    return double(double(x))\n"


def test_a_patch_takes_the_place_of_its_function_for_every_other_one(source):
    def double(ref, x):
        return ref.quadruple.__name__, x

    module = source(TEXT).namespace({"double": double})
    assert module.quadruple(1) == ("quadruple", ("quadruple", 1))


def test_each_namespace_is_fresh(source):
    made = source("seen = []\ndef note(x):\n    seen.append(x)\n    return len(seen)\n")
    one, other = made.namespace(), made.namespace()
    assert (one.note(1), one.note(1), other.note(1)) == (1, 2, 1)
    made.namespace({"note": lambda ref, x: 0})
    assert made.namespace().note(1) == 1


def test_a_test_sees_the_functions_of_all_modules_under_one_name(source):
    found = merged([source(TEXT).namespace(), source("def treble(x):\n    return 3 * x\n", "b.py").namespace()])
    assert (found.double(1), found.treble(1)) == (2, 3)
    assert not hasattr(found, "__builtins__")


@pytest.mark.parametrize("text", ["def double(:", "x = '\0'"], ids=["syntax", "null"])
def test_what_is_not_python_is_the_course_s_fault(source, text):
    with pytest.raises(CourseError, match="cannot be read as Python"):
        source(text)


def test_a_missing_module_is_the_course_s_fault(tmp_path):
    with pytest.raises(CourseError, match="cannot be read as Python") as caught:
        Source(tmp_path / "toy.py")
    assert caught.value.where == tmp_path / "toy.py"


def test_a_module_that_does_not_run_is_the_course_s_fault(source):
    with pytest.raises(CourseError, match="cannot be imported: ZeroDivisionError"):
        source("1 / 0").namespace()


def test_the_callee_may_change_its_arguments_and_the_caller_s_stay(source):
    caller = DirectCaller(source("def f(x, W):\n    x[0] = 9\n    W['b'][0] = 9\n    return x\n").namespace())
    x, W = np.zeros(2), {"b": np.zeros(2)}
    outcome = caller.call(Request("f", (x,), {"W": W}))
    assert (x.tolist(), W["b"].tolist()) == ([0, 0], [0, 0])
    for changed in (outcome.value, outcome.args[0], outcome.kwargs["W"]["b"]):
        assert changed.tolist() == [9, 0]


def test_what_is_raised_is_an_outcome_with_all_its_classes(source):
    caller = DirectCaller(source("def f(x):\n    x[0] = 9\n    raise KeyError('k')\n").namespace())
    outcome = caller.call(Request("f", (np.zeros(1),)))
    assert outcome.raised.types == ("KeyError", "LookupError", "Exception", "BaseException")
    assert outcome.raised.message == "'k'"
    assert outcome.args[0][0] == 9


@pytest.mark.parametrize("end", [SystemExit, KeyboardInterrupt])
def test_what_ends_a_process_is_no_outcome(source, end):
    caller = DirectCaller(source(f"def f():\n    raise {end.__name__}\n").namespace())
    with pytest.raises(end):
        caller.call(Request("f"))


def test_a_function_that_is_not_there_is_an_outcome_too(source):
    assert DirectCaller(source(TEXT).namespace()).call(Request("treble", (1,))).raised.types[0] == "KeyError"


def test_a_wrong_implementation_may_warn(source):
    text = "import warnings\nimport numpy as np\ndef f(x):\n    warnings.warn('oh')\n    return np.log(x) / 0\n"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        outcome = DirectCaller(source(text).namespace()).call(Request("f", (np.zeros(1),)))
    assert outcome.raised is None


def test_a_dataclass_may_have_annotations_that_are_text(source):
    text = """
from __future__ import annotations
from dataclasses import dataclass
from typing import ClassVar

@dataclass
class Sizes:
    width: int
    kind: ClassVar[str] = "a"
"""
    module = source(text).namespace()
    assert module.Sizes(3).width == 3


def test_a_module_that_runs_leaves_the_one_of_its_name_as_it_was(source):
    before = sys.modules.get("json")
    source("x = 1", "json.py").namespace()
    with pytest.raises(CourseError):
        source("1 / 0", "json.py").namespace()
    source("x = 1").namespace()
    assert sys.modules.get("json") is before
    assert "toy" not in sys.modules


def test_a_function_may_import_the_other_modules_when_it_runs(source):
    late = source("def twice(x):\n    import toy\n    return toy.double(x)\n", "late.py")
    toy, other = namespaces_of([source(TEXT), late], {"toy": {"double": lambda ref, x: -x}})
    caller = DirectCaller(other, toy)
    assert caller.call(Request("twice", (1,))).value == -1
    assert "toy" not in sys.modules


def test_a_module_may_be_imported_under_another_name_than_its_file_s(source):
    style = Source(source(TEXT, "style.py").path, name="toy")
    toy, user = namespaces_of([style, source("from toy import double", "user.py")])
    assert toy.__name__ == "toy"
    assert user.double is toy.double


def test_a_class_and_its_methods_make_objects_that_stay(source):
    caller = DirectCaller(source(TEXT + "class Box:\n    def open(self): ...\n").namespace())
    assert [caller.has_class(name) for name in ("Box", "Box.open", "double", "Bax")] == [True, True, False, False]


def test_what_is_returned_is_a_copy_that_later_calls_do_not_change(source):
    torch = pytest.importorskip("torch")
    text = (
        "import torch\nKEPT = torch.zeros(2)\ndef read():\n    return {'kept': KEPT}\ndef grow():\n    KEPT.add_(1)\n"
    )
    caller = DirectCaller(source(text).namespace())
    before = caller.call(Request("read")).value
    caller.call(Request("grow"))
    assert torch.equal(before["kept"], torch.zeros(2))
    assert torch.equal(caller.call(Request("read")).value["kept"], torch.ones(2))
