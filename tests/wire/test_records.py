"""What a record is: a name, fields as attributes, and nothing else that could surprise."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.wire.errors import Unsendable
from grader.wire.limits import MAX_FIELDS
from grader.wire.records import Record, fields_of, name_of, replaced, taken

SIZES = Record("Sizes", {"name": "pico", "n_head": None, "width": 6})


def test_fields_are_attributes_whatever_they_are_called():
    assert (SIZES.name, SIZES.n_head, SIZES.width) == ("pico", None, 6)
    assert name_of(SIZES) == "Sizes"
    assert fields_of(SIZES) == {"name": "pico", "n_head": None, "width": 6}
    odd = Record("Sizes", {"fields": 1, "self": 2, "items": 3})
    assert (odd.fields, odd.self, odd.items) == (1, 2, 3)


@pytest.mark.parametrize("name", ["height", "_fields_", "__array__", "__len__", "__float__", "nbytes"])
def test_what_is_no_field_is_no_attribute(name):
    assert not hasattr(SIZES, name)


def test_two_are_equal_by_name_and_fields_in_any_order():
    assert Record("Sizes", {"width": 6, "n_head": None, "name": "pico"}) == SIZES
    assert Record("Other", fields_of(SIZES)) != SIZES
    assert Record("Sizes", fields_of(SIZES) | {"width": 7}) != SIZES
    assert Record("Sizes", {"width": 6}) != {"width": 6}


def test_it_reads_as_the_call_that_makes_it():
    assert repr(SIZES) == "Sizes(name='pico', n_head=None, width=6)"


def test_it_cannot_be_changed():
    with pytest.raises(AttributeError, match="cannot be changed"):
        SIZES.width = 7
    fields_of(SIZES)["width"] = 7
    assert SIZES.width == 6


def test_a_copy_shares_no_memory_with_it():
    record = Record("Sizes", {"at": [np.zeros(2)]})
    again = copy.deepcopy(record)
    again.at[0][0] = 1
    assert record.at[0].tolist() == [0, 0]
    assert copy.copy(SIZES) == SIZES


@pytest.mark.parametrize("name", ["", "a b", "1a", "_a", "__class__", "a-b", "a\n", "a" * 201, 1, None])
def test_a_name_must_be_an_identifier_that_hides_nothing(name):
    for wrong in ((name, {}), ("Sizes", {name: 1})):
        with pytest.raises(Unsendable, match="a record with the name"):
            Record(*wrong)


def test_its_fields_are_counted():
    many = {f"f{number}": number for number in range(MAX_FIELDS + 1)}
    with pytest.raises(Unsendable, match=f"of 65 fields .the limit is {MAX_FIELDS}."):
        Record("Sizes", many)
    del many["f0"]
    assert fields_of(Record("Sizes", many)) == many


@dataclass
class Given:
    """A class of fields, with one of each kind that there is."""

    width: int
    parts: list[int] = field(default_factory=list)
    seen: int = field(default=3, init=False)
    kinds: ClassVar[int] = 9

    def __getattribute__(self, name: str) -> Any:
        raise AssertionError(name)


def test_what_is_taken_of_an_object_is_read_past_its_class():
    assert taken("Given", Given, Given(5, [7])) == Record("Given", {"width": 5, "parts": [7], "seen": 3})


def test_what_is_no_dataclass_gives_no_record():
    class Plain:
        pass

    assert taken("Plain", Plain, Plain()) is None


def test_a_field_that_was_deleted_is_an_error_of_the_object():
    @dataclass
    class Torn:
        width: int

    torn = Torn(1)
    del torn.width
    with pytest.raises(AttributeError, match="width"):
        taken("Torn", Torn, torn)


nested = st.recursive(
    st.integers(), lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text(), inner)
)


def _plain(value):
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return type(value)(map(_plain, value)) if isinstance(value, list | tuple) else -value


@given(nested)
def test_every_part_of_a_container_is_replaced_and_nothing_else(value):
    assert replaced(value, lambda part: -part) == _plain(value)


@given(nested)
def test_a_container_of_which_nothing_changes_stays_the_same_object(value):
    assert replaced(value, lambda part: part) is value


@given(nested)
def test_parts_of_a_type_that_is_left_as_it_is_are_not_asked_about(value):
    def refuse(part):
        raise AssertionError(f"asked about {part}")

    assert replaced([value], refuse, frozenset({int})) == [value]
