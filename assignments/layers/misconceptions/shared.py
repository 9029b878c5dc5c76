"""What the mistakes share: layers of which one part is wrong, in two styles, and words for mistakes of several exercises."""

from __future__ import annotations

import copy
import math
from functools import partial

import torch
from torch import nn
from torch.nn import functional as F

from grader.testing import Explained, misconception

about_norm = partial(misconception, name="LayerNorm")
about_gelu = partial(misconception, name="gelu")
about_split = partial(misconception, name="split_heads")
about_merge = partial(misconception, name="merge_heads")
about_attention = partial(misconception, name="CausalSelfAttention")
about_mlp = partial(misconception, name="MLP")
about_block = partial(misconception, name="Block")


def bent(x):
    """The right GELU, by the logistic function."""
    return x * torch.sigmoid(2 * math.sqrt(2 / math.pi) * x * (1 + 0.044715 * x * x))


# --- Dropout: what a mistake may put in the place of nn.Dropout ---------------------------------------------------


class Kept(nn.Module):
    """Drops nothing."""

    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, x):
        return x


class AlwaysDropped(Kept):
    """Drops in evaluation mode too."""

    def forward(self, x):
        return F.dropout(x, self.p)


class OffForever(Kept):
    """Is switched off by evaluation mode and never on again."""

    def train(self, mode=True):  # noqa: FBT002  # as torch has it
        if not mode:
            self.p = 0.0
        return super().train(mode)

    def forward(self, x):
        return F.dropout(x, self.p, self.training)


class NotRescaled(Kept):
    """Sets entries to 0 and leaves the others as they are."""

    def forward(self, x):
        return x * (torch.rand(x.shape) >= self.p).to(x.dtype) if self.training else x


# --- An affine layer, written in another way than nn.Linear -------------------------------------------------------


class Affine(nn.Module):
    """The right one, by einsum."""

    def __init__(self, n_in, n_out, *, bias):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(n_out, n_in) * 0.02)
        self.bias = nn.Parameter(torch.zeros(n_out)) if bias else None

    def forward(self, x):
        if x.shape[-1] != self.weight.shape[1]:
            raise ValueError("rows of another width")
        y = torch.einsum("...i,oi->...o", x, self.weight)
        return y if self.bias is None else y + self.bias


def in_double(forward):
    """The same forward in float64, whatever the dtype of the layer and of its input."""
    return lambda self, x, *cache: forward(copy.deepcopy(self).double(), x.double(), *cache)


def divided(config):
    """Refuse a width that does not divide."""
    if config.d_model % config.n_head:
        raise ValueError("the width does not divide into the heads")


# --- Words for mistakes of several exercises ----------------------------------------------------------------------

