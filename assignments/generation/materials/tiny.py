"""What the tests generate with: two small models, whose weights they give, and a tokenizer of letters.

Both models are called as the course's GPT is, ``model(idx)`` or ``model(idx, cache=cache)`` with one cache for each layer, and
return ``(logits, loss)``. They compute in float64, raise where more than block_size positions come, those in the cache
included, and drop everything in training mode where dropout is 1. Of a cache they use ``length`` and ``append(k, v)``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F


@dataclass(frozen=True)
class Config:
    """What a model says of itself."""

    block_size: int
    n_layer: int


class _Counting(nn.Module):
    """A model that counts the positions that it is shown.

    Args:
        config: The model's numbers.
        dropout: The probability with which an entry is dropped in training mode.
        budget: How many positions it may be shown altogether; None for any number.
        widest: How many it may be shown at once; None for any number.
    """

    def __init__(self, config: Config, dropout: float, budget: int | None, widest: int | None) -> None:
        super().__init__()
        self.config = config
        self.drop = nn.Dropout(dropout)
        self._left = math.inf if budget is None else budget
        self._widest = math.inf if widest is None else widest

    def positions(self, idx: Tensor, cache: Sequence[Any] | None) -> Tensor:
        """Count the tokens, int [B, T], and return where they stand: int [T]."""
        T, past = idx.shape[1], cache[0].length if cache else 0
        if past + T > self.config.block_size:
            raise ValueError(f"{past + T} positions are more than block_size = {self.config.block_size}")
        if self._widest < T:
            raise RuntimeError(f"this model was shown {T} positions at once, and has room for {self._widest}")
        self._left -= T
        if self._left < 0:
            raise RuntimeError("this model was shown more positions than there are: some must have come twice")
        return torch.arange(past, past + T)


class TinyGPT(_Counting):
    """A GPT of attention alone, with learned positions: it depends on every token and on where each stands.

    Args:
        wte: What each token is, [V, d].
        wpe: What each position is, [block_size, d].
        layers: For each layer the weights of queries, keys and values, [d, 3 d], and those of its output, [d, d].
        head: From the last layer to the logits, [d, V].
        n_head: The number of heads, which divides d.
        dropout: See `_Counting`, as for the others.
    """

    def __init__(
        self,
        wte: Tensor,
        wpe: Tensor,
        layers: Sequence[Sequence[Tensor]],
        head: Tensor,
        *,
        n_head: int,
        dropout: float = 0.0,
        budget: int | None = None,
        widest: int | None = None,
    ) -> None:
        super().__init__(Config(len(wpe), len(layers)), dropout, budget, widest)
        self.wte, self.wpe, self.head = nn.Parameter(wte), nn.Parameter(wpe), nn.Parameter(head)
        self.layers = nn.ModuleList(nn.ParameterList(list(layer)) for layer in layers)
        self._n_head = n_head

    def forward(self, idx: Tensor, targets: None = None, cache: Sequence[Any] | None = None) -> tuple[Tensor, None]:
        """Return the logits of each token's successor, [B, T, V]."""
        del targets
        if cache is not None and len(cache) != len(self.layers):
            raise ValueError(f"{len(self.layers)} layers need as many caches, got {len(cache)}")
        x = self.drop(self.wte[idx] + self.wpe[self.positions(idx, cache)])  # [B, T, d]
        for i, (w_qkv, w_o) in enumerate(self.layers):
            q, k, v = (self._heads(part) for part in (_norm(x) @ w_qkv).chunk(3, dim=-1))  # [B, H, T, d / H] each
            if cache is not None:
                k, v = cache[i].append(k, v)  # [B, H, T_k, d / H] each
            visible = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool).tril(k.shape[-2] - q.shape[-2])
            scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~visible, -math.inf)  # [B, H, T, T_k]
            x = x + (scores.softmax(dim=-1) @ v).transpose(1, 2).flatten(2) @ w_o  # [B, T, d]
        return _norm(x) @ self.head, None  # [B, T, V]

    def _heads(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self._n_head, -1)).transpose(1, 2)  # [B, T, d] -> [B, H, T, d / H]


class Chain(_Counting):
    """A model whose next token depends on the last one alone.

    Args:
        logits: Row i holds the logits after token i, [V, V].
        block_size: How many positions it may be shown.
        dropout: See `_Counting`, as for the others.
    """

    def __init__(
        self,
        logits: Tensor,
        block_size: int,
        *,
        dropout: float = 0.0,
        budget: int | None = None,
        widest: int | None = None,
    ) -> None:
        super().__init__(Config(block_size, 1), dropout, budget, widest)
        self.logits = nn.Parameter(logits)

    def forward(self, idx: Tensor, targets: None = None, cache: Sequence[Any] | None = None) -> tuple[Tensor, None]:
        """Return the logits of each token's successor, [B, T, V]."""
        del targets
        self.positions(idx, cache)
        if cache is not None:
            nothing = self.logits.new_zeros(len(idx), 1, idx.shape[1], 1)
            cache[0].append(nothing, nothing)
        return self.drop(self.logits[idx]), None


class Letters:
    """A tokenizer: token i is the i-th letter.

    Args:
        letters: The vocabulary.
    """

    def __init__(self, letters: str) -> None:
        self._letters = letters

    def encode(self, text: str) -> list[int]:
        """Return the token ids of a text."""
        return [self._letters.index(letter) for letter in text]

    def decode(self, tokens: list[int]) -> str:
        """Return the text of token ids."""
        return "".join(self._letters[token] for token in tokens)


def manual_seed(seed: int) -> None:
    """Seed torch's own generator, the one that nobody should draw tokens from."""
    torch.default_generator.manual_seed(seed)


def _norm(x: Tensor) -> Tensor:
    return F.layer_norm(x, x.shape[-1:])
