"""What goes wrong in the exercise layers.layernorm."""

from __future__ import annotations

import torch
from torch import nn

from grader.testing import Explained, variant
from misconceptions.shared import about_norm


class Norm(nn.Module):
    """A LayerNorm by rule(x, weight, bias, eps), where the bias of a layer without one is None."""

    def __init__(self, rule, d, eps, bias, *, start=torch.ones, check=True):
        super().__init__()
        self.rule, self.eps, self.check = rule, eps, check
        self.weight = nn.Parameter(start(d))
        self.bias = nn.Parameter(torch.zeros(d)) if bias else None

    def forward(self, x):
        if self.check and x.shape[-1] != self.weight.shape[0]:
            raise ValueError("rows of another width")
        return self.rule(x, self.weight, self.bias, self.eps)


def stretched(x_hat, weight, bias):
    return weight * x_hat if bias is None else torch.addcmul(bias, weight, x_hat)


def centred(x):
    return x - x.mean(dim=-1, keepdim=True)


def right(x, weight, bias, eps):
    var, mu = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
    return stretched((x - mu) * (var + eps).rsqrt(), weight, bias)


def also_right(x, weight, bias, eps):
    c = x - x.sum(dim=-1, keepdim=True) / x.shape[-1]
    y = c / ((c * c).sum(dim=-1, keepdim=True) / x.shape[-1] + eps) ** 0.5 * weight
    return y if bias is None else y + bias


def mistaken(misconception_id, rule, other, **words):
    """Declare a mistake that is a rule, and its variant, another rule."""

    @about_norm(misconception_id, **words)
    def _(ref, d, eps=1e-5, bias=True):  # noqa: FBT002
        return Norm(rule, d, eps, bias)

    @variant(misconception_id)
    def _(ref, d, eps=1e-5, bias=True):  # noqa: FBT002
        return Norm(other, d, eps, bias)


def root_of(x, eps=0.0, correction=0):
    c = centred(x)
    return ((c * c).sum(dim=-1, keepdim=True) / (x.shape[-1] - correction) + eps).sqrt()


