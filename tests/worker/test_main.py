"""The loop: calls and what comes of them, whatever a submission does."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest

from grader.wire.channel import Channel
from grader.wire.errors import ChannelClosed, WireError
from grader.wire.messages import Call, CallBackResult, Get, Import, Imported, Returned
from grader.worker import main
from tests.worker.conftest import BOUNDS


def test_a_call_returns_the_value_and_the_arguments_as_they_are_after_it(submission):
    judge = submission("def f(x, y, *, out):\n    x[0] = 9\n    y.append(1)\n    out['k'] = x\n    return x.sum()\n")
    x, y, out = np.zeros(3), [], {}
    answer = judge.ask(Call("student.f", (x, y), {"out": out}))
    assert answer.value == 9
    assert answer.args[0].tolist() == [9, 0, 0]
    assert answer.args[1] == [1]
    assert answer.kwargs["out"]["k"].tolist() == [9, 0, 0]
    assert (x.tolist(), y, out) == ([0, 0, 0], [], {}), "the judge's own are untouched"


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        ((), {}),
        ((1, "a", None), {"axis": -1}),
        ((np.ones((2, 3)), [np.arange(3), {"k": (1.5, True)}]), {"mask": np.eye(2, dtype=bool)}),
        ((np.array([np.nan, np.inf]), np.zeros((0, 4))), {}),
    ],
    ids=["none", "plain", "nested", "not finite"],
)
def test_arguments_that_a_call_leaves_alone_are_not_sent_back(submission, args, kwargs):
    judge = submission("def f(*args, **kwargs): return 1.5")
    assert judge.ask(Call("student.f", args, kwargs)) == Returned(1.5, None, None)


@pytest.mark.parametrize(
    ("change", "value"),
    [
        ("x[0] = 1", np.zeros(3)),
        ("x[0] = -0.0", np.zeros(3)),
        ("x.shape = (3, 1)", np.zeros(3)),
        ("x.append(1)", [1]),
        ("x[0] = True", [1]),
        ("x[0][0] += 1", [np.zeros(2)]),
        ("x['b'] = x.pop('a')", {"a": 1}),
    ],
)
def test_arguments_that_a_call_changes_are_sent_back_all_of_them(submission, change, value):
    judge = submission(f"def f(x, y): {change}")
    answer = judge.ask(Call("student.f", (value, 2), {}))
    assert len(answer.args) == 2
    assert answer.args[1] == 2
    assert repr(answer.args[0]) != repr(value)


def test_arguments_that_cannot_be_compared_at_once_are_sent_back(submission):
    judge = submission("def f(*args): return 0\nclass A: pass\ndef a(): return A()")
    handle = judge.returned("student.a")
    for value in (np.random.default_rng(1), float("nan"), handle, np.zeros(1 << 14)):
        [back] = judge.ask(Call("student.f", (value,))).args
        assert type(back) is type(value)


def test_arguments_keep_type_dtype_and_shape_on_the_way_in(submission):
    judge = submission(
        "import numpy as np\ndef f(*args): return [(type(a).__name__, str(a.dtype), a.shape, a.flags.writeable) for a in args]"
    )
    args = (np.zeros((2, 0)), np.float32(1), np.array(1, np.int8), np.ones((2, 3), order="F")[:, ::2])
    assert judge.returned("student.f", *args) == [
        ("ndarray", "float64", (2, 0), True),
        ("float32", "float32", (), False),
        ("ndarray", "int8", (), True),
        ("ndarray", "float64", (2, 2), True),
    ]


def test_import_comes_first_or_with_the_first_call(judge):
    judge.load(a="count = [0]\ncount[0] += 1\ndef f(): return count", b="import a\ndef g(): return a.f()")
    assert judge.ask(Import("a")) == Imported()
    assert judge.ask(Import("a")) == Imported()
    assert judge.returned("b.g") == [1]


def test_an_error_at_import_with_the_first_call_is_one_of_the_import(judge):
    judge.load(a="raise ValueError")
    assert judge.failure("a.f").phase == "import"


@pytest.mark.parametrize(
    "body",
    [
        "raise SystemExit(0)",
        "raise KeyboardInterrupt",
        "raise GeneratorExit",
        "exit()",
        "import sys; sys.exit('x')",
        "1 / 0",
        "assert False",
    ],
)
def test_whatever_is_raised_the_next_call_is_answered(submission, body):
    judge = submission(f"def f():\n    {body}\ndef g(): return 1\n")
    assert judge.failure("student.f").line == 2
    assert judge.returned("student.g") == 1


def test_a_function_that_is_missing_is_named_with_what_may_be_meant(submission):
    judge = submission("def soft_max(x): return x")
    failure = judge.failure("student.softmax", 1)
    assert failure.types[:2] == ["NotDefined", "AttributeError"]
    assert failure.message == "student.py does not define softmax: did you mean soft_max?"
    assert judge.failure("student.attention").message == "student.py does not define attention"


def test_what_is_no_function_cannot_be_called(submission):
    failure = submission("softmax = 5").failure("student.softmax", 1)
    assert failure.types[0] == "TypeError"
    assert "not callable" in failure.message


UNGRADABLE = """
import numpy as np
def deep(n=100_000):
    a = []
    for _ in range(n): a = [a]
    return a
