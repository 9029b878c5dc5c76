"""Batches and runs of the submission that share a generator, which they move where it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import torch
from torch import Tensor


class Watching(Protocol):
    """A model that remembers the sequences that it was shown."""

    def shown(self, training: bool) -> list[list[int]]:  # noqa: FBT001  # as the models of the tests have it
        """Return those of one of the two modes."""


def drawn_in_turn(data: Tensor, batch_size: int, block_size: int, seed: int) -> list[Tensor]:
    """Return the tokens of two batches that the submission's `get_batch` draws one after the other.

    Args:
        data: Token ids, int [N].
        batch_size: Of each batch.
        block_size: Likewise.
        seed: Of the one generator that both are drawn from.
    """
    import training  # noqa: PLC0415  (it may import this module)

    shared = torch.Generator().manual_seed(seed)
    return [training.get_batch(data, batch_size, block_size, shared)[0] for _ in range(2)]


def trained_in_turn(
    models: Sequence[Watching], train_data: Tensor, val_data: Tensor, config: object, seed: int
) -> list[list[list[int]]]:
    """Train one model after the other with the submission's `train`, and return the sequences that each was trained on.

    Args:
        models: Models that remember what they are shown.
        train_data: Token ids, int [N].
        val_data: Token ids, int [M].
        config: The numbers of each run.
        seed: Of the one generator that all runs are given.
    """
    import training  # noqa: PLC0415  (it may import this module)

    shared = torch.Generator().manual_seed(seed)
    for model in models:
        training.train(model, train_data, val_data, config, shared)
    return [model.shown(training=True) for model in models]
