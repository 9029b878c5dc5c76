"""What goes wrong in the exercise layers.block."""

from __future__ import annotations

import torch
from torch import nn

from grader.testing import Explained, variant
from misconceptions.shared import about_block


class Joined(nn.Module):
    """The parts of a block, joined by rule(self, x, cache)."""

    def __init__(self, ref, config, rule, bias=None):
        super().__init__()
        bias = config.bias if bias is None else bias
        self.ln_1, self.ln_2 = ref.LayerNorm(config.d_model, bias=bias), ref.LayerNorm(config.d_model, bias=bias)
        self.attn, self.mlp = ref.CausalSelfAttention(config), ref.MLP(config)
        self.p, self.rule = config.dropout, rule

    def forward(self, x, cache=None):
        return self.rule(self, x, cache)


def first(b, x, cache=None):
    return b.attn(b.ln_1(x), cache)


def second(b, x):
    return b.mlp(b.ln_2(x))


def plus(*parts):
    """A sum in another way."""
    return torch.stack(parts).sum(dim=0)


def mistaken(misconception_id, rule, other, *, bias=None, **words):
    """Declare a mistake that is a rule, and its variant, another rule."""
    about_block(misconception_id, **words)(lambda ref, config: Joined(ref, config, rule, bias))
    variant(misconception_id)(lambda ref, config: Joined(ref, config, other, bias))


def _in_turn(b, x, cache, step):
    """The two branches one after the other, each by step(norm, branch, x)."""
    x = step(b.ln_1, lambda rows: b.attn(rows, cache), x)
    return step(b.ln_2, b.mlp, x)


