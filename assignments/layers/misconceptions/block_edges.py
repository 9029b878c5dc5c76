"""Cache, dropout and state of a block."""

from __future__ import annotations

from dataclasses import replace

from torch import nn
from torch.nn import functional as F

from grader.testing import Explained, variant
from misconceptions.block import Joined, _in_turn, first, mistaken, plus, second
from misconceptions.shared import BIAS_ALWAYS, IN_PLACE, about_block


def right(b, x, cache):
    x = x + first(b, x, cache)
    return x + second(b, x)


def also_right(b, x, cache):
    y = plus(x, first(b, x, cache))
    return plus(y, second(b, y))


def _grown(b, x, cache):
    x += first(b, x, cache)
    x += second(b, x)
    return x


mistaken(
    "layers.block/cache-not-passed",
    lambda b, x, cache: right(b, x, None),
    lambda b, x, _: plus(y := plus(x, first(b, x)), second(b, y)),
    en=Explained(
        "The cache does not reach the attention.",
        "The block takes it and leaves it empty, so new tokens do not know the old ones.",
        hint="Who uses the cache? Follow it from forward on.",
    ),
    zh_tw=Explained(
        "快取沒有傳到注意力。",
        "區塊收下了它，卻讓它空著，新詞元就不認識舊詞元。",
        hint="誰會用到快取？從 forward 開始追蹤它。",
    ),
)
mistaken(
    "layers.block/dropped-in-evaluation",
    lambda b, x, cache: (y := x + F.dropout(first(b, x, cache), b.p)) + F.dropout(second(b, y), b.p),
    lambda b, x, cache: _in_turn(b, x, cache, lambda norm, branch, x: plus(x, F.dropout(branch(norm(x)), b.p))),
    en=Explained(
        "The block drops once more, and in evaluation mode too.",
        "Both parts drop what leaves them, in training mode. F.dropout does not know the mode unless it is told.",
        hint="Call eval() and then the block twice, with dropout=0.5.",
    ),
    zh_tw=Explained(
        "區塊又做了一次 dropout，而且評估模式下也做。",
        "兩個部分在訓練模式下已經會丟棄自己的輸出。沒有告訴 F.dropout，它不知道現在是什麼模式。",
        hint="設 dropout=0.5，先呼叫 eval()，再呼叫區塊兩次。",
    ),
)
mistaken("layers.block/bias-always", right, also_right, bias=True, **BIAS_ALWAYS)
mistaken(
    "layers.block/changed-in-place",
    _grown,
    lambda b, x, cache: _in_turn(b, x, cache, lambda norm, branch, x: x.add_(branch(norm(x)))),
    **IN_PLACE,
)


@about_block(
    "layers.block/parts-in-a-list",
    en=Explained(
        "The parts are in a plain Python list, where torch does not find them.",
        "Only modules that are attributes, or in an nn.ModuleList, are registered. The others have no place in state_dict() and no optimizer sees them.",
        hint="Print the keys of state_dict().",
    ),
    zh_tw=Explained(
        "你把各部分放在普通的 Python list 裡，torch 找不到。",
        "只有當成屬性、或放進 nn.ModuleList 的模組才會登記。其他的不在 state_dict() 裡，最佳化器也看不到。",
        hint="印出 state_dict() 的鍵。",
    ),
)
def _(ref, config):
    return _Unlisted(Joined(ref, config, right), list)


@variant("layers.block/parts-in-a-list")
def _(ref, config):
    return _Unlisted(Joined(ref, config, right), tuple)


@about_block(
    "layers.block/one-norm-object",
    en=Explained(
        "ln_1 and ln_2 are the same object.",
        "Both names are in state_dict(), but there is one weight behind them: what is loaded last counts for both.",
        hint="Is block.ln_1 the same object as block.ln_2?",
    ),
    zh_tw=Explained(
        "ln_1 和 ln_2 是同一個物件。",
        "state_dict() 裡兩個名字都有，背後卻只有一個 weight：最後載入的那個算數。",
        hint="block.ln_1 和 block.ln_2 是同一個物件嗎？",
    ),
)
def _(ref, config):
    block = Joined(ref, config, right)
    block.ln_2 = block.ln_1
    return block


