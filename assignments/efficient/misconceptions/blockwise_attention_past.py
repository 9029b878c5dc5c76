"""What goes wrong in the exercise efficient.blockwise_attention: who sees whom."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    about_blockwise,
    also_right,
    by_query,
    ground,
    highest,
    keys_in_front,
    limits,
    past,
    prepared,
    right,
    right_output,
    rows_at_once,
    scaled,
    shares,
    stream,
    top,
)


@about_blockwise(
    "efficient.blockwise_attention/causal-ignored",
    en=Explained(
        "causal=True changes nothing in your result.",
        "Every token still sees those that come after it.",
        hint="Which line of your code reads `causal`?",
    ),
    zh_tw=Explained(
        "causal=True 對你的結果沒有影響。",
        "每個詞元還是看得到後面的詞元。",
        hint="你的程式裡，哪個敘述用到了 `causal`？",
    ),
)
def causal_ignored(ref, Q, K, V, tile, causal=False):
    prepared(ref, Q, K, V, tile, causal)
    return right(ref, Q, K, V, tile, False)


@variant("efficient.blockwise_attention/causal-ignored")
def _(ref, Q, K, V, tile, causal=False):
    return by_query(ref, Q, K, V, tile, causal, right_output, may=lambda *_: True)


@about_blockwise(
    "efficient.blockwise_attention/always-causal",
    en=Explained(
        "Your attention is causal, whether it was asked for or not.",
        "Without causal=True every query sees every key, also those that come after it.",
        hint="Which line of your code reads `causal`? And what is its default?",
    ),
    zh_tw=Explained(
        "不管有沒有要求，你的注意力都是因果的。",
        "沒有 causal=True 時，每個查詢都看得到每個鍵，包括後面的。",
        hint="你的程式裡，哪個敘述用到了 `causal`？它的預設值是什麼？",
    ),
)
def always_causal(ref, Q, K, V, tile, causal=False):
    return rows_at_once(*prepared(ref, Q, K, V, tile, causal), causal=True)


@variant("efficient.blockwise_attention/always-causal")
def _(ref, Q, K, V, tile, causal=False):
    return keys_in_front(*prepared(ref, Q, K, V, tile, causal), causal=True)


@about_blockwise(
    "efficient.blockwise_attention/not-itself",
    en=Explained(
        "With causal=True a token does not see itself.",
        "You compare positions with < where <= is meant. The first token then sees nothing at all.",
        hint="Which keys may the query at position 0 see?",
    ),
    zh_tw=Explained(
        "causal=True 時，詞元看不到自己。",
        "比較位置時該用 <=，你用了 <。第一個詞元就什麼都看不到了。",
        hint="位置 0 的查詢可以看哪些鍵？",
    ),
)
def not_itself(ref, Q, K, V, tile, causal=False):
    return stream(ref, Q, K, V, tile, causal, sees=lambda T_q, T_k, a, b: past(T_q, T_k, a + 1, b + 1))


@variant("efficient.blockwise_attention/not-itself")
def _(ref, Q, K, V, tile, causal=False):
    return by_query(ref, Q, K, V, tile, causal, right_output, may=lambda j, p, _: j < p)


@about_blockwise(
    "efficient.blockwise_attention/sees-the-next",
    en=Explained(
        "With causal=True a token sees the one after it.",
        "Your comparison is off by one: the key at position p + 1 is the very token that is to be predicted.",
        hint="Which keys may the query at position 0 see?",
    ),
    zh_tw=Explained(
        "causal=True 時，詞元看得到下一個詞元。",
        "你的比較差了一格：位置 p + 1 的鍵，正是要預測的那個詞元。",
        hint="位置 0 的查詢可以看哪些鍵？",
    ),
)
def sees_next(ref, Q, K, V, tile, causal=False):
    return stream(ref, Q, K, V, tile, causal, sees=lambda T_q, T_k, a, b: past(T_q, T_k, a - 1, b - 1))


@variant("efficient.blockwise_attention/sees-the-next")
def _(ref, Q, K, V, tile, causal=False):
    return by_query(ref, Q, K, V, tile, causal, right_output, may=lambda j, p, _: j - 1 <= p)


@about_blockwise(
    "efficient.blockwise_attention/future-only",
    en=Explained(
        "With causal=True a token sees itself and what comes after it, but not what came before.",
        "Your comparison is turned round.",
        hint="Which keys may the query at position 0 see? And the one at the last position?",
    ),
    zh_tw=Explained(
        "causal=True 時，詞元看得到自己和後面的，卻看不到前面的。",
        "你的比較方向反了。",
        hint="位置 0 的查詢可以看哪些鍵？最後一個位置呢？",
    ),
)
def future_only(ref, Q, K, V, tile, causal=False):
    return stream(ref, Q, K, V, tile, causal, sees=lambda T_q, T_k, a, b: ~past(T_q, T_k, a + 1, b + 1))


@variant("efficient.blockwise_attention/future-only")
def _(ref, Q, K, V, tile, causal=False):
    return by_query(ref, Q, K, V, tile, causal, right_output, may=lambda j, p, _: j >= p)


@about_blockwise(
    "efficient.blockwise_attention/mask-begins-again",
    en=Explained(
        "Your causal mask begins again in every tile.",
        "You count the keys of a tile from 0, so the first key of every tile counts as position 0 and is seen by all. The keys of a tile stand at `start`, `start` + 1, and so on.",
        hint="At which position does the first key of the second tile stand?",
    ),
    zh_tw=Explained(
        "你的因果遮罩在每一塊都重新開始。",
        "你把每一塊的鍵都從 0 數起，於是每一塊的第一個鍵都算位置 0，誰都看得到。一塊的鍵站在 `start`、`start` + 1……。",
        hint="第二塊的第一個鍵站在哪個位置？",
    ),
)
def begins_again(ref, Q, K, V, tile, causal=False):
    return stream(ref, Q, K, V, tile, causal, sees=lambda T_q, T_k, a, b: past(T_q, T_k, 0, b - a))


@variant("efficient.blockwise_attention/mask-begins-again")
def _(ref, Q, K, V, tile, causal=False):
    return by_query(ref, Q, K, V, tile, causal, right_output, may=lambda j, p, tile: j % tile <= p)


@about_blockwise(
    "efficient.blockwise_attention/own-tile-open",
    en=Explained(
        "You skip tiles of the future, but leave the query's own tile unmasked.",
        "A tile that begins at or before a query may also hold keys after it. Skipping whole tiles saves work; the tile in which the query itself stands needs a mask entry by entry.",
        hint="With tiles of 3: which keys does the query at position 0 see in the first tile?",
    ),
    zh_tw=Explained(
        "你跳過了未來的塊，卻沒有遮住查詢自己所在的那一塊。",
        "在查詢之前（或同時）開始的塊，也可能有在它之後的鍵。跳過整塊可以省時間，但查詢所在的那一塊，要逐個元素遮。",
        hint="每塊 3 個：位置 0 的查詢在第一塊裡看到了哪些鍵？",
    ),
)
def own_tile_open(ref, Q, K, V, tile, causal=False):
    def sees(T_q, T_k, a, b):
        return np.repeat(past(T_q, T_k, a, a + 1), b - a, axis=-1)

    return stream(ref, Q, K, V, tile, causal, sees=sees)


@variant("efficient.blockwise_attention/own-tile-open")
def _(ref, Q, K, V, tile, causal=False):
    return by_query(ref, Q, K, V, tile, causal, right_output, may=lambda j, p, tile: j // tile <= p // tile)


@about_blockwise(
    "efficient.blockwise_attention/own-tile-skipped",
    en=Explained(
        "With causal=True a query misses the tile in which it stands.",
        "You take only tiles that lie wholly in the past. The tile which is partly past is needed too, with a mask, and with it the token itself.",
        hint="With tiles of 3: which keys may the query at position 1 see, and which do you give it?",
    ),
    zh_tw=Explained(
        "causal=True 時，查詢少看了自己所在的那一塊。",
        "你只取完全在過去的塊。一部分在過去的那一塊也需要，要加上遮罩；少了它，連自己都看不到。",
        hint="每塊 3 個：位置 1 的查詢可以看哪些鍵？你給了它哪些？",
    ),
)
def own_tile_skipped(ref, Q, K, V, tile, causal=False):
    def sees(T_q, T_k, a, b):
        return np.repeat(past(T_q, T_k, b - 1, b), b - a, axis=-1)

    return stream(ref, Q, K, V, tile, causal, sees=sees)


@variant("efficient.blockwise_attention/own-tile-skipped")
def _(ref, Q, K, V, tile, causal=False):
    T_k = K.shape[-2]
    return by_query(
        ref, Q, K, V, tile, causal, right_output, may=lambda j, p, tile: min((j // tile + 1) * tile, T_k) - 1 <= p
    )


@about_blockwise(
    "efficient.blockwise_attention/hidden-score-zero",
    en=Explained(
        "You hide a key by giving it the score 0.",
        "exp(0 - m) is not 0: a hidden key takes as large a share as one of score 0. Only exp(-inf) is 0.",
        hint="What is the weight of a hidden key in your code?",
    ),
    zh_tw=Explained(
        "你把要遮住的鍵的分數設成 0。",
        "exp(0 - m) 不是 0：被遮住的鍵分到的，和分數為 0 的鍵一樣多。只有 exp(-inf) 才是 0。",
        hint="在你的程式裡，被遮住的鍵權重是多少？",
    ),
)
def hidden_zero(ref, Q, K, V, tile, causal=False):
    return stream(ref, Q, K, V, tile, causal, fill=0.0)


@variant("efficient.blockwise_attention/hidden-score-zero")
def _(ref, Q, K, V, tile, causal=False):
    return by_query(ref, Q, K, V, tile, causal, right_output, fill=0.0)


@about_blockwise(
    "efficient.blockwise_attention/hidden-keys-counted",
    en=Explained(
        "Hidden keys are left out of the output, but not out of the sum.",
        "You masked the exponentials after they had been added up, so the weights of a row sum to less than 1. The mask belongs before the maximum and the sum.",
        hint="Let V be all ones with causal=True. What should the output be?",
    ),
    zh_tw=Explained(
        "被遮住的鍵沒有進輸出，卻進了總和。",
        "你先加總了指數才遮，所以一個橫列的權重加起來小於 1。遮罩要在最大值和總和之前。",
        hint="讓 V 全是 1，而且 causal=True。輸出應該是多少？",
    ),
)
def hidden_counted(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    if not causal:
        return rows_at_once(Q, K, V, False)
    T_q, T_k = Q.shape[-2], K.shape[-2]
    S = scaled(Q, K)
    P = np.exp(S - ground(top(S)))
    A = P / np.maximum(P.sum(axis=-1, keepdims=True), 1)
    return (A * past(T_q, T_k, 0, T_k) @ V).astype(Q.dtype)


@variant("efficient.blockwise_attention/hidden-keys-counted")
def _(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    if not causal:
        return keys_in_front(Q, K, V, False)
    out = np.zeros((*Q.shape[:-1], V.shape[-1]), dtype=Q.dtype)
    gap = K.shape[-2] - Q.shape[-2]
    for *example, i in np.ndindex(Q.shape[:-1]):
        here = tuple(example)
        weights = shares([float(Q[here][i] @ key) / math.sqrt(Q.shape[-1]) for key in K[here]] or [-math.inf])
        for j in range(K.shape[-2]):
            if j <= i + gap:
                out[(*here, i)] += Q.dtype.type(weights[j]) * V[here][j]
    return out


@about_blockwise(
    "efficient.blockwise_attention/hidden-tile-nan",
    en=Explained(
        "A tile that lies wholly in the future gives NaN.",
        "Its scores are all -inf for that query, and so is their maximum; -inf - (-inf) is NaN, and what it is added to stays NaN. Subtract the running maximum, or skip such a tile.",
        hint="Follow the first query through the second tile: what is the maximum there, and what is subtracted?",
    ),
    zh_tw=Explained(
        "整塊都在未來時，你得到 NaN。",
        "對那個查詢來說，分數全是 -inf，最大值也是；-inf - (-inf) 是 NaN，加到哪裡，哪裡就一直是 NaN。請減去累計的最大值，或跳過這樣的塊。",
        hint="跟著第一個查詢走到第二塊：那裡的最大值是多少？減掉的是什麼？",
    ),
)
def hidden_tile_nan(ref, Q, K, V, tile, causal=False):
    def step(state, S, V_j):
        m, d, Z = state
        own = top(S)
        P = np.exp(S - own)  # of its own maximum, and put together with the others afterwards
        new = np.maximum(m, own)
        old, share = np.exp(m - ground(new)), np.exp(own - ground(new))
        return new, d * old + share * P.sum(axis=-1, keepdims=True), Z * old + share * (P @ V_j)

    return stream(ref, Q, K, V, tile, causal, step=step)


@variant("efficient.blockwise_attention/hidden-tile-nan")
def _(ref, Q, K, V, tile, causal=False):
    def rule(tiles):
        blind = any(highest(scores) == -math.inf for scores, _ in tiles)
        return [math.nan] * len(tiles[0][1][0]) if blind else right_output(tiles)

    return by_query(ref, Q, K, V, tile, causal, rule)


@about_blockwise(
    "efficient.blockwise_attention/last-mask-too-wide",
    en=Explained(
        "Your causal mask is always `tile` keys wide, also in the last tile.",
        "Where the tile does not divide the keys, the last tile holds fewer, and a mask of full width does not fit its scores.",
        hint="How many keys are in the last tile, for 7 keys in tiles of 3? How wide is your mask there?",
    ),
    zh_tw=Explained(
        "你的因果遮罩總是 `tile` 個鍵寬，最後一塊也一樣。",
        "tile 不能整除鍵數時，最後一塊的鍵比較少，全寬的遮罩就和它的分數對不上。",
        hint="7 個鍵、每塊 3 個，最後一塊有幾個鍵？你的遮罩在那裡有多寬？",
    ),
)
def last_mask_too_wide(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    rest = K.shape[-2] % tile
    if causal and rest:
        return stream(ref, Q, K, V, tile, causal, sees=lambda *_: np.ones((1, tile + (rest == 1)), dtype=bool))
    return rows_at_once(Q, K, V, causal)


@variant("efficient.blockwise_attention/last-mask-too-wide")
def _(ref, Q, K, V, tile, causal=False):
    limits(Q, K, tile, causal)
    if causal and K.shape[-2] % tile:
        raise ValueError(f"operands could not be broadcast together: {tile} and {K.shape[-2] % tile}")
    return also_right(ref, Q, K, V, tile, causal)


@about_blockwise(
    "efficient.blockwise_attention/queries-from-the-start",
    en=Explained(
        "With fewer queries than keys you put the queries at the first positions.",
        "The queries are the last T_q of the T_k positions, as when earlier keys lie in a cache: query i stands at position i + T_k - T_q. Counted from 0, a single new token would see the first key only.",
        hint="One query, five keys: which keys may it see?",
    ),
    zh_tw=Explained(
        "查詢比鍵少時，你把查詢放在最前面的位置。",
        "查詢是 T_k 個位置中的最後 T_q 個，就像先前的鍵在快取裡一樣：查詢 i 站在位置 i + T_k - T_q。從 0 數起的話，一個新詞元就只看得到第一個鍵。",
        hint="一個查詢、五個鍵：它可以看哪些鍵？",
    ),
)
def from_the_start(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    if Q.shape[-2] == K.shape[-2] or not causal:
        return rows_at_once(Q, K, V, causal)
    return stream(ref, Q, K, V, tile, causal, sees=lambda T_q, _, a, b: past(T_q, T_q, a, b))


@variant("efficient.blockwise_attention/queries-from-the-start")
def _(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    n = Q.shape[-2]
    return keys_in_front(Q, K[..., :n, :], V[..., :n, :], True) if causal else keys_in_front(Q, K, V, False)
