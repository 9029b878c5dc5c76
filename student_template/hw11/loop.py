"""The training loop: `train` of training.py, step by step, so that it can be watched, stopped and resumed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from hw11.metrics import Row
from hw11.modules import Code
from hw11.team import Alone, Batch, Team

# The first steps are logged whatever `log_every` says: that is where a loss begins at ln V, and falls.
FIRST = 5


class Step(NamedTuple):
    """A step that was made: its number, its loss before the update, its row where it is logged; whether someone wants to stop."""

    number: int
    loss: float
    row: Row | None
    stop: bool


@dataclass
class Run:
    """What a run is made of.

    Args:
        code: The modules that it runs with.
        model: The model.
        config: A `TrainConfig`.
        train_data: Token ids, int [N].
        val_data: Token ids, int [M].
        seed: Where batches come from.
        team: The processes.
    """

    code: Code
    model: nn.Module
    config: Any
    train_data: Tensor
    val_data: Tensor
    seed: int
    team: Team

    def __post_init__(self) -> None:
        """Make what moves: the optimizer and the generator; and draw the validation batches from the generator's copy."""
        c, training = self.config, self.code.training
        self.generator = torch.Generator().manual_seed(self.seed)
        self.val_batches = self._batches(self.val_data, c.eval_batches, torch.Generator().manual_seed(self.seed))
        groups = training.parameter_groups(self.model, c.weight_decay)
        self.optimizer = training.AdamW(groups, c.max_lr, c.betas, c.eps, c.weight_decay)
        self.wrapped = self.team.wrap(self.model)

    @property
    def tokens_per_step(self) -> int:
        """The number of tokens that a step learns from, of all processes together."""
        return int(self.config.batch_size * self.config.block_size * self.config.accumulate)

    def steps(self, start: int = 0, wants_to_stop: Callable[[], bool] = lambda: False) -> Iterator[Step]:
        """Make the steps from `start` on.

        Args:
            start: The number of steps that are made already.
            wants_to_stop: Asked once a step; its answer is in the step of every process.
        """
        c, training = self.config, self.code.training
        self.wrapped.train()
        for number in range(start, c.steps):
            lr = training.learning_rate(number, max_lr=c.max_lr, min_lr=c.min_lr, warmup=c.warmup, total=c.steps)
            for group in self.optimizer.param_groups:
                group["lr"] = lr
            self.team.begin(number)
            batches = map(self.team.share, self._batches(self.train_data, c.accumulate, self.generator))
            loss = float(training.train_step(self.wrapped, list(batches), self.optimizer, c.max_norm))
            loss, stops = self.team.agree(loss, stop=wants_to_stop())
            yield Step(number, loss, self._row(number, loss, lr), stops)

    def _row(self, number: int, loss: float, lr: float) -> Row | None:
        if not (number < FIRST or number % self.config.log_every == 0 or number == self.config.steps - 1):
            return None
        val_loss = float(self.code.training.evaluate(self.model, self.val_batches))
        return Row(number, loss, val_loss, self.code.training.perplexity(val_loss, n_tokens=1), lr)

    def _batches(self, data: Tensor, n: int, generator: torch.Generator) -> list[Batch]:
        c = self.config
        return [self.code.training.get_batch(data, c.batch_size, c.block_size, generator) for _ in range(n)]


def alone(code: Code, model: nn.Module, config: Any, data: tuple[Tensor, Tensor], seed: int = 0) -> Run:  # noqa: ANN401
    """Return a run of this process alone, over training and validation data."""
    return Run(code, model, config, *data, seed=seed, team=Alone())
