"""Assignments come after those that they build on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course.assignment import Assignment
from grader.course.locate import load_assignments
from grader.course.order import before, in_order
from grader.model.errors import CourseError
from tests.conftest import ROOT
from tests.model.toy import manifest


def assignment(name, *after):
    return Assignment(manifest(id=name, after=list(after)), ROOT / name, ROOT)


def ids(assignments):
    return [each.id for each in assignments]


@given(st.lists(st.integers(0, 7), min_size=8, max_size=8), st.permutations(range(8)))
def test_each_comes_after_those_that_it_names(parents, shuffled):
    names = [f"a{each}" for each in range(8)]
    every = [assignment(names[each], *([names[parents[each]]] if parents[each] < each else [])) for each in shuffled]
    ordered = ids(in_order(every))
    assert sorted(ordered) == names
    assert all(ordered.index(one) < ordered.index(each.id) for each in every for one in each.manifest.after)


def test_of_several_the_one_that_goes_on_from_the_last_is_next():
    found = [assignment("a"), assignment("b"), assignment("c", "a"), assignment("d", "c")]
    assert ids(in_order(found)) == ["a", "c", "d", "b"]


def test_one_that_is_not_there_is_not_waited_for():
    lone = assignment("a", "gone")
    assert ids(in_order([lone])) == ["a"]
    assert before(lone, [lone]) == []


def test_a_circle_is_told():
    with pytest.raises(CourseError, match="in a circle: a, b"):
        in_order([assignment("a", "b"), assignment("b", "a")])


def test_the_unit_begins_with_averages_and_ends_with_a_trained_gpt2():
    ordered = ids(in_order(load_assignments(ROOT, ())))
    assert ordered[0] == "context"
    steps = [
        ordered.index(name) for name in ("context", "attention", "masking", "layers", "gpt2", "training", "homework11")
    ]
    assert steps == sorted(steps)
