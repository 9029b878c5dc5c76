"""The average as attention whose scores are all equal, and the bigram as a softmax of logarithms."""

import numpy as np


def _softmax(S):
    """Rows of scores to rows of shares; a row that is -inf throughout becomes uniform."""
    top = S.max(axis=-1, keepdims=True, initial=-np.inf)
    S = np.where(np.isneginf(top), 0, S - np.where(np.isneginf(top), 0, top))
    E = np.exp(S)
    return E / E.sum(axis=-1, keepdims=True)


def _values(X):
    if X.ndim != 2:
        raise ValueError(f"values are [T, d], got {X.shape}")
    return X.astype(np.float32, copy=False) if X.dtype == np.float32 else X.astype(np.float64)


def _attend(S, V):
    return _softmax(S).astype(V.dtype) @ V


def average_context(X):
    if X.ndim != 2 or X.size == 0 == len(X):
        raise ValueError("at least one position")
    [Z] = _attend(np.zeros((1, len(X))), _values(X))
    return Z


def _causal(T):
    return np.where(np.tri(T, dtype=bool), 0, -np.inf)


def causal_average(X):
    return _attend(_causal(len(X)), _values(X))


def average_weights(T):
    if T < 0:
        raise ValueError("a negative number of tokens")
    return _softmax(_causal(T))


def bigram_counts(tokens, vocab_size):
    if tokens.ndim != 1 or (tokens.size and not 0 <= tokens.min() <= tokens.max() < vocab_size):
        raise ValueError("ids out of range")
    query, key = tokens[:-1], tokens[1:]
    ids = np.arange(vocab_size)
    asks = query == ids[:, None]
    answers = key == ids[:, None]
    return np.array([[np.count_nonzero(a & b) for b in answers] for a in asks], dtype=np.int64)


def bigram_probs(counts, alpha=1.0):
    C = _values(counts)
    if len(set(C.shape)) > 1 or alpha < 0 or (C < 0).any():
        raise ValueError("a square table, nothing below 0")
    with np.errstate(divide="ignore"):
        return _softmax(np.log(C + np.full_like(C, alpha)))


def bigram_perplexity(probs, tokens):
    P = _values(probs).astype(np.float64)
    if len(set(P.shape)) > 1 or tokens.ndim != 1 or len(tokens) < 2:
        raise ValueError("a square table and a text with a pair")
    if tokens.min() < 0 or tokens.max() >= len(P):
        raise ValueError("ids out of range")
    with np.errstate(divide="ignore"):
        losses = -np.log(np.take_along_axis(P[tokens[:-1]], tokens[1:, None].astype(np.int64), axis=1))
    return np.exp(losses).item() if losses.size == 1 else float(np.exp(losses.mean()))
