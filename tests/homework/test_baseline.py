from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hw11.baseline import bigram_perplexity, unigram_perplexity

import context


@pytest.mark.parametrize("alpha", [1.0, 0.3])
def test_the_bigram_is_the_one_of_the_first_assignment(alpha):
    rng = np.random.default_rng(0)
    train, val = rng.integers(11, size=300), rng.integers(13, size=80)  # 11 and 12 are seen in validation alone
    probs = context.bigram_probs(context.bigram_counts(train, 13), alpha)
    ours = bigram_perplexity(torch.from_numpy(train), torch.from_numpy(val), 13, alpha)
    assert ours == pytest.approx(context.bigram_perplexity(probs, val))


def test_the_unigram_guesses_by_frequency_alone():
    train, val = torch.tensor([0, 0, 0, 1]), torch.tensor([2, 0, 0, 1])
    assert unigram_perplexity(train, val, 3) == pytest.approx((7 / 4 * 7 / 4 * 7 / 2) ** (1 / 3))


def test_a_text_in_which_each_token_names_its_successor_is_guessed_by_pairs_and_not_by_single_tokens():
    tokens = torch.arange(70_000) % 7
    assert bigram_perplexity(tokens, tokens[:700], 7) == pytest.approx(1, abs=0.01)
    assert unigram_perplexity(tokens, tokens[:700], 7) == pytest.approx(7, abs=0.01)


def test_a_vocabulary_as_large_as_gpt2s_needs_no_matrix_of_all_pairs():
    tokens = torch.randint(50257, (1000,), generator=torch.Generator().manual_seed(0))
    assert math.isfinite(bigram_perplexity(tokens, tokens, 50257))
