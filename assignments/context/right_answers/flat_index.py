"""Pairs as single numbers, logarithms to base 2, and as few intermediate arrays as will do."""

import numpy as np


def _dtype(array):
    return {"float32": np.float32}.get(array.dtype.name, np.float64)


def average_context(X):
    T, d = X.shape
    if not T:
        raise ValueError("T = 0")
    out = np.zeros(d, _dtype(X))
    np.add.at(out, np.tile(np.arange(d), T), X.ravel().astype(out.dtype))
    out *= out.dtype.type(1 / T)
    return out


def causal_average(X):
    T, d = X.shape
    out = np.array(X, dtype=_dtype(X), copy=True)
    for t in range(1, T):
        out[t] += out[t - 1]
    for t in range(T):
        out[t] /= t + 1
    return out.reshape(T, d)


def average_weights(T):
    if T < 0:
        raise ValueError("T < 0")
    W = np.zeros(T * T)
    for t in range(T):
        W[t * T : t * T + t + 1] = 1 / (t + 1)
    return W.reshape(T, T)


def _flat(tokens, V):
    if tokens.ndim != 1:
        raise ValueError("tokens [T]")
    # Raises a ValueError for an id that is out of range.
    np.ravel_multi_index((tokens.astype(np.int64),), (max(V, 1),))
    return np.ravel_multi_index((tokens[:-1].astype(np.int64), tokens[1:].astype(np.int64)), (V, V))


def bigram_counts(tokens, vocab_size):
    return np.bincount(_flat(tokens, vocab_size), minlength=vocab_size**2).astype(np.int64).reshape(vocab_size, -1)


def bigram_probs(counts, alpha=1.0):
    rows, columns = counts.shape
    if rows != columns:
        raise ValueError(f"{rows} rows and {columns} columns")
    if alpha < 0 or counts.min() < 0:
        raise ValueError("negative")
    out = np.array(counts, dtype=_dtype(counts))
    out += alpha
    out[out.max(axis=1) == 0] = 1
    out /= np.sum(out, axis=1, keepdims=True)
    return out


def bigram_perplexity(probs, tokens):
    rows, columns = probs.shape
    if rows != columns or len(tokens) < 2:
        raise ValueError("a square table and a pair are needed")
    p = np.take(probs, _flat(tokens, rows)).astype(np.float64)
    with np.errstate(divide="ignore"):
        return float(np.exp2(-np.average(np.log2(p))))
