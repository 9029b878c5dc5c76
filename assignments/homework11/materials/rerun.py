"""Your run, made again for a few steps, and your trained model, asked what it thinks comes next: with your own modules."""

from __future__ import annotations

import io
import math
from typing import Any

import numpy as np
import torch
from torch import Tensor

import training
from gpt2 import GPT
from layers import GPTConfig

Fields = dict[str, Any]


def first_rows(record: Fields, train_data: Tensor, val_data: Tensor, n: int) -> list[list[float]]:
    """Make the first n steps of a run, as `homework11.py train` makes them.

    Args:
        record: What run.json holds: `model`, `training` and `seed` are used.
        train_data: Token ids, int [N].
        val_data: Token ids, int [M].
        n: The number of steps.

    Returns:
        For each step its training loss before the update, and the validation loss after it.
    """
    config = _config(record)
    model, generator = _model(record), torch.Generator().manual_seed(record["seed"])
    val_batches = validation(record, val_data)
    groups = training.parameter_groups(model, config.weight_decay)
    optimizer = training.AdamW(groups, config.max_lr, config.betas, config.eps, config.weight_decay)
    rows = []
    model.train()
    for step in range(n):
        rate = training.learning_rate(
            step, max_lr=config.max_lr, min_lr=config.min_lr, warmup=config.warmup, total=config.steps
        )
        for group in optimizer.param_groups:
            group["lr"] = rate
        batches = [_batch(train_data, config, generator) for _ in range(config.accumulate)]
        loss = training.train_step(model, batches, optimizer, config.max_norm)
        rows.append([float(loss), float(training.evaluate(model, val_batches))])
    return rows


def validation(record: Fields, val_data: Tensor) -> list[list[Tensor]]:
    """Return the validation batches of a run: pairs of token ids and targets, int [B, T] each."""
    config, generator = _config(record), torch.Generator().manual_seed(record["seed"])
    return [list(_batch(val_data, config, generator)) for _ in range(config.eval_batches)]


def logits(checkpoint: np.ndarray[Any, Any], record: Fields, idx: Tensor) -> list[Any]:
    """Return what a trained model thinks comes next.

    Args:
        checkpoint: The bytes of checkpoint.pt, uint8.
        record: What run.json holds: `model` and `seed` are used.
        idx: Token ids, int [B, T].

    Returns:
        The logits [B, T, V], and the number of steps that the checkpoint says were made.
    """
    state = torch.load(io.BytesIO(checkpoint.tobytes()), map_location="cpu", weights_only=True)
    model = _model(record)
    model.load_state_dict(state["model"])
    model.eval()
    with torch.no_grad():
        return [model(idx)[0], int(state["step"])]


def _config(record: Fields) -> Any:
    fields = {name: math.inf if value == "inf" else value for name, value in record["training"].items()}
    return training.TrainConfig(**fields | {"betas": tuple(fields["betas"])})


def _model(record: Fields) -> Any:
    torch.manual_seed(record["seed"])
    return GPT(GPTConfig(**record["model"]))


def _batch(data: Tensor, config: Any, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    return training.get_batch(data, config.batch_size, config.block_size, generator)
