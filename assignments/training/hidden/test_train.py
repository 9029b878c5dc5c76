"""training.train: what is trained on and what is measured, when, with which rate; and what chance may and may not change.

Data of block_size + 1 tokens hold one sequence only: whatever the generator draws, a run is then known to the last digit.
Where sequences are drawn, no token comes twice in the data: each sequence then says where it was cut out.
"""

import math

import pytest
import torch

from grader.testing import assert_close, assert_equal, assert_record, assert_rejects, core, edge, exercise

pytestmark = exercise("training.train")

V, T = 5, 4
FIELDS = ("step", "loss", "val_loss", "perplexity", "learning_rate")
SMALL = {"steps": 3, "batch_size": 2, "block_size": T, "log_every": 2}
# AdamW divides by the size of a gradient: what is left of rounding is larger than elsewhere.
WIDE = {"rtol": 1e-5, "atol": 1e-6}
N_TRAIN, N_VAL = 31, 22


def normal(rng, *shape):
    return torch.from_numpy(rng.normal(size=shape))


def tokens(rng, n):
    return torch.from_numpy(rng.integers(V, size=n))


def weights_of_a_table(rng):
    """Draw the logits after each token, and a bias."""
    return normal(rng, V, V), normal(rng, V)


def seeded(rng):
    return torch.Generator().manual_seed(int(rng.integers(2**31)))


def without_twins(rng):
    """Draw data for training and validation, in which no token comes twice, and the logits of a table for them."""
    order = torch.from_numpy(rng.permutation(N_TRAIN + N_VAL))
    return order[:N_TRAIN], order[N_TRAIN:], normal(rng, len(order), len(order))


def logged(history, steps):
    """Return a history, when it has a number for each of these steps in each of its lists."""
    assert_record(history, "History", what="what train returns")
    assert_equal(getattr(history, "step", None), steps, what="the steps that are logged")
    for name in FIELDS[1:]:
        values = getattr(history, name, None)
        right = isinstance(values, list) and all(type(each) in {int, float} for each in values)
        assert right, f"history.{name} is a list of numbers"
        assert len(values) == len(steps), f"history.{name} has {len(values)} entries for {len(steps)} logged steps"
    return history


def places(rows, data, what):
    """Return where in the data each sequence begins, which holds no token twice."""
    starts = []
    for row in rows:
        assert len(row) == T, f"{what}: a sequence has {len(row)} tokens, and block_size is {T}"
        [found] = (data == row[0]).nonzero().flatten().tolist() or [-1]
        whole = found >= 0 and data[found : found + T].tolist() == list(row)
        assert whole, f"{what}: a sequence was not cut out of these data"
        starts.append(found)
    return starts


def require_same_run(submission, reference, rng, **changes):
    """Train there and here on one sequence, and compare the history and the weights."""
    weights, train, val = weights_of_a_table(rng), tokens(rng, T + 1), tokens(rng, T + 1)
    theirs, ours = submission.Table(*weights), reference.Table(*weights)
    config = submission.TrainConfig(**(SMALL | changes))
    got = submission.train(theirs, train, val, config, seeded(rng))
    expected = reference.train(ours, train, val, config, seeded(rng))
    require_same_history(got, expected)
    after = theirs.state_dict()
    for name, weight in ours.state_dict().items():
        assert_close(after[name], weight, what=f"{name} after the run", **WIDE)


def require_same_history(got, expected):
    logged(got, expected.step)
    for name in FIELDS[1:]:
        for step, mine, right in zip(expected.step, getattr(got, name), getattr(expected, name), strict=True):
            assert_close(mine, right, what=f"history.{name} of step {step}", **WIDE)


def trained(submission, model, train, val, generator, *, torchs=0, **changes):
    """Train, and return the history and the generator as it is afterwards."""
    submission.seed_torch(torchs)  # who draws from torch's own generator shall draw the same again
    function, config = submission.train, submission.TrainConfig(**(SMALL | changes))
    history = function(model, train, val, config, generator)
    return history, function.arguments_after[0][4]


@core
def test_a_run_is_known_to_the_last_digit(submission, reference, rng):
    """Without decay: whether it comes before a step or after it is a matter of style."""
    how = {"steps": 4, "log_every": 2, "warmup": 2, "max_lr": 0.03, "min_lr": 0.01, "weight_decay": 0.0}
    require_same_run(submission, reference, rng, **how)


@core
def test_a_language_of_one_circle_is_learned(submission, rng):
    """Each token is followed by another one, always the same: whoever has learned it has no doubt left."""
    order = torch.from_numpy(rng.permutation(V))
    circle = order.repeat(5)
    model = submission.Table(torch.zeros(V, V, dtype=torch.float64))
    how = {"steps": 6, "batch_size": 4, "max_lr": 1.0, "min_lr": 1.0, "log_every": 5, "weight_decay": 0.0}
    history, _ = trained(submission, model, circle, circle[2:], seeded(rng), **how)
    logged(history, [0, 5])
    assert_close(history.loss[0], math.log(V), what="the first loss, of a model that knows nothing, in nats per token")
    assert history.val_loss[-1] < 0.05, (
        f"after 6 steps the validation loss is {history.val_loss[-1]:.3f}: nothing was learned"
    )
    before, after = order, order.roll(-1)
    assert_equal(model(before[None])[0].argmax(dim=-1), after[None], what="the likeliest token after each")


