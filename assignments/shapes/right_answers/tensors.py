"""Nothing is a formula: every tensor and every product is written down, and then counted."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

from collections import Counter
from dataclasses import dataclass, replace
from math import prod


@dataclass(frozen=True)
class ModelShape:
    n_layer: int
    n_head: int | None
    d_model: int
    vocab_size: int
    block_size: int


FEMTO = ModelShape(1, 1, 2, 1, 1)
PICO = ModelShape(3, 3, 6, 1, 1)


def require(condition, *said):
    if not condition:
        raise ValueError(" ".join(map(str, said)))


def femto(vocab_size, block_size):
    require(vocab_size > 0 and block_size > 0, "nothing to read:", vocab_size, block_size)
    return replace(FEMTO, vocab_size=vocab_size, block_size=block_size)


def pico(vocab_size, block_size):
    require(vocab_size > 0 and block_size > 0, "nothing to read:", vocab_size, block_size)
    return replace(PICO, vocab_size=vocab_size, block_size=block_size)


def linear(name, d_in, d_out):
    return {f"{name}.weight": (d_out, d_in), f"{name}.bias": (d_out,)}


def norm(name, d):
    return {f"{name}.weight": (d,), f"{name}.bias": (d,)}


def block(i, d):
    return {
        **norm(f"h.{i}.ln_1", d),
        **linear(f"h.{i}.attn.c_attn", d, 3 * d),
        **linear(f"h.{i}.attn.c_proj", d, d),
        **norm(f"h.{i}.ln_2", d),
        **linear(f"h.{i}.mlp.c_fc", d, 4 * d),
        **linear(f"h.{i}.mlp.c_proj", 4 * d, d),
    }


def state(shape, tied=True):
    d = shape.d_model
    found = {"wte.weight": (shape.vocab_size, d), "wpe.weight": (shape.block_size, d), **norm("ln_f", d)}
    for i in range(shape.n_layer):
        found.update(block(i, d))
    if not tied:
        found["lm_head.weight"] = (shape.vocab_size, d)
    return found


def part(name):
    return next(part for part in ("wte", "wpe", "attn", "mlp", "ln", "lm_head") if part in name)


def parameter_count(shape, tied=True):
    count = Counter(dict.fromkeys(("wte", "wpe", "attn", "mlp", "ln", "lm_head"), 0))
    for name, size in state(shape, tied).items():
        count[part(name)] += prod(size)
    return {**count, "total": count.total()}


def identify(state_shapes):
    require("wte.weight" in state_shapes and "wpe.weight" in state_shapes, "an embedding is missing")
    wte, wpe = state_shapes["wte.weight"], state_shapes["wpe.weight"]
    require(len(wte) == len(wpe) == 2 and wte[1] == wpe[1], "the embeddings differ:", wte, wpe)
    blocks = {name.split(".")[1] for name in state_shapes if name.startswith("h.")}
    require(blocks, "there is no block")
    shape = ModelShape(len(blocks), None, wte[1], wte[0], wpe[0])
    for name, size in state(shape).items():
        if len(size) == 2:
            require(state_shapes.get(name) == size, name, "should be", size, "and is", state_shapes.get(name))
    return shape


def matmul_shape(a, b):
    return product(list(a), list(b), said=f"shapes {a} and {b} have no product")


def product(a, b, said):
    if not a or not b:
        raise ValueError(said)
    row, column = len(a) == 1, len(b) == 1
    a, b = [1] * row + a, b + [1] * column
    *batch_a, n, k = a
    *batch_b, also_k, m = b
    if k != also_k:
        raise ValueError(said)
    while len(batch_a) < len(batch_b):
        batch_a.insert(0, 1)
    while len(batch_b) < len(batch_a):
        batch_b.insert(0, 1)
    batch = []
    for pair in zip(batch_a, batch_b, strict=True):
        sizes = set(pair) - {1}
        if len(sizes) > 1:
            raise ValueError(said)
        batch.append(sizes.pop() if sizes else 1)
    return tuple(batch + [n] * (not row) + [m] * (not column))


def attention_shapes(shape, B, T):
    require(min(B, T) > 0, "an empty batch:", B, T)
    require(shape.d_model % shape.n_head == 0, shape.n_head, "heads in a width of", shape.d_model)
    x = (B, T, shape.d_model)
    q = (B, shape.n_head, T, shape.d_model // shape.n_head)
    transposed = (*q[:2], q[3], q[2])
    scores = matmul_shape(q, transposed)
    heads = matmul_shape(scores, q)
    merged = (heads[0], heads[2], heads[1] * heads[3])
    out = matmul_shape(merged, (x[-1], x[-1]))
    names = ("x", "q", "k", "v", "scores", "weights", "heads", "merged", "out")
    return dict(zip(names, (x, q, q, q, scores, scores, heads, merged, out), strict=True))


def attention_memory(shape, B, T, bytes_per_value=4):
    require(min(B, T, bytes_per_value) > 0, "nothing is stored:", B, T, bytes_per_value)
    return sum(prod((B, shape.n_head, T, T)) * bytes_per_value for _ in range(shape.n_layer))


def forward_flops(shape, T):
    require(T > 0, "an empty sequence:", T)
    products = []
    for _ in range(shape.n_layer):
        products += [(T, *size) for size in block(0, shape.d_model).values() if len(size) == 2]
        products += [(T, shape.d_model, T), (T, T, shape.d_model)]
    products.append((T, shape.d_model, shape.vocab_size))
    return 2 * sum(map(prod, products))
