"""What goes wrong in the exercise attention.multi_head."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained, variant
from misconceptions.attention import by_hand
from misconceptions.shared import (
    IN_PLACE,
    KEPT_HALF,
    ONE_BATCH_AXIS,
    WIDENED,
    about_multi_head,
    by_example,
    dots,
    floats_of,
    halved,
    masked,
    right_row,
    rows_by_hand,
)
from misconceptions.steps import causal

MULTI_HEAD = "... T d_in, d_in d, d_in d, d_in d, d d_out"


def require_heads(width, n_head):
    if n_head < 1 or width % n_head:
        raise ValueError(f"{width} columns do not divide into {n_head} heads")


def cut(P, n_head):
    """The right split: [..., T, width] -> [..., n_head, T, d_head]."""
    return P.reshape(*P.shape[:-1], n_head, P.shape[-1] // n_head).swapaxes(-2, -3)


def joined(Z):
    """The right merge, the other way round."""
    slices = Z.swapaxes(-2, -3)
    return slices.reshape(*slices.shape[:-2], -1)


def viewed(P, n_head):
    """A split that only reads the numbers in their order in memory."""
    return P.reshape(*P.shape[:-2], n_head, P.shape[-2], P.shape[-1] // n_head)


def unviewed(Z):
    """A merge of that kind."""
    return Z.reshape(*Z.shape[:-3], Z.shape[-2], Z.shape[-3] * Z.shape[-1])


def in_heads(ref, arrays, n_head, is_causal, *, split=cut, merge=joined, mask=causal, attend=None):
    """Multi-head attention in which a mistake may replace any of its parts."""
    X, W_q, W_k, W_v, W_o = floats_of(ref, MULTI_HEAD, *arrays)
    require_heads(W_q.shape[1], n_head)
    Q, K, V = (split(P, n_head) for P in ref.project_qkv(X, W_q, W_k, W_v))
    Z = (attend or ref.attention)(Q, K, V, mask(X.shape[-2]) if is_causal else None)
    return merge(Z) @ W_o


def slice_of(P, h, n_head):
    """Head h's own columns."""
    d_head = P.shape[-1] // n_head
    return P[:, h * d_head : (h + 1) * d_head]


def fill_slice(out, h, n_head, z):
    slice_of(out, h, n_head)[...] = z


def places(shape, h, n_head):
    """Rows and columns of what lies in head h's place in memory."""
    count = shape[0] * shape[1] // n_head
    return np.divmod(np.arange(h * count, (h + 1) * count), shape[1])


def gathered(P, h, n_head):
    return P[places(P.shape, h, n_head)].reshape(P.shape[0], -1)


def scattered(out, h, n_head, z):
    out[places(out.shape, h, n_head)] = z.ravel()


def before(i, j):
    return j <= i


def head_by_head(ref, arrays, n_head, is_causal, *, take=slice_of, put=fill_slice, may=before, stretch=1.0, weigh=None):
    """The same, one example and one head at a time, with weights in plain Python."""
    X, *matrices, W_o = floats_of(ref, MULTI_HEAD, *arrays)
    require_heads(len(W_o), n_head)
    T = X.shape[-2]
    seen = np.array([[may(i, j) if is_causal else True for j in range(T)] for i in range(T)])

    def work(x):
        Q, K, V = (np.float64(x) @ W for W in matrices)
        out = np.empty((T, len(W_o)))
        for h in range(n_head):
            g = h if weigh is None else weigh
            A = rows_by_hand(take(Q, g, n_head) * stretch, take(K, g, n_head), seen, right_row)
            put(out, h, n_head, A @ take(V, h, n_head))
        return out @ W_o

    return by_example(work, X).astype(X.dtype)


@about_multi_head(
    "attention.multi_head/merged-by-view",
    en=Explained(
        "The heads were merged by a reshape alone.",
        "Z is [n_head, T, d_head] in memory, all of head 0 first. Read off as [T, n_head * d_head], a row holds one head's "
        "outputs of several tokens: tokens are mixed, and causality breaks.",
        hint="Which axes must stand next to each other before a reshape joins them?",
    ),
    zh_tw=Explained(
        "你只用 reshape 就把各頭合併了。",
        "Z 在記憶體裡是 [n_head, T, d_head]，先放完頭 0 的全部。直接讀成 [T, n_head * d_head]，一列就裝了同一個頭好幾個詞元的輸出：詞元混在一起，因果性也破壞了。",
        hint="用 reshape 合併之前，哪些軸必須相鄰？",
    ),
)
def heads_merged_by_view(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, merge=unviewed)


