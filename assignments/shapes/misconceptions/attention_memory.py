"""What goes wrong in the exercise shapes.attention_memory."""

from __future__ import annotations

from functools import partial
from math import prod

from grader.testing import Explained, misconception, variant
from misconceptions.shared import ASSERTS, FLOAT, UNCHECKED, ZERO, checked

about = partial(misconception, name="attention_memory")


def asked(shape, B, T, size):
    """L and H, once the rest is known to be at least 1."""
    checked(B=B, T=T, bytes_per_value=size)
    return shape.n_layer, shape.n_head


def summed(shape, B, T, size, matrix=None):
    """The right bytes in another style: one matrix after the other, each of the same shape."""
    if min(B, T, size) < 1:
        raise ValueError("no such batch")
    each = prod(matrix or (T, T)) * size
    return sum(each for _layer in range(shape.n_layer) for _sequence in range(B) for _head in range(shape.n_head))


@about(
    "shapes.attention_memory/one-head",
    en=Explained(
        "You count one matrix for all heads.",
        "Each head has scores of its own. Twice the heads are twice the scores, though the width stays.",
        hint="What is the shape of the scores in attention_shapes?",
    ),
    zh_tw=Explained(
        "你把所有的頭算成一個矩陣。",
        "每個頭有自己的分數。頭加倍，分數就加倍，雖然寬度不變。",
        hint="attention_shapes 裡的分數是什麼形狀？",
    ),
)
def one_head(ref, shape, B, T, bytes_per_value=4):
    L, _ = asked(shape, B, T, bytes_per_value)
    return L * B * T * T * bytes_per_value


@variant("shapes.attention_memory/one-head")
def _(ref, shape, B, T, bytes_per_value=4):
    return summed(shape, B, T, bytes_per_value) // shape.n_head


@about(
    "shapes.attention_memory/one-layer",
    en=Explained(
        "You count one layer.",
        "Every layer makes its scores anew, and training keeps all of them for the way back.",
        hint="Where does n_layer appear?",
    ),
    zh_tw=Explained(
        "你只算了一層。",
        "每一層都重新算分數，訓練時全都要留著給反向傳遞用。",
        hint="n_layer 出現在哪裡？",
    ),
)
def one_layer(ref, shape, B, T, bytes_per_value=4):
    _, H = asked(shape, B, T, bytes_per_value)
    return B * H * T * T * bytes_per_value


@variant("shapes.attention_memory/one-layer")
def _(ref, shape, B, T, bytes_per_value=4):
    return summed(shape, B, T, bytes_per_value) // shape.n_layer


@about(
    "shapes.attention_memory/one-sequence",
    en=Explained(
        "You count one sequence.",
        "The sequences of a batch never meet, so each has scores of its own.",
        hint="Where does B appear?",
    ),
    zh_tw=Explained(
        "你只算了一個序列。",
        "批次裡的序列互不相遇，所以各有各的分數。",
        hint="B 出現在哪裡？",
    ),
)
def one_sequence(ref, shape, B, T, bytes_per_value=4):
    L, H = asked(shape, B, T, bytes_per_value)
    return L * H * T * T * bytes_per_value


@variant("shapes.attention_memory/one-sequence")
def _(ref, shape, B, T, bytes_per_value=4):
    return summed(shape, B, T, bytes_per_value) // B


@about(
    "shapes.attention_memory/once-T",
    en=Explained(
        "You count one score for each position.",
        "Every position has a score for every position: T times T. That square is why long texts are expensive.",
        hint="How many entries has a matrix of T queries and T keys?",
    ),
    zh_tw=Explained(
        "你替每個位置只算了一個分數。",
        "每個位置對每個位置都有一個分數：T 乘 T。長文字之所以貴，就貴在這個平方。",
        hint="T 個查詢、T 個鍵的矩陣有幾格？",
    ),
)
def once_T(ref, shape, B, T, bytes_per_value=4):
    L, H = asked(shape, B, T, bytes_per_value)
    return L * B * H * T * bytes_per_value


@variant("shapes.attention_memory/once-T")
def _(ref, shape, B, T, bytes_per_value=4):
    return summed(shape, B, T, bytes_per_value, (T, 1))


