"""What the tests train: small models whose weights they give, and what is done with a model besides.

A model is called as the course's GPT is, ``model(idx)``, and returns ``(logits, loss)``; with targets too the loss is the
mean over those that are not -1. They compute in the dtype of their weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NoReturn

import torch
from torch import Tensor, nn

Answer = tuple[Tensor, Tensor | None]


class _Watching(nn.Module):
    """A model that remembers what it was shown."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: dict[bool, list[Tensor]] = {True: [], False: []}
        self._graphs = 0

    def answer(self, idx: Tensor, logits: Tensor, targets: Tensor | None) -> Answer:
        """Remember the tokens and whether there is a graph, and return what a call returns.

        Raises:
            ValueError: The tokens are not [B, T].
        """
        if idx.ndim != 2 or idx.numel() == 0:
            raise ValueError(f"a model takes tokens [B, T], and got {list(idx.shape)}")
        self._seen[self.training].append(idx.detach().clone())
        self._graphs += logits.requires_grad
        return logits, None if targets is None else _mean_loss(logits, targets)

    def shown(self, training: bool) -> list[list[int]]:  # noqa: FBT001  # a test asks for one of two modes
        """Return the sequences that it was shown in training mode, or in evaluation mode, in order."""
        return [row for idx in self._seen[training] for row in idx.tolist()]

    def made_graphs(self) -> bool:
        """Whether a call, of any since this was last asked, could be differentiated."""
        made, self._graphs = self._graphs > 0, 0
        return made


class Table(_Watching):
    """A model whose next token depends on the last one alone.

    Args:
        logits: Row i holds the logits after token i, [V, V].
        bias: What is added to them, [V]; None for nothing.
        dropout: The probability with which a logit is dropped in training mode.
        running: Whether the mean of the logits in training mode is kept, as a buffer, and taken off them.
    """

    def __init__(
        self, logits: Tensor, bias: Tensor | None = None, *, dropout: float = 0.0, running: bool = False
    ) -> None:
        super().__init__()
        self.logits = nn.Parameter(logits.clone())
        self.bias = None if bias is None else nn.Parameter(bias.clone())
        self.drop = nn.Dropout(dropout)
        self.register_buffer("centre", torch.zeros_like(logits[0]) if running else None)

    def forward(self, idx: Tensor, targets: Tensor | None = None) -> Answer:
        """Return the logits of each token's successor, [B, T, V], and the loss."""
        logits = self.logits[idx]  # [B, T, V]
        if self.bias is not None:
            logits = logits + self.bias
        if self.centre is not None:
            if self.training:
                self.centre = 0.5 * self.centre + 0.5 * logits.detach().mean(dim=(0, 1))
            logits = logits - self.centre
        return self.answer(idx, self.drop(logits), targets)


class Sum(_Watching):
    """A model of two tables, whose logits are added up.

    Args:
        first: As of `Table`.
        second: Likewise.
        dropout: Of both tables.
    """

    def __init__(self, first: Tensor, second: Tensor, *, dropout: float = 0.0) -> None:
        super().__init__()
        self.first, self.second = Table(first, dropout=dropout), Table(second, dropout=dropout)

    def forward(self, idx: Tensor, targets: Tensor | None = None) -> Answer:
        """Return the logits of each token's successor, [B, T, V], and the loss."""
        return self.answer(idx, self.first(idx)[0] + self.second(idx)[0], targets)


class FullDisk(Table):
    """A table that cannot be written to the end, as when the disk is full."""

    def get_extra_state(self) -> object:
        """Return what raises when it is written."""
        return _Unwritable()

    def set_extra_state(self, _: object) -> None:
        """Take what such a model had; there is nothing."""


class _Unwritable:
    def __reduce__(self) -> NoReturn:
        raise OSError("no space left on the disk")


class Descent(torch.optim.Optimizer):
    """Gradient descent with momentum, as torch's own SGD makes it.

    Args:
        params: Groups of parameters.
        lr: The rate.
        momentum: What share of the last step goes into the next.
    """

    def __init__(self, params: list[dict[str, Any]], lr: float, momentum: float) -> None:
        super().__init__(params, {"lr": lr, "momentum": momentum})

    def zero_grad(self, set_to_none: bool = True) -> None:  # noqa: FBT001, FBT002  # torch's own signature
        """Clear the gradients; torch's own takes ten times as long."""
        for group in self.param_groups:
            for p in group["params"]:
                p.grad = None if set_to_none or p.grad is None else torch.zeros_like(p)

    @torch.no_grad()
    def step(self) -> None:
        """Move every parameter that has a gradient."""
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    self._move(p, group["lr"], group["momentum"])

    def _move(self, p: Tensor, lr: float, momentum: float) -> None:
        if momentum:
            before = self.state[p].get("velocity")
            self.state[p]["velocity"] = p.grad.clone() if before is None else momentum * before + p.grad
        p.sub_(lr * (self.state[p]["velocity"] if momentum else p.grad))


def sgd(
    model: nn.Module, lr: float, momentum: float = 0.0, *, groups: int = 1, only: Sequence[str] | None = None
) -> torch.optim.Optimizer:
    """Return an optimizer over so many groups of the model's parameters, or only of those named, the same rate for all."""
    parameters = [p for name, p in model.named_parameters() if only is None or name in only]
    return Descent([{"params": parameters[start::groups]} for start in range(groups)], lr, momentum)


def set_rate(optimizer: torch.optim.Optimizer, lr: float) -> None:
    """Set the learning rate of all groups."""
    for group in optimizer.param_groups:
        group["lr"] = lr


def leave_gradients(model: nn.Module, value: float) -> None:
    """Leave a gradient in every parameter, as an earlier step may have done."""
    for parameter in model.parameters():
        parameter.grad = torch.full_like(parameter, value)


def gradients(model: nn.Module) -> dict[str, Tensor | None]:
    """Return what is in the gradient of every parameter."""
    return {name: parameter.grad for name, parameter in model.named_parameters()}


def only_once(batches: Iterable[Any]) -> Iterator[Any]:
    """Return what gives the batches one after the other, and only once."""
    return iter(list(batches))


class Chance:
    """A torch.Generator that stays where it was made, so that a test sees what is done to it.

    Args:
        seed: Its seed.
    """

    def __init__(self, seed: int) -> None:
        self._own = torch.Generator().manual_seed(seed)

    def __getattr__(self, name: str) -> Any:  # it has whatever a generator has
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._own, name)

    def tokens(self, vocab_size: int) -> Tensor:
        """Draw two sequences, [2, 4]."""
        return torch.randint(vocab_size, (2, 4), generator=self._own)


def descend(model: nn.Module, optimizer: torch.optim.Optimizer, generator: Chance, steps: int) -> list[float]:
    """Make steps with batches that the generator draws, and return their losses; the first weights are [V, ...]."""
    vocab_size, losses = len(next(model.parameters())), []
    for _ in range(steps):
        tokens = generator.tokens(vocab_size)
        logits, _ = model(tokens[:, :-1])
        loss = _mean_loss(logits, tokens[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def seed_torch(seed: int) -> None:
    """Seed torch's own generator, from which only dropout draws."""
    torch.default_generator.manual_seed(seed)


def next_random(when: str) -> Tensor:
    """Return what torch's own generator draws next; a call says when, for it is known by what it asks."""
    del when
    return torch.rand(3)


def _mean_loss(logits: Tensor, targets: Tensor) -> Tensor:
    kept = targets != -1
    log_probs = logits[kept].log_softmax(dim=-1)  # [N, V]
    return -log_probs.gather(-1, targets[kept][:, None]).mean()