@variant("attention.multi_head/merged-by-view")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return head_by_head(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, put=scattered)


@about_multi_head(
    "attention.multi_head/split-by-view",
    en=Explained(
        "The heads were split by a reshape alone.",
        "A reshape of [T, n_head * d_head] straight to [n_head, T, d_head] gives head 0 the first tokens whole, not its "
        "columns of every token.",
        hint="In which order do the numbers of Q lie in memory, and which of them belong to head 0?",
    ),
    zh_tw=Explained(
        "你只用 reshape 就把各頭切開了。",
        "把 [T, n_head * d_head] 直接 reshape 成 [n_head, T, d_head]，頭 0 拿到的是最前面幾個完整的詞元，而不是每個詞元裡屬於它的那幾個直行。",
        hint="Q 的數在記憶體裡是什麼順序？其中哪些屬於頭 0？",
    ),
)
def heads_split_by_view(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, split=viewed)


@variant("attention.multi_head/split-by-view")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return head_by_head(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, take=gathered)


@about_multi_head(
    "attention.multi_head/split-and-merged-by-view",
    en=Explained(
        "The heads were split and merged by reshapes alone.",
        "The two mistakes cancel in the shape, and even in causality: each token's output looks fine and sees no future. "
        "But a head works on a few tokens only, so the first token never reaches the last.",
        hint="Change token 0: which outputs should change, and which do?",
    ),
    zh_tw=Explained(
        "切開和合併各頭，你都只用了 reshape。",
        "兩個錯誤在形狀上互相抵消，連因果性都看不出來：每個輸出都像對的，也沒看到未來。但每個頭只處理少數幾個詞元，第一個詞元永遠影響不到最後一個。",
        hint="改動詞元 0：哪些輸出應該跟著變？實際變了哪些？",
    ),
)
def heads_by_view(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, split=viewed, merge=unviewed)


@variant("attention.multi_head/split-and-merged-by-view")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return head_by_head(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, take=gathered, put=scattered)


@about_multi_head(
    "attention.multi_head/heads-interleaved",
    en=Explained(
        "The columns are dealt out to the heads in turn.",
        "Your head h has the columns h, h + n_head, h + 2 n_head, ...; it should have d_head columns that lie side by "
        "side.",
        hint="Which columns of W_q belong to head 1?",
    ),
    zh_tw=Explained(
        "你把各直行輪流發給各頭。",
        "你的頭 h 拿到第 h、h + n_head、h + 2 n_head……個直行；它應該拿到相鄰的 d_head 個直行。",
        hint="W_q 的哪幾個直行屬於頭 1？",
    ),
)
def heads_interleaved(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    def split(P, count):
        return np.moveaxis(P.reshape(*P.shape[:-1], -1, count), -1, -3)

    def merge(Z):
        columns = np.moveaxis(Z, -3, -1)
        return columns.reshape(*columns.shape[:-2], -1)

    return in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, split=split, merge=merge)


def comb(P, h, n_head):
    return P[:, h::n_head]


def fill_comb(out, h, n_head, z):
    out[:, h::n_head] = z


@variant("attention.multi_head/heads-interleaved")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return head_by_head(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, take=comb, put=fill_comb)


@about_multi_head(
    "attention.multi_head/merged-in-turn",
    en=Explained(
        "The heads' outputs are merged in turn, one column of each.",
        "Concatenated means all columns of head 0, then all of head 1, and so on: that is the order in which W_o's rows "
        "expect them.",
        hint="Which head does column 1 of your merged result come from?",
    ),
    zh_tw=Explained(
        "合併時，你從每個頭輪流各取一個直行。",
        "串接的意思是先放頭 0 的所有直行，再放頭 1 的，依此類推：W_o 的橫列就是照這個順序。",
        hint="合併結果的第 1 個直行來自哪個頭？",
    ),
)
def heads_merged_in_turn(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    def merge(Z):
        columns = np.moveaxis(Z, -3, -1)
        return columns.reshape(*columns.shape[:-2], -1)

    return in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, merge=merge)


