"""What goes wrong in the exercise attention.scores."""

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    IN_PLACE,
    KEPT_HALF,
    ONE_BATCH_AXIS,
    STRETCHED,
    WIDENED,
    WRAPPED,
    about_scores,
    by_example,
    by_query,
    dot,
    dots,
    halved,
    pair,
    right_row,
    swap,
)


def by_pair(ref, Q, K, score):
    """Scores of a batch, a pair of lists at a time."""
    Q, K = pair(ref, Q, K)

    def table(q, k):
        return np.array([[score(query, key) for key in k.tolist()] for query in q.tolist()])

    return by_example(table, Q, K).astype(Q.dtype)


@about_scores(
    "attention.scores/not-scaled",
    en=Explained(
        "The scores are not scaled.",
        "A dot product of d_k terms grows like the root of d_k. Unscaled, the softmax of wide vectors puts all weight on "
        "one key and its gradient vanishes. For d_k = 1, as in the lecture's example, nothing shows.",
        hint="What does the formula divide Q K^T by?",
    ),
    zh_tw=Explained(
        "分數沒有縮放。",
        "d_k 項的內積大約隨 d_k 的平方根變大。不縮放時，寬向量的 softmax 會把權重全押在一個鍵上，梯度也跟著消失。d_k = 1（如課堂例子）時看不出來。",
        hint="公式裡 Q K^T 除以什麼？",
    ),
)
def scores_unscaled(ref, Q, K):
    Q, K = pair(ref, Q, K)
    return Q @ swap(K)


@variant("attention.scores/not-scaled")
def _(ref, Q, K):
    return by_pair(ref, Q, K, dot)


@about_scores(
    "attention.scores/scaled-by-the-width",
    en=Explained(
        "You divided by d_k instead of its square root, or by the root twice.",
        "The spread of a dot product grows like the root of d_k, so dividing by all of d_k makes the scores too small: "
        "the weights come out nearly equal.",
        hint="Try d_k = 4: by what should the scores shrink?",
    ),
    zh_tw=Explained(
        "你除以了 d_k 而不是它的平方根，或者除了兩次平方根。",
        "內積的離散程度隨 d_k 的平方根變大，除以整個 d_k 會讓分數太小，權重變得幾乎一樣。",
        hint="用 d_k = 4 試試：分數應該縮小幾倍？",
    ),
)
def scores_by_width(ref, Q, K):
    Q, K = pair(ref, Q, K)
    return Q @ swap(K) / Q.shape[-1]


@variant("attention.scores/scaled-by-the-width")
def _(ref, Q, K):
    return by_pair(ref, Q, K, lambda query, key: dot(query, key) / math.sqrt(len(key)) / math.sqrt(len(key)))


@about_scores(
    "attention.scores/scaled-up",
    en=Explained(
        "You multiplied by the square root of d_k.",
        "The scale is there to keep the scores of wide vectors small. Yours makes them d_k times as large as they should "
        "be, and the softmax picks a single key.",
        hint="Do your scores grow or shrink as the vectors get wider?",
    ),
    zh_tw=Explained(
        "你乘上了 d_k 的平方根。",
        "縮放是為了不讓寬向量的分數太大。你的分數是正確值的 d_k 倍，softmax 只會選中一個鍵。",
        hint="向量變寬時，你的分數是變大還是變小？",
    ),
)
def scores_multiplied(ref, Q, K):
    Q, K = pair(ref, Q, K)
    return Q @ swap(K) * math.sqrt(Q.shape[-1])


@variant("attention.scores/scaled-up")
def _(ref, Q, K):
    return by_pair(ref, Q, K, lambda query, key: dot(query, key) * math.sqrt(len(key)))


@about_scores(
    "attention.scores/scaled-by-the-queries",
    en=Explained(
        "You scaled by the number of queries.",
        "The root of T_q depends on how long the sequence is: the same two vectors get another score in a longer text. "
        "What makes dot products grow is the width d_k.",
        hint="Which axis of Q do you measure?",
    ),
    zh_tw=Explained(
        "你用查詢的個數來縮放。",
        "T_q 的平方根取決於序列長度：同樣兩個向量，放在較長的文字裡分數就變了。讓內積變大的是寬度 d_k。",
        hint="你量的是 Q 的哪個軸？",
    ),
)
def scores_by_queries(ref, Q, K):
    Q, K = pair(ref, Q, K)
    return Q @ swap(K) / math.sqrt(Q.shape[-2])


