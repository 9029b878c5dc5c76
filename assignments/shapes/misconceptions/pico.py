"""What goes wrong in the exercise shapes.pico."""

from __future__ import annotations

from functools import partial

from grader.testing import Explained, misconception, variant
from misconceptions.shared import ASSERTS, UNCHECKED, ZERO, checked

about = partial(misconception, name="pico")


def model(ref, n_layer, n_head, d_model, V, block_size):
    """A model of these sizes, once V and block_size are known to be sizes."""
    checked(V=V, block_size=block_size)
    return ref.ModelShape(n_layer, n_head, d_model, V, block_size)


def by_name(ref, V, block_size, /, **changed):
    """The right model with some sizes changed, in another style."""
    ref.require_sizes(vocab_size=V, block_size=block_size)
    sizes = {"n_layer": 3, "n_head": 3, "d_model": 6, "vocab_size": V, "block_size": block_size}
    return ref.ModelShape(**sizes | changed)


@about(
    "shapes.pico/vocabulary-and-block-exchanged",
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
    return model(ref, 3, 3, 6, block_size, V)


@variant("shapes.pico/vocabulary-and-block-exchanged")
def _(ref, V, block_size):
    return by_name(ref, V, block_size, vocab_size=block_size, block_size=V)


@about(
    "shapes.pico/sizes-written-down",
    en=Explained(
        "You wrote down the sizes of one data set.",
        "The vocabulary and the block size belong to the text that a model is made for. They are the arguments; only layers, heads and width make it pico.",
        hint="Where in your function do vocab_size and block_size appear?",
    ),
    zh_tw=Explained(
        "你寫死了某一份資料的大小。",
        "詞彙量和區塊大小取決於模型要處理的文字。它們是引數；只有層數、頭數和寬度決定它是 pico。",
        hint="在你的函式裡，vocab_size 和 block_size 出現在哪裡？",
    ),
)
def written_down(ref, V, block_size):
    return model(ref, 3, 3, 6, 65 if V > 0 else V, 64 if block_size > 0 else block_size)


@variant("shapes.pico/sizes-written-down")
def _(ref, V, block_size):
    return by_name(ref, V, block_size, vocab_size=65, block_size=64)


@about(
    "shapes.pico/width-of-one-head",
    en=Explained(
        "Your width is that of one head.",
        "d_model is the width of a position's whole vector. Three heads of width 2 lie in it side by side: 6.",
        hint="What is d_model / n_head in your model?",
    ),
    zh_tw=Explained(
        "你的寬度是一個頭的寬度。",
        "d_model 是一個位置整個向量的寬度。三個寬度 2 的頭並排在裡面：6。",
        hint="你的模型裡 d_model / n_head 是多少？",
    ),
)
def width_of_a_head(ref, V, block_size):
    return model(ref, 3, 3, 2, V, block_size)


@variant("shapes.pico/width-of-one-head")
def _(ref, V, block_size):
    return by_name(ref, V, block_size, d_model=6 // 3)


@about(
    "shapes.pico/width-for-each-head",
    en=Explained(
        "You gave each head the whole width.",
        "6 is the width of the model, which the heads share: 2 for each. They do not get 6 each.",
        hint="What is d_model / n_head in your model?",
    ),
    zh_tw=Explained(
        "你給了每個頭整個寬度。",
        "6 是模型的寬度，由三個頭分：一個頭 2。不是每個頭各 6。",
        hint="你的模型裡 d_model / n_head 是多少？",
    ),
)
def width_for_each(ref, V, block_size):
    return model(ref, 3, 3, 18, V, block_size)


@variant("shapes.pico/width-for-each-head")
def _(ref, V, block_size):
    return by_name(ref, V, block_size, d_model=6 * 3)


@about(
    "shapes.pico/one-head",
    en=Explained(
        "Your pico has one head.",
        "A single head hides every mistake of splitting and merging. Pico has three, which is what it is good for.",
        hint="How many heads are there in one layer of pico?",
    ),
    zh_tw=Explained(
        "你的 pico 只有一個頭。",
        "只有一個頭時，拆開與合併的錯誤全看不出來。pico 有三個頭，這正是它的用處。",
        hint="pico 的一層裡有幾個頭？",
    ),
)
def single_head(ref, V, block_size):
    return model(ref, 3, 1, 6, V, block_size)


@variant("shapes.pico/one-head")
def _(ref, V, block_size):
    return by_name(ref, V, block_size, n_head=1)


@about(
    "shapes.pico/one-layer",
    en=Explained(
        "Your pico has one layer.",
        "Layers and heads are two numbers that are both 3: three blocks one after another, three heads side by side in each.",
        hint="What stands one after another, and what side by side?",
    ),
    zh_tw=Explained(
        "你的 pico 只有一層。",
        "層數和頭數是兩回事，都是 3：三個區塊一個接一個，每個裡面三個頭並排。",
        hint="什麼是一個接一個，什麼是並排？",
    ),
)
def single_layer(ref, V, block_size):
    return model(ref, 1, 3, 6, V, block_size)


@variant("shapes.pico/one-layer")
def _(ref, V, block_size):
    return by_name(ref, V, block_size, n_layer=1)


@about(
    "shapes.pico/femto",
    en=Explained(
        "This is femto.",
        "One layer, one head and width 2 are the smallest model. Pico is the next: 3, 3 and 6.",
        hint="Which of the two did you mean to write?",
    ),
    zh_tw=Explained(
        "這是 femto。",
        "一層、一個頭、寬度 2 是最小的模型。pico 是下一個：3、3、6。",
        hint="你本來要寫的是哪一個？",
    ),
)
def as_femto(ref, V, block_size):
    return model(ref, 1, 1, 2, V, block_size)


@variant("shapes.pico/femto")
def _(ref, V, block_size):
    return by_name(ref, V, block_size, n_layer=1, n_head=1, d_model=2)


@about("shapes.pico/unchecked", **UNCHECKED)
def unchecked(ref, V, block_size):
    return ref.ModelShape(3, 3, 6, V, block_size)


@variant("shapes.pico/unchecked")
def _(ref, vocab_size, block_size):
    sizes = {"vocab_size": vocab_size, "block_size": block_size}
    return ref.ModelShape(n_layer=3, n_head=3, d_model=6, **sizes)


@about("shapes.pico/zero-accepted", **ZERO)
def zero_accepted(ref, V, block_size):
    if V < 0 or block_size < 0:
        raise ValueError("a size is negative")
    return ref.ModelShape(3, 3, 6, V, block_size)


@variant("shapes.pico/zero-accepted")
def _(ref, V, block_size):
    checked(V=V + 1, block_size=block_size + 1)
    return ref.ModelShape(n_layer=3, n_head=3, d_model=6, vocab_size=V, block_size=block_size)


@about("shapes.pico/asserts", **ASSERTS)
def asserts(ref, V, block_size):
    assert V > 0
    assert block_size > 0
    return ref.ModelShape(3, 3, 6, V, block_size)


@variant("shapes.pico/asserts")
def _(ref, V, block_size):
    if min(V, block_size) < 1:
        raise AssertionError("too small")
    return by_name(ref, V, block_size)
