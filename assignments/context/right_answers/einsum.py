"""Index notation throughout."""

import numpy as np


def _as(array):
    return np.asarray(array, dtype="float32" if array.dtype == np.float32 else "float64")


def _axes(array, n):
    if array.ndim != n:
        raise ValueError(f"{n} axes are needed, not {array.ndim}")


def average_context(X):
    _axes(X, 2)
    if X.shape[0] < 1:
        raise ValueError("no positions")
    return np.einsum("td->d", _as(X)) / X.shape[0]


def causal_average(X):
    _axes(X, 2)
    t = np.arange(X.shape[0])
    X = _as(X)
    sees = (t[:, None] >= t).astype(X.dtype)
    return np.einsum("ts,sd->td", sees, X) / np.einsum("ts->t", sees)[:, None]


def average_weights(T):
    if T < 0:
        raise ValueError(T)
    t, s = np.indices((T, T))
    return np.where(s <= t, 1 / (t + 1), 0)


def bigram_counts(tokens, vocab_size):
    _axes(tokens, 1)
    rows = np.zeros((len(tokens), vocab_size), dtype=np.int64)
    for row, token in zip(rows, tokens, strict=True):
        if token < 0:
            raise ValueError("a negative id")
        row[token] = 1
    return np.einsum("ti,tj->ij", rows[:-1], rows[1:])


def bigram_probs(counts, alpha=1.0):
    _axes(counts, 2)
    np.einsum("ii", counts)  # refuses a table that is not square
    if alpha < 0 or np.any(counts < 0):
        raise ValueError("below zero")
    C = _as(counts)
    C = C + np.asarray(alpha, dtype=C.dtype)
    total = np.einsum("ij->i", C)
    P = np.full_like(C, 1 / max(len(C), 1))
    known = total > 0
    P[known] = np.einsum("ij,i->ij", C[known], 1 / total[known])
    return P


def bigram_perplexity(probs, tokens):
    _axes(probs, 2)
    _axes(tokens, 1)
    if probs.shape[0] != probs.shape[1] or len(tokens) <= 1 or tokens.min() < 0:
        raise ValueError("no square table, no pair, or a negative id")
    counts = np.zeros(probs.shape)
    np.add.at(counts, (tokens[:-1], tokens[1:]), 1)
    used = counts > 0
    with np.errstate(divide="ignore"):
        nll = -np.einsum("p,p->", counts[used], np.log(probs[used].astype(float)))
    return np.exp(nll / counts.sum())
