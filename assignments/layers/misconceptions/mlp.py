"""What goes wrong in the exercise layers.mlp."""

from __future__ import annotations

import math

import torch
from torch import nn

from grader.testing import Explained, variant
from misconceptions.shared import (
    ALWAYS,
    BIAS_ALWAYS,
    CUT_OFF,
    OFF,
    SINGLE,
    THREE_AXES,
    UNSCALED,
    UNUSED_DROPOUT,
    WIDENED,
    Affine,
    AlwaysDropped,
    Kept,
    NotRescaled,
    OffForever,
    about_mlp,
    bent,
    in_double,
)


def by_tanh(x):
    """The right GELU as it stands in the paper."""
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def in_order(self, x):
    """The right forward."""
    return self.drop(self.c_proj(self.bend(self.c_fc(x))))


class Linears(nn.Module):
    """An MLP of linear layers and forward rule(self, x)."""

    def __init__(self, config, rule, *, made=nn.Linear, bend=bent, drop=nn.Dropout, bias=None, times=4):
        super().__init__()
        d, bias = config.d_model, config.bias if bias is None else bias
        self.c_fc, self.c_proj = made(d, times * d, bias=bias), made(times * d, d, bias=bias)
        self.bend, self.drop, self.rule = bend, drop(config.dropout), rule

    def forward(self, x):
        return self.rule(self, x)


def mistaken(misconception_id, first=None, second=None, *, rule=in_order, other=in_order, **words):
    """Declare a mistake by the parts or the rule that is wrong, and its variant with other layers and another GELU."""
    about_mlp(misconception_id, **words)(lambda ref, config: Linears(config, rule, **(first or {})))
    also = {"made": Affine, "bend": by_tanh} | (first or {} if second is None else second)
    variant(misconception_id)(lambda ref, config: Linears(config, other, **also))


