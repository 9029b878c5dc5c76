"""generation.sample_next: temperature, then top-k, then top-p, then one draw for each row.

Distributions are asked of thousands of rows at once. By Hoeffding's inequality a right answer is refused less than once
in ten million runs, whatever it draws with.
"""

import math

import torch

from grader.testing import as_tensor, assert_equal, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("generation.sample_next")

PROBS = torch.tensor([0.40, 0.30, 0.20, 0.10], dtype=torch.float64)
V = len(PROBS)
FREE = {"temperature": 1.0, "top_k": None, "top_p": None}
N = 2000  # rows of each distribution
# 2 exp(-2 N margin^2) bounds how often one frequency is off by more; there are fewer than a hundred in a run.
MARGIN = math.sqrt(math.log(2 * 100 / 1e-8) / (2 * N))


def seeded(rng):
    return torch.Generator().manual_seed(int(rng.integers(2**31)))


def sampled(submission, logits, rng, **how):
    submission.manual_seed(0)  # who draws from torch's own generator shall draw the same again
    got = submission.sample_next(logits, **(FREE | how), generator=seeded(rng))
    return as_tensor(got, shape=(len(logits),), dtype=torch.int64, what=f"the tokens for logits {list(logits.shape)}")


def require_drawn(submission, rng, expected, **how):
    """Draw for rows of two distributions in turn, each with the tokens in an order of its own, and compare how often each came."""
    order = torch.from_numpy(rng.permutation(V))
    orders = torch.stack([order, order.roll(1)])
    logits = (PROBS.log() + float(rng.normal()))[orders].repeat(N, 1)
    told = ", ".join(f"{name}={value}" for name, value in how.items()) or "all as it is"
    tokens = sampled(submission, logits, rng, **how)
    assert tokens.max() < V, f"a token is at most {V - 1}, and one of yours is {tokens.max()}"
    for which, ranks in enumerate(orders):
        counts = tokens[which::2].bincount(minlength=V)
        for token in range(V):
            p, share = expected[ranks[token]], counts[token].item() / N
            assert share == 0 if p == 0 else abs(share - p) <= MARGIN, (
                f"with {told}, a token of probability {p:.3f} was drawn {share:.3f} of the time"
            )


def powered(temperature):
    probs = PROBS ** (1 / temperature)
    return (probs / probs.sum()).tolist()


@core
def test_tokens_come_as_often_as_they_should_by_temperature_then_top_k_then_top_p(submission, rng):
    require_drawn(submission, rng, PROBS.tolist())
    require_drawn(submission, rng, [4 / 7, 3 / 7, 0, 0], top_k=2)
    require_drawn(submission, rng, [1, 0, 0, 0], top_p=0.35)
    require_drawn(submission, rng, [4 / 9, 3 / 9, 2 / 9, 0], top_p=0.8)
    # Of 0.39, 0.34, 0.27, which is what temperature 2 makes of the first three, all are needed for 0.75.
    flat = [p / sum(powered(2.0)[:3]) for p in powered(2.0)[:3]]
    require_drawn(submission, rng, [*flat, 0], temperature=2.0, top_k=3, top_p=0.75)
    # Of 4/9, 3/9, 2/9 two are enough; of 0.40, 0.30, 0.20, 0.10, where top-p comes first, three would be needed.
    require_drawn(submission, rng, [4 / 7, 3 / 7, 0, 0], top_k=3, top_p=0.75)


@edge
def test_temperature_0_takes_the_first_of_the_largest(submission, rng):
    logits = torch.from_numpy(rng.normal(size=(5, V)))
    logits[4] = torch.tensor([1.0, 3.0, 3.0, 2.0])
    expected = torch.tensor([*logits[:4].argmax(dim=-1).tolist(), 1])
    for how in ({}, {"top_k": 3}, {"top_p": 0.9}):
        got = sampled(submission, logits, rng, temperature=0.0, **how)
        assert_equal(got, expected, what="the tokens at temperature 0")


@edge
def test_chance_comes_from_the_generator_alone(submission, rng):
    logits, seeds = torch.zeros(60, V, dtype=torch.float64), rng.choice(2**31, size=2, replace=False).tolist()

    def drawn(seed, torchs_own):
        submission.manual_seed(torchs_own)
        generator = torch.Generator().manual_seed(seed)
        return submission.sample_next(logits, **FREE, generator=generator).tolist()

    once = drawn(seeds[0], 0)
    assert drawn(seeds[0], 1) == once, "the same generator drew other tokens: chance came from somewhere else"
    assert drawn(seeds[1], 0) != once, "another generator drew the same tokens: it is not used"


@edge
def test_logits_of_another_number_of_axes_are_refused(submission, rng):
    submission.manual_seed(0)
    for shape in ((V,), (2, 3, V)):
        logits = torch.from_numpy(rng.normal(size=shape))
        assert_rejects(
            submission.sample_next, logits, **FREE, generator=seeded(rng), error=("ValueError", "RuntimeError")
        )


@edge
def test_numbers_out_of_range_are_refused(submission, rng):
    logits = torch.from_numpy(rng.normal(size=(2, V)))
    for wrong in ({"temperature": -1.0}, {"top_k": 0}, {"top_p": 0.0}, {"top_p": 1.5}):
        assert_rejects(submission.sample_next, logits, **(FREE | wrong), generator=seeded(rng))


@edge
def test_the_logits_stay_as_they_were(submission, rng):
    logits = torch.from_numpy(rng.normal(size=(2, V)))
    submission.manual_seed(0)
    for how in ({}, {"top_k": 2, "top_p": 0.5}):
        assert_unchanged(submission.sample_next, logits, **(FREE | how), generator=seeded(rng))
