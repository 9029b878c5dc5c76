"""What goes wrong in the exercise layers.split_heads."""

from __future__ import annotations

import torch

from grader.testing import Explained, variant
from misconceptions.shared import ANY_AXES, AXES_LOST, CUT_OFF, WIDENED, about_split


def refuse(x, n_head):
    if x.ndim != 3 or n_head < 1 or x.shape[-1] % n_head:
        raise ValueError("no such heads")


def slices(x, n_head):
    """The right heads in a list, [B, T, d / H] each."""
    width = x.shape[-1] // n_head
    return [x[..., h * width : (h + 1) * width] for h in range(n_head)]


def right(x, n_head):
    return torch.stack(slices(x, n_head), dim=1)


def also_right(x, n_head):
    return x.unflatten(-1, (n_head, -1)).movedim(-2, 1)


def mistaken(misconception_id, rule, other, check=refuse, **words):
    """Declare a mistake that is a rule, and its variant, another rule."""

    def checked(f):
        def split(ref, x, n_head):
            check(x, n_head)
            return f(x, n_head)

        return split

    about_split(misconception_id, **words)(checked(rule))
    variant(misconception_id)(checked(other))


def _asserted(x, H):
    if x.ndim != 3:
        raise ValueError("three axes are needed")
    assert H > 0
    assert x.shape[-1] % H == 0


