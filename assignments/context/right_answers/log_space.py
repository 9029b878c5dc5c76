"""Shares are differences of logarithms, and float32 stays float32 in every step."""

import numpy as np


def _log_of(array):
    with np.errstate(divide="ignore"):
        return np.log(array)


def _dtype(array):
    return np.float32 if array.dtype == np.float32 else np.float64


def _rows(array, name):
    if array.ndim != 2:
        raise ValueError(f"{name} has two axes")
    return array.astype(_dtype(array))


def average_context(X):
    X = _rows(X, "X")
    if not len(X):
        raise ValueError("X has no rows")
    return np.exp(_log_weights(len(X))[-1]).astype(X.dtype) @ X


def _log_weights(T):
    """Row t: -log(t + 1) where it sees, -inf where it does not."""
    t, s = np.ogrid[:T, :T]
    return np.where(s > t, -np.inf, -np.log(t + 1.0))


def causal_average(X):
    X = _rows(X, "X")
    return np.exp(_log_weights(len(X))).astype(X.dtype) @ X


def average_weights(T):
    if T < 0:
        raise ValueError("T is negative")
    return np.exp(_log_weights(T))


def bigram_counts(tokens, vocab_size):
    if len(tokens.shape) != 1:
        raise ValueError("tokens has one axis")
    known = np.zeros(vocab_size, dtype=bool)
    wide = tokens.astype(np.int64)
    if wide.size and (wide < 0).any():
        raise ValueError("ids are not negative")
    known[wide] = True  # an id beyond the vocabulary is an IndexError
    pairs, often = np.unique(np.stack([wide[:-1], wide[1:]], axis=1).reshape(-1, 2), axis=0, return_counts=True)
    counts = np.zeros((vocab_size, vocab_size), dtype=np.int64)
    counts[tuple(pairs.T)] = often
    return counts


def bigram_probs(counts, alpha=1.0):
    C = _rows(counts, "counts")
    if C.shape != C.shape[::-1] or not alpha >= 0 or not (C >= 0).all():
        raise ValueError("square counts and an alpha, none below 0")
    logits = _log_of(C + C.dtype.type(alpha))
    logits[np.isneginf(logits).all(axis=1)] = 0
    return np.exp(logits - np.logaddexp.reduce(logits, axis=1, keepdims=True))


def bigram_perplexity(probs, tokens):
    log_P = _log_of(_rows(probs, "probs").astype(np.float64))
    if log_P.shape != log_P.shape[::-1] or tokens.ndim != 1 or len(tokens) <= 1:
        raise ValueError("a square table and a pair of tokens are needed")
    if (tokens < 0).any() or (tokens >= len(log_P)).any():
        raise ValueError("ids out of range")
    log_p = np.take(log_P.ravel(), tokens[:-1].astype(int) * len(log_P) + tokens[1:].astype(int))
    with np.errstate(over="ignore"):
        return float(np.exp(-np.average(log_p)))
