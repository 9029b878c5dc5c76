"""training.checkpoint: a run that was stopped goes on as if it had not been, to the last bit; the file is never half written.

The files lie where the submission runs. What a run is made of, dropout and momentum among it, is in the materials.
"""

import torch

from grader.testing import assert_equal, assert_rejects, core, edge, exercise

pytestmark = exercise("training.checkpoint")

V = 7
REFUSED = ("ValueError", "RuntimeError")


def normal(rng, *shape):
    return torch.from_numpy(rng.normal(size=shape))


def weights_of_a_table(rng):
    """Draw the logits after each token, and a bias."""
    return normal(rng, V, V), normal(rng, V)


def seeded(rng):
    return torch.Generator().manual_seed(int(rng.integers(2**31)))


class Run:
    """A model, its optimizer and its generator, and torch's own generator with a seed of its own."""

    def __init__(self, submission, rng, *, running=False, dropout=0.3):
        self.submission = submission
        self.model = submission.Table(*weights_of_a_table(rng), dropout=dropout, running=running)
        self.optimizer = submission.sgd(self.model, float(rng.uniform(0.01, 0.02)), 0.9, groups=2)
        self.generator = submission.Chance(int(rng.integers(2**31)))
        submission.seed_torch(int(rng.integers(2**31)))

    def go_on(self, steps=2):
        """Make steps, and return their losses."""
        losses = self.submission.descend(self.model, self.optimizer, self.generator, steps)
        return torch.tensor(losses, dtype=torch.float64)

    def save(self, path, step):
        self.submission.save_checkpoint(path, self.model, self.optimizer, self.generator, step)

    def load(self, path):
        return self.submission.load_checkpoint(path, self.model, self.optimizer, self.generator)


def require_same_weights(run, expected, when):
    for name, weight in run.model.state_dict().items():
        assert_equal(weight, expected[name], what=f"{name} {when}")


@core
def test_a_run_goes_on_as_if_it_had_never_stopped(submission, rng):
    run, path = Run(submission, rng), submission.new_path()
    run.go_on()
    run.save(path, 2)
    losses = run.go_on(3)
    other = Run(submission, rng)
    other.go_on(1)
    assert_equal(other.load(path), 2, what="the number of steps made")
    assert_equal(other.go_on(3), losses, what="the losses after the checkpoint")
    require_same_weights(other, run.model.state_dict(), "after the same steps")


@core
def test_the_model_and_the_optimizer_are_as_they_were(submission, rng):
    """Without dropout, and both with the same batches: nothing here depends on chance."""
    run, path, step = Run(submission, rng, dropout=0.0), submission.new_path(), int(rng.integers(3, 1000))
    run.go_on()
    run.save(path, step)
    other = Run(submission, rng, dropout=0.0)
    assert_equal(other.load(path), step, what="the number of steps made")
    require_same_weights(other, run.model.state_dict(), "after loading")
    run.generator, other.generator = submission.Chance(3), submission.Chance(3)
    assert_equal(other.go_on(), run.go_on(), what="the losses of the next steps, with the same batches")
    require_same_weights(other, run.model.state_dict(), "after the next steps, with the same batches")


@core
def test_both_generators_are_where_they_were(submission, rng):
    run, path = Run(submission, rng), submission.new_path()
    run.generator = seeded(rng)
    run.save(path, 2)
    draw, own = torch.rand(3, generator=run.generator), submission.next_random("after saving")
    other, function = Run(submission, rng), submission.load_checkpoint
    function(path, other.model, other.optimizer, torch.Generator())
    after = function.arguments_after[0][3]
    assert isinstance(after, torch.Generator), "what was a generator is none any more"
    assert_equal(torch.rand(3, generator=after), draw, what="what the generator draws next")
    assert_equal(submission.next_random("after loading"), own, what="what torch's own generator draws next")


@edge
def test_what_is_no_parameter_is_kept_too(submission, rng):
    run, path = Run(submission, rng, running=True), submission.new_path()
    run.go_on()
    run.save(path, 2)
    other = Run(submission, rng, running=True)
    other.load(path)
    require_same_weights(other, run.model.state_dict(), "after loading a model with a buffer")


