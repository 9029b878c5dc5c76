"""Generation: from logits to one token, from one token to a text, and the same text with less work through a cache.

B sequences hold T tokens; V is the size of the vocabulary. A model is called as ``model(idx)`` or, with one `LayerCache`
for each of its blocks, as ``model(idx, cache=cache)``; it returns ``(logits, loss)`` with logits [B, T, V], and its
``config`` has block_size and n_layer. Sources: Lecture 20 and Homework 11; Radford et al. 2019, "Language Models are
Unsupervised Multitask Learners"; Holtzman et al. 2020, "The Curious Case of Neural Text Degeneration".
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from typing import Any, Protocol

import torch
from torch import Tensor, nn


class Tokenizer(Protocol):
    """What turns a text into token ids and back."""

    def encode(self, text: str, /) -> list[int]:
        """Return the token ids of a text."""
        ...

    def decode(self, tokens: list[int], /) -> str:
        """Return the text of token ids."""
        ...


class LayerCache:
    """The keys and values that one attention layer has computed so far."""

    def __init__(self) -> None:
        self._k: Tensor | None = None
        self._v: Tensor | None = None

    @property
    def length(self) -> int:
        """The number of positions kept."""
        return 0 if self._k is None else self._k.shape[-2]

    def append(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Keep the keys and values of the next positions, and return all so far.

        Args:
            k: Keys, [B, H, T_q, d / H].
            v: Values, [B, H, T_q, d / H].

        Returns:
            All keys and all values, [B, H, T_k, d / H] each.

        Raises:
            ValueError: The shapes do not fit each other.
            RuntimeError: They do not fit what is kept, which stays as it is.
        """
        require_shapes("B H T d_head, B H T d_head", k, v)
        if self._k is not None and self._v is not None:
            k, v = torch.cat([self._k, k], dim=-2), torch.cat([self._v, v], dim=-2)
        self._k, self._v = k, v
        return k, v


def require_shapes(pattern: str, *tensors: Tensor) -> None:
    """Check shapes against a pattern such as ``"B T"``, one part for each tensor.

    A name is one size wherever it stands, and ``...`` the same leading axes, possibly none.

    Raises:
        ValueError: The shapes do not fit; the message holds them all.
    """
    shapes = [tuple(tensor.shape) for tensor in tensors]
    sizes: dict[str, object] = {}
    for names, shape in zip([part.split() for part in pattern.split(",")], shapes, strict=True):
        lead = len(shape) - len(names) + 1
        axes = (shape[:lead], *shape[lead:]) if names[0] == "..." else shape
        if len(axes) != len(names) or any(sizes.setdefault(*axis) != axis[1] for axis in zip(names, axes, strict=True)):
            raise ValueError(f"shapes {' and '.join(map(str, shapes))} do not fit [{pattern.replace(', ', '] and [')}]")


def temperature_probs(logits: Tensor, temperature: float) -> Tensor:
    """Return the softmax of the logits divided by a temperature.

    Below 1 it sharpens the distribution, above 1 it flattens it. At 0 all probability is on the largest logit, the
    first one where several are.

    Args:
        logits: One score for each token of the vocabulary, [..., V].
        temperature: At least 0.

    Returns:
        The probabilities, [..., V].

    Raises:
        ValueError: The temperature is negative.

    Source: Lecture 20; Homework 11.
    """
    raise NotImplementedError("generation.temperature_probs")


def top_k_filter(logits: Tensor, k: int) -> Tensor:
    """Return the k largest logits where they stand, and -inf in the place of all others.

    What ties with the k-th stays too. A k beyond the vocabulary filters nothing.

    Args:
        logits: One score for each token of the vocabulary, [..., V].
        k: At least 1.

    Returns:
        The filtered logits, [..., V].

    Raises:
        ValueError: k is less than 1.

    Source: Homework 11; Fan et al. 2018, "Hierarchical Neural Story Generation", section 5.
    """
    raise NotImplementedError("generation.top_k_filter")


def top_p_filter(logits: Tensor, p: float) -> Tensor:
    """Return the logits of the nucleus where they stand, and -inf in the place of all others.

    The nucleus is the smallest set of most probable tokens whose probability is at least p: from the most probable one
    down, a token stays while the probability of those before it is less than p. So at least one does. Of equal logits
    the first counts as more probable.

    Args:
        logits: One score for each token of the vocabulary, [..., V].
        p: More than 0, at most 1; 1 filters nothing.

    Returns:
        The filtered logits, [..., V].

    Raises:
        ValueError: p is out of range.

    Source: Homework 11; Holtzman et al. 2020, section 3.1.
    """
    raise NotImplementedError("generation.top_p_filter")


