"""generation.generate_cached: the same tokens as generate, and no position passes through the model twice.

The models compute in float64, so that a cache changes no token. How many positions they are shown they count themselves,
and raise. How tokens are drawn is asked of thousands of rows at once: by Hoeffding's inequality a right answer is refused
less than once in ten million runs, whatever it draws with.
"""

import math

import torch

from grader.testing import as_tensor, assert_equal, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("generation.generate_cached")

V, BLOCK, D = 11, 13, 6
GREEDY = {"temperature": 0.0, "top_k": None, "top_p": None}
N = 2000
# 2 exp(-2 N margin^2) bounds how often one frequency is off by more; there are fewer than a hundred in a run.
MARGIN = math.sqrt(math.log(2 * 100 / 1e-8) / (2 * N))


def normal(rng, *shape):
    return torch.from_numpy(rng.normal(size=shape))


def tokens(rng, *shape):
    return torch.from_numpy(rng.integers(V, size=shape))


def seeded(rng):
    return torch.Generator().manual_seed(int(rng.integers(2**31)))


def weights(rng):
    """Draw the weights of a small GPT of 2 layers and 3 heads."""
    layers = [(normal(rng, D, 3 * D), normal(rng, D, D)) for _ in range(2)]
    return normal(rng, V, D), 2 * normal(rng, BLOCK, D), layers, normal(rng, D, V)


def a_circle(rng):
    """Draw an order of all tokens but 0, and logits after which each is followed by the next; 0 is never the answer."""
    order = (1 + rng.permutation(V - 1)).tolist()
    logits = normal(rng, V, V).clamp(-2, 2)
    for token, successor in zip(order, [*order[1:], order[0]], strict=True):
        logits[token, successor] = 5.0
    return order, logits


def continued(submission, model, idx, n, rng, **how):
    got = submission.generate_cached(model, idx, n, **(GREEDY | how), generator=seeded(rng))
    return as_tensor(got, shape=(len(idx), idx.shape[1] + n), dtype=torch.int64, what="prompt and new tokens")


@core
def test_the_tokens_are_those_of_generate_however_the_prompt_comes(submission, reference, rng):
    drawn = weights(rng)
    theirs, ours = submission.TinyGPT(*drawn, n_head=3), reference.TinyGPT(*drawn, n_head=3)
    for T, chunk in ((5, None), (6, 1), (7, 3), (4, 8)):
        idx = tokens(rng, 2, T)
        expected = reference.generate(ours, idx, 3, **GREEDY, generator=seeded(rng))
        got = continued(submission, theirs, idx, 3, rng, **({} if chunk is None else {"chunk_size": chunk}))
        assert_equal(got, expected, what=f"3 tokens after {T}" + (f" in chunks of {chunk}" if chunk else ""))


@core
def test_no_position_passes_through_the_model_twice(submission, rng):
    order, logits = a_circle(rng)
    for chunk in (None, 4):
        model = submission.Chain(logits, BLOCK, budget=6 + 5)
        got = continued(submission, model, torch.tensor([order[:6]]), 4, rng, chunk_size=chunk)
        assert_equal(got, torch.tensor([order]), what="4 tokens after 6")


@core
def test_tokens_are_drawn_as_they_are_asked_for(submission, rng):
    """After each of 3 tokens the probabilities are 0.5, 0.3, 0.2, in an order of its own."""
    probs = torch.tensor([0.5, 0.3, 0.2], dtype=torch.float64)
    ways = [
        ({"temperature": 1.0}, [0.5, 0.3, 0.2]),
        ({"temperature": 0.5}, [25 / 38, 9 / 38, 4 / 38]),
        ({"temperature": 1.0, "top_k": 2}, [5 / 8, 3 / 8, 0]),
        ({"temperature": 1.0, "top_p": 0.4}, [1, 0, 0]),
    ]
    for how, expected in ways:
        order = torch.from_numpy(
            rng.permuted([[0, 1, 2]] * 3, axis=1)
        )  # row i: the tokens after i, most probable first
        logits = torch.empty(3, 3, dtype=torch.float64).scatter(1, order, probs.log().expand(3, 3))
        got = continued(submission, submission.Chain(logits, 5), torch.zeros(N, 1, dtype=torch.int64), 2, rng, **how)
        assert got.max() < 3, f"a token is at most 2, and one of yours is {got.max()}"
        for place in (1, 2):
            before, drawn = got[:, place - 1], got[:, place]
            ranks = (order[before] == drawn[:, None]).int().argmax(dim=1)
            for rank, p in enumerate(expected):
                share = (ranks == rank).double().mean().item()
                assert share == 0 if p == 0 else abs(share - p) <= MARGIN, (
                    f"with {how}, a token of probability {p:.3f} was drawn {share:.3f} of the time in place {place}"
                )


