"""Texts of two small models: one whose next token is known, and one that depends on every token and position."""

import torch

from grader.testing import as_tensor, assert_equal, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("generation.generate")

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
    got = submission.generate(model, idx, n, **(GREEDY | how), generator=seeded())
    return as_tensor(got, shape=(len(idx), idx.shape[1] + n), dtype=torch.int64, what="prompt and new tokens")


@core
def test_each_new_token_is_the_likeliest_after_all_that_came_before(submission):
    got = continued(submission, submission.Chain(circle(), 9), torch.tensor([[1, 4], [6, 3]]), 3)
    assert_equal(got, torch.tensor([[1, 4, 2, 6, 3], [6, 3, 5, 1, 4]]), what="the tokens after 1, 4 and after 6, 3")
    model, idx = tiny(submission, 9), torch.tensor([[3, 0, 5], [1, 1, 2]])
    assert_equal(continued(submission, model, idx, 4), most_likely(model, idx, 4, 9), what="the tokens of a small GPT")


@core
def test_beyond_block_size_the_model_sees_the_last_tokens(submission):
    model, long = tiny(submission, 4), torch.tensor([[3, 0, 5, 1, 1, 2]])
    for idx, n in ((long, 1), (long[:, :3], 4), (long, 4)):
        got, expected = continued(submission, model, idx, n), most_likely(model, idx, n, 4)
        assert_equal(got, expected, what=f"{n} more after {idx.shape[1]}, of a model of 4 positions")


@core
def test_tokens_are_drawn_as_they_are_asked_for(submission):
    """The probabilities are 0.5, 0.3, 0.2, whatever came before."""
    model = submission.Chain(torch.tensor([[0.5, 0.3, 0.2]] * 3, dtype=torch.float64).log(), 5)
    ways = [
        ({"temperature": 1.0}, [0.5, 0.3, 0.2]),
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
def test_no_new_token_gives_the_prompt_and_int32_becomes_int64(submission):
    model, idx = submission.Chain(circle(), 9), torch.tensor([[1, 4]])
    assert_equal(continued(submission, model, idx, 0), idx, what="the prompt and no new token")
    assert_equal(continued(submission, model, idx.int(), 1), torch.tensor([[1, 4, 2]]), what="a prompt of int32, and 2")


@edge
def test_what_is_no_prompt_is_refused(submission):
    model = submission.Chain(circle(), 9)
    for shape in ((2, 0), (3,)):
        wrong, errors = torch.ones(shape, dtype=torch.int64), ("ValueError", "RuntimeError")
        assert_rejects(submission.generate, model, wrong, 2, **GREEDY, generator=seeded(), error=errors)
    assert_rejects(submission.generate, model, torch.tensor([[1]]), -1, **GREEDY, generator=seeded())


@edge
def test_the_prompt_stays_as_it_was(submission):
    model = submission.Chain(circle(), 2)
    assert_unchanged(submission.generate, model, torch.tensor([[1, 4]]), 3, **GREEDY, generator=seeded())
