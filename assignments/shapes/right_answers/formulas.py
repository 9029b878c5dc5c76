"""Closed formulas, written out as the handout does."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

from dataclasses import dataclass


@dataclass(frozen=True)
class ModelShape:
    n_layer: int
    n_head: int | None
    d_model: int
    vocab_size: int
    block_size: int


def _at_least_one(*sizes):
    if any(size < 1 for size in sizes):
        raise ValueError(f"sizes start at 1: {sizes}")


def femto(vocab_size, block_size):
    _at_least_one(vocab_size, block_size)
    return ModelShape(1, 1, 2, vocab_size, block_size)


def pico(vocab_size, block_size):
    _at_least_one(vocab_size, block_size)
    return ModelShape(3, 3, 6, vocab_size, block_size)


def matmul_shape(a, b):
    if len(a) == 0 or len(b) == 0:
        raise ValueError(f"{a} @ {b}: a scalar takes no part")
    if len(a) == 1:
        return _drop(matmul_shape((1, *a), b), -2 if len(b) > 1 else -1)
    if len(b) == 1:
        return matmul_shape(a, (*b, 1))[:-1]
    if a[-1] != b[-2]:
        raise ValueError(f"{a} @ {b}: {a[-1]} is not {b[-2]}")
    rank = max(len(a), len(b)) - 2
    left, right = ((1,) * (rank + 2 - len(shape)) + shape[:-2] for shape in (a, b))
    batch = []
    for m, n in zip(left, right, strict=True):
        if m == 1:
            batch.append(n)
        elif n in (1, m):
            batch.append(m)
        else:
            raise ValueError(f"{a} @ {b}: {m} is not {n}")
    return (*batch, a[-2], b[-1])


def _drop(shape, axis):
    kept = list(shape)
    del kept[axis]
    return tuple(kept)


def attention_shapes(shape, B, T):
    _at_least_one(B, T)
    d, H = shape.d_model, shape.n_head
    if d % H != 0:
        raise ValueError(f"{H} does not divide {d}")
    return {
        "x": (B, T, d),
        "q": (B, H, T, d // H),
        "k": (B, H, T, d // H),
        "v": (B, H, T, d // H),
        "scores": (B, H, T, T),
        "weights": (B, H, T, T),
        "heads": (B, H, T, d // H),
        "merged": (B, T, d),
        "out": (B, T, d),
    }


def parameter_count(shape, tied=True):
    L, d, V = shape.n_layer, shape.d_model, shape.vocab_size
    wte, wpe = V * d, shape.block_size * d
    attn, mlp, ln = L * (4 * d**2 + 4 * d), L * (8 * d**2 + 5 * d), L * 4 * d + 2 * d
    lm_head = 0 if tied else V * d
    total = wte + wpe + attn + mlp + ln + lm_head
    return {"wte": wte, "wpe": wpe, "attn": attn, "mlp": mlp, "ln": ln, "lm_head": lm_head, "total": total}


def attention_memory(shape, B, T, bytes_per_value=4):
    _at_least_one(B, T, bytes_per_value)
    return shape.n_layer * B * shape.n_head * T**2 * bytes_per_value


def forward_flops(shape, T):
    _at_least_one(T)
    L, d, V = shape.n_layer, shape.d_model, shape.vocab_size
    return 2 * (L * (12 * T * d**2 + 2 * T**2 * d) + T * d * V)


def identify(state_shapes):
    try:
        V, d = state_shapes["wte.weight"]
        block_size, width = state_shapes["wpe.weight"]
        L = 1 + max(int(name.split(".")[1]) for name in state_shapes if name.startswith("h."))
        for i in range(L):
            fits = (
                state_shapes[f"h.{i}.attn.c_attn.weight"] == (3 * d, d)
                and state_shapes[f"h.{i}.attn.c_proj.weight"] == (d, d)
                and state_shapes[f"h.{i}.mlp.c_fc.weight"] == (4 * d, d)
                and state_shapes[f"h.{i}.mlp.c_proj.weight"] == (d, 4 * d)
            )
            if not fits:
                raise ValueError(f"block {i} is not {d} wide")
    except KeyError as error:
        raise ValueError(f"{error} is missing") from error
    if width != d:
        raise ValueError(f"the embeddings are {d} and {width} wide")
    return ModelShape(n_layer=L, n_head=None, d_model=d, vocab_size=V, block_size=block_size)
