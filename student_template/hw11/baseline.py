"""What counting alone reaches: the perplexities that a trained model is to be compared with."""

from __future__ import annotations

import torch
from torch import Tensor


def unigram_perplexity(train: Tensor, val: Tensor, vocab_size: int, alpha: float = 1.0) -> float:
    """Return the perplexity of a guess by how frequent each token is, add-alpha.

    Args:
        train: The tokens that are counted, int64 [N].
        val: The tokens that are guessed, int64 [M]; the first one is not, so that the bigram guesses the same ones.
        vocab_size: V, the number of tokens in the vocabulary.
        alpha: What each count begins with.
    """
    counts = torch.bincount(train, minlength=vocab_size).double()  # [V]
    probs = (counts[val[1:]] + alpha) / (len(train) + alpha * vocab_size)  # [M - 1]
    return float((-probs.log().mean()).exp())


def bigram_perplexity(train: Tensor, val: Tensor, vocab_size: int, alpha: float = 1.0) -> float:
    """Return the perplexity of a guess by what followed the token before, add-alpha.

    Args:
        train: The tokens whose pairs are counted, int64 [N].
        val: The tokens that are guessed, all but the first, int64 [M].
        vocab_size: V, the number of tokens in the vocabulary.
        alpha: What each count begins with.
    """
    # Only the pairs that occur: a matrix of all of them has 20 GB with GPT-2's vocabulary.
    pairs, counts = (train[:-1] * vocab_size + train[1:]).unique(return_counts=True)  # ascending
    wanted = val[:-1] * vocab_size + val[1:]  # [M - 1]
    at = torch.searchsorted(pairs, wanted).clamp(max=len(pairs) - 1)
    together = torch.where(pairs[at] == wanted, counts[at], 0)
    first = torch.bincount(train[:-1], minlength=vocab_size)[val[:-1]]
    probs = (together + alpha) / (first + alpha * vocab_size).double()
    return float((-probs.log().mean()).exp())
