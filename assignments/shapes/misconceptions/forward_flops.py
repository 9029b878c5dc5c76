"""What goes wrong in the exercise shapes.forward_flops."""

from __future__ import annotations

from functools import partial
from math import prod

from grader.testing import Explained, misconception, variant
from misconceptions.shared import ASSERTS, FLOAT, PER_HEAD, UNCHECKED, ZERO, flops, formula

about = partial(misconception, name="forward_flops")


# A mistake changes the list of products; its variant, the formula.


@about(
    "shapes.forward_flops/multiply-add-once",
    en=Explained(
        "A multiply-add counts 1 in your result.",
        "Each term of a dot product is multiplied and added: two operations. Both ways of counting are in use, and differ by 2; here it is 2.",
        hint="How many operations are 3 * 4 + 5?",
    ),
    zh_tw=Explained(
        "在你的結果裡，一次乘加算 1 次。",
        "內積的每一項都要乘一次、加一次：兩次運算。兩種算法都有人用，差 2 倍；這裡算 2 次。",
        hint="3 * 4 + 5 是幾次運算？",
    ),
)
def once(ref, shape, T):
    return flops(shape, T, each=1)


@variant("shapes.forward_flops/multiply-add-once")
def _(ref, shape, T):
    return formula(shape, T) // 2


@about(
    "shapes.forward_flops/scores-missing",
    en=Explained(
        "Only one of the two products of attention is there.",
        "q k^T takes T^2 d, and the weights times v take T^2 d once more.",
        hint="Which two matrices does attention multiply after the softmax, and which before?",
    ),
    zh_tw=Explained(
        "注意力的兩個乘積你只算了一個。",
        "q k^T 要 T^2 d，權重乘 v 又要 T^2 d。",
        hint="注意力在 softmax 之前乘了哪兩個矩陣？之後呢？",
    ),
)
def no_scores(ref, shape, T):
    return flops(shape, T, scores=(0,))


@variant("shapes.forward_flops/scores-missing")
def _(ref, shape, T):
    return formula(shape, T, square=1)


@about(
    "shapes.forward_flops/no-attention-products",
    en=Explained(
        "Nothing in your result grows with T^2.",
        "You count the layers that have parameters. q k^T and the weights times v have none, and yet are two products.",
        hint="Double T: how much of the work doubles, and how much grows by four?",
    ),
    zh_tw=Explained(
        "你的結果裡，沒有東西隨 T^2 成長。",
        "你算了有參數的那些層。q k^T 和權重乘 v 沒有參數，但仍然是兩個乘積。",
        hint="T 加倍時，哪些運算加倍，哪些變成四倍？",
    ),
)
def no_squares(ref, shape, T):
    return flops(shape, T, scores=(0,), heads=(0,))


@variant("shapes.forward_flops/no-attention-products")
def _(ref, shape, T):
    return formula(shape, T, square=0)


