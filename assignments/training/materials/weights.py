"""What the first tests are about: parameters whose gradients are given, and a small model whose parameters are of every kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor, nn

Gradients = Sequence[Tensor | None]


class Weights:
    """Parameters that can be gone through as often as one likes.

    Args:
        values: What they are.
        grads: Their gradients, None where there is none; by default there are none.
    """

    def __init__(self, values: Sequence[Tensor], grads: Gradients | None = None) -> None:
        self._parameters = [nn.Parameter(value.clone()) for value in values]
        self.give(grads or [None] * len(values))

    def __iter__(self) -> Iterator[nn.Parameter]:
        """Go through the parameters."""
        return iter(self._parameters)

    def give(self, grads: Gradients) -> None:
        """Put other gradients in the place of those of before."""
        for parameter, grad in zip(self._parameters, grads, strict=True):
            parameter.grad = None if grad is None else grad.clone()

    def values(self) -> list[Tensor]:
        """Return what the parameters are now."""
        return [parameter.detach().clone() for parameter in self._parameters]

    def grads(self) -> list[Tensor | None]:
        """Return what the gradients are now."""
        return [None if parameter.grad is None else parameter.grad.clone() for parameter in self._parameters]


class Groups:
    """Groups of weights, as an optimizer takes them.

    Args:
        weights: The weights of each group.
        numbers: What each group says beside.
    """

    def __init__(self, weights: Sequence[Weights], numbers: Sequence[dict[str, Any]]) -> None:
        self._groups = list(zip(weights, numbers, strict=True))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Go through the groups."""
        return iter([{"params": list(weights), **numbers} for weights, numbers in self._groups])


def once(weights: Weights) -> Iterator[nn.Parameter]:
    """Return what goes through the parameters one time only, as `model.parameters()` does."""
    return iter(weights)


def trajectory(
    optimizer: torch.optim.Optimizer,
    weights: Sequence[Weights],
    grads: Sequence[Sequence[Tensor]],
    rates: Sequence[float] | None = None,
    missing: Sequence[int] = (),
) -> list[Tensor]:
    """Make steps, and return what the parameters are after each.

    Args:
        optimizer: What makes the steps.
        weights: What it moves.
        grads: For each of the weights, and for each of their parameters, its gradients at all steps, [steps, ...].
        rates: For each step the learning rate of every group, as a schedule sets it; by default it stays.
        missing: The steps at which the first parameter of all has no gradient.

    Returns:
        For each parameter its values after all steps, [steps, ...].
    """
    found = []
    for i in range(len(grads[0][0])):
        for each, theirs in zip(weights, grads, strict=True):
            given = [grad[i] for grad in theirs]
            each.give([None, *given[1:]] if i in missing and each is weights[0] else given)
        for group in optimizer.param_groups if rates else ():
            group["lr"] = rates[i]
        optimizer.step()
        found.append([value for each in weights for value in each.values()])
    return [torch.stack(values) for values in zip(*found, strict=True)]


def handed_over(old: torch.optim.Optimizer, new: torch.optim.Optimizer) -> None:
    """Let an optimizer go on where another one stopped, by way of what is saved of it."""
    new.load_state_dict(old.state_dict())


class Kinds(nn.Module):
    """A model with parameters of every kind: embeddings, of which the head shares one, matrices, vectors, a kernel and a number.

    Args:
        values: What they are, by name: ``wte.weight`` [V, d], ``wpe.weight`` [T, d], ``h.0.weight`` and ``h.0.bias`` [d]
            of a norm, ``h.1.weight`` [e, d] and ``h.1.bias`` [e], ``kernel``, ``bias_table`` and ``temperature`` of any shape.
    """

    def __init__(self, values: dict[str, Tensor]) -> None:
        super().__init__()
        for name in ("kernel", "bias_table", "temperature"):
            self.register_parameter(name, nn.Parameter(torch.zeros_like(values[name])))
        self.wte = nn.Embedding(*values["wte.weight"].shape)
        self.wpe = nn.Embedding(*values["wpe.weight"].shape)
        e, d = values["h.1.weight"].shape
        self.h = nn.ModuleList([nn.LayerNorm(d), nn.Linear(d, e)])
        self.head = nn.Linear(d, len(values["wte.weight"]), bias=False)
        self.head.weight = self.wte.weight
        self.load_state_dict({**values, "head.weight": values["wte.weight"]})
