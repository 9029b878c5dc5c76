"""Plain Python on lists of numbers, as one writes it before one knows NumPy."""

from math import exp, fsum, inf, log

import numpy as np


def _floats(X):
    if X.ndim != 2:
        raise ValueError("a matrix is needed")
    return X.astype(float).tolist(), np.float32 if X.dtype == np.float32 else np.float64


def average_context(X):
    rows, dtype = _floats(X)
    if not rows:
        raise ValueError("nothing to average")
    return np.array([fsum(column) / len(rows) for column in zip(*rows, strict=True)], dtype=dtype)


def causal_average(X):
    rows, dtype = _floats(X)
    out = []
    for t in range(len(rows)):
        out.append([])
        for c in range(len(rows[0])):
            total = 0.0
            for s in range(t + 1):
                total += rows[s][c]
            out[t].append(total / (t + 1))
    return np.array(out, dtype=dtype).reshape(X.shape)


def average_weights(T):
    if T < 0:
        raise ValueError("T is negative")
    W = np.zeros((T, T))
    for t in range(T):
        for s in range(t + 1):
            W[t, s] = 1 / (t + 1)
    return W


def bigram_counts(tokens, vocab_size):
    if tokens.ndim != 1:
        raise ValueError("one text at a time")
    text = tokens.tolist()
    for token in text:
        if not 0 <= token < vocab_size:
            raise IndexError(f"there is no token {token}")
    counts = np.zeros((vocab_size, vocab_size), dtype=np.int64)
    for t in range(len(text) - 1):
        counts[text[t], text[t + 1]] += 1
    return counts


def bigram_probs(counts, alpha=1.0):
    rows, dtype = _floats(counts)
    V = len(rows)
    if counts.shape != (V, V):
        raise ValueError("the table is not square")
    if alpha < 0:
        raise ValueError("alpha is negative")
    probs = np.zeros((V, V), dtype=dtype)
    for i in range(V):
        total = 0
        for count in rows[i]:
            if count < 0:
                raise ValueError("a count is negative")
            total += count + alpha
        for j in range(V):
            probs[i, j] = 1 / V if total == 0 else (rows[i][j] + alpha) / total
    return probs


def bigram_perplexity(probs, tokens):
    table, _ = _floats(probs)
    text = tokens.tolist()
    if probs.shape != (len(table), len(table)) or tokens.ndim != 1:
        raise ValueError("a square table and one text are needed")
    if len(text) < 2:
        raise ValueError("there is no pair")
    if min(text) < 0:
        raise ValueError("an id is negative")
    total = 0.0
    for t in range(1, len(text)):
        p = table[text[t - 1]][text[t]]
        if p == 0:
            return inf
        total -= log(p)
    return exp(total / (len(text) - 1))
