"""What goes wrong in the exercise layers.merge_heads."""

from __future__ import annotations

import torch

from grader.testing import Explained, variant
from misconceptions.shared import ANY_AXES, AXES_LOST, CUT_OFF, WIDENED, about_merge


def refuse(x):
    if x.ndim != 4:
        raise ValueError("four axes are needed")


def right(x):
    return torch.cat([x[:, h] for h in range(x.shape[1])], dim=-1)


def also_right(x):
    return torch.einsum("bhti->bthi", x).reshape(len(x), x.shape[2], -1)


def mistaken(misconception_id, rule, other, check=refuse, **words):
    """Declare a mistake that is a rule, and its variant, another rule."""

    def checked(f):
        def merge(ref, x):
            check(x)
            return f(x)

        return merge

    about_merge(misconception_id, **words)(checked(rule))
    variant(misconception_id)(checked(other))


mistaken(
    "layers.merge_heads/view",
    lambda x: x.reshape(len(x), x.shape[2], -1),
    lambda x: torch.stack([part.flatten().reshape(x.shape[2], -1) for part in x]),
    en=Explained(
        "You reshaped straight to [B, T, d], and the tokens are mixed.",
        "In memory all tokens of head 0 come first, so your first rows hold head 0 of many tokens and nothing else. Early rows see late tokens: causality is gone, and no error says so.",
        hint="Which axis has to stand beside the width of a head before the two become one?",
    ),
    zh_tw=Explained(
        "你直接 reshape 成 [B, T, d]，詞元就混在一起了。",
        "記憶體裡先放完第 0 頭的所有詞元，所以你的前幾個橫列只有許多詞元的第 0 頭。前面的橫列看得到後面的詞元：因果性沒了，卻沒有錯誤訊息。",
        hint="哪一軸要先移到「頭的寬度」旁邊，兩軸才能合成一軸？",
    ),
)
mistaken(
    "layers.merge_heads/every-other",
    lambda x: x.permute(0, 2, 3, 1).flatten(2),
    lambda x: torch.stack([x[:, h] for h in range(x.shape[1])], dim=-1).flatten(2),
    en=Explained(
        "The heads are interleaved, number by number.",
        "Head h is to fill the h-th slice of the row. Yours come back in another order than they were cut, so c_proj mixes the wrong numbers.",
        hint="Which of the two axes should vary faster along the row?",
    ),
    zh_tw=Explained(
        "各頭的數一個一個交錯著放。",
        "第 h 頭應該填滿橫列的第 h 段。你放回去的順序和切的時候不同，c_proj 就會混到錯的數。",
        hint="沿著橫列走，兩軸中哪一個應該變得比較快？",
    ),
)
mistaken(
    "layers.merge_heads/mean",
    lambda x: (x.sum(dim=1) / x.shape[1]).to(x.dtype),
    lambda x: (sum(x.unbind(dim=1)) / x.shape[1]).to(x.dtype),
    en=Explained(
        "You averaged the heads.",
        "Each head has found something of its own; laid side by side all of it is kept, and c_proj decides what to mix.",
        hint="What is the width of your result?",
    ),
    zh_tw=Explained(
        "你把各頭平均了。",
        "每個頭各有發現；並排才能全部留下，要怎麼混由 c_proj 決定。",
        hint="你的結果寬度是多少？",
    ),
)
mistaken(
    "layers.merge_heads/sum",
    lambda x: x.sum(dim=1),
    lambda x: torch.einsum("bhti->bti", x),
    en=Explained(
        "You added the heads up.",
        "Each head has found something of its own; laid side by side all of it is kept, and c_proj decides what to mix.",
        hint="What is the width of your result?",
    ),
    zh_tw=Explained(
        "你把各頭加起來了。",
        "每個頭各有發現；並排才能全部留下，要怎麼混由 c_proj 決定。",
        hint="你的結果寬度是多少？",
    ),
)
mistaken(
    "layers.merge_heads/last-head-first",
    lambda x: right(x.flip(1)),
    lambda x: torch.cat(list(x.unbind(dim=1))[::-1], dim=-1),
    en=Explained(
        "The last head stands first in the row.",
        "Head h is to fill the h-th slice, counted from the left, as split_heads has cut it.",
        hint="Is merge_heads(split_heads(x, H)) equal to x?",
    ),
    zh_tw=Explained(
        "最後一頭被放在橫列的最前面。",
        "第 h 頭應該填滿從左邊數來的第 h 段，和 split_heads 切的時候一樣。",
        hint="merge_heads(split_heads(x, H)) 等於 x 嗎？",
    ),
)
mistaken(
    "layers.merge_heads/first-head-only",
    lambda x: x[:, 0],
    lambda x: x.select(1, 0).clone(),
    en=Explained(
        "Only head 0 is returned.",
        "The other heads have computed for nothing.",
        hint="What is the width of your result?",
    ),
    zh_tw=Explained("你只回傳了第 0 頭。", "其他的頭都白算了。", hint="你的結果寬度是多少？"),
)
mistaken(
    "layers.merge_heads/not-joined",
    lambda x: x.transpose(1, 2),
    lambda x: torch.stack(list(x.unbind(dim=1)), dim=2),
    en=Explained(
        "The axes are swapped but not joined: [B, T, H, d / H].",
        "A row of width d is wanted, on which c_proj can act.",
        hint="How many axes has your result?",
    ),
    zh_tw=Explained(
        "軸對調了，卻沒有合併：[B, T, H, d / H]。",
        "要的是寬度 d 的橫列，c_proj 才能作用在上面。",
        hint="你的結果有幾個軸？",
    ),
)
mistaken(
    "layers.merge_heads/lying-together",
    lambda x: x.transpose(1, 2).view(len(x), x.shape[2], -1),
    lambda x: x.permute(0, 2, 1, 3).view(len(x), -1, x.shape[1] * x.shape[3]),
    en=Explained(
        "Your view fails: after a transpose the numbers do not lie as it needs them.",
        "`view` only looks at memory in another way, and the swapped axes cannot be seen as one without moving numbers.",
        hint="`reshape` and `contiguous` move what has to be moved.",
    ),
    zh_tw=Explained(
        "你的 view 失敗了：轉置之後，數字不是照它需要的方式排放。",
        "`view` 只是換個方式看記憶體，不搬動數字就沒辦法把對調過的軸看成一軸。",
        hint="`reshape` 和 `contiguous` 會搬動該搬的。",
    ),
)
mistaken(
    "layers.merge_heads/axes-unchecked",
    lambda x: x.transpose(-2, -3).flatten(-2),
    lambda x: torch.cat(list(x.unbind(dim=-3)), dim=-1),
    lambda x: None,
    **ANY_AXES,
)
mistaken(
    "layers.merge_heads/widened",
    lambda x: right(x).double(),
    lambda x: also_right(x).to(torch.float64),
    **WIDENED,
)
mistaken(
    "layers.merge_heads/axes-lost",
    lambda x: right(x).squeeze(),
    lambda x: (y := also_right(x)).reshape([n for n in y.shape if n > 1]),
    **AXES_LOST,
)
mistaken(
    "layers.merge_heads/cut-off",
    lambda x: right(x).detach(),
    lambda x: torch.tensor(also_right(x).tolist(), dtype=x.dtype),
    **CUT_OFF,
)
