"""Objects that know their size; the functions asked for are thin doors to them."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

import dataclasses
import functools
import operator


@dataclasses.dataclass
class ModelShape:
    n_layer: int
    n_head: "int | None"
    d_model: int
    vocab_size: int
    block_size: int

    @property
    def blocks(self):
        return [Block(self.d_model) for _ in range(self.n_layer)]


@dataclasses.dataclass(frozen=True)
class Positive:
    """A size that is checked when it is made."""

    size: int

    def __post_init__(self):
        if not self.size >= 1:
            raise ValueError(f"size {self.size}")


@dataclasses.dataclass(frozen=True)
class Linear:
    d_in: int
    d_out: int
    bias: bool = True

    @property
    def parameters(self):
        return self.d_in * self.d_out + self.bias * self.d_out

    def flops(self, T):
        return 2 * T * self.d_in * self.d_out


class Block:
    def __init__(self, d):
        self.d = d
        self.attention = [Linear(d, 3 * d), Linear(d, d)]
        self.mlp = [Linear(d, 4 * d), Linear(4 * d, d)]
        self.norms = 2 * [2 * d]

    def flops(self, T):
        return sum(layer.flops(T) for layer in self.attention + self.mlp) + 2 * (2 * T * T * self.d)


class Axes(tuple):
    """A shape that can be multiplied."""

    __slots__ = ()

    def __matmul__(self, other):
        if not (self and other):
            raise ValueError(f"{tuple(self)} @ {tuple(other)}: a number is no matrix")
        left, right = Matrix.left(self), Matrix.right(other)
        if left.columns != right.rows:
            raise ValueError(f"{tuple(self)} @ {tuple(other)}: columns {left.columns}, rows {right.rows}")
        lead = []
        for i in range(1, 1 + max(len(left.batch), len(right.batch))):
            pair = [side.batch[-i] if i <= len(side.batch) else 1 for side in (left, right)]
            if pair[0] != pair[1] and 1 not in pair:
                raise ValueError(f"{tuple(self)} @ {tuple(other)}: batch axes {pair}")
            lead.append(pair[1] if pair[0] == 1 else pair[0])
        return (*lead[::-1], *left.kept_rows, *right.kept_columns)


@dataclasses.dataclass
class Matrix:
    batch: tuple
    rows: int
    columns: int
    kept_rows: tuple = ()
    kept_columns: tuple = ()

    @classmethod
    def left(cls, axes):
        return cls((), 1, axes[0]) if len(axes) == 1 else cls(axes[:-2], axes[-2], axes[-1], kept_rows=(axes[-2],))

    @classmethod
    def right(cls, axes):
        return cls((), axes[0], 1) if len(axes) == 1 else cls(axes[:-2], axes[-2], axes[-1], kept_columns=(axes[-1],))


def femto(vocab_size, block_size):
    return ModelShape(1, 1, 2, Positive(vocab_size).size, Positive(block_size).size)


def pico(vocab_size, block_size):
    return ModelShape(3, 3, 6, Positive(vocab_size).size, Positive(block_size).size)


def matmul_shape(a, b):
    return Axes(a) @ Axes(b)


def attention_shapes(shape, B, T):
    B, T = Positive(B).size, Positive(T).size
    if shape.d_model % shape.n_head:
        raise ValueError(f"{shape.n_head} heads, width {shape.d_model}")
    head = (B, shape.n_head, T, shape.d_model // shape.n_head)
    scores = Axes(head) @ Axes((*head[:2], *head[:1:-1]))
    stream = (B, T, shape.d_model)
    keys = ("x", "q", "k", "v", "scores", "weights", "heads", "merged", "out")
    return dict(zip(keys, [stream, *[head] * 3, *[scores] * 2, Axes(scores) @ Axes(head), stream, stream], strict=True))


def parameter_count(shape, tied=True):
    embedding = Linear(shape.vocab_size, shape.d_model, bias=False)
    count = {
        "wte": embedding.parameters,
        "wpe": Linear(shape.block_size, shape.d_model, bias=False).parameters,
        "attn": sum(layer.parameters for block in shape.blocks for layer in block.attention),
        "mlp": sum(layer.parameters for block in shape.blocks for layer in block.mlp),
        "ln": sum(sum(block.norms) for block in shape.blocks) + 2 * shape.d_model,
        "lm_head": 0 if tied else embedding.parameters,
    }
    return {**count, "total": functools.reduce(operator.add, count.values())}


def attention_memory(shape, B, T, bytes_per_value=4):
    sizes = [Positive(size).size for size in (B, T, T, bytes_per_value)]
    return functools.reduce(operator.mul, sizes, shape.n_layer * shape.n_head)


def forward_flops(shape, T):
    Positive(T)
    head = Linear(shape.d_model, shape.vocab_size, bias=False)
    return sum(block.flops(T) for block in shape.blocks) + head.flops(T)


class State:
    def __init__(self, shapes):
        self.shapes = shapes

    def matrix(self, name):
        shape = self.shapes.get(f"{name}.weight", ())
        if len(shape) != 2:
            raise ValueError(f"{name}.weight is {shape or 'missing'}")
        return shape

    def blocks(self):
        numbers = sorted({int(name.split(".")[1]) for name in self.shapes if name.startswith("h.")})
        if not numbers or numbers != list(range(numbers[-1] + 1)):
            raise ValueError(f"blocks {numbers}")
        return [f"h.{number}" for number in numbers]


def identify(state_shapes):
    state = State(state_shapes)
    (V, d), (block_size, width) = state.matrix("wte"), state.matrix("wpe")
    names = state.blocks()
    asked = {"attn.c_attn": (3, 1), "attn.c_proj": (1, 1), "mlp.c_fc": (4, 1), "mlp.c_proj": (1, 4)}
    wrong = [
        name for name in names for part, (r, c) in asked.items() if state.matrix(f"{name}.{part}") != (r * d, c * d)
    ]
    if wrong or width != d:
        raise ValueError(f"not {d} wide: {wrong or 'wpe'}")
    return ModelShape(len(names), None, d, V, block_size)
