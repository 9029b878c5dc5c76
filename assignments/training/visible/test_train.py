"""A run on a circle of 5 tokens, 0 1 2 3 4 0 1 ..., each of which is followed by one other, always the same."""

import math

import torch

from grader.testing import assert_close, assert_equal, assert_record, assert_rejects, core, edge, exercise

pytestmark = exercise("training.train")

V, T = 5, 3
FIELDS = ("step", "loss", "val_loss", "perplexity", "learning_rate")
CIRCLE = torch.arange(5).repeat(6)
SMALL = {"steps": 3, "batch_size": 2, "block_size": T, "log_every": 2}


def zeros():
    return torch.zeros(V, V, dtype=torch.float64)


def numbered(n):
    """Return data of n tokens, none of them twice, and the logits of a table for them."""
    return torch.arange(n), torch.zeros(n, n, dtype=torch.float64)


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


def trained(submission, model, train, val, *, seed=0, torchs=0, **changes):
    submission.seed_torch(torchs)  # who draws from torch's own generator shall draw the same again
    config = submission.TrainConfig(**(SMALL | changes))
    return submission.train(model, train, val, config, torch.Generator().manual_seed(seed))


@core
def test_steps_and_rates_are_logged(submission):
    """A warm-up of 2 steps to 0.4, then half a cosine to 0: at the steps 0, 2, 4 and the last one, 5."""
    how = {"steps": 6, "warmup": 2, "max_lr": 0.4, "min_lr": 0.0}
    history = trained(submission, submission.Table(zeros()), CIRCLE, CIRCLE, **how)
    logged(history, [0, 2, 4, 5])
    rates = [0.2, 0.4, 0.2, 0.2 * (1 + math.cos(0.75 * math.pi))]
    for step, got, expected in zip(history.step, history.learning_rate, rates, strict=True):
        assert_close(got, expected, what=f"the rate of step {step}")


@core
def test_the_rates_are_those_of_the_steps(submission):
    """While gradients are the same, AdamW moves each entry by the rate: this table forgets nothing and decays not at all."""
    how = {"steps": 2, "warmup": 4, "max_lr": 4e-6, "betas": (0.0, 0.0), "weight_decay": 0.0, "max_norm": math.inf}
    model = submission.Table(zeros())
    trained(submission, model, torch.tensor([0, 1, 2, 3]), CIRCLE, **how)
    moved = 3e-6 * torch.tensor([-1.0, 1, -1, -1, -1], dtype=torch.float64)
    assert_close(
        model.state_dict()["logits"][0], moved, what="the logits after 0, after steps of 1e-6 and 2e-6", rtol=1e-4
    )


@core
def test_the_circle_is_learned(submission):
    how = {"steps": 6, "max_lr": 1.0, "min_lr": 1.0, "batch_size": 4, "weight_decay": 0.0, "log_every": 3}
    history = trained(submission, submission.Table(zeros()), CIRCLE, CIRCLE, **how)
    logged(history, [0, 3, 5])
    assert_close(history.loss[0], math.log(5), what="the first loss, before the update")
    assert history.val_loss[0] < math.log(5) - 0.1, "the first validation loss is measured after the update"
    assert history.val_loss[-1] < 0.05, f"after 6 steps the validation loss is {history.val_loss[-1]:.3f}"
    for step, loss, perplexity in zip(history.step, history.val_loss, history.perplexity, strict=True):
        what = f"the perplexity of step {step}, whose validation loss is {loss:.3f}"
        assert_close(perplexity, math.exp(loss), what=what)


@core
def test_each_step_has_batches_of_its_own_and_validation_always_the_same(submission):
    data, logits = numbered(40)
    model = submission.Table(logits)
    trained(submission, model, data[:25], data[25:], steps=5, log_every=2, accumulate=2, eval_batches=3)
    seen, measured = model.shown(training=True), model.shown(training=False)
    assert len(seen) == 5 * 2 * 2, f"5 steps of 2 micro-batches of 2 sequences are 20, and the model saw {len(seen)}"
    assert max(map(max, seen)) < 25, "the model was trained on the validation data"
    assert len({tuple(map(tuple, seen[i : i + 2])) for i in range(0, 20, 2)}) > 6, (
        "the same batches come again and again"
    )
    assert len(measured) == 3 * 3 * 2, f"3 times 3 batches of 2 sequences are 18, and the model saw {len(measured)}"
    assert min(map(min, measured)) >= 25, "the loss of the training data is not the validation loss"
    assert all(measured[i : i + 6] == measured[:6] for i in range(0, 18, 6)), "each evaluation has other sequences"


