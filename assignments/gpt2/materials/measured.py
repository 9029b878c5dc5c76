"""What a new model begins with, told so that chance does not show, and how large a model would be, without making it."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn

_USUAL = 0.02
_MOST = 2.0


def beginnings(model: nn.Module) -> dict[str, float | str]:
    """Describe what each tensor of a new model begins with, and its first loss.

    Args:
        model: A new model, whose matrices have some hundred entries at least.

    Returns:
        By the tensor's name: of a vector the number that all its entries are, or "varied"; of a matrix the standard
        deviation of its entries, as the nearest of 0.02 times a whole power of the root of 2. By "first loss": how many times ln V
        the loss is, to one decimal, 2 where it is more.
    """
    found = {name: _beginning(tensor.detach()) for name, tensor in model.state_dict().items()}
    config: Any = model.config
    idx = torch.arange(2 * config.block_size).reshape(2, -1) % config.vocab_size  # [2, block_size]
    model.eval()
    with torch.no_grad():
        _, loss = model(idx, (idx + 1) % config.vocab_size)
    return found | {"first loss": round(min(float(loss) / math.log(config.vocab_size), _MOST), 1)}


def lengths(caches: list[Any]) -> list[int]:
    """Return how many positions each cache holds; together, for one by one they could not be told apart."""
    return [cache.length for cache in caches]


def on_meta(name: str, **overrides: object) -> dict[str, Any]:
    """Make the submission's model of a size on torch's meta device, where a tensor has a shape and takes no memory.

    Args:
        name: Of the size.
        overrides: As for `from_preset`.

    Returns:
        ``config``, the model's, and ``parameters``, how many numbers it would hold.
    """
    import gpt2  # noqa: PLC0415  (it may import this module)

    with torch.device("meta"):
        model = gpt2.from_preset(name, **overrides)
    return {"config": model.config, "parameters": sum(parameter.numel() for parameter in model.parameters())}


def _beginning(tensor: Tensor) -> float | str:
    if tensor.dim() < 2:
        return round(float(tensor[0]), 6) if bool((tensor == tensor[0]).all()) else "varied"
    std = float(tensor.double().std())
    if not math.isfinite(std) or std < 1e-6:
        return 0.0
    return round(_USUAL * 2 ** (round(2 * math.log2(std / _USUAL)) / 2), 4)
