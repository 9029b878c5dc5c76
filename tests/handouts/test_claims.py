import numpy as np
import pytest

from tests.handouts.claims import bits, cells, rows, shape, struck, told, value
from tests.handouts.page import Page

TEXT = """# T 1

### 1. `f(x)` [T, 1] · 10 points · 5 minutes

A sum of .25 and
.75 is 1, as in exercise 3; x is [..., T, 1].

```python
x = 17
```

1. Twice .25 is .5.
"""
ALL = ["T 1", "A sum of .25 and .75 is 1", "Twice .25 is .5"]


def test_where_every_number_was_computed_none_is_left() -> None:
    assert struck(Page(TEXT, "en"), ALL) == ([], [])


@pytest.mark.parametrize("piece", ALL)
def test_a_number_that_nobody_computed_is_left(piece: str) -> None:
    missing, left = struck(Page(TEXT, "en"), [each for each in ALL if each != piece])
    assert missing == []
    assert len(left) == 1
    assert piece in left[0]


def test_a_number_that_was_computed_to_be_another_is_missing() -> None:
    missing, left = struck(Page(TEXT, "en"), [*ALL[:2], "Twice .25 is .6"])
    assert missing == ["Twice .25 is .6"]
    assert len(left) == 1


def test_a_piece_counts_once() -> None:
    missing, _ = struck(Page(TEXT, "en"), [".25", ".25", ".25"])
    assert missing == [".25"]


def test_numbers_are_written_as_handouts_write_them() -> None:
    assert [told(x) for x in (1.0, 0.0179, -0.5, 2.0604, -np.inf)] == ["1", ".018", "-.500", "2.060", "-∞"]
    assert rows(np.array([[1, -np.inf], [2, 6.25]]), 2) == "[[1, -∞], [2, 6.25]]"
    assert cells(np.array([[0.5], [3]]), 1, " and ") == ".5 and 3"
    assert shape(np.zeros((2, 1))) == "[2, 1]"
    assert bits(np.tri(2, dtype=bool)) == "10 11"


def test_a_formula_is_computed_as_it_stands() -> None:
    names = {"x": 2.0, "u": 0.5, "β₁": 0.9, "g": 3.0, "t": 2}
    assert value("½ x (1 + tanh u)", names) == pytest.approx(1 + np.tanh(0.5))
    assert value("√(2 / π) (x + .044715 x³)", names) == pytest.approx(np.sqrt(2 / np.pi) * (2 + 0.044715 * 8))
    assert value("(1 - β₁) g / (1 - β₁ᵗ)", names) == pytest.approx(0.1 * 3 / (1 - 0.81))
    assert value("½ x (2 + tanh u)", names) != pytest.approx(1 + np.tanh(0.5))


def test_a_formula_with_a_letter_that_has_no_value_is_none() -> None:
    with pytest.raises(NameError):
        value("½ x (1 + tanh u)", {"x": 1.0})
