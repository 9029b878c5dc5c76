"""Objects that know what they are; the functions asked for are thin doors to them."""

import dataclasses
import functools
import math

import numpy as np


@dataclasses.dataclass(frozen=True)
class Sequence:
    """Rows of one text."""

    X: np.ndarray

    def __post_init__(self):
        if self.X.ndim != 2:
            raise ValueError(f"shape {self.X.shape} is not [T, d]")

    @functools.cached_property
    def rows(self):
        exact = self.X.dtype == np.float32
        return self.X.copy() if exact else self.X.astype(float)

    def until(self, t):
        return Sequence(self.rows[:t])

    def mean(self):
        if not len(self.rows):
            raise ValueError("an empty sequence has no mean")
        return np.mean(self.rows, axis=0)

    def means(self):
        yield from (self.until(t).mean() for t in range(1, len(self.rows) + 1))


@dataclasses.dataclass(frozen=True)
class Text:
    tokens: np.ndarray
    vocab_size: int

    def __post_init__(self):
        if self.tokens.ndim != 1:
            raise ValueError("a text has one axis")
        for token in self.tokens:
            if not 0 <= token < self.vocab_size:
                raise ValueError(f"{token} is not one of {self.vocab_size}")

    def __iter__(self):
        for t in range(1, len(self.tokens)):
            yield int(self.tokens[t - 1]), int(self.tokens[t])


class Bigram:
    def __init__(self, table):
        if table.ndim != 2 or table.shape[0] != table.shape[1]:
            raise ValueError("a bigram's table is square")
        self.table = table

    @classmethod
    def of(cls, text):
        model = cls(np.zeros((text.vocab_size, text.vocab_size), dtype=np.int64))
        for pair in text:
            model.table[pair] += 1
        return model

    def smoothed(self, alpha):
        if min(alpha, self.table.min()) < 0:
            raise ValueError("neither counts nor alpha are negative")
        kind = "float32" if self.table.dtype == "float32" else "float64"
        C = self.table.astype(kind) + np.dtype(kind).type(alpha)
        rows = [row / row.sum() if row.any() else np.ones_like(row) / row.size for row in C]
        return Bigram(np.stack(rows))

    def surprise(self, pair):
        p = float(self.table[pair])
        return -math.log(p) if p else math.inf

    def perplexity(self, text):
        surprises = [self.surprise(pair) for pair in text]
        if not surprises:
            raise ValueError("nothing to predict")
        return math.exp(math.fsum(surprises) / len(surprises))


def average_context(X):
    return Sequence(X).mean()


def causal_average(X):
    sequence = Sequence(X)
    return np.concatenate([np.empty((0, X.shape[1]), sequence.rows.dtype), *(m[None] for m in sequence.means())])


def average_weights(T):
    return causal_average(np.eye(T))


def bigram_counts(tokens, vocab_size):
    return Bigram.of(Text(tokens, vocab_size)).table


def bigram_probs(counts, alpha=1.0):
    return Bigram(counts).smoothed(alpha).table


def bigram_perplexity(probs, tokens):
    return Bigram(probs).perplexity(Text(tokens, len(probs)))
