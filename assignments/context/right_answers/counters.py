"""The standard library's tools: Counter, pairwise, accumulate, statistics."""

import math
import statistics
from collections import Counter
from itertools import accumulate, pairwise
from operator import add

import numpy as np


def precise(X):
    if len(X.shape) != 2:
        raise ValueError("not a matrix")
    return X.astype(np.float64), (np.float32 if X.dtype == np.float32 else np.float64)


def average_context(X):
    wide, dtype = precise(X)
    if len(X) == 0:
        raise ValueError("an empty context")
    return np.array([statistics.fmean(column) for column in wide.T], dtype=dtype)


def causal_average(X):
    wide, dtype = precise(X)
    out = np.zeros(X.shape, dtype)
    for t, total in enumerate(accumulate(wide, add)):
        out[t] = total / (t + 1)
    return out


def average_weights(T):
    if T < 0:
        raise ValueError("a length is not negative")
    rows = [[1 / t] * t + [0.0] * (T - t) for t in range(1, T + 1)]
    return np.array(rows, dtype=float).reshape(T, T)


def bigram_counts(tokens, vocab_size):
    if tokens.ndim != 1:
        raise ValueError("one text")
    text = tokens.tolist()
    if strangers := set(text) - set(range(vocab_size)):
        raise ValueError(f"not in the vocabulary: {strangers}")
    counts = np.zeros((vocab_size,) * 2, np.int64)
    for pair, n in Counter(pairwise(text)).items():
        counts[pair] = n
    return counts


def bigram_probs(counts, alpha=1.0):
    wide, dtype = precise(counts)
    if wide.shape != (len(wide),) * 2 or alpha < 0 or min(wide.ravel(), default=0) < 0:
        raise ValueError("no table of counts, or a negative alpha")

    def shares(row):
        raised = [count + alpha for count in row]
        total = math.fsum(raised)
        return [each / total for each in raised] if total else [1 / len(row)] * len(row)

    return np.array([shares(row) for row in wide.tolist()], dtype=dtype)


def bigram_perplexity(probs, tokens):
    wide, _ = precise(probs)
    if wide.shape != (len(wide),) * 2 or tokens.ndim != 1:
        raise ValueError("no square table or no single text")
    pairs = Counter(pairwise(tokens.tolist()))
    if not pairs:
        raise ValueError("no pair")
    if min(map(min, pairs)) < 0:
        raise IndexError("a negative id")
    p = {pair: float(wide[pair]) for pair in pairs}
    if 0 in p.values():
        return math.inf
    bits = math.fsum(n * -math.log2(p[pair]) for pair, n in pairs.items()) / pairs.total()
    return 2**bits
