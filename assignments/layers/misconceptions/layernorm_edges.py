"""Gradients, dtypes, axes and parameters of a LayerNorm."""

from __future__ import annotations

import torch

from grader.testing import Explained, variant
from misconceptions.layernorm import Norm, also_right, mistaken, right, root_of, stretched
from misconceptions.shared import BIAS_ALWAYS, CUT_OFF, IN_PLACE, SINGLE, THREE_AXES, WIDENED, about_norm


def _constant_statistics(x, w, b, eps):
    with torch.no_grad():
        mu, root = x.mean(dim=-1, keepdim=True), root_of(x, eps)
    return stretched((x - mu) / root, w, b)


def _unpacked(x, w, b, eps):
    B, T, d = x.shape
    return right(x.view(B * T, d), w, b, eps).view(B, T, d)


def _examples(x):
    if x.ndim != 3:
        raise ValueError("three axes are needed")
    return enumerate(x)


def _shifted(x, w, b, eps):
    x -= x.mean(dim=-1, keepdim=True)
    return right(x, w, b, eps)


mistaken(
    "layers.layernorm/statistics-cut-off",
    lambda x, w, b, eps: stretched(
        (x - x.mean(dim=-1, keepdim=True).detach()) / (x.var(dim=-1, correction=0, keepdim=True).detach() + eps).sqrt(),
        w,
        b,
    ),
    _constant_statistics,
    en=Explained(
        "Mean and variance are cut off from the gradient.",
        "The values are right, the gradient is not: moving one number of a row also moves its mean and variance, and so all other numbers of the result.",
        hint="Look for `.detach()`, `.data` and `no_grad`.",
    ),
    zh_tw=Explained(
        "平均和變異數和梯度斷開了。",
        "數值是對的，梯度不對：橫列裡動一個數，平均和變異數也會動，結果的其他數也跟著動。",
        hint="找找 `.detach()`、`.data` 和 `no_grad`。",
    ),
)
mistaken(
    "layers.layernorm/three-axes",
    _unpacked,
    lambda x, w, b, eps: torch.stack([also_right(rows, w, b, eps) for (_, rows) in _examples(x)]),
    **THREE_AXES,
)
mistaken(
    "layers.layernorm/float32",
    lambda x, w, b, eps: right(x, w, b, eps).float(),
    lambda x, w, b, eps: also_right(x.double(), w, b, eps).to(torch.float32),
    **SINGLE,
)
mistaken(
    "layers.layernorm/widened",
    lambda x, w, b, eps: right(x.double(), w.double(), b if b is None else b.double(), eps),
    lambda x, w, b, eps: also_right(*(None if each is None else each.to(torch.float64) for each in (x, w, b)), eps),
    **WIDENED,
)
mistaken(
    "layers.layernorm/changed-in-place",
    _shifted,
    lambda x, w, b, eps: also_right(x.sub_(x.mean(dim=-1, keepdim=True)), w, b, eps),
    **IN_PLACE,
)
mistaken(
    "layers.layernorm/cut-off",
    lambda x, w, b, eps: right(x, w, b, eps).detach(),
    lambda x, w, b, eps: also_right(x.detach(), w.detach(), b if b is None else b.detach(), eps),
    **CUT_OFF,
)


for slug, default in (("default-eps-1e-6", 1e-6), ("default-eps-1e-8", 1e-8)):

    @about_norm(
        f"layers.layernorm/{slug}",
        en=Explained(
            "Your eps is smaller than 1e-5 where none is given.",
            "1e-5 is what GPT-2 was trained with. Another default gives other numbers, by a little in each layer, and nobody sees where they come from.",
            hint="What is the default of eps in __init__?",
        ),
        zh_tw=Explained(
            "沒有給 eps 時，你用的比 1e-5 小。",
            "GPT-2 訓練時用的是 1e-5。預設值不同，每一層的數字就差一點，而且看不出差在哪裡。",
            hint="__init__ 裡 eps 的預設值是多少？",
        ),
    )
    def _(ref, d, eps=default, bias=True):  # noqa: FBT002
        return Norm(right, d, eps, bias)

    @variant(f"layers.layernorm/{slug}")
    def _(ref, d, eps=default, bias=True):  # noqa: FBT002
        return Norm(also_right, d, eps, bias)