def cycle():
    a = {}
    a["self"] = a
    return a
def double():
    a = []
    for _ in range(25): a = [a, a]
    return a
def big(): return 10 ** 100_000
def long(): return "x" * 10**6
def broadcast(): return np.broadcast_to(np.zeros(1), (10**5, 10**5))
def objects(): return np.array([None, 1])
def words(): return np.array(["a"])
def keys(): return {object(): 1}
def numbers(): return [0.5] * 10**6
def left(x): x.append(x)
class Meta(type):
    def __getattribute__(cls, name): raise RuntimeError("ha")
class Hostile(metaclass=Meta):
    def __getattribute__(self, name): raise RuntimeError("ha")
def hostile(): return [Hostile(), Hostile]
def fine(): return 1
"""


@pytest.mark.parametrize(
    ("name", "args", "what"),
    [
        ("deep", (), "returned a list nested more than 32 deep"),
        ("cycle", (), "returned a dict nested more than 32 deep"),
        ("double", (), "returned more than 100000 values outside arrays"),
        ("big", (), "returned an int of 332193 bits (the limit is 1024)"),
        ("long", (), "returned a string of 1000000 characters (the limit is 100000)"),
        ("objects", (), "returned an array of dtype object (only numbers and booleans travel)"),
        ("words", (), "returned an array of dtype str32 (only numbers and booleans travel)"),
        ("keys", (), "returned a dict with a key of type object"),
        ("numbers", (), "returned more than 100000 values outside arrays"),
        ("left", ([],), "left a list nested more than 32 deep in its arguments"),
    ],
)
def test_what_cannot_be_graded_is_the_students_failure(submission, name, args, what):
    judge = submission(UNGRADABLE)
    failure = judge.failure(f"student.{name}", *args)
    assert failure.types == ["TypeError", "Exception", "BaseException"]
    assert failure.message == f"your code {what}, which cannot be graded"
    assert judge.returned("student.fine") == 1


LARGE = """
import numpy as np
MIB = 2 ** 17  # float64 entries
def arrays(): return [np.zeros(MIB), {"k": np.zeros(MIB)}, np.zeros(MIB // 2)]
def broadcast(): return np.broadcast_to(np.zeros(1), (10 ** 5, 10 ** 5))
def small(x): return np.zeros(MIB)
def left(x):
    x.append(np.zeros(3 * MIB))
    return 10
def exact(): return np.zeros(2 * MIB)
def one_over(): return np.zeros(2 * MIB + 1)
def called(g): return g(np.zeros(4 * MIB))
"""


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("arrays", (), "arrays returned 2.5 MiB of arrays, more than the 2 MiB that one call may return"),
        ("broadcast", (), "broadcast returned 76294 MiB of arrays, more than the 2 MiB that one call may return"),
        ("one_over", (), "one_over returned 2.1 MiB of arrays, more than the 2 MiB that one call may return"),
        (
            "small",
            (np.zeros(3 * 2**16),),
            "small returned 2.5 MiB of arrays with those that it left in its arguments, more than the 2 MiB that one call may return",
        ),
        (
            "left",
            ([],),
            "left returned 3 MiB of arrays with those that it left in its arguments, more than the 2 MiB that one call may return",
        ),
        (
            "called",
            (len,),
            "a function you were given was called with 4 MiB of arrays, more than the 2 MiB that one call back may carry",
        ),
    ],
)
def test_more_bytes_of_arrays_than_the_judge_takes_are_refused_by_the_worker_itself(submission, name, args, message):
    judge = submission(LARGE, bounds=replace(BOUNDS, reply_mb=2))
    failure = judge.failure(f"student.{name}", *args)
    assert failure.types == ["Unreturnable", "MemoryError", "Exception", "BaseException"]
    assert failure.message == message
    assert judge.returned("student.exact").nbytes == 2**21


def test_an_answer_that_is_too_large_and_for_whose_words_there_is_no_memory_is_refused_all_the_same(
    submission, monkeypatch
):
    judge = submission(LARGE, bounds=replace(BOUNDS, reply_mb=1))

    def short_of_memory(*_):
        raise MemoryError

    monkeypatch.setattr(main, "refusal", short_of_memory)
    assert judge.failure("student.exact").types[:2] == ["Oversized", "TypeError"]


def test_objects_that_let_nothing_be_asked_are_handles_all_the_same(submission):
    judge = submission(UNGRADABLE)
    assert [handle.type for handle in judge.returned("student.hostile")] == ["Hostile", "Meta"]
    assert judge.returned("student.fine") == 1


def test_an_answer_for_which_there_is_no_memory_is_the_students_failure(submission, monkeypatch):
    judge = submission("def f(): return 1")
    sent = []
    send = Channel.send

    def short_of_memory(channel, message, *rest):
        sent.append(message)
        if isinstance(message, Returned) and len(sent) < 3:
            raise MemoryError
        send(channel, message, *rest)

    monkeypatch.setattr(Channel, "send", short_of_memory)
    assert judge.failure("student.f").types[0] == "MemoryError"
    assert judge.returned("student.f") == 1


def test_subclasses_come_as_what_they_derive_from(submission):
    judge = submission(
        "import numpy as np\nfrom collections import namedtuple, OrderedDict\n"
        "class Always(np.ndarray):\n    def __eq__(self, other): return True\n"
        "class Near(float):\n    def __eq__(self, other): return True\n    __hash__ = None\n"
        "P = namedtuple('P', 'q k')\n"
        "def f(): return P(np.zeros(2).view(Always), Near(1.5)), OrderedDict(a=np.ma.masked_array([1.0], [True]))\n"
    )
    (array, near), table = judge.returned("student.f")
    assert type(array) is np.ndarray
    assert type(near) is float
    assert type(table) is dict
    assert type(table["a"]) is np.ndarray


def test_a_random_generator_is_advanced_in_the_arguments_that_come_back(submission):
    judge = submission("def f(rng): return rng.standard_normal(3)")
    rng = np.random.default_rng(5)
    answer = judge.ask(Call("student.f", (rng,)))
    assert answer.value.tolist() == rng.standard_normal(3).tolist()
    assert answer.args[0].bit_generator.state == rng.bit_generator.state


# Functions of the judge


def test_a_function_of_the_judge_can_be_called(submission):
    judge = submission("def f(encode, X): return encode(X[::-1], scale=2) - encode(X, scale=1)")
    got = judge.returned("student.f", lambda X, scale: X * scale, np.arange(3.0))
    assert got.tolist() == [4.0, 1.0, -2.0]


def test_a_function_that_raises_in_the_judge_raises_in_the_submission(submission):
    judge = submission(
        "def f(g):\n    try:\n        g(1)\n    except ValueError as error:\n        return str(error)\ndef h(g):\n    return g(1)\n"
    )

    def strict(x):
        raise ValueError(f"no {x}")

    assert judge.returned("student.f", strict) == "no 1"
    failure = judge.failure("student.h", strict)
    assert (failure.types[0], failure.line) == ("ValueError", 7)


def test_objects_pass_through_functions_of_the_judge(submission):
    judge = submission("class Box: pass\ndef f(g):\n    box = Box()\n    return g(box) is box, g(g) is g\n")
    assert judge.returned("student.f", lambda thing: thing) == (True, True)


def test_what_does_not_travel_cannot_be_passed_to_a_function_of_the_judge(submission):
    judge = submission("def f(g): g(10 ** 10_000)")
    failure = judge.failure("student.f", lambda x: x)
    assert failure.types[:2] == ["Unsendable", "TypeError"]
    assert (failure.file, failure.line) == ("student.py", 1)


def test_a_function_of_the_judge_may_call_the_submission_again(submission):
    judge = submission("def twice(g, x): return g(g(x))\ndef inc(x): return x + 1\ndef boom(): raise KeyError('k')\n")
    assert judge.returned("student.twice", lambda x: judge.returned("student.inc", x), 5) == 7
    nested = judge.returned("student.twice", lambda x: judge.failure("student.boom").message, 5)
    assert nested == "'k'"


def test_calling_each_other_without_end_ends_in_an_error_of_the_submission(submission):
    judge = submission("def f(g): return g()\ndef h(): return 1\n")

    def again():
        return judge.returned("student.f", again)

    failure = judge.failure("student.f", again)
    assert failure.types[0] == "RuntimeError"
    assert "the function you were given raised" in failure.message
    assert judge.returned("student.h") == 1


def test_a_function_kept_from_an_earlier_call_works_in_a_later_one(submission):
    judge = submission("class Keep:\n    def __init__(self, g): self.g = g\n    def use(self, x): return self.g(x)\n")
    keep = judge.returned("student.Keep", lambda x: x * 2)
    assert judge.returned("use", 4, on=keep.id) == 8


def test_a_function_called_between_calls_raises_in_the_thread_that_called_it(submission):
    judge = submission(
        "import threading, time\nlog = []\n"
        "def later(g, gate):\n"
        "    def run():\n        gate_open.wait(10)\n        try: g(1)\n        except RuntimeError as error: log.append(str(error))\n"
        "    global gate_open, thread\n    gate_open = threading.Event()\n    thread = threading.Thread(target=run)\n    thread.start()\n"
        "def wait():\n    thread.join()\n    return log\n"
        "threading.Timer(0.2, lambda: gate_open.set()).start()\n"
    )
    judge.returned("student.later", lambda x: x, 0)
    threading.Event().wait(0.5)
    assert judge.returned("student.wait") == [
        "a function you were given can only be called while the call it was given to runs"
    ]


def test_threads_of_the_submission_can_call_back_at_once(submission):
    judge = submission(
        "from concurrent.futures import ThreadPoolExecutor\n"
        "def f(g):\n    with ThreadPoolExecutor(4) as pool: return list(pool.map(g, range(40)))\n"
    )
    assert judge.returned("student.f", lambda x: x * x) == [x * x for x in range(40)]


def test_a_thread_still_calling_back_does_not_mix_with_the_answer(submission):
    judge = submission(
        "import threading\ndef call(g):\n    try:\n        for i in range(50): g(i)\n    except RuntimeError:\n        pass\n"
        "def f(g):\n    threading.Thread(target=call, args=(g,), daemon=True).start()\n    return 1\ndef h(): return 2\n"
    )
    for _ in range(20):
        assert judge.returned("student.f", lambda x: x) == 1
        assert judge.returned("student.h") == 2


# What a submission does to the process


def test_numpy_told_to_raise_and_warnings_told_to_be_errors_do_not_reach_the_loop(submission):
    judge = submission(
        "import numpy as np\nimport warnings\ndef f(x):\n    with np.errstate(all='raise'), warnings.catch_warnings():\n"
        "        warnings.simplefilter('error')\n        return x\n"
    )
    assert np.isnan(judge.returned("student.f", np.array([np.nan, np.inf]))[0])


# The judge's mistakes, and its end


@pytest.mark.parametrize("request_", [CallBackResult(1), Returned(1), Imported()])
def test_what_is_no_request_ends_the_worker(start, request_):
    judge = start()
    judge.load(student="")
    judge.channel.send(request_)
    with pytest.raises(ChannelClosed):
        judge.channel.receive(lambda: None)


@pytest.mark.parametrize("request_", [Import("a"), Call("a.f"), Get("a.x")])
def test_a_request_before_a_submission_is_there_ends_the_worker(judge, request_):
    with pytest.raises(WireError):
        judge.ask(request_)


def test_a_second_submission_ends_the_worker(judge):
    judge.load(a="")
    with pytest.raises(WireError):
        judge.load(b="")


def test_the_worker_ends_when_its_judge_does_even_in_the_middle_of_a_function(start):
    judge = start()
    judge.load(student="def f(g): return g()")

    def leave():
        judge.channel.close()

    with pytest.raises(WireError):
        judge.returned("student.f", leave)