mistaken(
    "layers.layernorm/unbiased",
    lambda x, w, b, eps: stretched(centred(x) / (x.var(dim=-1, keepdim=True) + eps).sqrt(), w, b),
    lambda x, w, b, eps: stretched(centred(x) / root_of(x, eps, 1), w, b),
    en=Explained(
        "You divided the squares by d - 1.",
        "That estimates the variance of something larger from a sample, and it is what torch's var and std do unless told otherwise. "
        "The row is all there is: its variance is the mean of the squares.",
        hint="For [1, 1, 3, 3] the variance is 1. What do you get? `correction=0` or `unbiased=False`.",
    ),
    zh_tw=Explained(
        "你把平方和除以了 d - 1。",
        "那是由樣本估計更大母體的變異數，torch 的 var 和 std 預設就是這樣算。但橫列就是全部：它的變異數是平方的平均。",
        hint="[1, 1, 3, 3] 的變異數是 1，你得到多少？看看 `correction=0` 或 `unbiased=False`。",
    ),
)
mistaken(
    "layers.layernorm/eps-outside",
    lambda x, w, b, eps: stretched(centred(x) / (x.std(dim=-1, correction=0, keepdim=True) + eps), w, b),
    lambda x, w, b, eps: stretched(centred(x) / root_of(x).add(eps), w, b),
    en=Explained(
        "You added eps to the standard deviation, not to the variance.",
        "Inside the root eps counts against the variance, outside against its root. Where the variance is 1e-6 and eps 1e-5, a row comes out at 0.30 of its size with eps inside, at 0.99 outside.",
        hint="Is eps under the root or beside it? Try [1, 1, 3, 3] with eps = 3: the root is 2.",
    ),
    zh_tw=Explained(
        "你把 eps 加在標準差上，而不是變異數上。",
        "在根號裡，eps 和變異數比；在外面，則和它的平方根比。變異數 1e-6、eps = 1e-5 時，放在裡面結果是原來的 0.30 倍，放在外面是 0.99 倍。",
        hint="eps 在根號裡面還是外面？用 [1, 1, 3, 3] 和 eps = 3 試試：根是 2。",
    ),
)
mistaken(
    "layers.layernorm/std-plus-eps",
    lambda x, w, b, eps: stretched(centred(x) / (x.std(dim=-1, keepdim=True) + eps), w, b),
    lambda x, w, b, eps: stretched(centred(x) / root_of(x, correction=1).add(eps), w, b),
    en=Explained(
        "You divided by std + eps, in which two things are wrong.",
        "torch's std divides the squares by d - 1, as for a sample; the row is all there is. And eps belongs to the variance, inside the root, not beside it.",
        hint="For [1, 1, 3, 3] and eps = 3 the root is 2. What is `x.std() + eps`?",
    ),
    zh_tw=Explained(
        "你除以 std + eps，這裡有兩個錯。",
        "torch 的 std 把平方和除以 d - 1，那是對樣本的算法；橫列就是全部。而且 eps 要加在根號裡的變異數上，不是加在根號旁邊。",
        hint="[1, 1, 3, 3] 配 eps = 3，根是 2。`x.std() + eps` 是多少？",
    ),
)
mistaken(
    "layers.layernorm/no-eps",
    lambda x, w, b, _: stretched(centred(x) / centred(x).square().mean(dim=-1, keepdim=True).sqrt(), w, b),
    lambda x, w, b, _: stretched(centred(x) / root_of(x), w, b),
    en=Explained(
        "eps is not used, so a constant row becomes NaN.",
        "A row whose numbers are all equal has variance 0, and 0 / 0 is NaN. One such row makes the loss NaN, and then every parameter.",
        hint="What does your layer give for a row of sevens?",
    ),
    zh_tw=Explained(
        "沒有用到 eps，常數橫列變成 NaN。",
        "數字全部相同的橫列，變異數是 0，而 0 / 0 是 NaN。只要一個這樣的橫列，損失就是 NaN，接著所有參數都是。",
        hint="一列全是 7 的時候，你的層給出什麼？",
    ),
)
mistaken(
    "layers.layernorm/eps-fixed",
    lambda x, w, b, _: right(x, w, b, 1e-5),
    lambda x, w, b, _: also_right(x, w, b, 0.00001),
    en=Explained(
        "The argument eps is not used: yours is always 1e-5.",
        "With the default nobody notices. Whoever asks for another eps gets other numbers than the formula gives.",
        hint="Look for 1e-5 in forward.",
    ),
    zh_tw=Explained(
        "沒有用到引數 eps，你的永遠是 1e-5。",
        "用預設值時看不出來。但要求別的 eps 的人，得到的就不是公式的結果。",
        hint="找找 forward 裡的 1e-5。",
    ),
)
mistaken(
    "layers.layernorm/no-affine",
    lambda x, w, b, eps: right(x, torch.ones_like(w), None, eps) + 0 * w,
    lambda x, w, b, eps: centred(x) / root_of(x, eps) * w**0,
    en=Explained(
        "weight and bias are not used.",
        "Normalised rows all have mean 0 and variance 1. The two parameters give the network back the freedom to choose others.",
        hint="Set weight to 2 and bias to 3. What changes?",
    ),
    zh_tw=Explained(
        "沒有用到 weight 和 bias。",
        "正規化之後的橫列平均都是 0、變異數都是 1。這兩個參數讓網路重新有選擇的自由。",
        hint="把 weight 設成 2、bias 設成 3，結果有什麼不同？",
    ),
)
mistaken(
    "layers.layernorm/bias-unused",
    lambda x, w, _, eps: right(x, w, None, eps),
    lambda x, w, _, eps: centred(x) / root_of(x, eps) * w,
    en=Explained(
        "The bias is there but is not added.",
        "A parameter that takes no part gets no gradient and never learns.",
        hint="Follow the bias from __init__ to the result.",
    ),
    zh_tw=Explained(
        "建立了偏值，卻沒有加上去。",
        "沒有參與計算的參數沒有梯度，永遠學不到東西。",
        hint="從 __init__ 開始，一路追蹤偏值到結果。",
    ),
)
mistaken(
    "layers.layernorm/affine-first",
    lambda x, w, b, eps: right(x * w if b is None else x * w + b, torch.ones_like(w), None, eps),
    lambda x, w, b, eps: also_right(x * w + (0 if b is None else b), torch.ones_like(w), None, eps),
    en=Explained(
        "You stretched and shifted before you normalised.",
        "Normalising takes away mean and scale, so most of what weight and bias did is lost again. They come last.",
        hint="Which is the last operation of the formula?",
    ),
    zh_tw=Explained(
        "你先縮放平移，才正規化。",
        "正規化會消去平均和尺度，weight 和 bias 做的事大半又不見了。它們應該在最後。",
        hint="公式的最後一個運算是哪一個？",
    ),
)
mistaken(
    "layers.layernorm/not-centred",
    lambda x, w, b, eps: stretched(x * (x.square().mean(dim=-1, keepdim=True) + eps).rsqrt(), w, b),
    lambda x, w, b, eps: stretched(x / ((x * x).sum(dim=-1, keepdim=True) / x.shape[-1] + eps) ** 0.5, w, b),
    en=Explained(
        "You left the mean where it was.",
        "x / sqrt(mean(x^2) + eps) is RMSNorm, which later models use. GPT-2's LayerNorm subtracts the mean first.",
        hint="What is the mean of a row of your result, with weight 1 and bias 0?",
    ),
    zh_tw=Explained(
        "你沒有減去平均。",
        "x / sqrt(mean(x^2) + eps) 是 RMSNorm，後來的模型才用。GPT-2 的 LayerNorm 要先減去平均。",
        hint="weight 為 1、bias 為 0 時，你結果中一個橫列的平均是多少？",
    ),
)
mistaken(
    "layers.layernorm/mean-kept",
    lambda x, w, b, eps: stretched(x / (x.var(dim=-1, correction=0, keepdim=True) + eps).sqrt(), w, b),
    lambda x, w, b, eps: stretched(x / root_of(x, eps), w, b),
    en=Explained(
        "The mean is used for the variance, but not subtracted from the row.",
        "The variance comes out right, yet the rows keep their mean, only rescaled.",
        hint="What is the mean of a row of your result, with weight 1 and bias 0?",
    ),
    zh_tw=Explained(
        "算變異數時用了平均，卻沒有從橫列減去它。",
        "變異數是對的，但橫列還留著平均，只是被縮放了。",
        hint="weight 為 1、bias 為 0 時，你結果中一個橫列的平均是多少？",
    ),
)
mistaken(
    "layers.layernorm/by-the-variance",
    lambda x, w, b, eps: stretched(centred(x) / (x.var(dim=-1, correction=0, keepdim=True) + eps), w, b),
    lambda x, w, b, eps: stretched(centred(x) / root_of(x, eps) ** 2, w, b),
    en=Explained(
        "You divided by the variance, not by its root.",
        "The variance is a square: rows twice as large have one four times as large, and would come out half as large.",
        hint="Multiply a row by 10. Should the result change?",
    ),
    zh_tw=Explained(
        "你除以了變異數，而不是它的平方根。",
        "變異數是平方：橫列變成兩倍，變異數是四倍，結果反而只有一半大。",
        hint="把一個橫列乘以 10，結果應該改變嗎？",
    ),
)
mistaken(
    "layers.layernorm/over-the-tokens",
    lambda x, w, b, eps: stretched(
        (x - x.mean(dim=-2, keepdim=True)) / (x.var(dim=-2, correction=0, keepdim=True) + eps).sqrt(), w, b
    ),
    lambda x, w, b, eps: stretched(
        right(x.transpose(-1, -2), torch.ones((), dtype=x.dtype), None, eps).transpose(-1, -2), w, b
    ),
    en=Explained(
        "You normalised over the tokens, not over the row.",
        "A token's result then depends on later tokens, and on how long the text is. LayerNorm looks at one row at a time.",
        hint="Change one row of x. Do other rows of the result change?",
    ),
    zh_tw=Explained(
        "你沿著詞元正規化，而不是沿著橫列。",
        "這樣一個詞元的結果會取決於後面的詞元，也取決於文字多長。LayerNorm 一次只看一個橫列。",
        hint="改動 x 的一個橫列，結果的其他橫列會變嗎？",
    ),
)
mistaken(
    "layers.layernorm/over-everything",
    lambda x, w, b, eps: stretched((x - x.mean()) / (x.var(correction=0) + eps).sqrt(), w, b),
    lambda x, w, b, eps: stretched(right(x.flatten(), torch.ones((), dtype=x.dtype), None, eps).view_as(x), w, b),
    en=Explained(
        "You took one mean and one variance for the whole tensor.",
        "Without an axis, mean and var run over batch and tokens too, so texts of one batch change each other's results.",
        hint="What is the shape of your mean? It should have one number a row, [..., 1].",
    ),
    zh_tw=Explained(
        "整個張量你只用了一個平均和一個變異數。",
        "不指定軸時，mean 和 var 也會跨過批次和詞元，同一批的文字就互相影響結果。",
        hint="你的平均是什麼形狀？應該一個橫列一個數，[..., 1]。",
    ),
)
