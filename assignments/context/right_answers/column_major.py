"""Positions are columns: arrays in Fortran order, sums along the last axis, and results turned back."""

import numpy as np


def _columns(X):
    """[d, T] in the dtype to compute in."""
    if X.ndim != 2:
        raise ValueError(f"two axes are needed, not {X.ndim}")
    return np.asfortranarray(X, dtype=np.float32 if X.dtype == np.float32 else np.float64).T


def average_context(X):
    columns = _columns(X)
    if columns.shape[1] == 0:
        raise ValueError("nothing to average")
    return columns @ np.full(columns.shape[1], 1 / columns.shape[1], dtype=columns.dtype)


def causal_average(X):
    columns = _columns(X)
    seen = np.arange(1, columns.shape[1] + 1, dtype=columns.dtype)
    return np.asfortranarray((np.cumsum(columns, axis=1) / seen).T)


def average_weights(T):
    if T < 0:
        raise ValueError("negative")
    down = np.triu(np.ones((T, T), order="F"))
    return (down / np.arange(1, T + 1)).T


def bigram_counts(tokens, vocab_size):
    if tokens.ndim != 1:
        raise ValueError("a text is one axis")
    if tokens.size and not 0 <= int(tokens.min()) <= int(tokens.max()) < vocab_size:
        raise ValueError("an id out of range")
    followers = np.zeros((vocab_size, vocab_size), dtype=np.int64, order="F")
    np.add.at(followers.T, (tokens[1:], tokens[:-1]), 1)  # a column for each token that is followed
    return followers


def bigram_probs(counts, alpha=1.0):
    columns = _columns(counts)
    if columns.shape[0] != columns.shape[1] or alpha < 0 or np.any(columns < 0):
        raise ValueError("no table of counts, or less than 0")
    raised = columns + np.asarray(alpha, dtype=columns.dtype)
    raised[:, raised.sum(axis=0) == 0] = 1
    return np.asfortranarray((raised / raised.sum(axis=0)).T)


def bigram_perplexity(probs, tokens):
    columns = _columns(probs).astype(np.float64)
    if columns.shape[0] != columns.shape[1] or tokens.ndim != 1 or tokens.shape[0] < 2:
        raise ValueError("a square table and a text of at least two tokens, please")
    if (tokens < 0).any():
        raise IndexError("negative ids")
    p = columns[tokens[1:], tokens[:-1]]
    return float(np.inf if p.min() == 0 else np.exp(np.mean(-np.log(p))))