@about(
    "shapes.attention_memory/T-times-block-size",
    en=Explained(
        "Your matrices are T x block_size.",
        "block_size is the longest sequence the model can read. The keys are the T positions that are there.",
        hint="How many keys does a sequence of T positions have?",
    ),
    zh_tw=Explained(
        "你的矩陣是 T x block_size。",
        "block_size 是模型能讀的最長序列。鍵就是那 T 個實際存在的位置。",
        hint="T 個位置的序列有幾個鍵？",
    ),
)
def times_block(ref, shape, B, T, bytes_per_value=4):
    L, H = asked(shape, B, T, bytes_per_value)
    return L * B * H * T * shape.block_size * bytes_per_value


@variant("shapes.attention_memory/T-times-block-size")
def _(ref, shape, B, T, bytes_per_value=4):
    return summed(shape, B, T, bytes_per_value, (T, shape.block_size))


@about(
    "shapes.attention_memory/T-times-width",
    en=Explained(
        "You count queries, not scores.",
        "[T, d / H] is the shape of a head's queries. Their products with the keys are [T, T].",
        hint="What is the shape of q k^T?",
    ),
    zh_tw=Explained(
        "你算的是查詢，不是分數。",
        "[T, d / H] 是一個頭的查詢的形狀。查詢和鍵的乘積是 [T, T]。",
        hint="q k^T 是什麼形狀？",
    ),
)
def times_width(ref, shape, B, T, bytes_per_value=4):
    L, H = asked(shape, B, T, bytes_per_value)
    return L * B * H * T * (shape.d_model // H) * bytes_per_value


@variant("shapes.attention_memory/T-times-width")
def _(ref, shape, B, T, bytes_per_value=4):
    return summed(shape, B, T, bytes_per_value, (T, shape.d_model // shape.n_head))


@about(
    "shapes.attention_memory/causal-half",
    en=Explained(
        "You count only the scores that the mask leaves.",
        "The mask writes -inf over the others: they are there, and take as much room.",
        hint="What is the shape of the scores before and after the mask?",
    ),
    zh_tw=Explained(
        "你只算了遮罩留下的分數。",
        "遮罩在其他的上面寫 -inf：它們還在，佔的空間一樣多。",
        hint="遮罩前後，分數的形狀各是什麼？",
    ),
)
def half(ref, shape, B, T, bytes_per_value=4):
    L, H = asked(shape, B, T, bytes_per_value)
    return L * B * H * (T * (T + 1) // 2) * bytes_per_value


@variant("shapes.attention_memory/causal-half")
def _(ref, shape, B, T, bytes_per_value=4):
    return summed(shape, B, T, bytes_per_value, (sum(t + 1 for t in range(T)),))


@about(
    "shapes.attention_memory/values-not-bytes",
    en=Explained(
        "You return how many numbers there are, not bytes.",
        "A float32 takes 4 bytes, a float16 takes 2: multiply by bytes_per_value.",
        hint="Where does bytes_per_value appear?",
    ),
    zh_tw=Explained(
        "你回傳的是有幾個數，不是位元組。",
        "float32 佔 4 個位元組，float16 佔 2 個：要乘 bytes_per_value。",
        hint="bytes_per_value 出現在哪裡？",
    ),
)
def values(ref, shape, B, T, bytes_per_value=4):
    L, H = asked(shape, B, T, bytes_per_value)
    return L * B * H * T * T


@variant("shapes.attention_memory/values-not-bytes")
def _(ref, shape, B, T, bytes_per_value=4):
    return summed(shape, B, T, bytes_per_value) // bytes_per_value


@about(
    "shapes.attention_memory/weights-too",
    en=Explained(
        "You count the weights as well.",
        "Scores and weights are two matrices of one shape. The exercise asks for the scores; whether both are kept is up to the program.",
        hint="How many T x T matrices do you count for one head?",
    ),
    zh_tw=Explained(
        "你連權重也算了。",
        "分數和權重是兩個形狀相同的矩陣。題目問的是分數；兩個是否都留著，要看程式怎麼寫。",
        hint="一個頭你算了幾個 T x T 矩陣？",
    ),
)
def weights_too(ref, shape, B, T, bytes_per_value=4):
    L, H = asked(shape, B, T, bytes_per_value)
    return 2 * L * B * H * T * T * bytes_per_value


@variant("shapes.attention_memory/weights-too")
def _(ref, shape, B, T, bytes_per_value=4):
    return summed(shape, B, T, bytes_per_value, (2, T, T))


@about(
    "shapes.attention_memory/bits",
    en=Explained(
        "Your result is in bits.",
        "bytes_per_value counts bytes already; 8 of them would be bits.",
        hint="What does 4 mean for a float32?",
    ),
    zh_tw=Explained(
        "你的結果是位元。",
        "bytes_per_value 已經是位元組；乘 8 就變成位元了。",
        hint="對 float32 來說，4 是什麼意思？",
    ),
)
def bits(ref, shape, B, T, bytes_per_value=4):
    L, H = asked(shape, B, T, bytes_per_value)
    return 8 * L * B * H * T * T * bytes_per_value


@variant("shapes.attention_memory/bits")
def _(ref, shape, B, T, bytes_per_value=4):
    return summed(shape, B, T, bytes_per_value, (8, T, T))


@about(
    "shapes.attention_memory/always-four",
    en=Explained(
        "Every number takes 4 bytes in your count.",
        "That is float32. Half precision takes 2 and double 8: that is what bytes_per_value is for.",
        hint="What does your function give for bytes_per_value=2?",
    ),
    zh_tw=Explained(
        "在你的算法裡，每個數都佔 4 個位元組。",
        "那是 float32。半精度佔 2 個，倍精度佔 8 個：所以才有 bytes_per_value。",
        hint="bytes_per_value=2 時，你的函式得到什麼？",
    ),
)
def always_four(ref, shape, B, T, bytes_per_value=4):
    L, H = asked(shape, B, T, bytes_per_value)
    return L * B * H * T * T * 4


@variant("shapes.attention_memory/always-four")
def _(ref, shape, B, T, bytes_per_value=4):
    return summed(shape, B, T, bytes_per_value) * 4 // bytes_per_value


@about(
    "shapes.attention_memory/double-by-default",
    en=Explained(
        "Without being told, you count 8 bytes for a number.",
        "Python's own floats take 8, but models are computed in float32: bytes_per_value is 4 unless given.",
        hint="Which default does your signature have?",
    ),
    zh_tw=Explained(
        "沒有另外說明時，你每個數算 8 個位元組。",
        "Python 自己的浮點數佔 8 個，但模型用 float32 計算：沒有給的話，bytes_per_value 是 4。",
        hint="你的函式簽名裡，預設值是多少？",
    ),
)
def double(ref, shape, B, T, bytes_per_value=8):
    L, H = asked(shape, B, T, bytes_per_value)
    return L * B * H * T * T * bytes_per_value


@variant("shapes.attention_memory/double-by-default")
def _(ref, shape, B, T, bytes_per_value=None):
    return summed(shape, B, T, 8 if bytes_per_value is None else bytes_per_value)


@about("shapes.attention_memory/unchecked", **UNCHECKED)
def unchecked(ref, shape, B, T, bytes_per_value=4):
    return shape.n_layer * B * shape.n_head * T * T * bytes_per_value


@variant("shapes.attention_memory/unchecked")
def _(ref, shape, B, T, bytes_per_value=4):
    return prod((shape.n_layer, B, shape.n_head, T, T, bytes_per_value))


@about("shapes.attention_memory/zero-accepted", **ZERO)
def zero_accepted(ref, shape, B, T, bytes_per_value=4):
    if B < 0 or T < 0 or bytes_per_value < 0:
        raise ValueError("negative")
    return shape.n_layer * B * shape.n_head * T * T * bytes_per_value


@variant("shapes.attention_memory/zero-accepted")
def _(ref, shape, B, T, bytes_per_value=4):
    checked(B=B + 1, T=T + 1, size=bytes_per_value + 1)
    return prod((shape.n_layer, B, shape.n_head, T, T, bytes_per_value))


@about("shapes.attention_memory/asserts", **ASSERTS)
def asserts(ref, shape, B, T, bytes_per_value=4):
    assert min(B, T, bytes_per_value) >= 1
    return summed(shape, B, T, bytes_per_value)


@variant("shapes.attention_memory/asserts")
def _(ref, shape, B, T, bytes_per_value=4):
    try:
        L, H = asked(shape, B, T, bytes_per_value)
    except ValueError as error:
        raise AssertionError(str(error)) from error
    return L * B * H * T**2 * bytes_per_value


@about("shapes.attention_memory/float", **FLOAT)
def as_float(ref, shape, B, T, bytes_per_value=4):
    L, H = asked(shape, B, T, bytes_per_value)
    return L * B * H * T * T * (bytes_per_value * 8) / 8


@variant("shapes.attention_memory/float")
def _(ref, shape, B, T, bytes_per_value=4):
    return float(summed(shape, B, T, bytes_per_value))
