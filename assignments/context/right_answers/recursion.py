"""Each answer from the same question about fewer positions."""

import math

import numpy as np


def _matrix(X, least=0):
    if X.ndim != 2 or len(X) < least:
        raise ValueError(f"a matrix of {least} rows or more is needed, not {X.shape}")
    return X if X.dtype == np.float32 else X.astype(np.float64)


def _total(rows):
    """The sum of rows, half by half."""
    if len(rows) == 1:
        return rows[0]
    middle = len(rows) // 2
    return _total(rows[:middle]) + _total(rows[middle:])


def average_context(X):
    X = _matrix(X, least=1)
    return _total(X) / X.dtype.type(len(X))


def causal_average(X):
    X = _matrix(X)
    if len(X) == 0:
        return X.copy()
    return np.concatenate([causal_average(X[:-1]), average_context(X)[np.newaxis]])


def average_weights(T):
    if T < 0:
        raise ValueError("there are no fewer than no positions")
    if T == 0:
        return np.zeros((0, 0))
    before = np.pad(average_weights(T - 1), ((0, 1), (0, 1)))
    before[-1] = 1 / T
    return before


def _counted(text, counts):
    """Count the pairs of a list of tokens, those of its halves and the one across."""
    if len(text) > 1:
        middle = len(text) // 2
        _counted(text[:middle], counts)
        counts[text[middle - 1], text[middle]] += 1
        _counted(text[middle:], counts)


def bigram_counts(tokens, vocab_size):
    if tokens.ndim != 1:
        raise ValueError("one text at a time")
    text = tokens.tolist()
    if any(token not in range(vocab_size) for token in text):
        raise IndexError("no token of the vocabulary")
    counts = np.zeros((vocab_size, vocab_size), dtype=np.int64)
    _counted(text, counts)
    return counts


def bigram_probs(counts, alpha=1.0):
    C = _matrix(counts)
    if C.shape[0] != C.shape[1] or (C < 0).any() or alpha < 0:
        raise ValueError("counts are square, and nothing is below 0")
    return _shared(C + C.dtype.type(alpha))


def _shared(rows):
    """The rows divided by their sums: the first, and below it the others."""
    if len(rows) == 0:
        return rows
    total = _total(rows[0])
    first = rows[0] / total if total > 0 else np.full_like(rows[0], 1 / len(rows[0]))
    return np.concatenate([first[np.newaxis], _shared(rows[1:])])


def bigram_perplexity(probs, tokens):
    P = _matrix(probs).astype(np.float64)
    # What is no text, or no text of this table, is found by counting it.
    counts = bigram_counts(tokens, len(P))
    if P.shape != counts.shape or len(tokens) < 2:
        raise ValueError("a square table and a pair are needed")
    surprise = [-n * math.log(p) if p else math.inf for n, p in zip(counts.flat, P.flat, strict=True) if n]
    with np.errstate(over="ignore"):
        return float(np.exp(_total(surprise) / (len(tokens) - 1)))
