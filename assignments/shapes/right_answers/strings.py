"""Axes have letters: shapes are read from words, and a product is the letters that both words leave."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

from dataclasses import dataclass
from functools import reduce


@dataclass(frozen=True)
class ModelShape:
    n_layer: int
    n_head: int | None
    d_model: int
    vocab_size: int
    block_size: int


def shaped(word, **sizes):
    return tuple(sizes[letter] for letter in word)


def volume(word, **sizes):
    return reduce(lambda product, letter: product * sizes[letter], word, 1)


def check(**sizes):
    for letter, size in sizes.items():
        if size < 1:
            raise ValueError(f"{letter} = {size}")
    return sizes


def femto(vocab_size, block_size):
    return ModelShape(1, 1, 2, *check(V=vocab_size, C=block_size).values())


def pico(vocab_size, block_size):
    return ModelShape(3, 3, 6, *check(V=vocab_size, C=block_size).values())


def matmul_shape(a, b):
    if not a or not b:
        raise ValueError(f"{a} and {b}: one has no axes")
    # Letters from the right: the inner axis is k, then n or m, then one for each batch axis.
    places = [f"batch {i}" for i in range(max(len(a), len(b)), 0, -1)]
    left = [*places, "n", "k"][-len(a) :]
    right = [*places, "k", "m"][-len(b) :] if len(b) > 1 else ["k"]
    sizes = {}
    for letters, shape in ((left, a), (right, b)):
        for letter, size in zip(letters, shape, strict=True):
            known = sizes.get(letter, size if letter == "k" else 1)
            if known != size and (letter == "k" or 1 not in (known, size)):
                raise ValueError(f"{a} and {b} differ in {letter}")
            sizes[letter] = size if known == 1 else known
    longer = max(left, right, key=lambda letters: sum(letter in places for letter in letters))
    kept = [letter for letter in longer if letter in places]
    kept += ["n"] * ("n" in left) + ["m"] * ("m" in right)
    return tuple(sizes[letter] for letter in kept)


def attention_shapes(shape, B, T):
    check(B=B, T=T)
    if shape.d_model % shape.n_head:
        raise ValueError(f"{shape.d_model} is no multiple of {shape.n_head}")
    sizes = {"B": B, "T": T, "H": shape.n_head, "d": shape.d_model, "e": shape.d_model // shape.n_head}
    words = {"x": "BTd", "q": "BHTe", "k": "BHTe", "v": "BHTe", "scores": "BHTT", "weights": "BHTT"}
    words |= {"heads": "BHTe", "merged": "BTd", "out": "BTd"}
    return {name: shaped(word, **sizes) for name, word in words.items()}


def parameter_count(shape, tied=True):
    sizes = {
        "L": shape.n_layer,
        "d": shape.d_model,
        "V": shape.vocab_size,
        "C": shape.block_size,
        "3": 3,
        "4": 4,
        "2": 2,
    }
    words = {
        "wte": ["Vd"],
        "wpe": ["Cd"],
        "attn": ["L3dd", "L3d", "Ldd", "Ld"],
        "mlp": ["L4dd", "L4d", "L4dd", "Ld"],
        "ln": ["L2d", "L2d", "2d"],
        "lm_head": [] if tied else ["Vd"],
    }
    count = {part: sum(volume(word, **sizes) for word in each) for part, each in words.items()}
    return count | {"total": sum(count.values())}


def attention_memory(shape, B, T, bytes_per_value=4):
    return volume("LBHTTb", L=shape.n_layer, H=shape.n_head, **check(B=B, T=T, b=bytes_per_value))


def forward_flops(shape, T):
    sizes = check(T=T) | {"L": shape.n_layer, "d": shape.d_model, "V": shape.vocab_size, "2": 2, "3": 3, "4": 4}
    products = ["LTd3d", "LTdT", "LTTd", "LTdd", "LTd4d", "LT4dd", "TdV"]
    return sum(volume("2" + word, **sizes) for word in products)


def identify(state_shapes):
    found, words = {}, {"wte": "Vd", "wpe": "Cd"}
    numbers = {name.split(".")[1] for name in state_shapes if name.startswith("h.")}
    for i in range(max(1, len(numbers))):
        words |= {
            f"h.{i}.attn.c_attn": "3d",
            f"h.{i}.attn.c_proj": "1d",
            f"h.{i}.mlp.c_fc": "4d",
            f"h.{i}.mlp.c_proj": "d4",
        }
    for name, word in words.items():
        size = state_shapes.get(f"{name}.weight")
        if size is None or len(size) != 2:
            raise ValueError(f"{name}.weight is no matrix")
        for letter, value in zip(word, size, strict=True):
            if letter.isdecimal():
                if value != int(letter) * found["d"]:
                    raise ValueError(f"{name}.weight is {size}")
            elif found.setdefault(letter, value) != value:
                raise ValueError(f"{name}.weight is {size}, but {letter} is {found[letter]}")
    return ModelShape(len(numbers), None, found["d"], found["V"], found["C"])
