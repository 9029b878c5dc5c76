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
    # BEGIN SOLUTION
    require_sizes(vocab_size=vocab_size, block_size=block_size)
    return ModelShape(n_layer=1, n_head=1, d_model=2, vocab_size=vocab_size, block_size=block_size)
    # END SOLUTION


def pico(vocab_size: int, block_size: int) -> ModelShape:
    """Return the next model: 3 layers, 3 heads, width 6, so that each head has width 2.

    Args:
        vocab_size: Tokens of the vocabulary, at least 1.
        block_size: The longest sequence, at least 1.

    Raises:
        ValueError: One of them is less than 1.

    Source: Recitation 11.
    """
    # BEGIN SOLUTION
    require_sizes(vocab_size=vocab_size, block_size=block_size)
    return ModelShape(n_layer=3, n_head=3, d_model=6, vocab_size=vocab_size, block_size=block_size)
    # END SOLUTION


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
    # BEGIN SOLUTION
    if not a or not b:
        raise ValueError(f"a matrix product needs axes on both sides, got {a} and {b}")
    left = a if len(a) > 1 else (1, *a)  # [..., n, k]
    right = b if len(b) > 1 else (*b, 1)  # [..., k, m]
    if left[-1] != right[-2]:
        raise ValueError(f"{a} and {b} do not fit: {left[-1]} columns meet {right[-2]} rows")
    # Aligned from the right: what is missing is missing in front, and a negative multiple of a tuple is empty.
    mine = (1,) * (len(right) - len(left)) + left[:-2]
    yours = (1,) * (len(left) - len(right)) + right[:-2]
    if any(m != n and 1 not in (m, n) for m, n in zip(mine, yours, strict=True)):
        raise ValueError(f"{a} and {b} do not fit: their batch axes are {left[:-2]} and {right[:-2]}")
    batch = tuple(n if m == 1 else m for m, n in zip(mine, yours, strict=True))
    return batch + left[-2:-1] * (len(a) > 1) + right[-1:] * (len(b) > 1)
    # END SOLUTION


# BEGIN SOLUTION
def heads_of(shape: ModelShape) -> int:
    """Return the number of heads.

    Raises:
        ValueError: It is not known, or less than 1.
    """
    if shape.n_head is None:
        raise ValueError("the number of heads is not known")
    require_sizes(n_head=shape.n_head)
    return shape.n_head


# END SOLUTION


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
    # BEGIN SOLUTION
    require_sizes(B=B, T=T)
    H, d = heads_of(shape), shape.d_model
    if d % H:
        raise ValueError(f"{H} heads cannot share a width of {d}")
    stream = (B, T, d)
    split = (B, H, T, d // H)
    square = (B, H, T, T)
    return {
        "x": stream,
        **dict.fromkeys(("q", "k", "v"), split),
        **dict.fromkeys(("scores", "weights"), square),
        "heads": split,
        **dict.fromkeys(("merged", "out"), stream),
    }
    # END SOLUTION


# BEGIN SOLUTION
def linear(d_in: int, d_out: int) -> int:
    """Return the parameters of a linear layer: a matrix [d_out, d_in] and a bias [d_out]."""
    return d_out * d_in + d_out


# END SOLUTION


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
    # BEGIN SOLUTION
    L, d, V = shape.n_layer, shape.d_model, shape.vocab_size
    count = {
        "wte": V * d,
        "wpe": shape.block_size * d,
        "attn": L * (linear(d, 3 * d) + linear(d, d)),
        "mlp": L * (linear(d, 4 * d) + linear(4 * d, d)),
        "ln": (2 * L + 1) * 2 * d,
        "lm_head": 0 if tied else V * d,
    }
    return count | {"total": sum(count.values())}
    # END SOLUTION


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
    # BEGIN SOLUTION
    require_sizes(B=B, T=T, bytes_per_value=bytes_per_value)
    L, H = shape.n_layer, heads_of(shape)
    return L * B * H * T * T * bytes_per_value  # [B, H, T, T] in each layer
    # END SOLUTION


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
    # BEGIN SOLUTION
    require_sizes(T=T)
    L, d, V = shape.n_layer, shape.d_model, shape.vocab_size
    projections = T * d * (3 * d) + T * d * d  # [T, d] @ [d, 3 d], [T, d] @ [d, d]
    attention = 2 * T * T * d  # over all heads: [T, d / H] @ [d / H, T], and [T, T] @ [T, d / H]
    mlp = T * d * (4 * d) + T * (4 * d) * d  # [T, d] @ [d, 4 d], [T, 4 d] @ [4 d, d]
    logits = T * d * V  # [T, d] @ [d, V]
    return 2 * (L * (projections + attention + mlp) + logits)
    # END SOLUTION


# BEGIN SOLUTION
def block_matrices(d: int) -> dict[str, Shape]:
    """Return the matrices of one block by name, each [d_out, d_in]."""
    return {
        "attn.c_attn.weight": (3 * d, d),
        "attn.c_proj.weight": (d, d),
        "mlp.c_fc.weight": (4 * d, d),
        "mlp.c_proj.weight": (d, 4 * d),
    }


def matrix(state_shapes: Mapping[str, Shape], name: str) -> Shape:
    """Return the shape of a matrix.

    Raises:
        ValueError: It is missing, or no matrix.
    """
    if name not in state_shapes:
        raise ValueError(f"{name} is missing")
    if len(state_shapes[name]) != 2:
        raise ValueError(f"{name} should be a matrix, and is {state_shapes[name]}")
    return tuple(state_shapes[name])


# END SOLUTION


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
    # BEGIN SOLUTION
    V, d = matrix(state_shapes, "wte.weight")
    block_size, _ = matrix(state_shapes, "wpe.weight")
    L = len({name.split(".")[1] for name in state_shapes if name.startswith("h.")})
    if L == 0:
        raise ValueError("there are no blocks")
    expected: dict[str, Shape] = {"wpe.weight": (block_size, d)}
    for i in range(L):  # with a gap in the numbers, one of the first L is missing
        expected |= {f"h.{i}.{name}": shape for name, shape in block_matrices(d).items()}
    for name, shape in expected.items():
        if matrix(state_shapes, name) != shape:
            raise ValueError(f"{name} is {state_shapes[name]}, where a width of {d} asks for {shape}")
    return ModelShape(n_layer=L, n_head=None, d_model=d, vocab_size=V, block_size=block_size)
    # END SOLUTION
