from __future__ import annotations

import linecache
import sys

import pytest

from grader.wire.messages import Import, Replace, Returned


def test_modules_import_each_other(judge):
    judge.load(first="from second import TWO\ndef f(): return TWO", second="TWO = 2")
    assert judge.returned("first.f") == 2


def test_a_file_is_shown_by_its_bare_name(submission):
    judge = submission("def f(): return __file__, __name__, __spec__.origin, f.__code__.co_filename")
    assert judge.returned("student.f") == ("student.py", "student", "student.py", "student.py")


def test_inspect_shows_the_source_of_functions_and_classes(submission):
    judge = submission(
        "import inspect\n\ndef f():\n    return inspect.getsource(f), inspect.getsource(Box)\n\nclass Box:\n    size = 1\n"
    )
    assert judge.returned("student.f") == (
        "def f():\n    return inspect.getsource(f), inspect.getsource(Box)\n",
        "class Box:\n    size = 1\n",
    )


def test_a_traceback_in_the_submission_shows_its_lines(submission):
    judge = submission(
        "import traceback\ndef f():\n    try:\n        1 / 0  # here\n    except ZeroDivisionError:\n        return traceback.format_exc()\n"
    )
    assert '  File "student.py", line 4, in f\n    1 / 0  # here\n' in judge.returned("student.f")


def test_source_is_shown_for_files_in_another_encoding(submission):
    judge = submission(b"# coding: latin-1\nimport inspect\ndef f(): return inspect.getsource(f), '\xe9'\n")
    source, letter = judge.returned("student.f")
    assert letter == "é"
    assert "'é'" in source


def test_dataclasses_and_named_tuples_and_annotations_work(submission):
    judge = submission(
        "from __future__ import annotations\nfrom dataclasses import dataclass\nfrom typing import NamedTuple, get_type_hints\n"
        "@dataclass(frozen=True)\nclass P:\n    x: int\nclass N(NamedTuple):\n    y: int = 3\n"
        "def f(): return P(1).x, N(), get_type_hints(P)['x'].__name__\n"
    )
    assert judge.returned("student.f") == (1, (3,), "int")


def test_a_module_of_the_submission_comes_before_one_on_disk(submission, tmp_path, monkeypatch):
    (tmp_path / "student.py").write_text("def f(): return 'on disk'")
    monkeypatch.syspath_prepend(tmp_path)
    assert submission("def f(): return 'handed in'").returned("student.f") == "handed in"


def test_a_file_cannot_replace_what_the_worker_has_loaded(judge):
    judge.load(json="raise SystemExit", student="import json\ndef f(): return json.dumps([1])")
    assert judge.returned("student.f") == "[1]"


def test_a_syntax_error_has_its_file_and_line(judge):
    judge.load(good="import broken", broken="x = 1\ndef f(:\n    pass\n")
    for module in ("broken", "good"):
        failure = judge.import_failure(module)
        assert failure.types[0] == "SyntaxError"
        assert (failure.file, failure.line) == ("broken.py", 2)
        assert failure.message == "invalid syntax"


def test_an_indentation_error_has_its_file_and_line(judge):
    judge.load(student="def f():\nreturn 1\n")
    failure = judge.import_failure("student")
    assert failure.types[:2] == ["IndentationError", "SyntaxError"]
    assert (failure.file, failure.line) == ("student.py", 2)


def test_a_byte_that_is_not_utf8_takes_its_own_module_only(judge):
    judge.load(good="def f(): return 1", bad=b"# x\ny = 'caf\xe9'\n")
    failure = judge.import_failure("bad")
    assert failure.types[0] == "SyntaxError"
    assert failure.message == "byte 0xe9 at column 9 is not UTF-8: save the file as UTF-8"
    assert (failure.file, failure.line) == ("bad.py", 2)
    assert judge.returned("good.f") == 1


@pytest.mark.parametrize("depth", [3_000, 100_000])
def test_an_expression_too_deep_to_compile_is_the_students(judge, depth):
    judge.load(student="x = " + "(" * depth + ")" * depth)
    failure = judge.import_failure("student")
    assert failure.types[0] in {"SyntaxError", "MemoryError", "RecursionError"}


def test_an_error_at_import_has_the_line_it_was_raised_in(judge):
    judge.load(helper="def h():\n    raise ValueError('no')\n", student="import helper\n\nhelper.h()\n")
    failure = judge.import_failure("student")
    assert (failure.types[0], failure.file, failure.line) == ("ValueError", "helper.py", 2)


def test_a_module_that_failed_once_fails_again(judge):
    judge.load(student="raise RuntimeError('no')")
    assert judge.import_failure("student") == judge.import_failure("student")


def test_a_module_that_was_not_handed_in_says_so(judge):
    judge.load(student="")
    failure = judge.import_failure("masking")
    assert failure.types[0] == "ModuleNotFoundError"
    assert failure.message == "masking.py was not handed in"


def test_nothing_is_left_behind(start):
    before = set(sys.modules), list(sys.meta_path)
    judge = start()
    judge.load(student="import inspect, helper\ndef f(): return inspect.getsource(f)", helper="")
    judge.returned("student.f")
    assert "student.py" in linecache.cache
    judge.channel.close()
    for _ in range(1000):
        if "student" not in sys.modules and "student.py" not in linecache.cache:
            break
        __import__("time").sleep(0.01)
    assert set(sys.modules) - before[0] <= {"inspect"}
    assert sys.meta_path == before[1]
    assert "student.py" not in linecache.cache


def test_a_function_is_replaced_in_every_module_under_every_name(judge):
    judge.load(
        first="def f(): return 1\ndef g(): return f()\nalias = f",
        second="from first import f as mine\ndef h(): return mine()",
    )
    for module in ("first", "second"):
        judge.ask(Import(module))
    answer = judge.ask(Replace("first.f", lambda: 2))
    assert isinstance(answer, Returned)
    assert [judge.returned(name) for name in ("first.f", "first.g", "first.alias", "second.h")] == [2, 2, 2, 2]


def test_a_function_that_is_not_there_is_put_there(judge):
    judge.load(first="def g(): return f()")
    judge.ask(Replace("first.f", lambda: 2))
    assert judge.returned("first.g") == 2
