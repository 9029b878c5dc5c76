"""Each result from the one before it; the text's probability as a mantissa and an exponent."""

import math
from functools import reduce

import numpy as np


def _start(X, *, least=0):
    if X.ndim != 2:
        raise ValueError("two axes")
    if len(X) < least:
        raise ValueError("too few rows")
    return np.array(X, dtype=X.dtype if X.dtype == np.float32 else float)


def average_context(X):
    out = _start(X, least=1)
    return reduce(np.add, out) / len(out)


def causal_average(X):
    out = _start(X)
    for t in range(1, len(out)):
        # The mean of t + 1 rows from the mean of t.
        out[t] = out[t - 1] * (t / (t + 1)) + out[t] / (t + 1)
    return out


def average_weights(T):
    if T < 0:
        raise ValueError("less than nothing")
    W = np.eye(T)
    for t in range(1, T):
        W[t] = (W[t - 1] * t + W[t]) / (t + 1)
    return W


def bigram_counts(tokens, vocab_size):
    if tokens.ndim != 1 or not np.isin(tokens, np.arange(vocab_size)).all():
        raise ValueError("no text of this vocabulary")
    ids = tokens.astype(np.int64)
    rows = [np.bincount(ids[1:][ids[:-1] == i], minlength=vocab_size) for i in range(vocab_size)]
    return np.stack(rows).astype(np.int64)


def bigram_probs(counts, alpha=1.0):
    P = _start(counts)
    if P.shape[0] != P.shape[1] or alpha < 0 or not (P >= 0).all():
        raise ValueError("no counts, or a negative alpha")
    for i in range(len(P)):
        P[i] += alpha
        total = P[i].sum()
        P[i] = P[i] / total if total else 1 / len(P)
    return P


def bigram_perplexity(probs, tokens):
    P = _start(probs)
    if P.shape[0] != P.shape[1] or tokens.ndim != 1 or tokens.size < 2:
        raise ValueError("no table, or no pair")
    mantissa, exponent = 1.0, 0
    last = tokens[0]
    for token in tokens[1:]:
        if last < 0 or token < 0:
            raise IndexError("ids count from 0")
        mantissa, shift = math.frexp(mantissa * float(P[last, token]))
        exponent += shift
        last = token
    n = len(tokens) - 1
    if mantissa == 0:
        return math.inf
    return mantissa ** (-1 / n) * 2.0 ** (-exponent / n)