@edge
def test_each_number_of_the_config_counts(submission):
    """Data of one sequence: whatever is drawn, the run is known. A large eps keeps gradients of unlike sizes apart."""
    how = {"betas": (0.5, 0.0), "eps": 0.1, "weight_decay": 3.0, "max_norm": 0.2, "max_lr": 0.1, "min_lr": 0.02}
    model = submission.Table(torch.tensor([[0.0, 1.0], [2.0, 0.0]]).double(), torch.tensor([0.5, -0.5]).double())
    data = torch.tensor([0, 1, 1, 0])
    trained(submission, model, data, data, **how)
    logits = torch.tensor([[-0.0532445, 0.5214045], [0.8623736, 0.0739464]], dtype=torch.float64)
    bias = torch.tensor([0.3827589, -0.3827589], dtype=torch.float64)
    after = model.state_dict()
    assert_close(after["logits"], logits, what="the logits after 3 steps", rtol=1e-4)
    assert_close(after["bias"], bias, what="the bias, which does not decay, after 3 steps", rtol=1e-4)


@edge
def test_what_is_measured_changes_nothing_in_the_training(submission):
    data, logits = numbered(40)
    weights = []
    for log_every, eval_batches in ((1, 4), (4, 1)):
        model = submission.Table(logits)
        trained(submission, model, data[:25], data[25:], log_every=log_every, eval_batches=eval_batches)
        weights.append(model.state_dict()["logits"])
    assert_equal(weights[0], weights[1], what="the weights after the same training, evaluated less often")


@edge
def test_chance_comes_from_the_generator_alone(submission):
    data, logits = numbered(40)
    seen = []
    for own, torchs in ((1, 0), (1, 1), (2, 0)):
        model = submission.Table(logits)
        # A kit knows a call by its numbers, and a generator is none: the rate tells the runs apart.
        how = {"seed": own, "torchs": torchs, "steps": 2, "max_lr": 1e-3 * (2 * own + torchs)}
        trained(submission, model, data[:25], data[25:], **how)
        seen.append(model.shown(training=True))
    assert seen[0] == seen[1], "the same generator gave other batches: chance came from somewhere else"
    assert seen[0] != seen[2], "another generator gave the same batches: it is not used"


@edge
def test_the_generator_goes_on(submission):
    """A run after this one, with the same generator, meets other sequences."""
    data, logits = numbered(40)
    models = [submission.Table(logits) for _ in range(2)]
    submission.seed_torch(0)  # as in `trained`
    config = submission.TrainConfig(**SMALL)
    first, second = submission.trained_in_turn(models, data[:25], data[25:], config, 0)
    assert first != second, (
        "a second run with the same generator had the batches of the first: the generator stood still"
    )


@edge
def test_dropout_is_on_in_training_and_off_in_validation(submission):
    """The dropout of this model takes all logits away: in training mode it learns nothing, and its loss is ln 5."""
    model = submission.Table(torch.eye(5, dtype=torch.float64), dropout=1.0)
    model.eval()
    history = trained(submission, model, CIRCLE, CIRCLE, weight_decay=0.0)
    logged(history, [0, 2])
    for step, loss, val_loss in zip(history.step, history.loss, history.val_loss, strict=True):
        assert_close(loss, math.log(5), what=f"the training loss of step {step}, with dropout")
        assert_close(val_loss, math.log(math.e + 4), what=f"the validation loss of step {step}, without dropout")
    assert bool((model(CIRCLE[None, :3])[0] == 0).all()), "after the run the model is not in training mode"


@edge
def test_no_step_leaves_the_model_as_it_was_and_each_run_has_a_history_of_its_own(submission):
    model = submission.Table(zeros())
    for steps in (2, 0):
        history = trained(submission, model, CIRCLE, CIRCLE, steps=steps, log_every=1)
        logged(history, list(range(steps)))


@edge
def test_data_without_a_whole_sequence_are_refused(submission):
    config, generator = submission.TrainConfig(**SMALL), torch.Generator()
    for data in ((CIRCLE[:3], CIRCLE), (CIRCLE, CIRCLE[:3])):
        model, errors = submission.Table(zeros()), ("ValueError", "RuntimeError")
        assert_rejects(submission.train, model, *data, config, generator, error=errors)
