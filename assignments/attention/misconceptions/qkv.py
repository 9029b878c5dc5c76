"""What goes wrong in the exercise attention.qkv."""

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
    about_qkv,
    floats_of,
    halved,
)

QKV = "... T d_model, d_model d_k, d_model d_k, d_model d_v"


@about_qkv(
    "attention.qkv/keys-and-values-exchanged",
    en=Explained(
        "Keys and values are exchanged.",
        "Queries are matched against what should be passed on, and what is passed on are the keys. Where d_k and d_v "
        "differ, the shapes give it away.",
        hint="Which matrix makes which of your three results, and in which order do you return them?",
    ),
    zh_tw=Explained(
        "鍵和值對調了。",
        "查詢拿去比對的變成要傳出去的值，傳出去的卻是鍵。d_k 和 d_v 不同時，從形狀就看得出來。",
        hint="三個結果各由哪個矩陣產生？又以什麼順序回傳？",
    ),
)
def project_values_first(ref, X, W_q, W_k, W_v):
    X, W_q, W_k, W_v = floats_of(ref, QKV, X, W_q, W_k, W_v)
    return X @ W_q, X @ W_v, X @ W_k


@variant("attention.qkv/keys-and-values-exchanged")
def _(ref, X, W_q, W_k, W_v):
    arrays = floats_of(ref, QKV, X, W_q, W_k, W_v)
    Q, K, V = (np.einsum("...td,dw->...tw", arrays[0], W) for W in arrays[1:])
    return [Q, V, K]


@about_qkv(
    "attention.qkv/queries-and-keys-exchanged",
    en=Explained(
        "Queries and keys are exchanged.",
        "What a token asks and what it answers to are two different things. Exchanged, the scores come out transposed: "
        "token j looks at i where i should look at j.",
        hint="Which matrix makes which of your three results, and in which order do you return them?",
    ),
    zh_tw=Explained(
        "查詢和鍵對調了。",
        "詞元要問的和它能回應的是兩回事。對調之後分數會轉置：本來是 i 看 j，變成 j 看 i。",
        hint="三個結果各由哪個矩陣產生？又以什麼順序回傳？",
    ),
)
def project_keys_first(ref, X, W_q, W_k, W_v):
    X, W_q, W_k, W_v = floats_of(ref, QKV, X, W_q, W_k, W_v)
    return X @ W_k, X @ W_q, X @ W_v


@variant("attention.qkv/queries-and-keys-exchanged")
def _(ref, X, W_q, W_k, W_v):
    X, *matrices = floats_of(ref, QKV, X, W_q, W_k, W_v)
    first, second, third = (np.tensordot(X, W, axes=1) for W in matrices)
    return [second, first, third]


@about_qkv(
    "attention.qkv/one-matrix-for-all",
    en=Explained(
        "All three projections use W_q.",
        "With Q = K every token matches itself best, and the values are no longer free to carry anything else.",
        hint="Count how often each of the three matrices is used.",
    ),
    zh_tw=Explained(
        "三個投影都用了 W_q。",
        "Q 等於 K 時，每個詞元最相配的總是自己，值也不能再攜帶別的內容。",
        hint="數一數三個矩陣各用了幾次。",
    ),
)
def project_by_one_matrix(ref, X, W_q, W_k, W_v):
    X, W_q, _, _ = floats_of(ref, QKV, X, W_q, W_k, W_v)
    return (X @ W_q,) * 3


@variant("attention.qkv/one-matrix-for-all")
def _(ref, X, W_q, W_k, W_v):
    X, *matrices = floats_of(ref, QKV, X, W_q, W_k, W_v)
    return [np.einsum("...td,dw->...tw", X, matrices[0]) for _ in matrices]


@about_qkv(
    "attention.qkv/values-by-the-keys-matrix",
    en=Explained(
        "The values are projected by W_k.",
        "What a token passes on is then the same as what it answers to, and W_v has no effect at all.",
        hint="Count how often each of the three matrices is used.",
    ),
    zh_tw=Explained(
        "值是用 W_k 投影出來的。",
        "這樣一來，詞元傳出去的和它用來回應的完全一樣，W_v 毫無作用。",
        hint="數一數三個矩陣各用了幾次。",
    ),
)
def project_values_as_keys(ref, X, W_q, W_k, W_v):
    X, W_q, W_k, _ = floats_of(ref, QKV, X, W_q, W_k, W_v)
    return X @ W_q, X @ W_k, X @ W_k


@variant("attention.qkv/values-by-the-keys-matrix")
def _(ref, X, W_q, W_k, W_v):
    X, *matrices = floats_of(ref, QKV, X, W_q, W_k, W_v)
    return tuple(np.einsum("...td,dw->...tw", X, matrices[n]) for n in (0, 1, 1))


