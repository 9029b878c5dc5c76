"""What the mistakes share: the parts that they get right, the memory of a worker, and words for mistakes of both."""

from __future__ import annotations

import math
import tomllib
from functools import partial
from pathlib import Path

import numpy as np

from grader.testing import Explained, misconception

about_online = partial(misconception, name="online_softmax")

# What is told of each mistake, for those that come together with another.
ABOUT = {}


def about_blockwise(misconception_id, *, en, zh_tw):
    """Declare a mistake of `blockwise_attention`, and keep its words."""
    ABOUT[misconception_id] = (en, zh_tw)
    return misconception(misconception_id, en=en, zh_tw=zh_tw, name="blockwise_attention")


_LIMITS = tomllib.loads((Path(__file__).parents[1] / "assignment.toml").read_text("utf-8"))["limits"]


def take_memory(*shape, itemsize):
    """Raise what a worker raises for an array that its limit has no room for: mistakes are called where there is no limit."""
    if math.prod(shape) * itemsize >= _LIMITS["memory_mb"] * 2**20:
        raise MemoryError(f"an array of shape {shape} is larger than {_LIMITS['memory_mb']} MiB")


# --- One row of scores, in blocks ---------------------------------------------------------------------------------


def single(blocks):
    """Whether every block is float32."""
    return all(np.asarray(block).dtype == np.float32 for block in blocks)


def checked(blocks):
    """Return the blocks as a list of float64 arrays, once they are known to fit, and the dtype of the result."""
    arrays = [np.asarray(block) for block in blocks]
    if not arrays or any(array.shape[:-1] != arrays[0].shape[:-1] for array in arrays):
        raise ValueError("blocks of the same rows are needed, and at least one")
    return [array.astype(np.float64) for array in arrays], np.float32 if single(arrays) else np.float64


def fold(blocks, step, start=(-math.inf, 0.0), check=checked):
    """Fold `step(m, d, S) -> (m, d)` over blocks; m and d are [..., 1] and begin with `start`."""
    arrays, dtype = check(blocks)
    m, d = (np.full((*arrays[0].shape[:-1], 1), value) for value in start)
    for S in arrays:
        m, d = step(m, d, S)
    return m.astype(dtype), d.astype(dtype)


def by_row(blocks, rule):
    """Apply `rule(lists of scores) -> (m, d)` to each row, in plain Python."""
    arrays, dtype = checked(blocks)
    rows = arrays[0].shape[:-1]
    out = np.empty((2, *rows, 1), dtype=dtype)
    for index in np.ndindex(rows):
        out[(slice(None), *index, 0)] = rule([array[index].tolist() for array in arrays])
    return out[0], out[1]


def top(S):
    """The maximum of each row, [..., 1], -inf where there is none."""
    return S.max(axis=-1, keepdims=True, initial=-np.inf)


def ground(m):
    """What to subtract: m, or 0 where m is -inf."""
    return np.where(np.isneginf(m), 0, m)


def merge(m, d, S):
    """The right step."""
    new = np.maximum(m, top(S))
    return new, d * np.exp(m - ground(new)) + np.exp(S - ground(new)).sum(axis=-1, keepdims=True)


def exp(x):
    """The exponential of a number as NumPy has it, where Python would raise."""
    return math.exp(x) if x < 709.78 else math.inf


def total(scores, m):
    """The sum of exp(score - m), 0 where m is -inf."""
    return 0.0 if m == -math.inf else math.fsum(exp(score - m) for score in scores)


def highest(scores):
    """The largest, or -inf."""
    return max(scores, default=-math.inf)


def right_row(parts):
    """The right maximum and sum of one row."""
    scores = [score for part in parts for score in part]
    return highest(scores), total(scores, highest(scores))


# --- Attention in tiles -------------------------------------------------------------------------------------------


def prepared(ref, Q, K, V, tile, causal):
    """Return Q, K and V as floats of one dtype, once everything is known to fit."""
    ref.require_shapes("... T_q d_k, ... T_k d_k, ... T_k d_v", Q, K, V)
    limits(Q, K, tile, causal)
    return ref.as_floats(Q, K, V)


def limits(Q, K, tile, causal):
    """Refuse numbers out of range."""
    if tile < 1:
        raise ValueError("a tile holds at least one key")
    if Q.shape[-1] < 1:
        raise ValueError("a score of vectors without any number")
    if causal and Q.shape[-2] > K.shape[-2]:
        raise ValueError("more queries than keys")


def cuts(T_k, tile):
    """Where the tiles begin and end."""
    return [(a, min(a + tile, T_k)) for a in range(0, T_k, tile)]


def scaled(Q, K_j):
    """The right scores of all queries with some keys."""
    return Q @ K_j.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])


def past(T_q, T_k, a, b):
    """Which of the keys a to b each query may see, [T_q, b - a]."""
    return np.arange(a, b) <= np.arange(T_k - T_q, T_k)[:, None]


