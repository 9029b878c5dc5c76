"""What is told of an error, by whatever class."""

from __future__ import annotations

import pytest

from grader.wire.messages import MAX_MESSAGE

ERRORS = """
import numpy as np

class Mine(ValueError): pass
class Deep(Mine, KeyError): pass
class NotAnException(BaseException): pass
class LyingStr(Exception):
    def __str__(self): raise RuntimeError("a second error")
class NoStr(Exception):
    def __str__(self): return 5
class Endless(Exception):
    def __str__(self): return str(self)
class Quitting(Exception):
    def __str__(self): raise SystemExit
class Huge(Exception):
    def __str__(self): return "x" * 10**7
class Text(str):
    def __getitem__(self, key): return "a lie"
    def encode(self, *args): raise RuntimeError
    def isascii(self): raise RuntimeError
class SubStr(Exception):
    def __str__(self): return Text("caf\\xe9 \\ud800")
class LyingClass(Exception):
    @property
    def __class__(self): return KeyboardInterrupt
    @property
    def __traceback__(self): raise RuntimeError
class Meta(type):
    @property
    def __name__(cls): raise RuntimeError
    @property
    def __mro__(cls): return (cls, int)
    def mro(cls): return [cls, ValueError, Exception, BaseException, object]
    def __getattribute__(cls, name): raise RuntimeError
class Odd(ValueError, metaclass=Meta): pass
class Syntax(SyntaxError):
    @property
    def msg(self): raise RuntimeError
    @property
    def filename(self): return Text("student.py")
    lineno = "three"
Pretender = type("NotImplementedError", (Exception,), {"__module__": "builtins"})
Long = type("L" * 1000, (Exception,), {})

def throw(name, *args):
    kind = globals().get(name) or getattr(__builtins__, name, None) or __builtins__[name]
    raise kind(*args)
def template(): raise NotImplementedError("attention.softmax")
def axis(): np.zeros(3).sum(axis=7)
def singular(): np.linalg.inv(np.zeros((2, 2)))
def grouped(): raise ExceptionGroup("two", [ValueError(1), TypeError(2)])
def chained():
    try: 1 / 0
    except ZeroDivisionError as error: raise Mine("outer") from error
def needs(a, b): return a
class Box:
    def __init__(self, a): pass
"""


@pytest.fixture
def throw(submission):
    judge = submission(ERRORS)

    def failure(name, *args):
        failed = judge.failure("student.throw", name, *args)
        assert judge.failure("student.template").message == "attention.softmax", "the worker goes on"
        return failed

    return failure


@pytest.mark.parametrize(
    ("name", "types"),
    [
        ("ValueError", ["ValueError", "Exception", "BaseException"]),
        ("NotImplementedError", ["NotImplementedError", "RuntimeError", "Exception", "BaseException"]),
        ("Mine", ["Mine", "ValueError", "Exception", "BaseException"]),
        ("Deep", ["Deep", "ValueError", "KeyError", "LookupError", "Exception", "BaseException"]),
        ("SystemExit", ["SystemExit", "BaseException"]),
        ("KeyboardInterrupt", ["KeyboardInterrupt", "BaseException"]),
        ("GeneratorExit", ["GeneratorExit", "BaseException"]),
        ("NotAnException", ["NotAnException", "BaseException"]),
        ("Pretender", ["NotImplementedError", "Exception", "BaseException"]),
        ("Odd", ["Odd", "ValueError", "Exception", "BaseException"]),
        ("LyingClass", ["LyingClass", "Exception", "BaseException"]),
        ("MemoryError", ["MemoryError", "Exception", "BaseException"]),
    ],
)
def test_types_are_the_class_itself_and_the_builtin_classes_behind_it(throw, name, types):
    assert throw(name).types == types


