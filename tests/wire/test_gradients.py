"""Products of cotangents with Jacobians, as judge and worker both take them."""

from __future__ import annotations

import pytest

from grader.wire.gradients import vjp

torch = pytest.importorskip("torch")


def cubed(x, scale=1.0):
    return scale * x**3


def test_a_gradient_by_an_argument_is_that_of_torch():
    x = torch.tensor([1.0, 2.0])
    value, (gradient,) = vjp(cubed, [x], {"scale": 2.0}, None, [0], [torch.tensor([1.0, 10.0])])
    assert value.tolist() == [2, 16]
    assert gradient.tolist() == [6, 240]
    assert not x.requires_grad


def test_a_gradient_by_a_tensor_of_the_object_is_named_by_its_path():
    layer = torch.nn.Sequential(torch.nn.Linear(2, 1, bias=False))
    x = torch.tensor([[3.0, 4.0]])
    _, (by_weight, by_x) = vjp(layer.forward, [x], {}, layer, ["0.weight", 0], [torch.ones(1, 1)])
    assert by_weight.tolist() == [[3, 4]]
    assert torch.equal(by_x, layer[0].weight.detach())


def test_every_floating_tensor_of_the_value_has_a_cotangent():
    def both(x):
        return {"a": x * 2, "b": [torch.tensor([1]), x * 3]}

    _, (gradient,) = vjp(both, [torch.ones(1)], {}, None, [0], [torch.ones(1), torch.ones(1)])
    assert gradient.tolist() == [5]
    with pytest.raises(ValueError, match="holds 2 floating tensors, where 1"):
        vjp(both, [torch.ones(1)], {}, None, [0], [torch.ones(1)])


def test_what_the_value_does_not_depend_on_has_none():
    _, gradients = vjp(lambda x, _: x * 2, [torch.ones(1), torch.ones(1)], {}, None, [0, 1], [torch.ones(1)])
    assert gradients[1] is None


def test_a_value_cut_off_from_its_argument_cannot_be_differentiated():
    with pytest.raises(RuntimeError):
        vjp(lambda x: x.detach() * 2, [torch.ones(1)], {}, None, [0], [torch.ones(1)])


def test_only_tensors_can_be_differentiated_by():
    with pytest.raises(ValueError, match="argument 0 is no tensor"):
        vjp(cubed, [3.0], {}, None, [0], [torch.ones(1)])


def test_gradients_that_were_switched_off_are_on_for_the_call():
    with torch.no_grad():
        _, (gradient,) = vjp(cubed, [torch.ones(1)], {}, None, [0], [torch.ones(1)])
    assert gradient.tolist() == [3]
