"""The tokens that the model itself gives without a cache, with a cache and less work."""

import torch

from grader.testing import as_tensor, assert_equal, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("generation.generate_cached")

V, D = 7, 4
GREEDY = {"temperature": 0.0, "top_k": None, "top_p": None}
# After 1 comes 4, after 4 comes 2, and so on, in a circle; 0 comes after nothing.
CIRCLE = [1, 4, 2, 6, 3, 5]


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def circle():
    """Return the logits after each token: its successor has 5, the token itself 1, all others 0."""
    logits = torch.eye(V, dtype=torch.float64)
    for token, successor in zip(CIRCLE, [*CIRCLE[1:], CIRCLE[0]], strict=True):
        logits[token, successor] = 5.0
    return logits


def tiny(submission, block_size, **options):
    """Return a small GPT with drawn weights: it depends on every token and on where each stands."""
    draw = seeded(3)

    def normal(*shape):
        return torch.randn(shape, generator=draw, dtype=torch.float64)

    layers = [(normal(D, 3 * D), normal(D, D)) for _ in range(2)]
    return submission.TinyGPT(normal(V, D), 2 * normal(block_size, D), layers, normal(D, V), n_head=2, **options)


def most_likely(model, idx, n, block_size):
    """Ask the model itself for what follows, a token at a time."""
    for _ in range(n):
        logits, _ = model(idx[:, -block_size:])
        idx = torch.cat([idx, logits[:, -1].argmax(dim=-1, keepdim=True)], dim=1)
    return idx


def continued(submission, model, idx, n, **how):
    got = submission.generate_cached(model, idx, n, **(GREEDY | how), generator=seeded())
    return as_tensor(got, shape=(len(idx), idx.shape[1] + n), dtype=torch.int64, what="prompt and new tokens")


@core
def test_the_tokens_are_those_that_come_without_a_cache(submission):
    model, idx = tiny(submission, 20), torch.tensor([[3, 0, 5], [1, 1, 2]])
    assert_equal(continued(submission, model, idx, 5), most_likely(model, idx, 5, 20), what="5 tokens after 3")


@core
def test_a_prompt_that_comes_in_chunks_gives_the_same(submission):
    model, idx = tiny(submission, 9), torch.tensor([[3, 0, 5, 1, 1, 2]])
    expected = most_likely(model, idx, 3, 9)
    for chunk in (1, 4):
        got = continued(submission, model, idx, 3, chunk_size=chunk)
        assert_equal(got, expected, what=f"3 tokens after 6 in chunks of {chunk}")


@core
def test_no_position_passes_through_the_model_twice(submission):
    idx = torch.tensor([[3, 0, 5]])
    got = continued(submission, tiny(submission, 9, budget=8), idx, 5)
    assert_equal(got, most_likely(tiny(submission, 9), idx, 5, 9), what="5 tokens after 3, with 8 positions to show")


@core
def test_tokens_are_drawn_as_they_are_asked_for(submission):
    """The probabilities are 0.5, 0.3, 0.2, whatever came before."""
    model = submission.Chain(torch.tensor([[0.5, 0.3, 0.2]] * 3, dtype=torch.float64).log(), 5)
    ways = [
        ({"temperature": 0.5}, [25 / 38, 9 / 38, 4 / 38]),
        ({"temperature": 1.0, "top_k": 2}, [5 / 8, 3 / 8, 0]),
        ({"temperature": 1.0, "top_p": 0.4}, [1, 0, 0]),
    ]
    for how, expected in ways:
        got = continued(submission, model, torch.zeros(1500, 1, dtype=torch.int64), 2, **how)
        for token, p in enumerate(expected):
            share = (got[:, 1:] == token).double().mean().item()
            # A right answer is off by more less than once in ten million runs.
            assert share == 0 if p == 0 else abs(share - p) < 0.057, (
                f"with {how}, token {token} was drawn {share:.3f} of the time, and its probability is {p:.3f}"
            )


@edge
def test_a_chunk_is_no_larger_than_asked_for(submission):
    model = submission.Chain(circle(), 9, widest=2)
    got = continued(submission, model, torch.tensor([[1, 4, 2, 6, 3]]), 2, chunk_size=2)
    assert_equal(
        got, torch.tensor([[1, 4, 2, 6, 3, 5, 1]]), what="the tokens of a model with room for 2 positions at once"
    )


@edge
def test_dropout_is_off_and_afterwards_the_mode_is_what_it_was(submission):
    idx = torch.tensor([[1, 4]])
    for training in (True, False):
        model = submission.Chain(circle(), 9, dropout=1.0)
        model.train(training)
        got = continued(submission, model, idx, 3)
        assert_equal(got, torch.tensor([[1, 4, 2, 6, 3]]), what="the tokens of a model whose dropout drops all")
        dropped = bool((model(idx)[0] == 0).all())
        before, after = ("training" if mode else "evaluation" for mode in (training, dropped))
        assert before == after, f"the model was in {before} mode before the call and is in {after} mode after it"


@edge
def test_block_size_can_be_filled_but_not_exceeded(submission):
    model, idx = submission.Chain(circle(), 5), torch.tensor([[1, 4]])
    assert_equal(
        continued(submission, model, idx, 3), torch.tensor([[1, 4, 2, 6, 3]]), what="2 + 3 tokens in 5 positions"
    )
    assert_rejects(submission.generate_cached, model, idx, 4, **GREEDY, generator=seeded())


@edge
def test_no_new_token_gives_the_prompt(submission):
    model, idx = submission.Chain(circle(), 9), torch.tensor([[1, 4]])
    assert_equal(continued(submission, model, idx, 0), idx, what="the prompt and no new token")


@edge
def test_what_is_no_prompt_and_no_chunk_is_refused(submission):
    model, idx = submission.Chain(circle(), 9), torch.tensor([[1, 4]])
    for shape in ((2, 0), (3,)):
        wrong, errors = torch.ones(shape, dtype=torch.int64), ("ValueError", "RuntimeError")
        assert_rejects(submission.generate_cached, model, wrong, 2, **GREEDY, generator=seeded(), error=errors)
    assert_rejects(submission.generate_cached, model, idx, -1, **GREEDY, generator=seeded())
    assert_rejects(submission.generate_cached, model, idx, 2, **GREEDY, chunk_size=0, generator=seeded())


@edge
def test_the_prompt_stays_as_it_was(submission):
    model = submission.Chain(circle(), 40)
    assert_unchanged(submission.generate_cached, model, torch.tensor([[1, 4]]), 3, **GREEDY, generator=seeded())
