"""Each exercise from the ones before it: memory and arithmetic from the shapes, the width from sums."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

from dataclasses import asdict, dataclass
from math import prod


@dataclass(frozen=True)
class ModelShape:
    n_layer: int
    n_head: int | None
    d_model: int
    vocab_size: int
    block_size: int


def sized(n_layer, n_head, d_model, **given):
    if min(given.values()) < 1:
        raise ValueError(f"too small: {given}")
    return ModelShape(n_layer, n_head, d_model, **given)


def femto(vocab_size, block_size):
    return sized(1, 1, 2, vocab_size=vocab_size, block_size=block_size)


def pico(vocab_size, block_size):
    small = asdict(femto(vocab_size, block_size))
    for name in ("n_layer", "n_head", "d_model"):
        small[name] *= 3
    return ModelShape(**small)


def matmul_shape(a, b):
    def nothing(why):
        raise ValueError(f"{why}: {list(a)} and {list(b)}")

    if () in (a, b):
        nothing("a scalar")
    k = a[-1]
    rows, columns = a[-2:-1], b[-1:] if len(b) > 1 else ()
    if k != b[-2:][0]:
        nothing("inner axes differ")
    batch, longer, shorter = [], *sorted((a[:-2], b[:-2]), key=len, reverse=True)
    lead = len(longer) - len(shorter)
    batch += longer[:lead]
    for m, n in zip(longer[lead:], shorter, strict=True):
        batch.append(m if n == 1 else n)
        if m not in (1, batch[-1]):
            nothing("batch axes differ")
    return (*batch, *rows, *columns)


def attention_shapes(shape, B, T):
    if B < 1 or T < 1:
        raise ValueError("no batch")
    width = [d for d in range(1, shape.d_model + 1) if d * shape.n_head == shape.d_model]
    if not width:
        raise ValueError(f"{shape.n_head} heads do not share {shape.d_model}")
    found = {"x": (B, T, shape.d_model)}
    for name in ("q", "k", "v"):
        found[name] = (B, shape.n_head, T, *width)
    found["scores"] = found["weights"] = found["q"][:3] + found["k"][2:3]
    found["heads"] = found["weights"][:3] + found["v"][3:]
    found["merged"] = found["out"] = found["x"]
    return found


def parameter_count(shape, tied=True):
    d, everything = shape.d_model, {}
    everything["wte"] = sum(d for _ in range(shape.vocab_size)) if shape.vocab_size < 10**5 else shape.vocab_size * d
    everything["wpe"] = shape.block_size * d
    everything["attn"] = sum(4 * d * d + 4 * d for _ in range(shape.n_layer))
    everything["mlp"] = sum(8 * d * d + 5 * d for _ in range(shape.n_layer))
    everything["ln"] = 2 * d * (1 + 2 * shape.n_layer)
    everything["lm_head"] = everything["wte"] * (not tied)
    everything["total"] = sum(everything.values())
    return everything


def attention_memory(shape, B, T, bytes_per_value=4):
    if bytes_per_value < 1:
        raise ValueError("a number takes at least a byte")
    return shape.n_layer * bytes_per_value * prod(attention_shapes(shape, B, T)["scores"])


def forward_flops(shape, T):
    # With one head all products have the sizes that they have together with many.
    one = ModelShape(shape.n_layer, 1, shape.d_model, shape.vocab_size, shape.block_size)
    found = attention_shapes(one, 1, T)
    d, n = shape.d_model, prod(found["x"])
    attention = prod(found["scores"]) * d + prod(found["heads"]) * T
    return 2 * n * shape.vocab_size + shape.n_layer * 2 * (n * (3 + 1 + 4 + 4) * d + attention)


def identify(state_shapes):
    def shape_of(name):
        if len(state_shapes.get(name, "")) != 2:
            raise ValueError(f"no matrix {name}")
        return tuple(state_shapes[name])

    V, d = shape_of("wte.weight")
    block_size, d_again = shape_of("wpe.weight")
    n_layer = 0
    left = {name for name in state_shapes if name[:2] == "h."}
    while left:
        prefix = f"h.{n_layer}."
        sizes = [
            shape_of(f"{prefix}{name}.weight") for name in ("attn.c_attn", "attn.c_proj", "mlp.c_fc", "mlp.c_proj")
        ]
        if sizes != [(3 * d, d), (d, d), (4 * d, d), (d, 4 * d)]:
            raise ValueError(f"{prefix} has {sizes}")
        left = {name for name in left if not name.startswith(prefix)}
        n_layer += 1
    if not n_layer or d != d_again:
        raise ValueError("no model")
    return ModelShape(n_layer, None, d, V, block_size)
