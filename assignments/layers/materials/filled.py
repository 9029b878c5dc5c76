"""Load parameters and look at names, so that what else lies in the state shows as itself, whatever it is called."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn


def fill(layer: nn.Module, state: dict[str, Tensor]) -> dict[str, Any]:
    """Load what fits into a layer; its parameters that nothing was given for become 0, so that no chance is left in it.

    Returns:
        ``unknown``: what the layer has no place for; ``biases_left`` and ``weights_left``: whether nothing was given for
        some bias, and for some other parameter.

    Raises:
        RuntimeError: A shape is another.
    """
    missing, unknown = layer.load_state_dict(state, strict=False)
    left = [name for name, _ in layer.named_parameters(remove_duplicate=False) if name in missing]
    with torch.no_grad():
        for name in left:
            layer.get_parameter(name).zero_()
    biases = [name for name in left if name.endswith("bias")]
    return {"unknown": sorted(unknown), "biases_left": bool(biases), "weights_left": len(left) > len(biases)}


def require_names(layer: nn.Module, names: list[str], parts: dict[str, nn.Module] | None = None) -> None:
    """Make sure that a layer's state has just these names.

    Args:
        layer: The layer.
        names: What should be in its state.
        parts: Its parts by name: what one of them has too many by itself is no mistake of the layer's.

    Raises:
        ValueError: One is missing or too many; the message says which.
    """
    told = list(layer.state_dict())
    theirs = {f"{part}.{name}" for part, own in (parts or {}).items() for name in own.state_dict()}
    if missing := [name for name in names if name not in told]:
        raise ValueError(f"the state lacks {missing[0]!r}; it has {', '.join(told) or 'nothing'}")
    if extra := [name for name in told if name not in {*names, *theirs}]:
        raise ValueError(f"the state has {extra[0]!r}, which was not asked for; the names are {', '.join(names)}")