@edge
def test_what_is_in_the_file_does_not_change_any_more(submission, rng):
    run, path = Run(submission, rng), submission.new_path()
    run.save(path, 0)
    before = run.model.state_dict()
    run.go_on()
    there = submission.copied(path)
    assert_equal(run.load(there), 0, what="the number of steps made")
    require_same_weights(run, before, "after going back, from a copy of the file in another place")


@edge
def test_saving_changes_nothing(submission, rng):
    state = rng.bit_generator.state
    losses = []
    for saves in (True, False):
        rng.bit_generator.state = state
        run = Run(submission, rng)
        if saves:
            run.save(submission.new_path(), 0)
        losses.append(run.go_on(3))
    assert_equal(losses[0], losses[1], what="the losses of a run that was saved before, and of one that was not")


@edge
def test_a_save_that_fails_costs_no_older_checkpoint(submission, rng):
    logits, path, generator = normal(rng, V, V), submission.new_path(), seeded(rng)
    model = submission.Table(logits)
    optimizer = submission.sgd(model, 0.1)
    submission.save_checkpoint(path, model, optimizer, generator, 5)
    full = submission.FullDisk(normal(rng, V, V))
    optimizer_of_full = submission.sgd(full, 0.1)
    assert_rejects(submission.save_checkpoint, path, full, optimizer_of_full, generator, 6, error="Exception")
    again = submission.Table(normal(rng, V, V))
    step = submission.load_checkpoint(path, again, submission.sgd(again, 0.1), generator)
    assert_equal(step, 5, what="the number of steps in the older checkpoint")
    assert_equal(again.state_dict()["logits"], logits, what="the model of the older checkpoint")


@edge
def test_a_file_is_replaced_in_one_move(submission, rng):
    """Who has the older checkpoint open goes on reading it: it was not written over."""
    run, path = Run(submission, rng), submission.new_path()
    run.save(path, 1)
    before = run.model.state_dict()
    held = submission.held_open(path)
    run.go_on()
    run.save(path, 3)
    after = run.model.state_dict()
    assert_equal(run.load(path), 3, what="the number of steps in the newer checkpoint")
    require_same_weights(run, after, "of the newer checkpoint")
    assert_equal(run.load(held.as_it_is()), 1, what="the number of steps in the file that was open")
    require_same_weights(run, before, "of the file that was open")


@edge
def test_a_file_that_is_not_there_is_told(submission, rng):
    run = Run(submission, rng)
    path = submission.new_path()
    model, optimizer, generator = run.model, run.optimizer, run.generator
    assert_rejects(submission.load_checkpoint, path, model, optimizer, generator, error="FileNotFoundError")


@edge
def test_another_model_is_refused(submission, rng):
    run, path = Run(submission, rng), submission.new_path()
    run.save(path, 1)
    other_names = submission.Sum(normal(rng, V, V), normal(rng, V, V))
    other_sizes = submission.Table(normal(rng, V + 1, V + 1), normal(rng, V + 1))
    for other in (other_names, other_sizes):
        optimizer, generator = submission.sgd(other, 0.1, 0.9, groups=2), run.generator
        assert_rejects(submission.load_checkpoint, path, other, optimizer, generator, error=REFUSED)


@edge
def test_an_optimizer_of_other_groups_is_refused(submission, rng):
    run, path = Run(submission, rng), submission.new_path()
    run.save(path, 1)
    optimizer = submission.sgd(run.model, 0.1, 0.9)
    assert_rejects(submission.load_checkpoint, path, run.model, optimizer, run.generator, error=REFUSED)


@edge
def test_a_strangers_file_runs_no_code(submission, rng):
    run, path = Run(submission, rng), submission.trap()
    model, optimizer, generator = run.model, run.optimizer, run.generator
    assert_rejects(submission.load_checkpoint, path, model, optimizer, generator, error="Exception")
    assert not submission.sprung(path), "a file was read in a way that ran the code of whoever wrote it"