mistaken(
    "layers.split_heads/view",
    lambda x, H: x.reshape(len(x), H, x.shape[1], -1),
    lambda x, H: torch.stack([part.flatten().reshape(H, x.shape[1], -1) for part in x]),
    en=Explained(
        "You reshaped straight to [B, H, T, d / H], and the tokens are mixed.",
        "A reshape keeps the order of the numbers in memory. There a token's whole row comes first, so what you call head 0 holds the whole rows "
        "of the first tokens, and causality is lost without an error.",
        hint="Split [[1, 2, 3, 4], [5, 6, 7, 8]] into two heads by hand. Which numbers has head 0?",
    ),
    zh_tw=Explained(
        "你直接 reshape 成 [B, H, T, d / H]，詞元就混在一起了。",
        "reshape 保持數字在記憶體裡的順序。那裡先放完一個詞元的整個橫列，所以你的第 0 頭裝的其實是前幾個詞元的整個橫列，因果性不見了，也沒有錯誤訊息。",
        hint="用手把 [[1, 2, 3, 4], [5, 6, 7, 8]] 切成兩個頭。第 0 頭有哪些數？",
    ),
)
mistaken(
    "layers.split_heads/every-other",
    lambda x, H: x.reshape(*x.shape[:2], -1, H).permute(0, 3, 1, 2),
    lambda x, H: torch.stack([x[..., h::H] for h in range(H)], dim=1),
    en=Explained(
        "Head h takes every H-th number, not a contiguous slice.",
        "It is a fair way to share a row, but published weights were trained with slices: with them every head would get a bit of all.",
        hint="Which of the two new axes varies faster along a row, the head or the place within it?",
    ),
    zh_tw=Explained(
        "第 h 頭每隔 H 個取一個數，而不是取連續的一段。",
        "這樣分也公平，但公開的權重是用連續的一段訓練的：套上去，每個頭都會拿到一點別人的。",
        hint="沿著一個橫列走，兩個新軸中哪一個變得比較快：頭，還是頭裡面的位置？",
    ),
)
mistaken(
    "layers.split_heads/not-swapped",
    lambda x, H: x.reshape(*x.shape[:2], H, -1),
    lambda x, H: torch.stack(slices(x, H), dim=2),
    en=Explained(
        "Tokens come before heads: [B, T, H, d / H].",
        "Attention multiplies the last two axes. With the heads there, each token would attend among its own heads instead of among tokens.",
        hint="Which two axes should the matrix product of attention see?",
    ),
    zh_tw=Explained(
        "詞元排在頭的前面：[B, T, H, d / H]。",
        "注意力是最後兩軸的矩陣乘法。頭排在那裡的話，每個詞元是在自己的各個頭之間做注意力，而不是在詞元之間。",
        hint="注意力的矩陣乘法應該看到哪兩個軸？",
    ),
)
mistaken(
    "layers.split_heads/heads-in-the-batch",
    lambda x, H: right(x, H).flatten(0, 1),
    lambda x, H: torch.cat([torch.stack(slices(each[None], H), dim=1)[0] for each in x]),
    en=Explained(
        "The heads have become part of the batch: [B * H, T, d / H].",
        "The numbers are right and many programs do it so, but an axis for the heads is asked for, [B, H, T, d / H].",
        hint="How many axes has your result?",
    ),
    zh_tw=Explained(
        "頭被併進批次裡了：[B * H, T, d / H]。",
        "數字是對的，也有程式這樣做，但題目要求頭有自己的軸：[B, H, T, d / H]。",
        hint="你的結果有幾個軸？",
    ),
)
mistaken(
    "layers.split_heads/transposed",
    lambda x, H: also_right(x, H).transpose(-1, -2),
    lambda x, H: torch.stack([part.transpose(1, 2) for part in slices(x, H)], dim=1),
    en=Explained(
        "The last two axes are swapped: [B, H, d / H, T].",
        "That is what the keys look like inside the product Q K^T, and there it is done by the one who multiplies.",
        hint="Which axis should come last, the tokens or the width of a head?",
    ),
    zh_tw=Explained(
        "最後兩軸對調了：[B, H, d / H, T]。",
        "在乘積 Q K^T 裡鍵才是這個樣子，那是做乘法的人自己轉置的。",
        hint="最後一軸應該是詞元，還是頭的寬度？",
    ),
)
mistaken(
    "layers.split_heads/last-head-first",
    lambda x, H: right(x, H).flip(1),
    lambda x, H: torch.stack(slices(x, H)[::-1], dim=1),
    en=Explained(
        "Your head 0 is the last slice.",
        "Head h is the h-th slice of the row, counted from the left.",
        hint="Which numbers of the row has head 0?",
    ),
    zh_tw=Explained("你的第 0 頭是最後一段。", "第 h 頭是橫列從左邊數來的第 h 段。", hint="第 0 頭有橫列的哪些數？"),
)
mistaken(
    "layers.split_heads/rest-dropped",
    right,
    lambda x, H: also_right(x[..., : x.shape[-1] // H * H], H),
    lambda x, H: refuse(x[..., : x.shape[-1] // max(H, 1) * max(H, 1)], H),
    en=Explained(
        "A width that does not divide is cut short.",
        "The numbers that are left over are lost without a word. Such a configuration is a mistake, and should be told.",
        hint="What does your function do with a width of 7 and 2 heads?",
    ),
    zh_tw=Explained(
        "寬度不能整除時，你把它截短了。",
        "剩下的數無聲無息地不見了。這種設定是錯的，應該要說出來。",
        hint="寬度 7、2 個頭的時候，你的函式會怎麼做？",
    ),
)
mistaken(
    "layers.split_heads/no-head-unchecked",
    lambda x, H: x.reshape(*x.shape[:2], H, x.shape[-1] // H).transpose(1, 2),
    lambda x, H: x.unflatten(-1, (H, x.shape[-1] // H)).transpose(1, 2),
    lambda x, H: refuse(x, abs(H or x.shape[-1] % H)),
    en=Explained(
        "0 heads end in a ZeroDivisionError.",
        "The remainder by 0 cannot be asked for. A number of heads out of range is to be refused with a ValueError.",
        hint="Ask whether there is at least one head before you divide.",
    ),
    zh_tw=Explained(
        "0 個頭會以 ZeroDivisionError 結束。",
        "不能對 0 取餘數。頭數超出範圍應該用 ValueError 拒絕。",
        hint="在做除法之前，先問頭數是不是至少 1。",
    ),
)
mistaken(
    "layers.split_heads/assert",
    right,
    also_right,
    _asserted,
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
    "layers.split_heads/axes-unchecked",
    lambda x, H: x.unflatten(-1, (H, -1)).transpose(-2, -3),
    lambda x, H: torch.stack(slices(x, H), dim=-3),
    lambda x, H: refuse(x.reshape(1, -1, x.shape[-1]), H),
    **ANY_AXES,
)
mistaken(
    "layers.split_heads/widened",
    lambda x, H: right(x, H).double(),
    lambda x, H: also_right(x, H).to(torch.float64),
    **WIDENED,
)
mistaken(
    "layers.split_heads/axes-lost",
    lambda x, H: right(x, H).squeeze(),
    lambda x, H: (y := also_right(x, H)).reshape([n for n in y.shape if n > 1]),
    **AXES_LOST,
)
mistaken(
    "layers.split_heads/cut-off",
    lambda x, H: right(x, H).detach(),
    lambda x, H: torch.tensor(also_right(x, H).tolist(), dtype=x.dtype),
    **CUT_OFF,
)
mistaken(
    "layers.split_heads/lying-together",
    lambda x, H: x.view(-1, H, x.shape[-1] // H).view(*x.shape[:2], H, -1).transpose(1, 2),
    lambda x, H: x.view(-1).view(*x.shape[:2], H, -1).permute(0, 2, 1, 3),
    en=Explained(
        "Your view fails for a tensor whose rows do not lie one after the other.",
        "`view` only looks at memory in another way. A transposed tensor lies otherwise, and folding batch and tokens into one axis is then impossible.",
        hint="Only the last axis has to be cut: into which two? Or see what `reshape` does.",
    ),
    zh_tw=Explained(
        "橫列在記憶體裡不相鄰的張量，你的 view 會失敗。",
        "`view` 只是換個方式看記憶體。轉置過的張量排法不同，就沒辦法把批次和詞元併成一軸。",
        hint="只有最後一軸要切：切成哪兩軸？或者看看 `reshape` 做了什麼。",
    ),
)
