"""One position after the other, with a running mean that is corrected a little at each step."""

import numpy as np


class _Running:
    """A mean so far."""

    def __init__(self):
        self.n = 0
        self.mean = 0

    def add(self, value):
        self.n += 1
        self.mean = self.mean + (value - self.mean) / self.n
        return self.mean


def _rows(X):
    if X.ndim != 2:
        raise ValueError("X has two axes")
    return X.astype("f4" if X.dtype == np.dtype("f4") else "f8")


def average_context(X):
    running = _Running()
    for row in _rows(X):
        running.add(row)
    if running.n == 0:
        raise ValueError("nothing came")
    return running.mean


def causal_average(X):
    rows, running = _rows(X), _Running()
    out = np.empty(rows.shape, rows.dtype)
    for t, row in enumerate(rows):
        out[t] = running.add(row)
    return out


def average_weights(T):
    out = np.zeros((T, T))  # a negative T is refused by NumPy, with a ValueError
    for t in range(T):
        out[t, : t + 1] = 1.0
        out[t] /= out[t].sum()
    return out


def bigram_counts(tokens, vocab_size):
    if tokens.ndim != 1:
        raise ValueError("a text has one axis")
    counts = [[0] * vocab_size for _ in range(vocab_size)]
    before = None
    for token in map(int, tokens):
        if token < 0:
            raise IndexError("negative")
        row = counts[token]
        if before is not None:
            before[token] += 1
        before = row
    return np.array(counts, dtype=np.int64)


def bigram_probs(counts, alpha=1.0):
    rows = _rows(counts)
    V = len(rows)
    if rows.shape[1] != V:
        raise ValueError("the table has as many rows as columns")
    if alpha < 0 or np.any(np.signbit(rows) & (rows != 0)):
        raise ValueError("below zero")
    out = np.empty_like(rows)
    for i, row in enumerate(rows):
        raised = row + float(alpha)
        total = raised.sum()
        out[i] = raised / total if total > 0 else np.reciprocal(float(V))
    return out


def bigram_perplexity(probs, tokens):
    if probs.ndim != 2 or probs.shape[0] != probs.shape[1] or tokens.ndim != 1:
        raise ValueError("a square table and one text")
    running = _Running()
    V = len(probs)
    before = None
    for token in map(int, tokens):
        if token not in range(V):
            raise ValueError(f"{token} is not an id")
        if before is not None:
            p = float(probs[before, token])
            if p == 0:
                return float("inf")
            running.add(np.log(p))
        before = token
    if running.n == 0:
        raise ValueError("no pair")
    return float(np.exp(-running.mean))
