import numpy as np
import pytest

from grader.wire.copies import Kept, copied, same_entries, unchanged
from grader.wire.records import Record, fields_of
from grader.wire.values import Handle

torch = pytest.importorskip("torch")


def test_no_part_of_a_copy_is_shared():
    x, t = np.zeros(2), torch.zeros(2)
    value = [x, (x, {"a": t, "b": [1]}), Record("Sizes", {"x": x})]
    [one, (two, named), record] = copied(value)
    for part in (one, two, named["a"], fields_of(record)["x"]):
        part[0] = 1
    named["b"].append(2)
    assert x.tolist() == [0, 0]
    assert t.tolist() == [0, 0]
    assert value[1][1]["b"] == [1]


def test_a_tensor_is_copied_as_it_crosses_plain_and_without_its_gradient():
    weight = torch.nn.Parameter(torch.ones(2, 3))
    for tensor in (weight, 2 * weight, torch.zeros(3).expand(2, 3)):
        again = copied(tensor)
        assert type(again) is torch.Tensor
        assert not again.requires_grad
        again[0, 0] = 7  # each entry has memory of its own
        assert again.flatten().tolist() == [7, *tensor.flatten().tolist()[1:]]


def test_the_layout_of_an_array_and_of_a_tensor_stays():
    assert copied(np.zeros((2, 3)).T).flags.f_contiguous
    assert not copied(torch.zeros(2, 3).T).is_contiguous()


def test_a_generator_is_copied_where_it_is():
    ours, numpys = torch.Generator().manual_seed(3), np.random.default_rng(3)
    torch.rand(1, generator=ours), numpys.random()
    ours_again, numpys_again = copied((ours, numpys))
    assert torch.rand(1, generator=ours) == torch.rand(1, generator=ours_again)
    assert numpys.random() == numpys_again.random()


def test_a_function_stays_itself():
    assert copied([print])[0] is print


ALIKE = [
    np.array([1.0, np.nan]),
    np.array([], dtype=np.int64),
    torch.tensor([1.0, -2.0]),
    [1, "a", None, (2.5, {"k": np.eye(2)})],
    Record("Sizes", {"n": 3}),
    Handle(4, "Norm"),
]


@pytest.mark.parametrize("value", ALIKE, ids=str)
def test_what_was_left_alone_is_unchanged(value):
    assert unchanged(value, copied(value))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (np.zeros(2), np.ones(2)),
        (np.zeros(2), np.zeros(3)),
        (np.zeros(2), np.zeros(2, dtype=np.float32)),
        (torch.zeros(2), torch.zeros(2).double()),
        (torch.zeros(2), np.zeros(2)),
        ([1], (1,)),
        ([1], [1, 2]),
        ({"a": 1}, {"b": 1}),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (1, 1.0),
        (1, True),
        (Record("A", {"n": 1}), Record("B", {"n": 1})),
        (Handle(1, "A"), Handle(2, "A")),
    ],
)
def test_what_was_changed_is_not(before, after):
    assert not unchanged(before, after)


def test_what_cannot_be_told_quickly_is_not_called_unchanged():
    for value in (np.random.default_rng(0), torch.Generator(), torch.tensor([torch.nan])):
        assert not unchanged(value, copied(value))


def test_entries_are_compared_whatever_the_layout():
    square = np.arange(4.0).reshape(2, 2)
    assert same_entries(square, np.asfortranarray(square))
    assert not same_entries(square, square.T)
    assert same_entries(torch.zeros(2, 2).T, torch.zeros(2, 2))


@pytest.mark.parametrize("value", ALIKE[:4], ids=str)
def test_arguments_that_are_kept_match_until_they_are_changed(value):
    kept = Kept((value, 1), {"n": [2]})
    assert kept.match((value, 1), {"n": [2]})
    assert not kept.match((value, 2), {"n": [2]})
    assert not kept.match((value, 1), {"n": [3]})
    assert not kept.match((value,), {"n": [2]})


@pytest.mark.parametrize(
    "value",
    [object(), print, Record("Sizes", {"n": 3}), torch.Generator(), np.array([None]), np.zeros(1 << 14)],
    ids=["object", "function", "record", "generator", "objects", "large"],
)
def test_arguments_that_are_large_or_of_other_kinds_are_not_kept_and_match_nothing(value):
    assert not Kept((value,), {}).match((value,), {})
    assert not Kept((), {"x": [value]}).match((), {"x": [value]})
