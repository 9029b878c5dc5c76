"""One token for each row. Thousands of rows that are alike show how often each token comes."""

import torch

from grader.testing import as_tensor, assert_equal, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("generation.sample_next")

# The probabilities 0.2, 0.4, 0.1, 0.3, as logits.
LOGITS = torch.tensor([0.2, 0.4, 0.1, 0.3], dtype=torch.float64).log() + 1.0
FREE = {"temperature": 1.0, "top_k": None, "top_p": None}
ROWS = 5000
# Of torch's own generator: not what somebody seeds who seeds one anew.
OTHER = 1234
# With it the first draw is not the likeliest token: one draw for all rows is told from no draw.
SEED = 6


def seeded(seed=SEED):
    return torch.Generator().manual_seed(seed)


def require_drawn(submission, expected, **how):
    submission.manual_seed(OTHER)  # who draws from torch's own generator shall draw the same again
    got = submission.sample_next(LOGITS.expand(ROWS, 4), **(FREE | how), generator=seeded())
    tokens = as_tensor(got, shape=(ROWS,), dtype=torch.int64, what=f"the tokens for logits [{ROWS}, 4]")
    for token, p in enumerate(expected):
        share = (tokens == token).double().mean().item()
        # A right answer is off by more about once in ten million runs.
        assert share == 0 if p == 0 else abs(share - p) < 0.045, (
            f"with {how or 'temperature 1'}, token {token} was drawn {share:.3f} of the time, and its probability is {p:.3f}"
        )


@core
def test_tokens_come_as_often_as_they_should(submission):
    require_drawn(submission, [0.2, 0.4, 0.1, 0.3])
    require_drawn(submission, [4 / 30, 16 / 30, 1 / 30, 9 / 30], temperature=0.5)
    require_drawn(submission, [0, 4 / 7, 0, 3 / 7], top_k=2)
    require_drawn(submission, [0, 1, 0, 0], top_p=0.3)
    require_drawn(submission, [2 / 9, 4 / 9, 0, 3 / 9], top_p=0.8)


@core
def test_top_p_counts_what_temperature_and_top_k_have_left(submission):
    """Of 0.4, 0.3, 0.2, 0.1 three tokens are needed for 0.75. Of the first three, which are 4/9, 3/9 and 2/9, two are enough."""
    require_drawn(submission, [0, 4 / 7, 0, 3 / 7], top_k=3, top_p=0.75)
    root = [p**0.5 for p in (0.2, 0.4, 0.1, 0.3)]
    left = [root[0], root[1], 0, root[3]]
    require_drawn(submission, [p / sum(left) for p in left], temperature=2.0, top_k=3, top_p=0.75)


@edge
def test_temperature_0_takes_the_first_of_the_largest(submission):
    logits = torch.tensor([[1.0, 3.0, 3.0], [2.0, -1.0, 0.0]], dtype=torch.float64)
    for how in ({}, {"top_k": 2}, {"top_p": 0.9}):
        submission.manual_seed(OTHER)
        got = submission.sample_next(logits, **(FREE | {"temperature": 0.0} | how), generator=seeded())
        assert_equal(got, torch.tensor([1, 0]), what="the tokens at temperature 0")


@edge
def test_every_row_has_a_draw_of_its_own(submission):
    submission.manual_seed(OTHER)
    got = submission.sample_next(40 * torch.eye(4, dtype=torch.float64), **FREE, generator=seeded())
    assert_equal(got, torch.tensor([0, 1, 2, 3]), what="the tokens of rows in which one token is all but certain")
    submission.manual_seed(OTHER)
    alike = submission.sample_next(torch.zeros(60, 4, dtype=torch.float64), **FREE, generator=seeded())
    assert len(set(alike.tolist())) > 1, "60 rows of equal logits all drew the same token"


@edge
def test_chance_comes_from_the_generator_alone(submission):
    drawn = []
    for seed, torchs_own in ((1, OTHER), (1, OTHER + 1), (2, OTHER)):
        submission.manual_seed(torchs_own)
        got = submission.sample_next(torch.zeros(60, 4, dtype=torch.float64), **FREE, generator=seeded(seed))
        drawn.append(got.tolist())
    assert drawn[0] == drawn[1], "the same generator drew other tokens: chance came from somewhere else"
    assert drawn[0] != drawn[2], "another generator drew the same tokens: it is not used, or you seed one yourself"


@edge
def test_what_is_out_of_range_is_refused(submission):
    for wrong in ({"temperature": -1.0}, {"top_k": 0}, {"top_p": 0.0}, {"top_p": 1.5}):
        assert_rejects(submission.sample_next, LOGITS[None], **(FREE | wrong), generator=seeded())
    for logits in (LOGITS, LOGITS.expand(2, 2, 4)):
        assert_rejects(submission.sample_next, logits, **FREE, generator=seeded(), error=("ValueError", "RuntimeError"))


@edge
def test_the_logits_stay_as_they_were(submission):
    submission.manual_seed(OTHER)
    for how in ({}, {"top_k": 2, "top_p": 0.5}):
        assert_unchanged(submission.sample_next, LOGITS[None], **(FREE | how), generator=seeded())