def test_the_classes_of_numpy_are_named(submission):
    judge = submission(ERRORS)
    assert judge.failure("student.axis").types[:3] == ["AxisError", "ValueError", "IndexError"]
    assert judge.failure("student.singular").types[:2] == ["LinAlgError", "ValueError"]
    assert judge.failure("student.grouped").types[0] == "ExceptionGroup"


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("ValueError", ("no é",), "no é"),
        ("ValueError", (), ""),
        ("KeyError", ("x",), "'x'"),
        ("ValueError", (1, 2), "(1, 2)"),
        ("SystemExit", (3,), "3"),
        ("LyingStr", (), "its message could not be read"),
        ("NoStr", (), "its message could not be read"),
        ("Endless", (), "its message could not be read"),
        ("Quitting", (), "its message could not be read"),
        ("Syntax", (), "its message could not be read"),
        ("SubStr", (), "café \ufffd"),
        ("Huge", (), "x" * MAX_MESSAGE),
        ("Odd", ("m",), "m"),
    ],
)
def test_the_message_is_the_errors_own_words_as_far_as_it_has_any(throw, name, args, message):
    assert throw(name, *args).message == message


def test_a_long_name_is_cut(throw):
    assert throw("Long").types[0] == "L" * 200


def test_a_line_is_the_innermost_in_the_submission(judge):
    judge.load(
        helper="import numpy as np\n\ndef invert(x):\n    return np.linalg.inv(x)\n",
        student="import helper\ndef f():\n    import numpy as np\n    return helper.invert(np.zeros((2, 2)))\n",
    )
    failure = judge.failure("student.f")
    assert [(spot.file, spot.line) for spot in failure.way] == [("student.py", 4), ("helper.py", 4)]
    assert (failure.file, failure.line) == ("helper.py", 4)


def test_a_chained_error_is_told_by_its_last(submission):
    failure = submission(ERRORS).failure("student.chained")
    assert (failure.types[0], failure.message) == ("Mine", "outer")
    assert ERRORS.splitlines()[failure.line - 1].startswith("    except ZeroDivisionError")


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("student.needs", "missing 1 required positional argument: 'b'"),
        ("student.Box", "takes 2 positional arguments but 3 were given"),
    ],
)
def test_arguments_that_do_not_fit_are_told_with_the_line_of_the_definition(submission, target, message):
    failure = submission(ERRORS).failure(target, *([1] if target.endswith("needs") else [1, 2]))
    assert failure.types[0] == "TypeError"
    assert message in failure.message
    assert failure.file == "student.py"
    assert ERRORS.splitlines()[failure.line - 1].strip().startswith("def ")


def test_a_syntax_error_of_code_the_submission_makes_has_its_own_line(submission):
    judge = submission(
        "def f():\n    compile('x = (', 'student.py', 'exec')\ndef g():\n    compile('x = (', 'else', 'exec')\n"
    )
    assert judge.failure("student.f").line == 1
    assert judge.failure("student.g").line == 4


def test_an_error_with_lies_about_its_place_has_none_or_the_right_one(throw):
    assert throw("Syntax").file in {None, "student.py"}
    assert throw("LyingClass").line is None


def test_endless_recursion_is_told_and_survived(submission):
    judge = submission("def f(): return f()\ndef g(n): return n")
    failure = judge.failure("student.f")
    assert failure.types[:2] == ["RecursionError", "RuntimeError"]
    assert (failure.file, failure.line) == ("student.py", 1)
    assert judge.returned("student.g", 3) == 3


def test_of_a_long_way_the_last_six_lines_are_told_and_each_once(judge):
    steps = "".join(f"def f{n}(x): return f{n + 1}(x)\n" for n in range(8))
    judge.load(student=f"{steps}def f8(x): return 1 / x\ndef again(x): return again(x)\n")
    assert [spot.line for spot in judge.failure("student.f0", 0).way] == [4, 5, 6, 7, 8, 9]
    assert [spot.line for spot in judge.failure("student.again", 0).way] == [10]