@variant("attention.scores/scaled-by-the-queries")
def _(ref, Q, K):
    Q, K = pair(ref, Q, K)
    count = Q.shape[-2]
    return by_pair(ref, Q, K, lambda query, key: dot(query, key) * count**-0.5)


@about_scores(
    "attention.scores/scaled-by-the-keys",
    en=Explained(
        "You scaled by the number of keys.",
        "The root of T_k depends on how long the sequence is: the same two vectors get another score in a longer text. "
        "What makes dot products grow is the width d_k.",
        hint="Which axis of K do you measure?",
    ),
    zh_tw=Explained(
        "你用鍵的個數來縮放。",
        "T_k 的平方根取決於序列長度：同樣兩個向量，放在較長的文字裡分數就變了。讓內積變大的是寬度 d_k。",
        hint="你量的是 K 的哪個軸？",
    ),
)
def scores_by_keys(ref, Q, K):
    Q, K = pair(ref, Q, K)
    return Q @ swap(K) / math.sqrt(K.shape[-2])


@variant("attention.scores/scaled-by-the-keys")
def _(ref, Q, K):
    count = np.shape(K)[-2]
    return by_pair(ref, Q, K, lambda query, key: dot(query, key) * count**-0.5)


@about_scores(
    "attention.scores/scaled-by-an-eighth",
    en=Explained(
        "You scaled by 1/8 whatever the width.",
        "That is the scale of d_k = 64, as in GPT-2. For any other width it is wrong.",
        hint="Where in your line does d_k appear?",
    ),
    zh_tw=Explained(
        "不管寬度多少，你都乘上 1/8。",
        "那是 d_k = 64（例如 GPT-2）的縮放，換成別的寬度就錯了。",
        hint="你的算式裡，d_k 出現在哪裡？",
    ),
)
def scores_by_an_eighth(ref, Q, K):
    Q, K = pair(ref, Q, K)
    return Q @ swap(K) / 8


@variant("attention.scores/scaled-by-an-eighth")
def _(ref, Q, K):
    return by_pair(ref, Q, K, lambda query, key: 0.125 * dot(query, key))


@about_scores(
    "attention.scores/scaled-by-a-half",
    en=Explained(
        "You scaled by 1/2 whatever the width.",
        "That is the scale of d_k = 4. For any other width it is wrong.",
        hint="Where in your line does d_k appear?",
    ),
    zh_tw=Explained(
        "不管寬度多少，你都乘上 1/2。",
        "那是 d_k = 4 的縮放，換成別的寬度就錯了。",
        hint="你的算式裡，d_k 出現在哪裡？",
    ),
)
def scores_by_a_half(ref, Q, K):
    Q, K = pair(ref, Q, K)
    return Q @ swap(K) / 2


@variant("attention.scores/scaled-by-a-half")
def _(ref, Q, K):
    return by_pair(ref, Q, K, lambda query, key: 0.5 * dot(query, key))


@about_scores(
    "attention.scores/transposed",
    en=Explained(
        "Your scores are transposed: you computed K Q^T.",
        "Rows belong to queries and columns to keys. Turned around, the softmax that follows shares attention among the "
        "queries.",
        hint="Which row of your result belongs to query 0?",
    ),
    zh_tw=Explained(
        "你的分數轉置了：算的是 K Q^T。",
        "橫列屬於查詢，直行屬於鍵。反過來的話，後面的 softmax 就變成把注意力分給查詢。",
        hint="你的結果裡，哪一列屬於查詢 0？",
    ),
)
def scores_transposed(ref, Q, K):
    Q, K = pair(ref, Q, K)
    return K @ swap(Q) / math.sqrt(Q.shape[-1])


@variant("attention.scores/transposed")
def _(ref, Q, K):
    return by_pair(ref, K, Q, lambda query, key: dot(query, key) / math.sqrt(len(key)))


