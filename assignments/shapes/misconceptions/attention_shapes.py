"""What goes wrong in the exercise shapes.attention_shapes."""

from __future__ import annotations

from functools import partial

from grader.testing import Explained, misconception, variant
from misconceptions.shared import ASSERTS, FLOAT, UNCHECKED, ZERO, checked

about = partial(misconception, name="attention_shapes")


def steps(shape, B, T, **changed):
    """The right shapes with some changed."""
    checked(B=B, T=T)
    H, d = shape.n_head, shape.d_model
    if d % H:
        raise ValueError("heads do not divide the width")
    split, square, stream = (B, H, T, d // H), (B, H, T, T), (B, T, d)
    right = {"x": stream, "q": split, "k": split, "v": split, "scores": square, "weights": square}
    return right | {"heads": split, "merged": stream, "out": stream} | changed


def computed(shape, B, T, split=None, scores=None, heads=None, merge=None):
    """The right shapes in another style: each from the one before it, by a rule that can be changed."""
    if B < 1 or T < 1 or shape.d_model % shape.n_head:
        raise ValueError("no such attention")
    x = (B, T, shape.d_model)
    split = split or (lambda b, t, d: (b, shape.n_head, t, d // shape.n_head))
    q, k, v = split(*x), split(*x), split(*x)
    weights = scores(q, k) if scores else (*q[:-1], k[-2])
    z = heads(weights, v) if heads else (*weights[:-1], v[-1])
    merged = merge(z) if merge else x
    names = ("x", "q", "k", "v", "scores", "weights", "heads", "merged", "out")
    return dict(zip(names, (x, q, k, v, weights, weights, z, merged, x), strict=True))


@about(
    "shapes.attention_shapes/heads-after-positions",
    en=Explained(
        "Your heads stand behind the positions.",
        "[B, T, H, d / H] is what a reshape gives first. A matrix product takes the last two axes: they must be positions and "
        "features, so H moves in front of T.",
        hint="Which two axes does q @ k^T multiply?",
    ),
    zh_tw=Explained(
        "你的頭排在位置後面。",
        "[B, T, H, d / H] 是 reshape 剛做完的樣子。矩陣乘積用的是最後兩軸：必須是位置和特徵，所以 H 要移到 T 前面。",
        hint="q @ k^T 乘的是哪兩軸？",
    ),
)
def heads_after(ref, shape, B, T):
    split = (B, T, shape.n_head, shape.d_model // shape.n_head)
    return steps(shape, B, T, q=split, k=split, v=split, heads=split)


@variant("shapes.attention_shapes/heads-after-positions")
def _(ref, shape, B, T):
    found = computed(shape, B, T)
    for name in ("q", "k", "v", "heads"):
        b, h, t, d_head = found[name]
        found[name] = (b, t, h, d_head)
    return found


@about(
    "shapes.attention_shapes/not-split",
    en=Explained(
        "You did not split the width into heads.",
        "q, k and v of all heads lie side by side in [B, T, d]. Before the scores each head takes its own slice: "
        "[B, H, T, d / H].",
        hint="How many axes do the scores have, and where do they come from?",
    ),
    zh_tw=Explained(
        "你沒有把寬度拆成頭。",
        "所有頭的 q、k、v 並排放在 [B, T, d] 裡。計算分數之前，每個頭取走自己那一段：[B, H, T, d / H]。",
        hint="分數有幾個軸？它們從哪裡來？",
    ),
)
def not_split(ref, shape, B, T):
    whole = (B, T, shape.d_model)
    return steps(shape, B, T, q=whole, k=whole, v=whole)


@variant("shapes.attention_shapes/not-split")
def _(ref, shape, B, T):
    found = computed(shape, B, T)
    return found | dict.fromkeys(("q", "k", "v"), found["x"])


@about(
    "shapes.attention_shapes/whole-width-for-each-head",
    en=Explained(
        "Each of your heads has the whole width.",
        "The heads share d: each has d / H. With d for each, merging them would give H d, and more heads would cost more.",
        hint="How wide are all heads together?",
    ),
    zh_tw=Explained(
        "你的每個頭都有整個寬度。",
        "所有的頭一起分 d：一個頭 d / H。如果每個頭都是 d，合併起來就是 H d，頭越多代價越高。",
        hint="所有的頭加起來多寬？",
    ),
)
def whole_width(ref, shape, B, T):
    split = (B, shape.n_head, T, shape.d_model)
    return steps(shape, B, T, q=split, k=split, v=split, heads=split)


@variant("shapes.attention_shapes/whole-width-for-each-head")
def _(ref, shape, B, T):
    return computed(shape, B, T, split=lambda b, t, d: (b, shape.n_head, t, d))


@about(
    "shapes.attention_shapes/one-matrix-for-all-heads",
    en=Explained(
        "All your heads share one matrix of scores.",
        "Each head has queries and keys of its own, and so scores of its own: [B, H, T, T]. That is what several heads are for.",
        hint="What would a second head be good for if its weights were those of the first?",
    ),
    zh_tw=Explained(
        "你所有的頭共用一個分數矩陣。",
        "每個頭有自己的查詢和鍵，所以有自己的分數：[B, H, T, T]。多個頭就是為了這個。",
        hint="如果第二個頭的權重和第一個一樣，要它做什麼？",
    ),
)
def one_matrix(ref, shape, B, T):
    return steps(shape, B, T, scores=(B, T, T), weights=(B, T, T))


@variant("shapes.attention_shapes/one-matrix-for-all-heads")
def _(ref, shape, B, T):
    found = computed(shape, B, T)
    return {name: (*found["x"][:2], T) if name in ("scores", "weights") else size for name, size in found.items()}


@about(
    "shapes.attention_shapes/features-meet-features",
    en=Explained(
        "Your scores compare features, not positions.",
        "q^T k is [d / H, d / H]. Attention asks how much each position takes from each: q k^T, [T, T], with d / H summed "
        "over.",
        hint="Which axis do a query and a key have in common: that one is gone afterwards.",
    ),
    zh_tw=Explained(
        "你的分數比的是特徵，不是位置。",
        "q^T k 是 [d / H, d / H]。注意力問的是每個位置從每個位置拿多少：q k^T，[T, T]，d / H 那一軸加總掉。",
        hint="查詢和鍵共有的是哪一軸？乘完不見的就是它。",
    ),
)
def features(ref, shape, B, T):
    d_head = shape.d_model // shape.n_head
    square = (B, shape.n_head, d_head, d_head)
    return steps(shape, B, T, scores=square, weights=square)


@variant("shapes.attention_shapes/features-meet-features")
def _(ref, shape, B, T):
    return computed(shape, B, T, scores=lambda q, k: (*q[:2], q[3], k[3]), heads=lambda _, v: v)


@about(
    "shapes.attention_shapes/block-size-for-T",
    en=Explained(
        "You compute with block_size instead of T.",
        "block_size is the longest sequence that the model can read. What it is reading has T positions.",
        hint="Which of your shapes change when T does?",
    ),
    zh_tw=Explained(
        "你用 block_size 代替了 T。",
        "block_size 是模型能讀的最長序列。它正在讀的有 T 個位置。",
        hint="T 改變時，你的哪些形狀跟著變？",
    ),
)
def with_block_size(ref, shape, B, T):
    checked(T=T)
    return steps(shape, B, shape.block_size)


@variant("shapes.attention_shapes/block-size-for-T")
def _(ref, shape, B, T):
    return computed(shape, B, shape.block_size) if computed(shape, B, T) else {}


@about(
    "shapes.attention_shapes/batch-and-heads-exchanged",
    en=Explained(
        "Heads come before the batch in your shapes.",
        "The batch is the outermost axis throughout: sequences never meet, heads of one sequence do when they are merged.",
        hint="Which axis is B in x, and which should it be in q?",
    ),
    zh_tw=Explained(
        "你的形狀裡，頭排在批次前面。",
        "批次從頭到尾都是最外面的軸：序列之間從不相遇，同一序列的頭在合併時會相遇。",
        hint="B 在 x 裡是哪一軸？在 q 裡應該是哪一軸？",
    ),
)
def heads_first(ref, shape, B, T):
    split = (shape.n_head, B, T, shape.d_model // shape.n_head)
    square = (shape.n_head, B, T, T)
    return steps(shape, B, T, q=split, k=split, v=split, scores=square, weights=square, heads=split)


@variant("shapes.attention_shapes/batch-and-heads-exchanged")
def _(ref, shape, B, T):
    return computed(shape, B, T, split=lambda b, t, d: (shape.n_head, b, t, d // shape.n_head))


@about(
    "shapes.attention_shapes/merged-to-one-head",
    en=Explained(
        "Merged is as narrow as one head.",
        "The heads are not added or averaged but laid side by side: H times d / H is d again.",
        hint="How many numbers do all heads have at one position? None of them is lost.",
    ),
    zh_tw=Explained(
        "你的 merged 只有一個頭那麼寬。",
        "頭不是相加或平均，而是並排：H 個 d / H 又是 d。",
        hint="一個位置上，所有的頭共有幾個數？一個都沒少。",
    ),
)
def merged_narrow(ref, shape, B, T):
    return steps(shape, B, T, merged=(B, T, shape.d_model // shape.n_head))


@variant("shapes.attention_shapes/merged-to-one-head")
def _(ref, shape, B, T):
    return computed(shape, B, T, merge=lambda z: (z[0], *z[2:]))


@about(
    "shapes.attention_shapes/merged-not-flattened",
    en=Explained(
        "Merged still has an axis of heads.",
        "Moving H back behind T is half of it. The last projection takes vectors of width d, so the two last axes become one.",
        hint="How many axes does `out` have?",
    ),
    zh_tw=Explained(
        "你的 merged 還留著頭的軸。",
        "把 H 移回 T 後面只做了一半。最後的投影要的是寬度 d 的向量，所以最後兩軸要合成一軸。",
        hint="out 有幾個軸？",
    ),
)
def not_flattened(ref, shape, B, T):
    return steps(shape, B, T, merged=(B, T, shape.n_head, shape.d_model // shape.n_head))


@variant("shapes.attention_shapes/merged-not-flattened")
def _(ref, shape, B, T):
    return computed(shape, B, T, merge=lambda z: (z[0], z[2], z[1], z[3]))


@about(
    "shapes.attention_shapes/heads-are-weights",
    en=Explained(
        "Your heads have the shape of their weights.",
        "weights @ v is [T, T] @ [T, d / H]: each position gets a mixture of values, a vector of d / H numbers.",
        hint="Which two axes meet in weights @ v?",
    ),
    zh_tw=Explained(
        "你的 heads 和權重形狀一樣。",
        "weights @ v 是 [T, T] @ [T, d / H]：每個位置得到值的混合，一個有 d / H 個數的向量。",
        hint="weights @ v 裡，相遇的是哪兩軸？",
    ),
)
def heads_as_weights(ref, shape, B, T):
    return steps(shape, B, T, heads=(B, shape.n_head, T, T))


@variant("shapes.attention_shapes/heads-are-weights")
def _(ref, shape, B, T):
    return computed(shape, B, T, heads=lambda weights, _: weights)


@about(
    "shapes.attention_shapes/no-batch",
    en=Explained(
        "There is no batch in your shapes.",
        "These are the shapes of one sequence. B of them go through together, in an axis of their own in front.",
        hint="Where does B appear in your shapes?",
    ),
    zh_tw=Explained(
        "你的形狀裡沒有批次。",
        "這是一個序列的形狀。B 個序列一起通過，在最前面自成一軸。",
        hint="B 出現在你形狀的哪裡？",
    ),
)
def no_batch(ref, shape, B, T):
    return {name: size[1:] for name, size in steps(shape, B, T).items()}


@variant("shapes.attention_shapes/no-batch")
def _(ref, shape, B, T):
    return {name: size[-len(size) + 1 :] for name, size in computed(shape, B, T).items()}


@about(
    "shapes.attention_shapes/width-rounded-down",
    en=Explained(
        "You round the width of a head down.",
        "4 heads of width 1 are 4 wide, not 6: two numbers of each vector would vanish. Such a model cannot be built, so say so.",
        hint="What is left over when d is divided by H?",
    ),
    zh_tw=Explained(
        "你把頭的寬度捨去成整數。",
        "4 個寬度 1 的頭是 4，不是 6：每個向量會有兩個數憑空消失。這樣的模型做不出來，所以要說出來。",
        hint="d 除以 H 的餘數是多少？",
    ),
)
def rounded_down(ref, shape, B, T):
    split = (B, shape.n_head, T, shape.d_model // shape.n_head)
    even = ref.ModelShape(1, 1, shape.d_model, 1, 1)
    square = (B, shape.n_head, T, T)
    return steps(even, B, T, q=split, k=split, v=split, scores=square, weights=square, heads=split)


@variant("shapes.attention_shapes/width-rounded-down")
def _(ref, shape, B, T):
    d_head = shape.d_model // shape.n_head
    even = ref.ModelShape(1, 1, shape.d_model, 1, 1)
    return computed(even, B, T, split=lambda b, t, _: (b, shape.n_head, t, d_head))


@about("shapes.attention_shapes/unchecked", **UNCHECKED)
def unchecked(ref, shape, B, T):
    right = steps(shape, 1, 1)
    H, d = shape.n_head, shape.d_model
    return {
        name: (B, T, d) if len(size) == 3 else (B, H, T, T if name in ("scores", "weights") else d // H)
        for name, size in right.items()
    }


@variant("shapes.attention_shapes/unchecked")
def _(ref, shape, B, T):
    if shape.d_model % shape.n_head:
        raise ValueError("not divisible")
    d_head = shape.d_model // shape.n_head
    found = dict.fromkeys(("x", "merged", "out"), (B, T, shape.d_model))
    found |= dict.fromkeys(("q", "k", "v", "heads"), (B, shape.n_head, T, d_head))
    return found | dict.fromkeys(("scores", "weights"), (B, shape.n_head, T, T))


@about("shapes.attention_shapes/zero-accepted", **ZERO)
def zero_accepted(ref, shape, B, T):
    if B < 0 or T < 0:
        raise ValueError("negative")
    return unchecked(ref, shape, B, T)


@variant("shapes.attention_shapes/zero-accepted")
def _(ref, shape, B, T):
    checked(B=B + 1, T=T + 1)
    x, split = (B, T, shape.d_model), (B, shape.n_head, T, shape.d_model // shape.n_head)
    if shape.d_model % shape.n_head:
        raise ValueError("not divisible")
    scores = dict.fromkeys(("scores", "weights"), (*split[:-1], T))
    return {"x": x, "merged": x, "out": x, "q": split, "k": split, "v": split, "heads": split} | scores


@about("shapes.attention_shapes/asserts", **ASSERTS)
def asserts(ref, shape, B, T):
    assert B >= 1
    assert T >= 1
    assert shape.d_model % shape.n_head == 0
    return steps(shape, B, T)


@variant("shapes.attention_shapes/asserts")
def _(ref, shape, B, T):
    if shape.d_model % shape.n_head or B < 1 or T < 1:
        raise AssertionError
    return computed(shape, B, T)


@about("shapes.attention_shapes/float", **FLOAT)
def as_float(ref, shape, B, T):
    split = (B, shape.n_head, T, shape.d_model / shape.n_head)
    return steps(shape, B, T, q=split, k=split, v=split, heads=split)


@variant("shapes.attention_shapes/float")
def _(ref, shape, B, T):
    return computed(shape, B, T, split=lambda b, t, d: (b, shape.n_head, t, float(d // shape.n_head)))
