"""Context without attention: the average of what came before, and the bigram, which looks one token back.

T is the number of positions of a sequence, d the width of the vector at each, and V the size of the vocabulary. Sources:
Lecture 20, from averaged context to attention; Jurafsky and Martin, "Speech and Language Processing", chapter 3, for the
bigram, add-alpha smoothing and perplexity.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.floating]
Tokens = NDArray[np.integer]


def computing_dtype(*arrays: ArrayLike) -> np.dtype:
    """Return the dtype to compute in: float32 if every array is float32, else float64.

    Raises:
        ValueError: An array does not hold real numbers.
    """
    dtypes = [np.asarray(array).dtype for array in arrays]
    if unreal := [dtype for dtype in dtypes if dtype.kind not in "biuf"]:
        raise ValueError(f"arrays of real numbers are needed, got {unreal[0]}")
    return np.dtype(np.float32 if all(dtype == np.float32 for dtype in dtypes) else np.float64)


def require_shapes(pattern: str, *arrays: ArrayLike) -> None:
    """Check shapes against a pattern such as ``"T d, V V"``, one part for each array.

    A name is one size wherever it stands (``2`` is only a name too), and ``...`` the same leading axes, possibly none.

    Raises:
        ValueError: The shapes do not fit; the message holds them all.
    """
    shapes = [np.shape(array) for array in arrays]
    sizes: dict[str, object] = {}
    for names, shape in zip([part.split() for part in pattern.split(",")], shapes, strict=True):
        lead = len(shape) - len(names) + 1
        axes = (shape[:lead], *shape[lead:]) if names[0] == "..." else shape
        if len(axes) != len(names) or any(sizes.setdefault(*axis) != axis[1] for axis in zip(names, axes, strict=True)):
            raise ValueError(f"shapes {' and '.join(map(str, shapes))} do not fit [{pattern.replace(', ', '] and [')}]")


def require_tokens(tokens: Tokens, vocab_size: int) -> None:
    """Check that tokens is one axis of integer ids from 0 to vocab_size - 1.

    Raises:
        ValueError: It is not; the message holds its shape or dtype, or the first id out of range.
    """
    require_shapes("T", tokens)
    tokens = np.asarray(tokens)
    if tokens.dtype.kind not in "iu":
        raise ValueError(f"token ids are integers, not {tokens.dtype}")
    if (wrong := tokens[(tokens < 0) | (tokens >= vocab_size)]).size:
        raise ValueError(f"token id {wrong[0]} is not in a vocabulary of {vocab_size}")


def average_context(X: Array) -> Array:
    """Return the context in which every position counts alike: the mean of the rows of X.

    Args:
        X: One row for each position, [T, d], with T at least 1.

    Returns:
        The mean over the positions, [d]: float32 for float32, else float64.

    Raises:
        ValueError: X has no positions, or not two axes.

    Source: Lecture 20, averaged context.
    """
    raise NotImplementedError("context.average")


def causal_average(X: Array) -> Array:
    """Return, for each position, the mean of the rows up to and including its own.

    Args:
        X: One row for each position, [T, d].

    Returns:
        The averages, [T, d]: row t is the mean of rows 0 to t. float32 for float32, else float64.

    Raises:
        ValueError: X has not two axes.

    Source: Lecture 20, averaged context.
    """
    raise NotImplementedError("context.causal_average")


def average_weights(T: int) -> Array:
    """Return the weights W with which causal_average(X) = W X.

    W is lower-triangular, for no position sees a later one, and row-stochastic: the t + 1 positions that row t sees share
    one unit equally. Attention keeps both properties and computes the shares from what the positions hold.

    Args:
        T: The number of positions, at least 0.

    Returns:
        The weights W, float64 [T, T].

    Raises:
        ValueError: T is negative.

    Source: Lecture 20, averaged context.
    """
    raise NotImplementedError("context.average_weights")


def bigram_counts(tokens: Tokens, vocab_size: int) -> NDArray[np.int64]:
    """Return how often each token follows each other one.

    Args:
        tokens: A text as token ids, integers [T], each from 0 to vocab_size - 1.
        vocab_size: The size V of the vocabulary; not every id need occur.

    Returns:
        The counts, int64 [V, V]: entry [i, j] is how many times j comes right after i. All 0 for fewer than two tokens.

    Raises:
        ValueError: An id is out of range (an IndexError will do as well), or tokens is not one axis of integers.

    Source: Lecture 20, the bigram baseline; Jurafsky and Martin, section 3.1.
    """
    raise NotImplementedError("context.bigram_counts")


def bigram_probs(counts: NDArray[np.number], alpha: float = 1.0) -> Array:
    """Return the probability of each token after each other one, with add-alpha smoothing.

    P[i, j] = (counts[i, j] + alpha) / (sum over k of counts[i, k] + alpha V). Every row sums to 1. Where nothing is known
    of a token, no count and no alpha, every follower is equally likely.

    Args:
        counts: How often j follows i, [V, V], not negative.
        alpha: What is added to every count, at least 0.

    Returns:
        The probabilities P, [V, V]: float32 for float32, else float64.

    Raises:
        ValueError: counts is not square, or a count or alpha is negative.

    Source: Lecture 20, the bigram baseline; Jurafsky and Martin, section 3.6.
    """
    raise NotImplementedError("context.bigram_probs")


def bigram_perplexity(probs: Array, tokens: Tokens) -> float:
    """Return how many equally likely choices the model was left with, on average, at each token of a text.

    exp of the mean negative log-likelihood of the T - 1 pairs, with natural logarithms. The first token is given and not
    predicted.

    Args:
        probs: The probability of j after i, [V, V].
        tokens: A text as token ids, integers [T], T at least 2, each from 0 to V - 1.

    Returns:
        The perplexity, at least 1; inf where a pair of the text has probability 0.

    Raises:
        ValueError: There are fewer than two tokens, an id is out of range (an IndexError will do as well), probs is not
            square, or tokens is not one axis of integers.

    Source: Lecture 20, the bigram baseline; Jurafsky and Martin, section 3.3.
    """
    raise NotImplementedError("context.bigram_perplexity")
