"""`torch.Tensor` and `torch.Generator` on the wire, where torch is loaded.

Nothing here imports torch. A value of its types is only met where it is loaded; one that arrives elsewhere is refused,
else a worker could make a judge without torch spend seconds, and hundreds of megabytes, on importing it.
"""

from __future__ import annotations

import sys
from typing import Any

from numpy import int32, uint8, uint64

from grader.wire.arrays import DTYPES, Array
from grader.wire.errors import Unsendable, WireError

# The dtype of each kind of tensor, and of the array that holds its bits.
_STORED = {
    "bool": "bool",
    "uint8": "uint8",
    "int8": "int8",
    "int16": "int16",
    "int32": "int32",
    "int64": "int64",
    "float16": "float16",
    "bfloat16": "int16",
    "float32": "float32",
    "float64": "float64",
    "complex64": "complex64",
    "complex128": "complex128",
}
_MERSENNE = 624  # words of the Mersenne Twister's state


def torch_of() -> Any:  # noqa: ANN401  (torch is not imported here, not even for its types)
    """Return the package torch, where it is loaded.

    Raises:
        RuntimeError: It is not.
    """
    torch = _loaded()
    if torch is None:
        raise RuntimeError("torch is not loaded here")
    return torch


def is_tensor(kind: type) -> bool:
    """Return whether a class is `torch.Tensor` or derives from it."""
    torch = _loaded()
    return torch is not None and issubclass(kind, torch.Tensor)


def is_generator(kind: type) -> bool:
    """Return whether a class is `torch.Generator` or derives from it."""
    torch = _loaded()
    return torch is not None and issubclass(kind, torch.Generator)


def take(tensor: Any) -> tuple[Array, str]:  # noqa: ANN401  (torch is not imported here, not even for its types)
    """Return the values of a tensor, without its gradient, as an array and the name of its dtype.

    Raises:
        Unsendable: Its values cannot be read as strided memory, or its dtype is not one that travels.
    """
    torch = _loaded()
    name = str(tensor.dtype).removeprefix("torch.")
    if name not in _STORED:
        raise Unsendable(f"a tensor of dtype {name}")
    if tensor.layout is not torch.strided or tensor.device.type == "meta":
        raise Unsendable(f"a tensor of layout {tensor.layout} on device {tensor.device}")
    plain = tensor.detach().cpu() if tensor.device.type != "cpu" else tensor.detach()
    if plain.is_conj() or plain.is_neg():
        plain = plain.resolve_conj().resolve_neg()
    return _as(plain, _STORED[name], name).numpy(), name


def make(array: Array, name: object) -> object:
    """Return a tensor over the memory of `array`.

    Raises:
        WireError: torch is not loaded, or dtype and array do not belong together.
    """
    torch = _loaded()
    if torch is None:
        raise WireError("tensor: arrived where torch is not loaded")
    if not isinstance(name, str) or name not in _STORED or DTYPES[_STORED[name]] != array.dtype:
        raise WireError("tensor: its array is not of the dtype that holds its bits")
    return _as(torch.from_numpy(array), name, _STORED[name])


def _as(tensor: Any, name: str, now: str) -> Any:  # noqa: ANN401  (likewise)
    """Return the same bits as another dtype; most are what they should be, and are not looked at anew."""
    return tensor if name == now else tensor.view(getattr(torch_of(), name))


def state(generator: Any) -> Array:  # noqa: ANN401  (likewise)
    """Return the state of a `torch.Generator`, as bytes in an array.

    Raises:
        Unsendable: It generates on another device than the CPU.
    """
    if generator.device.type != "cpu":
        raise Unsendable(f"a random generator on device {generator.device}")
    found: Array = generator.get_state().numpy()
    return found


def generator(array: Array) -> object:
    """Return a `torch.Generator` that continues where the one sent was.

    Raises:
        WireError: torch is not loaded, or the state is none.
    """
    torch = _loaded()
    if torch is None:
        raise WireError("generator: arrived where torch is not loaded")
    if array.dtype != uint8 or array.ndim != 1 or not _within_buffer(array):
        raise WireError("generator: no state of a torch.Generator")
    try:
        return torch.Generator().set_state(torch.from_numpy(array))
    except RuntimeError as error:
        raise WireError(f"generator: {str(error)[:200]}") from None


def _within_buffer(array: Array) -> bool:
    # torch holds `left` and `next` to their bounds each, but only together do they keep it inside its 624 words.
    if array.size < 24:
        return False
    left, following = int(array[8:12].view(int32)[0]), int(array[16:24].view(uint64)[0])
    return left > 0 and left + following <= _MERSENNE + 1


def _loaded() -> Any:  # noqa: ANN401  (likewise)
    return sys.modules.get("torch")