def take(state, S, V_j):
    """The right step: the state is m, d, Z."""
    m, d, Z = state
    new = np.maximum(m, top(S))
    old, P = np.exp(m - ground(new)), np.exp(S - ground(new))
    return new, d * old + P.sum(axis=-1, keepdims=True), Z * old + P @ V_j


def divided(state):
    """The output, 0 where nothing was summed."""
    _, d, Z = state
    return Z / np.where(d == 0, 1, d)


# A long sequence has few different queries: a mistake that treats each by itself need not be slow to be wrong.
_LONG = 64


def different(Q):
    """Return the different queries of a long sequence and which of them each query is; all of them in a short one."""
    if Q.ndim > 2 or len(Q) <= _LONG:
        return Q, slice(None)
    queries, which = np.unique(Q, axis=0, return_inverse=True)
    return queries, which.reshape(-1)


def stream(
    ref,
    Q,
    K,
    V,
    tile,
    causal,
    *,
    step=take,
    score=scaled,
    sees=past,
    fill=-np.inf,
    end=divided,
    parts=cuts,
    together=False,
):
    """Attention tile by tile; each keyword is one of its parts, and a mistake passes another.

    `together` says that what a query gets depends on the other queries.
    """
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    Q, which = (Q, slice(None)) if causal or together else different(Q)
    T_q, T_k = Q.shape[-2], K.shape[-2]
    m = np.full((*Q.shape[:-1], 1), -np.inf, dtype=Q.dtype)
    state = (m, np.zeros_like(m), np.zeros((*Q.shape[:-1], V.shape[-1]), dtype=Q.dtype))
    for a, b in parts(T_k, tile):
        S = score(Q, K[..., a:b, :])
        if causal:
            S = np.where(sees(T_q, T_k, a, b), S, S.dtype.type(fill))
        state = step(state, S, V[..., a:b, :])
    return end(state).astype(Q.dtype)[..., which, :]


def by_query(ref, Q, K, V, tile, causal, rule, *, scale=math.sqrt, may=None, fill=-math.inf):
    """Attention a query at a time, in plain Python.

    `rule(tiles) -> output`, a tile being a list of scores and a list of values; `may(j, p, tile)` says whether the key
    at position j is seen by the query at position p.
    """
    Q, K, V = prepared(ref, Q, K, V, tile, causal)
    Q, which = (Q, slice(None)) if causal else different(Q)
    out = np.zeros((*Q.shape[:-1], V.shape[-1]), dtype=Q.dtype)
    (T_q, d_k), T_k = Q.shape[-2:], K.shape[-2]
    may = may or (lambda j, p, _: j <= p)
    for *example, i in np.ndindex(Q.shape[:-1]):
        here, keys = tuple(example), range(T_k)
        scores = [math.fsum(Q[here][i] * K[here][j]) / scale(d_k) for j in keys]
        if causal:
            scores = [s if may(j, i + T_k - T_q, tile) else fill for j, s in enumerate(scores)]
        values = V[here].tolist()
        out[(*here, i)] = rule([(scores[a:b], values[a:b]) for a, b in cuts(T_k, tile)]) if T_k else 0
    return out[..., which, :]


def weighed(weights, values):
    """The sum of some rows with these weights, lists all."""
    return [math.fsum(w * v for w, v in zip(weights, column, strict=True)) for column in zip(*values, strict=True)]


def flat(tiles):
    """All scores and all values."""
    return [s for scores, _ in tiles for s in scores], [v for _, values in tiles for v in values]


def shares(scores):
    """The right softmax of a list."""
    m = highest(scores)
    d = total(scores, m)
    return [0.0 if m == -math.inf else math.exp(s - m) / d for s in scores]


def right_output(tiles):
    """The right rule for `by_query`."""
    scores, values = flat(tiles)
    return weighed(shares(scores), values)


def plus(a, b, by=1.0):
    """a + by * b, for lists."""
    return [x + by * y for x, y in zip(a, b, strict=True)]


def key_by_key(Q, K, V, causal):
    """The right output of a long sequence of floats: each different query once, its sums growing from key to key."""
    queries, which = different(Q)
    P = np.exp(scaled(queries, K).astype(np.float64) - top(scaled(queries, K)))
    d, Z = P.cumsum(axis=-1), (P[..., None] * V).cumsum(axis=-2)
    last = np.arange(len(K) - len(Q), len(K)) if causal else len(K) - 1
    return (Z[which, last] / d[which, last][:, None]).astype(Q.dtype)