@about_norm("layers.layernorm/bias-always", **BIAS_ALWAYS)
def _(ref, d, eps=1e-5, bias=True):  # noqa: FBT002
    return Norm(right, d, eps, bias=True)


@variant("layers.layernorm/bias-always")
def _(ref, d, eps=1e-5, bias=True):  # noqa: FBT002
    return Norm(also_right, d, eps, bias=True)


@about_norm(
    "layers.layernorm/starts-at-zero",
    en=Explained(
        "The weight begins as zeros.",
        "A new LayerNorm then gives 0 for every row, and nothing that stands before it gets a gradient. It begins as ones: normalise, and no more.",
        hint="Print state_dict() of a new layer.",
    ),
    zh_tw=Explained(
        "weight 一開始是 0。",
        "這樣新的 LayerNorm 對每個橫列都給 0，前面的東西也得不到梯度。它要從 1 開始：只做正規化。",
        hint="印出新的一層的 state_dict()。",
    ),
)
def _(ref, d, eps=1e-5, bias=True):  # noqa: FBT002
    return Norm(right, d, eps, bias, start=torch.zeros)


@variant("layers.layernorm/starts-at-zero")
def _(ref, d, eps=1e-5, bias=True):  # noqa: FBT002
    return Norm(also_right, d, eps, bias, start=lambda n: torch.ones(n) - 1)


@about_norm(
    "layers.layernorm/frozen",
    en=Explained(
        "The weight is no parameter: it gets no gradient.",
        "A buffer is saved and loaded as a parameter is, but no optimizer sees it, so it stays at 1 for ever.",
        hint="Is the weight among `layer.parameters()`, and does it have requires_grad?",
    ),
    zh_tw=Explained(
        "weight 不是參數：它得不到梯度。",
        "緩衝區（buffer）會像參數一樣儲存和載入，但最佳化器看不到它，它就永遠停在 1。",
        hint="weight 在 `layer.parameters()` 裡嗎？它的 requires_grad 是什麼？",
    ),
)
def _(ref, d, eps=1e-5, bias=True):  # noqa: FBT002
    layer = Norm(right, d, eps, bias)
    del layer.weight
    layer.register_buffer("weight", torch.ones(d))
    return layer


@variant("layers.layernorm/frozen")
def _(ref, d, eps=1e-5, bias=True):  # noqa: FBT002
    layer = Norm(also_right, d, eps, bias)
    layer.weight.requires_grad_(requires_grad=False)
    return layer


@about_norm(
    "layers.layernorm/width-unchecked",
    en=Explained(
        "Rows of width 1 are accepted and blown up to width d.",
        "torch broadcasts [..., 1] against the weight [d] without an error, so a tensor of the wrong width gives numbers that mean nothing.",
        hint="Call your layer of width 5 with x of shape [2, 1]. The given require_shapes can ask.",
    ),
    zh_tw=Explained(
        "寬度 1 的橫列也被接受，還被撐成寬度 d。",
        "torch 會把 [..., 1] 廣播到 weight 的 [d] 而不報錯，寬度不對的張量就得出沒有意義的數。",
        hint="用形狀 [2, 1] 的 x 呼叫寬度 5 的層看看。可以用現成的 require_shapes 檢查。",
    ),
)
def _(ref, d, eps=1e-5, bias=True):  # noqa: FBT002
    return Norm(right, d, eps, bias, check=False)


@variant("layers.layernorm/width-unchecked")
def _(ref, d, eps=1e-5, bias=True):  # noqa: FBT002
    return Norm(also_right, d, eps, bias, check=False)
