"""generation.prompt_grid: one row for each prompt and temperature, each with a seed of its own.

What is drawn is compared with what the submission's own generate draws from the same seed: whether that is right is a
question of its own.
"""

import torch

from grader.testing import assert_equal, assert_keys, core, edge, exercise

pytestmark = exercise("generation.prompt_grid")

LETTERS = "abcdefgh"
V = len(LETTERS)


def a_circle(rng, peak=5.0):
    """Draw an order of all letters, and logits after which each is followed by the next."""
    order = rng.permutation(V).tolist()
    logits = torch.from_numpy(rng.normal(size=(V, V))).clamp(-2, 2)
    for token, successor in zip(order, [*order[1:], order[0]], strict=True):
        logits[token, successor] = peak
    return "".join(LETTERS[token] for token in order), logits


def grid(submission, model, prompts, temperatures, n, seed):
    """Return the rows as tuples of prompt, temperature, seed, text."""
    got = submission.prompt_grid(model, submission.Letters(LETTERS), prompts, temperatures, n, seed)
    assert isinstance(got, list), f"the rows come in a list, not in a {type(got).__name__}"
    keys = ("prompt", "temperature", "seed", "text")
    return [tuple(assert_keys(row, *keys, what=f"row {i}")[key] for key in keys) for i, row in enumerate(got)]


def drawn(submission, model, prompt, temperature, n, seed):
    """Return what the submission's own generate makes of a prompt, as a text."""
    idx = torch.tensor([[LETTERS.index(letter) for letter in prompt]])
    how = {"temperature": temperature, "top_k": None, "top_p": None}
    got = submission.generate(model, idx, n, **how, generator=torch.Generator().manual_seed(seed))
    return "".join(LETTERS[token] for token in got[0].tolist())


@core
def test_prompts_are_outer_and_temperatures_inner_and_row_i_has_seed_plus_i(submission, rng):
    circle, logits = a_circle(rng, peak=2.5)
    model = submission.Chain(logits, 30)
    prompts, temperatures, seed = [circle[0], circle[2:4], circle[5]], [0.7, 1.6], int(rng.integers(10**6))
    got = grid(submission, model, prompts, temperatures, 8, seed)
    pairs = [(prompt, temperature) for prompt in prompts for temperature in temperatures]
    assert len(got) == len(pairs), f"3 prompts at 2 temperatures are 6 rows, got {len(got)}"
    for i, (prompt, temperature) in enumerate(pairs):
        text = drawn(submission, model, prompt, temperature, 8, seed + i)
        assert_equal(got[i], (prompt, temperature, seed + i, text), what=f"row {i}: prompt, temperature, seed, text")


@edge
def test_where_nothing_is_asked_for_nothing_is_added(submission, rng):
    circle, logits = a_circle(rng)
    model = submission.Chain(logits, 30)
    for prompts, temperatures in (([], [0.5]), ([circle[0]], [])):
        assert_equal(grid(submission, model, prompts, temperatures, 2, 3), [], what="the rows of an empty grid")
    [(*_, text)] = grid(submission, model, [circle[:2]], [0.7], 0, 5)
    assert_equal(text, circle[:2], what="the prompt and no new token")


@edge
def test_a_text_may_grow_beyond_block_size(submission, rng):
    circle, logits = a_circle(rng)
    [(*_, text)] = grid(submission, submission.Chain(logits, 3), [circle[:2]], [0.0], 4, 5)
    assert_equal(text, circle[:6], what="the text of 6 letters where block_size is 3")
