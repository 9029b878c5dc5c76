"""A run with dropout and momentum, stopped after 2 steps, and gone on with by another program, as it were."""

import torch

from grader.testing import assert_equal, assert_rejects, core, edge, exercise

pytestmark = exercise("training.checkpoint")

V = 5


def table(seed):
    return torch.randn(V, V, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


class Run:
    """A model, its optimizer and its generator, and torch's own generator, all by one seed."""

    def __init__(self, submission, seed, dropout=0.3):
        self.submission = submission
        self.model = submission.Table(table(seed), dropout=dropout)
        self.optimizer = submission.sgd(self.model, 0.1 * seed, 0.9)
        self.generator = submission.Chance(seed)
        submission.seed_torch(seed)

    def go_on(self, steps):
        """Make steps, and return their losses."""
        losses = self.submission.descend(self.model, self.optimizer, self.generator, steps)
        return torch.tensor(losses, dtype=torch.float64)

    def save(self, path, step):
        self.submission.save_checkpoint(path, self.model, self.optimizer, self.generator, step)

    def load(self, path):
        return self.submission.load_checkpoint(path, self.model, self.optimizer, self.generator)

    @property
    def logits(self):
        return self.model.state_dict()["logits"]


@core
def test_a_run_goes_on_as_if_it_had_never_stopped(submission):
    run, path = Run(submission, 1), submission.new_path()
    run.go_on(2)
    run.save(path, 2)
    losses = run.go_on(3)
    other = Run(submission, 2)
    assert_equal(other.load(path), 2, what="the number of steps made")
    assert_equal(other.go_on(3), losses, what="the losses after the checkpoint")
    assert_equal(other.logits, run.logits, what="the weights after the same steps")


@core
def test_the_model_and_the_optimizer_are_as_they_were(submission):
    run, path = Run(submission, 1, dropout=0.0), submission.new_path()
    run.go_on(2)
    run.save(path, 2)
    other = Run(submission, 2, dropout=0.0)
    other.load(path)
    assert_equal(other.logits, run.logits, what="the weights after loading")
    run.generator, other.generator = submission.Chance(3), submission.Chance(3)
    assert_equal(other.go_on(2), run.go_on(2), what="the losses of the next steps, with the same batches")


@core
def test_both_generators_are_where_they_were(submission):
    run, path = Run(submission, 1), submission.new_path()
    run.generator = torch.Generator().manual_seed(1)
    run.save(path, 2)
    draw, own = torch.rand(3, generator=run.generator), submission.next_random("after saving")
    other, function = Run(submission, 2), submission.load_checkpoint
    function(path, other.model, other.optimizer, torch.Generator())
    after = function.arguments_after[0][3]
    assert isinstance(after, torch.Generator), "what was a generator is none any more"
    assert_equal(torch.rand(3, generator=after), draw, what="what the generator draws next")
    assert_equal(submission.next_random("after loading"), own, what="what torch's own generator draws next")


@edge
def test_what_a_model_keeps_beside_its_parameters_is_saved_too(submission):
    kept, path = submission.Table(table(1), running=True), submission.new_path()
    kept(torch.tensor([[0, 1, 1]]))  # in training mode, where its mean follows what it sees
    submission.save_checkpoint(path, kept, submission.sgd(kept, 0.1), torch.Generator(), 1)
    other = submission.Table(table(2), running=True)
    submission.load_checkpoint(path, other, submission.sgd(other, 0.1), torch.Generator())
    got, expected = (model.state_dict()["centre"] for model in (other, kept))
    assert_equal(got, expected, what="the buffer `centre`, a mean that the model keeps, after loading")


@edge
def test_what_is_in_the_file_does_not_change_any_more(submission):
    run, path = Run(submission, 1), submission.new_path()
    run.save(path, 0)
    run.go_on(2)
    run.load(submission.copied(path))
    assert_equal(run.logits, table(1), what="the weights after going back, from a copy of the file in another place")


@edge
def test_a_save_that_fails_costs_no_older_checkpoint(submission):
    run, path = Run(submission, 1), submission.new_path()
    run.save(path, 5)
    full, generator = submission.FullDisk(table(2)), torch.Generator()
    optimizer = submission.sgd(full, 0.1)
    assert_rejects(submission.save_checkpoint, path, full, optimizer, generator, 6, error="Exception")
    assert_equal(run.load(path), 5, what="the number of steps in the older checkpoint")


@edge
def test_a_file_is_replaced_in_one_move(submission):
    """Who has the older checkpoint open goes on reading it: it was not written over."""
    run, path = Run(submission, 1), submission.new_path()
    run.save(path, 1)
    held = submission.held_open(path)
    run.save(path, 3)
    assert_equal(run.load(path), 3, what="the number of steps in the newer checkpoint")
    assert_equal(run.load(held.as_it_is()), 1, what="the number of steps in the file that was open")


@edge
def test_a_file_that_is_not_there_is_refused(submission):
    run, path = Run(submission, 1), submission.new_path()
    with_path = (run.model, run.optimizer, run.generator)
    assert_rejects(submission.load_checkpoint, path, *with_path, error="FileNotFoundError")


@edge
def test_the_checkpoint_of_a_model_with_other_parameters_is_refused(submission):
    run, path = Run(submission, 1), submission.new_path()
    run.save(path, 1)
    other = submission.Table(table(1), table(2)[0])
    optimizer = submission.sgd(other, 0.1, 0.9, only=["logits"])  # which fits
    errors = ("ValueError", "RuntimeError")
    assert_rejects(submission.load_checkpoint, path, other, optimizer, run.generator, error=errors)


@edge
def test_a_strangers_file_runs_no_code(submission):
    run, path = Run(submission, 1), submission.trap()
    assert_rejects(submission.load_checkpoint, path, run.model, run.optimizer, run.generator, error="Exception")
    assert not submission.sprung(path), "a file was read in a way that ran the code of whoever wrote it"