CUT_OFF = {
    "en": Explained(
        "Your result is cut off from the gradient.",
        "Values are right, but `.detach()`, `torch.no_grad()`, `.item()` or NumPy leaves nothing for backward to follow: whatever stands "
        "before this layer would never learn.",
        hint="Give it an x with requires_grad=True. Does the result have a grad_fn?",
    ),
    "zh_tw": Explained(
        "你的結果和梯度斷開了。",
        "數值是對的，但 `.detach()`、`torch.no_grad()`、`.item()` 或 NumPy 讓反向傳播無路可走：這一層之前的東西永遠學不到。",
        hint="給一個 requires_grad=True 的 x。結果有 grad_fn 嗎？",
    ),
}
SINGLE = {
    "en": Explained(
        "Your result is float32 whatever comes in.",
        "A layer computes in the dtype of its input. `.float()` throws away half the digits of a float64 input, and the next layer meets a "
        "dtype that it did not expect.",
        hint="Look for `.float()`, `torch.float32` and tensors made without `dtype=`.",
    ),
    "zh_tw": Explained(
        "不管輸入是什麼，你的結果都是 float32。",
        "一層要以輸入的 dtype 計算。`.float()` 會丟掉 float64 輸入一半的位數，下一層也會遇到預期之外的 dtype。",
        hint="找找 `.float()`、`torch.float32`，以及建立時沒有寫 `dtype=` 的張量。",
    ),
}
WIDENED = {
    "en": Explained(
        "Your result is float64 though float32 came in.",
        "A layer computes in the dtype of its input. One tensor of float64, or a `.double()`, widens all that it meets, and the next layer refuses it.",
        hint="Print x.dtype and the dtype of your result for a float32 x.",
    ),
    "zh_tw": Explained(
        "輸入是 float32，你的結果卻是 float64。",
        "一層要以輸入的 dtype 計算。只要混進一個 float64 的張量或一次 `.double()`，碰到的全都會變寬，下一層就會拒收。",
        hint="給一個 float32 的 x，印出 x.dtype 和結果的 dtype。",
    ),
}
AXES_LOST = {
    "en": Explained(
        "Axes of size 1 are lost.",
        "`squeeze()` takes out every axis of size 1: a batch of one text, a single token or a single head then comes back with other axes, and what follows reads them wrong.",
        hint="Try it on a batch of one. How many axes has your result?",
    ),
    "zh_tw": Explained(
        "大小為 1 的軸不見了。",
        "`squeeze()` 會拿掉所有大小為 1 的軸：批次只有一段文字、只有一個詞元或一個頭時，回來的軸就變了，後面的程式會讀錯。",
        hint="拿大小為 1 的批次試試。你的結果有幾個軸？",
    ),
}
IN_PLACE = {
    "en": Explained(
        "You changed the tensor that you were given.",
        "The caller still holds it: a residual that is added later would add the changed rows, and autograd may refuse altogether.",
        hint="Look for `+=`, `-=` and methods that end in an underscore, such as `sub_`.",
    ),
    "zh_tw": Explained(
        "你改動了傳進來的張量。",
        "呼叫端還拿著同一個張量：之後要加的殘差會加到被改過的橫列，autograd 也可能直接報錯。",
        hint="找找 `+=`、`-=`，以及名稱以底線結尾的方法，例如 `sub_`。",
    ),
}
BIAS_ALWAYS = {
    "en": Explained(
        "There is a bias although `bias=False` says that there is none.",
        "With bias=False no layer has one. Published weights without biases would not fit, and yours would keep whatever they began with.",
        hint="Print the keys of state_dict() for bias=False. What decides whether a bias is made?",
    ),
    "zh_tw": Explained(
        "`bias=False` 寫明不要偏值（bias），你還是建了。",
        "bias=False 時每一層都沒有偏值。沒有偏值的公開權重會對不上，而你的偏值會一直停在初始的數。",
        hint="印出 bias=False 時 state_dict() 的鍵。是什麼決定要不要建立偏值？",
    ),
}
THREE_AXES = {
    "en": Explained(
        "Only tensors of exactly three axes are accepted.",
        "The layer treats each row by itself, so any axes may stand before the last. Unpacking B, T, d = x.shape refuses a single row and four axes.",
        hint="Which axis do you work on? Counted from the end it is -1, however many there are.",
    ),
    "zh_tw": Explained(
        "你只接受剛好三個軸的張量。",
        "這一層是一個橫列一個橫列處理的，最後一軸之前可以有任意多個軸。用 B, T, d = x.shape 拆開，就擋掉了單一橫列和四個軸的情形。",
        hint="你處理的是哪一軸？從後面數是 -1，不論總共有幾軸。",
    ),
}
ANY_AXES = {
    "en": Explained(
        "You accept tensors with too few or too many axes.",
        "Which axis is the batch, which the tokens? Your function picks without a word, and the caller may have meant another.",
        hint="The given require_shapes can ask. Try a tensor with one axis less.",
    ),
    "zh_tw": Explained(
        "軸數太少或太多的張量，你也接受了。",
        "哪一軸是批次、哪一軸是詞元？你的函式默默選了一種，呼叫端想的可能是另一種。",
        hint="可以用現成的 require_shapes 檢查。拿少一軸的張量試試。",
    ),
}
UNUSED_DROPOUT = {
    "en": Explained(
        "Nothing is dropped in training mode.",
        "A dropout layer that is made but never called, or a probability that is never read, changes nothing: the model is trained without it.",
        hint="Set dropout=0.5, call the layer twice in training mode, and compare.",
    ),
    "zh_tw": Explained(
        "訓練模式下什麼也沒有被丟棄。",
        "建了 dropout 層卻沒有呼叫，或是沒有用到機率，都等於沒有：模型訓練時根本沒有 dropout。",
        hint="設 dropout=0.5，在訓練模式下呼叫兩次，比一比結果。",
    ),
}
ALWAYS = {
    "en": Explained(
        "Dropout also acts in evaluation mode.",
        "F.dropout drops unless told that training is over. Two evaluations of one text then differ, and the loss that you report is that of a damaged model.",
        hint="Call eval() and then the layer twice. F.dropout has an argument `training`.",
    ),
    "zh_tw": Explained(
        "評估模式下也在做 dropout。",
        "沒有告訴 F.dropout 訓練已經結束，它就會照樣丟棄。同一段文字評估兩次結果不同，回報的損失其實是殘缺模型的損失。",
        hint="先呼叫 eval()，再呼叫這一層兩次。F.dropout 有一個引數 `training`。",
    ),
}
OFF = {
    "en": Explained(
        "After the first evaluation nothing is ever dropped again.",
        "Setting the probability to 0 for eval() loses it: back in training mode the layer no longer knows what it was.",
        hint="Call eval(), then train(), then the layer twice. `self.training` tells the mode without losing anything.",
    ),
    "zh_tw": Explained(
        "評估過一次之後，就再也不會 dropout 了。",
        "用「把機率設成 0」來做 eval()，原來的機率就不見了：回到訓練模式時，這一層已經不知道它本來是多少。",
        hint="依序呼叫 eval()、train()，再呼叫這一層兩次。`self.training` 就能知道模式，而且什麼都不會弄丟。",
    ),
}
UNSCALED = {
    "en": Explained(
        "What is not dropped is not scaled up.",
        "With probability p dropped, the rest has to be divided by 1 - p: only then is the expected sum the same as in evaluation mode, where nothing is dropped.",
        hint="With p = 0.5 and a row of ones, what is the mean in training mode, and what in evaluation mode?",
    ),
    "zh_tw": Explained(
        "留下來的數沒有放大。",
        "以機率 p 丟棄時，留下的要除以 1 - p，總和的期望值才會和什麼都不丟的評估模式相同。",
        hint="p = 0.5、一列全是 1 時，訓練模式的平均是多少？評估模式呢？",
    ),
}
