"""The shapes of a GPT, and what follows from them alone: parameters, memory, arithmetic.

Plain Python: a shape is a tuple of ints. B is the number of sequences of a batch, T the number of positions of each,
L = n_layer, H = n_head, d = d_model, V = vocab_size. Sources: Recitation 11, the dimensions of QK^T and of the attention
matrix; Vaswani et al. (2017), section 3.2, for the heads; Radford et al. (2019), GPT-2, for blocks and sizes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Shape = tuple[int, ...]


@dataclass(frozen=True)
class ModelShape:
    """The sizes of a GPT that decide all its shapes.

    Attributes:
        n_layer: Blocks, L.
        n_head: Attention heads in each block, H; None where it is not known.
        d_model: The width of a position's vector, d.
        vocab_size: Tokens of the vocabulary, V.
        block_size: Positions that it has embeddings for: no sequence may be longer.
    """

    n_layer: int
    n_head: int | None
    d_model: int
    vocab_size: int
    block_size: int


def require_sizes(**sizes: int) -> None:
    """Check that every size, given by name as in ``require_sizes(B=2, T=5)``, is at least 1.

    Raises:
        ValueError: One is not; the message holds its name.
    """
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name} must be at least 1, got {size}")


def femto(vocab_size: int, block_size: int) -> ModelShape:
    """Return the smallest model of the course: 1 layer, 1 head, width 2.

    Args:
        vocab_size: Tokens of the vocabulary, at least 1.
        block_size: The longest sequence, at least 1.

    Raises:
        ValueError: One of them is less than 1.

    Source: Recitation 11.
    """
    raise NotImplementedError("shapes.femto")


def pico(vocab_size: int, block_size: int) -> ModelShape:
    """Return the next model: 3 layers, 3 heads, width 6, so that each head has width 2.

    Args:
        vocab_size: Tokens of the vocabulary, at least 1.
        block_size: The longest sequence, at least 1.

    Raises:
        ValueError: One of them is less than 1.

    Source: Recitation 11.
    """
    raise NotImplementedError("shapes.pico")


def matmul_shape(a: Shape, b: Shape) -> Shape:
    """Return the shape of the matrix product of arrays of shapes a and b, by NumPy's rule.

    The last axis of a meets the last but one of b. A vector, one axis, gets an axis of length 1 for the product, in front
    on the left and behind on the right, and that axis is gone again afterwards. All other axes are batch axes: they are
    aligned from the right, and are equal, or one of the two is 1 or missing.

    Args:
        a: The shape of the left array, sizes of at least 0.
        b: The shape of the right one.

    Returns:
        The shape of the product, a tuple; () for two vectors.

    Raises:
        ValueError: There is no such product: the axes that meet differ, batch axes do not fit, or one has no axes. The
            message holds both shapes.

    Source: NumPy's documentation of ``numpy.matmul``.
    """
    raise NotImplementedError("shapes.matmul_shape")


def attention_shapes(shape: ModelShape, B: int, T: int) -> dict[str, Shape]:
    """Return the shape of everything in one layer's multi-head self-attention, in the order in which it is computed.

    Args:
        shape: The model's sizes.
        B: Sequences in the batch, at least 1.
        T: Positions of each, at least 1.

    Returns:
        By name: ``x``, what comes in, [B, T, d]; ``q``, ``k`` and ``v``, split into heads, [B, H, T, d / H]; ``scores``
        and ``weights``, [B, H, T, T]; ``heads``, the weights times v, [B, H, T, d / H]; ``merged``, the heads side by
        side, and ``out``, after the last projection, [B, T, d]. Each is a tuple of ints.

    Raises:
        ValueError: H does not divide d, or B or T is less than 1.

    Source: Recitation 11; Vaswani et al. (2017), section 3.2.2.
    """
    raise NotImplementedError("shapes.attention_shapes")


def parameter_count(shape: ModelShape, tied: bool = True) -> dict[str, int]:
    """Return how many numbers a GPT-2 of these sizes learns.

    Every matrix of a block has a bias, and every LayerNorm a weight and a bias; the embeddings and the head that gives
    the logits have none.

    Args:
        shape: The model's sizes.
        tied: Whether the head is the token embedding once more, and so adds nothing.

    Returns:
        By name: ``wte`` and ``wpe``, the embeddings of tokens and positions; ``attn``, ``mlp`` and ``ln``, each over all
        layers, ``ln`` with the final one; ``lm_head``, 0 if tied; ``total``, all of these together.

    Source: Radford et al. (2019), GPT-2: 124,439,808 for the small one.
    """
    raise NotImplementedError("shapes.parameter_count")


def attention_memory(shape: ModelShape, B: int, T: int, bytes_per_value: int = 4) -> int:
    """Return the bytes of all the T x T matrices of scores that one pass over a batch makes, in all layers and heads.

    Args:
        shape: The model's sizes.
        B: Sequences in the batch, at least 1.
        T: Positions of each, at least 1.
        bytes_per_value: Bytes of one number, at least 1: 4 for float32.

    Returns:
        L B H T^2 times the bytes of a number.

    Raises:
        ValueError: B, T or bytes_per_value is less than 1.

    Source: Recitation 11, the attention matrix.
    """
    raise NotImplementedError("shapes.attention_memory")


def forward_flops(shape: ModelShape, T: int) -> int:
    """Return the floating-point operations of the matrix products of one forward pass over one sequence.

    A multiply-add counts 2. Everything else, such as softmax and LayerNorm, is left out, for it is small beside them. The
    logits of every position are computed, and a causal mask saves nothing: it hides scores that are there.

    Args:
        shape: The model's sizes.
        T: Positions of the sequence, at least 1.

    Returns:
        2 (L (12 T d^2 + 2 T^2 d) + T d V).

    Raises:
        ValueError: T is less than 1.

    Source: GPT-2 small at T = 1024 takes 291,648,307,200.
    """
    raise NotImplementedError("shapes.forward_flops")


def identify(state_shapes: Mapping[str, Shape]) -> ModelShape:
    """Return the sizes of the GPT-2 whose parameters have these names and shapes.

    The number of heads is not among them: heads are slices of one matrix, and [3 d, d] is its shape for any number of them.

    Args:
        state_shapes: From the name of each parameter to its shape, in any order: ``wte.weight`` [V, d], ``wpe.weight``
            [block_size, d], and for each block i from 0 on ``h.i.attn.c_attn.weight`` [3 d, d],
            ``h.i.attn.c_proj.weight`` [d, d], ``h.i.mlp.c_fc.weight`` [4 d, d] and ``h.i.mlp.c_proj.weight`` [d, 4 d], as
            ``nn.Linear`` holds them. Biases, norms and all other names may be there and are not looked at.

    Returns:
        The sizes, with n_head None.

    Raises:
        ValueError: One of these is missing or has another shape, or the blocks are not numbered from 0 without a gap.

    Source: Radford et al. (2019), GPT-2, and the names of its published parameters.
    """
    raise NotImplementedError("shapes.identify")
