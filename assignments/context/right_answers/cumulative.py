"""Running sums wherever they will do."""

import numpy as np


def _prepare(X):
    if np.ndim(X) != 2:
        raise ValueError(f"two axes are needed, got {np.shape(X)}")
    return np.asarray(X, dtype=np.float32 if X.dtype == np.float32 else np.float64)


def average_context(X):
    X = _prepare(X)
    if X.shape[0] == 0:
        raise ValueError("no positions")
    return np.add.accumulate(X, axis=0)[-1] / X.shape[0]


def causal_average(X):
    X = _prepare(X)
    n = np.cumsum(np.ones_like(X), axis=0)
    return np.cumsum(X, axis=0) / n


def average_weights(T):
    if T < 0:
        raise ValueError("T must not be negative")
    return causal_average(np.identity(T))


def bigram_counts(tokens, vocab_size):
    if tokens.ndim != 1 or any(t < 0 or t >= vocab_size for t in tokens):
        raise ValueError("tokens are one axis of ids")
    before, after = tokens[:-1], tokens[1:]
    order = np.lexsort((after, before))
    before, after = before[order].astype(np.intp), after[order].astype(np.intp)
    new = np.ones(len(order), dtype=bool)
    new[1:] = (np.diff(before) != 0) | (np.diff(after) != 0)
    starts = np.flatnonzero(new)
    counts = np.zeros((vocab_size, vocab_size), dtype=np.int64)
    counts[before[starts], after[starts]] = np.diff(np.append(starts, len(order)))
    return counts


def bigram_probs(counts, alpha=1.0):
    C = _prepare(counts)
    if C.shape[0] != C.shape[1] or alpha < 0 or np.min(C, initial=0) < 0:
        raise ValueError("counts are square and not negative, and neither is alpha")
    smoothed = C + C.dtype.type(alpha)
    totals = np.cumsum(smoothed, axis=1)[:, -1:]
    with np.errstate(invalid="ignore"):
        P = smoothed / totals
    P[np.isnan(P)] = 1 / len(C)
    return P


def bigram_perplexity(probs, tokens):
    P = _prepare(probs).astype(np.float64)
    if P.shape[0] != P.shape[1] or tokens.ndim != 1 or len(tokens) < 2:
        raise ValueError("a square table and a text of two tokens or more are needed")
    if np.min(tokens) < 0:
        raise ValueError("a negative id")
    with np.errstate(divide="ignore"):
        table = -np.log(P)
    surprise = np.cumsum(table[tokens[:-1], tokens[1:]])
    return float(np.exp(surprise[-1] / len(surprise)))
