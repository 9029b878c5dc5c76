"""What goes wrong in the exercise attention.attention."""

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    EMPTY_NAN,
    IN_PLACE,
    KEPT_HALF,
    NUMBERS_AS_MASK,
    STRETCHED,
    WIDENED,
    about_attention,
    by_example,
    by_query,
    halved,
    hide,
    masked,
    mixed,
    number_mask,
    right_row,
    share,
    swap,
    triple,
)


def by_hand(ref, Q, K, V, mask, weigh, pool=mixed):
    """Outputs of a batch: weights from a rule for rows, then a way to pool the values with them, in plain Python."""
    Q, K, V = triple(ref, Q, K, V)
    A = by_query(ref, Q, K, mask, weigh)
    Z = by_example(lambda a, v: np.array([pool(row, v.tolist()) for row in a.tolist()]), A, V)
    return Z.astype(V.dtype)


@about_attention(
    "attention.attention/keys-as-values",
    en=Explained(
        "You averaged the keys instead of the values.",
        "A key says what a token answers to, a value what it passes on. The result has width d_k where d_v was asked for.",
        hint="Does V have any effect on your result?",
    ),
    zh_tw=Explained(
        "你平均的是鍵，不是值。",
        "鍵表示詞元能回應什麼，值表示它要傳出去什麼。結果的寬度變成 d_k，應該是 d_v。",
        hint="V 對你的結果有影響嗎？",
    ),
)
def attention_of_keys(ref, Q, K, V, mask=None):
    Q, K, V = triple(ref, Q, K, V)
    return ref.attention_weights(Q, K, mask) @ K


@variant("attention.attention/keys-as-values")
def _(ref, Q, K, V, mask=None):
    Q, K, V = triple(ref, Q, K, V)
    return by_hand(ref, Q, K, K, mask, right_row)


@about_attention(
    "attention.attention/plain-mean",
    en=Explained(
        "Your output is the plain mean of the values.",
        "Every allowed key counts the same, so what a query asks has no effect: this is the averaged context that "
        "attention was made to improve on.",
        hint="Do Q and K have any effect on your result?",
    ),
    zh_tw=Explained(
        "你的輸出只是值的平均。",
        "每個可看的鍵分量都一樣，查詢問什麼都沒有影響：這就是注意力想要改進的平均上下文。",
        hint="Q 和 K 對你的結果有影響嗎？",
    ),
)
def attention_as_mean(ref, Q, K, V, mask=None):
    Q, K, V = triple(ref, Q, K, V)
    return ref.attention_weights(0 * Q, K, mask) @ V


@variant("attention.attention/plain-mean")
def _(ref, Q, K, V, mask=None):
    return by_hand(ref, Q, K, V, mask, lambda _, may: [open_ / (sum(may) or 1) for open_ in may])


@about_attention(
    "attention.attention/best-key-only",
    en=Explained(
        "Each query takes the value of its best key only.",
        "That is a look-up, not attention: a small change of the scores changes nothing or everything, and there is no "
        "gradient to learn from.",
        hint="What happens to the weights of the second-best key?",
    ),
    zh_tw=Explained(
        "每個查詢只拿最相配的那個鍵的值。",
        "那是查表，不是注意力：分數的小變動不是毫無影響就是全部改變，也沒有梯度可學。",
        hint="第二相配的鍵的權重到哪裡去了？",
    ),
)
def attention_of_the_best(ref, Q, K, V, mask=None):
    Q, K, V = triple(ref, Q, K, V)
    A = ref.attention_weights(Q, K, mask)
    best = np.arange(A.shape[-1]) == A.argmax(axis=-1)[..., np.newaxis]
    return (best & (A > 0)).astype(A.dtype) @ V


@variant("attention.attention/best-key-only")
def _(ref, Q, K, V, mask=None):
    def rule(row, may):
        kept = hide(row, may)
        return [float(any(may) and n == kept.index(max(kept))) for n in range(len(kept))]

    return by_hand(ref, Q, K, V, mask, rule)


@about_attention(
    "attention.attention/scores-as-weights",
    en=Explained(
        "You mixed the values by their scores, without a softmax.",
        "Scores can be negative and sum to anything, so the output is no mean of the values and grows with the sequence.",
        hint="What must the numbers satisfy with which a mean is taken?",
    ),
    zh_tw=Explained(
        "你直接用分數去混合值，沒有做 softmax。",
        "分數可以是負的，總和也不固定，所以輸出不是值的加權平均，還會隨序列變長而變大。",
        hint="拿來做加權平均的數必須滿足什麼？",
    ),
)
def attention_by_scores(ref, Q, K, V, mask=None):
    Q, K, V = triple(ref, Q, K, V)
    return masked(ref, ref.attention_scores(Q, K), mask, fill=0) @ V