mistaken(
    "layers.mlp/erf",
    {"bend": lambda x: 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))},
    {"bend": lambda x: x * torch.special.ndtr(x)},
    en=Explained(
        "The bend is the exact GELU, with erf; GPT-2 was trained with the form with tanh.",
        "They differ by less than 0.0005, but weights that were trained with one are not for the other.",
        hint="Use your own gelu here.",
    ),
    zh_tw=Explained(
        "你用的是 erf 的精確 GELU；GPT-2 是用 tanh 的形式訓練的。",
        "兩者相差不到 0.0005，但用一種訓練的權重不適合另一種。",
        hint="這裡用你自己的 gelu。",
    ),
)
mistaken(
    "layers.mlp/relu",
    {"bend": torch.relu},
    {"bend": lambda x: x.clamp(min=0)},
    en=Explained(
        "The bend is ReLU.",
        "The first transformer had it; GPT-2 has GELU, which bends smoothly.",
        hint="Use your own gelu here.",
    ),
    zh_tw=Explained(
        "你用的是 ReLU。",
        "最早的 transformer 是用 ReLU；GPT-2 用的是平滑彎曲的 GELU。",
        hint="這裡用你自己的 gelu。",
    ),
)
mistaken(
    "layers.mlp/not-bent",
    {"bend": lambda x: x},
    {"bend": torch.clone},
    en=Explained(
        "Nothing stands between the two linear layers.",
        "Two linear layers in a row are one linear layer: without a bend the width of 4 d gains nothing.",
        hint="What is the MLP of 2 x, compared with that of x?",
    ),
    zh_tw=Explained(
        "兩個線性層中間什麼都沒有。",
        "兩個線性層接在一起還是一個線性層：不彎一下，4 d 的寬度就沒有意義。",
        hint="和 x 的 MLP 相比，2 x 的 MLP 是什麼？",
    ),
)
mistaken(
    "layers.mlp/bent-at-the-end",
    rule=lambda self, x: self.drop(self.bend(self.c_proj(self.c_fc(x)))),
    other=lambda self, x: self.drop(by_tanh((self.c_fc(x)) @ self.c_proj.weight.T + _bias(self.c_proj))),
    en=Explained(
        "The GELU comes after both layers.",
        "Between them it makes the MLP more than one linear layer. At the end it also forbids the branch to subtract anything from the residual.",
        hint="In which shape does the GELU meet the numbers, [..., 4 d] or [..., d]?",
    ),
    zh_tw=Explained(
        "GELU 放在兩層之後。",
        "放在中間，MLP 才不只是一個線性層。放在最後，這個分支還幾乎不能從殘差裡減掉東西。",
        hint="GELU 遇到的數是什麼形狀：[..., 4 d] 還是 [..., d]？",
    ),
)
mistaken(
    "layers.mlp/bent-twice",
    rule=lambda self, x: self.drop(self.bend(self.c_proj(self.bend(self.c_fc(x))))),
    other=lambda self, x: self.drop(by_tanh(self.c_proj(by_tanh(self.c_fc(x))))),
    en=Explained(
        "There is a second GELU at the end.",
        "The branch is added to the residual. Bent at the end it can add, but hardly subtract.",
        hint="How many bends has the formula?",
    ),
    zh_tw=Explained(
        "最後又多了一個 GELU。",
        "這個分支要加到殘差上。最後再彎一次，它就只能加，幾乎不能減。",
        hint="公式裡彎了幾次？",
    ),
)
mistaken(
    "layers.mlp/not-widened",
    {"times": 1},
    {"times": 1},
    en=Explained(
        "The middle is as wide as the row, not four times as wide.",
        "Published weights have 4 d there, and do not fit.",
        hint="Print the shape of c_fc.weight. nn.Linear has it as [out, in].",
    ),
    zh_tw=Explained(
        "中間和橫列一樣寬，不是四倍。",
        "公開的權重那裡是 4 d，放不進來。",
        hint="印出 c_fc.weight 的形狀。nn.Linear 的方向是 [輸出, 輸入]。",
    ),
)
mistaken(
    "layers.mlp/residual-inside",
    rule=lambda self, x: x + in_order(self, x),
    other=lambda self, x: torch.add(in_order(self, x), x),
    en=Explained(
        "The MLP adds its input to its output.",
        "That is the block's work. Done here too, the residual counts twice.",
        hint="Set c_proj to 0. What should the MLP return?",
    ),
    zh_tw=Explained(
        "MLP 把輸入加到輸出上。",
        "那是區塊的工作。這裡也做，殘差就算了兩次。",
        hint="把 c_proj 設成 0，MLP 應該回傳什麼？",
    ),
)
mistaken(
    "layers.mlp/bias-unused",
    rule=lambda self, x: self.drop(self.bend(x @ self.c_fc.weight.T) @ self.c_proj.weight.T),
    other=lambda self, x: self.drop(
        nn.functional.linear(by_tanh(nn.functional.linear(x, self.c_fc.weight)), self.c_proj.weight)
    ),
    en=Explained(
        "The biases are there but are not added.",
        "A parameter that takes no part gets no gradient and never learns.",
        hint="A linear layer is x W^T + b.",
    ),
    zh_tw=Explained(
        "建立了偏值，卻沒有加上去。",
        "沒有參與計算的參數沒有梯度，永遠學不到東西。",
        hint="線性層是 x W^T + b。",
    ),
)
mistaken("layers.mlp/bias-always", {"bias": True}, **BIAS_ALWAYS)
mistaken(
    "layers.mlp/three-axes",
    rule=lambda self, x: in_order(self, x.view(_tokens(x), -1)).view(x.shape),
    other=lambda self, x: torch.stack([in_order(self, rows) for rows in x]) if _tokens(x) else x,
    **THREE_AXES,
)
mistaken(
    "layers.mlp/float32",
    rule=lambda self, x: in_order(self, x).float(),
    other=lambda self, x: in_order(self, x).to(torch.float32),
    **SINGLE,
)
mistaken(
    "layers.mlp/widened",
    rule=in_double(in_order),
    other=in_double(lambda self, x: self.drop(self.c_proj(self.bend(self.c_fc(x))))),
    **WIDENED,
)
mistaken(
    "layers.mlp/cut-off",
    rule=lambda self, x: in_order(self, x).detach(),
    other=lambda self, x: in_order(self, x).data,
    **CUT_OFF,
)
mistaken(
    "layers.mlp/middle-cut-off",
    rule=lambda self, x: self.drop(self.c_proj(self.bend(self.c_fc(x)).detach())),
    other=lambda self, x: self.drop(self.c_proj(self.bend(self.c_fc(x.detach())).data)),
    en=Explained(
        "The first layer is cut off from the gradient.",
        "The values are right and c_proj learns, but c_fc and all that stands before never do.",
        hint="Look for `.detach()` and `.data` between the two layers.",
    ),
    zh_tw=Explained(
        "第一層和梯度斷開了。",
        "數值是對的，c_proj 也學得到，但 c_fc 和它之前的一切永遠學不到。",
        hint="找找兩層之間的 `.detach()` 和 `.data`。",
    ),
)
mistaken(
    "layers.mlp/middle-dropped",
    rule=lambda self, x: self.c_proj(self.drop(self.bend(self.c_fc(x)))),
    other=lambda self, x: self.c_proj(self.drop(by_tanh(self.c_fc(x)))),
    en=Explained(
        "The middle is dropped, not the output.",
        "The first transformer did so. GPT-2 drops what leaves the MLP, just before it is added to the residual.",
        hint="What is the shape of the tensor that your dropout sees?",
    ),
    zh_tw=Explained(
        "你丟棄的是中間，不是輸出。",
        "最早的 transformer 是那樣。GPT-2 丟棄的是離開 MLP、要加到殘差之前的輸出。",
        hint="你的 dropout 看到的張量是什麼形狀？",
    ),
)
mistaken("layers.mlp/dropout-unused", {"drop": Kept}, **UNUSED_DROPOUT)
mistaken("layers.mlp/dropout-always", {"drop": AlwaysDropped}, **ALWAYS)
mistaken("layers.mlp/dropout-off-forever", {"drop": OffForever}, **OFF)
mistaken("layers.mlp/dropout-unscaled", {"drop": NotRescaled}, **UNSCALED)


def _bias(layer):
    return 0 if layer.bias is None else layer.bias


def _tokens(x):
    B, T, _ = x.shape
    return B * T
