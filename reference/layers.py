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
        # BEGIN SOLUTION
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d))
        self.bias = nn.Parameter(torch.zeros(d)) if bias else None
        # END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        """Return the normalised rows.

        Args:
            x: Rows, [..., d].

        Returns:
            The rows, [..., d].

        Raises:
            ValueError: The rows have another width.
        """
        # BEGIN SOLUTION
        require_shapes("... d, d", x, self.weight)
        z = x - x.mean(dim=-1, keepdim=True)  # [..., d], mean 0
        # The biased variance: the row is all there is, no sample of something larger.
        var = z.square().mean(dim=-1, keepdim=True)  # [..., 1]
        # eps stands inside the root: outside it would rule where the variance is small, and the gradient of the root
        # at 0, a constant row, would be infinite.
        x_hat = z * torch.rsqrt(var + self.eps)  # [..., d], 1 / sqrt
        y = self.weight * x_hat
        return y if self.bias is None else y + self.bias
        # END SOLUTION


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
    # BEGIN SOLUTION
    u = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
    return x * torch.sigmoid(2 * u)  # 0.5 (1 + tanh(u)) is the logistic function of 2 u, in fewer passes over x
    # END SOLUTION


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
    # BEGIN SOLUTION
    require_shapes("B T d", x)
    B, T, d = x.shape
    if n_head < 1 or d % n_head:
        raise ValueError(f"a width of {d} does not divide into {n_head} heads")
    # A view straight to [B, H, T, d / H] would have the right shape and mix the tokens.
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)  # [B, H, T, d / H]
    # END SOLUTION


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
    # BEGIN SOLUTION
    require_shapes("B H T d_head", x)
    return x.transpose(1, 2).flatten(start_dim=2)  # [B, T, H, d / H] -> [B, T, d]
    # END SOLUTION


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
        # BEGIN SOLUTION
        d = config.d_model
        if config.n_head < 1 or d % config.n_head:
            raise ValueError(f"a width of {d} does not divide into {config.n_head} heads")
        self.n_head = config.n_head
        self.c_attn = nn.Linear(d, 3 * d, bias=config.bias)
        self.c_proj = nn.Linear(d, d, bias=config.bias)
        self.attn_dropout = nn.Dropout(config.dropout)
        self.resid_dropout = nn.Dropout(config.dropout)
        # END SOLUTION

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
        # BEGIN SOLUTION
        q, k, v = (split_heads(p, self.n_head) for p in self.c_attn(x).chunk(3, dim=-1))  # [B, H, T_q, d / H]
        if cache is not None:
            k, v = cache.append(k, v)  # [B, H, T_k, d / H]
        T_q, T_k = q.shape[2], k.shape[2]
        # The queries are scaled and not the scores, of which there are more.
        S = q / math.sqrt(q.shape[-1]) @ k.mT  # [B, H, T_q, T_k]
        # The queries are the last T_q of the T_k positions, so the diagonal of the mask ends in its lower right corner.
        mask = S.new_full((T_q, T_k), -math.inf).triu(T_k - T_q + 1)  # 0 where a token may look
        A = (S + mask).softmax(dim=-1)  # along the keys: each row is one query's distribution
        Z = merge_heads(self.attn_dropout(A) @ v)  # [B, H, T_q, d / H] -> [B, T_q, d]
        return self.resid_dropout(self.c_proj(Z))
        # END SOLUTION


class MLP(nn.Module):
    """Two linear layers with a GELU between: ``c_fc`` widens a row to 4 d, ``c_proj`` brings it back to d.

    Dropout acts on the output, in training mode only.

    Args:
        config: Its d_model, dropout and bias are used.

    Source: Lecture 20, the block; Vaswani et al. 2017, section 3.3, with GPT-2's GELU.
    """

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        # BEGIN SOLUTION
        self.c_fc = nn.Linear(config.d_model, 4 * config.d_model, bias=config.bias)
        self.c_proj = nn.Linear(4 * config.d_model, config.d_model, bias=config.bias)
        self.dropout = nn.Dropout(config.dropout)
        # END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        """Return each row transformed by itself.

        Args:
            x: Rows, [..., d].

        Returns:
            Rows, [..., d].

        Raises:
            RuntimeError: The rows have another width.
        """
        # BEGIN SOLUTION
        h = gelu(self.c_fc(x))  # [..., 4 d]
        return self.dropout(self.c_proj(h))  # [..., d]
        # END SOLUTION


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
        # BEGIN SOLUTION
        self.ln_1 = LayerNorm(config.d_model, bias=config.bias)
        self.attn = CausalSelfAttention(config)
        self.ln_2 = LayerNorm(config.d_model, bias=config.bias)
        self.mlp = MLP(config)
        # END SOLUTION

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
        # BEGIN SOLUTION
        x = x + self.attn(self.ln_1(x), cache)  # [B, T_q, d]
        return x + self.mlp(self.ln_2(x))  # the MLP sees what attention has added
        # END SOLUTION