@variant("attention.attention/scores-as-weights")
def _(ref, Q, K, V, mask=None):
    return by_hand(ref, Q, K, V, mask, lambda row, may: hide(row, may, fill=0.0))


@about_attention(
    "attention.attention/weights-transposed",
    en=Explained(
        "You multiplied the transposed weights with the values.",
        "Query i then gets what all queries give to key i. The columns of A do not sum to 1, so this is no mean; with "
        "T_q different from T_k it is not even possible.",
        hint="Over which axis of the weights must the product sum?",
    ),
    zh_tw=Explained(
        "你用轉置後的權重去乘值。",
        "這樣查詢 i 得到的是所有查詢給鍵 i 的比例。A 的直行總和不是 1，所以不是平均；T_q 和 T_k 不同時根本乘不起來。",
        hint="乘積應該對權重的哪個軸求和？",
    ),
)
def attention_transposed(ref, Q, K, V, mask=None):
    Q, K, V = triple(ref, Q, K, V)
    return swap(ref.attention_weights(Q, K, mask)) @ V


@variant("attention.attention/weights-transposed")
def _(ref, Q, K, V, mask=None):
    Q, K, V = triple(ref, Q, K, V)
    A = by_query(ref, Q, K, mask, right_row)
    if A.shape[-1] != A.shape[-2]:
        raise ValueError("queries do not meet values")
    return np.einsum("...ij,...iv->...jv", A, V)


@about_attention(
    "attention.attention/values-scaled",
    en=Explained(
        "The output is scaled by the width of the values.",
        "Only the scores are scaled. A mean of values has the size of a value already.",
        hint="Where does the formula divide, and by what?",
    ),
    zh_tw=Explained(
        "輸出又除以了值的寬度的平方根。",
        "只有分數需要縮放；值的平均本來就和值差不多大。",
        hint="公式在哪裡做除法？除以什麼？",
    ),
)
def attention_scaled(ref, Q, K, V, mask=None):
    Q, K, V = triple(ref, Q, K, V)
    return ref.attention_weights(Q, K, mask) @ V / math.sqrt(V.shape[-1])


@variant("attention.attention/values-scaled")
def _(ref, Q, K, V, mask=None):
    return by_hand(
        ref, Q, K, V, mask, right_row, lambda row, values: [z / math.sqrt(len(values[0])) for z in mixed(row, values)]
    )


@about_attention(
    "attention.attention/weights-returned-too",
    en=Explained(
        "You returned the weights along with the output.",
        "Many libraries do. Here the result is the output alone, as one array; the weights have a function of their own.",
        hint="What does the docstring say is returned?",
    ),
    zh_tw=Explained(
        "你把權重和輸出一起回傳了。",
        "很多函式庫這樣做，但這裡的結果只有輸出，是單一陣列；權重有自己的函式。",
        hint="docstring 說要回傳什麼？",
    ),
)
def attention_and_weights(ref, Q, K, V, mask=None):
    Q, K, V = triple(ref, Q, K, V)
    A = ref.attention_weights(Q, K, mask)
    return A @ V, A


@variant("attention.attention/weights-returned-too")
def _(ref, Q, K, V, mask=None):
    return [by_hand(ref, Q, K, V, mask, right_row), by_query(ref, *ref.as_floats(Q, K, V)[:2], mask, right_row)]


@about_attention(
    "attention.attention/mask-not-passed-on",
    en=Explained(
        "The mask does not arrive: your output is the same with and without it.",
        "`attention` takes the mask but computes its weights without, so every query sees every key.",
        hint="Follow the mask from the signature to the weights.",
    ),
    zh_tw=Explained(
        "遮罩沒有傳下去：有沒有遮罩，輸出都一樣。",
        "`attention` 收了遮罩，計算權重時卻沒有用，所以每個查詢都看到每個鍵。",
        hint="從函式的參數開始，追蹤遮罩一路走到權重。",
    ),
)
def attention_unmasked(ref, Q, K, V, mask=None):
    Q, K, V = triple(ref, Q, K, V)
    masked(ref, np.empty((*Q.shape[:-1], K.shape[-2])), mask)
    return ref.attention_weights(Q, K) @ V


@variant("attention.attention/mask-not-passed-on")
def _(ref, Q, K, V, mask=None):
    return by_hand(ref, Q, K, V, mask, lambda row, _: share(row))