@core
def test_each_step_draws_its_own_micro_batches_from_the_training_data(submission, rng):
    train, val, logits = without_twins(rng)
    model = submission.Table(logits)
    trained(submission, model, train, val, seeded(rng), steps=4, batch_size=3, accumulate=2, log_every=9)
    rows = model.shown(training=True)
    assert len(rows) == 4 * 2 * 3, f"4 steps of 2 micro-batches of 3 sequences are 24, and the model saw {len(rows)}"
    starts = places(rows, train, "training")
    drawn = {tuple(starts[i : i + 3]) for i in range(0, 24, 3)}
    assert len(drawn) >= 6, f"8 micro-batches were drawn, and only {len(drawn)} of them are different"


@core
def test_the_validation_batches_are_the_same_whenever_they_are_used(submission, rng):
    train, val, logits = without_twins(rng)
    model = submission.Table(logits)
    history, _ = trained(submission, model, train, val, seeded(rng), log_every=1, eval_batches=3)
    rows = model.shown(training=False)
    assert len(rows) == 3 * 3 * 2, (
        f"3 batches of 2 sequences, 3 times, are 18, and the model was evaluated on {len(rows)}"
    )
    starts = places(rows, val, "validation")
    first = starts[:6]
    assert len({tuple(first[i : i + 2]) for i in (0, 2, 4)}) > 1, "the validation batches are all the same batch"
    assert all(starts[i : i + 6] == first for i in range(0, 18, 6)), "each evaluation has other sequences"
    logged(history, [0, 1, 2])
    log_probs = model.state_dict()["logits"].log_softmax(dim=-1)
    nll = [-log_probs[val[start : start + T], val[start + 1 : start + T + 1]].mean().item() for start in first]
    assert_close(history.val_loss[-1], sum(nll) / 6, what="the last validation loss, by the weights after the run")
    for step, loss, perplexity in zip(history.step, history.val_loss, history.perplexity, strict=True):
        what = f"the perplexity of step {step}, whose validation loss is {loss:.3f}"
        assert_close(perplexity, math.exp(loss), what=what)


@edge
def test_each_number_of_the_config_counts(submission, reference, rng):
    """With a large eps AdamW no longer makes all gradients equally large, so that it matters whether they are clipped.

    Where nothing is remembered of the squares, it does not matter whether eps is added before or after their correction.
    """
    how = {"betas": (0.6, 0.0), "eps": 0.1, "weight_decay": 5.0, "max_norm": 0.05, "max_lr": 0.05, "log_every": 3}
    require_same_run(submission, reference, rng, **how)


@edge
def test_what_is_measured_and_how_often_changes_nothing_in_the_training(submission, rng):
    (train, val, logits), seed = without_twins(rng), int(rng.integers(2**31))
    weights = []
    for log_every, eval_batches in ((1, 4), (4, 1)):
        model, generator = submission.Table(logits), torch.Generator().manual_seed(seed)
        trained(submission, model, train, val, generator, log_every=log_every, eval_batches=eval_batches, max_lr=0.1)
        weights.append(model.state_dict()["logits"])
    assert_equal(weights[0], weights[1], what="the weights after the same training, evaluated less often")


@edge
def test_chance_comes_from_the_generator_alone(submission, rng):
    (train, val, logits), seed = without_twins(rng), int(rng.integers(2**30))
    seen = []
    for own, torchs in ((seed, 0), (seed, 1), (seed + 1, 0)):
        model = submission.Table(logits)
        trained(submission, model, train, val, torch.Generator().manual_seed(own), torchs=torchs, steps=2)
        seen.append(model.shown(training=True))
    assert seen[0] == seen[1], "the same generator gave other batches: chance came from somewhere else"
    assert seen[0] != seen[2], "another generator gave the same batches: it is not used"


@edge
def test_the_generator_goes_on(submission, rng):
    train, val, logits = without_twins(rng)
    models, config = [submission.Table(logits) for _ in range(2)], submission.TrainConfig(**SMALL)
    submission.seed_torch(0)  # as in `trained`
    first, second = submission.trained_in_turn(models, train, val, config, int(rng.integers(2**31)))
    assert first != second, (
        "a second run with the same generator had the batches of the first: the generator stood still"
    )


@edge
def test_dropout_is_on_in_training_and_off_in_validation(submission, reference, rng):
    """The dropout of this model takes all logits away: in training mode it learns nothing, and its loss is ln V."""
    logits, train, val = normal(rng, V, V), tokens(rng, T + 1), tokens(rng, T + 1)
    model = submission.Table(logits, dropout=1.0)
    model.eval()
    history, _ = trained(submission, model, train, val, seeded(rng), weight_decay=0.0)
    expected = reference.evaluate(reference.Table(logits), [(val[None, :-1], val[None, 1:])])
    logged(history, [0, 2])
    for step, loss, val_loss in zip(history.step, history.loss, history.val_loss, strict=True):
        assert_close(loss, math.log(V), what=f"the training loss of step {step}, with dropout")
        assert_close(val_loss, expected, what=f"the validation loss of step {step}, without dropout")
    assert bool((model(train[None])[0] == 0).all()), "after the run the model is not in training mode"


@edge
@pytest.mark.parametrize("short", ["training", "validation"])
def test_data_without_a_whole_sequence_are_refused(submission, rng, short):
    train, val, logits = without_twins(rng)
    config = submission.TrainConfig(**SMALL)
    data = (train[:T], val) if short == "training" else (train, val[:T])
    errors = ("ValueError", "RuntimeError")
    assert_rejects(submission.train, submission.Table(logits), *data, config, seeded(rng), error=errors)
