"""What goes wrong in the exercise attention.backward."""

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    EMPTY_NAN,
    IN_PLACE,
    KEPT_HALF,
    STRETCHED,
    WIDENED,
    about_backward,
    by_example,
    by_query,
    dot,
    floats_of,
    halved,
    hide,
    masked,
    right_row,
    share,
    swap,
)

BACKWARD = "... T_q d_k, ... T_k d_k, ... T_k d_v, ... T_q d_v"


def jacobian(A, dA):
    """The right way back through a softmax of rows."""
    return A * (dA - (A * dA).sum(axis=-1, keepdims=True))


def back(Q, K, A, dS, dV):
    """The right way back from the scores."""
    root = math.sqrt(Q.shape[-1])
    return dS @ K / root, swap(dS) @ Q / root, dV


def backward(ref, arrays, mask, *, through=jacobian, finish=back):
    """The gradients, in which a mistake may replace the way through the softmax or what follows."""
    Q, K, V, dZ = floats_of(ref, BACKWARD, *arrays)
    A = ref.attention_weights(Q, K, mask)
    return finish(Q, K, A, through(A, dZ @ swap(V)), swap(A) @ dZ)


def right_slope(a, g):
    """The gradient of a row's scores from that of its weights, through the whole Jacobian matrix."""
    return [sum(a[j] * ((j == k) - a[k]) * g[k] for k in range(len(a))) for j in range(len(a))]


def query_by_query(ref, arrays, mask, *, rule=right_row, slope=right_slope, scale=lambda width: width**-0.5):
    """The same, where each query adds its part to the gradients of keys and values."""
    Q, K, V, dZ = floats_of(ref, BACKWARD, *arrays)
    A = by_query(ref, Q, K, mask, rule)

    def work(q, k, v, dz, a):
        dq, dk, dv = (np.zeros(array.shape) for array in (q, k, v))
        for i, weights in enumerate(a):
            ds = np.array(slope(weights.tolist(), (np.float64(v) @ dz[i]).tolist())) * scale(q.shape[-1])
            dq[i] = ds @ k
            dk += np.multiply.outer(ds, q[i])
            dv += np.multiply.outer(weights, dz[i])
        return dq, dk, dv

    return tuple(part.astype(Q.dtype) for part in by_example(work, Q, K, V, dZ, A))


@about_backward(
    "attention.backward/row-sum-missing",
    en=Explained(
        "The sum over the row is missing from the softmax's gradient.",
        "All weights of a row share one sum, so raising one score lowers the others. Without that term a gradient that is "
        "the same for every key should cancel, but does not.",
        hint="What is the derivative of weight j with respect to score k, for j different from k?",
    ),
    zh_tw=Explained(
        "softmax 的梯度少了整列的總和項。",
        "同一列的權重共用一個總和，所以一個分數升高，其他權重就降低。少了這一項，對每個鍵都一樣的梯度本該抵消，卻沒有抵消。",
        hint="權重 j 對分數 k 的導數是什麼（j 不等於 k）？",
    ),
)
def backward_without_row_sum(ref, Q, K, V, dZ, mask=None):
    return backward(ref, (Q, K, V, dZ), mask, through=lambda A, dA: A * dA)


@variant("attention.backward/row-sum-missing")
def _(ref, Q, K, V, dZ, mask=None):
    def slope(a, g):
        return [weight * grade for weight, grade in zip(a, g, strict=True)]

    return query_by_query(ref, (Q, K, V, dZ), mask, slope=slope)


@about_backward(
    "attention.backward/diagonal-only",
    en=Explained(
        "You used a(1 - a), the derivative of a sigmoid, for the softmax.",
        "That is only the diagonal of its Jacobian. Each weight depends on all scores of its row, so the terms off the "
        "diagonal, -a_j a_k, count as well.",
        hint="How many entries has the Jacobian of a softmax of n numbers?",
    ),
    zh_tw=Explained(
        "你用了 sigmoid 的導數 a(1 - a) 當作 softmax 的導數。",
        "那只是雅可比矩陣的對角線。每個權重都取決於整列的分數，所以對角線以外的 -a_j a_k 也要算。",
        hint="n 個數的 softmax，雅可比矩陣有幾個元素？",
    ),
)
def backward_of_the_diagonal(ref, Q, K, V, dZ, mask=None):
    return backward(ref, (Q, K, V, dZ), mask, through=lambda A, dA: A * (1 - A) * dA)