@about_attention(
    "attention.attention/mask-after-softmax",
    en=Explained(
        "You masked the weights after the softmax.",
        "Hidden keys had taken their share before it was thrown away, so the weights of a row sum to less than 1 and the "
        "output is drawn towards 0.",
        hint="At which step must a key be out of the race?",
    ),
    zh_tw=Explained(
        "你在 softmax 之後才遮罩權重。",
        "被遮住的鍵先分走了一些比例，然後才被丟掉，所以一列權重的總和小於 1，輸出被拉向 0。",
        hint="鍵應該在哪一步之前就退出競爭？",
    ),
)
def attention_masked_late(ref, Q, K, V, mask=None):
    Q, K, V = triple(ref, Q, K, V)
    return masked(ref, ref.attention_weights(Q, K), mask, fill=0) @ V


@variant("attention.attention/mask-after-softmax")
def _(ref, Q, K, V, mask=None):
    return by_hand(ref, Q, K, V, mask, lambda row, may: hide(share(row), may, fill=0.0))


@about_attention(
    "attention.attention/mask-inverted",
    en=Explained(
        "The mask arrives the wrong way round.",
        "True means may attend; on the way to the weights it was turned into its opposite.",
        hint="Look for `~`, `not` or `1 - mask` between the signature and the weights.",
    ),
    zh_tw=Explained(
        "遮罩傳到時已經反了。",
        "True 表示可以看；在傳給權重的途中，它變成了相反的意思。",
        hint="在函式的參數和權重之間，找找看 `~`、`not` 或 `1 - mask`。",
    ),
)
def attention_inverted(ref, Q, K, V, mask=None):
    Q, K, V = triple(ref, Q, K, V)
    masked(ref, np.empty((*Q.shape[:-1], K.shape[-2])), mask)
    return ref.attention_weights(Q, K, None if mask is None else ~mask) @ V


@variant("attention.attention/mask-inverted")
def _(ref, Q, K, V, mask=None):
    def rule(row, may):
        return right_row(row, may if mask is None else [not open_ for open_ in may])

    return by_hand(ref, Q, K, V, mask, rule)


@about_attention(
    "attention.attention/causal-unasked",
    en=Explained(
        "Without a mask your attention is causal.",
        "No mask means that every query sees every key; a causal mask is passed where it is wanted.",
        hint="What does your function do where mask is None?",
    ),
    zh_tw=Explained(
        "沒有給遮罩時，你的注意力變成因果的。",
        "沒有遮罩表示每個查詢都看得到每個鍵；需要因果遮罩時，呼叫者會傳進來。",
        hint="mask 是 None 時，你的函式做了什麼？",
    ),
)
def attention_causal(ref, Q, K, V, mask=None):
    Q, K, V = triple(ref, Q, K, V)
    mask = np.tri(Q.shape[-2], K.shape[-2], dtype=bool) if mask is None else mask
    return ref.attention_weights(Q, K, mask) @ V


@variant("attention.attention/causal-unasked")
def _(ref, Q, K, V, mask=None):
    if mask is None:
        mask = np.array([[j <= i for j in range(K.shape[-2])] for i in range(Q.shape[-2])])
    return by_hand(ref, Q, K, V, mask, right_row)


@about_attention(
    "attention.attention/dot-for-batches",
    en=Explained(
        "You used np.dot, which pairs every example with every other.",
        "For matrices dot and matmul agree. With a batch, dot gives all combinations of two examples, and the result has "
        "twice as many axes in front.",
        hint="What is the shape of your result for a batch of 2?",
    ),
    zh_tw=Explained(
        "你用了 np.dot，它會讓每個例子和所有例子配對。",
        "對矩陣來說 dot 和 matmul 一樣；有批次時，dot 會算出任兩個例子的組合，結果前面的軸變成兩倍。",
        hint="批次大小為 2 時，你的結果是什麼形狀？",
    ),
)
def attention_by_dot(ref, Q, K, V, mask=None):
    Q, K, V = triple(ref, Q, K, V)
    return np.dot(ref.attention_weights(Q, K, mask), V)


@variant("attention.attention/dot-for-batches")
def _(ref, Q, K, V, mask=None):
    Q, K, V = triple(ref, Q, K, V)
    return np.tensordot(by_query(ref, Q, K, mask, right_row), V, axes=(-1, -2))