@about_scores(
    "attention.scores/already-softmaxed",
    en=Explained(
        "You returned weights, not scores.",
        "Your rows sum to 1: the softmax is in there already. Whoever takes the softmax of these again gets weights that "
        "are nearly equal.",
        hint="Which step belongs to `attention_weights`?",
    ),
    zh_tw=Explained(
        "你回傳的是權重，不是分數。",
        "你的每列總和為 1：已經做過 softmax 了。之後再做一次 softmax，權重就會變得幾乎一樣。",
        hint="哪一步是 `attention_weights` 的工作？",
    ),
)
def scores_as_weights(ref, Q, K):
    Q, K = pair(ref, Q, K)
    return ref.softmax(dots(Q, K))


@variant("attention.scores/already-softmaxed")
def _(ref, Q, K):
    return by_query(ref, Q, K, None, right_row)


@about_scores(
    "attention.scores/cosine",
    en=Explained(
        "You divided by the lengths of the vectors.",
        "That is the cosine similarity, between -1 and 1: a key can no longer say how strongly it answers. The formula "
        "divides by a constant only.",
        hint="Does a key that is twice as long get a score twice as large?",
    ),
    zh_tw=Explained(
        "你除以了向量的長度。",
        "那是餘弦相似度，介於 -1 和 1 之間：鍵就無法表達回應的強度了。公式只除以一個常數。",
        hint="鍵變成兩倍長時，分數有變成兩倍嗎？",
    ),
)
def scores_as_cosines(ref, Q, K):
    Q, K = pair(ref, Q, K)
    lengths = [np.linalg.norm(array, axis=-1, keepdims=True) for array in (Q, K)]
    return Q / lengths[0] @ swap(K / lengths[1])


@variant("attention.scores/cosine")
def _(ref, Q, K):
    return by_pair(ref, Q, K, lambda query, key: dot(query, key) / math.hypot(*query) / math.hypot(*key))


@about_scores(
    "attention.scores/all-axes-reversed",
    en=Explained(
        "You transposed with `.T`, which reverses all axes.",
        "For a matrix that is the transpose. With a batch axis in front it moves the batch to the end, and the product "
        "fails or mixes examples.",
        hint="What is the shape of `K.T` for K of shape [B, T, d_k]?",
    ),
    zh_tw=Explained(
        "你用 `.T` 轉置，它會把所有軸倒過來。",
        "對矩陣來說那就是轉置；前面有批次軸時，批次會跑到最後，乘積不是出錯就是混到別的例子。",
        hint="K 的形狀是 [B, T, d_k] 時，`K.T` 的形狀是什麼？",
    ),
)
def scores_with_axes_reversed(ref, Q, K):
    Q, K = pair(ref, Q, K)
    return Q @ K.T / math.sqrt(Q.shape[-1])


@variant("attention.scores/all-axes-reversed")
def _(ref, Q, K):
    Q, K = pair(ref, Q, K)
    return np.einsum("id,jd->ij", Q, K) / math.sqrt(Q.shape[-1])


@about_scores("attention.scores/one-batch-axis", **ONE_BATCH_AXIS)
def scores_of_one_batch_axis(ref, Q, K):
    Q, K = pair(ref, Q, K)
    return np.einsum("id,jd->ij" if Q.ndim == 2 else "bid,bjd->bij", Q, K) / math.sqrt(Q.shape[-1])


@variant("attention.scores/one-batch-axis")
def _(ref, Q, K):
    Q, K = pair(ref, Q, K)
    if Q.ndim == 2:
        return dots(Q, K)
    B, T_q, d_k = Q.shape
    return np.array([[K[b] @ Q[b, t] for t in range(T_q)] for b in range(B)]) / math.sqrt(d_k)


@about_scores("attention.scores/float32-widened", **WIDENED)
def scores_widened(ref, Q, K):
    Q, K = pair(ref, Q, K)
    return Q @ swap(K) / np.sqrt(np.float64(Q.shape[-1]))


@variant("attention.scores/float32-widened")
def _(ref, Q, K):
    return by_pair(ref, np.float64(Q), np.float64(K), lambda query, key: dot(query, key) / math.sqrt(len(key)))


@about_scores("attention.scores/float16-kept", **KEPT_HALF)
def scores_half(ref, Q, K):
    return halved(dots(*pair(ref, Q, K)), Q, K)


@variant("attention.scores/float16-kept")
def _(ref, Q, K):
    scores = by_pair(ref, Q, K, lambda query, key: dot(query, key) / math.sqrt(len(key)))
    return np.float16(scores) if Q.dtype == K.dtype == np.float16 else scores


