"""The layers of GPT-2, from LayerNorm and GELU to a block that reads from a cache.

Shapes are written as the lecture writes them: B sequences of T tokens, each a row of width d (``d_model``), in H heads
(``n_head``) of width d / H. With a cache T_q new tokens are the queries and T_k tokens, old and new, the keys. A layer
computes on the device and in the dtype of its input. Parameters have GPT-2's names, so that published weights fit, and
``nn.Linear``'s orientation, [out, in]. Sources: Lecture 20; Vaswani et al. 2017, "Attention Is All You Need"; Radford
et al. 2019, "Language Models are Unsupervised Multitask Learners", whose code fixes what its text leaves open.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class GPTConfig:
    """The numbers that make a GPT.

    Args:
        vocab_size: V, the number of tokens in the vocabulary.
        block_size: The number of positions, which is the longest sequence.
        n_layer: L, the number of blocks.
        n_head: H, the number of heads in each block; divides d_model.
        d_model: d, the width of a token's row.
        dropout: The probability with which an entry is dropped, in training mode only.
        bias: Whether linear layers and LayerNorms add a bias.
    """

    vocab_size: int
    block_size: int
    n_layer: int
    n_head: int
    d_model: int
    dropout: float = 0.0
    bias: bool = True


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
    """Check shapes against a pattern such as ``"... T d, d"``, one part for each tensor.

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


class LayerNorm(nn.Module):
    """Layer normalisation: each row to mean 0 and variance 1, then stretched by ``weight`` and shifted by ``bias``.

    ``weight`` [d] begins as ones and ``bias`` [d] as zeros.

    Args:
        d: The width of a row.
        eps: What is added to the variance, so that a constant row has no division by 0.
        bias: Whether there is a bias.

    Source: Lecture 20, the block; Ba et al. 2016, "Layer Normalization", eq. 3 and 4.
    """

    def __init__(self, d: int, eps: float = 1e-5, bias: bool = True) -> None:
        super().__init__()
        raise NotImplementedError("layers.layernorm")

    def forward(self, x: Tensor) -> Tensor:
        """Return the normalised rows.

        Args:
            x: Rows, [..., d].

        Returns:
            The rows, [..., d].

        Raises:
            ValueError: The rows have another width.
        """
        raise NotImplementedError("layers.layernorm")


def gelu(x: Tensor) -> Tensor:
    """Return the Gaussian error linear unit in the form that GPT-2 was trained with, 0.5 x (1 + tanh(u)).

    Here u = sqrt(2 / pi) (x + 0.044715 x^3). It differs from the exact form x Phi(x) by up to 5e-4, so that weights
    trained with one are not for the other.

    Args:
        x: Real numbers, any shape.

    Returns:
        The same shape.

    Source: Hendrycks and Gimpel 2016, "Gaussian Error Linear Units", section 2.
    """
    raise NotImplementedError("layers.gelu")


def split_heads(x: Tensor, n_head: int) -> Tensor:
    """Cut each row into n_head contiguous slices, head h taking the h-th.

    Args:
        x: Rows, [B, T, d].
        n_head: H, at least 1.

    Returns:
        The heads, [B, H, T, d / H].

    Raises:
        ValueError: The width does not divide into n_head heads, or x has not three axes.

    Source: Lecture 20, Q/K/V; Vaswani et al. 2017, section 3.2.2.
    """
    raise NotImplementedError("layers.split_heads")


def merge_heads(x: Tensor) -> Tensor:
    """Lay the heads side by side again: the inverse of `split_heads`.

    Args:
        x: The heads, [B, H, T, d / H].

    Returns:
        Rows, [B, T, d].

    Raises:
        ValueError: x has not four axes.

    Source: Lecture 20, Q/K/V; Vaswani et al. 2017, section 3.2.2.
    """
    raise NotImplementedError("layers.merge_heads")


class CausalSelfAttention(nn.Module):
    """Self-attention in n_head heads, in which a token sees itself and those before it.

    ``c_attn`` is one fused projection whose output is read as q, k and v side by side; ``c_proj`` mixes the heads.
    Dropout acts on the weights after the softmax and on the output, in training mode only.

    Args:
        config: Its d_model, n_head, dropout and bias are used.

    Raises:
        ValueError: The width does not divide into the heads.

    Source: Lecture 20, Q/K/V; Vaswani et al. 2017, sections 3.2.1 to 3.2.3.
    """

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        raise NotImplementedError("layers.causalselfattention")

    def forward(self, x: Tensor, cache: LayerCache | None = None) -> Tensor:
        """Return what each token gathers from itself and those before it.

        Args:
            x: One row for each token, [B, T_q, d].
            cache: The keys and values of the tokens before x, to which those of x are added; None where there are none.

        Returns:
            One row for each token of x, [B, T_q, d].

        Raises:
            ValueError: x has not three axes.
            RuntimeError: The shapes do not fit.
        """
        raise NotImplementedError("layers.causalselfattention")


class MLP(nn.Module):
    """Two linear layers with a GELU between: ``c_fc`` widens a row to 4 d, ``c_proj`` brings it back to d.

    Dropout acts on the output, in training mode only.

    Args:
        config: Its d_model, dropout and bias are used.

    Source: Lecture 20, the block; Vaswani et al. 2017, section 3.3, with GPT-2's GELU.
    """

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        raise NotImplementedError("layers.mlp")

    def forward(self, x: Tensor) -> Tensor:
        """Return each row transformed by itself.

        Args:
            x: Rows, [..., d].

        Returns:
            Rows, [..., d].

        Raises:
            RuntimeError: The rows have another width.
        """
        raise NotImplementedError("layers.mlp")


class Block(nn.Module):
    """A transformer block with its norms first: x + attn(ln_1(x)), then x + mlp(ln_2(x)).

    Nothing but additions stands between a block's input and its output, so the gradient passes unhindered.

    Args:
        config: All but its vocab_size, block_size and n_layer are used.

    Raises:
        ValueError: The width does not divide into the heads.

    Source: Lecture 20, the block; Radford et al. 2019, section 2.3.
    """

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        raise NotImplementedError("layers.block")

    def forward(self, x: Tensor, cache: LayerCache | None = None) -> Tensor:
        """Return the rows after attention and MLP.

        Args:
            x: One row for each token, [B, T_q, d].
            cache: The keys and values of the tokens before x, to which those of x are added; None where there are none.

        Returns:
            One row for each token of x, [B, T_q, d].

        Raises:
            ValueError: x has not three axes, or its rows have another width.
            RuntimeError: The cache holds other shapes.
        """
        raise NotImplementedError("layers.block")
