"""Tensors of torch as arrays, where they are compared. Nothing here imports torch; where it is not loaded there are none."""

from __future__ import annotations

from typing import Any

from grader.testing.bounded import Array
from grader.wire.tensors import is_tensor as is_tensor_class
from grader.wire.tensors import torch_of


def is_tensor(value: object) -> bool:
    """Whether a value is a tensor of torch."""
    return is_tensor_class(type(value))


def dtype_name(value: Any) -> str:  # noqa: ANN401  # a tensor
    """Return the name of a tensor's dtype, such as "bfloat16"."""
    return str(value.dtype).removeprefix("torch.")


def plain(value: Any) -> Any:  # noqa: ANN401  # any value
    """Return the numbers of a tensor, and anything else as it is."""
    return numbers_of(value) if is_tensor(value) else value


def numbers_of(value: Any) -> Array:  # noqa: ANN401  # a tensor
    """Return the numbers of a tensor; those of a bfloat16, which NumPy does not have, as float32."""
    torch = torch_of()
    plain = value.detach().cpu()
    found: Array = (plain.float() if plain.dtype is torch.bfloat16 else plain).numpy()
    return found
