"""The run against the code: its first steps made again, and its checkpoint asked on the validation part."""

import hashlib
from pathlib import Path

import numpy as np
import torch

from grader.testing import as_tensor, core, edge, exercise

_HOME = Path(__file__).parents[1]
CORPUS = (_HOME / "data" / "corpus.txt").read_text("utf-8")
VOCABULARY = sorted(set(CORPUS))
MOST = {
    "n_layer": 12,
    "d_model": 384,
    "block_size": 256,
    "batch_size": 128,
    "accumulate": 4,
    "eval_batches": 16,
    "vocab_size": 512,
}
_CLOSE = 1e-3
_SAME = 1e-5  # what float32 leaves between two machines; other weights come nearer than _CLOSE, for all begin at ln V
PARTS = "Whether each part is right: `grader check layers`, `grader check gpt2`, `grader check training`"
# Of the first loss, which is told before any update, and of what comes after it.
BEGUN = (
    "the first loss, before any update, is another already: the weights that the run began with (run.json's seed, the initialisation), "
    "the batches or the loss function are not those that it had. Were they, or run.json, changed after it?"
)
UPDATED = (
    "it began as the run did, and the update (gradients, clipping, AdamW, learning rate) or the evaluation is another. "
    "Was it, or run.json, changed after the run?"
)
COLUMNS = ["step", "loss", "val_loss", "perplexity", "learning_rate"]


def tokens(text):
    return torch.from_numpy(np.searchsorted(VOCABULARY, list(text)))


def split():
    ids = tokens(CORPUS)
    cut = int(0.9 * len(ids))
    return ids[:cut], ids[cut:]


def record(artifacts):
    found = artifacts.json("run/run.json")
    assert found["corpus"]["sha256"] == hashlib.sha256(CORPUS.encode()).hexdigest(), (
        "this run read another text than the course's corpus.txt: train with --corpus ../assignments/homework11/data/corpus.txt"
    )
    numbers = found["model"] | found["training"]
    for name, most in MOST.items():
        assert 1 <= numbers[name] <= most, (
            f"run.json says {name} = {numbers[name]}: at most {most} can be run again here"
        )
    assert numbers["vocab_size"] == len(VOCABULARY), (
        f"run.json says {numbers['vocab_size']} tokens, and the corpus has {len(VOCABULARY)} characters: train with --tokenizer char"
    )
    return found


def checkpoint(artifacts):
    return np.frombuffer(artifacts["run/checkpoint.pt"], dtype=np.uint8)


def nll(logits, targets) -> float:
    told = logits.double().log_softmax(dim=-1).gather(-1, targets[..., None])
    return -float(told.mean())


@core
@exercise("homework11.rerun")
def test_the_first_five_steps_are_those_of_metrics_csv(artifacts, submission):
    run = record(artifacts)
    assert run["model"]["dropout"] == 0, "the graded run has dropout 0: with dropout no two machines drop the same"
    found = artifacts.table("run/metrics.csv", COLUMNS)
    rows = submission.first_rows(run, *split(), 5)
    began_elsewhere = abs(found["loss"][0] - rows[0][0]) > _SAME
    for step, again in enumerate(rows):
        told = [found[column][step] for column in ("loss", "val_loss")]
        why = BEGUN if began_elsewhere else UPDATED
        assert max(abs(a - b) for a, b in zip(told, again, strict=True)) < _CLOSE, (
            f"step {step} has losses {again[0]:.4f} and {again[1]:.4f} when your code makes it again, "
            f"and in metrics.csv {told[0]:.4f} and {told[1]:.4f}: {why} {PARTS}"
        )


@core
@exercise("homework11.checkpoint")
def test_the_model_has_the_validation_loss_that_metrics_csv_ends_with(artifacts, submission):
    run, (_, val_data) = record(artifacts), split()
    losses, steps = [], run["training"]["steps"]
    windows = val_data.unfold(0, run["training"]["block_size"] + 1, 1)
    for x, y in submission.validation(run, val_data):
        _require_windows(x, y, windows)
        logits, made = submission.logits(checkpoint(artifacts), run, x)
        assert made == steps, f"the checkpoint was made after {made} steps, and the run has {steps}"
        losses.append(nll(as_tensor(logits, shape=(*x.shape, len(VOCABULARY))), y))
    mean, told = float(np.mean(losses)), artifacts.table("run/metrics.csv", COLUMNS)["val_loss"][-1]
    assert abs(mean - told) < _CLOSE, (
        f"the model of checkpoint.pt has a validation loss of {mean:.4f}, and metrics.csv ends with {told:.4f}: "
        f"your own loss or `evaluate` gives another number than the true loss, which is taken here, or the code, run.json or the checkpoint was changed after the run. {PARTS}"
    )


def _require_windows(x, y, windows):
    """What the code calls validation batches are pieces of the validation part, and their targets what follows."""
    whole = torch.cat([x, y[:, -1:]], dim=1)
    assert torch.equal(x[:, 1:], y[:, :-1]), "get_batch returns targets that are not the input shifted by one"
    assert all((windows == row).all(dim=1).any() for row in whole[:4]), (
        "get_batch returns what does not stand in the data"
    )


@edge
@exercise("homework11.checkpoint")
def test_what_comes_later_changes_nothing_before_it(artifacts, submission):
    run = record(artifacts)
    T = run["model"]["block_size"]
    ids = tokens(CORPUS)[:T][None]
    other = ids.clone()
    other[:, T // 2 :] = tokens(CORPUS)[T : T + T - T // 2]
    before, after = (submission.logits(checkpoint(artifacts), run, idx)[0][:, : T // 2] for idx in (ids, other))
    assert torch.allclose(before, after, atol=1e-4), (
        f"a later token changes what the model says of an earlier one: it sees the future, through the mask or through heads that are mixed. {PARTS}"
    )
