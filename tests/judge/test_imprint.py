import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from grader.judge.imprint import Imprint, imprint, request_key, same_imprint, structure
from grader.judge.record import Outcome, Request
from grader.testing.student import Cause
from grader.testing.tolerance import EXACT, FLOAT64, Tolerance

FLOATS = arrays.arrays("float64", arrays.array_shapes(max_dims=3, max_side=6), elements=st.floats(0.1, 10))
NOTHING = Request("f")


def of(value, **more) -> Imprint:
    return imprint(NOTHING, Outcome(value, **more))


@given(FLOATS)
def test_a_call_is_known_again_on_another_machine(x):
    """Machines differ in the last digits; one that stands on the edge of a rounding may be missed, never mistaken."""
    x = np.array([float(f"{number:.4e}") for number in x.ravel()]).reshape(x.shape)
    noise = 1 + 1e-13 * np.linspace(-1, 1, x.size).reshape(x.shape)
    key = request_key(Request("f", (x,), {"mask": None}))
    assert key == request_key(Request("f", (x * noise,), {"mask": None}))
    assert key == request_key(Request("f", (x.copy(),), {"mask": None}))


@given(FLOATS, st.data())
def test_another_number_is_another_call(x, data):
    index = data.draw(st.tuples(*(st.integers(0, n - 1) for n in x.shape)))
    other = x.copy()
    other[index] += 0.01
    assert request_key(Request("f", (x,))) != request_key(Request("f", (other,)))


@given(FLOATS)
def test_another_shape_dtype_name_or_place_is_another_call(x):
    calls = [
        Request("f", (x,)),
        Request("g", (x,)),
        Request("f", (x[None],)),
        Request("f", (x.astype("float32"),)),
        Request("f", (x, None)),
        Request("f", (x,), {"axis": 0}),
        Request("f", (x,), {"axis": 1}),
        Request("f", (), {"x": x}),
        Request("f", (x.tolist(),)),
        Request("f", (x, True)),
        Request("f", (x, np.False_)),
        Request("f", (x, "a")),
        Request("f", (x + 1j,)),
        Request("f", (x + 2j,)),
    ]
    assert len({request_key(call) for call in calls}) == len(calls)


def test_the_order_of_names_and_the_sign_of_a_zero_do_not_matter():
    one = Request("f", (), {"a": np.array([0.0]), "b": 1})
    assert request_key(one) == request_key(Request("f", (), {"b": 1, "a": np.array([-0.0])}))


def test_the_key_of_a_call_is_the_same_for_ever():
    request = Request("softmax", (np.array([[1.0, -2.5], [np.inf, np.nan]]),), {"axis": -1})
    assert request_key(request) == "c0613678936f1c8383bcd8bf889ea34d"


def lend(work, times=1):
    """An encoder as a suite lends it: one function around another."""
    return lambda x: times * work(x)


def double(x):
    return 2 * x


def test_another_function_that_is_lent_is_another_call():
    def triple(x):
        return 3 * x

    def again(x):
        return again(x[1:]) if len(x) else x

    lent = [double, triple, again, lend(double), lend(triple), lend(double, times=2), lend(lend(double))]
    keys = [request_key(Request("f", (work,))) for work in lent]
    assert len(set(keys)) == len(keys)
    assert keys[3] == request_key(Request("f", (lend(double),)))


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (np.zeros((2, 3), "float32"), "float32[2, 3]"),
        ({"Z": np.zeros(1), "A": 2}, "dict(A: number, Z: float64[1])"),
        ((1, [2.0, None]), "list(number, list(number, None))"),
        (np.float32(1), "number"),
        (np.True_, "True"),
        ("a", "'a'"),
        (2**1024 - 1, hex(2**1024 - 1)),
        (1j, "complex"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_the_structure_of_a_value(value, told):
    assert structure(value) == told


@given(FLOATS)
def test_an_imprint_is_the_same_as_itself_and_written_down_it_still_is(x):
    kept = of({"Z": x, "n": 1})
    assert len(kept.entries) <= 24
    again = Imprint.model_validate_json(kept.model_dump_json(exclude_defaults=True))
    assert same_imprint(kept, again, EXACT)


@given(FLOATS, st.data())
def test_every_number_of_a_small_value_counts(x, data):
    assume(x.size <= 24)
    index = data.draw(st.tuples(*(st.integers(0, n - 1) for n in x.shape)))
    other = x.copy()
    other[index] *= 1 + 1e-4
    assert not same_imprint(of(other), of(x), FLOAT64)
    assert same_imprint(of(other), of(x), Tolerance(1e-3, 0))


def test_what_is_not_finite_is_kept_by_name():
    kept = of(np.array([np.nan, np.inf, -np.inf, 1.5]))
    assert kept.entries == ["nan", "inf", "-inf", 1.5]
    assert same_imprint(kept, Imprint.model_validate_json(kept.model_dump_json()), EXACT)
    assert not same_imprint(kept, of(np.array([0.0, np.inf, -np.inf, 1.5])), FLOAT64)


def test_values_that_differ_in_kind_are_not_the_same():
    values = [np.zeros(2), np.zeros(2, "float32"), [0.0, 0.0], 0.0, None, True, np.False_, "0", {}, 2**1024 - 1, 1j, 2j]
    for number, one in enumerate(values):
        for other in values[:number]:
            assert not same_imprint(of(one), of(other), FLOAT64)


def test_float32_is_given_its_own_room():
    x = np.linspace(1, 2, 5, dtype="float32")
    assert same_imprint(of(x * np.float32(1 + 5e-5)), of(x), EXACT)
    assert not same_imprint(of(x * np.float32(1 + 5e-4)), of(x), EXACT)
    assert not same_imprint(of(np.float64(1 + 5e-5)), of(np.float64(1)), EXACT)


def test_an_argument_that_was_changed_shows():
    x = np.ones(2)
    request = Request("f", (x,), {"mask": x})
    same = imprint(request, Outcome(1.0, args=(x.copy(),), kwargs={"mask": x.copy()}))
    changed = imprint(request, Outcome(1.0, args=(x.copy(),), kwargs={"mask": 2 * x}))
    assert (same.touched, changed.touched) == (False, True)
    assert not same_imprint(same, changed, FLOAT64)


def test_of_an_error_its_class_is_kept_alone():
    kept = imprint(NOTHING, Outcome(raised=Cause(("Mine", "ValueError"), "secret", "toy.py", 3)))
    assert kept == Imprint(raised="ValueError")
    assert not same_imprint(kept, of(None), FLOAT64)
