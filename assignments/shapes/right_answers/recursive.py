"""Recursion: a shape is its first axis and the rest, a model is its first block and the rest."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

from dataclasses import dataclass


@dataclass(frozen=True)
class ModelShape:
    n_layer: int
    n_head: int | None
    d_model: int
    vocab_size: int
    block_size: int


def _positive(first, *rest):
    if first <= 0:
        raise ValueError(f"{first} is no size")
    if rest:
        _positive(*rest)


def femto(vocab_size, block_size):
    _positive(vocab_size, block_size)
    return ModelShape(n_head=1, n_layer=1, d_model=2, block_size=block_size, vocab_size=vocab_size)


def pico(vocab_size, block_size):
    _positive(vocab_size, block_size)
    return ModelShape(n_head=3, n_layer=3, d_model=6, block_size=block_size, vocab_size=vocab_size)


def matmul_shape(a, b):
    try:
        return _matmul(a, b)
    except TypeError:
        raise ValueError(f"cannot multiply {a} by {b}") from None


def _matmul(a, b):
    """The shape; a TypeError where there is none."""
    if not a or not b:
        raise TypeError
    if len(a) == 1 and len(b) == 1:
        return () if a == b else _never()
    if len(a) == 1:
        *batch, k, m = b
        return (*batch, m) if a[0] == k else _never()
    if len(b) == 1:
        *batch, n, k = a
        return (*batch, n) if b[0] == k else _never()
    return _matrices(a, b)


def _matrices(a, b):
    if len(a) > len(b):
        return (a[0], *_matrices(a[1:], b))
    if len(b) > len(a):
        return (b[0], *_matrices(a, b[1:]))
    if len(a) == 2:
        return (a[0], b[1]) if a[1] == b[0] else _never()
    first = a[0] if b[0] == 1 else b[0] if a[0] in (1, b[0]) else _never()
    return (first, *_matrices(a[1:], b[1:]))


def _never():
    raise TypeError


def attention_shapes(shape, B, T):
    _positive(B, T)
    d_head, rest = divmod(shape.d_model, shape.n_head)
    if rest:
        raise ValueError(f"{rest} of {shape.d_model} would be left over")
    scores, head = (B, shape.n_head, T, T), (B, shape.n_head, T, d_head)
    stream = {"x": (B, T, shape.d_model), "merged": (B, T, shape.d_model), "out": (B, T, shape.d_model)}
    return stream | {"q": head, "k": head, "v": head, "heads": head} | {"scores": scores, "weights": scores}


def _layers(L, count):
    """L times the count of one layer, without a multiplication."""
    return count + _layers(L - 1, count) if L else 0


def parameter_count(shape, tied=True):
    d = shape.d_model
    count = {
        "wte": shape.vocab_size * d,
        "wpe": shape.block_size * d,
        "attn": _layers(shape.n_layer, (d + 1) * 3 * d + (d + 1) * d),
        "mlp": _layers(shape.n_layer, (d + 1) * 4 * d + (4 * d + 1) * d),
        "ln": 2 * d + _layers(shape.n_layer, 2 * (d + d)),
        "lm_head": shape.vocab_size * d if not tied else 0,
    }
    count["total"] = sum(count.values())
    return count


def attention_memory(shape, B, T, bytes_per_value=4):
    _positive(B, T, bytes_per_value)
    return _layers(shape.n_layer, B * shape.n_head * T * T * bytes_per_value)


def forward_flops(shape, T):
    _positive(T)
    d = shape.d_model
    block = T * (3 * d * d + d * d + 8 * d * d) + T * T * 2 * d
    return 2 * (_layers(shape.n_layer, block) + T * shape.vocab_size * d)


def identify(state_shapes):
    missing = {"wte.weight", "wpe.weight"} - state_shapes.keys()
    if missing:
        raise ValueError(f"{missing} missing")
    if {len(state_shapes["wte.weight"]), len(state_shapes["wpe.weight"])} != {2}:
        raise ValueError("an embedding is a matrix")
    (V, d), (block_size, also_d) = state_shapes["wte.weight"], state_shapes["wpe.weight"]
    L = _depth({name: size for name, size in state_shapes.items() if name.startswith("h.")}, d, 0)
    if d != also_d or L == 0:
        raise ValueError(f"{L} blocks, widths {d} and {also_d}")
    return ModelShape(L, None, d, V, block_size)


def _depth(state, d, i):
    """The number of blocks from block i on."""
    if not state:
        return 0
    for name, rows, columns in (("attn.c_attn", 3, 1), ("attn.c_proj", 1, 1), ("mlp.c_fc", 4, 1), ("mlp.c_proj", 1, 4)):
        if state.get(f"h.{i}.{name}.weight") != (rows * d, columns * d):
            raise ValueError(f"block {i} lacks {name}, or it does not fit")
    return 1 + _depth({name: size for name, size in state.items() if name.split(".")[1] != str(i)}, d, i + 1)
