"""Scores, masks and softmax of causal self-attention: what goes wrong on the way to the weights."""

from __future__ import annotations

import math

import torch

from grader.testing import Explained
from misconceptions.attention import mistaken


def softmax_where(may, S, dim=-1):
    return torch.softmax(torch.where(may, S, -math.inf), dim=dim)


mistaken(
    "layers.causalselfattention/unscaled",
    {"score": lambda q, k: q @ k.mT},
    {"divisor": lambda width, d: 1.0},
    en=Explained(
        "The scores are not divided by the root of the head's width.",
        "A product of two rows of d / H independent numbers has a spread of sqrt(d / H). Undivided, the softmax is nearly one-hot from the start, and its gradient nearly 0.",
        hint="What stands between Q K^T and the softmax in the formula?",
    ),
    zh_tw=Explained(
        "分數沒有除以「頭的寬度」的平方根。",
        "兩列各 d / H 個獨立的數，內積的散布是 sqrt(d / H)。不除的話，softmax 一開始就幾乎是 one-hot，梯度幾乎是 0。",
        hint="公式裡，Q K^T 和 softmax 之間有什麼？",
    ),
)
mistaken(
    "layers.causalselfattention/scaled-by-d-model",
    {"score": lambda q, k: q @ k.mT / math.sqrt(q.shape[1] * q.shape[-1])},
    {"divisor": lambda width, d: d**0.5},
    en=Explained(
        "You divided by the root of d_model, not of the head's width.",
        "Each head multiplies rows of width d / H. With more than one head your scores are too small, and all weights too even.",
        hint="How many terms has the sum in one entry of Q K^T?",
    ),
    zh_tw=Explained(
        "你除以的是 d_model 的平方根，不是頭的寬度的。",
        "每個頭相乘的橫列寬度是 d / H。頭不只一個時，你的分數太小，權重太平均。",
        hint="Q K^T 的一個元素，是幾項的和？",
    ),
)
mistaken(
    "layers.causalselfattention/scaled-without-root",
    {"score": lambda q, k: q @ k.mT / q.shape[-1]},
    {"divisor": lambda width, d: float(width)},
    en=Explained(
        "You divided by the head's width, not by its root.",
        "The spread of a sum grows with the root of the number of terms. Yours is divided once too often, so the weights are too even.",
        hint="Is there a square root in your formula?",
    ),
    zh_tw=Explained(
        "你除以了頭的寬度，而不是它的平方根。",
        "和的散布隨項數的平方根增加。你除得太多，權重就太平均。",
        hint="你的公式裡有平方根嗎？",
    ),
)
mistaken(
    "layers.causalselfattention/multiplied",
    {"score": lambda q, k: q @ k.mT * math.sqrt(q.shape[-1])},
    {"divisor": lambda width, d: 1 / width**0.5},
    en=Explained(
        "You multiplied by the root of the head's width.",
        "It is there to make large scores smaller. Multiplied, they become larger still.",
        hint="Is it * or / ?",
    ),
    zh_tw=Explained(
        "你乘上了頭的寬度的平方根。",
        "它是用來讓大的分數變小的。用乘的，反而更大。",
        hint="是 * 還是 / ？",
    ),
)
mistaken(
    "layers.causalselfattention/not-causal",
    {"sees": lambda T_q, T_k, cached: torch.ones(T_q, T_k, dtype=torch.bool)},
    {"may": lambda i, j, T_q, T_k: True},
    en=Explained(
        "Every token sees every other, later ones too.",
        "A model that is to predict the next token must not have read it. In training the loss looks wonderful, and the generated text is worthless.",
        hint="Change the last token. Which rows of the result change?",
    ),
    zh_tw=Explained(
        "每個詞元都看得到所有詞元，後面的也看得到。",
        "要預測下一個詞元的模型，不能先讀過它。訓練時損失漂亮極了，生成的文字卻毫無用處。",
        hint="改動最後一個詞元，結果的哪些橫列會變？",
    ),
)
mistaken(
    "layers.causalselfattention/self-hidden",
    {"sees": lambda T_q, T_k, cached: torch.ones(T_q, T_k, dtype=torch.bool).tril(T_k - T_q - 1)},
    {"may": lambda i, j, T_q, T_k: j < i + T_k - T_q, "weights": lambda S, may: softmax_where(may, S)},
    en=Explained(
        "A token does not see itself.",
        "The diagonal belongs to the past: a token is input by then. And the first token would see nothing at all, which is NaN.",
        hint="Is the diagonal of your mask True?",
    ),
    zh_tw=Explained(
        "詞元看不到自己。",
        "對角線算在過去：那個詞元已經是輸入了。而且第一個詞元會什麼都看不到，得出 NaN。",
        hint="你的遮罩對角線是 True 嗎？",
    ),
)
mistaken(
    "layers.causalselfattention/looks-ahead",
    {"sees": lambda T_q, T_k, cached: torch.ones(T_q, T_k, dtype=torch.bool).triu(T_k - T_q)},
    {"may": lambda i, j, T_q, T_k: j >= i + T_k - T_q},
    en=Explained(
        "Each token sees itself and those after it: the mask is upside down.",
        "triu keeps the upper triangle, which is the future. Or True and False have changed roles.",
        hint="Which token should see all others, the first or the last?",
    ),
    zh_tw=Explained(
        "每個詞元看到自己和後面的：遮罩上下顛倒了。",
        "triu 留下的是上三角，也就是未來。也可能是 True 和 False 的意思弄反了。",
        hint="哪一個詞元應該看得到所有其他的：第一個，還是最後一個？",
    ),
)
mistaken(
    "layers.causalselfattention/columns",
    {"weigh": lambda S, mask: S.masked_fill(~mask, -math.inf).softmax(dim=-2)},
    {"weights": lambda S, may: softmax_where(may, S, dim=-2)},
    en=Explained(
        "The softmax runs over the queries, not over the keys.",
        "Each row should be one query's distribution. Yours has columns that sum to 1: each key shares itself out among the queries, later ones included.",
        hint="Sum your weights over the last axis.",
    ),
    zh_tw=Explained(
        "softmax 是沿著查詢做的，不是沿著鍵。",
        "每個橫列應該是一個查詢的分布。你的是直行和為 1：每個鍵把自己分給各個查詢，連後面的也算在內。",
        hint="把你的權重沿著最後一軸加起來。",
    ),
)
mistaken(
    "layers.causalselfattention/masked-with-0",
    {"weigh": lambda S, mask: S.masked_fill(~mask, 0.0).softmax(dim=-1)},
    {"weights": lambda S, may: torch.softmax(S * may, dim=-1)},
    en=Explained(
        "Hidden scores are 0, not -inf.",
        "exp(0) is 1: a hidden token still gets weight, often more than a visible one.",
        hint="What has a score to be, for its exponential to be 0?",
    ),
    zh_tw=Explained(
        "被遮住的分數是 0，不是 -inf。",
        "exp(0) 是 1：被遮住的詞元還是有權重，常常比看得到的還多。",
        hint="分數要是多少，它的指數才會是 0？",
    ),
)
mistaken(
    "layers.causalselfattention/masked-after-softmax",
    {"weigh": lambda S, mask: S.softmax(dim=-1) * mask},
    {
        "weights": lambda S, may: torch.exp(S - S.logsumexp(dim=-1, keepdim=True)).where(
            may, torch.zeros((), dtype=S.dtype)
        )
    },
    en=Explained(
        "You masked after the softmax and did not normalise again.",
        "Rows no longer sum to 1: the first token keeps only what the hidden ones had left it. Their scores still count, through the denominator.",
        hint="Sum your weights over the last axis, for the first token.",
    ),
    zh_tw=Explained(
        "你在 softmax 之後才遮，而且沒有重新正規化。",
        "橫列的和不再是 1：第一個詞元只剩下被遮住的詞元分剩的。那些分數還透過分母影響結果。",
        hint="對第一個詞元，把權重沿著最後一軸加起來。",
    ),
)
