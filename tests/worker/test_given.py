"""Objects of a class that an assignment gives: the judge sees records, the submission sees its own class."""

from __future__ import annotations

import pytest

from grader.wire.errors import WireError
from grader.wire.messages import Call, Returned, Set
from grader.wire.records import Record
from grader.wire.values import Handle
from grader.worker.given import Given

SIZES = """
from __future__ import annotations
from dataclasses import dataclass, field, replace

@dataclass(frozen=True)
class Sizes:
    width: int
    heads: int | None = None
    parts: list[int] = field(default_factory=list)

@dataclass
class Mine:
    width: int

class Wide(Sizes): pass

def make(width): return Sizes(width, heads=2)
def doubled(sizes): return replace(sizes, width=2 * sizes.width)
def kind(sizes): return type(sizes) is Sizes
def mine(): return Mine(3)
def wide(): return Wide(8)
def within(values): return {"a": [values["b"][0].width, (values["c"],)]}
def note(sizes): sizes.parts.append(7)
def through(f, sizes): return type(f(sizes)) is Sizes and f(sizes).width
"""


def sizes(width, heads=None, parts=()):
    return Record("Sizes", {"width": width, "heads": heads, "parts": list(parts)})


@pytest.fixture
def worker(start):
    def loaded(text, given=("student.Sizes",)):
        judge = start()
        judge.load(given=given, student=text)
        return judge

    return loaded


def test_an_object_comes_back_as_a_record_of_its_fields(worker):
    assert worker(SIZES).returned("student.make", 6) == sizes(6, heads=2)


def test_a_record_arrives_as_an_object_of_the_submission_s_class_with_its_defaults(worker):
    judge = worker(SIZES)
    assert judge.returned("student.kind", Record("Sizes", {"width": 6})) is True
    assert judge.returned("student.doubled", Record("Sizes", {"width": 6})) == sizes(12)
    assert judge.returned("student.doubled", sizes=sizes(6, 2)) == sizes(12, 2)


def test_records_are_found_within_containers_on_both_ways(worker):
    got = worker(SIZES).returned("student.within", {"b": (sizes(5),), "c": sizes(7)})
    assert got == {"a": [5, (sizes(7),)]}


def test_an_argument_that_was_changed_comes_back_changed(worker):
    answer = worker(SIZES).ask(Call("student.note", (sizes(5),), {}))
    assert isinstance(answer, Returned)
    assert answer.args == (sizes(5, parts=[7]),)


def test_what_a_lent_function_returns_is_of_the_submission_s_class(worker):
    assert worker(SIZES).returned("student.through", lambda record: sizes(record.width + 1), sizes(5)) == 6


def test_an_object_of_a_derived_class_is_one_of_the_class(worker):
    assert worker(SIZES).returned("student.wide") == sizes(8)


def test_a_class_of_the_student_s_own_stays_in_the_worker(worker):
    assert isinstance(worker(SIZES).returned("student.mine"), Handle)
    assert isinstance(worker(SIZES, given=()).returned("student.make", 6), Handle)


def test_a_value_that_is_set_is_built_too(worker):
    judge = worker(SIZES)
    judge.ask(Set("student.kept", sizes(5)))
    assert judge.returned("student.doubled", sizes(2)) == sizes(4)


def test_a_class_that_is_gone_is_named_with_the_remedy(worker):
    failure = worker(SIZES.replace("class Sizes", "class Sises").replace("(Sizes)", "")).failure(
        "student.kind", sizes(5)
    )
    assert failure.types[0] == "NotDefined"
    assert failure.message == "student.py does not define Sizes, which is given: copy it from the template"


def test_a_class_that_lost_a_field_is_the_student_s_mistake(worker):
    failure = worker(SIZES.replace("heads: int", "head: int")).failure("student.kind", sizes(5))
    assert failure.types[0] == "TypeError"
    assert "heads" in failure.message


def test_a_class_that_is_no_dataclass_any_more_stays_in_the_worker(worker):
    plain = "class Sizes:\n    def __init__(self, width): self.width = width\ndef make(width): return Sizes(width)\n"
    assert worker(plain).returned("student.make", 3).type == "Sizes"


HOSTILE = """
from dataclasses import dataclass, field, make_dataclass
import numpy as np

@dataclass
class Sizes:
    width: int
    {body}

def make(width): return Sizes(width)
def alive(): return 1
"""


@pytest.mark.parametrize(
    "body",
    [
        "def __getattribute__(self, name): raise SystemExit",
        "__class__ = property(lambda self: int)",
        "__dict__ = {'width': 9}",
        "def __reduce__(self): raise SystemExit",
        "def __eq__(self, other): raise SystemExit",
        "def __iter__(self): raise SystemExit",
    ],
)
def test_what_an_object_says_of_itself_is_not_asked(worker, body):
    judge = worker(HOSTILE.format(body=body))
    assert judge.returned("student.make", 6) == Record("Sizes", {"width": 6})


@pytest.mark.parametrize(
    "body",
    [
        "__slots__ = ()\n    def __init__(self, width): pass",
        "def __post_init__(self): del self.width",
        "_secret: int = 3",
        "\n    ".join(f"f{number}: int = 0" for number in range(64)),
        "thing: object = field(default_factory=lambda: np.array(['a']))",
        "def __post_init__(self): self.width = self.__dict__['width'] = [self.__dict__]",
    ],
    ids=["no room", "deleted", "underscore", "too many", "unsendable", "cycle"],
)
def test_an_object_that_does_not_travel_is_the_student_s_mistake_and_the_worker_lives_on(worker, body):
    judge = worker(HOSTILE.format(body=body))
    failure = judge.failure("student.make", 6)
    assert {"TypeError", "AttributeError"} & set(failure.types)
    assert judge.returned("student.alive") == 1


def test_a_metaclass_that_answers_for_all_is_not_asked(worker):
    text = """
class Meta(type):
    def __eq__(self, other): raise SystemExit
    def __instancecheck__(self, other): raise SystemExit
    __hash__ = type.__hash__

class Sizes(metaclass=Meta): pass
def make(width): return Sizes()
def other(): return {1}
"""
    judge = worker(text)
    assert isinstance(judge.returned("student.make", 1), Handle)
    assert isinstance(judge.returned("student.other"), Handle)


def test_a_record_of_a_class_that_is_not_given_breaks_the_rules():
    with pytest.raises(WireError, match="no class Other is given"):
        Given(["student.Sizes"]).built(Record("Other", {}))