@about_qkv(
    "attention.qkv/values-not-projected",
    en=Explained(
        "The values are X itself, without W_v.",
        "Attention then averages the tokens as they came in; what a token passes on cannot be learned.",
        hint="Is W_v used at all?",
    ),
    zh_tw=Explained(
        "值就是 X 本身，沒有乘上 W_v。",
        "這樣注意力只是在平均原來的詞元，要傳出去什麼就學不到了。",
        hint="W_v 有用到嗎？",
    ),
)
def project_without_values(ref, X, W_q, W_k, W_v):
    X, W_q, W_k, _ = floats_of(ref, QKV, X, W_q, W_k, W_v)
    return X @ W_q, X @ W_k, X.copy()


@variant("attention.qkv/values-not-projected")
def _(ref, X, W_q, W_k, W_v):
    X, *matrices = floats_of(ref, QKV, X, W_q, W_k, W_v)
    matrices[2] = np.eye(X.shape[-1], dtype=X.dtype)
    return tuple(np.einsum("...td,dw->...tw", X, W) for W in matrices)


@about_qkv(
    "attention.qkv/matrices-transposed",
    en=Explained(
        "You multiplied by the transposed matrices.",
        "X W^T is how a layer that keeps its weights as [out, in] works. Here they are [d_model, d_k]: square ones give "
        "other numbers, all others an error.",
        hint="Write the shapes under the product: which axis of W meets d_model?",
    ),
    zh_tw=Explained(
        "你乘上的是轉置後的矩陣。",
        "把權重存成 [out, in] 的層才會算 X W^T。這裡的權重是 [d_model, d_k]：方陣會得到別的數，其他的會出錯。",
        hint="把形狀寫在乘積下面：W 的哪個軸對上 d_model？",
    ),
)
def project_transposed(ref, X, W_q, W_k, W_v):
    X, W_q, W_k, W_v = floats_of(ref, QKV, X, W_q, W_k, W_v)
    return X @ W_q.T, X @ W_k.T, X @ W_v.T


@variant("attention.qkv/matrices-transposed")
def _(ref, X, W_q, W_k, W_v):
    X, *matrices = floats_of(ref, QKV, X, W_q, W_k, W_v)
    if any(W.shape[1] != X.shape[-1] for W in matrices):
        raise ValueError("the axes do not meet")
    return tuple(np.inner(X, W) for W in matrices)


@about_qkv(
    "attention.qkv/queries-scaled",
    en=Explained(
        "You divided the queries by the root of their width.",
        "The scale belongs to the scores. Done here as well, it is done twice; and these projections are plain products.",
        hint="Where else in the module is 1 / sqrt(d_k) applied?",
    ),
    zh_tw=Explained(
        "你把查詢除以了寬度的平方根。",
        "縮放屬於分數那一步，在這裡也做就做了兩次；這裡的投影只是單純的矩陣乘積。",
        hint="模組裡還有哪裡用到 1 / sqrt(d_k)？",
    ),
)
def project_and_scale(ref, X, W_q, W_k, W_v):
    X, W_q, W_k, W_v = floats_of(ref, QKV, X, W_q, W_k, W_v)
    return X @ W_q / math.sqrt(W_q.shape[1]), X @ W_k, X @ W_v


@variant("attention.qkv/queries-scaled")
def _(ref, X, W_q, W_k, W_v):
    X, *matrices = floats_of(ref, QKV, X, W_q, W_k, W_v)
    scales = (W_q.shape[1] ** -0.5, 1.0, 1.0)
    return [np.einsum("...td,dw->...tw", X, W * scale) for W, scale in zip(matrices, scales, strict=True)]


@about_qkv(
    "attention.qkv/one-after-the-other",
    en=Explained(
        "Keys are made from the queries, and values from the keys.",
        "All three come from X: they are three views of the same token, not three layers on top of each other.",
        hint="What stands on the left of each of your three products?",
    ),
    zh_tw=Explained(
        "你用查詢去算鍵，再用鍵去算值。",
        "三者都來自 X：它們是同一個詞元的三種樣貌，不是一層疊一層。",
        hint="三個乘積的左邊各是什麼？",
    ),
)
def project_in_a_chain(ref, X, W_q, W_k, W_v):
    X, W_q, W_k, W_v = floats_of(ref, QKV, X, W_q, W_k, W_v)
    Q = X @ W_q
    K = Q @ W_k
    return Q, K, K @ W_v


@variant("attention.qkv/one-after-the-other")
def _(ref, X, W_q, W_k, W_v):
    X, W_q, W_k, W_v = floats_of(ref, QKV, X, W_q, W_k, W_v)
    first, second = np.dot(W_q, W_k), np.linalg.multi_dot([W_q, W_k, W_v])
    return tuple(np.dot(X, W) for W in (W_q, first, second))


@about_qkv(
    "attention.qkv/matrix-times-column",
    en=Explained(
        "You computed (W^T X^T)^T, which is right for one sequence only.",
        "`.T` reverses all axes: with a batch it brings the batch axis to the end, and the product no longer sums over "
        "d_model.",
        hint="What is the shape of `X.T` for a batch?",
    ),
    zh_tw=Explained(
        "你算的是 (W^T X^T)^T，只對單一序列正確。",
        "`.T` 會把所有軸倒過來：有批次時批次軸跑到最後，乘積就不再對 d_model 求和。",
        hint="有批次時，`X.T` 的形狀是什麼？",
    ),
)
def project_columns(ref, X, W_q, W_k, W_v):
    X, W_q, W_k, W_v = floats_of(ref, QKV, X, W_q, W_k, W_v)
    return (W_q.T @ X.T).T, (W_k.T @ X.T).T, (W_v.T @ X.T).T