def sample_next(
    logits: Tensor, *, temperature: float, top_k: int | None, top_p: float | None, generator: torch.Generator
) -> Tensor:
    """Draw a token from each row's distribution: the temperature first, then top-k, then top-p.

    Args:
        logits: One score for each token of the vocabulary, [B, V].
        temperature: At least 0; 0 takes the first of the largest.
        top_k: How many of the most probable tokens may be drawn, at least 1; None for all.
        top_p: The probability of the nucleus that may be drawn from, more than 0, at most 1; None for all.
        generator: Where chance comes from; on the device of the logits.

    Returns:
        Token ids, int64 [B].

    Raises:
        ValueError: The logits have not two axes, or a number is out of range.

    Source: Homework 11.
    """
    raise NotImplementedError("generation.sample_next")


def generate(
    model: nn.Module,
    idx: Tensor,
    max_new_tokens: int,
    *,
    temperature: float,
    top_k: int | None,
    top_p: float | None,
    generator: torch.Generator,
) -> Tensor:
    """Continue each sequence, token by token, in evaluation mode.

    The model sees the last block_size tokens. Afterwards its mode is what it was.

    Args:
        model: The model.
        idx: The prompts, int [B, T], T at least 1; they are left untouched.
        max_new_tokens: The number of tokens to add, at least 0.
        temperature: As in `sample_next`.
        top_k: As in `sample_next`.
        top_p: As in `sample_next`.
        generator: As in `sample_next`, which is called once for each new token.

    Returns:
        The prompts and what follows, int64 [B, T + max_new_tokens].

    Raises:
        ValueError: The prompts are empty or have not two axes, or a number is out of range.

    Source: Homework 11; Radford et al. 2019, section 3.
    """
    raise NotImplementedError("generation.generate")


def generate_cached(
    model: nn.Module,
    idx: Tensor,
    max_new_tokens: int,
    *,
    chunk_size: int | None = None,
    temperature: float,
    top_k: int | None,
    top_p: float | None,
    generator: torch.Generator,
) -> Tensor:
    """Continue each sequence as `generate` does, with keys and values kept: only what is new passes through the model.

    The prompt passes first, in chunks, then one position for each token. Prompt and new tokens together may have
    block_size positions at most. Beyond that `generate` drops the oldest token, and every other one moves to a position
    lower by one; but the keys and values in the cache were computed with the embeddings of the old positions, and with
    learned positions there is no way to turn one into the other.

    Args:
        model: The model.
        idx: The prompts, int [B, T], T at least 1; they are left untouched.
        max_new_tokens: The number of tokens to add, at least 0.
        chunk_size: How many positions of the prompt pass at once, at least 1; all where left out.
        temperature: As in `sample_next`.
        top_k: As in `sample_next`.
        top_p: As in `sample_next`.
        generator: As in `sample_next`, which is called once for each new token.

    Returns:
        The prompts and what follows, int64 [B, T + max_new_tokens].

    Raises:
        ValueError: The prompts are empty or have not two axes, a number is out of range, or there are more than
            block_size positions.

    Source: Homework 11; Pope et al. 2023, "Efficiently Scaling Transformer Inference", section 2.
    """
    raise NotImplementedError("generation.generate_cached")


def prompt_grid(
    model: nn.Module,
    tokenizer: Tokenizer,
    prompts: Sequence[str],
    temperatures: Sequence[float],
    max_new_tokens: int,
    seed: int,
) -> list[dict[str, Any]]:
    """Continue every prompt at every temperature.

    Args:
        model: The model.
        tokenizer: What turns a prompt into token ids, and token ids into a text.
        prompts: The prompts, each of a token at least.
        temperatures: The temperatures, at least 0 each.
        max_new_tokens: The number of tokens to add, at least 0.
        seed: The first row's seed; row i has seed + i.

    Returns:
        One dict for each prompt and temperature, with all of a prompt's together: ``prompt``, ``temperature``,
        ``seed``, and ``text``, the prompt and what follows.

    Raises:
        ValueError: A prompt is empty, or a number is out of range.

    Source: Homework 11.
    """
    raise NotImplementedError("generation.prompt_grid")
