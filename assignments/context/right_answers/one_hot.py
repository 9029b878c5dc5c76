"""Everything is a matrix product: weights for averages, one-hot rows for tokens."""

import numpy as np


def _real(array):
    return array if array.dtype == np.float32 else array.astype(np.float64)


def _require(condition, message):
    if not condition:
        raise ValueError(message)


def _one_hot(tokens, V):
    """[T, V]; equality with every id, so that an id that is not there has an empty row."""
    _require(tokens.ndim == 1, "tokens have one axis")
    rows = tokens[:, np.newaxis] == np.arange(V)
    _require(rows.any(axis=1).all(), "an id is not in the vocabulary")
    return rows


def average_context(X):
    _require(X.ndim == 2 and len(X) > 0, f"no matrix with rows: {X.shape}")
    X = _real(X)
    return np.full(len(X), 1 / len(X), dtype=X.dtype) @ X


def average_weights(T):
    _require(T >= 0, "T is negative")
    seen = np.tril(np.ones((T, T)))
    return seen / (seen @ np.ones((T, 1)))


def causal_average(X):
    _require(X.ndim == 2, f"no matrix: {X.shape}")
    X = _real(X)
    return average_weights(len(X)).astype(X.dtype) @ X


def bigram_counts(tokens, vocab_size):
    rows = _one_hot(tokens, vocab_size).astype(np.int64)
    return rows[:-1].T @ rows[1:]


def bigram_probs(counts, alpha=1.0):
    _require(counts.ndim == 2 and counts.shape[0] == counts.shape[1], f"not square: {counts.shape}")
    _require(alpha >= 0, "alpha is negative")
    _require(not (counts < 0).any(), "a count is negative")
    C = _real(counts)
    C = C + np.array(alpha, dtype=C.dtype)
    empty = ~C.any(axis=1)
    C[empty] = 1
    return np.diag(1 / C.sum(axis=1)) @ C


def bigram_perplexity(probs, tokens):
    _require(probs.ndim == 2 and probs.shape[0] == probs.shape[1], f"not square: {probs.shape}")
    _require(len(tokens) > 1, "no pair")
    rows = _one_hot(tokens, len(probs))
    # No product of a 0 with a logarithm: the rows pick, they do not weigh.
    p = np.where(rows[1:], rows[:-1] @ probs.astype(np.float64), 0).sum(axis=1)
    with np.errstate(divide="ignore"):
        return np.exp(-np.mean(np.log(p)))