@variant("attention.backward/diagonal-only")
def _(ref, Q, K, V, dZ, mask=None):
    def slope(a, g):
        return [(weight - weight**2) * grade for weight, grade in zip(a, g, strict=True)]

    return query_by_query(ref, (Q, K, V, dZ), mask, slope=slope)


@about_backward(
    "attention.backward/softmax-skipped",
    en=Explained(
        "You passed the gradient of the weights on as that of the scores.",
        "Between the two lies the softmax, and the chain rule multiplies by its Jacobian.",
        hint="Which function turns S into A, and where is its derivative in your code?",
    ),
    zh_tw=Explained(
        "你把權重的梯度直接當成分數的梯度。",
        "兩者之間隔著 softmax，連鎖律要乘上它的雅可比矩陣。",
        hint="是哪個函式把 S 變成 A？你的程式裡，它的導數在哪裡？",
    ),
)
def backward_past_the_softmax(ref, Q, K, V, dZ, mask=None):
    return backward(ref, (Q, K, V, dZ), mask, through=lambda _, dA: dA)


@variant("attention.backward/softmax-skipped")
def _(ref, Q, K, V, dZ, mask=None):
    return query_by_query(ref, (Q, K, V, dZ), mask, slope=lambda _, g: g)


@about_backward(
    "attention.backward/row-sum-added",
    en=Explained(
        "The sum over the row is added where it should be subtracted.",
        "The Jacobian of a softmax is diag(a) - a a^T. With a plus, raising all scores of a row by the same amount would "
        "change its weights.",
        hint="Which sign has the derivative of one weight with respect to another one's score?",
    ),
    zh_tw=Explained(
        "整列的總和項應該減，你卻用加的。",
        "softmax 的雅可比矩陣是 diag(a) - a a^T。用加號的話，整列分數同加一個數竟會改變權重。",
        hint="一個權重對別人的分數的導數，正負號是什麼？",
    ),
)
def backward_with_plus(ref, Q, K, V, dZ, mask=None):
    def through(A, dA):
        return A * (dA + (A * dA).sum(axis=-1, keepdims=True))

    return backward(ref, (Q, K, V, dZ), mask, through=through)


@variant("attention.backward/row-sum-added")
def _(ref, Q, K, V, dZ, mask=None):
    def slope(a, g):
        return [a[j] * g[j] + a[j] * dot(a, g) for j in range(len(a))]

    return query_by_query(ref, (Q, K, V, dZ), mask, slope=slope)


@about_backward(
    "attention.backward/summed-down-the-columns",
    en=Explained(
        "The sum in the softmax's gradient runs down the columns.",
        "The softmax ran along the rows, so its gradient sums along the rows too: the keys of one query belong together.",
        hint="Along which axis did the forward softmax normalise?",
    ),
    zh_tw=Explained(
        "softmax 梯度裡的總和沿著直行加了。",
        "前向的 softmax 沿著橫列，梯度也要沿著橫列加總：同一個查詢的各個鍵才是一組。",
        hint="前向的 softmax 沿著哪個軸正規化？",
    ),
)
def backward_down_the_columns(ref, Q, K, V, dZ, mask=None):
    def through(A, dA):
        return A * (dA - (A * dA).sum(axis=-2, keepdims=True))

    return backward(ref, (Q, K, V, dZ), mask, through=through)


@variant("attention.backward/summed-down-the-columns")
def _(ref, Q, K, V, dZ, mask=None):
    Q, K, V, dZ = floats_of(ref, BACKWARD, Q, K, V, dZ)
    A = by_query(ref, Q, K, mask, right_row)
    G = np.einsum("...iv,...jv->...ij", dZ, V)
    dS = (A * G - A * np.einsum("...ij,...ij->...j", A, G)[..., np.newaxis, :]) * Q.shape[-1] ** -0.5
    return (
        np.einsum("...ij,...jd->...id", dS, K),
        np.einsum("...ij,...id->...jd", dS, Q),
        np.einsum("...ij,...iv->...jv", A, dZ),
    )


@about_backward(
    "attention.backward/scale-missing",
    en=Explained(
        "The scale is missing from dQ and dK.",
        "The scores were divided by the root of d_k on the way forward, so what comes back through them is divided by it "
        "as well.",
        hint="Which factor stands between Q K^T and S?",
    ),
    zh_tw=Explained(
        "dQ 和 dK 少了縮放。",
        "前向時分數除以了 d_k 的平方根，反向傳回來時也要除以它。",
        hint="Q K^T 和 S 之間差了什麼因子？",
    ),
)
def backward_unscaled(ref, Q, K, V, dZ, mask=None):
    return backward(ref, (Q, K, V, dZ), mask, finish=lambda Q, K, _, dS, dV: (dS @ K, swap(dS) @ Q, dV))