@edge
def test_a_chunk_is_no_larger_than_asked_for(submission, rng):
    order, logits = a_circle(rng)
    for chunk in (1, 3):
        model = submission.Chain(logits, BLOCK, widest=chunk)
        got = continued(submission, model, torch.tensor([order[:7]]), 2, rng, chunk_size=chunk)
        assert_equal(got, torch.tensor([order[:9]]), what=f"the tokens with chunks of {chunk}")


@edge
def test_dropout_is_off(submission, rng):
    order, logits = a_circle(rng)
    model = submission.Chain(logits, BLOCK, dropout=1.0)
    model.train()
    got = continued(submission, model, torch.tensor([order[:2]]), 3, rng)
    assert_equal(got, torch.tensor([order[:5]]), what="what a model in training mode, whose dropout drops all, says")


@edge
def test_the_model_is_in_the_mode_that_it_was_in(submission, rng):
    order, logits = a_circle(rng)
    idx = torch.tensor([order[:2]])
    for training in (True, False):
        model = submission.Chain(logits, BLOCK, dropout=1.0)
        model.train(training)
        continued(submission, model, idx, 1, rng)
        dropped = bool((model(idx)[0] == 0).all())
        before, after = ("training" if mode else "evaluation" for mode in (training, dropped))
        assert before == after, f"the model was in {before} mode before the call and is in {after} mode after it"


@edge
def test_the_last_position_may_be_filled(submission, rng):
    order, logits = a_circle(rng)
    got = continued(submission, submission.Chain(logits, 6), torch.tensor([order[:2]]), 4, rng)
    assert_equal(got, torch.tensor([order[:6]]), what="2 + 4 tokens where block_size is 6")


@edge
def test_more_than_block_size_is_refused(submission, rng):
    order, logits = a_circle(rng)
    for T, n in ((2, 5), (6, 1), (7, 1)):
        model, idx = submission.Chain(logits, 6), torch.tensor([order[:T]])
        assert_rejects(submission.generate_cached, model, idx, n, **GREEDY, generator=seeded(rng))


@edge
def test_a_chunk_without_a_position_is_refused(submission, rng):
    _, logits = a_circle(rng)
    for chunk in (0, -2):
        model = submission.Chain(logits, BLOCK)
        how = GREEDY | {"chunk_size": chunk}
        assert_rejects(submission.generate_cached, model, tokens(rng, 1, 3), 2, **how, generator=seeded(rng))


@edge
def test_prompts_of_int32_give_int64_and_no_new_token_the_prompt(submission, rng):
    order, logits = a_circle(rng)
    idx, model = torch.tensor([order[:2]], dtype=torch.int32), submission.Chain(logits, BLOCK)
    for n in (0, 2):
        assert_equal(continued(submission, model, idx, n, rng)[:, :2], idx.long(), what="the prompt")


@edge
def test_what_is_no_prompt_is_refused(submission, rng):
    _, logits = a_circle(rng)
    model, errors = submission.Chain(logits, BLOCK), ("ValueError", "RuntimeError")
    for shape in ((2, 0), (3,), (2, 3, 1)):
        wrong = torch.ones(shape, dtype=torch.int64)
        assert_rejects(submission.generate_cached, model, wrong, 2, **GREEDY, generator=seeded(rng), error=errors)
    assert_rejects(submission.generate_cached, model, tokens(rng, 2, 3), -1, **GREEDY, generator=seeded(rng))


@edge
def test_the_prompt_stays_as_it_was(submission, rng):
    _, logits = a_circle(rng)
    model = submission.Chain(logits, BLOCK)
    assert_unchanged(submission.generate_cached, model, tokens(rng, 2, 5), 4, **GREEDY, generator=seeded(rng))
