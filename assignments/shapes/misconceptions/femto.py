"""What goes wrong in the exercise shapes.femto."""

from __future__ import annotations

from functools import partial

from grader.testing import Explained, misconception, variant
from misconceptions.shared import ASSERTS, UNCHECKED, ZERO, checked

about = partial(misconception, name="femto")


def model(ref, n_layer, n_head, d_model, V, block_size):
    """A model of these sizes, once V and block_size are known to be sizes."""
    checked(V=V, block_size=block_size)
    return ref.ModelShape(n_layer, n_head, d_model, V, block_size)


def by_name(ref, V, block_size, /, **changed):
    """The right model with some sizes changed, in another style."""
    ref.require_sizes(vocab_size=V, block_size=block_size)
    sizes = {"n_layer": 1, "n_head": 1, "d_model": 2, "vocab_size": V, "block_size": block_size}
    return ref.ModelShape(**sizes | changed)


@about(
    "shapes.femto/vocabulary-and-block-exchanged",
    en=Explained(
        "You exchanged vocabulary and block size.",
        "Both are numbers of rows of an embedding, so nothing breaks at once: the model knows as many tokens as it should know positions.",
        hint="In which order do the fields of ModelShape stand? Give them by name.",
    ),
    zh_tw=Explained(
        "你把詞彙量和區塊大小對調了。",
        "兩者都是嵌入的橫列數，所以不會馬上出錯：模型認得的詞元數，變成了它該有的位置數。",
        hint="ModelShape 的欄位是什麼順序？用名字給值。",
    ),
)
def exchanged(ref, V, block_size):
    return model(ref, 1, 1, 2, block_size, V)


@variant("shapes.femto/vocabulary-and-block-exchanged")
def _(ref, V, block_size):
    return by_name(ref, V, block_size, vocab_size=block_size, block_size=V)


@about(
    "shapes.femto/sizes-written-down",
    en=Explained(
        "You wrote down the sizes of one data set.",
        "The vocabulary and the block size belong to the text that a model is made for. They are the arguments; only layers, heads and width make it femto.",
        hint="Where in your function do vocab_size and block_size appear?",
    ),
    zh_tw=Explained(
        "你寫死了某一份資料的大小。",
        "詞彙量和區塊大小取決於模型要處理的文字。它們是引數；只有層數、頭數和寬度決定它是 femto。",
        hint="在你的函式裡，vocab_size 和 block_size 出現在哪裡？",
    ),
)
def written_down(ref, V, block_size):
    return model(ref, 1, 1, 2, 65 if V > 0 else V, 64 if block_size > 0 else block_size)


@variant("shapes.femto/sizes-written-down")
def _(ref, V, block_size):
    return by_name(ref, V, block_size, vocab_size=65, block_size=64)


@about(
    "shapes.femto/pico",
    en=Explained(
        "This is pico.",
        "Three layers of three heads, six wide, are the next larger model. Femto is the smallest that still is a transformer: 1, 1 and 2.",
        hint="Which of the two did you mean to write?",
    ),
    zh_tw=Explained(
        "這是 pico。",
        "三層、每層三個頭、寬度六，是大一號的模型。femto 是還算得上 transformer 的最小一個：1、1、2。",
        hint="你本來要寫的是哪一個？",
    ),
)
def as_pico(ref, V, block_size):
    return model(ref, 3, 3, 6, V, block_size)


@variant("shapes.femto/pico")
def _(ref, V, block_size):
    return by_name(ref, V, block_size, n_layer=3, n_head=3, d_model=6)


@about(
    "shapes.femto/width-one",
    en=Explained(
        "Your femto has width 1.",
        "One layer and one head, but two numbers for each position. With a width of 1, LayerNorm would make every vector 0.",
        hint="What are mean and variance of a single number?",
    ),
    zh_tw=Explained(
        "你的 femto 寬度是 1。",
        "一層、一個頭，但每個位置有兩個數。寬度是 1 的話，LayerNorm 會把每個向量都變成 0。",
        hint="只有一個數時，平均和變異數是多少？",
    ),
)
def width_one(ref, V, block_size):
    return model(ref, 1, 1, 1, V, block_size)


@variant("shapes.femto/width-one")
def _(ref, V, block_size):
    return by_name(ref, V, block_size, d_model=1)


@about(
    "shapes.femto/heads-and-width-exchanged",
    en=Explained(
        "You exchanged heads and width.",
        "Two heads cannot share a width of 1. Femto has one head, which has the whole width of 2 to itself.",
        hint="How wide would each of your heads be?",
    ),
    zh_tw=Explained(
        "你把頭數和寬度對調了。",
        "兩個頭沒辦法分寬度 1。femto 只有一個頭，獨佔整個寬度 2。",
        hint="你的每個頭會有多寬？",
    ),
)
def heads_as_width(ref, V, block_size):
    return model(ref, 1, 2, 1, V, block_size)


@variant("shapes.femto/heads-and-width-exchanged")
def _(ref, V, block_size):
    return by_name(ref, V, block_size, n_head=2, d_model=1)


@about("shapes.femto/unchecked", **UNCHECKED)
def unchecked(ref, V, block_size):
    return ref.ModelShape(1, 1, 2, V, block_size)


@variant("shapes.femto/unchecked")
def _(ref, vocab_size, block_size):
    sizes = {"vocab_size": vocab_size, "block_size": block_size}
    return ref.ModelShape(n_layer=1, n_head=1, d_model=2, **sizes)


@about("shapes.femto/zero-accepted", **ZERO)
def zero_accepted(ref, V, block_size):
    if V < 0 or block_size < 0:
        raise ValueError("a size is negative")
    return ref.ModelShape(1, 1, 2, V, block_size)


@variant("shapes.femto/zero-accepted")
def _(ref, V, block_size):
    checked(V=V + 1, block_size=block_size + 1)
    return ref.ModelShape(n_layer=1, n_head=1, d_model=2, vocab_size=V, block_size=block_size)


@about("shapes.femto/asserts", **ASSERTS)
def asserts(ref, V, block_size):
    assert V > 0
    assert block_size > 0
    return ref.ModelShape(1, 1, 2, V, block_size)


@variant("shapes.femto/asserts")
def _(ref, V, block_size):
    if min(V, block_size) < 1:
        raise AssertionError("too small")
    return by_name(ref, V, block_size)
