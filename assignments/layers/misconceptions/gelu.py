"""What goes wrong in the exercise layers.gelu."""

from __future__ import annotations

import math

import numpy as np
import torch

from grader.testing import Explained, variant
from misconceptions.shared import CUT_OFF, IN_PLACE, SINGLE, WIDENED, about_gelu, bent

ROOT = math.sqrt(2 / math.pi)


def mistaken(misconception_id, rule, other, **words):
    """Declare a mistake that is a rule, and its variant, another rule."""
    about_gelu(misconception_id, **words)(lambda ref, x: rule(x))
    variant(misconception_id)(lambda ref, x: other(x))


mistaken(
    "layers.gelu/erf",
    lambda x: 0.5 * x * (1 + torch.erf(x / math.sqrt(2))),
    lambda x: x * torch.special.ndtr(x),
    en=Explained(
        "This is the exact GELU, with erf; GPT-2 was trained with the form with tanh.",
        "They differ by less than 0.0005, but weights that were trained with one give other texts with the other, and nobody finds out why.",
        hint="What is your gelu(2.7)? With tanh it is 2.69111, with erf 2.69064.",
    ),
    zh_tw=Explained(
        "這是用 erf 的精確 GELU；GPT-2 是用 tanh 的形式訓練的。",
        "兩者相差不到 0.0005，但用一種訓練的權重換成另一種，生成的文字會不同，而且沒有人找得出原因。",
        hint="你的 gelu(2.7) 是多少？用 tanh 是 2.69111，用 erf 是 2.69064。",
    ),
)
mistaken(
    "layers.gelu/sigmoid",
    lambda x: x * torch.sigmoid(1.702 * x),
    lambda x: x / (1 + torch.exp(-1.702 * x)),
    en=Explained(
        "This is the short form with the logistic function and 1.702.",
        "It is another approximation, from the same paper, and up to 0.02 away from what GPT-2 uses.",
        hint="The formula that is asked for has a tanh and a cube.",
    ),
    zh_tw=Explained(
        "這是用邏輯函數和 1.702 的簡式。",
        "它是同一篇論文裡的另一種近似，和 GPT-2 用的最多相差 0.02。",
        hint="題目要的公式裡有 tanh 和三次方。",
    ),
)
mistaken(
    "layers.gelu/relu",
    torch.relu,
    lambda x: torch.where(x > 0, x, torch.zeros_like(x)),
    en=Explained(
        "This is ReLU.",
        "GELU is like it far from 0, but bends smoothly: slightly negative numbers give something, and have a gradient.",
        hint="What should gelu(-1) be? Not 0.",
    ),
    zh_tw=Explained(
        "這是 ReLU。",
        "離 0 很遠時 GELU 和它相像，但 GELU 是平滑地彎：稍微小於 0 的數也有輸出，也有梯度。",
        hint="gelu(-1) 應該是多少？不是 0。",
    ),
)
mistaken(
    "layers.gelu/silu",
    lambda x: x * torch.sigmoid(x),
    lambda x: x / (1 + torch.exp(-x)),
    en=Explained(
        "This is SiLU, x times the logistic function.",
        "It has the same idea, x times something between 0 and 1, but rises more slowly.",
        hint="Compare your gelu(1) with 0.841.",
    ),
    zh_tw=Explained(
        "這是 SiLU，也就是 x 乘上邏輯函數。",
        "想法一樣，都是 x 乘上介於 0 和 1 之間的數，但它上升得比較慢。",
        hint="把你的 gelu(1) 和 0.841 比一比。",
    ),
)
mistaken(
    "layers.gelu/cube-missing",
    lambda x: 0.5 * x * (1 + torch.tanh(ROOT * x)),
    lambda x: x * torch.sigmoid(2 * ROOT * x),
    en=Explained(
        "The cubic term is missing.",
        "The tanh alone is not near enough to the normal distribution; 0.044715 x^3 corrects it.",
        hint="Write u down as it stands in the formula. How many terms does it have?",
    ),
    zh_tw=Explained(
        "少了三次方的項。",
        "光用 tanh 和常態分布還不夠接近；0.044715 x^3 就是修正。",
        hint="照公式把 u 寫下來。它有幾項？",
    ),
)
mistaken(
    "layers.gelu/squared",
    lambda x: 0.5 * x * (1 + torch.tanh(ROOT * (x + 0.044715 * x**2))),
    lambda x: x * torch.sigmoid(2 * ROOT * x * (1 + 0.044715 * x)),
    en=Explained(
        "You squared where a cube is meant.",
        "A square is the same for x and -x, so the curve bends to the wrong side below 0.",
        hint="Is u(-x) = -u(x) with your formula?",
    ),
    zh_tw=Explained(
        "該用三次方的地方，你用了平方。",
        "x 和 -x 的平方相同，所以在 0 以下曲線會彎向錯的一邊。",
        hint="用你的公式，u(-x) = -u(x) 成立嗎？",
    ),
)
mistaken(
    "layers.gelu/factor-missing",
    lambda x: 0.5 * x * (1 + torch.tanh(x + 0.044715 * x**3)),
    lambda x: x * torch.sigmoid(2 * x * (1 + 0.044715 * x * x)),
    en=Explained(
        "The factor sqrt(2 / pi) is missing.",
        "It gives the tanh the slope of the normal distribution at 0. Without it the bend is too sharp.",
        hint="Compare your gelu(1) with 0.841.",
    ),
    zh_tw=Explained(
        "少了係數 sqrt(2 / pi)。",
        "它讓 tanh 在 0 的斜率和常態分布相同。少了它，彎得太急。",
        hint="把你的 gelu(1) 和 0.841 比一比。",
    ),
)
mistaken(
    "layers.gelu/factor-on-one-term",
    lambda x: 0.5 * x * (1 + torch.tanh(ROOT * x + 0.044715 * x**3)),
    lambda x: x * torch.sigmoid(2 * x * (ROOT + 0.044715 * x * x)),
    en=Explained(
        "The factor sqrt(2 / pi) reaches only the first term.",
        "A bracket is missing: the factor belongs to x and to the cube.",
        hint="What is multiplied by sqrt(2 / pi) in the formula?",
    ),
    zh_tw=Explained(
        "係數 sqrt(2 / pi) 只乘到第一項。",
        "少了括號：x 和三次方的項都要乘。",
        hint="公式裡 sqrt(2 / pi) 乘的是什麼？",
    ),
)
mistaken(
    "layers.gelu/root-of-2-alone",
    lambda x: 0.5 * x * (1 + torch.tanh(math.sqrt(2) / math.pi * (x + 0.044715 * x**3))),
    lambda x: x * torch.sigmoid(2 * 2**0.5 / math.pi * x * (1 + 0.044715 * x * x)),
    en=Explained(
        "The root covers only the 2, not the pi.",
        "sqrt(2 / pi) is 0.798; sqrt(2) / pi is 0.450.",
        hint="Print your factor.",
    ),
    zh_tw=Explained(
        "根號只蓋到 2，沒有蓋到 pi。",
        "sqrt(2 / pi) 是 0.798；sqrt(2) / pi 是 0.450。",
        hint="把你的係數印出來。",
    ),
)
mistaken(
    "layers.gelu/half-missing",
    lambda x: x * (1 + torch.tanh(ROOT * (x + 0.044715 * x**3))),
    lambda x: 2 * bent(x),
    en=Explained(
        "The half is missing.",
        "1 + tanh runs from 0 to 2. Halved it is a share, and large x pass through unchanged.",
        hint="What should gelu(100) be?",
    ),
    zh_tw=Explained(
        "少了二分之一。",
        "1 + tanh 從 0 到 2。減半之後才是比例，大的 x 也才會原樣通過。",
        hint="gelu(100) 應該是多少？",
    ),
)
mistaken(
    "layers.gelu/one-missing",
    lambda x: 0.5 * x * torch.tanh(ROOT * (x + 0.044715 * x**3)),
    lambda x: x * (torch.sigmoid(2 * ROOT * (x + 0.044715 * x * x * x)) - 0.5),
    en=Explained(
        "The 1 beside the tanh is missing.",
        "A tanh runs from -1 to 1, so half of it is no share: large negative numbers come back half as large, with the other sign. With the 1 the share runs from 0 to 1.",
        hint="What should gelu(-3) be, nearly? What does yours give?",
    ),
    zh_tw=Explained(
        "tanh 旁邊少了 1。",
        "tanh 從 -1 到 1，它的一半不是比例：很小的負數會變號回來，大小剩一半。加上 1，比例才會從 0 到 1。",
        hint="gelu(-3) 應該接近多少？你的給出多少？",
    ),
)
mistaken(
    "layers.gelu/coefficient-ten-times",
    lambda x: 0.5 * x * (1 + torch.tanh(ROOT * (x + 0.44715 * x**3))),
    lambda x: x * torch.sigmoid(2 * ROOT * x * (1 + 0.44715 * x * x)),
    en=Explained(
        "The cubic term is ten times too large.",
        "Its coefficient is 0.044715, with a zero after the point. The curve then bends too sharply, much like a ReLU.",
        hint="Count the digits of the coefficient after the point.",
    ),
    zh_tw=Explained(
        "三次方的項大了十倍。",
        "係數是 0.044715，小數點後面先有一個零。少了它，曲線會彎得太急，像 ReLU 一樣。",
        hint="數一數係數小數點後面的位數。",
    ),
)
mistaken(
    "layers.gelu/x-missing",
    lambda x: 0.5 * (1 + torch.tanh(ROOT * (x + 0.044715 * x**3))),
    lambda x: torch.sigmoid(2 * ROOT * x * (1 + 0.044715 * x * x)),
    en=Explained(
        "The factor x is missing: this is the share alone.",
        "GELU is x times the share of the normal distribution that lies below x.",
        hint="What should gelu(0) be?",
    ),
    zh_tw=Explained(
        "少了因子 x：這只是那個比例。",
        "GELU 是 x 乘上「常態分布中小於 x 的比例」。",
        hint="gelu(0) 應該是多少？",
    ),
)
mistaken(
    "layers.gelu/overflows",
    lambda x: 0.5 * x * (1 + _by_exp(ROOT * (x + 0.044715 * x**3))),
    lambda x: 0.5 * x * (1 + torch.sinh(u := ROOT * (x + 0.044715 * x**3)) / torch.cosh(u)),
    en=Explained(
        "Your tanh overflows: large inputs become NaN.",
        "exp(u) is infinite from about u = 710 on, and the cube gets there at x = 30. inf / inf is NaN.",
        hint="Try gelu(40). torch.tanh does not overflow.",
    ),
    zh_tw=Explained(
        "你的 tanh 會溢位：大的輸入變成 NaN。",
        "u 大約超過 710，exp(u) 就是無限大，而三次方在 x = 30 左右就到了。inf / inf 是 NaN。",
        hint="試試 gelu(40)。torch.tanh 不會溢位。",
    ),
)
mistaken("layers.gelu/float32", lambda x: bent(x).float(), lambda x: bent(x.double()).to(torch.float32), **SINGLE)
mistaken("layers.gelu/widened", lambda x: bent(x.double()), lambda x: (y := x.to(torch.float64)) * _share(y), **WIDENED)
mistaken("layers.gelu/changed-in-place", lambda x: x.copy_(bent(x)), lambda x: x.mul_(_share(x)), **IN_PLACE)
mistaken("layers.gelu/cut-off", lambda x: bent(x).detach(), lambda x: torch.from_numpy(_by_numpy(x)), **CUT_OFF)


def _by_exp(u):
    return (torch.exp(u) - torch.exp(-u)) / (torch.exp(u) + torch.exp(-u))


def _share(x):
    return 0.5 * (1 + torch.tanh(ROOT * (x + 0.044715 * x**3)))


def _by_numpy(x):
    x = x.detach().numpy()
    return np.asarray(0.5 * x * (1 + np.tanh(ROOT * (x + 0.044715 * x**3))), dtype=x.dtype)