@about(
    "shapes.forward_flops/causal-half",
    en=Explained(
        "You leave out what the causal mask hides.",
        "The mask is put over scores that have been computed. The exercise counts whole products.",
        hint="Is q k^T computed before or after the mask?",
    ),
    zh_tw=Explained(
        "你略過了因果遮罩遮掉的部分。",
        "遮罩是蓋在已經算好的分數上的。題目算的是整個乘積。",
        hint="q k^T 是在遮罩之前還是之後算的？",
    ),
)
def half(ref, shape, T):
    d = shape.d_model
    return flops(shape, T, scores=(T * (T + 1) // 2, d), heads=(T * (T + 1) // 2, d))


@variant("shapes.forward_flops/causal-half")
def _(ref, shape, T):
    return formula(shape, T, square=0) + 4 * shape.n_layer * shape.d_model * sum(range(1, T + 1))


@about(
    "shapes.forward_flops/logits-missing",
    en=Explained(
        "The logits are missing.",
        "Every position is multiplied with all V rows of the embedding: T d V, for GPT-2 small more than a quarter of everything.",
        hint="Which product comes after the last block?",
    ),
    zh_tw=Explained(
        "你漏了 logits。",
        "每個位置都要和嵌入的全部 V 個橫列相乘：T d V，對 GPT-2 small 來說佔了全部的四分之一以上。",
        hint="最後一個區塊之後是哪個乘積？",
    ),
)
def no_logits(ref, shape, T):
    return flops(shape, T, head=(0,))


@variant("shapes.forward_flops/logits-missing")
def _(ref, shape, T):
    return formula(shape, T, logits=0)


@about(
    "shapes.forward_flops/logits-of-the-last-position",
    en=Explained(
        "You compute the logits of the last position only.",
        "That is enough to generate. A forward pass, as in training, has logits at all T positions.",
        hint="What is the shape of the logits?",
    ),
    zh_tw=Explained(
        "你只算了最後一個位置的 logits。",
        "要生成的話這樣就夠了。但像訓練時那樣的前向傳遞，T 個位置都有 logits。",
        hint="logits 是什麼形狀？",
    ),
)
def last_logits(ref, shape, T):
    return flops(shape, T, head=(shape.d_model, shape.vocab_size))


@variant("shapes.forward_flops/logits-of-the-last-position")
def _(ref, shape, T):
    return formula(shape, T, logits=0) + 2 * shape.d_model * shape.vocab_size


@about(
    "shapes.forward_flops/logits-in-every-layer",
    en=Explained(
        "You count the logits in every layer.",
        "They are computed once, after the last block.",
        hint="What of the model is multiplied by n_layer, and what is not?",
    ),
    zh_tw=Explained(
        "你在每一層都算了 logits。",
        "logits 只在最後一個區塊之後算一次。",
        hint="模型的哪些部分要乘 n_layer，哪些不用？",
    ),
)
def logits_each(ref, shape, T):
    d = shape.d_model
    return flops(shape, T, head=(shape.n_layer, T, d, shape.vocab_size))


@variant("shapes.forward_flops/logits-in-every-layer")
def _(ref, shape, T):
    return formula(shape, T, logits=shape.n_layer)


@about(
    "shapes.forward_flops/one-layer",
    en=Explained(
        "You count one block.",
        "The T positions go through L blocks, one after the other.",
        hint="Where does n_layer appear?",
    ),
    zh_tw=Explained(
        "你只算了一個區塊。",
        "T 個位置要一個接一個通過 L 個區塊。",
        hint="n_layer 出現在哪裡？",
    ),
)
def single(ref, shape, T):
    return flops(ref.ModelShape(1, 1, shape.d_model, shape.vocab_size, 1), T)


@variant("shapes.forward_flops/one-layer")
def _(ref, shape, T):
    return (formula(shape, T) - formula(shape, T, 0, 0)) // shape.n_layer + formula(shape, T, 0, 0)


@about(
    "shapes.forward_flops/q-k-v-once",
    en=Explained(
        "You count one projection for q, k and v.",
        "They are three products with [d, d], or one with [d, 3 d].",
        hint="Which matrices does X meet first?",
    ),
    zh_tw=Explained(
        "q、k、v 你只算了一個投影。",
        "它們是和 [d, d] 的三個乘積，或和 [d, 3 d] 的一個。",
        hint="X 最先遇到哪些矩陣？",
    ),
)
def one_projection(ref, shape, T):
    d = shape.d_model
    return flops(shape, T, qkv=(T, d, d))


@variant("shapes.forward_flops/q-k-v-once")
def _(ref, shape, T):
    return formula(shape, T, linear=10)


@about(
    "shapes.forward_flops/no-output-projection",
    en=Explained(
        "The last projection of attention is missing.",
        "The merged heads [T, d] are multiplied with W_o [d, d].",
        hint="Which step stands between `merged` and `out`?",
    ),
    zh_tw=Explained(
        "你漏了注意力最後的投影。",
        "合併後的頭 [T, d] 要乘 W_o [d, d]。",
        hint="merged 和 out 之間隔著哪一步？",
    ),
)
def no_projection(ref, shape, T):
    return flops(shape, T, proj=(0,))


@variant("shapes.forward_flops/no-output-projection")
def _(ref, shape, T):
    return formula(shape, T, linear=11)


@about(
    "shapes.forward_flops/one-product-of-mlp",
    en=Explained(
        "You count one product of the MLP.",
        "It goes from d to 4 d and back: 4 T d^2 twice.",
        hint="How wide is the output of the MLP?",
    ),
    zh_tw=Explained(
        "MLP 的乘積你只算了一個。",
        "它從 d 到 4 d 再回來：兩次 4 T d^2。",
        hint="MLP 的輸出有多寬？",
    ),
)
def half_mlp(ref, shape, T):
    return flops(shape, T, down=(0,))


@variant("shapes.forward_flops/one-product-of-mlp")
def _(ref, shape, T):
    return formula(shape, T, linear=8)


@about(
    "shapes.forward_flops/every-head-d-wide",
    en=Explained(
        "You count heads that are d wide.",
        "Each head is d / H wide: H of them cost T^2 d together, as one of width d does.",
        hint="How wide is one head?",
    ),
    zh_tw=Explained(
        "你的頭每個都是 d 寬。",
        "每個頭寬 d / H：H 個合起來是 T^2 d，和一個寬度 d 的一樣。",
        hint="一個頭有多寬？",
    ),
)
def wide_heads(ref, shape, T):
    d, H = shape.d_model, shape.n_head or 1
    return flops(shape, T, scores=(H, T, d, T), heads=(H, T, T, d))


@variant("shapes.forward_flops/every-head-d-wide")
def _(ref, shape, T):
    return formula(shape, T, square=2 * (shape.n_head or 1))


@about(
    "shapes.forward_flops/one-position",
    en=Explained(
        "You count one position.",
        "All T positions go through: each matrix meets [T, d], not [d].",
        hint="What is the shape of x in one sequence?",
    ),
    zh_tw=Explained(
        "你只算了一個位置。",
        "T 個位置都要通過：每個矩陣遇到的是 [T, d]，不是 [d]。",
        hint="一個序列裡的 x 是什麼形狀？",
    ),
)
def one_position(ref, shape, T):
    return flops(
        shape,
        T,
        head=(shape.d_model, shape.vocab_size),
        qkv=(shape.d_model, 3 * shape.d_model),
        scores=(T, shape.d_model),
        heads=(T, shape.d_model),
        proj=(shape.d_model,) * 2,
        up=(shape.d_model, 4 * shape.d_model),
        down=(4 * shape.d_model, shape.d_model),
    )


@variant("shapes.forward_flops/one-position")
def _(ref, shape, T):
    return formula(shape, T) // T


@about(
    "shapes.forward_flops/block-size-for-T",
    en=Explained(
        "You compute with block_size instead of T.",
        "block_size is the longest sequence that the model can read. The one that it reads has T positions.",
        hint="Does your result change with T?",
    ),
    zh_tw=Explained(
        "你用 block_size 代替了 T。",
        "block_size 是模型能讀的最長序列。它正在讀的有 T 個位置。",
        hint="你的結果會隨 T 改變嗎？",
    ),
)
def with_block_size(ref, shape, T):
    ref.require_sizes(T=T)
    return flops(shape, shape.block_size)


@variant("shapes.forward_flops/block-size-for-T")
def _(ref, shape, T):
    return formula(shape, T) and formula(shape, shape.block_size)


@about(
    "shapes.forward_flops/lookup-as-product",
    en=Explained(
        "You count the embedding as a product.",
        "A row is looked up, nothing is multiplied. It would be a product with one-hot rows, which nobody computes.",
        hint="How many multiplications does wte[id] take?",
    ),
    zh_tw=Explained(
        "你把嵌入當成乘積來算。",
        "查表只是拿出一個橫列，沒有乘法。寫成 one-hot 才會是乘積，但沒有人這樣算。",
        hint="wte[id] 要做幾次乘法？",
    ),
)
def lookup(ref, shape, T):
    return flops(shape, T) + 2 * prod((T, shape.vocab_size, shape.d_model))


@variant("shapes.forward_flops/lookup-as-product")
def _(ref, shape, T):
    return formula(shape, T, logits=2)


@about(
    "shapes.forward_flops/backward-too",
    en=Explained(
        "You count the backward pass as well.",
        "It costs twice the forward pass, so that training takes three times this. The exercise asks for the forward pass.",
        hint="Is anything differentiated when a model only predicts?",
    ),
    zh_tw=Explained(
        "你把反向傳遞也算進去了。",
        "它的代價是前向的兩倍，所以訓練是三倍。題目問的是前向傳遞。",
        hint="模型只做預測時，需要微分嗎？",
    ),
)
def backward_too(ref, shape, T):
    return 3 * flops(shape, T)


@variant("shapes.forward_flops/backward-too")
def _(ref, shape, T):
    return formula(shape, T) + 2 * formula(shape, T)


@about("shapes.forward_flops/head-by-head", **PER_HEAD)
def by_heads(ref, shape, T):
    if shape.n_head is None:
        raise ValueError("the number of heads is not known")
    d_head = shape.d_model // shape.n_head
    return flops(shape, T, scores=(shape.n_head, T, d_head, T), heads=(shape.n_head, T, T, d_head))


@variant("shapes.forward_flops/head-by-head")
def _(ref, shape, T):
    if not shape.n_head:
        raise ValueError("no heads")
    lost = shape.d_model % shape.n_head
    return formula(shape, T) - 4 * shape.n_layer * T * T * lost


def unchecked_right(shape, T):
    """The right formula, for any T."""
    d = shape.d_model
    return 2 * (shape.n_layer * (12 * T * d * d + 2 * T * T * d) + T * d * shape.vocab_size)


@about("shapes.forward_flops/unchecked", **UNCHECKED)
def unchecked(ref, shape, T):
    return unchecked_right(shape, T)


@variant("shapes.forward_flops/unchecked")
def _(ref, shape, T):
    d = shape.d_model
    one = 24 * d * d + 4 * T * d
    return T * (shape.n_layer * one + 2 * d * shape.vocab_size)


@about("shapes.forward_flops/zero-accepted", **ZERO)
def zero_accepted(ref, shape, T):
    if T < 0:
        raise ValueError("negative")
    return unchecked_right(shape, T)


@variant("shapes.forward_flops/zero-accepted")
def _(ref, shape, T):
    return 0 if T == 0 else formula(shape, T)


@about("shapes.forward_flops/asserts", **ASSERTS)
def asserts(ref, shape, T):
    assert T >= 1
    return flops(shape, T)


@variant("shapes.forward_flops/asserts")
def _(ref, shape, T):
    if T <= 0:
        raise AssertionError
    return formula(shape, T)


@about("shapes.forward_flops/float", **FLOAT)
def as_float(ref, shape, T):
    return flops(shape, T) * 1.0


@variant("shapes.forward_flops/float")
def _(ref, shape, T):
    d = shape.d_model
    formula(shape, T)
    return 2e0 * (shape.n_layer * (12 * T * d**2 + 2 * T**2 * d) + T * d * shape.vocab_size)