@variant("attention.qkv/matrix-times-column")
def _(ref, X, W_q, W_k, W_v):
    X, *matrices = floats_of(ref, QKV, X, W_q, W_k, W_v)
    if X.ndim > 2:
        raise ValueError("d_model does not meet d_model")
    return tuple(np.einsum("dw,dt->tw", W, X.T) for W in matrices)


@about_qkv("attention.qkv/one-batch-axis", **ONE_BATCH_AXIS)
def project_one_batch_axis(ref, X, W_q, W_k, W_v):
    X, *matrices = floats_of(ref, QKV, X, W_q, W_k, W_v)
    letters = "td,dw->tw" if X.ndim == 2 else "btd,dw->btw"
    return tuple(np.einsum(letters, X, W) for W in matrices)


@variant("attention.qkv/one-batch-axis")
def _(ref, X, W_q, W_k, W_v):
    X, *matrices = floats_of(ref, QKV, X, W_q, W_k, W_v)
    if X.ndim == 2:
        return tuple(np.dot(X, W) for W in matrices)
    B, T, _ = X.shape
    return tuple(np.stack([X[b] @ W for b in range(B)]).reshape(B, T, -1) for W in matrices)


@about_qkv("attention.qkv/float32-widened", **WIDENED)
def project_widened(ref, X, W_q, W_k, W_v):
    X, W_q, W_k, W_v = floats_of(ref, QKV, X, W_q, W_k, W_v)
    X = X.astype(np.float64)
    return X @ W_q, X @ W_k, X @ W_v


@variant("attention.qkv/float32-widened")
def _(ref, X, W_q, W_k, W_v):
    ref.require_shapes(QKV, X, W_q, W_k, W_v)
    return tuple(np.einsum("...td,dw->...tw", X, W, dtype=np.float64, casting="unsafe") for W in (W_q, W_k, W_v))


@about_qkv("attention.qkv/float16-kept", **KEPT_HALF)
def project_half(ref, X, W_q, W_k, W_v):
    wide, *matrices = floats_of(ref, QKV, X, W_q, W_k, W_v)
    return tuple(halved(wide @ W, X) for W in matrices)


@variant("attention.qkv/float16-kept")
def _(ref, X, W_q, W_k, W_v):
    wide, *matrices = floats_of(ref, QKV, X, W_q, W_k, W_v)
    dtype = np.float16 if np.asarray(X).dtype == np.float16 else wide.dtype
    return [np.tensordot(wide, W, axes=1).astype(dtype) for W in matrices]


@about_qkv("attention.qkv/integers-wrap-around", **WRAPPED)
def project_integers(ref, X, W_q, W_k, W_v):
    whole = all(array.dtype.kind in "iu" for array in (X, W_q, W_k, W_v))
    X, W_q, W_k, W_v = (X, W_q, W_k, W_v) if whole else floats_of(ref, QKV, X, W_q, W_k, W_v)
    return X @ W_q, X @ W_k, X @ W_v


@variant("attention.qkv/integers-wrap-around")
def _(ref, X, W_q, W_k, W_v):
    wide, *matrices = floats_of(ref, QKV, X, W_q, W_k, W_v)
    results = [np.einsum("...td,dw->...tw", wide, W) for W in matrices]
    if X.dtype.kind not in "iu":
        return results
    return [result.astype(np.int64).astype(X.dtype) for result in results]


@about_qkv("attention.qkv/changed-in-place", **IN_PLACE)
def project_flattened(ref, X, W_q, W_k, W_v):
    wide, W_q, W_k, W_v = floats_of(ref, QKV, X, W_q, W_k, W_v)
    results = wide @ W_q, wide @ W_k, wide @ W_v
    X.resize((X.size // X.shape[-1], X.shape[-1]), refcheck=False)
    return results


@variant("attention.qkv/changed-in-place")
def _(ref, X, W_q, W_k, W_v):
    wide, *matrices = floats_of(ref, QKV, X, W_q, W_k, W_v)
    results = [np.einsum("...td,dw->...tw", wide, W) for W in matrices]
    X.resize(math.prod(X.shape[:-1]), X.shape[-1], refcheck=False)
    return results


@about_qkv("attention.qkv/length-1-stretched", **STRETCHED)
def project_stretched(ref, X, W_q, W_k, W_v):
    wide, *matrices = ref.as_floats(X, W_q, W_k, W_v)
    return tuple(np.einsum("...td,dw->...tw", wide, W) for W in matrices)


@variant("attention.qkv/length-1-stretched")
def _(ref, X, W_q, W_k, W_v):
    wide, *matrices = ref.as_floats(X, W_q, W_k, W_v)
    return tuple((wide[..., np.newaxis] * W).sum(axis=-2) for W in matrices)