def rows_at_once(Q, K, V, causal, shift=top, floor=-np.inf):
    """The right output of floats: some queries at a time, with all keys that the last of them sees."""
    T_q, T_k = Q.shape[-2], K.shape[-2]
    if Q.ndim == 2 and T_q > _LONG:
        return key_by_key(Q, K, V, causal)
    out = np.zeros((*Q.shape[:-1], V.shape[-1]), dtype=Q.dtype)
    for a in range(0, T_q, 64):
        q = Q[..., a : a + 64, :]
        b = a + q.shape[-2]
        n = T_k - T_q + b if causal else T_k
        S = scaled(q, K[..., :n, :])
        if causal:
            S = np.where(past(b - a, n, 0, n), S, S.dtype.type(floor))
        S -= ground(shift(S))
        np.exp(S, out=S)
        d = S.sum(axis=-1, keepdims=True)
        out[..., a:b, :] = S @ V[..., :n, :] / np.where(d == 0, 1, d)
    return out


def keys_in_front(Q, K, V, causal):
    """The right output of floats, from scores that stand as [..., T_k, rows]."""
    T_q, T_k = Q.shape[-2], K.shape[-2]
    if Q.ndim == 2 and T_q > _LONG:
        return key_by_key(Q, K, V, causal)
    parts = []
    for q, at in zip(
        *(np.array_split(x, max(1, T_q // 64), axis=-2) for x in (Q, np.arange(T_k - T_q, T_k)[:, None])), strict=True
    ):
        n = int(at[-1, 0]) + 1 if causal and at.size else T_k
        S = (K[..., :n, :] @ q.swapaxes(-1, -2)) * Q.dtype.type(Q.shape[-1] ** -0.5)
        if causal:
            S = np.where(np.arange(n)[:, None] > at[:, 0], -np.inf, S)
        P = np.exp(S - S.max(axis=-2, keepdims=True, initial=np.finfo(S.dtype).min))
        d = P.sum(axis=-2)[..., None]
        parts.append((P.swapaxes(-1, -2) @ V[..., :n, :]) / np.where(d == 0, 1, d))
    return np.concatenate(parts, axis=-2)


def right(ref, Q, K, V, tile, causal):
    """The right output, fast."""
    return rows_at_once(*prepared(ref, Q, K, V, tile, causal), causal)


def also_right(ref, Q, K, V, tile, causal):
    """The same, otherwise."""
    return keys_in_front(*prepared(ref, Q, K, V, tile, causal), causal)


# --- Told alike in both exercises ---------------------------------------------------------------------------------

WIDENED = {
    "en": Explained(
        "Your result is float64 although all input is float32.",
        "float32 in, float32 out. Here it is memory that counts, and a float64 array takes twice as much of it.",
        hint="Print the dtype of your running maximum and sum before the first step. np.zeros and np.full give float64 unless told otherwise.",
    ),
    "zh_tw": Explained(
        "輸入全是 float32，你的結果卻是 float64。",
        "規則是 float32 進、float32 出。這一題在意的就是記憶體，而 float64 的陣列要占兩倍。",
        hint="在第一步之前，把累計的最大值與總和的 dtype 印出來。np.zeros 和 np.full 若不另外指定，給的是 float64。",
    ),
}
KEPT_HALF = {
    "en": Explained(
        "You gave float16 back, or computed in it.",
        "float16 has three digits: a sum of many exponentials stops growing when the next one is too small to be seen. Every dtype but float32 is computed in float64.",
        hint="Which dtype does your running sum have when float16 comes in?",
    ),
    "zh_tw": Explained(
        "你回傳了 float16，或用 float16 計算。",
        "float16 只有三位有效數字：許多指數相加時，下一個小到看不見，總和就不再增加。除了 float32，其他型別一律以 float64 計算。",
        hint="輸入是 float16 時，你累計的總和是哪一種 dtype？",
    ),
}
ALWAYS_SINGLE = {
    "en": Explained(
        "Whatever comes in, float32 goes out.",
        "Only float32 is answered in float32. Everything else is computed in float64, and loses half of its digits in your function.",
        hint="Look for a dtype that you name yourself, instead of taking it from what you were given.",
    ),
    "zh_tw": Explained(
        "不管進來什麼，出去的都是 float32。",
        "只有 float32 才以 float32 回答。其他型別一律以 float64 計算，在你的函式裡卻丟了一半的位數。",
        hint="找找看哪裡的 dtype 是你自己寫死的，而不是取自引數。",
    ),
}
IN_PLACE = {
    "en": Explained(
        "The result is right, but you changed one of your arguments.",
        "An array is handed over, not copied: what you write into it stays there for the caller, who may go on to use it.",
        hint="Look for `-=`, `*=`, `/=` and `out=` on what you were given, and remember that a slice is a view of it.",
    ),
    "zh_tw": Explained(
        "結果是對的，但你改動了引數。",
        "傳進來的是陣列本身，不是複本：你寫進去的會留在呼叫者那裡，而對方可能還要用。",
        hint="找找看有沒有對引數用 `-=`、`*=`、`/=` 或 `out=`；也別忘了切片只是它的檢視（view）。",
    ),
}
