"""What goes wrong when causal self-attention reads from a cache."""

from __future__ import annotations

import torch

from grader.testing import Explained
from misconceptions.attention import HeadByHead, mistaken, not_later


def _only_filled(cache, k, v):
    if cache is not None:
        cache.append(k, v)
    return k, v


def _exchanged(cache, k, v):
    if cache is None:
        return k, v
    all_k, all_v = cache.append(k, v)
    return all_v, all_k


class _CarelessWithCache(HeadByHead):
    """Hides nothing once there is a cache."""

    def forward(self, x, cache=None):
        self.may = (lambda i, j, T_q, T_k: True) if cache is not None else not_later
        return super().forward(x, cache)


mistaken(
    "layers.causalselfattention/cache-masked-from-the-left",
    {"sees": lambda T_q, T_k, cached: torch.ones(T_q, T_k, dtype=torch.bool).tril()},
    {"may": lambda i, j, T_q, T_k: j <= i},
    en=Explained(
        "With a cache your queries are taken for the first positions.",
        "The new tokens are the last ones. tril of [T_q, T_k] begins in the upper left corner, so a single new token sees only the very first key.",
        hint="With 3 positions kept and 2 new ones, which keys may the first new token see?",
    ),
    zh_tw=Explained(
        "有快取時，你把查詢當成最前面的位置。",
        "新的詞元是最後面的。[T_q, T_k] 的 tril 從左上角開始，只有一個新詞元時，它就只看得到最前面的那個鍵。",
        hint="已存 3 個位置、新來 2 個時，第一個新詞元看得到哪些鍵？",
    ),
)
mistaken(
    "layers.causalselfattention/cache-unmasked",
    {"sees": lambda T_q, T_k, cached: torch.ones(T_q, T_k, dtype=torch.bool).tril(T_k if cached else 0)},
    _CarelessWithCache,
    en=Explained(
        "With a cache nothing is hidden.",
        "That is right for one new token at a time. Several at once, as when a prompt is read, would see each other's future.",
        hint="Give the cache two new tokens at once. May the first see the second?",
    ),
    zh_tw=Explained(
        "有快取時，你什麼都沒有遮。",
        "一次一個新詞元時這是對的。但一次好幾個（例如讀入提示）就會互相看到未來。",
        hint="一次給快取兩個新詞元。第一個可以看到第二個嗎？",
    ),
)
mistaken(
    "layers.causalselfattention/cache-unused",
    {"keep": lambda cache, k, v: (k, v)},
    {"keep": lambda _, *new: new},
    en=Explained(
        "The cache is neither read nor filled.",
        "The new tokens then attend among themselves alone, as if the text began with them.",
        hint="What is cache.length after a call?",
    ),
    zh_tw=Explained(
        "快取既沒有讀，也沒有存。",
        "新的詞元就只在彼此之間做注意力，好像文字從它們才開始。",
        hint="呼叫一次之後，cache.length 是多少？",
    ),
)
mistaken(
    "layers.causalselfattention/cache-filled-only",
    {"keep": lambda cache, k, v: (cache and cache.append(k, v), (k, v))[1]},
    {"keep": _only_filled},
    en=Explained(
        "The cache is filled, but what it returns is thrown away.",
        "append gives back all keys and values so far. Without them the new tokens do not know the old ones.",
        hint="What does append return, and where does it go?",
    ),
    zh_tw=Explained(
        "快取存了，但它回傳的東西被丟掉了。",
        "append 會回傳到目前為止所有的鍵和值。不用它們，新詞元就不認識舊詞元。",
        hint="append 回傳什麼？你把它放到哪裡？",
    ),
)
mistaken(
    "layers.causalselfattention/cache-keys-for-values",
    {"keep": lambda cache, k, v: (k, v) if cache is None else cache.append(k, v)[::-1]},
    {"keep": _exchanged},
    en=Explained(
        "Keys and values change places at the cache.",
        "Both have the same shape, so no error tells. append takes k, v and returns k, v, in this order.",
        hint="Compare the order in your call with the order in which you take the result.",
    ),
    zh_tw=Explained(
        "經過快取時，鍵和值對調了。",
        "兩者形狀相同，所以不會報錯。append 收 k, v，也依這個順序回傳 k, v。",
        hint="比一比你呼叫時的順序，和你接結果時的順序。",
    ),
)
