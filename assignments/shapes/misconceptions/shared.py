"""What the mistakes share: the parts that they get right, and words for mistakes that several exercises may hold."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

from __future__ import annotations

from math import prod

from grader.testing import Explained

UNCHECKED = {
    "en": Explained(
        "You accept sizes below 1.",
        "A model without a token, or a sequence of -3 positions, does not exist. Whatever comes out is a number that "
        "someone will believe.",
        hint="What does your function do with 0, and with -1? The given require_sizes can ask.",
    ),
    "zh_tw": Explained(
        "小於 1 的大小你也接受。",
        "沒有半個詞元的模型、-3 個位置的序列都不存在。算出來的不管是什麼，都會有人信以為真。",
        hint="給它 0 和 -1，你的函式會怎麼做？可以用現成的 require_sizes 檢查。",
    ),
}
ZERO = {
    "en": Explained(
        "You accept a size of 0.",
        "You refuse what is negative, but 0 is no size either: the smallest is 1.",
        hint="Is there a < 0 that should be a < 1?",
    ),
    "zh_tw": Explained(
        "大小是 0 你也接受。",
        "負數你拒絕了，但 0 也不是大小：最小的是 1。",
        hint="是不是有個 < 0 應該寫成 < 1？",
    ),
}
ASSERTS = {
    "en": Explained(
        "You check with assert.",
        "An assert raises AssertionError, and vanishes when Python runs with -O. Bad input is told with ValueError.",
        hint="Which exception does the exercise name?",
    ),
    "zh_tw": Explained(
        "你用 assert 檢查。",
        "assert 引發的是 AssertionError，而且 Python 用 -O 執行時就消失了。不合法的輸入要用 ValueError 說。",
        hint="題目要求的是哪一種例外？",
    ),
}
FLOAT = {
    "en": Explained(
        "Your result is a float.",
        "/ gives a float even where nothing is left over. A size or a count is a whole number: a float cannot be a shape, and "
        "beyond 2^53 it is no longer exact.",
        hint="What is the difference between 6 / 3 and 6 // 3?",
    ),
    "zh_tw": Explained(
        "你的結果是浮點數。",
        "/ 就算整除也會得到浮點數。大小和個數是整數：浮點數不能當形狀，超過 2^53 也不再精確。",
        hint="6 / 3 和 6 // 3 差在哪裡？",
    ),
}
PER_HEAD = {
    "en": Explained(
        "You count head by head, with the width of a head rounded down.",
        "H heads of width d // H are not d wide unless H divides d, and of a model read off its parameters H is not even known. "
        "The matrices are [d, d] for any number of heads: count with d.",
        hint="Does H appear in your formula? Should it?",
    ),
    "zh_tw": Explained(
        "你一個頭一個頭地算，而且頭的寬度是捨去後的。",
        "除非 H 整除 d，否則 H 個寬度 d // H 的頭湊不成 d；從參數讀出來的模型甚至不知道 H。不管有幾個頭，矩陣都是 [d, d]：用 d 來算。",
        hint="你的式子裡有 H 嗎？應該有嗎？",
    ),
}


def checked(**sizes):
    """Refuse sizes below 1."""
    if min(sizes.values()) < 1:
        raise ValueError(f"a size is less than 1: {sizes}")


# Parameters: every tensor that a model learns, part by part.


def tensors(shape, tied=True):
    """Pairs of a part and the shape of one of its tensors."""
    d, V = shape.d_model, shape.vocab_size
    block = [
        ("attn", (3 * d, d)),
        ("attn", (3 * d,)),
        ("attn", (d, d)),
        ("attn", (d,)),
        ("mlp", (4 * d, d)),
        ("mlp", (4 * d,)),
        ("mlp", (d, 4 * d)),
        ("mlp", (d,)),
        *[("ln", (d,))] * 4,
    ]
    ends = [("wte", (V, d)), ("wpe", (shape.block_size, d)), *[("ln", (d,))] * 2]
    return ends + block * shape.n_layer + ([] if tied else [("lm_head", (V, d))])


def tally(pairs):
    """The count of each part of some tensors, and of all."""
    count = dict.fromkeys(("wte", "wpe", "attn", "mlp", "ln", "lm_head"), 0)
    for part, size in pairs:
        count[part] += prod(size)
    return count | {"total": sum(count.values())}


def parts(shape, tied=True, **changed):
    """The same by formula, with some parts changed."""
    L, d, V = shape.n_layer, shape.d_model, shape.vocab_size
    count = {
        "wte": V * d,
        "wpe": shape.block_size * d,
        "attn": L * (4 * d * d + 4 * d),
        "mlp": L * (8 * d * d + 5 * d),
        "ln": 4 * L * d + 2 * d,
        "lm_head": 0 if tied else V * d,
    } | changed
    return count | {"total": sum(count.values())}


# Arithmetic: every matrix product of a pass, as its three sizes.


def block_products(d, T):
    """[n, k] @ [k, m] as (n, k, m), for one block; all heads together are as one of width d."""
    return {
        "qkv": (T, d, 3 * d),
        "scores": (T, d, T),
        "heads": (T, T, d),
        "proj": (T, d, d),
        "up": (T, d, 4 * d),
        "down": (T, 4 * d, d),
    }


def flops(shape, T, each=2, head=None, **changed):
    """All products, with some changed."""
    checked(T=T)
    block = block_products(shape.d_model, T) | changed
    logits = head or (T, shape.d_model, shape.vocab_size)
    return each * (shape.n_layer * sum(map(prod, block.values())) + prod(logits))


def formula(shape, T, linear=12, square=2, logits=1):
    """The same by formula: so many T d^2, T^2 d and T d V."""
    checked(T=T)
    d = shape.d_model
    return 2 * (shape.n_layer * (linear * T * d**2 + square * T**2 * d) + logits * T * d * shape.vocab_size)
