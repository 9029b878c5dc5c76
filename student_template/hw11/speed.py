"""Ways to train faster or in less memory. They change how a model is computed, and not what, up to rounding.

None is needed for the homework. Each takes the model as it is and puts other forward functions in the place of its own;
parameters, their names and checkpoints stay the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from hw11.kernels import flash, layers
from hw11.modules import Code


def checkpointing(model: nn.Module, code: Code) -> None:
    """Keep only the input of each block, and compute the rest again in the backward pass: less memory, more time."""
    for block in layers(model, code.layers.Block):
        block.forward = _checkpointed(block, block.forward)


def bf16(model: nn.Module, code: Code) -> None:
    """Compute matrix products in bfloat16; parameters, logits and loss stay in float32."""
    model.forward = _autocast(model, model.forward)


def compiled(model: nn.Module, code: Code) -> None:
    """Fuse what can be fused, by `torch.compile`; the first step takes long."""
    model.compile()


# In the order in which they are applied: a compiler has to see what the others made of the model.
WAYS: dict[str, Callable[[nn.Module, Code], None]] = {
    "flash": flash,
    "checkpointing": checkpointing,
    "bf16": bf16,
    "compile": compiled,
}


def _checkpointed(block: Any, plain: Callable[..., Tensor]) -> Callable[..., Tensor]:  # noqa: ANN401
    def forward(x: Tensor, cache: Any = None) -> Tensor:  # noqa: ANN401
        if cache is not None or not block.training:
            return plain(x, cache)
        out: Tensor = checkpoint(plain, x, use_reentrant=False)
        return out

    return forward


def _autocast(model: nn.Module, plain: Callable[..., Any]) -> Callable[..., Any]:
    def forward(idx: Tensor, *rest: Any, **named: Any) -> Any:  # noqa: ANN401
        with torch.autocast(next(model.parameters()).device.type, dtype=torch.bfloat16):
            logits, loss = plain(idx, *rest, **named)
        return logits.float(), loss

    return forward