@variant("attention.backward/scale-missing")
def _(ref, Q, K, V, dZ, mask=None):
    return query_by_query(ref, (Q, K, V, dZ), mask, scale=lambda _: 1.0)


@about_backward(
    "attention.backward/scaled-by-the-width",
    en=Explained(
        "dQ and dK are divided by d_k instead of its square root, or by the root twice.",
        "The scale is applied once on the way forward, so it comes in once on the way back.",
        hint="Count the factors between Q and S.",
    ),
    zh_tw=Explained(
        "dQ 和 dK 除以了 d_k 而不是它的平方根，或者除了兩次平方根。",
        "前向只縮放一次，反向也只出現一次。",
        hint="數一數 Q 和 S 之間有幾個因子。",
    ),
)
def backward_scaled_twice(ref, Q, K, V, dZ, mask=None):
    def finish(Q, K, _, dS, dV):
        return dS @ K / Q.shape[-1], swap(dS) @ Q / Q.shape[-1], dV

    return backward(ref, (Q, K, V, dZ), mask, finish=finish)


@variant("attention.backward/scaled-by-the-width")
def _(ref, Q, K, V, dZ, mask=None):
    return query_by_query(ref, (Q, K, V, dZ), mask, scale=lambda width: 1 / width)


@about_backward(
    "attention.backward/queries-and-keys-exchanged",
    en=Explained(
        "dQ and dK are returned in each other's place.",
        "Each gradient has the shape of what it is the gradient of. Where T_q and T_k differ the shapes tell, where they "
        "are equal nothing does.",
        hint="Which of your results has as many rows as Q?",
    ),
    zh_tw=Explained(
        "dQ 和 dK 回傳的位置對調了。",
        "每個梯度的形狀和它所對應的量一樣。T_q 和 T_k 不同時看形狀就知道，相同時就看不出來。",
        hint="你的結果中，哪一個的列數和 Q 一樣？",
    ),
)
def backward_exchanged(ref, Q, K, V, dZ, mask=None):
    dQ, dK, dV = backward(ref, (Q, K, V, dZ), mask)
    return dK, dQ, dV


@variant("attention.backward/queries-and-keys-exchanged")
def _(ref, Q, K, V, dZ, mask=None):
    found = dict(zip("QKV", query_by_query(ref, (Q, K, V, dZ), mask), strict=True))
    return [found[name] for name in "KQV"]


@about_backward(
    "attention.backward/weights-held-constant",
    en=Explained(
        "Nothing flows back through the weights.",
        "Q and K have an effect on Z through A alone. Holding A constant leaves dV right and makes dQ and dK 0: the "
        "network could never learn where to look.",
        hint="Which of Q, K and V does A depend on?",
    ),
    zh_tw=Explained(
        "沒有任何梯度經過權重傳回去。",
        "Q 和 K 只透過 A 影響 Z。把 A 當成常數，dV 是對的，dQ 和 dK 卻是 0：網路永遠學不會該看哪裡。",
        hint="A 取決於 Q、K、V 中的哪些？",
    ),
)
def backward_of_values_only(ref, Q, K, V, dZ, mask=None):
    return backward(ref, (Q, K, V, dZ), mask, through=lambda _, dA: 0 * dA)


@variant("attention.backward/weights-held-constant")
def _(ref, Q, K, V, dZ, mask=None):
    Q, K, V, dZ = floats_of(ref, BACKWARD, Q, K, V, dZ)
    A = by_query(ref, Q, K, mask, right_row)
    return np.zeros_like(Q), np.zeros_like(K), np.einsum("...ij,...iv->...jv", A, dZ)


@about_backward(
    "attention.backward/values-by-the-wrong-side",
    en=Explained(
        "dV was made with A where it takes the transpose of A.",
        "Value j went to query i with weight A[i, j], so the gradient comes back to j from every i with that weight.",
        hint="Over which axis of A must the product for dV sum?",
    ),
    zh_tw=Explained(
        "dV 用了 A，應該用 A 的轉置。",
        "值 j 以權重 A[i, j] 傳給查詢 i，所以梯度也以同樣的權重從每個 i 傳回 j。",
        hint="算 dV 的乘積應該對 A 的哪個軸求和？",
    ),
)
def backward_values_transposed(ref, Q, K, V, dZ, mask=None):
    Q, K, V, dZ = floats_of(ref, BACKWARD, Q, K, V, dZ)
    dV = ref.attention_weights(Q, K, mask) @ dZ
    return *backward(ref, (Q, K, V, dZ), mask)[:2], dV


