from __future__ import annotations

import pytest

from grader.course.place import Place, calls_of, places
from grader.model.manifest import Exercise, Text

EXERCISE = Exercise(
    id="toy.double", title=Text(**{"en": "Twice", "zh-TW": "兩倍"}), points=1, names=["double", "Twice"]
)
SOURCE = b"""import math


def double(x):
    return x


class Twice:
    def double(self):
        def helper(): ...


@cached
def double(x):
    return 2 * x
"""


def test_functions_and_classes_are_found_and_of_two_the_later_counts() -> None:
    assert places(EXERCISE, {"toy.py": SOURCE}) == [Place("double", "toy.py", 14), Place("Twice", "toy.py", 8)]


def test_what_is_made_in_another_way_is_left_out() -> None:
    assert places(EXERCISE, {"toy.py": b"double = lambda x: x\nfrom other import Twice\n"}) == []


@pytest.mark.parametrize("source", [b"def double(:\n", b"\0", b"\xff", b"x = " + b"(" * 5000])
def test_a_file_that_does_not_parse_has_no_places(source: bytes) -> None:
    assert places(EXERCISE, {"toy.py": source}) == []


def test_a_file_that_is_missing_has_no_places() -> None:
    assert places(EXERCISE, {"other.py": SOURCE}) == []


def test_a_method_is_found_in_its_class() -> None:
    method = EXERCISE.model_copy(update={"names": ["Twice.double", "Twice.helper"]})
    assert places(method, {"toy.py": SOURCE}) == [Place("Twice.double", "toy.py", 9)]


def test_what_a_function_calls_is_read_and_not_run() -> None:
    source = b"def test_a(x):\n    check(f(x), x.g())\n\n\ndef test_b(): raise h()\n"
    assert calls_of(source, "test_a") == {"check", "f"}
    assert calls_of(source, "test_c") == calls_of(b"def (", "test_a") == set()