@about_attention(
    "attention.attention/batch-of-one-squeezed",
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
def attention_squeezed(ref, Q, K, V, mask=None):
    Q, K, V = triple(ref, Q, K, V)
    return np.squeeze(ref.attention_weights(Q, K, mask) @ V)


@variant("attention.attention/batch-of-one-squeezed")
def _(ref, Q, K, V, mask=None):
    Z = by_hand(ref, Q, K, V, mask, right_row)
    return Z.reshape([length for length in Z.shape if length != 1])


@about_attention("attention.attention/empty-row-nan", **EMPTY_NAN)
def attention_nan_for_nothing(ref, Q, K, V, mask=None):
    Q, K, V = triple(ref, Q, K, V)
    A = ref.attention_weights(Q, K, mask)
    total = A.sum(axis=-1, keepdims=True)
    return A @ V / np.where(total > 0.5, 1, np.nan).astype(A.dtype)


@variant("attention.attention/empty-row-nan")
def _(ref, Q, K, V, mask=None):
    return by_hand(ref, Q, K, V, mask, lambda row, may: right_row(row, may) if any(may) else [math.nan] * len(row))


@about_attention(
    "attention.attention/empty-row-mean",
    en=Explained(
        "A query that may attend to nothing gets the mean of all values.",
        "With a finite fill its scores are all equal, so it attends to everything that was to be hidden from it. Its "
        "output is 0.",
        hint="What are the weights of a row in which every key is hidden?",
    ),
    zh_tw=Explained(
        "什麼都不能看的查詢，拿到了所有值的平均。",
        "填有限的數時，它的分數全部相等，於是看到了所有應該遮住的東西。它的輸出應該是 0。",
        hint="所有鍵都被遮住的一列，權重是多少？",
    ),
)
def attention_mean_for_nothing(ref, Q, K, V, mask=None):
    Q, K, V = triple(ref, Q, K, V)
    S = masked(ref, ref.attention_scores(Q, K), mask, fill=np.finfo(Q.dtype).min)
    return ref.softmax(S) @ V


@variant("attention.attention/empty-row-mean")
def _(ref, Q, K, V, mask=None):
    return by_hand(ref, Q, K, V, mask, lambda row, may: right_row(row, may) if any(may) else [1 / len(row)] * len(row))


@about_attention("attention.attention/length-1-stretched", **STRETCHED)
def attention_stretched(ref, Q, K, V, mask=None):
    Q, K, V = ref.as_floats(Q, K, V)
    return np.einsum("...ij,...jv->...iv", ref.attention_weights(Q, K, mask), V)


@variant("attention.attention/length-1-stretched")
def _(ref, Q, K, V, mask=None):
    Q, K, V = ref.as_floats(Q, K, V)
    A = by_query(ref, Q, K, mask, right_row)
    return (A[..., np.newaxis] * V[..., np.newaxis, :, :]).sum(axis=-2)


@about_attention("attention.attention/numbers-as-mask", **NUMBERS_AS_MASK)
def attention_with_number_masks(ref, Q, K, V, mask=None):
    Q, K, V = triple(ref, Q, K, V)
    return ref.attention_weights(Q, K, number_mask(mask)) @ V


@variant("attention.attention/numbers-as-mask")
def _(ref, Q, K, V, mask=None):
    return by_hand(ref, Q, K, V, None if mask is None else np.array(mask, dtype=bool), right_row)


@about_attention("attention.attention/float32-widened", **WIDENED)
def attention_widened(ref, Q, K, V, mask=None):
    Q, K, V = triple(ref, Q, K, V)
    return ref.attention_weights(Q, K, mask) @ V.astype(np.float64)


@variant("attention.attention/float32-widened")
def _(ref, Q, K, V, mask=None):
    return by_hand(ref, np.float64(Q), np.float64(K), np.float64(V), mask, right_row)


@about_attention("attention.attention/float16-kept", **KEPT_HALF)
def attention_half(ref, Q, K, V, mask=None):
    q, k, v = triple(ref, Q, K, V)
    return halved(ref.attention_weights(q, k, mask) @ v, Q, K, V)


@variant("attention.attention/float16-kept")
def _(ref, Q, K, V, mask=None):
    Z = by_hand(ref, Q, K, V, mask, right_row)
    return np.float16(Z) if {Q.dtype, K.dtype, V.dtype} == {np.dtype(np.float16)} else Z


@about_attention("attention.attention/changed-in-place", **IN_PLACE)
def attention_in_place(ref, Q, K, V, mask=None):
    q, k, v = triple(ref, Q, K, V)
    Z = ref.attention_weights(q, k, mask) @ v
    if Q.dtype.kind == "f":
        Q /= math.sqrt(Q.shape[-1])
    return Z


@variant("attention.attention/changed-in-place")
def _(ref, Q, K, V, mask=None):
    Z = by_hand(ref, Q, K, V, mask, right_row)
    if Q.dtype.kind == "f":
        np.multiply(Q, Q.shape[-1] ** -0.5, out=Q)
    return Z