@variant("attention.backward/values-by-the-wrong-side")
def _(ref, Q, K, V, dZ, mask=None):
    dQ, dK, _ = query_by_query(ref, (Q, K, V, dZ), mask)
    if Q.shape[-2] != K.shape[-2]:
        raise ValueError("the axes do not meet")
    q, k, _, dz = ref.as_floats(Q, K, V, dZ)
    return dQ, dK, np.einsum("...ij,...jv->...iv", by_query(ref, q, k, mask, right_row), dz)


@about_backward(
    "attention.backward/keys-by-the-wrong-side",
    en=Explained(
        "dK was made with dS where it takes the transpose of dS.",
        "Row j of dK collects from every query i what score [i, j] passes back.",
        hint="Over which axis of dS must the product for dK sum?",
    ),
    zh_tw=Explained(
        "dK 用了 dS，應該用 dS 的轉置。",
        "dK 的第 j 列，是把每個查詢 i 的分數 [i, j] 傳回來的梯度加起來。",
        hint="算 dK 的乘積應該對 dS 的哪個軸求和？",
    ),
)
def backward_keys_transposed(ref, Q, K, V, dZ, mask=None):
    def finish(Q, K, _, dS, dV):
        root = math.sqrt(Q.shape[-1])
        return dS @ K / root, dS @ Q / root, dV

    return backward(ref, (Q, K, V, dZ), mask, finish=finish)


@variant("attention.backward/keys-by-the-wrong-side")
def _(ref, Q, K, V, dZ, mask=None):
    q, k, v, dz = floats_of(ref, BACKWARD, Q, K, V, dZ)
    if Q.shape[-2] != K.shape[-2]:
        raise ValueError("the axes do not meet")
    A = by_query(ref, q, k, mask, right_row)
    G = np.einsum("...iv,...jv->...ij", dz, v)
    dS = (G - np.einsum("...ij,...ij->...i", A, G)[..., np.newaxis]) * A * Q.shape[-1] ** -0.5
    dQ, _, dV = query_by_query(ref, (Q, K, V, dZ), mask)
    return dQ, np.einsum("...ij,...jd->...id", dS, q), dV


@about_backward(
    "attention.backward/gradient-of-the-sum",
    en=Explained(
        "You took dZ for ones.",
        "That is the gradient of the sum of all outputs. dZ says how much the loss cares about each of them.",
        hint="Does your result change when dZ does?",
    ),
    zh_tw=Explained(
        "你把 dZ 當成全是 1。",
        "那是所有輸出總和的梯度。dZ 表示損失對每個輸出有多在意。",
        hint="dZ 改變時，你的結果會變嗎？",
    ),
)
def backward_of_the_sum(ref, Q, K, V, dZ, mask=None):
    Q, K, V, dZ = floats_of(ref, BACKWARD, Q, K, V, dZ)
    return backward(ref, (Q, K, V, np.ones_like(dZ)), mask)


@variant("attention.backward/gradient-of-the-sum")
def _(ref, Q, K, V, dZ, mask=None):
    Q, K, V, dZ = floats_of(ref, BACKWARD, Q, K, V, dZ)
    return query_by_query(ref, (Q, K, V, dZ * 0 + 1), mask)


@about_backward(
    "attention.backward/causal-unasked",
    en=Explained(
        "Without a mask your gradients are those of causal attention.",
        "No mask means that every query sees every key; a causal mask is passed where it is wanted.",
        hint="What does your function do where mask is None?",
    ),
    zh_tw=Explained(
        "沒有給遮罩時，你算的是因果注意力的梯度。",
        "沒有遮罩表示每個查詢都看得到每個鍵；需要因果遮罩時，呼叫者會傳進來。",
        hint="mask 是 None 時，你的函式做了什麼？",
    ),
)
def backward_causal(ref, Q, K, V, dZ, mask=None):
    mask = np.tri(Q.shape[-2], K.shape[-2], dtype=bool) if mask is None else mask
    return backward(ref, (Q, K, V, dZ), mask)


