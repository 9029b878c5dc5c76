"""What dropout does to the output of a layer, told so that chance does not show."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

_MOST = 3
_SEED = 20


def dropout_shows(layer: nn.Module, x: Tensor, width: int) -> dict[str, Any]:
    """Run a new layer, which is in training mode, then in evaluation mode and in training mode again.

    Args:
        layer: The layer, whose output has no entry that is 0 in evaluation mode.
        x: Its input, with so many rows that whatever can happen does.
        width: How many neighbouring entries of a row make a group.

    Returns:
        ``new``: whether something was dropped before evaluation mode; ``steady``: whether two runs in evaluation mode
        are the same; ``multiples``: of what an entry is in evaluation mode, which multiples it is in training mode
        afterwards, ascending, none where there are more than a few; ``together``: whether some group was dropped whole, as far as there are multiples.
    """
    # What is seen of a layer is then the same in every process, whatever was drawn there before.
    with torch.no_grad(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(_SEED)
        new = layer(x)
        layer.eval()
        before, again = layer(x), layer(x)
        layer.train()
        after = layer(x)
    found = {"new": bool((new == 0).any()), "steady": torch.equal(before, again)}
    if not found["steady"]:
        return found | {"multiples": [], "together": False}
    multiples = sorted({round(each, 6) + 0.0 for each in (after / before).flatten().tolist()})
    if len(multiples) > _MOST:
        return found | {"multiples": [], "together": False}
    groups = (after == 0).unflatten(-1, (-1, width)).all(dim=-1)
    return found | {"multiples": multiples, "together": bool(groups.any())}
