"""What goes wrong in the exercise shapes.parameter_count."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

from __future__ import annotations

from functools import partial

from grader.testing import Explained, misconception, variant
from misconceptions.shared import FLOAT, PER_HEAD, parts, tally, tensors

about = partial(misconception, name="parameter_count")


def changed(shape, tied, part, count):
    """The right parts, but for one."""
    return parts(shape, tied, **{part: count})


def sized(shape):
    """L and d."""
    return shape.n_layer, shape.d_model


def without(shape, tied, *gone):
    """All tensors but those of some parts and shapes."""
    return tally(pair for pair in tensors(shape, tied) if pair not in gone)


@about(
    "shapes.parameter_count/attention-without-biases",
    en=Explained(
        "Your attention has no biases.",
        "GPT-2's projections are x W + b: 3 d for q, k and v, and d for the last one. For GPT-2 small that is 36,864 parameters.",
        hint="Which shape has the bias that is added to [T, 3 d]?",
    ),
    zh_tw=Explained(
        "你的注意力沒有偏置。",
        "GPT-2 的投影是 x W + b：q、k、v 是 3 d，最後一個是 d。對 GPT-2 small 來說就是 36,864 個參數。",
        hint="加到 [T, 3 d] 上的偏置是什麼形狀？",
    ),
)
def attention_bare(ref, shape, tied=True):
    L, d = sized(shape)
    return changed(shape, tied, "attn", L * 4 * d * d)


@variant("shapes.parameter_count/attention-without-biases")
def _(ref, shape, tied=True):
    d = shape.d_model
    return without(shape, tied, ("attn", (3 * d,)), ("attn", (d,)))


@about(
    "shapes.parameter_count/mlp-without-biases",
    en=Explained(
        "Your MLP has no biases.",
        "Both its layers have one: 4 d where it widens, d where it narrows again.",
        hint="Which shapes have the two biases?",
    ),
    zh_tw=Explained(
        "你的 MLP 沒有偏置。",
        "它的兩層各有一個：變寬時 4 d，變窄時 d。",
        hint="兩個偏置各是什麼形狀？",
    ),
)
def mlp_bare(ref, shape, tied=True):
    L, d = sized(shape)
    return changed(shape, tied, "mlp", L * 8 * d * d)


@variant("shapes.parameter_count/mlp-without-biases")
def _(ref, shape, tied=True):
    d = shape.d_model
    return without(shape, tied, ("mlp", (4 * d,)), ("mlp", (d,)))


@about(
    "shapes.parameter_count/no-biases",
    en=Explained(
        "Your matrices have no biases.",
        "12 d^2 is the matrices of a block alone. GPT-2 adds a bias after each of the four: 9 d together.",
        hint="What is added to x W in each of the four layers?",
    ),
    zh_tw=Explained(
        "你的矩陣都沒有偏置。",
        "12 d^2 只是一個區塊的矩陣。GPT-2 在四個矩陣後面各加一個偏置：一共 9 d。",
        hint="四層裡，x W 之後各加上什麼？",
    ),
)
def all_bare(ref, shape, tied=True):
    L, d = sized(shape)
    return parts(shape, tied, attn=L * 4 * d * d, mlp=L * 8 * d * d)


@variant("shapes.parameter_count/no-biases")
def _(ref, shape, tied=True):
    d = shape.d_model
    return without(shape, tied, *[("attn", (n * d,)) for n in (3, 1)], *[("mlp", (n * d,)) for n in (4, 1)])


@about(
    "shapes.parameter_count/bias-of-qkv-too-short",
    en=Explained(
        "Your q, k and v share one bias of width d.",
        "Each of the three has a bias of its own, as each has a matrix of its own: 3 d.",
        hint="How wide is what comes out of the first projection?",
    ),
    zh_tw=Explained(
        "你的 q、k、v 共用一個寬度 d 的偏置。",
        "三者各有自己的矩陣，也各有自己的偏置：3 d。",
        hint="第一個投影的輸出有多寬？",
    ),
)
def short_bias(ref, shape, tied=True):
    L, d = sized(shape)
    return changed(shape, tied, "attn", L * (4 * d * d + 2 * d))


@variant("shapes.parameter_count/bias-of-qkv-too-short")
def _(ref, shape, tied=True):
    d = shape.d_model
    return tally(
        (part, (d,)) if (part, size) == ("attn", (3 * d,)) else (part, size) for part, size in tensors(shape, tied)
    )


@about(
    "shapes.parameter_count/no-output-projection",
    en=Explained(
        "The last projection of attention is missing.",
        "After the heads are merged, W_o [d, d] mixes them. Without it head h could only ever write to its own slice.",
        hint="Which step stands between `merged` and `out`?",
    ),
    zh_tw=Explained(
        "你漏了注意力最後的投影。",
        "頭合併之後，由 W_o [d, d] 把它們混合。少了它，第 h 個頭永遠只能寫到自己那一段。",
        hint="merged 和 out 之間隔著哪一步？",
    ),
)
def no_projection(ref, shape, tied=True):
    L, d = sized(shape)
    return changed(shape, tied, "attn", L * (3 * d * d + 3 * d))


@variant("shapes.parameter_count/no-output-projection")
def _(ref, shape, tied=True):
    d = shape.d_model
    return without(shape, tied, ("attn", (d, d)), ("attn", (d,)))


@about(
    "shapes.parameter_count/one-matrix-of-mlp",
    en=Explained(
        "Your MLP widens and never narrows.",
        "Two matrices: d to 4 d, and 4 d back to d, for the result is added to a vector of width d.",
        hint="How wide must the output of the MLP be?",
    ),
    zh_tw=Explained(
        "你的 MLP 只變寬，沒有變回來。",
        "有兩個矩陣：d 到 4 d，再從 4 d 回到 d，因為結果要加到寬度 d 的向量上。",
        hint="MLP 的輸出必須多寬？",
    ),
)
def half_mlp(ref, shape, tied=True):
    L, d = sized(shape)
    return changed(shape, tied, "mlp", L * (4 * d * d + 4 * d))


@variant("shapes.parameter_count/one-matrix-of-mlp")
def _(ref, shape, tied=True):
    d = shape.d_model
    return without(shape, tied, ("mlp", (d, 4 * d)), ("mlp", (d,)))


@about(
    "shapes.parameter_count/mlp-not-widened",
    en=Explained(
        "The middle of your MLP is d wide.",
        "It is four times as wide, 4 d, and so holds two thirds of a block's parameters.",
        hint="Which width has the vector between the two matrices?",
    ),
    zh_tw=Explained(
        "你的 MLP 中間只有 d 寬。",
        "它是四倍寬，4 d，所以一個區塊有三分之二的參數在這裡。",
        hint="兩個矩陣之間的向量多寬？",
    ),
)
def narrow_mlp(ref, shape, tied=True):
    L, d = sized(shape)
    return changed(shape, tied, "mlp", L * 2 * (d * d + d))


@variant("shapes.parameter_count/mlp-not-widened")
def _(ref, shape, tied=True):
    d = shape.d_model
    return tally(
        (part, tuple(min(n, d) for n in size) if part == "mlp" else size) for part, size in tensors(shape, tied)
    )


@about(
    "shapes.parameter_count/final-norm-missing",
    en=Explained(
        "The final LayerNorm is missing.",
        "A pre-LN model normalises before each part of a block, and once more at the end, before the logits.",
        hint="How many LayerNorms does a model of one block have?",
    ),
    zh_tw=Explained(
        "你漏了最後的 LayerNorm。",
        "pre-LN 模型在區塊每個部分之前都做一次正規化，最後在 logits 之前還有一次。",
        hint="只有一個區塊的模型有幾個 LayerNorm？",
    ),
)
def no_final(ref, shape, tied=True):
    L, d = sized(shape)
    return changed(shape, tied, "ln", 4 * L * d)


@variant("shapes.parameter_count/final-norm-missing")
def _(ref, shape, tied=True):
    pairs = tensors(shape, tied)
    for _ in range(2):
        pairs.remove(("ln", (shape.d_model,)))
    return tally(pairs)


@about(
    "shapes.parameter_count/norm-in-every-layer",
    en=Explained(
        "You count the final LayerNorm in every layer.",
        "It stands behind the last block, once.",
        hint="What of the model is multiplied by n_layer, and what is not?",
    ),
    zh_tw=Explained(
        "你在每一層都算了最後的 LayerNorm。",
        "它在最後一個區塊後面，只有一個。",
        hint="模型的哪些部分要乘 n_layer，哪些不用？",
    ),
)
def final_each(ref, shape, tied=True):
    L, d = sized(shape)
    return changed(shape, tied, "ln", 6 * L * d)


@variant("shapes.parameter_count/norm-in-every-layer")
def _(ref, shape, tied=True):
    extra = [("ln", (shape.d_model,))] * (2 * shape.n_layer - 2)
    return tally([*tensors(shape, tied), *extra])


@about(
    "shapes.parameter_count/norms-without-bias",
    en=Explained(
        "Your LayerNorms have a weight only.",
        "After normalising, each feature is scaled and shifted: a weight and a bias, 2 d.",
        hint="What are the two vectors that LayerNorm learns?",
    ),
    zh_tw=Explained(
        "你的 LayerNorm 只有權重。",
        "正規化之後，每個特徵都要縮放再平移：一個權重和一個偏置，2 d。",
        hint="LayerNorm 學的是哪兩個向量？",
    ),
)
def norm_bare(ref, shape, tied=True):
    L, d = sized(shape)
    return changed(shape, tied, "ln", 2 * L * d + d)


@variant("shapes.parameter_count/norms-without-bias")
def _(ref, shape, tied=True):
    norms = 0
    halved = []
    for pair in tensors(shape, tied):
        norms += pair[0] == "ln"
        if pair[0] != "ln" or norms % 2:
            halved.append(pair)
    return tally(halved)


@about(
    "shapes.parameter_count/one-layer",
    en=Explained(
        "You count one block.",
        "Layers do not share parameters: each of the L blocks has its own.",
        hint="Which of your numbers change with n_layer?",
    ),
    zh_tw=Explained(
        "你只算了一個區塊。",
        "各層不共用參數：L 個區塊各有自己的一份。",
        hint="你的哪些數字會隨 n_layer 改變？",
    ),
)
def single(ref, shape, tied=True):
    one = ref.ModelShape(1, shape.n_head, shape.d_model, shape.vocab_size, shape.block_size)
    return parts(one, tied)


@variant("shapes.parameter_count/one-layer")
def _(ref, shape, tied=True):
    pairs = tensors(shape, tied)
    length = (len(pairs) - 4 - (not tied)) // shape.n_layer
    return tally(pairs[: 4 + length] + pairs[4 + length * shape.n_layer :])


@about(
    "shapes.parameter_count/attention-for-every-head",
    en=Explained(
        "You count the attention once for every head.",
        "The heads are slices of the same [d, d] matrices: H heads of width d / H are d wide, whatever H is.",
        hint="How many parameters does one head have?",
    ),
    zh_tw=Explained(
        "你替每個頭都算了一次注意力。",
        "頭是同一批 [d, d] 矩陣的切片：H 個寬度 d / H 的頭就是 d，和 H 是多少無關。",
        hint="一個頭有多少參數？",
    ),
)
def times_heads(ref, shape, tied=True):
    L, d = sized(shape)
    return changed(shape, tied, "attn", L * (shape.n_head or 1) * (4 * d * d + 4 * d))


@variant("shapes.parameter_count/attention-for-every-head")
def _(ref, shape, tied=True):
    H = shape.n_head or 1
    return tally(pair for pair in tensors(shape, tied) for _ in range(H if pair[0] == "attn" else 1))


@about(
    "shapes.parameter_count/mask-counted",
    en=Explained(
        "You count the causal mask.",
        "It is stored beside the parameters in some models, but nothing is learned: it is the same triangle for everyone.",
        hint="Does training change it?",
    ),
    zh_tw=Explained(
        "你把因果遮罩也算進去了。",
        "有些模型把它和參數存在一起，但它不是學來的：對誰都是同一個三角形。",
        hint="訓練會改變它嗎？",
    ),
)
def mask_too(ref, shape, tied=True):
    L, d = sized(shape)
    return changed(shape, tied, "attn", L * (4 * d * d + 4 * d + shape.block_size**2))


@variant("shapes.parameter_count/mask-counted")
def _(ref, shape, tied=True):
    mask = ("attn", (1, 1, shape.block_size, shape.block_size))
    return tally([*tensors(shape, tied), *[mask] * shape.n_layer])


@about(
    "shapes.parameter_count/positions-by-vocabulary",
    en=Explained(
        "Your position embedding has a row for every token.",
        "It has a row for every position: block_size of them.",
        hint="Which number do you look up in wpe?",
    ),
    zh_tw=Explained(
        "你的位置嵌入是每個詞元一個橫列。",
        "它是每個位置一個橫列：共 block_size 個。",
        hint="你拿什麼數去查 wpe？",
    ),
)
def wpe_by_vocab(ref, shape, tied=True):
    return changed(shape, tied, "wpe", shape.vocab_size * shape.d_model)


@variant("shapes.parameter_count/positions-by-vocabulary")
def _(ref, shape, tied=True):
    return tally((part, (shape.vocab_size, size[1]) if part == "wpe" else size) for part, size in tensors(shape, tied))


@about(
    "shapes.parameter_count/positions-not-in-total",
    en=Explained(
        "You leave the positions out of the total.",
        "Some print the size of a model like that. Here the total is everything that is learned, and the positions are.",
        hint="Add up your parts: are they your total?",
    ),
    zh_tw=Explained(
        "你的總和沒有算位置嵌入。",
        "有人這樣印模型的大小。這裡的總和是學來的一切，位置嵌入也是學來的。",
        hint="把你的各部分加起來，等於你的總和嗎？",
    ),
)
def wpe_left_out(ref, shape, tied=True):
    count = parts(shape, tied)
    return count | {"total": count["total"] - count["wpe"]}


@variant("shapes.parameter_count/positions-not-in-total")
def _(ref, shape, tied=True):
    pairs = tensors(shape, tied)
    return tally(pairs) | {"total": tally(pair for pair in pairs if pair[0] != "wpe")["total"]}


@about(
    "shapes.parameter_count/tied-head-counted",
    en=Explained(
        "A tied head is counted twice in your total.",
        "Tied means that the head *is* the token embedding: one matrix, used at both ends, counted once.",
        hint="If training changes a number of wte, does one of the head change too?",
    ),
    zh_tw=Explained(
        "共用的輸出層在你的總和裡算了兩次。",
        "共用的意思是輸出層*就是*詞元嵌入：同一個矩陣，兩端都用，只算一次。",
        hint="訓練改了 wte 的一個數，輸出層的也跟著改嗎？",
    ),
)
def head_twice(ref, shape, tied=True):
    count = parts(shape, tied)
    return count | {"total": count["total"] + count["wte"] * bool(tied)}


@variant("shapes.parameter_count/tied-head-counted")
def _(ref, shape, tied=True):
    untied = tally(tensors(shape, tied=False))
    return untied | {"lm_head": 0 if tied else untied["lm_head"]}


@about(
    "shapes.parameter_count/head-always-counted",
    en=Explained(
        "You count a matrix for the head even where it is tied.",
        "Tied means that the head *is* the token embedding: one matrix, used at both ends. Its part lm_head is then 0, and the "
        "total is smaller by V d.",
        hint="Where in your function does `tied` appear?",
    ),
    zh_tw=Explained(
        "輸出層共用時，你也替它算了一個矩陣。",
        "共用的意思是輸出層*就是*詞元嵌入：同一個矩陣，兩端都用。這時 lm_head 這一項是 0，總和少 V d。",
        hint="在你的函式裡，tied 出現在哪裡？",
    ),
)
def head_always(ref, shape, tied=True):
    return parts(shape, tied=False)


@variant("shapes.parameter_count/head-always-counted")
def _(ref, shape, tied=True):
    return tally(tensors(shape, tied=False))


@about(
    "shapes.parameter_count/tied-exchanged",
    en=Explained(
        "You exchanged tied and untied.",
        "Tied is the one without a matrix of its own: lm_head is 0.",
        hint="Which of the two models is larger?",
    ),
    zh_tw=Explained(
        "你把共用和不共用對調了。",
        "共用的那個沒有自己的矩陣：lm_head 是 0。",
        hint="兩個模型哪一個比較大？",
    ),
)
def tied_exchanged(ref, shape, tied=True):
    return parts(shape, not tied)


@variant("shapes.parameter_count/tied-exchanged")
def _(ref, shape, tied=True):
    return tally(tensors(shape, tied is False))


@about(
    "shapes.parameter_count/untied-head-missing",
    en=Explained(
        "You never count a head.",
        "An untied model has a second matrix [V, d] for its logits.",
        hint="Where in your function does `tied` appear?",
    ),
    zh_tw=Explained(
        "你從來不算輸出層。",
        "不共用的模型還有第二個 [V, d] 的矩陣用來算 logits。",
        hint="在你的函式裡，tied 出現在哪裡？",
    ),
)
def no_head(ref, shape, tied=True):
    return parts(shape)


@variant("shapes.parameter_count/untied-head-missing")
def _(ref, shape, tied=True):
    return tally(tensors(shape, tied=True))


@about(
    "shapes.parameter_count/head-with-bias",
    en=Explained(
        "Your head has a bias.",
        "GPT-2's logits are x W^T and nothing else, so that the head can be the embedding.",
        hint="What is the shape of wte? The head has to fit into it.",
    ),
    zh_tw=Explained(
        "你的輸出層有偏置。",
        "GPT-2 的 logits 就是 x W^T，沒別的，輸出層才能就是嵌入。",
        hint="wte 是什麼形狀？輸出層要能和它一樣。",
    ),
)
def head_bias(ref, shape, tied=True):
    V, d = shape.vocab_size, shape.d_model
    return parts(shape, tied) if tied else changed(shape, tied, "lm_head", V * d + V)


@variant("shapes.parameter_count/head-with-bias")
def _(ref, shape, tied=True):
    bias = [] if tied else [("lm_head", (shape.vocab_size,))]
    return tally([*tensors(shape, tied), *bias])


@about("shapes.parameter_count/head-by-head", **PER_HEAD)
def by_heads(ref, shape, tied=True):
    L, d = sized(shape)
    if shape.n_head is None:
        raise ValueError("the number of heads is not known")
    d_head = d // shape.n_head
    return changed(shape, tied, "attn", L * (shape.n_head * 3 * (d * d_head + d_head) + d * d + d))


@variant("shapes.parameter_count/head-by-head")
def _(ref, shape, tied=True):
    d = shape.d_model
    if not shape.n_head:
        raise ValueError("no heads")
    wide = d // shape.n_head * shape.n_head
    narrow = {(3 * d, d): (3 * wide, d), (3 * d,): (3 * wide,)}
    return tally((part, narrow.get(size, size) if part == "attn" else size) for part, size in tensors(shape, tied))


@about("shapes.parameter_count/float", **FLOAT)
def as_float(ref, shape, tied=True):
    return {part: count / 1 for part, count in parts(shape, tied).items()}


@variant("shapes.parameter_count/float")
def _(ref, shape, tied=True):
    return {part: float(count) for part, count in tally(tensors(shape, tied)).items()}
