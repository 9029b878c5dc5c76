"""State, widths, dtypes and gradients of causal self-attention."""

from __future__ import annotations

import torch
from torch import nn

from grader.testing import Explained
from misconceptions.attention import AtOnce, HeadByHead, _Around, exponentials, mistaken, shares
from misconceptions.shared import BIAS_ALWAYS, CUT_OFF, WIDENED, in_double


class _Widened(AtOnce):
    """Right, in float64."""

    forward = in_double(AtOnce.forward)


class _WidenedHeads(HeadByHead):
    """Right, in float64."""

    forward = in_double(HeadByHead.forward)


def _asserted(config):
    assert config.d_model % config.n_head == 0


class _Turned(_Around):
    def __init__(self, config, layer):
        super().__init__(config, layer)
        self.c_attn.weight = nn.Parameter(self.c_attn.weight.detach().T.contiguous())

    def forward(self, x, cache=None):
        raise ValueError("the weights do not fit")


def _stored(config, layer, name, lead=()):
    size = config.block_size
    layer.register_buffer(name, torch.tril(torch.ones(size, size)).view(*lead, size, size))
    return layer


def _grown(layer, **more):
    for name, part in more.items():
        setattr(layer, name, part)
    return layer


mistaken("layers.causalselfattention/bias-always", {"bias": True}, {"bias": True}, **BIAS_ALWAYS)
mistaken(
    "layers.causalselfattention/weights-turned-round",
    lambda config: _Turned(config, AtOnce(config)),
    lambda config: _Turned(config, HeadByHead(config)),
    en=Explained(
        "c_attn.weight is [d, 3 d], the other way round than nn.Linear has it.",
        "The published GPT-2 is stored so, and the loader turns it. Here the orientation of nn.Linear is asked for, [out, in].",
        hint="What is the shape of nn.Linear(2, 6).weight?",
    ),
    zh_tw=Explained(
        "c_attn.weight 是 [d, 3 d]，和 nn.Linear 的方向相反。",
        "公開的 GPT-2 是那樣存的，載入時才轉過來。這裡要求 nn.Linear 的方向：[輸出, 輸入]。",
        hint="nn.Linear(2, 6).weight 的形狀是什麼？",
    ),
)
mistaken(
    "layers.causalselfattention/mask-in-the-state",
    lambda config: _stored(config, AtOnce(config), "bias", lead=(1, 1)),
    lambda config: _stored(config, HeadByHead(config), "mask"),
    en=Explained(
        "The causal mask is saved with the parameters.",
        "A buffer is part of state_dict() unless persistent=False. The mask is no knowledge: whoever loads weights without it gets an error, and it ties them to one block_size.",
        hint="Print the keys of state_dict().",
    ),
    zh_tw=Explained(
        "因果遮罩被當成參數存起來了。",
        "緩衝區（buffer）會進入 state_dict()，除非 persistent=False。遮罩不是學來的：載入沒有遮罩的權重會出錯，也綁死了 block_size。",
        hint="印出 state_dict() 的鍵。",
    ),
)
mistaken(
    "layers.causalselfattention/parameter-left-over",
    lambda config: _grown(AtOnce(config), scale=nn.Parameter(torch.ones(1))),
    lambda config: _grown(HeadByHead(config), q_proj=nn.Linear(config.d_model, config.d_model, bias=False)),
    en=Explained(
        "There is a parameter more than the two linear layers have.",
        "Whatever layer or nn.Parameter is assigned to self is in the state: published weights do not fill it, and the optimizer trains it.",
        hint="Print the keys of state_dict(). Which of them is not c_attn's or c_proj's?",
    ),
    zh_tw=Explained(
        "除了兩個線性層，還多了一個參數。",
        "只要把層或 nn.Parameter 指派給 self，就會出現在 state 裡：公開的權重填不到它，最佳化器卻會訓練它。",
        hint="印出 state_dict() 的鍵。哪一個不屬於 c_attn 或 c_proj？",
    ),
)
mistaken(
    "layers.causalselfattention/width-unchecked",
    {"check": lambda config: None},
    {"check": lambda config: None},
    en=Explained(
        "A width that does not divide into the heads is accepted.",
        "The layer can be made and fails only when it is used, or loses the numbers that are left over. Such a configuration is a mistake, and should be told at once.",
        hint="Make a layer with d_model=7 and n_head=3.",
    ),
    zh_tw=Explained(
        "寬度不能被頭數整除，你也接受了。",
        "這一層建得起來，要用的時候才失敗，或是丟掉剩下的數。這種設定是錯的，應該馬上說出來。",
        hint="用 d_model=7、n_head=3 建一層看看。",
    ),
)
mistaken(
    "layers.causalselfattention/assert",
    {"check": _asserted},
    {"check": _asserted},
    en=Explained(
        "You stop a bad width with assert.",
        "An AssertionError says that the program itself is broken, and the check disappears under `python -O`. A caller who asks for what cannot be should get a ValueError.",
        hint="Look at the Raises section of the docstring.",
    ),
    zh_tw=Explained(
        "你用 assert 擋下不合的寬度。",
        "AssertionError 的意思是程式本身壞了，而且用 `python -O` 執行時檢查會消失。呼叫端要求做不到的事，應該得到 ValueError。",
        hint="看看 docstring 的 Raises 那一節。",
    ),
)
mistaken(
    "layers.causalselfattention/weights-cut-off",
    {"weigh": lambda S, mask: shares(S, mask).detach()},
    {"weights": lambda S, may: exponentials(S.detach(), may)},
    en=Explained(
        "The weights are cut off from the gradient.",
        "The values are right, but queries and keys get no gradient: the model can never learn where to look.",
        hint="Look for `.detach()`, `.data` and `no_grad`.",
    ),
    zh_tw=Explained(
        "權重和梯度斷開了。",
        "數值是對的，但查詢和鍵沒有梯度：模型永遠學不會該看哪裡。",
        hint="找找 `.detach()`、`.data` 和 `no_grad`。",
    ),
)
mistaken(
    "layers.causalselfattention/widened",
    _Widened,
    _WidenedHeads,
    **WIDENED,
)
mistaken(
    "layers.causalselfattention/cut-off",
    {"project": lambda linear, Z: linear(Z).detach()},
    {"leave": lambda affine, Z: affine(Z).data},
    **CUT_OFF,
)