@variant("attention.backward/causal-unasked")
def _(ref, Q, K, V, dZ, mask=None):
    if mask is None:
        mask = np.array([[j <= i for j in range(K.shape[-2])] for i in range(Q.shape[-2])])
    return query_by_query(ref, (Q, K, V, dZ), mask)


@about_backward(
    "attention.backward/mask-ignored",
    en=Explained(
        "The mask has no effect on your gradients.",
        "A hidden key had no part in the output, so nothing comes back to it. Yours gets a gradient.",
        hint="Does the A of your backward pass equal that of the forward pass?",
    ),
    zh_tw=Explained(
        "遮罩對你的梯度沒有作用。",
        "被遮住的鍵沒有參與輸出，所以不該有梯度傳給它，你的卻有。",
        hint="你反向時用的 A，和前向的 A 一樣嗎？",
    ),
)
def backward_unmasked(ref, Q, K, V, dZ, mask=None):
    masked(ref, np.empty((*Q.shape[:-1], K.shape[-2])), mask)
    return backward(ref, (Q, K, V, dZ), None)


@variant("attention.backward/mask-ignored")
def _(ref, Q, K, V, dZ, mask=None):
    return query_by_query(ref, (Q, K, V, dZ), mask, rule=lambda row, _: share(row))


@about_backward(
    "attention.backward/mask-after-softmax",
    en=Explained(
        "Your backward pass masks the weights after the softmax.",
        "Their rows then sum to less than 1. Those are not the weights of the forward pass, so no gradient made from them "
        "is right.",
        hint="What do the rows of the A that you compute here sum to?",
    ),
    zh_tw=Explained(
        "反向時，你在 softmax 之後才遮罩權重。",
        "這樣每列的總和小於 1，和前向的權重不同，用它算出來的梯度都不對。",
        hint="你在這裡算的 A，每列總和是多少？",
    ),
)
def backward_of_late_masks(ref, Q, K, V, dZ, mask=None):
    Q, K, V, dZ = floats_of(ref, BACKWARD, Q, K, V, dZ)
    A = masked(ref, ref.attention_weights(Q, K), mask, fill=0)
    return back(Q, K, A, jacobian(A, dZ @ swap(V)), swap(A) @ dZ)


@variant("attention.backward/mask-after-softmax")
def _(ref, Q, K, V, dZ, mask=None):
    return query_by_query(ref, (Q, K, V, dZ), mask, rule=lambda row, may: hide(share(row), may, fill=0.0))


@about_backward(
    "attention.backward/mask-on-the-scores-only",
    en=Explained(
        "The mask was applied to dS, but not to the weights.",
        "The weights of the forward pass were masked. Computed without the mask they give hidden keys a share, so "
        "every gradient is that of another function, dV first of all.",
        hint="With which weights do you compute dV?",
    ),
    zh_tw=Explained(
        "遮罩只套用在 dS 上，沒有套用在權重上。",
        "前向的權重是遮罩過的。不用遮罩算出來的權重把一部分比例分給了被遮住的鍵，所以每個梯度都是別的函式的梯度，dV 首當其衝。",
        hint="你用哪一組權重算 dV？",
    ),
)
def backward_masked_late(ref, Q, K, V, dZ, mask=None):
    Q, K, V, dZ = floats_of(ref, BACKWARD, Q, K, V, dZ)
    A = ref.attention_weights(Q, K)
    dS = masked(ref, jacobian(A, dZ @ swap(V)), mask, fill=0)
    return back(Q, K, A, dS, swap(A) @ dZ)


@variant("attention.backward/mask-on-the-scores-only")
def _(ref, Q, K, V, dZ, mask=None):
    Q, K, V, dZ = floats_of(ref, BACKWARD, Q, K, V, dZ)
    A = by_query(ref, Q, K, None, right_row)
    G = np.einsum("...iv,...jv->...ij", dZ, V)
    dS = (G - np.einsum("...ij,...ij->...i", A, G)[..., np.newaxis]) * A * Q.shape[-1] ** -0.5
    if mask is not None:
        ref.require_mask(mask, dS)
        dS = dS * mask
    return (
        np.einsum("...ij,...jd->...id", dS, K),
        np.einsum("...ij,...id->...jd", dS, Q),
        np.einsum("...ij,...iv->...jv", A, dZ),
    )


