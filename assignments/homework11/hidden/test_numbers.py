"""metrics.csv and loss.png: numbers that a run of this corpus can have."""

import hashlib
import itertools
import math
from pathlib import Path

import numpy as np

from grader.testing import assert_close, core, edge, exercise, read_png

COLUMNS = ["step", "loss", "val_loss", "perplexity", "learning_rate"]
CORPUS = (Path(__file__).parents[1] / "data" / "corpus.txt").read_text("utf-8")
VOCABULARY = sorted(set(CORPUS))
_SHARE = 0.9  # of the text trains, the rest validates
_STEPS, _SMALLER = 500, ("femto", "pico")  # of the graded recipe, and the presets that are less than its nano


def metrics(artifacts):
    return artifacts.table("run/metrics.csv", COLUMNS)


def unigram() -> float:
    """The validation loss of a model that knows how often each character comes, and nothing else."""
    ids = np.searchsorted(VOCABULARY, list(CORPUS))
    cut = int(_SHARE * len(ids))
    counts = np.bincount(ids[:cut], minlength=len(VOCABULARY)) + 1.0
    return float(-np.log(counts / counts.sum())[ids[cut:]].mean())


def ends_flat(steps, losses) -> bool:
    """Whether the last quarter of the steps took off less than a fiftieth of all that the loss fell."""
    before = [loss for step, loss in zip(steps[:-1], losses[:-1], strict=True) if step <= 0.75 * steps[-1]]
    return bool(before) and before[-1] - losses[-1] <= 0.02 * (losses[0] - losses[-1])


def brevity(run) -> str:
    """What to say first of a run that is less than the graded one: it may be right, and only not far enough."""
    steps, preset = run["training"]["steps"], run.get("preset")
    lacks = ["too short"] * (steps < _STEPS) + ["too small a model"] * (preset in _SMALLER)
    return f"{steps} of {_STEPS} steps, preset {preset}: {' and '.join(lacks)} to tell; " if lacks else ""


@core
@exercise("homework11.metrics")
def test_steps_are_counted_from_0_and_the_last_is_there(artifacts):
    steps, total = metrics(artifacts)["step"], artifacts.json("run/run.json")["training"]["steps"]
    assert steps[:1] != [1.0], "metrics.csv begins with step 1: steps are counted from 0"
    assert steps[:5] == [0, 1, 2, 3, 4], f"metrics.csv should begin with the steps 0 to 4, and begins with {steps[:5]}"
    assert all(a < b for a, b in itertools.pairwise(steps)), "the steps in metrics.csv do not ascend"
    assert steps[-1] == total - 1, (
        f"the last step in metrics.csv is {steps[-1]:.0f}, and run.json says {total} steps: the run was not ended"
    )


@core
@exercise("homework11.metrics")
def test_the_model_learned_more_than_how_often_each_character_comes(artifacts):
    found, floor = metrics(artifacts), math.log(math.e + len(VOCABULARY) - 1) - 1
    losses = found["val_loss"]
    last, flat = min(losses), ends_flat(found["step"], losses)
    assert last > 0.5, (
        f"a validation loss of {last:.3f} is lower than this text allows: were the targets in the inputs, not shifted by one?"
    )
    assert not (flat and floor - 0.01 < last and losses[-1] < losses[0] - 0.1), (
        f"the validation loss falls and then stays at {losses[-1]:.3f}, above {floor:.3f} = ln(e + V - 1) - 1: the least that a softmax of a softmax can reach"
    )
    doubt = brevity(artifacts.json("run/run.json"))
    assert losses[-1] < losses[0], f"{'' if flat else doubt}the validation loss did not fall"
    assert losses[-1] < unigram(), (
        f"{doubt}the validation loss ends at {losses[-1]:.3f}: counting characters, without any context, gives {unigram():.3f}"
    )


@core
@exercise("homework11.metrics")
def test_the_run_is_over_the_course_s_corpus(artifacts):
    corpus = artifacts.json("run/run.json")["corpus"]
    assert corpus["sha256"] == hashlib.sha256(CORPUS.encode()).hexdigest(), (
        f"this run read another text, of {corpus['characters']} characters, than the course's corpus.txt: train with --corpus ../assignments/homework11/data/corpus.txt"
    )


@edge
@exercise("homework11.metrics")
def test_the_first_loss_is_that_of_a_guess(artifacts):
    first, guess = metrics(artifacts)["loss"][0], math.log(len(VOCABULARY))
    assert abs(first - guess) < 0.5, (
        f"the first loss is {first:.3f}: weights that know nothing yet give ln V = {guess:.3f}"
    )


@edge
@exercise("homework11.metrics")
def test_learning_rates_follow_the_schedule_of_run_json(artifacts, reference):
    found, given = metrics(artifacts), artifacts.json("run/run.json")["training"]
    numbers = {name: given[name] for name in ("max_lr", "min_lr", "warmup")} | {"total": given["steps"]}
    expected = [reference.learning_rate(int(step), **numbers) for step in found["step"]]
    assert len(set(found["learning_rate"])) > 1 or len(set(expected)) == 1, (
        "the learning rate never changes: it was not set from the schedule"
    )
    assert_close(
        np.array(found["learning_rate"]), np.array(expected), rtol=1e-6, atol=0.0, what="learning_rate in metrics.csv"
    )


@core
@exercise("homework11.perplexity")
def test_perplexity_is_exp_of_the_validation_loss_in_every_row(artifacts):
    found = metrics(artifacts)
    others = {
        "2 to the power of the validation loss: the loss is in nats, so the base is e": [
            2**x for x in found["val_loss"]
        ],
        "exp of the training loss: it should be that of the validation loss": [math.exp(x) for x in found["loss"]],
        "the validation loss itself": found["val_loss"],
        "exp of the mean of all validation losses so far: each row has its own": [
            math.exp(mean) for mean in np.cumsum(found["val_loss"]) / np.arange(1, len(found["val_loss"]) + 1)
        ],
    }
    if not _same(found["perplexity"], [math.exp(min(x, 700)) for x in found["val_loss"]]):
        for name, other in others.items():
            assert not _same(found["perplexity"], other), f"the perplexity in metrics.csv is {name}"
        raise AssertionError("the perplexity in metrics.csv is not exp(val_loss)")


def _same(a, b) -> bool:
    return bool(np.allclose(a, b, rtol=1e-6, atol=0.0))


@core
@exercise("homework11.plot")
def test_the_curves_are_a_picture_that_shows_something(artifacts):
    picture = read_png(artifacts["run/loss.png"], "run/loss.png")
    size = f"run/loss.png has {picture.width} x {picture.height} pixels"
    assert min(picture.width, picture.height) >= 200, f"{size}: too small to read"
    assert max(picture.width, picture.height) <= 10_000, f"{size}: too large to look at"
    assert picture.rows > 20, "run/loss.png is blank"
