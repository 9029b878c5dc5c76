"""The numbers of a training run on the command line, and what they are where nothing is said."""

from __future__ import annotations

import argparse

# The fields of a `TrainConfig`, but for block_size, which is the model's --context.
RECIPE = (
    "steps", "batch_size", "max_lr", "min_lr", "warmup", "weight_decay", "betas", "eps", "max_norm", "log_every",
    "eval_batches", "accumulate",
)  # fmt: skip


def add_recipe(recipe: argparse._ArgumentGroup) -> None:
    """Add an option for each field of `RECIPE`."""
    recipe.add_argument("--steps", type=int, metavar="N", default=500, help="optimizer steps")
    recipe.add_argument("--batch-size", type=int, metavar="B", default=64, help="sequences in a micro-batch")
    recipe.add_argument("--accumulate", type=int, metavar="N", default=1, help="micro-batches in a step")
    recipe.add_argument("--max-lr", type=float, metavar="LR", default=1e-2, help="the learning rate after the warm-up")
    recipe.add_argument("--min-lr", type=float, metavar="LR", default=1e-3, help="the learning rate at the end")
    recipe.add_argument("--warmup", type=int, metavar="N", default=50, help="steps of the warm-up")
    recipe.add_argument("--weight-decay", type=float, metavar="W", default=0.1, help="of matrices")
    recipe.add_argument("--betas", type=float, nargs=2, metavar=("B1", "B2"), default=(0.9, 0.99), help="of AdamW")
    recipe.add_argument("--eps", type=float, default=1e-8, help="of AdamW")
    recipe.add_argument("--max-norm", type=float, metavar="NORM", default=1.0, help="of the gradients; inf never clips")
    recipe.add_argument(
        "--log-every", type=int, metavar="N", default=25, help="steps; the first five and the last are logged too"
    )
    recipe.add_argument("--eval-batches", type=int, metavar="N", default=4, help="batches of the validation part")