@about_backward(
    "attention.backward/all-axes-reversed",
    en=Explained(
        "You transposed with `.T`, which reverses all axes.",
        "For a matrix that is the transpose. With a batch axis in front it moves the batch to the end, and the products "
        "fail or mix examples.",
        hint="What is the shape of `A.T` for A of shape [B, T_q, T_k]?",
    ),
    zh_tw=Explained(
        "你用 `.T` 轉置，它會把所有軸倒過來。",
        "對矩陣來說那就是轉置；前面有批次軸時，批次會跑到最後，乘積不是出錯就是混到別的例子。",
        hint="A 的形狀是 [B, T_q, T_k] 時，`A.T` 的形狀是什麼？",
    ),
)
def backward_with_axes_reversed(ref, Q, K, V, dZ, mask=None):
    Q, K, V, dZ = floats_of(ref, BACKWARD, Q, K, V, dZ)
    A = ref.attention_weights(Q, K, mask)
    dS = jacobian(A, dZ @ V.T) / math.sqrt(Q.shape[-1])
    return dS @ K, dS.T @ Q, A.T @ dZ


@variant("attention.backward/all-axes-reversed")
def _(ref, Q, K, V, dZ, mask=None):
    if Q.ndim > 2:
        raise ValueError("the axes do not meet")
    return query_by_query(ref, (Q, K, V, dZ), mask)


@about_backward("attention.backward/empty-row-nan", **EMPTY_NAN)
def backward_nan_for_nothing(ref, Q, K, V, dZ, mask=None):
    Q, K, V, dZ = floats_of(ref, BACKWARD, Q, K, V, dZ)
    A = ref.attention_weights(Q, K, mask)
    A = np.where(A.sum(axis=-1, keepdims=True) > 0.5, A, np.nan)
    return back(Q, K, A, jacobian(A, dZ @ swap(V)), swap(A) @ dZ)


@variant("attention.backward/empty-row-nan")
def _(ref, Q, K, V, dZ, mask=None):
    return query_by_query(
        ref, (Q, K, V, dZ), mask, rule=lambda row, may: right_row(row, may) if any(may) else [math.nan] * len(row)
    )


@about_backward("attention.backward/length-1-stretched", **STRETCHED)
def backward_stretched(ref, Q, K, V, dZ, mask=None):
    Q, K, V, dZ = ref.as_floats(Q, K, V, dZ)
    A = ref.attention_weights(Q, K, mask)
    dA = np.einsum("...iv,...jv->...ij", dZ, V)
    return back(Q, K, A, jacobian(A, dA), np.einsum("...ij,...iv->...jv", A, dZ))


@variant("attention.backward/length-1-stretched")
def _(ref, Q, K, V, dZ, mask=None):
    wanted = (*Q.shape[:-1], V.shape[-1])
    return query_by_query(ref, (Q, K, V, np.broadcast_to(dZ, wanted)), mask)


@about_backward("attention.backward/float32-widened", **WIDENED)
def backward_widened(ref, Q, K, V, dZ, mask=None):
    return backward(ref, (Q, K, V, np.asarray(dZ, dtype=np.float64)), mask)


@variant("attention.backward/float32-widened")
def _(ref, Q, K, V, dZ, mask=None):
    return [np.float64(part) for part in query_by_query(ref, (Q, K, V, dZ), mask)]


@about_backward("attention.backward/float16-kept", **KEPT_HALF)
def backward_half(ref, Q, K, V, dZ, mask=None):
    return tuple(halved(part, Q, K, V, dZ) for part in backward(ref, (Q, K, V, dZ), mask))


@variant("attention.backward/float16-kept")
def _(ref, Q, K, V, dZ, mask=None):
    parts = query_by_query(ref, (Q, K, V, dZ), mask)
    half = {array.dtype for array in (Q, K, V, dZ)} == {np.dtype(np.float16)}
    return [np.float16(part) for part in parts] if half else parts


@about_backward("attention.backward/changed-in-place", **IN_PLACE)
def backward_in_place(ref, Q, K, V, dZ, mask=None):
    parts = backward(ref, (Q, K, V, dZ), mask)
    if Q.dtype.kind == "f":
        Q /= math.sqrt(Q.shape[-1])
    return parts


@variant("attention.backward/changed-in-place")
def _(ref, Q, K, V, dZ, mask=None):
    parts = query_by_query(ref, (Q, K, V, dZ), mask)
    if Q.dtype.kind == "f":
        np.multiply(Q, Q.shape[-1] ** -0.5, out=Q)
    return parts
