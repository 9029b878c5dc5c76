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
    # BEGIN SOLUTION
    if not temperature >= 0:
        raise ValueError(f"a temperature is at least 0, got {temperature}")
    if temperature < torch.finfo(logits.dtype).tiny:  # in this dtype it is 0, and would be divided by
        first = logits.argmax(dim=-1, keepdim=True)  # [..., 1]
        return torch.zeros_like(logits).scatter(-1, first, 1.0)
    # The largest logit is taken out before the division, not after: a small temperature would make it infinite.
    m = logits.detach().amax(dim=-1, keepdim=True)  # [..., 1]
    return ((logits - m) / temperature).softmax(dim=-1)  # [..., V]
    # END SOLUTION


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
    # BEGIN SOLUTION
    if k < 1:
        raise ValueError(f"at least one token is kept, got k = {k}")
    kth = logits.topk(min(k, logits.shape[-1])).values[..., -1:]  # [..., 1], the smallest that stays
    return logits.masked_fill(logits < kth, -math.inf)
    # END SOLUTION


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
    # BEGIN SOLUTION
    if not 0 < p <= 1:
        raise ValueError(f"a probability above 0 and at most 1 is needed, got p = {p}")
    if p == 1:
        return logits.clone()  # the sum below may round to 1 too early, and would cut off the least probable tokens
    ordered, order = logits.sort(descending=True, stable=True)  # [..., V] each
    probs = ordered.softmax(dim=-1)
    before = probs.cumsum(dim=-1) - probs  # [..., V], exactly 0 for the first, so that one token always stays
    kept = torch.empty_like(before, dtype=torch.bool).scatter(-1, order, before < p)  # back to the vocabulary's order
    return logits.masked_fill(~kept, -math.inf)
    # END SOLUTION


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
    # BEGIN SOLUTION
    require_shapes("B V", logits)
    logits = temperature_probs(logits, temperature).log()  # logits again, each row shifted by a constant
    if top_k is not None:
        logits = top_k_filter(logits, top_k)
    if top_p is not None:
        logits = top_p_filter(logits, top_p)
    return torch.multinomial(logits.softmax(dim=1), 1, generator=generator).flatten()  # [B, 1] -> [B]
    # END SOLUTION


# BEGIN SOLUTION
@contextmanager
def _evaluating(model: nn.Module) -> Iterator[None]:
    """Keep a model in evaluation mode, without gradients; afterwards each of its modules has its own mode again."""
    modes = {module: module.training for module in model.modules()}
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        for module, mode in modes.items():
            module.training = mode


def _checked(idx: Tensor, max_new_tokens: int) -> Tensor:
    """Return a copy of the prompts, to which tokens can be added: int [B, T] -> int64 [B, T]."""
    require_shapes("B T", idx)
    if idx.shape[1] < 1 or max_new_tokens < 0:
        raise ValueError(
            f"a prompt has a token at least, got {idx.shape[1]}; new ones are 0 or more, got {max_new_tokens}"
        )
    return idx.long().clone()


# END SOLUTION


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
    # BEGIN SOLUTION
    idx = _checked(idx, max_new_tokens)
    block_size = model.config.block_size
    with _evaluating(model):
        for _ in range(max_new_tokens):
            logits, _ = model(idx[:, -block_size:])  # [B, min(T, block_size), V]
            token = sample_next(
                logits[:, -1], temperature=temperature, top_k=top_k, top_p=top_p, generator=generator
            )  # [B], from the last position, which alone has seen them all
            idx = torch.cat([idx, token[:, None]], dim=1)  # [B, T + 1]
    return idx
    # END SOLUTION


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
    # BEGIN SOLUTION
    idx = _checked(idx, max_new_tokens)
    T, block_size = idx.shape[1], model.config.block_size
    if T + max_new_tokens > block_size:
        raise ValueError(
            f"{T} + {max_new_tokens} positions are more than block_size = {block_size}: "
            "what is cached was computed at its learned position, and cannot move to another"
        )
    if chunk_size is not None and chunk_size < 1:
        raise ValueError(f"a chunk has at least one position, got {chunk_size}")
    cache = [LayerCache() for _ in range(model.config.n_layer)]
    unseen = idx.split(chunk_size or T, dim=1)  # what the model has not seen yet: [B, chunk_size] each
    with _evaluating(model):
        for _ in range(max_new_tokens):
            for chunk in unseen:
                logits, _ = model(chunk, cache=cache)  # [B, chunk_size, V]
            token = sample_next(
                logits[:, -1], temperature=temperature, top_k=top_k, top_p=top_p, generator=generator
            )  # [B]
            unseen = (token[:, None],)  # [B, 1]
            idx = torch.cat([idx, *unseen], dim=1)  # [B, T + 1]
    return idx
    # END SOLUTION


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
    # BEGIN SOLUTION
    device = next(model.parameters()).device
    rows: list[dict[str, Any]] = []
    for i, (prompt, temperature) in enumerate(product(prompts, temperatures)):
        generator = torch.Generator(device).manual_seed(seed + i)  # its own: a row does not depend on those before it
        idx = torch.tensor([tokenizer.encode(prompt)], device=device)  # [1, T]
        [tokens] = generate(
            model, idx, max_new_tokens, temperature=temperature, top_k=None, top_p=None, generator=generator
        )  # [1, T + max_new_tokens]
        text = tokenizer.decode(tokens.tolist())
        rows.append({"prompt": prompt, "temperature": temperature, "seed": seed + i, "text": text})
    return rows
    # END SOLUTION
