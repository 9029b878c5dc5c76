"""Modules and tensors of a submission that may use torch."""

from __future__ import annotations

import pytest

from grader.wire.messages import Failed, Vjp
from grader.wire.values import Handle

MODEL = """
import torch
from torch import nn

class Scale(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d))
        self.low = nn.Parameter(torch.ones(d, dtype=torch.bfloat16))
    def forward(self, x): return x * self.weight

def mixed(x): x += 1; return x.sum(), (x > 0), x.numpy()
def draw(generator): return torch.rand(3, generator=generator)
def shapes(x): return x.shape, x.dtype
def bad(): raise torch.cuda.OutOfMemoryError("no")
"""


@pytest.fixture
def torch():
    return pytest.importorskip("torch")


@pytest.fixture
def model(submission, torch):
    return submission(MODEL, allowed=("numpy", "torch"))


def test_a_module_is_a_handle_and_its_tensors_travel(model, torch):
    scale = model.returned("student.Scale", 3)
    assert isinstance(scale, Handle)
    assert scale.type == "Scale"
    out = model.returned("__call__", torch.tensor([1.0, 2.0, 3.0]), on=scale.id)
    assert type(out) is torch.Tensor
    assert out.tolist() == [1, 2, 3]
    assert not out.requires_grad
    state = model.returned("state_dict", on=scale.id)
    assert {name: tensor.dtype for name, tensor in state.items()} == {"weight": torch.float32, "low": torch.bfloat16}


def test_state_can_be_loaded(model, torch):
    scale = model.returned("student.Scale", 2)
    model.returned(
        "load_state_dict",
        {"weight": torch.tensor([5.0, 6.0]), "low": torch.zeros(2, dtype=torch.bfloat16)},
        on=scale.id,
    )
    assert model.returned("forward", torch.ones(2), on=scale.id).tolist() == [5, 6]


def test_gradients_by_an_argument_and_by_a_parameter_come_with_the_value(model, torch):
    scale = model.returned("student.Scale", 2)
    x = torch.tensor([3.0, 4.0])
    asked = Vjp("forward", (x,), {}, scale.id, [0, "weight"], [torch.tensor([1.0, 10.0])])
    value, (by_x, by_weight) = model.ask(asked).value
    assert value.tolist() == [3, 4]
    assert by_x.tolist() == [1, 10]
    assert by_weight.tolist() == [3, 40]


def test_a_gradient_by_what_is_not_there_is_the_submission_s_failure(model, torch):
    scale = model.returned("student.Scale", 2)
    asked = Vjp("forward", (torch.ones(2),), {}, scale.id, ["bias"], [torch.ones(2)])
    answer = model.ask(asked)
    assert isinstance(answer, Failed)
    assert answer.error.types[0] == "AttributeError"


def test_tensors_and_arrays_are_told_apart_and_mutation_is_seen(model, torch):
    from grader.wire.messages import Call

    answer = model.ask(Call("student.mixed", (torch.zeros(2),)))
    total, positive, array = answer.value
    assert total.item() == 2
    assert positive.dtype == torch.bool
    assert array.tolist() == [1, 1]
    assert answer.args[0].tolist() == [1, 1]


def test_a_generator_draws_what_it_would_here(model, torch):
    assert model.returned("student.draw", torch.Generator().manual_seed(1)).equal(
        torch.rand(3, generator=torch.Generator().manual_seed(1))
    )


def test_a_size_is_a_tuple_and_a_dtype_a_handle(model, torch):
    size, dtype = model.returned("student.shapes", torch.zeros(2, 3))
    assert size == (2, 3)
    assert dtype.type == "dtype"


def test_a_forbidden_function_is_blocked_through_modules_that_call_it(submission, torch):
    name = "torch.nn.functional.scaled_dot_product_attention"
    judge = submission(
        "import torch\nfrom torch import nn\nimport torch.nn.functional as F\ndef f(q): return F.scaled_dot_product_attention(q, q, q)\n"
        "def g(q): return nn.MultiheadAttention(4, 2, batch_first=True)(q, q, q, need_weights=False)[0].detach()\n",
        allowed=("torch",),
        forbidden=(name,),
    )
    q = torch.ones(1, 3, 4)
    for name in ("student.f", "student.g"):
        assert judge.failure(name, q).types[0] == "Blocked"


def test_a_tensor_of_a_class_that_answers_for_itself_is_refused(submission, torch):
    judge = submission(
        "import torch\nclass Always(torch.Tensor):\n    @classmethod\n"
        "    def __torch_function__(cls, func, types, args=(), kwargs=None):\n        return True\n"
        "def f(): return torch.zeros(3).as_subclass(Always)\n",
        allowed=("numpy", "torch"),
    )
    failure = judge.failure("student.f")
    assert failure.types[0] == "TypeError"
    assert "cannot be graded" in failure.message