mistaken(
    "layers.block/norm-last",
    lambda b, x, cache: b.ln_2((y := b.ln_1(x + b.attn(x, cache))) + b.mlp(y)),
    lambda b, x, cache: _in_turn(b, x, cache, lambda norm, branch, x: norm(plus(x, branch(x)))),
    en=Explained(
        "The norms come after the additions.",
        "That is the first transformer's order. GPT-2 normalises what goes into a branch and leaves the residual alone, so that a deep stack can be trained.",
        hint="Set both c_proj to 0. Does your block return x?",
    ),
    zh_tw=Explained(
        "norm 放在相加之後。",
        "那是最早的 transformer 的順序。GPT-2 正規化的是進入分支的東西，不去動殘差，很深的堆疊才訓練得起來。",
        hint="把兩個 c_proj 都設成 0，你的區塊會回傳 x 嗎？",
    ),
)
mistaken(
    "layers.block/norm-on-the-branch",
    lambda b, x, cache: (y := x + b.ln_1(b.attn(x, cache))) + b.ln_2(b.mlp(y)),
    lambda b, x, cache: _in_turn(b, x, cache, lambda norm, branch, x: plus(x, norm(branch(x)))),
    en=Explained(
        "The norms are on what leaves the branches, not on what goes in.",
        "The branch then meets a residual that grows from block to block, and everything it adds has the same size.",
        hint="In which order stand ln_1 and attn in the formula?",
    ),
    zh_tw=Explained(
        "norm 放在分支的輸出，而不是輸入。",
        "這樣分支遇到的是逐層變大的殘差，而它加上去的東西大小永遠一樣。",
        hint="公式裡 ln_1 和 attn 的順序是什麼？",
    ),
)
mistaken(
    "layers.block/norms-unused",
    lambda b, x, cache: (y := x + b.attn(x, cache)) + b.mlp(y),
    lambda b, x, cache: _in_turn(b, x, cache, lambda norm, branch, x: plus(x, branch(x))),
    en=Explained(
        "The norms are made but not used.",
        "The residual grows from block to block, and with it all that the branches compute.",
        hint="Double ln_1.weight. Does the result change?",
    ),
    zh_tw=Explained(
        "建了 norm，卻沒有用。",
        "殘差一層一層變大，分支算出來的東西也跟著變大。",
        hint="把 ln_1.weight 變成兩倍，結果會變嗎？",
    ),
)
mistaken(
    "layers.block/second-norm-unused",
    lambda b, x, cache: (y := x + first(b, x, cache)) + b.mlp(y),
    lambda b, x, cache: plus(y := plus(x, first(b, x, cache)), b.mlp(y)),
    en=Explained(
        "The MLP gets its rows without a norm.",
        "Both branches have one of their own: ln_1 before attention, ln_2 before the MLP.",
        hint="Double ln_2.weight. Does the result change?",
    ),
    zh_tw=Explained(
        "MLP 拿到的橫列沒有經過 norm。",
        "兩個分支各有自己的：注意力之前是 ln_1，MLP 之前是 ln_2。",
        hint="把 ln_2.weight 變成兩倍，結果會變嗎？",
    ),
)
mistaken(
    "layers.block/residuals-missing",
    lambda b, x, cache: second(b, first(b, x, cache)),
    lambda b, x, cache: _in_turn(b, x, cache, lambda norm, branch, x: branch(norm(x))),
    en=Explained(
        "Nothing is added: each branch replaces what came in.",
        "The residual lets a row pass through all blocks, each adding a little. Without it what a branch does not keep is lost, and so is the gradient.",
        hint="Set both c_proj to 0. Does your block return x?",
    ),
    zh_tw=Explained(
        "沒有相加：每個分支取代了進來的東西。",
        "殘差讓橫列一路通過所有區塊，每個區塊加一點。沒有它，分支沒留下的就不見了，梯度也是。",
        hint="把兩個 c_proj 都設成 0，你的區塊會回傳 x 嗎？",
    ),
)
mistaken(
    "layers.block/first-residual-missing",
    lambda b, x, cache: (y := first(b, x, cache)) + second(b, y),
    lambda b, x, cache: plus(second(b, y := first(b, x, cache)), y),
    en=Explained(
        "What attention gives replaces the rows; only the MLP adds.",
        "Both branches add to what came in. After yours a token no longer knows itself, only what it gathered.",
        hint="Set attn.c_proj to 0. What reaches the MLP?",
    ),
    zh_tw=Explained(
        "注意力的結果取代了橫列；只有 MLP 有相加。",
        "兩個分支都要加到進來的東西上。照你的做法，詞元就不再認得自己，只剩下收集來的。",
        hint="把 attn.c_proj 設成 0，傳到 MLP 的是什麼？",
    ),
)
mistaken(
    "layers.block/second-residual-missing",
    lambda b, x, cache: second(b, x + first(b, x, cache)),
    lambda b, x, cache: second(b, plus(first(b, x, cache), x)),
    en=Explained(
        "What the MLP gives replaces the rows; only attention adds.",
        "Both branches add to what came in.",
        hint="Set mlp.c_proj to 0. What does your block return?",
    ),
    zh_tw=Explained(
        "MLP 的結果取代了橫列；只有注意力有相加。",
        "兩個分支都要加到進來的東西上。",
        hint="把 mlp.c_proj 設成 0，你的區塊回傳什麼？",
    ),
)
mistaken(
    "layers.block/residual-from-the-norm",
    lambda b, x, cache: (z := b.ln_2((y := b.ln_1(x)) + b.attn(y, cache))) + b.mlp(z),
    lambda b, x, cache: _in_turn(b, x, cache, lambda norm, branch, x: plus(h := norm(x), branch(h))),
    en=Explained(
        "You add to the normalised rows, not to the rows that came in.",
        "Overwriting x with ln_1(x) loses what x was, and with it the way past the branch.",
        hint="Set both c_proj to 0. Does your block return x?",
    ),
    zh_tw=Explained(
        "你加到的是正規化後的橫列，不是進來的橫列。",
        "用 ln_1(x) 蓋掉 x，原來的 x 就不見了，繞過分支的路也沒了。",
        hint="把兩個 c_proj 都設成 0，你的區塊會回傳 x 嗎？",
    ),
)
mistaken(
    "layers.block/branches-doubled",
    lambda b, x, cache: 2 * second(b, 2 * first(b, x, cache)),
    lambda b, x, cache: _in_turn(b, x, cache, lambda norm, branch, x: plus(y := branch(norm(x)), y)),
    en=Explained(
        "Each branch is added to itself.",
        "x = attn(x) overwrites x, and x + x is then twice the branch. The rows that came in are gone.",
        hint="Give the branch's result a name of its own.",
    ),
    zh_tw=Explained(
        "每個分支加的是自己。",
        "x = attn(x) 蓋掉了 x，之後的 x + x 就是兩倍的分支。進來的橫列不見了。",
        hint="給分支的結果另一個名字。",
    ),
)
mistaken(
    "layers.block/side-by-side",
    lambda b, x, cache: x + first(b, x, cache) + second(b, x),
    lambda b, x, cache: plus(second(b, x), first(b, x, cache), x),
    en=Explained(
        "Attention and MLP both read what came in, side by side.",
        "Some later models do so. In GPT-2 the MLP works on what attention has gathered.",
        hint="Which x goes into ln_2?",
    ),
    zh_tw=Explained(
        "注意力和 MLP 並排，都讀進來的東西。",
        "後來有些模型這樣做。在 GPT-2 裡，MLP 處理的是注意力收集之後的結果。",
        hint="進入 ln_2 的是哪一個 x？",
    ),
)
mistaken(
    "layers.block/added-to-the-input",
    lambda b, x, cache: x + second(b, x + first(b, x, cache)),
    lambda b, x, cache: plus(second(b, plus(x, first(b, x, cache))), x),
    en=Explained(
        "The second addition is to the rows that came in, not to those after attention.",
        "What attention gave reaches the result only through the MLP.",
        hint="Set mlp.c_proj to 0. Is anything of attention left in the result?",
    ),
    zh_tw=Explained(
        "第二次相加用的是一開始進來的橫列，不是注意力之後的。",
        "這樣注意力的結果只能透過 MLP 傳到最後。",
        hint="把 mlp.c_proj 設成 0，結果裡還有注意力的東西嗎？",
    ),
)
mistaken(
    "layers.block/mlp-first",
    lambda b, x, cache: (y := x + second(b, x)) + first(b, y, cache),
    lambda b, x, cache: plus(y := plus(x, second(b, x)), first(b, y, cache)),
    en=Explained(
        "The MLP comes before attention.",
        "First a token gathers, then it works on what it has gathered.",
        hint="Which branch comes first in the formula?",
    ),
    zh_tw=Explained("MLP 放在注意力之前。", "詞元先收集，再處理收集來的東西。", hint="公式裡哪一個分支在前面？"),
)
mistaken(
    "layers.block/norms-swapped",
    lambda b, x, cache: (y := x + b.attn(b.ln_2(x), cache)) + b.mlp(b.ln_1(y)),
    lambda b, x, cache: plus(y := plus(x, b.attn(b.ln_2(x), cache)), b.mlp(b.ln_1(y))),
    en=Explained(
        "ln_2 stands before attention and ln_1 before the MLP.",
        "A new model does not notice, for both begin alike. Published weights do.",
        hint="Which norm is named first, and which branch comes first?",
    ),
    zh_tw=Explained(
        "ln_2 在注意力之前，ln_1 在 MLP 之前。",
        "新模型看不出來，因為兩者一開始相同。載入公開的權重就看得出來。",
        hint="哪個 norm 編號在前？哪個分支在前？",
    ),
)
mistaken(
    "layers.block/one-norm-twice",
    lambda b, x, cache: (y := x + first(b, x, cache)) + b.mlp(b.ln_1(y)),
    lambda b, x, cache: plus(y := plus(x, first(b, x, cache)), b.mlp(b.ln_1(y))),
    en=Explained(
        "ln_1 stands before both branches, and ln_2 is not used.",
        "Each branch has a norm of its own, with a weight that it learned for itself.",
        hint="Double ln_2.weight. Does the result change?",
    ),
    zh_tw=Explained(
        "兩個分支之前都是 ln_1，ln_2 沒有用到。",
        "每個分支有自己的 norm，也有自己學來的 weight。",
        hint="把 ln_2.weight 變成兩倍，結果會變嗎？",
    ),
)
