import numpy as np
import pytest

from grader.testing import assert_equal, assert_record, assert_unchanged
from grader.testing.objects import Object
from grader.wire.records import Record
from grader.wire.values import Handle

SIZES = Record("Sizes", {"width": 3, "heads": None})


def said(call, *args) -> str:
    with pytest.raises(AssertionError) as caught:
        call(*args)
    return str(caught.value)


def test_a_record_of_the_class_is_returned():
    assert assert_record(SIZES, "Sizes") is SIZES


@pytest.mark.parametrize(
    ("got", "told"),
    [
        (Record("Other", {}), "a Other"),
        ({"width": 3}, "a dict of 1"),
        (None, "None"),
        (Object(Handle(1, "Sizes")), "an object of the class Sizes"),
    ],
)
def test_anything_else_is_said(got, told):
    assert said(assert_record, got, "Sizes", "pico") == f"pico should be a Sizes, got {told}"


def test_records_are_equal_field_by_field():
    assert_equal(SIZES, Record("Sizes", {"heads": None, "width": 3}))
    for other in (
        Record("Sizes", {"width": 4, "heads": None}),
        Record("Other", {"width": 3, "heads": None}),
        {"width": 3},
    ):
        said(assert_equal, SIZES, other)
        said(assert_equal, [other], [SIZES])
    with pytest.raises(TypeError, match="there is an array in it"):
        assert_equal(Record("Sizes", {"at": np.zeros(3)}), Record("Sizes", {"at": np.zeros(3)}))


def test_an_array_in_a_record_must_be_left_alone():
    class Function:
        name = "f"
        arguments_after = ((Record("Sizes", {"at": np.ones(2)}),), {})

        def __call__(self, *_):
            return 1

    assert assert_unchanged(Function(), Record("Sizes", {"at": np.ones(2)})) == 1
    assert "argument 1 in place" in said(assert_unchanged, Function(), Record("Sizes", {"at": np.zeros(2)}))
