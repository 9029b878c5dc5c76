"""What goes wrong in the exercise efficient.blockwise_attention: batches, nothing at all, and arguments that do not fit."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

from __future__ import annotations

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    IN_PLACE,
    about_blockwise,
    also_right,
    limits,
    prepared,
    right,
    rows_at_once,
    stream,
)


@about_blockwise(
    "efficient.blockwise_attention/one-batch-axis",
    en=Explained(
        "You expect one batch axis at most.",
        "A batch of sequences has one, and with heads it has two. The idea works on the last two axes; how many stand before them should not matter.",
        hint="Look for an axis counted from the front, for .T, and for a fixed number of letters in an einsum.",
    ),
    zh_tw=Explained(
        "你只接受最多一個批次軸。",
        "一批序列有一個批次軸，再加上多頭就有兩個。這個運算只看最後兩個軸，前面有幾個都不該有影響。",
        hint="找找看從前面數的軸、.T，以及 einsum 裡固定個數的字母。",
    ),
)
def one_batch_axis(ref, Q, K, V, tile, causal=False):
    if Q.ndim > 3:
        raise ValueError("too many values to unpack")
    return right(ref, Q, K, V, tile, causal)


@variant("efficient.blockwise_attention/one-batch-axis")
def _(ref, Q, K, V, tile, causal=False):
    prepared(ref, Q, K, V, tile, causal)
    *batch, _, _ = Q.shape
    for _ in zip(batch, range(1), strict=len(batch) > 1):
        pass
    return also_right(ref, Q, K, V, tile, causal)


@about_blockwise(
    "efficient.blockwise_attention/batch-axis-tiled",
    en=Explained(
        "You cut the first axis into tiles, which is that of the keys only without a batch.",
        "K[start:start + tile] takes some examples of a batch, not some keys. The keys lie along the axis before the last.",
        hint="What does K[a:b] select if K has the shape [B, T, d_k]?",
    ),
    zh_tw=Explained(
        "你切的是第一軸；沒有批次時，它才是鍵的軸。",
        "K[start:start + tile] 取的是批次裡的幾個例子，不是幾個鍵。鍵排在倒數第二軸。",
        hint="K 的形狀是 [B, T, d_k] 時，K[a:b] 選到的是什麼？",
    ),
)
def batch_axis_tiled(ref, Q, K, V, tile, causal=False):
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    if Q.ndim == 2:
        return rows_at_once(Q, K, V, causal)
    if len(K) % tile:
        # A tile of another number of examples than Q has does not fit, unless it is one that stretches.
        raise ValueError("shapes do not match")
    return stream(ref, Q, K, V, K.shape[-2], causal)


@variant("efficient.blockwise_attention/batch-axis-tiled")
def _(ref, Q, K, V, tile, causal=False):
    Z = also_right(ref, Q, K, V, tile, causal)
    if len(Z.shape) > 2 and K.shape[0] % tile != 0:
        raise ValueError(f"{tile} examples of {K.shape[0]}")
    return Z


@about_blockwise(
    "efficient.blockwise_attention/no-keys-nan",
    en=Explained(
        "Without keys your output is NaN.",
        "The sum of nothing is 0, and 0 / 0 is NaN. A query with nothing to attend to has output 0.",
        hint="What do you divide by if the loop never runs?",
    ),
    zh_tw=Explained(
        "一個鍵都沒有時，你的輸出是 NaN。",
        "什麼都沒有的總和是 0，而 0 / 0 是 NaN。無處可注意的查詢，輸出是 0。",
        hint="迴圈一次都沒有執行的話，你除以的是什麼？",
    ),
)
def no_keys_nan(ref, Q, K, V, tile, causal=False):
    Z = right(ref, Q, K, V, tile, causal)
    return Z if K.shape[-2] else Z / 0


@variant("efficient.blockwise_attention/no-keys-nan")
def _(ref, Q, K, V, tile, causal=False):
    Z = also_right(ref, Q, K, V, tile, causal)
    return np.full_like(Z, np.nan) if K.size == 0 else Z


@about_blockwise(
    "efficient.blockwise_attention/values-cut-off",
    en=Explained(
        "You do not notice values without a key, or queries of another width.",
        "Slices take what is there, and an axis of length 1 is stretched: what is most likely a mistake of the caller gives numbers instead of an error. Compare the shapes before the loop.",
        hint="Which two sizes must be the same in K and V? And in Q and K?",
    ),
    zh_tw=Explained(
        "值多於鍵，或查詢的寬度不同，你都沒有發現。",
        "切片有什麼就取什麼，長度 1 的軸會被拉長：呼叫者很可能寫錯了，卻得到一堆數字而不是錯誤訊息。請在迴圈之前比對形狀。",
        hint="K 和 V 的哪兩個長度必須相同？Q 和 K 呢？",
    ),
)
def values_cut_off(ref, Q, K, V, tile, causal=False):
    n, d = min(K.shape[-2], V.shape[-2]), max(Q.shape[-1], K.shape[-1])
    Q, K = (np.broadcast_to(x, (*x.shape[:-1], d)) for x in (Q, K)) if 1 in {Q.shape[-1], K.shape[-1]} else (Q, K)
    return right(ref, Q, K[..., :n, :], V[..., :n, :], tile, causal)


@variant("efficient.blockwise_attention/values-cut-off")
def _(ref, Q, K, V, tile, causal=False):
    pairs = list(zip(np.moveaxis(K, -2, 0), np.moveaxis(V, -2, 0), strict=False))
    if pairs and len(K.shape) == 2 and (len(pairs) < max(len(K), len(V)) or Q.shape[-1] != K.shape[-1]):
        K, V = (np.stack(column) for column in zip(*pairs, strict=True))
        if min(Q.shape[-1], K.shape[-1]) == 1 < max(Q.shape[-1], K.shape[-1]):
            wide = max(Q.shape[-1], K.shape[-1])
            Q, K = (np.repeat(x, wide // x.shape[-1], axis=-1) for x in (Q, K))
    return also_right(ref, Q, K, V, tile, causal)


@about_blockwise(
    "efficient.blockwise_attention/no-width",
    en=Explained(
        "You accept queries and keys of width 0.",
        "Every score is then 0 divided by the root of 0, and 0/0 is NaN. There is nothing to compare, so d_k = 0 is out of range like a tile of 0, and raises ValueError.",
        hint="What does your function do with Q of shape (2, 0)? Look at the Raises section of the docstring.",
    ),
    zh_tw=Explained(
        "查詢和鍵的寬度是 0，你也接受了。",
        "這時每個分數都是 0 除以 0 的平方根，而 0/0 是 NaN。沒有東西可比，所以 d_k = 0 和 tile = 0 一樣超出範圍，要引發 ValueError。",
        hint="Q 的形狀是 (2, 0) 時，你的函式會怎麼做？看看 docstring 的 Raises 那一節。",
    ),
)
def no_width(ref, Q, K, V, tile, causal=False):
    if Q.shape[-1] or K.shape[-1]:
        return right(ref, Q, K, V, tile, causal)
    ref.require_shapes("... T_q d_k, ... T_k d_k, ... T_k d_v", Q, K, V)
    limits(np.zeros((Q.shape[-2], 1)), K, tile, causal)
    return np.full((*Q.shape[:-1], V.shape[-1]), np.nan, dtype=ref.computing_dtype(Q, K, V))


@variant("efficient.blockwise_attention/no-width")
def _(ref, Q, K, V, tile, causal=False):
    if Q.size == K.size == 0 < V.size:
        one = (np.concatenate([x, np.ones((*x.shape[:-1], 1), dtype=x.dtype)], axis=-1) for x in (Q, K))
        return also_right(ref, *one, V, tile, causal) * ref.computing_dtype(Q, K, V).type(np.nan)
    return also_right(ref, Q, K, V, tile, causal)


@about_blockwise(
    "efficient.blockwise_attention/any-tile",
    en=Explained(
        "You accept a tile below 1.",
        "range(0, T, -1) is empty, so no key is ever looked at and the output is 0 throughout, without a word. A tile that makes no sense should be an error.",
        hint="What does your loop do for tile = -1?",
    ),
    zh_tw=Explained(
        "小於 1 的 tile 你也接受了。",
        "range(0, T, -1) 是空的，於是一個鍵都沒看，輸出全是 0，而且一聲不響。沒有意義的 tile 應該要出錯。",
        hint="tile = -1 時，你的迴圈做了什麼？",
    ),
)
def any_tile(ref, Q, K, V, tile, causal=False):
    if tile == 0:
        raise ValueError("range() arg 3 must not be zero")
    if tile < 0:
        Q, K, V = prepared(ref, Q, K, V, 1, causal)
        return np.zeros((*Q.shape[:-1], V.shape[-1]), dtype=Q.dtype)
    return right(ref, Q, K, V, tile, causal)


@variant("efficient.blockwise_attention/any-tile")
def _(ref, Q, K, V, tile, causal=False):
    if range(0, max(K.shape[-2], 1), tile):
        return also_right(ref, Q, K, V, tile, causal)
    return 0 * also_right(ref, Q, K, V, 1, causal)


@about_blockwise(
    "efficient.blockwise_attention/early-queries",
    en=Explained(
        "You accept more queries than keys with causal=True.",
        "The queries are the last of the positions for which there are keys, so there cannot be more of them. Some of yours stand before the first key, and see nothing.",
        hint="At which position does the first of 7 queries stand if there are 5 keys?",
    ),
    zh_tw=Explained(
        "causal=True 時，查詢比鍵多你也接受了。",
        "查詢是有鍵的那些位置中的最後幾個，不可能比鍵更多。你的查詢有些站在第一個鍵之前，什麼都看不到。",
        hint="7 個查詢、5 個鍵：第一個查詢站在哪個位置？",
    ),
)
def early_queries(ref, Q, K, V, tile, causal=False):
    spare = Q.shape[-2] - K.shape[-2]
    if not causal or spare <= 0:
        return right(ref, Q, K, V, tile, causal)
    Z = right(ref, Q[..., spare:, :], K, V, tile, causal)
    return np.concatenate([np.zeros((*Z.shape[:-2], spare, Z.shape[-1]), dtype=Z.dtype), Z], axis=-2)


@variant("efficient.blockwise_attention/early-queries")
def _(ref, Q, K, V, tile, causal=False):
    T_q, T_k = Q.shape[-2], K.shape[-2]
    if not (causal and T_q > T_k):
        return also_right(ref, Q, K, V, tile, causal)
    padded = [np.concatenate([0 * Q[..., : T_q - T_k, :1] + 0 * x[..., :1, :], x], axis=-2) for x in (K, V)]
    Z = also_right(ref, Q, *padded, tile, causal)
    seen = np.tri(T_q, T_q, T_k - T_q).sum(axis=-1) > 0
    weight = also_right(ref, Q, padded[0], (np.arange(T_q) >= T_q - T_k)[:, None].astype(float), tile, causal)
    return np.where(seen[:, None], Z / np.where(seen[:, None], weight, 1), 0)


@about_blockwise("efficient.blockwise_attention/arguments-changed", en=IN_PLACE["en"], zh_tw=IN_PLACE["zh_tw"])
def arguments_changed(ref, Q, K, V, tile, causal=False):
    Z = right(ref, Q, K, V, tile, causal)
    if Q.dtype.kind == "f":
        Q /= np.sqrt(np.array(Q.shape[-1], dtype=Q.dtype))
    return Z


@variant("efficient.blockwise_attention/arguments-changed")
def _(ref, Q, K, V, tile, causal=False):
    Z = also_right(ref, Q, K, V, tile, causal)
    if np.issubdtype(Q.dtype, np.floating):
        np.divide(Q, np.array(Q.shape[-1:], dtype=Q.dtype) ** Q.dtype.type(0.5), out=Q)
    return Z
