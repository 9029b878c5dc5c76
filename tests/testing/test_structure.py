import numpy as np
import pytest

from grader.testing import as_array, assert_keys, assert_tuple
from grader.testing.structure import describe


class Cunning(np.ndarray):
    """An array that agrees with everything."""

    def __eq__(self, other):
        return np.ones(self.shape, dtype=bool)

    __hash__ = None


CUNNING = np.zeros((2, 3)).view(Cunning)
MASKED = np.ma.masked_all((2, 3))


def said(call, *args, **kwargs) -> str:
    with pytest.raises(AssertionError) as caught:
        call(*args, **kwargs)
    return str(caught.value)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (np.zeros((2, 3), np.float32), "an array of shape (2, 3) and dtype float32"),
        (np.float32(1), "a NumPy float32"),
        (None, "None"),
        ([1, 2], "a list of 2"),
        ({"a": 1}, "a dict of 1"),
        (1.5, "a float"),
        (MASKED, "a MaskedArray"),
    ],
    ids=str,
)
def test_a_value_is_described_without_showing_it(value, words):
    assert describe(value) == words


def test_an_array_is_returned_as_it_is():
    x = np.zeros((2, 3))
    assert as_array(x, shape=(2, 3), dtype="float64") is x


@pytest.mark.parametrize("value", [[[0.0] * 3] * 2, None, 1.0, np.float64(1), CUNNING, MASKED, np.zeros], ids=describe)
def test_only_an_array_is_one(value):
    assert said(as_array, value, what="Z") == f"Z should be a NumPy array, got {describe(value)}"


def test_another_shape_is_told_with_the_expected_one():
    assert said(as_array, np.zeros((2, 3)), shape=(2, 4)) == "the result has shape (2, 3), expected (2, 4)"


@pytest.mark.parametrize(
    ("got", "expected", "remark"),
    [
        ((3, 2), (2, 3), "the axes are there, in another order"),
        ((5, 2, 3), (2, 3, 5), "the axes are there, in another order"),
        ((2, 1, 3), (2, 3), "an axis of length 1 is missing or too many"),
        ((3,), (1, 3), "an axis of length 1 is missing or too many"),
    ],
)
def test_a_familiar_mistake_with_axes_is_named(got, expected, remark):
    assert said(as_array, np.zeros(got), shape=expected).endswith(f"expected {expected}: {remark}")


def test_another_dtype_is_told_with_the_expected_one():
    assert said(as_array, np.zeros(2, np.float32), dtype=np.float64, what="A") == "A: dtype float32, expected float64"


def test_a_tuple_or_list_of_the_right_length_is_a_tuple():
    assert assert_tuple([1, 2], 2) == (1, 2)
    assert assert_tuple((1,), 1) == (1,)


@pytest.mark.parametrize(
    ("value", "words"),
    [(np.zeros((2, 2)), "an array of shape (2, 2)"), (None, "None"), ((1, 2, 3), "got 3"), ((), "got 0")],
)
def test_anything_else_is_no_tuple(value, words):
    text = said(assert_tuple, value, 2, what="Q, K")
    assert text.startswith("Q, K should be a tuple of 2, got ")
    assert words in text


def test_a_dict_has_the_keys_in_any_order():
    assert assert_keys({"b": 1, "a": 2}, "a", "b") == {"a": 2, "b": 1}


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"a": 1}, "lacks the key 'b'; it has 'a'"),
        ({}, "lacks the key 'a'; it has none"),
        ({"a": 1, "b": 2, 3: 4}, "has a key 3 that was not asked for; the keys are a, b"),
        ((1, 2), "should be a dict with the keys a, b, got a tuple of 2"),
    ],
)
def test_a_dict_with_other_keys_is_told_which(value, words):
    assert said(assert_keys, value, "a", "b") == f"the result {words}"
