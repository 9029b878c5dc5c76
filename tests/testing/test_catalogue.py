import pytest

from grader.testing import Explained, misconception, variant
from grader.testing.catalogue import collecting

WORDS = {"en": Explained("a", "b", "c"), "zh_tw": Explained("甲", "乙", "丙")}


def declare():
    """Two misconceptions of two exercises, and a variant of the first."""

    @misconception("toy.double/adds", **WORDS)
    def double(ref, x):
        return x + 2

    @misconception("toy.treble/adds", **WORDS, name="treble", equivalent=("toy.double/adds",))
    def treble_by_adding(ref, x):
        return x + 3

    @variant("toy.double/adds")
    def double_slowly(ref, x):
        return x + 1 + 1

    return double, treble_by_adding, double_slowly


def test_what_is_declared_while_collecting_is_collected():
    with collecting() as catalogue:
        double, treble, slowly = declare()
    first, second = catalogue.misconceptions
    assert (first.id, first.exercise, first.function, first.implementation) == (
        "toy.double/adds",
        "toy.double",
        "double",
        double,
    )
    assert (second.function, second.implementation, second.equivalent) == ("treble", treble, ("toy.double/adds",))
    assert (first.en, first.zh_tw) == (WORDS["en"], WORDS["zh_tw"])
    assert [(each.of, each.implementation) for each in catalogue.variants] == [("toy.double/adds", slowly)]


def test_a_declared_function_stays_a_function():
    double, treble, slowly = declare()
    assert (double(None, 1), treble(None, 1), slowly(None, 1)) == (3, 4, 3)


def test_nothing_is_collected_afterwards():
    with collecting() as catalogue:
        pass
    declare()
    assert catalogue.misconceptions == []
    assert catalogue.variants == []


def test_a_file_that_fails_leaves_no_catalogue_open():
    with pytest.raises(ZeroDivisionError), collecting() as outer:
        raise ZeroDivisionError
    declare()
    assert outer.misconceptions == []


def test_one_catalogue_within_another_keeps_its_own():
    with collecting() as outer:
        declare()
        with collecting() as inner:
            declare()
    assert len(outer.misconceptions) == len(inner.misconceptions) == 2


def test_misconceptions_are_given_in_the_order_of_the_exercises_asked_for():
    with collecting() as catalogue:
        declare()
    ids = [found.id for found in catalogue.of_exercises(["toy.treble", "toy.double"])]
    assert ids == ["toy.treble/adds", "toy.double/adds"]
    assert catalogue.of_exercises(["toy.other"]) == []
