"""Tensors travel where torch is loaded, and nothing loads it for them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from grader.wire import tensors
from grader.wire.codec import decode, encode
from grader.wire.errors import Unsendable, WireError
from grader.wire.frames import Caps, write

ROOT = Path(__file__).parents[2]
_MEASURING = {"cython_runtime", "coverage", "$coverage"}  # Cython's own, and what a measured test run starts everywhere


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip("torch")


@pytest.fixture
def travel(understand, torch):
    def there(value):
        frame = understand(b"".join(bytes(piece) for piece in write(encode(value), Caps())), Caps())
        return decode(frame.tree, frame.arrays)

    return there


@pytest.mark.parametrize(
    "name",
    [
        "bool",
        "uint8",
        "int8",
        "int16",
        "int32",
        "int64",
        "float16",
        "bfloat16",
        "float32",
        "float64",
        "complex64",
        "complex128",
    ],
)
def test_a_tensor_of_every_dtype_comes_back(travel, torch, name):
    values = torch.tensor([[0.0, 1.5, -2.0], [3.25, 0.0, 7.0]]).abs().to(getattr(torch, name))
    for tensor in (values, values.T, values[:, ::2], values[0, 0], values[:0], values.expand(4, 2, 3)):
        again = travel(tensor)
        assert type(again) is torch.Tensor
        assert again.dtype == tensor.dtype
        assert again.shape == tensor.shape
        assert again.equal(tensor)
        assert again.is_contiguous()
        again.zero_()


def test_bfloat16_keeps_every_bit(travel, torch):
    bits = torch.arange(-(2**15), 2**15, dtype=torch.int32).to(torch.int16)
    assert travel(bits.view(torch.bfloat16)).view(torch.int16).equal(bits)


def test_a_gradient_is_left_behind(travel, torch):
    tensor = torch.ones(3, requires_grad=True)
    for value in (tensor, tensor * 2, torch.nn.Parameter(torch.ones(3))):
        again = travel(value)
        assert type(again) is torch.Tensor
        assert not again.requires_grad
        assert again.grad_fn is None


def test_conjugate_and_negative_views_come_back_as_what_they_show(travel, torch):
    tensor = torch.tensor([1 + 2j, 3 - 1j])
    assert travel(tensor.conj()).equal(torch.tensor([1 - 2j, 3 + 1j]))
    assert travel(tensor.conj().imag).equal(torch.tensor([-2.0, 1.0]))


def test_what_contains_tensors_comes_back(travel, torch):
    model = torch.nn.Linear(2, 1)
    again = travel({"state": model.state_dict(), "shape": torch.zeros(2, 3).shape})
    assert list(again["state"]) == ["weight", "bias"]
    assert again["state"]["weight"].equal(model.weight)
    assert again["shape"] == (2, 3)


def test_a_generator_goes_on_where_it_was(travel, torch):
    for drawn in (0, 1, 5, 623, 624, 625):
        generator = torch.Generator().manual_seed(3)
        torch.randint(10, (drawn,), generator=generator)
        again = travel(generator)
        assert torch.rand(700, generator=again).equal(torch.rand(700, generator=generator))


def test_a_generator_that_would_read_beyond_its_state_is_refused(torch):
    state = torch.Generator().get_state().numpy().copy()
    assert decode({"torch_generator": 0}, [state.copy()])
    for left, following in ((624, 624), (1, 625), (-1, 0), (0, 0), (2**31 - 1, 0), (1, 2**63), (1, 2**64 - 1)):
        state[8:12].view(np.int32)[0] = left
        state[16:24].view(np.uint64)[0] = following
        with pytest.raises(WireError, match="state"):
            decode({"torch_generator": 0}, [state.copy()])


@pytest.mark.parametrize(
    "array",
    [np.zeros(5056, np.uint8), np.zeros(3, np.uint8), np.zeros(632), np.zeros((2, 2), np.uint8), np.zeros(0, np.uint8)],
)
def test_a_state_that_is_none_is_refused(torch, array):
    with pytest.raises(WireError, match="generator"):
        decode({"torch_generator": 0}, [array])


@pytest.mark.parametrize(
    ("array", "name"),
    [
        (np.zeros(3), "float32"),
        (np.zeros(3, "float16"), "bfloat16"),
        (np.zeros(3), "qint8"),
        (np.zeros(3), "Tensor"),
        (np.zeros(3), None),
        (np.zeros(3, "uint32"), "uint32"),
    ],
)
def test_a_dtype_that_does_not_fit_its_array_is_refused(torch, array, name):
    with pytest.raises(WireError, match="tensor"):
        decode({"tensor": [0, name]}, [array])


def test_a_state_that_torch_itself_refuses_is_refused(torch):
    state = np.zeros(torch.Generator().get_state().numel(), np.uint8)
    state[8:12].view(np.int32)[0] = 1  # and yet it was never seeded
    with pytest.raises(WireError, match="Invalid mt19937 state"):
        decode({"torch_generator": 0}, [state])


def test_a_generator_of_another_device_is_named():
    cuda = SimpleNamespace(device=SimpleNamespace(type="cuda"))
    with pytest.raises(Unsendable, match="a random generator on device"):
        tensors.state(cuda)


def test_a_bool_tensor_holds_only_zeros_and_ones(torch):
    with pytest.raises(WireError, match="neither 0 nor 1"):
        decode({"tensor": [0, "bool"]}, [np.array([2], np.uint8).view(bool)])


def test_tensors_without_values_in_reach_are_named(torch):
    with pytest.raises(Unsendable, match="on device meta"):
        encode(torch.zeros(3, device="meta"))
    with pytest.raises(Unsendable, match=r"layout torch\.sparse_coo"):
        encode(torch.zeros(3).to_sparse())
    with pytest.raises(Unsendable, match="dtype uint16"):
        encode(torch.zeros(3, dtype=torch.uint16))


def test_an_expanded_tensor_is_not_copied_where_it_would_be_too_large(torch):
    for dtype in (torch.float64, torch.bfloat16):
        with pytest.raises(Unsendable, match="MiB of arrays"):
            encode(torch.zeros(1, dtype=dtype).expand(10**5, 10**5))


def _alone(code):
    """Run code in a process that has not loaded torch."""
    command = [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}"]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("tree", ['{"tensor": [0, "float64"]}', '{"torch_generator": 0}'])
def test_a_tensor_makes_nobody_load_torch(tree):
    done = _alone(
        f"""
import numpy as np
from grader.wire.codec import decode
from grader.wire.errors import WireError
try:
    decode({tree}, [np.zeros(3)])
except WireError as error:
    print(error)
print("torch" in sys.modules)
"""
    )
    assert done.stderr == ""
    assert "arrived where torch is not loaded\nFalse" in done.stdout


def test_wire_and_worker_load_neither_torch_nor_the_rest_of_the_grader():
    done = _alone(
        """
import importlib, json, pkgutil, grader.wire
import grader.worker.main
for module in pkgutil.iter_modules(grader.wire.__path__, "grader.wire."):
    importlib.import_module(module.name)
print(json.dumps(sorted({name.split(".")[0] for name in sys.modules} - set(sys.stdlib_module_names))))
print(json.dumps(sorted({".".join(name.split(".")[:2]) for name in sys.modules if name.startswith("grader")})))
"""
    )
    assert done.stderr == ""
    others, ours = (json.loads(line) for line in done.stdout.splitlines())
    assert {name for name in others if not name.startswith("_")} - _MEASURING == {"grader", "numpy"}
    assert ours == ["grader", "grader.wire", "grader.worker"]