@variant("attention.multi_head/merged-in-turn")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return head_by_head(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, put=fill_comb)


@about_multi_head(
    "attention.multi_head/first-slice-for-all",
    en=Explained(
        "Every head works on the same slice, the first.",
        "All heads then give the same output, and the other columns of W_q, W_k and W_v have no effect: many heads, "
        "worth one.",
        hint="Does the head's number appear where you take its columns?",
    ),
    zh_tw=Explained(
        "每個頭都用同一段，也就是第一段。",
        "這樣所有的頭輸出都一樣，W_q、W_k、W_v 的其他直行毫無作用：名義上有好幾個頭，實際上只有一個。",
        hint="取各頭的直行時，有用到頭的編號嗎？",
    ),
)
def heads_of_the_first_slice(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    def split(P, count):
        return np.repeat(cut(P, count)[..., :1, :, :], count, axis=-3)

    return in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, split=split)


@variant("attention.multi_head/first-slice-for-all")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return head_by_head(
        ref, (X, W_q, W_k, W_v, W_o), n_head, causal, take=lambda P, _, count: P[:, : P.shape[1] // count]
    )


@about_multi_head(
    "attention.multi_head/first-weights-for-all",
    en=Explained(
        "All heads attend with the weights of the first.",
        "Their values differ, but they all look at the same places. Different patterns of attention are what several "
        "heads are for.",
        hint="How many matrices of weights does your function compute?",
    ),
    zh_tw=Explained(
        "所有的頭都用了第一個頭的權重。",
        "它們的值不同，看的位置卻完全一樣。用好幾個頭，就是為了有不同的注意力模式。",
        hint="你的函式算了幾個權重矩陣？",
    ),
)
def heads_of_the_first_weights(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    def attend(Q, K, V, mask):
        return ref.attention_weights(Q, K, mask)[..., :1, :, :] @ V

    return in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, attend=attend)


@variant("attention.multi_head/first-weights-for-all")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return head_by_head(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, weigh=0)


@about_multi_head(
    "attention.multi_head/heads-see-slices",
    en=Explained(
        "Each head sees only its own slice of X.",
        "X was cut up before the projection, so a head never learns of the rest. Every head projects the whole of X; it "
        "is the results that are cut.",
        hint="What is cut into slices first: X, or Q, K and V?",
    ),
    zh_tw=Explained(
        "每個頭只看得到 X 的一段。",
        "你在投影之前就把 X 切開，頭就無從得知其餘的部分。每個頭都要投影完整的 X；要切的是投影的結果。",
        hint="先切的是 X，還是 Q、K、V？",
    ),
)
def heads_of_sliced_tokens(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    X, W_q, W_k, W_v, W_o = floats_of(ref, MULTI_HEAD, X, W_q, W_k, W_v, W_o)
    require_heads(W_q.shape[1], n_head)
    owner = np.concatenate([np.full(len(part), h) for h, part in enumerate(np.array_split(W_q, n_head))])
    block = owner[:, np.newaxis] == np.arange(W_q.shape[1]) // (W_q.shape[1] // n_head)
    return in_heads(ref, (X, W_q * block, W_k * block, W_v * block, W_o), n_head, causal)


@variant("attention.multi_head/heads-see-slices")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    X, *matrices, W_o = floats_of(ref, MULTI_HEAD, X, W_q, W_k, W_v, W_o)
    require_heads(len(W_o), n_head)
    parts = [np.array_split(W, n_head) for W in matrices]
    outputs = []
    for h, x in enumerate(np.array_split(X, n_head, axis=-1)):
        q, k, v = (x @ np.split(part[h], n_head, axis=1)[h] for part in parts)
        outputs.append(by_hand(ref, q, k, v, np.tri(X.shape[-2], dtype=bool) if causal else None, right_row))
    return np.concatenate(outputs, axis=-1) @ W_o


@about_multi_head(
    "attention.multi_head/one-wide-head",
    en=Explained(
        "The number of heads has no effect: there is one wide head.",
        "Scores are taken over all columns at once and scaled by the whole width. The result has the right shape, but all "
        "columns share one pattern of attention.",
        hint="What changes in your result when n_head does?",
    ),
    zh_tw=Explained(
        "頭數沒有作用：其實只有一個寬頭。",
        "分數是一次用所有直行算的，也用整個寬度縮放。結果形狀正確，但所有的直行共用一種注意力模式。",
        hint="n_head 改變時，你的結果有什麼改變？",
    ),
)
def heads_in_one(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, split=lambda P, _: cut(P, 1))


@variant("attention.multi_head/one-wide-head")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    require_heads(W_q.shape[1], n_head)
    return head_by_head(ref, (X, W_q, W_k, W_v, W_o), 1, causal)


@about_multi_head(
    "attention.multi_head/heads-and-width-exchanged",
    en=Explained(
        "The number of heads and their width are exchanged.",
        "You made d_head heads of width n_head. Shapes fit in the end, but every head is another one.",
        hint="Which axis of your split array has length n_head?",
    ),
    zh_tw=Explained(
        "頭數和每頭的寬度對調了。",
        "你做出了 d_head 個頭，每個寬 n_head。最後形狀對得上，但每個頭都不是原本的頭。",
        hint="切開後的陣列，哪個軸的長度是 n_head？",
    ),
)
def heads_exchanged(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, split=lambda P, count: cut(P, P.shape[-1] // count))


@variant("attention.multi_head/heads-and-width-exchanged")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    require_heads(W_q.shape[1], n_head)
    return head_by_head(ref, (X, W_q, W_k, W_v, W_o), W_q.shape[1] // n_head, causal)


@about_multi_head(
    "attention.multi_head/scaled-by-the-whole-width",
    en=Explained(
        "The scores are scaled by the width of all heads together.",
        "Each head's dot products have d_head terms, so it is d_head that goes into the scale. With n_head times as much "
        "the weights come out too equal. One head alone does not show it.",
        hint="How many terms does one score sum up?",
    ),
    zh_tw=Explained(
        "你用所有頭加起來的寬度來縮放分數。",
        "每個頭的內積有 d_head 項，縮放要用 d_head。用了 n_head 倍的寬度，權重就太平均。只有一個頭時看不出來。",
        hint="一個分數總共加了幾項？",
    ),
)
def heads_scaled_by_width(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    def attend(Q, K, V, mask):
        return ref.attention(Q / math.sqrt(Q.shape[-3]), K, V, mask)

    return in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, attend=attend)


@variant("attention.multi_head/scaled-by-the-whole-width")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    stretch = max(n_head, 1) ** -0.5
    return head_by_head(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, stretch=stretch)


@about_multi_head(
    "attention.multi_head/scaled-by-the-input-width",
    en=Explained(
        "The scores are scaled by the width of X.",
        "What is multiplied are queries and keys of one head: their width d_head goes into the scale, whatever the width "
        "of the tokens is.",
        hint="How many terms does one score sum up?",
    ),
    zh_tw=Explained(
        "你用 X 的寬度來縮放分數。",
        "相乘的是同一個頭的查詢和鍵：縮放用的是它們的寬度 d_head，和詞元多寬無關。",
        hint="一個分數總共加了幾項？",
    ),
)
def heads_scaled_by_input(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    def attend(Q, K, V, mask):
        return ref.attention(Q * math.sqrt(Q.shape[-1] / X.shape[-1]), K, V, mask)

    return in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, attend=attend)


@variant("attention.multi_head/scaled-by-the-input-width")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    stretch = math.sqrt(W_q.shape[1] / max(n_head, 1) / len(W_q))
    return head_by_head(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, stretch=stretch)


@about_multi_head(
    "attention.multi_head/softmax-over-heads",
    en=Explained(
        "Your softmax ran over the heads.",
        "For one pair of query and key the heads' weights sum to 1; each head's row over the keys should. With four axes, "
        "a fixed axis 1 is the heads.",
        hint="Which axis of [..., n_head, T, T] holds the keys?",
    ),
    zh_tw=Explained(
        "你的 softmax 跨著各頭計算了。",
        "現在是同一對查詢和鍵在各頭的權重總和為 1；應該是每個頭沿著鍵的一列。有四個軸時，寫死的軸 1 正好是頭。",
        hint="[..., n_head, T, T] 的哪個軸是鍵？",
    ),
)
def heads_competing(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    def attend(Q, K, V, mask):
        return ref.softmax(masked(ref, ref.attention_scores(Q, K), mask), axis=-3) @ V

    return in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, attend=attend)


@variant("attention.multi_head/softmax-over-heads")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    X, *matrices, W_o = floats_of(ref, MULTI_HEAD, X, W_q, W_k, W_v, W_o)
    require_heads(len(W_o), n_head)
    Q, K, V = (np.split(X @ W, n_head, axis=-1) for W in matrices)
    powers = [np.exp(dots(q, k)) for q, k in zip(Q, K, strict=True)]
    seen = np.tri(X.shape[-2], dtype=X.dtype) if causal else 1
    total = sum(powers)
    return np.concatenate([seen * power / total @ v for power, v in zip(powers, V, strict=True)], axis=-1) @ W_o


@about_multi_head(
    "attention.multi_head/no-output-projection",
    en=Explained(
        "The output projection is missing.",
        "You returned the heads side by side. W_o mixes them: without it no later step of this layer combines what "
        "different heads found.",
        hint="Is W_o used at all?",
    ),
    zh_tw=Explained(
        "少了輸出投影。",
        "你只把各頭並排就回傳了。W_o 的作用是混合各頭：少了它，這一層就沒有任何步驟能結合不同頭找到的東西。",
        hint="W_o 有用到嗎？",
    ),
)
def heads_unprojected(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    X, W_q, W_k, W_v, W_o = floats_of(ref, MULTI_HEAD, X, W_q, W_k, W_v, W_o)
    return in_heads(ref, (X, W_q, W_k, W_v, np.eye(len(W_o), dtype=W_o.dtype)), n_head, causal)


@variant("attention.multi_head/no-output-projection")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    X, *matrices, W_o = floats_of(ref, MULTI_HEAD, X, W_q, W_k, W_v, W_o)
    require_heads(len(W_o), n_head)
    split = [np.split(X @ W, n_head, axis=-1) for W in matrices]
    mask = np.tri(X.shape[-2], dtype=bool) if causal else None
    return np.concatenate([by_hand(ref, *qkv, mask, right_row) for qkv in zip(*split, strict=True)], axis=-1)


@about_multi_head(
    "attention.multi_head/output-projection-transposed",
    en=Explained(
        "You multiplied by the transpose of W_o.",
        "W_o is [n_head * d_head, d_out], and its rows meet the merged heads. Transposed it fits only where it is square.",
        hint="Write the shapes under the last product.",
    ),
    zh_tw=Explained(
        "你乘上的是 W_o 的轉置。",
        "W_o 是 [n_head * d_head, d_out]，它的橫列對上合併後的各頭。轉置後只有方陣才乘得起來。",
        hint="把形狀寫在最後一個乘積下面。",
    ),
)
def heads_projected_by_transpose(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    X, W_q, W_k, W_v, W_o = floats_of(ref, MULTI_HEAD, X, W_q, W_k, W_v, W_o)
    return in_heads(ref, (X, W_q, W_k, W_v, np.eye(len(W_o), dtype=W_o.dtype)), n_head, causal) @ W_o.T


@variant("attention.multi_head/output-projection-transposed")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    ref.require_shapes(MULTI_HEAD, X, W_q, W_k, W_v, W_o)
    return head_by_head(ref, (X, W_q, W_k, W_v, W_o.T), n_head, causal)


@about_multi_head(
    "attention.multi_head/square-only",
    en=Explained(
        "You took the width of a head from X.",
        "d_head is the width of the projections divided by n_head. X may be wider or narrower than what it is projected "
        "to.",
        hint="From which array do you read the width that you divide by n_head?",
    ),
    zh_tw=Explained(
        "你從 X 取得每頭的寬度。",
        "d_head 是投影的寬度除以 n_head。X 可以比投影後更寬或更窄。",
        hint="你拿來除以 n_head 的寬度，是從哪個陣列讀的？",
    ),
)
def heads_of_square_matrices(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    def split(P, count):
        return P.reshape(*P.shape[:-1], count, X.shape[-1] // count).swapaxes(-2, -3)

    return in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, split=split)


@variant("attention.multi_head/square-only")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    if len(W_q) != len(W_o):
        raise ValueError("d_in and n_head * d_head differ")
    return head_by_head(ref, (X, W_q, W_k, W_v, W_o), n_head, causal)


@about_multi_head(
    "attention.multi_head/never-causal",
    en=Explained(
        "Your heads are never causal.",
        "With causal=True, which is the default, a token may not see those after it. Yours sees them all.",
        hint="Where does `causal` decide about a mask?",
    ),
    zh_tw=Explained(
        "你的頭從來不是因果的。",
        "causal=True（預設值）時，詞元不能看到後面的詞元，你的卻全都看得到。",
        hint="`causal` 在哪裡決定要不要遮罩？",
    ),
)
def heads_never_causal(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, is_causal=False)


@variant("attention.multi_head/never-causal")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return head_by_head(ref, (X, W_q, W_k, W_v, W_o), n_head, is_causal=False)


@about_multi_head(
    "attention.multi_head/always-causal",
    en=Explained(
        "Your heads are causal even with causal=False.",
        "Without the causal mask every token sees every other, as an encoder's tokens do.",
        hint="Where does `causal` decide about a mask?",
    ),
    zh_tw=Explained(
        "就算 causal=False，你的頭還是因果的。",
        "沒有因果遮罩時，每個詞元都看得到其他所有詞元，像編碼器那樣。",
        hint="`causal` 在哪裡決定要不要遮罩？",
    ),
)
def heads_always_causal(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, is_causal=True)


@variant("attention.multi_head/always-causal")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return head_by_head(ref, (X, W_q, W_k, W_v, W_o), n_head, is_causal=True)


@about_multi_head(
    "attention.multi_head/future-only",
    en=Explained(
        "Your causal mask shows the future and hides the past.",
        "Upper and lower triangle are exchanged: the last token sees itself alone, the first sees everything.",
        hint="Which key may token 0 attend to?",
    ),
    zh_tw=Explained(
        "你的因果遮罩露出未來、遮住過去。",
        "上三角和下三角弄反了：最後一個詞元只看得到自己，第一個卻看得到全部。",
        hint="詞元 0 可以看哪個鍵？",
    ),
)
def heads_of_the_future(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, mask=lambda T: np.tri(T, dtype=bool).T)


@variant("attention.multi_head/future-only")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return head_by_head(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, may=lambda i, j: j >= i)


@about_multi_head(
    "attention.multi_head/self-hidden",
    en=Explained(
        "A token may not see itself.",
        "The diagonal belongs to the past: token t attends to 0, ..., t. Without it the first token has nothing to attend "
        "to.",
        hint="What is on the diagonal of your causal mask?",
    ),
    zh_tw=Explained(
        "詞元看不到自己。",
        "對角線也算過去：詞元 t 可以看 0、……、t。少了它，第一個詞元就什麼都不能看。",
        hint="你的因果遮罩的對角線上是什麼？",
    ),
)
def heads_without_self(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, mask=lambda T: np.tri(T, k=-1, dtype=bool))


@variant("attention.multi_head/self-hidden")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return head_by_head(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, may=lambda i, j: j < i)


@about_multi_head(
    "attention.multi_head/next-seen",
    en=Explained(
        "Each token sees the next one too.",
        "The mask is one diagonal too wide, and it is the next token that a language model is to predict.",
        hint="How many keys may token 0 attend to?",
    ),
    zh_tw=Explained(
        "每個詞元多看到了下一個。",
        "遮罩寬了一條對角線，而語言模型要預測的正是下一個詞元。",
        hint="詞元 0 可以看幾個鍵？",
    ),
)
def heads_with_the_next(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, mask=lambda T: np.tri(T, k=1, dtype=bool))


@variant("attention.multi_head/next-seen")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return head_by_head(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, may=lambda i, j: j <= i + 1)


@about_multi_head(
    "attention.multi_head/batch-flattened",
    en=Explained(
        "The batch was joined to one long sequence.",
        "Tokens of one example attend to those of the examples before it. Examples of a batch know nothing of each other.",
        hint="Change one example of a batch: whose outputs change?",
    ),
    zh_tw=Explained(
        "整個批次被接成一個長序列。",
        "一個例子的詞元看到了前面例子的詞元。同一批次的例子彼此應該毫不相干。",
        hint="改動批次裡的一個例子：誰的輸出變了？",
    ),
)
def heads_of_flat_batches(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    flat = X.reshape(-1, X.shape[-1])
    return in_heads(ref, (flat, W_q, W_k, W_v, W_o), n_head, causal).reshape(*X.shape[:-1], -1)


@variant("attention.multi_head/batch-flattened")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    flat = np.array(list(X[index] for index in np.ndindex(*X.shape[:-1])))  # noqa: C400  # one token after the other
    out = head_by_head(ref, (flat, W_q, W_k, W_v, W_o), n_head, causal)
    return out.reshape(*X.shape[:-1], W_o.shape[-1])


@about_multi_head(
    "attention.multi_head/attention-over-the-batch",
    en=Explained(
        "Your tokens attend to the other examples of the batch.",
        "The batch axis stands where the tokens should: position t of one example looks at position t of the others and "
        "never at its own sequence.",
        hint="Which axis do your scores run over for X of shape [B, T, d_in]?",
    ),
    zh_tw=Explained(
        "你的詞元看的是批次裡的其他例子。",
        "批次軸跑到了詞元的位置：一個例子的位置 t 看的是其他例子的位置 t，從來不看自己的序列。",
        hint="X 的形狀是 [B, T, d_in] 時，你的分數沿著哪個軸？",
    ),
)
def heads_across_the_batch(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    if X.ndim == 2:
        return in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, causal)
    turned = X.swapaxes(-2, -3)
    return in_heads(ref, (turned, W_q, W_k, W_v, W_o), n_head, causal).swapaxes(-2, -3)


@variant("attention.multi_head/attention-over-the-batch")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    if X.ndim == 2:
        return head_by_head(ref, (X, W_q, W_k, W_v, W_o), n_head, causal)
    columns = [head_by_head(ref, (X[..., t, :], W_q, W_k, W_v, W_o), n_head, causal) for t in range(X.shape[-2])]
    return np.stack(columns, axis=-2)


@about_multi_head("attention.multi_head/one-batch-axis", **ONE_BATCH_AXIS)
def heads_of_one_batch_axis(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    _, T, _ = X.shape if X.ndim != 2 else (1, *X.shape)
    return in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, causal, mask=lambda _: np.tri(T, dtype=bool))


@variant("attention.multi_head/one-batch-axis")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    Q = np.einsum("td,de->te" if X.ndim == 2 else "btd,de->bte", *floats_of(ref, MULTI_HEAD, X, W_q, W_k, W_v, W_o)[:2])
    assert Q.shape[:-1] == X.shape[:-1]
    return head_by_head(ref, (X, W_q, W_k, W_v, W_o), n_head, causal)


@about_multi_head(
    "attention.multi_head/batch-of-one-squeezed",
    en=Explained(
        "An axis of length 1 is lost.",
        "A batch of one example is still a batch. Whoever loops over the result gets rows where examples were expected.",
        hint="Look for a squeeze, a reshape, or an index 0.",
    ),
    zh_tw=Explained(
        "長度為 1 的軸不見了。",
        "只有一個例子的批次仍然是批次。對結果跑迴圈的人，拿到的會是一列一列，而不是一個一個例子。",
        hint="找找看 squeeze、reshape，或索引 0。",
    ),
)
def heads_squeezed(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return np.squeeze(in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, causal))


@variant("attention.multi_head/batch-of-one-squeezed")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    out = head_by_head(ref, (X, W_q, W_k, W_v, W_o), n_head, causal)
    return out.reshape([length for length in out.shape if length != 1])


@about_multi_head(
    "attention.multi_head/first-example-only",
    en=Explained(
        "Only the first example of a batch comes back.",
        "An index 0 or a slice that was right for one sequence takes the first example of several, and the others are "
        "dropped without a word.",
        hint="Compare the first axis of your result with that of X, for a batch of 2.",
    ),
    zh_tw=Explained(
        "批次裡只有第一個例子回來了。",
        "對單一序列正確的索引 0 或切片，遇到批次就只拿第一個例子，其他的默默丟掉了。",
        hint="用兩個例子的批次，比較結果和 X 的第一軸。",
    ),
)
def heads_of_first_example(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    out = in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, causal)
    return out[:1] if X.ndim > 2 else out


@variant("attention.multi_head/first-example-only")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    first = X if len(X.shape) == 2 else X[[0]]
    return head_by_head(ref, (first, W_q, W_k, W_v, W_o), n_head, causal)


@about_multi_head(
    "attention.multi_head/remainder-dropped",
    en=Explained(
        "Columns that do not divide among the heads are dropped.",
        "With 14 columns and 3 heads you use 12 and never touch the last 2: weights that are stored, saved and never "
        "trained. It is a mistake of the caller and should be refused.",
        hint="What does `//` leave over, and where do you look at it?",
    ),
    zh_tw=Explained(
        "不能整除的直行被你丟掉了。",
        "14 個直行分給 3 個頭，你只用了 12 個，最後 2 個完全沒碰：占了記憶體、也存進檔案，卻永遠訓練不到。這是呼叫者的錯，應該拒絕。",
        hint="`//` 的餘數是多少？你在哪裡檢查它？",
    ),
)
def heads_without_remainder(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    if n_head < 1:
        raise ValueError("at least one head is needed")
    width = W_q.shape[1] // n_head * n_head
    return in_heads(ref, (X, W_q[:, :width], W_k[:, :width], W_v[:, :width], W_o[:width]), n_head, causal)


@variant("attention.multi_head/remainder-dropped")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    rest = W_q.shape[1] % n_head if n_head > 0 else 0
    kept = slice(0, -rest) if rest else slice(None)
    return head_by_head(ref, (X, *(W[:, kept] for W in (W_q, W_k, W_v)), W_o[kept]), n_head, causal)


@about_multi_head(
    "attention.multi_head/no-heads-divide-by-zero",
    en=Explained(
        "With no heads at all your function divides by zero.",
        "n_head = 0 is a value out of range, and the caller should be told so by a ValueError, not by a "
        "ZeroDivisionError out of the middle of a computation.",
        hint="What is checked before the first `%` or `//`?",
    ),
    zh_tw=Explained(
        "頭數為 0 時，你的函式會除以零。",
        "n_head = 0 超出範圍，應該用 ValueError 告訴呼叫者，而不是算到一半才冒出 ZeroDivisionError。",
        hint="在第一個 `%` 或 `//` 之前，你檢查了什麼？",
    ),
)
def heads_dividing_by_zero(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    if W_q.shape[1] % n_head:
        raise ValueError("the columns do not divide")
    return in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, causal)


@variant("attention.multi_head/no-heads-divide-by-zero")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    divmod(W_q.shape[1], n_head)
    return head_by_head(ref, (X, W_q, W_k, W_v, W_o), n_head, causal)


@about_multi_head("attention.multi_head/float32-widened", **WIDENED)
def heads_widened(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return in_heads(ref, (np.asarray(X, dtype=np.float64), W_q, W_k, W_v, W_o), n_head, causal)


@variant("attention.multi_head/float32-widened")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return np.float64(head_by_head(ref, (X, W_q, W_k, W_v, W_o), n_head, causal))


@about_multi_head("attention.multi_head/float16-kept", **KEPT_HALF)
def heads_half(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    return halved(in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, causal), X, W_q, W_k, W_v, W_o)


@variant("attention.multi_head/float16-kept")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    out = head_by_head(ref, (X, W_q, W_k, W_v, W_o), n_head, causal)
    return np.float16(out) if {array.dtype for array in (X, W_q, W_k, W_v, W_o)} == {np.dtype(np.float16)} else out


@about_multi_head("attention.multi_head/changed-in-place", **IN_PLACE)
def heads_in_place(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    out = in_heads(ref, (X, W_q, W_k, W_v, W_o), n_head, causal)
    if W_q.dtype.kind == "f":
        W_q /= math.sqrt(W_q.shape[1] // n_head)
    return out


@variant("attention.multi_head/changed-in-place")
def _(ref, X, W_q, W_k, W_v, W_o, n_head, causal=True):
    out = head_by_head(ref, (X, W_q, W_k, W_v, W_o), n_head, causal)
    if W_q.dtype.kind == "f":
        np.multiply(W_q, (W_q.shape[1] / n_head) ** -0.5, out=W_q)
    return out
