"""What goes wrong on the worksheet. Each mistake is the right sheet with a few answers changed, computed in two ways."""

from __future__ import annotations

from itertools import permutations
from math import prod
from types import SimpleNamespace

import numpy as np

from grader.testing import Explained, misconception, variant


def sizes(numbers):
    """The numbers of a question under the lecture's letters; h is the width of a head."""
    H, d = numbers["n_head"], numbers["d_model"]
    found = {"L": numbers["n_layer"], "H": H, "d": d, "h": d // H, "V": numbers["vocab_size"]}
    return SimpleNamespace(
        P=numbers["block_size"], B=numbers["B"], T=numbers["T"], times=numbers.get("times", 1), **found
    )


def right(n):
    """Every answer, by what is asked."""
    block = [(3 * n.d, n.d), (3 * n.d,), (n.d, n.d), (n.d,)]
    ends = [(n.V, n.d), (n.P, n.d), (2, n.d)]
    attn = n.L * sum(map(prod, block))
    mlp = n.L * sum(map(prod, [(4 * n.d, n.d), (4 * n.d,), (n.d, 4 * n.d), (n.d,)]))
    return {
        **{name: [n.B, n.H, n.T, n.h] for name in ("q", "k", "v")},
        **{name: [n.B, n.H, n.T, n.T] for name in ("scores", "weights")},
        "merged": [n.B, n.T, n.d],
        "attn": attn,
        "mlp": mlp,
        "total": attn + mlp + n.L * 4 * n.d + sum(map(prod, ends)),
        "bytes": n.L * n.B * n.H * n.T * n.T * 4,
        "growth": n.times * n.times,
    }


def sheet(wrong):
    """An `answer` that is right but for what `wrong` gives of the sizes."""

    def answer(ref, question, **numbers):
        del ref
        n = sizes(numbers)
        return (right(n) | wrong(n))[question.partition(".")[2]]

    return answer


def mistake(slug, wrong, again, *, en, zh_tw):
    """Declare a mistake: what it answers, the same computed in another way, and what is told."""
    name = f"shapes.worksheet/{slug}"
    misconception(name, en=Explained(*en), zh_tw=Explained(*zh_tw), name="answer")(sheet(wrong))
    variant(name)(sheet(again))


FOUR, THREE = ("q", "k", "v", "scores", "weights"), ("merged",)
SPLIT, SQUARE = FOUR[:3], FOUR[3:]


def each(names, answer):
    """The same answer to several questions."""
    return {name: list(answer) if isinstance(answer, tuple | list) else answer for name in names}


# The right sizes in another order: every order there is, so that none goes without its name.

AXES = {4: ("batch", "heads", "positions", "last"), 3: ("batch", "positions", "width")}
ZH_AXES = {4: ("批次", "頭", "位置", "最後一軸"), 3: ("批次", "位置", "寬度")}
WHY = (
    "The sizes are right, and they are read by place: code that takes your array takes a batch for a head, or a head for a "
    "position. The batch comes first; then, in the middle, what runs side by side; last the two axes of the matrices that "
    "are multiplied, rows and columns."
)
ZH_WHY = (
    "大小都對，但程式是看位置來讀的：拿到你這個陣列的程式，會把批次當成頭，或把頭當成位置。批次在最前面，"
    "並排各算各的放中間，最後兩軸才是真正相乘的矩陣：橫列與直行。"
)


def reordered(names, order):
    """The answers to some questions with their axes in another order."""

    def wrong(n):
        answers = right(n)
        return {name: [answers[name][axis] for axis in order] for name in names}

    return wrong


def transposed(names, order):
    """The same as NumPy would do it."""

    def wrong(n):
        answers = right(n)
        return {name: list(np.broadcast_to(0, answers[name]).transpose(order).shape) for name in names}

    return wrong


for names in (FOUR, THREE):
    axes = len(AXES[4 if names is FOUR else 3])
    for order in list(permutations(range(axes)))[1:]:
        came, zh_came = (", ".join(of[axes][axis] for axis in order) for of in (AXES, ZH_AXES))
        must, zh_must = (", ".join(of[axes]) for of in (AXES, ZH_AXES))
        mistake(
            f"order-{'-'.join(AXES[axes][axis] for axis in order)}",
            reordered(names, order),
            transposed(names, order),
            en=(
                "The sizes are right, but their order is not.",
                f"Your axes stand as {came}; they should stand as {must}. {WHY}",
                "Which two axes does a matrix product take?",
            ),
            zh_tw=(
                "大小都對，但順序錯了。",
                f"你的軸依序是：{zh_came}；應該是：{zh_must}。{ZH_WHY}",
                "矩陣乘積用的是哪兩個軸？",
            ),
        )

# Axes that are missing, or of another size.

mistake(
    "no-heads",
    lambda n: each(SPLIT, (n.B, n.T, n.d)) | each(SQUARE, (n.B, n.T, n.T)),
    lambda n: {name: [n.B, n.T, n.H * n.h] if name in SPLIT else [n.B, n.T, n.T] for name in FOUR},
    en=(
        "You left the heads out.",
        (
            "Each head has queries, keys and values of its own, and so a T x T matrix of its own. Without an axis for the heads there "
            "would be one matrix for all of them."
        ),
        "How many T x T matrices does one layer make for one sequence?",
    ),
    zh_tw=(
        "你漏了頭。",
        "每個頭有自己的查詢、鍵和值，所以也有自己的 T x T 矩陣。沒有頭這個軸，就變成大家共用一個矩陣。",
        "一層對一個序列會算出幾個 T x T 矩陣？",
    ),
)
mistake(
    "one-head",
    lambda n: each(SPLIT, (n.B, n.T, n.h)),
    lambda n: {name: [n.B, n.T, n.d // n.H] for name in ("q", "k", "v")},
    en=(
        "You gave the shape of one head.",
        "[B, T, d / H] is what one head sees. All heads lie in one array, with an axis for them after the batch.",
        "Where are the other heads?",
    ),
    zh_tw=(
        "你寫的是一個頭的形狀。",
        "[B, T, d / H] 是一個頭看到的。所有的頭放在同一個陣列裡，批次後面有一個軸給它們。",
        "其他的頭在哪裡？",
    ),
)
mistake(
    "whole-width",
    lambda n: each(SPLIT, (n.B, n.H, n.T, n.d)),
    lambda n: {name: [n.B, n.H, n.T, n.h * n.H] for name in SPLIT},
    en=(
        "You gave every head the whole width.",
        "The heads share d_model: each is d / H wide, so that all of them together are as wide as the model.",
        "How wide are your heads side by side?",
    ),
    zh_tw=(
        "你讓每個頭都有整個寬度。",
        "各個頭平分 d_model：每個寬 d / H，全部加起來才和模型一樣寬。",
        "把你的頭並排起來有多寬？",
    ),
)
mistake(
    "no-batch",
    lambda n: each(SPLIT, (n.H, n.T, n.h)) | each(SQUARE, (n.H, n.T, n.T)) | {"merged": [n.T, n.d]},
    lambda n: {name: right(n)[name][1:] for name in (*FOUR, *THREE)},
    en=(
        "You left the batch out.",
        "B sequences go in at once, and nothing of them is mixed: every array has an axis for them, the first.",
        "What is B in your shapes?",
    ),
    zh_tw=(
        "你漏了批次。",
        "一次輸入 B 個序列，彼此不會混在一起：每個陣列都有一個軸給它們，而且是第一個。",
        "你的形狀裡，B 在哪裡？",
    ),
)
mistake(
    "scores-wide",
    lambda n: each(SQUARE, (n.B, n.H, n.T, n.h)),
    lambda n: {name: [*right(n)[name][:3], n.d // n.H] for name in ("scores", "weights")},
    en=(
        "You gave scores the shape of Q.",
        (
            "[T, d / H] times [d / H, T] is [T, T]: the width is summed over, and what is left is a number for each pair of a query "
            "and a key."
        ),
        "Which axis disappears in Q K^T?",
    ),
    zh_tw=(
        "你的分數和 Q 一樣形狀。",
        "[T, d / H] 乘 [d / H, T] 是 [T, T]：寬度被加總掉了，剩下的是每一對查詢和鍵各一個數。",
        "Q K^T 裡，哪個軸不見了？",
    ),
)
mistake(
    "width-by-width",
    lambda n: each(SQUARE, (n.B, n.H, n.h, n.h)),
    lambda n: {name: [n.B, n.H] + [n.d // n.H] * 2 for name in SQUARE},
    en=(
        "You multiplied Q^T K, not Q K^T.",
        (
            "[d / H, T] times [T, d / H] compares features over all positions. Attention compares positions: a row for each query, a"
            "column for each key."
        ),
        "Which of the two is transposed?",
    ),
    zh_tw=(
        "你乘的是 Q^T K，不是 Q K^T。",
        "[d / H, T] 乘 [T, d / H] 是把特徵跨位置拿來比。注意力比的是位置：每個查詢一列，每個鍵一行。",
        "轉置的是哪一個？",
    ),
)
mistake(
    "merged-one-head",
    lambda n: {"merged": [n.B, n.T, n.h]},
    lambda n: {"merged": [n.B, n.T, n.d // n.H]},
    en=(
        "You added the heads up instead of laying them side by side.",
        "Concatenated, H heads of width d / H are d wide. The last projection takes them together, and nothing is lost before it.",
        "What does concatenating do to the last axis?",
    ),
    zh_tw=(
        "你把各個頭加起來，而不是並排接起來。",
        "H 個寬 d / H 的頭並排接起來是 d 寬。最後的投影把它們一起拿進去，在那之前什麼都沒丟掉。",
        "接起來之後，最後一個軸變成多大？",
    ),
)
mistake(
    "merged-still-split",
    lambda n: {"merged": [n.B, n.H, n.T, n.h]},
    lambda n: {"merged": right(n)["q"]},
    en=(
        "You left the heads apart.",
        "This is the output before the heads are put side by side. After it there is no axis of heads: they fill the width.",
        "What does the last projection [d, d] multiply?",
    ),
    zh_tw=(
        "你的頭還是分開的。",
        "這是各個頭並排之前的輸出。並排之後就沒有頭這個軸了：它們把寬度填滿。",
        "最後的投影 [d, d] 乘的是什麼？",
    ),
)
mistake(
    "merged-too-wide",
    lambda n: {"merged": [n.B, n.T, n.H * n.d]},
    lambda n: {"merged": [n.B, n.T, n.h * n.H * n.H]},
    en=(
        "You laid H whole widths side by side.",
        "The heads share d_model. Side by side they are as wide as the model, H times d / H.",
        "How wide is one head?",
    ),
    zh_tw=(
        "你把 H 個完整的寬度並排了。",
        "各個頭平分 d_model。並排起來和模型一樣寬：H 乘 d / H。",
        "一個頭有多寬？",
    ),
)

# Parameters.

mistake(
    "no-biases",
    lambda n: {"attn": n.L * 4 * n.d**2, "mlp": n.L * 8 * n.d**2, "total": right(n)["total"] - n.L * 9 * n.d},
    lambda n: {
        "attn": n.L * (3 * n.d * n.d + n.d * n.d),
        "mlp": 2 * n.L * prod((4 * n.d, n.d)),
        "total": n.L * (12 * n.d * n.d + 4 * n.d) + (n.V + n.P + 2) * n.d,
    },
    en=(
        "You left the biases out.",
        "In GPT-2 every linear layer has one: a number for each of its outputs, 4 d in attention and 5 d in the MLP.",
        "What is added after each matrix product?",
    ),
    zh_tw=(
        "你漏了偏置。",
        "GPT-2 的每個線性層都有偏置：每個輸出一個數，注意力裡 4 d 個，MLP 裡 5 d 個。",
        "每次矩陣乘積之後，還加了什麼？",
    ),
)
mistake(
    "one-layer",
    lambda n: {"attn": right(n)["attn"] // n.L, "mlp": right(n)["mlp"] // n.L},
    lambda n: {"attn": 4 * (n.d * n.d + n.d), "mlp": 8 * n.d * n.d + 5 * n.d},
    en=(
        "You counted one layer.",
        "Every layer learns matrices of its own: the question is about all of them.",
        "How many layers are there?",
    ),
    zh_tw=("你只算了一層。", "每一層都學自己的矩陣：題目問的是所有層。", "總共有幾層？"),
)
mistake(
    "each-head-whole",
    lambda n: {"attn": n.L * (n.H * 3 * (n.d**2 + n.d) + n.d**2 + n.d)},
    lambda n: {"attn": n.L * sum(map(prod, [(3 * n.H, n.d, n.d), (3 * n.H, n.d), (n.d, n.d), (n.d,)]))},
    en=(
        "You gave every head whole d x d matrices.",
        (
            "A head projects to d / H features, so that H heads together need as many numbers as one head of the whole width:"
            "heads cost no parameters."
        ),
        "How many columns has the matrix of one head?",
    ),
    zh_tw=(
        "你讓每個頭都有完整的 d x d 矩陣。",
        "一個頭只投影到 d / H 個特徵，所以 H 個頭合起來和一個全寬的頭一樣多：頭不花參數。",
        "一個頭的矩陣有幾個直行？",
    ),
)
mistake(
    "no-projection",
    lambda n: {"attn": n.L * (3 * n.d**2 + 3 * n.d)},
    lambda n: {"attn": 3 * n.L * n.d * (n.d + 1)},
    en=(
        "You left the last projection out.",
        "After the heads are put side by side a matrix [d, d] mixes them: attention has four matrices, not three.",
        "What is W_o?",
    ),
    zh_tw=(
        "你漏了最後的投影。",
        "各個頭並排之後，還有一個 [d, d] 矩陣把它們混合：注意力有四個矩陣，不是三個。",
        "W_o 是什麼？",
    ),
)
mistake(
    "mlp-no-expansion",
    lambda n: {"mlp": n.L * 2 * (n.d**2 + n.d)},
    lambda n: {"mlp": n.L * sum(map(prod, [(n.d, n.d), (n.d,)] * 2))},
    en=(
        "Your MLP stays as wide as the model.",
        "The hidden layer of the MLP is four times as wide: d to 4 d, and back to d.",
        "How many hidden units are there?",
    ),
    zh_tw=(
        "你的 MLP 和模型一樣寬。",
        "MLP 的隱藏層是四倍寬：d 到 4 d，再回到 d。",
        "隱藏單元有幾個？",
    ),
)
mistake(
    "mlp-one-matrix",
    lambda n: {"mlp": n.L * (4 * n.d**2 + 4 * n.d)},
    lambda n: {"mlp": 4 * n.L * n.d * (n.d + 1)},
    en=(
        "You counted half of the MLP.",
        "It goes up to 4 d and comes back to d: two matrices, each with a bias.",
        "How does the output get back to width d?",
    ),
    zh_tw=(
        "你只算了半個 MLP。",
        "它升到 4 d，再回到 d：兩個矩陣，各有一個偏置。",
        "輸出怎麼回到寬度 d？",
    ),
)
mistake(
    "untied",
    lambda n: {"total": right(n)["total"] + n.V * n.d},
    lambda n: {"total": right(n)["attn"] + right(n)["mlp"] + (2 * n.V + n.P + 4 * n.L + 2) * n.d},
    en=(
        "You counted the token embedding twice.",
        "The logits come from the same matrix: it is stored once, and learned once.",
        "Which matrix gives the logits?",
    ),
    zh_tw=(
        "你把詞元嵌入算了兩次。",
        "logits 用的是同一個矩陣：只存一份，也只學一份。",
        "logits 是哪個矩陣算出來的？",
    ),
)
mistake(
    "no-positions",
    lambda n: {"total": right(n)["total"] - n.P * n.d},
    lambda n: {"total": right(n)["attn"] + right(n)["mlp"] + (n.V + 4 * n.L + 2) * n.d},
    en=(
        "You left the positions out.",
        "GPT-2 learns a vector for each of its block_size positions too.",
        "How does the model know where a token stands?",
    ),
    zh_tw=(
        "你漏了位置。",
        "GPT-2 也為 block_size 個位置各學一個向量。",
        "模型怎麼知道詞元在第幾個位置？",
    ),
)
mistake(
    "no-norms",
    lambda n: {"total": right(n)["total"] - (2 * n.L + 1) * 2 * n.d},
    lambda n: {"total": right(n)["attn"] + right(n)["mlp"] + (n.V + n.P) * n.d},
    en=(
        "You left LayerNorm out.",
        "Each has a weight and a bias: two of them in every block, and one at the end.",
        "What is learned besides matrices and embeddings?",
    ),
    zh_tw=(
        "你漏了 LayerNorm。",
        "每個都有權重和偏置：每個區塊兩個，最後還有一個。",
        "除了矩陣和嵌入，還學了什麼？",
    ),
)
mistake(
    "no-final-norm",
    lambda n: {"total": right(n)["total"] - 2 * n.d},
    lambda n: {"total": right(n)["attn"] + right(n)["mlp"] + (n.V + n.P + 4 * n.L) * n.d},
    en=(
        "You left the last LayerNorm out.",
        "After the last block there is one more, before the logits: 2 d numbers.",
        "What stands between the last block and the logits?",
    ),
    zh_tw=(
        "你漏了最後的 LayerNorm。",
        "最後一個區塊之後、logits 之前還有一個：2 d 個數。",
        "最後一個區塊和 logits 之間是什麼？",
    ),
)

# What T x T costs.

mistake(
    "bytes-no-heads",
    lambda n: {"bytes": 4 * n.L * n.B * n.T**2},
    lambda n: {"bytes": right(n)["bytes"] // n.H},
    en=(
        "You counted one T x T matrix for all heads.",
        "Each head has one of its own. That is why heads cost memory, although they cost no parameters.",
        "How many T x T matrices does one layer make for one sequence?",
    ),
    zh_tw=(
        "你讓所有的頭共用一個 T x T 矩陣。",
        "每個頭都有自己的一個。所以頭雖然不花參數，卻花記憶體。",
        "一層對一個序列會算出幾個 T x T 矩陣？",
    ),
)
mistake(
    "bytes-one-layer",
    lambda n: {"bytes": 4 * n.B * n.H * n.T**2},
    lambda n: {"bytes": right(n)["bytes"] // n.L},
    en=(
        "You counted the matrices of one layer.",
        "Every layer computes scores of its own, and training keeps them all for the backward pass.",
        "How many layers are there?",
    ),
    zh_tw=(
        "你只算了一層的矩陣。",
        "每一層都算自己的分數，訓練時還要全部留著給反向傳遞用。",
        "總共有幾層？",
    ),
)
mistake(
    "bytes-no-batch",
    lambda n: {"bytes": 4 * n.L * n.H * n.T**2},
    lambda n: {"bytes": right(n)["bytes"] // n.B},
    en=(
        "You counted one sequence.",
        "A batch of B sequences makes B times as many matrices.",
        "What is B in your product?",
    ),
    zh_tw=("你只算了一個序列。", "一批 B 個序列會有 B 倍的矩陣。", "你的乘積裡，B 在哪裡？"),
)
mistake(
    "values",
    lambda n: {"bytes": n.L * n.B * n.H * n.T**2},
    lambda n: {"bytes": right(n)["bytes"] // 4},
    en=(
        "You counted numbers, not bytes.",
        "A float32 number takes 4 bytes.",
        "How many bits has float32?",
    ),
    zh_tw=("你算的是個數，不是位元組。", "一個 float32 數占 4 個位元組。", "float32 有幾個位元？"),
)
mistake(
    "bits",
    lambda n: {"bytes": 32 * n.L * n.B * n.H * n.T**2},
    lambda n: {"bytes": right(n)["bytes"] * 8},
    en=("You counted bits.", "A float32 number has 32 bits, which are 4 bytes.", "How many bits has a byte?"),
    zh_tw=("你算的是位元。", "一個 float32 數有 32 位元，也就是 4 個位元組。", "一個位元組有幾個位元？"),
)
mistake(
    "bytes-linear",
    lambda n: {"bytes": 4 * n.L * n.B * n.H * n.T},
    lambda n: {"bytes": right(n)["bytes"] // n.T},
    en=(
        "You counted T numbers for each head, not T x T.",
        "Every query has a score for every key: T rows of T numbers.",
        "How many pairs of a query and a key are there?",
    ),
    zh_tw=(
        "你每個頭只算了 T 個數，不是 T x T。",
        "每個查詢對每個鍵都有一個分數：T 列，每列 T 個數。",
        "查詢和鍵共有幾對？",
    ),
)
mistake(
    "bytes-half",
    lambda n: {"bytes": 4 * n.L * n.B * n.H * (n.T * (n.T + 1) // 2)},
    lambda n: {"bytes": 4 * n.L * n.B * n.H * sum(range(n.T + 1))},
    en=(
        "You counted only what the causal mask lets through.",
        "The mask hides scores that are there: the whole T x T matrix is computed and stored, and half of it is -inf.",
        "What shape does the masked matrix have?",
    ),
    zh_tw=(
        "你只算了因果遮罩放行的部分。",
        "遮罩蓋住的分數還是存在：整個 T x T 矩陣都算了也存了，只是一半是 -inf。",
        "遮罩之後的矩陣是什麼形狀？",
    ),
)
mistake(
    "growth-linear",
    lambda n: {"growth": n.times},
    lambda n: {"growth": (n.times * n.T) // n.T},
    en=(
        "You let the cost grow like the length.",
        "The matrices have T rows and T columns: both get longer, so their size grows with the square.",
        "Draw the matrix for T = 2 and for T = 4: how many entries have they?",
    ),
    zh_tw=(
        "你讓代價跟長度一樣成長。",
        "矩陣有 T 列也有 T 行：兩邊都變長，所以大小隨平方成長。",
        "畫出 T = 2 和 T = 4 的矩陣：各有幾個元素？",
    ),
)
mistake(
    "growth-doubled",
    lambda n: {"growth": 2 * n.times},
    lambda n: {"growth": n.times + n.times},
    en=(
        "You added the two axes where they multiply.",
        (
            "Both axes get longer by the same factor, and the size of a matrix is their product: the factor counts twice as a factor,"
            "that is squared."
        ),
        "What are 3 times as many rows of 3 times as many columns?",
    ),
    zh_tw=(
        "兩個軸該相乘，你卻相加了。",
        "兩個軸都變成同樣的倍數，而矩陣的大小是兩者的乘積：這個倍數要乘兩次，也就是平方。",
        "3 倍的列、每列 3 倍的行，總共是幾倍？",
    ),
)
