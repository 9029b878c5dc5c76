"""Loops and running totals, nothing else."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature
# ruff: noqa: C901, PLR0912, PLC0206, RET504, SIM114  # the first style that is learnt: every case in a branch of its own

from dataclasses import dataclass


@dataclass(frozen=True)
class ModelShape:
    n_layer: int
    n_head: int | None
    d_model: int
    vocab_size: int
    block_size: int


def femto(vocab_size, block_size):
    if vocab_size <= 0:
        raise ValueError("vocab_size must be positive")
    if block_size <= 0:
        raise ValueError("block_size must be positive")
    shape = ModelShape(n_layer=1, n_head=1, d_model=2, vocab_size=vocab_size, block_size=block_size)
    return shape


def pico(vocab_size, block_size):
    if vocab_size <= 0:
        raise ValueError("vocab_size must be positive")
    if block_size <= 0:
        raise ValueError("block_size must be positive")
    shape = ModelShape(n_layer=3, n_head=3, d_model=6, vocab_size=vocab_size, block_size=block_size)
    return shape


def matmul_shape(a, b):
    message = "matmul of " + str(a) + " and " + str(b) + " is not possible"
    if len(a) == 0 or len(b) == 0:
        raise ValueError(message)
    a, b = list(a), list(b)
    remove_row = False
    remove_column = False
    if len(a) == 1:
        a.insert(0, 1)
        remove_row = True
    if len(b) == 1:
        b.append(1)
        remove_column = True
    if a[-1] != b[-2]:
        raise ValueError(message)
    result = []
    if not remove_row:
        result.append(a[-2])
    if not remove_column:
        result.append(b[-1])
    i = 3
    while i <= len(a) or i <= len(b):
        if i > len(a):
            size = b[-i]
        elif i > len(b):
            size = a[-i]
        elif a[-i] == b[-i]:
            size = a[-i]
        elif a[-i] == 1:
            size = b[-i]
        elif b[-i] == 1:
            size = a[-i]
        else:
            raise ValueError(message)
        result.insert(0, size)
        i += 1
    return tuple(result)


def attention_shapes(shape, B, T):
    if B <= 0 or T <= 0:
        raise ValueError("B and T must be positive")
    d_head = 0
    left = shape.d_model
    while left >= shape.n_head:
        left -= shape.n_head
        d_head += 1
    if left != 0:
        raise ValueError("n_head must divide d_model")
    shapes = {}
    shapes["x"] = (B, T, shape.d_model)
    for name in ["q", "k", "v"]:
        shapes[name] = (B, shape.n_head, T, d_head)
    for name in ["scores", "weights"]:
        shapes[name] = (B, shape.n_head, T, T)
    shapes["heads"] = (B, shape.n_head, T, d_head)
    for name in ["merged", "out"]:
        shapes[name] = (B, T, shape.d_model)
    return shapes


def parameter_count(shape, tied=True):
    d = shape.d_model
    counts = {"wte": shape.vocab_size * d, "wpe": shape.block_size * d, "attn": 0, "mlp": 0, "ln": 0, "lm_head": 0}
    for _ in range(shape.n_layer):
        counts["ln"] += d + d
        for _ in ["query", "key", "value", "output"]:
            counts["attn"] += d * d + d
        counts["ln"] += d + d
        counts["mlp"] += d * (4 * d) + 4 * d
        counts["mlp"] += (4 * d) * d + d
    counts["ln"] += d + d
    if not tied:
        counts["lm_head"] += d * shape.vocab_size
    total = 0
    for count in counts.values():
        total += count
    counts["total"] = total
    return counts


def attention_memory(shape, B, T, bytes_per_value=4):
    if B <= 0 or T <= 0 or bytes_per_value <= 0:
        raise ValueError("sizes must be positive")
    total = 0
    for _ in range(shape.n_layer):
        for _ in range(shape.n_head):
            total += B * T * T * bytes_per_value
    return total


def forward_flops(shape, T):
    if T <= 0:
        raise ValueError("T must be positive")
    d = shape.d_model
    total = 0
    for _ in range(shape.n_layer):
        for _ in ["query", "key", "value", "output"]:
            total += 2 * T * d * d
        total += 2 * T * T * d
        total += 2 * T * T * d
        total += 2 * T * d * (4 * d)
        total += 2 * T * (4 * d) * d
    total += 2 * T * d * shape.vocab_size
    return total


def identify(state_shapes):
    for name in ["wte.weight", "wpe.weight"]:
        if name not in state_shapes:
            raise ValueError(name + " is missing")
        if len(state_shapes[name]) != 2:
            raise ValueError(name + " has not two axes")
    vocab_size = state_shapes["wte.weight"][0]
    d = state_shapes["wte.weight"][1]
    block_size = state_shapes["wpe.weight"][0]
    if state_shapes["wpe.weight"][1] != d:
        raise ValueError("the embeddings have different widths")
    seen = []
    for name in state_shapes:
        parts = name.split(".")
        if parts[0] == "h" and int(parts[1]) not in seen:
            seen.append(int(parts[1]))
    seen.sort()
    if len(seen) == 0:
        raise ValueError("there are no blocks")
    n_layer = 0
    for number in seen:
        if number != n_layer:
            raise ValueError("block " + str(n_layer) + " is missing")
        expected = {"attn.c_attn": (3 * d, d), "attn.c_proj": (d, d), "mlp.c_fc": (4 * d, d), "mlp.c_proj": (d, 4 * d)}
        for name in expected:
            full = "h." + str(number) + "." + name + ".weight"
            if full not in state_shapes or tuple(state_shapes[full]) != expected[name]:
                raise ValueError(full + " is missing or does not fit")
        n_layer += 1
    return ModelShape(n_layer=n_layer, n_head=None, d_model=d, vocab_size=vocab_size, block_size=block_size)