@about_scores(
    "attention.scores/narrower-dtype-wins",
    en=Explained(
        "You gave float32 back although one input is float64.",
        "The digits of the wider input are thrown away before they are used. float32 is the result only where every input "
        "is float32.",
        hint="Whose dtype does your function take for the result?",
    ),
    zh_tw=Explained(
        "有一個輸入是 float64，你卻回傳 float32。",
        "較寬的輸入還沒用到，位數就先被丟掉了。只有全部輸入都是 float32 時，結果才是 float32。",
        hint="你的函式用誰的 dtype 當結果的型別？",
    ),
)
def scores_narrowed(ref, Q, K):
    scores = dots(*pair(ref, Q, K))
    return scores.astype(np.float32) if np.float32 in (Q.dtype, K.dtype) else scores


@variant("attention.scores/narrower-dtype-wins")
def _(ref, Q, K):
    scores = by_pair(ref, Q, K, lambda query, key: dot(query, key) / math.sqrt(len(key)))
    narrow = {Q.dtype, K.dtype} & {np.dtype(np.float32)}
    return np.asarray(scores, dtype=np.float32 if narrow else None)


@about_scores("attention.scores/integers-wrap-around", **WRAPPED)
def scores_of_integers(ref, Q, K):
    whole = Q.dtype.kind in "iu" and K.dtype.kind in "iu"
    q, k = (Q, K) if whole else pair(ref, Q, K)
    return q @ swap(k) / math.sqrt(q.shape[-1])


@variant("attention.scores/integers-wrap-around")
def _(ref, Q, K):
    bits = 8 * Q.dtype.itemsize if Q.dtype.kind == K.dtype.kind == "i" else None

    def score(query, key):
        product = dot(query, key)
        if bits:
            product = (int(product) + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)
        return product / math.sqrt(len(key))

    return by_pair(ref, Q, K, score)


@about_scores("attention.scores/changed-in-place", **IN_PLACE)
def scores_in_place(ref, Q, K):
    scores = dots(*pair(ref, Q, K))
    if Q.dtype.kind == "f":
        Q /= math.sqrt(Q.shape[-1])
    return scores


@variant("attention.scores/changed-in-place")
def _(ref, Q, K):
    scores = by_pair(ref, Q, K, lambda query, key: dot(query, key) / math.sqrt(len(key)))
    if Q.dtype.kind == "f":
        np.multiply(Q, Q.shape[-1] ** -0.5, out=Q)
    return scores


@about_scores("attention.scores/length-1-stretched", **STRETCHED)
def scores_stretched(ref, Q, K):
    q, k = ref.as_floats(Q, K)
    return np.einsum("...id,...jd->...ij", q, k) / math.sqrt(k.shape[-1])


@variant("attention.scores/length-1-stretched")
def _(ref, Q, K):
    q, k = ref.as_floats(Q, K)
    return (q[..., :, np.newaxis, :] * k[..., np.newaxis, :, :]).sum(axis=-1) / math.sqrt(k.shape[-1])


@about_scores(
    "attention.scores/keys-not-transposed",
    en=Explained(
        "You multiply Q by K, and not by the transpose of K.",
        "[T_q, d_k] times [T_k, d_k] does not fit, unless there happen to be d_k keys. Then it gives numbers, and they are no dot products of queries and keys.",
        hint="Write the shapes of both factors side by side. Which two sizes meet in the middle?",
    ),
    zh_tw=Explained(
        "你用 Q 乘 K，而不是乘 K 的轉置。",
        "[T_q, d_k] 乘 [T_k, d_k] 對不上，除非剛好有 d_k 個鍵。那時會得到數字，但不是查詢和鍵的內積。",
        hint="把兩個因子的形狀並排寫下來：中間碰在一起的是哪兩個大小？",
    ),
)
def scores_not_transposed(ref, Q, K):
    Q, K = ref.as_floats(Q, K)
    return Q @ K / math.sqrt(Q.shape[-1])


@variant("attention.scores/keys-not-transposed")
def _(ref, Q, K):
    Q, K = ref.as_floats(Q, K)
    if K.shape[-2] != Q.shape[-1]:
        raise ValueError(f"{Q.shape} and {K.shape} do not meet")
    return np.einsum("...ij,...jk->...ik", Q, K) * Q.dtype.type(1 / math.sqrt(K.shape[-2]))