@variant("layers.block/one-norm-object")
def _(ref, config):
    block = Joined(ref, config, also_right)
    for name, parameter in block.ln_1.named_parameters():
        setattr(block.ln_2, name, parameter)
    return block


@about_block(
    "layers.block/dropout-left-out",
    en=Explained(
        "The parts are made without the configuration's dropout.",
        "Whoever sets dropout=0.1 trains without it, and no error says so.",
        hint="What does each part get in __init__? Give them the configuration itself.",
    ),
    zh_tw=Explained(
        "建立各部分時，沒有把設定裡的 dropout 傳進去。",
        "設了 dropout=0.1 的人其實沒有用到 dropout，也不會有錯誤訊息。",
        hint="__init__ 裡每個部分拿到什麼？把整個設定交給它們。",
    ),
)
def _(ref, config):
    return Joined(ref, replace(config, dropout=0.0), right)


@variant("layers.block/dropout-left-out")
def _(ref, config):
    bare = ref.GPTConfig(1, 1, 1, config.n_head, config.d_model, bias=config.bias)
    return Joined(ref, bare, also_right)


def _without_dropout(block, part, bare):
    """A block of which one part is made with a configuration without dropout."""
    setattr(block, part, type(getattr(block, part))(bare))
    return block


for part, en_name, zh_name in (("attn", "attention", "注意力"), ("mlp", "MLP", "MLP")):
    about_block(
        f"layers.block/dropout-left-out-of-{part}",
        en=Explained(
            f"The {en_name} is made without the configuration's dropout.",
            "Each branch drops what it adds, by itself. One that was made with another configuration trains without, and no error says so.",
            hint="What does each part get in __init__? Give both the configuration itself.",
        ),
        zh_tw=Explained(
            f"建立{zh_name}時，沒有把設定裡的 dropout 傳進去。",
            "兩個分支各自丟棄自己要加上去的東西。用別的設定建立的那一個，訓練時就沒有 dropout，也不會有錯誤訊息。",
            hint="__init__ 裡每個部分拿到什麼？把整個設定交給兩者。",
        ),
    )(lambda ref, config, part=part: _without_dropout(Joined(ref, config, right), part, replace(config, dropout=0.0)))
    variant(f"layers.block/dropout-left-out-of-{part}")(
        lambda ref, config, part=part: _without_dropout(
            Joined(ref, config, also_right),
            part,
            ref.GPTConfig(1, 1, 1, config.n_head, config.d_model, bias=config.bias),
        )
    )


class _Unlisted(nn.Module):
    """Holds a block where torch does not look."""

    def __init__(self, block, held):
        super().__init__()
        self.parts = held([block])

    def forward(self, x, cache=None):
        return self.parts[0](x, cache)


class _OneMore(Joined):
    """A right block with a norm that nobody calls."""

    def __init__(self, ref, config, rule):
        super().__init__(ref, config, rule)
        self.ln_3 = ref.LayerNorm(config.d_model, bias=config.bias)


def _grown_by_one(ref, config):
    block = Joined(ref, config, also_right)
    block.add_module("ln_3", ref.LayerNorm(config.d_model, 1e-5, config.bias))
    return block


about_block(
    "layers.block/part-left-over",
    en=Explained(
        "There is a part that no row passes through.",
        "Whatever is assigned to self is in the state: published weights do not fill it, and it is saved, counted and handed to the optimizer for nothing.",
        hint="Print the keys of state_dict(). Which of them does forward use?",
    ),
    zh_tw=Explained(
        "有一個沒有任何橫列經過的零件。",
        "只要指派給 self，就會出現在狀態裡：公開的權重填不到它，它卻會被存檔、被計入參數量，還會白白交給最佳化器。",
        hint="印出 state_dict() 的鍵。forward 用到了哪些？",
    ),
)(lambda ref, config: _OneMore(ref, config, right))
variant("layers.block/part-left-over")(_grown_by_one)
