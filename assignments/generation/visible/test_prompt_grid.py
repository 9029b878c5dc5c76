"""Rows of prompt, temperature, seed and text, of a model whose next letter is known."""

import torch

from grader.testing import assert_equal, assert_keys, core, edge, exercise

pytestmark = exercise("generation.prompt_grid")

LETTERS = "abcdef"
KEYS = ("prompt", "temperature", "seed", "text")


def circle(peak):
    """Return the logits after each letter: the next of the alphabet has `peak`, all others 0."""
    return peak * torch.eye(6, dtype=torch.float64).roll(1, dims=1)


def grid(submission, model, *how):
    """Return the rows as tuples of prompt, temperature, seed, text."""
    got = submission.prompt_grid(model, submission.Letters(LETTERS), *how)
    assert isinstance(got, list), f"the rows come in a list, not in a {type(got).__name__}"
    return [tuple(assert_keys(row, *KEYS, what=f"row {i}")[key] for key in KEYS) for i, row in enumerate(got)]


@core
def test_prompts_are_outer_and_temperatures_inner_and_row_i_has_seed_plus_i(submission):
    model, prompts, temperatures = submission.Chain(circle(2.0), 30), ["ab", "f"], [0.7, 1.5, 0.0]
    got = grid(submission, model, prompts, temperatures, 6, 40)
    pairs = [(prompt, temperature) for prompt in prompts for temperature in temperatures]
    assert len(got) == 6, f"2 prompts at 3 temperatures are 6 rows, got {len(got)}"
    for i, (prompt, temperature) in enumerate(pairs):
        idx = torch.tensor([[LETTERS.index(letter) for letter in prompt]])
        how = {"temperature": temperature, "top_k": None, "top_p": None}
        tokens = submission.generate(model, idx, 6, **how, generator=torch.Generator().manual_seed(40 + i))
        text = "".join(LETTERS[token] for token in tokens[0].tolist())
        assert_equal(got[i], (prompt, temperature, 40 + i, text), what=f"row {i}: prompt, temperature, seed, text")


@core
def test_the_text_is_the_prompt_and_what_follows(submission):
    got = grid(submission, submission.Chain(circle(5.0), 30), ["ab", "f"], [0.0], 3, 7)
    assert_equal(got, [("ab", 0.0, 7, "abcde"), ("f", 0.0, 8, "fabc")], what="the rows at temperature 0")


@edge
def test_without_prompts_or_temperatures_there_are_no_rows(submission):
    model = submission.Chain(circle(5.0), 30)
    for prompts, temperatures in (([], [0.5]), (["ab"], [])):
        assert_equal(grid(submission, model, prompts, temperatures, 2, 3), [], what="the rows of an empty grid")


@edge
def test_no_new_token_gives_the_prompt(submission):
    got = grid(submission, submission.Chain(circle(5.0), 30), ["ab"], [0.7], 0, 5)
    assert_equal(got, [("ab", 0.7, 5, "ab")], what="the row without a new token")
