"""Runs that are not of this code, and checkpoints that are not of this run."""

from __future__ import annotations

import io
import itertools

import torch

from grader.testing import wrong_run
from misconceptions.shared import CHECKPOINT, RECORD, each_row, with_json, with_rows, with_state


def _record(files, part, **change):
    return with_json(files, RECORD, lambda run: run | {part: run[part] | change})


@wrong_run("homework11.rerun/another-seed", says="the first loss, before any update, is another already")
def another_seed(files):
    return with_json(files, RECORD, lambda run: run | {"seed": run["seed"] + 1})


@wrong_run("homework11.rerun/another-rate", says="it began as the run did")
def another_rate(files):
    return _record(files, "training", max_lr=0.005)


@wrong_run("homework11.rerun/with-dropout", says="the graded run has dropout 0")
def with_dropout(files):
    return _record(files, "model", dropout=0.1)


@wrong_run("homework11.rerun/another-tokenizer", says="train with --tokenizer char")
def another_tokenizer(files):
    return _record(files, "model", vocab_size=300)


@wrong_run("homework11.rerun/another-corpus", says="this run read another text")
def another_corpus(files):
    return _record(files, "corpus", sha256="0" * 64)


@wrong_run("homework11.rerun/too-large-to-repeat", says="can be run again here")
def too_large_to_repeat(files):
    return _record(files, "model", n_layer=48)


@wrong_run("homework11.rerun/smoothed", says="it began as the run did")
def smoothed(files):
    def mean(rows):
        return [
            rows[0],
            *(row | {"loss": (row["loss"] + before["loss"]) / 2} for before, row in itertools.pairwise(rows)),
        ]

    return with_rows(files, mean)


@wrong_run("homework11.rerun/loss-after-the-update", says="the first loss, before any update, is another already")
def loss_after_the_update(files):
    return with_rows(
        files, lambda rows: [a | {"loss": b["loss"]} for a, b in zip(rows, [*rows[1:], rows[-1]], strict=True)]
    )


@wrong_run("homework11.checkpoint/of-an-earlier-step", says="the checkpoint was made after 100 steps")
def of_an_earlier_step(files):
    return with_state(files, lambda state: state | {"step": 100})


@wrong_run("homework11.checkpoint/other-weights", says="your own loss or `evaluate` gives another number")
def other_weights(files):
    return with_state(files, lambda state: state | {"model": {k: 0.9 * v for k, v in state["model"].items()}})


@wrong_run("homework11.checkpoint/without-a-step", says="KeyError")
def without_a_step(files):
    return with_state(files, lambda state: {k: v for k, v in state.items() if k != "step"})


@wrong_run("homework11.checkpoint/of-another-size", says="RuntimeError")
def of_another_size(files):
    return _record(files, "model", d_model=12)


@wrong_run("homework11.checkpoint/the-whole-model", says="UnpicklingError")
def the_whole_model(files):
    stream = io.BytesIO()
    torch.save({"model": torch.nn.Linear(2, 2), "step": 400}, stream)
    return files | {CHECKPOINT: stream.getvalue()}


@wrong_run("homework11.checkpoint/cut-short", says="RuntimeError")
def cut_short(files):
    return files | {CHECKPOINT: files[CHECKPOINT][:1000]}


@wrong_run("homework11.checkpoint/better-than-it-is", says="and metrics.csv ends with")
def better_than_it_is(files):
    return each_row(files, val_loss=lambda row: row["val_loss"] - 0.2)
