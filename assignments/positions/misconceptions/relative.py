"""What goes wrong in the exercise positions.relative."""

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    ALWAYS_FLOAT32,
    BASE_DEFAULT,
    BASE_IGNORED,
    FLOAT32_LOST,
    HALF_KEPT,
    IN_PLACE,
    ODD_ACCEPTED,
    TRUNCATED,
    _alike,
    _at,
    _count,
    _met,
    _placed,
    _positive,
    _scores,
    _width,
    relative,
)


def _both(q, k, n, base):
    """Return the right turned queries and keys, [n, d] each."""
    q, k = _alike(q, k)
    _count(n)
    return _placed(q, range(n), base), _placed(k, range(n), base)


def _right(q, k, n, base):
    Q, K = _both(q, k, n, base)
    return Q @ K.T


def _right_by_pairs(q, k, n, base):
    return _scores(q, k, n, base, lambda i, j, pairs: sum(_met(_at(a, (i - j) * f), b) for f, a, b in pairs))


@relative(
    "positions.relative/turned-apart",
    en=Explained(
        "You turn the key the other way than the query.",
        "Then the score depends on i + j, not on i - j: the same two tokens meet differently further down the text. Turned "
        "alike, the two turns cancel but for the distance.",
        hint="Move both tokens one step. Does their score stay the same?",
    ),
    zh_tw=Explained(
        "你轉鍵的方向和轉查詢的方向相反。",
        "這樣分數取決於 i + j 而不是 i - j：同樣的兩個詞元，往後挪一點，分數就變了。兩者同向轉，才會互相抵消，只剩距離。",
        hint="把兩個詞元都往後移一步。分數有保持不變嗎？",
    ),
)
def turned_apart(ref, q, k, n, base=10000.0):
    q, k = _alike(q, k)
    _count(n)
    return _placed(q, range(n), base) @ _placed(k, -np.arange(n), base).T


@variant("positions.relative/turned-apart")
def turned_apart_by_pairs(ref, q, k, n, base=10000.0):
    return _scores(q, k, n, base, lambda i, j, pairs: sum(_met(_at(a, (i + j) * f), b) for f, a, b in pairs))


@relative(
    "positions.relative/mirrored",
    en=Explained(
        "Your matrix is mirrored: entry [i, j] stands at [j, i].",
        "Rows belong to the query, columns to the key. That the query comes two steps after the key is not the same as that "
        "it comes two steps before. Turning clockwise, or giving q the key's place, has the same effect.",
        hint="At which position does the query stand in row 2 of your matrix?",
    ),
    zh_tw=Explained(
        "你的矩陣是鏡像的：[i, j] 的分數放在 [j, i]。",
        "橫列屬於查詢，直行屬於鍵。查詢在鍵的後面兩步，和在前面兩步不同。順時針轉，或把 q 和 k 對調，效果也一樣。",
        hint="在你矩陣的第 2 個橫列，查詢站在哪個位置？",
    ),
)
def mirrored(ref, q, k, n, base=10000.0):
    Q, K = _both(q, k, n, base)
    return K @ Q.T


@variant("positions.relative/mirrored")
def mirrored_by_pairs(ref, q, k, n, base=10000.0):
    return _scores(q, k, n, base, lambda i, j, pairs: sum(_met(_at(a, j * f), _at(b, i * f)) for f, a, b in pairs))


@relative(
    "positions.relative/scaled",
    en=Explained(
        "You divide by the root of the width.",
        "Attention does so, but the question here is what the turns do to a dot product. At distance 0 the score is q . k.",
        hint="Compare a diagonal entry with q . k.",
    ),
    zh_tw=Explained(
        "你除以了寬度的平方根。",
        "注意力會這麼做，但這裡問的是旋轉對內積做了什麼。距離 0 的分數就是 q · k。",
        hint="拿一個對角線上的項目和 q · k 比較。",
    ),
)
def scaled(ref, q, k, n, base=10000.0):
    return _right(q, k, n, base) / math.sqrt(len(q))


@variant("positions.relative/scaled")
def scaled_by_pairs(ref, q, k, n, base=10000.0):
    root = len(q) ** 0.5
    return _scores(
        q, k, n, base, lambda i, j, pairs: sum(_met(_at(a, i * f), _at(b, j * f)) for f, a, b in pairs) / root
    )


@relative(
    "positions.relative/query-only",
    en=Explained(
        "You turn the query and leave the key as it is.",
        "Each row of your matrix is one number over and over: the score knows where the query stands, and not how far the key "
        "is from it.",
        hint="Do the scores of one row differ?",
    ),
    zh_tw=Explained(
        "你只轉了查詢，鍵原封不動。",
        "你矩陣的每個橫列都是同一個數：分數知道查詢在哪裡，卻不知道鍵離它多遠。",
        hint="同一個橫列的分數有差別嗎？",
    ),
)
def query_only(ref, q, k, n, base=10000.0):
    Q, _ = _both(q, k, n, base)
    return Q @ np.tile(k.astype(Q.dtype), (n, 1)).T


@variant("positions.relative/query-only")
def query_only_by_pairs(ref, q, k, n, base=10000.0):
    return _scores(q, k, n, base, lambda i, _, pairs: sum(_met(_at(a, i * f), b) for f, a, b in pairs))


@relative(
    "positions.relative/key-only",
    en=Explained(
        "You turn the key and leave the query as it is.",
        "Each column of your matrix is one number over and over: the score knows where the key stands, and not how far it is "
        "from the query.",
        hint="Do the scores of one column differ?",
    ),
    zh_tw=Explained(
        "你只轉了鍵，查詢原封不動。",
        "你矩陣的每個直行都是同一個數：分數知道鍵在哪裡，卻不知道它離查詢多遠。",
        hint="同一個直行的分數有差別嗎？",
    ),
)
def key_only(ref, q, k, n, base=10000.0):
    _, K = _both(q, k, n, base)
    return np.tile(q.astype(K.dtype), (n, 1)) @ K.T


@variant("positions.relative/key-only")
def key_only_by_pairs(ref, q, k, n, base=10000.0):
    return _scores(q, k, n, base, lambda _, j, pairs: sum(_met(a, _at(b, j * f)) for f, a, b in pairs))


@relative(
    "positions.relative/not-turned",
    en=Explained(
        "You turn neither the query nor the key.",
        "Every entry is q . k. That is attention without positions: how far apart two tokens stand makes no difference.",
        hint="Print the matrix. Does anything in it depend on i or j?",
    ),
    zh_tw=Explained(
        "查詢和鍵你都沒有轉。",
        "每一項都是 q · k。這是沒有位置的注意力：兩個詞元離多遠都沒有差別。",
        hint="印出矩陣。裡面有東西和 i 或 j 有關嗎？",
    ),
)
def not_turned(ref, q, k, n, base=10000.0):
    _both(q, k, n, base)
    q, k = _alike(q, k)
    return np.full((n, n), q @ k, dtype=q.dtype)


@variant("positions.relative/not-turned")
def not_turned_by_pairs(ref, q, k, n, base=10000.0):
    return _scores(q, k, n, base, lambda _i, _j, pairs: sum(_met(a, b) for _, a, b in pairs))


@relative(
    "positions.relative/causal",
    en=Explained(
        "You hide the keys that come after the query.",
        "Masking is another exercise. Here every pair of positions has its score, also where the key comes later; that shows "
        "that before and after are told apart.",
        hint="Look above the diagonal.",
    ),
    zh_tw=Explained(
        "你把查詢之後的鍵遮住了。",
        "遮罩是另一份作業。這裡每一對位置都有分數，鍵在後面的也有；這樣才看得出先後是分得清的。",
        hint="看看對角線的上方。",
    ),
)
def causal(ref, q, k, n, base=10000.0):
    S = _right(q, k, n, base)
    return np.where(np.tri(n, dtype=bool), S, -np.inf).astype(S.dtype)


@variant("positions.relative/causal")
def causal_by_loop(ref, q, k, n, base=10000.0):
    S = _right_by_pairs(q, k, n, base)
    for i in range(n):
        S[i, i + 1 :] = -math.inf
    return S


@relative(
    "positions.relative/lower-triangle",
    en=Explained(
        "Your matrix is 0 above the diagonal.",
        "You fill in keys up to the query and leave the others out. Every pair of positions has its score, also where the key "
        "comes later.",
        hint="How far does your inner loop, or your triangle, go?",
    ),
    zh_tw=Explained(
        "你的矩陣在對角線上方是 0。",
        "你只填了到查詢為止的鍵，其他的沒有填。每一對位置都有分數，鍵在後面的也有。",
        hint="你的內層迴圈或三角形走到哪裡？",
    ),
)
def lower_triangle(ref, q, k, n, base=10000.0):
    return np.tril(_right(q, k, n, base))


@variant("positions.relative/lower-triangle")
def lower_triangle_by_loop(ref, q, k, n, base=10000.0):
    right = _right_by_pairs(q, k, n, base)
    S = np.zeros_like(right)
    for i in range(n):
        for j in range(i + 1):
            S[i, j] = right[i, j]
    return S


@relative(
    "positions.relative/weights",
    en=Explained(
        "You return weights, not scores.",
        "A softmax has run over the rows. What is asked for are the dot products themselves; they may be negative, and their "
        "rows sum to anything.",
        hint="Which line of your function belongs to attention and not to this exercise?",
    ),
    zh_tw=Explained(
        "你回傳的是權重，不是分數。",
        "你對各橫列做了 softmax。題目要的是內積本身；它們可以是負的，橫列的和也可以是任何數。",
        hint="你函式裡的哪個敘述屬於注意力，而不屬於這一題？",
    ),
)
def weights(ref, q, k, n, base=10000.0):
    S = _right(q, k, n, base)
    E = np.exp(S - S.max(axis=-1, keepdims=True, initial=-np.inf))
    return E / E.sum(axis=-1, keepdims=True)


@variant("positions.relative/weights")
def weights_by_row(ref, q, k, n, base=10000.0):
    S = _right_by_pairs(q, k, n, base)
    for row in S:
        parts = [math.exp(s - max(row)) for s in row.tolist()]
        row[:] = [part / math.fsum(parts) for part in parts]
    return S


@relative(
    "positions.relative/distance-without-sign",
    en=Explained(
        "You turn by |i - j|, so that before and after are the same.",
        "The sign of the distance says who comes first. Without it `dog bites man` and `man bites dog` give the same scores.",
        hint="Compare entries [0, 2] and [2, 0].",
    ),
    zh_tw=Explained(
        "你轉的是 |i - j|，於是前後就一樣了。",
        "距離的正負號說明誰在前面。少了它，「狗咬人」和「人咬狗」的分數會相同。",
        hint="比較 [0, 2] 和 [2, 0] 兩項。",
    ),
)
def distance_without_sign(ref, q, k, n, base=10000.0):
    S = _right(q, k, n, base)
    return np.tril(S) + np.tril(S, -1).T


@variant("positions.relative/distance-without-sign")
def distance_without_sign_by_pairs(ref, q, k, n, base=10000.0):
    return _scores(q, k, n, base, lambda i, j, pairs: sum(_met(_at(a, abs(i - j) * f), b) for f, a, b in pairs))


@relative(
    "positions.relative/one-step-off",
    en=Explained(
        "Your query stands one step further on than your key.",
        "Counting both from 1 would do no harm, for only the distance counts. But you count one from 0 and the other from 1, "
        "so the plain q . k is no longer on the diagonal.",
        hint="Where do the positions of q begin in your function, and where those of k?",
    ),
    zh_tw=Explained(
        "你的查詢比鍵多走了一步。",
        "兩者都從 1 數起無妨，因為只看距離。但你一個從 0 數、一個從 1 數，所以 q · k 已經不在對角線上了。",
        hint="在你的函式裡，q 的位置從哪裡開始？k 的呢？",
    ),
)
def one_step_off(ref, q, k, n, base=10000.0):
    q, k = _alike(q, k)
    _count(n)
    return _placed(q, np.arange(1, n + 1), base) @ _placed(k, np.arange(n), base).T


@variant("positions.relative/one-step-off")
def one_step_off_by_pairs(ref, q, k, n, base=10000.0):
    return _scores(q, k, n, base, lambda i, j, pairs: sum(_met(_at(a, (i - j + 1) * f), b) for f, a, b in pairs))


@relative(
    "positions.relative/half-split",
    en=Explained(
        "You pair column i with column i + d/2.",
        "Some libraries do. Here neighbours are a pair, columns 2i and 2i+1: another pairing turns other numbers into each "
        "other, and all scores but those at distance 0 change.",
        hint="Does your own apply_rope do the turning, or another piece of code?",
    ),
    zh_tw=Explained(
        "你把直行 i 和直行 i + d/2 配成了一對。",
        "有些函式庫這樣做。在這裡相鄰的是一對，直行 2i 和 2i+1：換一種配法，互相轉換的就是別的數，除了距離 0 以外的分數都會變。",
        hint="轉動的是你自己的 apply_rope，還是另一段程式？",
    ),
)
def half_split(ref, q, k, n, base=10000.0):
    order = np.arange(len(q)).reshape(2, -1).T.ravel() if len(q) % 2 == 0 else np.arange(len(q))
    _alike(q, k)
    return _right(q[order], k[order], n, base)


@variant("positions.relative/half-split")
def half_split_by_halves(ref, q, k, n, base=10000.0):
    q, k = _alike(q, k)
    _count(n)
    _width(len(q), base)
    half = len(q) // 2
    angles = np.outer(np.arange(n), base ** (-2 * np.arange(half) / len(q)))
    c, s = np.cos(angles).astype(q.dtype), np.sin(angles).astype(q.dtype)
    Q, K = (np.hstack([v[:half] * c - v[half:] * s, v[:half] * s + v[half:] * c]) for v in (q, k))
    return Q @ K.T


@relative(
    "positions.relative/product-turned",
    en=Explained(
        "You multiply the query with the key first and turn the product.",
        "Turning and multiplying column by column do not change places: the dot product of two turned vectors is not the sum "
        "of a turned product.",
        hint="The order is: turn q, turn k, then multiply and add.",
    ),
    zh_tw=Explained(
        "你先把查詢和鍵相乘，再轉乘積。",
        "旋轉和逐項相乘不能對調：兩個轉過的向量的內積，不等於把乘積轉過之後再加總。",
        hint="順序是：轉 q、轉 k，然後相乘並加總。",
    ),
)
def product_turned(ref, q, k, n, base=10000.0):
    q, k = _alike(q, k)
    _count(n)
    distances = np.subtract.outer(np.arange(n), np.arange(n)).ravel()
    return _placed(q * k, distances, base).sum(axis=-1).reshape(n, n)


@variant("positions.relative/product-turned")
def product_turned_by_pairs(ref, q, k, n, base=10000.0):
    def score(i, j, pairs):
        turned = [_at(complex(a.real * b.real, a.imag * b.imag), (i - j) * f) for f, a, b in pairs]
        return sum(z.real + z.imag for z in turned)

    return _scores(q, k, n, base, score)


@relative(
    "positions.relative/cosines",
    en=Explained(
        "You divide by the lengths of the two vectors.",
        "That gives the cosine between them, which lies between -1 and 1. What is asked for is the dot product, in which the "
        "lengths have a say.",
        hint="Double q. Does your result double?",
    ),
    zh_tw=Explained(
        "你除以了兩個向量的長度。",
        "那得到的是它們之間的餘弦，介於 -1 和 1 之間。題目要的是內積，長度在裡面也有份。",
        hint="把 q 變成兩倍。你的結果有變成兩倍嗎？",
    ),
)
def cosines(ref, q, k, n, base=10000.0):
    S = _right(q, k, n, base)
    return (S / np.sqrt((q.astype(float) ** 2).sum() * (k.astype(float) ** 2).sum())).astype(S.dtype)


@variant("positions.relative/cosines")
def cosines_by_pairs(ref, q, k, n, base=10000.0):
    lengths = math.hypot(*q.ravel().tolist()) * math.hypot(*k.ravel().tolist())
    return _scores(q, k, n, base, lambda i, j, pairs: sum(_met(_at(a, (i - j) * f), b) for f, a, b in pairs) / lengths)


@relative(
    "positions.relative/one-row",
    en=Explained(
        "You return one row, a score for each distance.",
        "It holds the right numbers, but a query in the middle of a text has keys on both sides. [n, n] has a row for each "
        "position of the query.",
        hint="Print the shape for n = 5.",
    ),
    zh_tw=Explained(
        "你只回傳了一個橫列，一個距離一個分數。",
        "數字是對的，但文字中間的查詢兩邊都有鍵。[n, n] 裡，查詢的每個位置都有一個橫列。",
        hint="印出 n = 5 時的形狀。",
    ),
)
def one_row(ref, q, k, n, base=10000.0):
    return _right(q, k, n, base)[:, :1].ravel()


@variant("positions.relative/one-row")
def one_row_by_pairs(ref, q, k, n, base=10000.0):
    return np.array([row[0] for row in _right_by_pairs(q, k, n, base)], dtype=_alike(q, k)[0].dtype)


@relative(
    "positions.relative/turned-again-and-again",
    en=Explained(
        "You turn what you have turned already.",
        "Position i is reached by one turn from the start. If the result of position i - 1 is turned on by i, the turns add "
        "up: 0, 1, 3, 6 instead of 0, 1, 2, 3.",
        hint="Which vector goes into your turn at position 2: q itself, or what came out at position 1?",
    ),
    zh_tw=Explained(
        "你把已經轉過的再拿去轉。",
        "位置 i 是從頭轉一次就到的。若把位置 i - 1 的結果再轉 i，角度會累加：0、1、3、6，而不是 0、1、2、3。",
        hint="位置 2 的旋轉用的是哪個向量：q 本身，還是位置 1 的結果？",
    ),
)
def again_and_again(ref, q, k, n, base=10000.0):
    q, k = _alike(q, k)
    _count(n)
    sums = np.cumsum(np.arange(n))
    return _placed(q, sums, base) @ _placed(k, sums, base).T


@variant("positions.relative/turned-again-and-again")
def again_and_again_by_pairs(ref, q, k, n, base=10000.0):
    def score(i, j, pairs):
        return sum(_met(_at(a, i * (i + 1) / 2 * f), _at(b, j * (j + 1) / 2 * f)) for f, a, b in pairs)

    return _scores(q, k, n, base, score)


@relative(
    "positions.relative/wrapped-around",
    en=Explained(
        "In your matrix the last position is next to the first.",
        "Each of your rows is the one above, shifted and put in again at the front, as np.roll does. A text has two ends: "
        "from position 0 to position n-1 it is n-1 steps, not one.",
        hint="Compare entries [0, 1] and [n-1, 0].",
    ),
    zh_tw=Explained(
        "在你的矩陣裡，最後一個位置緊鄰第一個。",
        "你的每個橫列都是上一個橫列移一格、再從前面補回來，np.roll 就是這樣。文字有頭有尾：從位置 0 到位置 n-1 要走 n-1 步，不是一步。",
        hint="比較 [0, 1] 和 [n-1, 0] 兩項。",
    ),
)
def wrapped_around(ref, q, k, n, base=10000.0):
    first = _right(q, k, n, base)[:1]
    return np.concatenate([np.roll(first, i, axis=1) for i in range(n)]) if n else first.reshape(0, 0)


@variant("positions.relative/wrapped-around")
def wrapped_around_by_pairs(ref, q, k, n, base=10000.0):
    return _scores(q, k, n, base, lambda i, j, pairs: sum(_met(_at(a, -((j - i) % n) * f), b) for f, a, b in pairs))


@relative(
    "positions.relative/one-frequency",
    en=Explained(
        "You turn all pairs equally fast.",
        "Pair i turns by its own frequency, base^(-2i/d) radians a step. With one for all, tokens six steps apart look like "
        "neighbours.",
        hint="Where do the frequencies enter your scores?",
    ),
    zh_tw=Explained(
        "你讓每一對都轉得一樣快。",
        "第 i 對有自己的頻率，每一步 base^(-2i/d) 弧度。大家都用同一個，相隔六步的詞元看起來就像鄰居。",
        hint="頻率在哪裡進入你的分數？",
    ),
)
def one_frequency(ref, q, k, n, base=10000.0):
    _both(q, k, n, base)
    q, k = _alike(q, k)
    return _placed(q, range(n), 1.0) @ _placed(k, range(n), 1.0).T


@variant("positions.relative/one-frequency")
def one_frequency_by_pairs(ref, q, k, n, base=10000.0):
    return _scores(q, k, n, base, lambda i, j, pairs: sum(_met(_at(a, i - j), b) for _, a, b in pairs))


@relative("positions.relative/base-ignored", **BASE_IGNORED)
def base_ignored(ref, q, k, n, base=10000.0):
    _positive(base)
    return _right(q, k, n, 10000.0)


@variant("positions.relative/base-ignored")
def base_ignored_by_pairs(ref, q, k, n, base=10000.0):
    _positive(base)
    return _right_by_pairs(q, k, n, 1e4)


@relative("positions.relative/base-1000", **BASE_DEFAULT)
def base_1000(ref, q, k, n, base=1000.0):
    return _right(q, k, n, base)


@variant("positions.relative/base-1000")
def base_1000_by_pairs(ref, q, k, n, base=None):
    return _right_by_pairs(q, k, n, 1e3 if base is None else base)


@relative("positions.relative/float32-lost", **FLOAT32_LOST)
def float32_lost(ref, q, k, n, base=10000.0):
    _alike(q, k)
    return _right(q.astype(np.float64), k.astype(np.float64), n, base)


@variant("positions.relative/float32-lost")
def float32_lost_by_pairs(ref, q, k, n, base=10000.0):
    return _right_by_pairs(q, k, n, base).astype(float)


@relative("positions.relative/always-float32", **ALWAYS_FLOAT32)
def always_float32(ref, q, k, n, base=10000.0):
    return _right(q, k, n, base).astype(np.float32)


@variant("positions.relative/always-float32")
def always_float32_by_pairs(ref, q, k, n, base=10000.0):
    return _right_by_pairs(q, k, n, base).astype("f")


@relative("positions.relative/half-kept", **HALF_KEPT)
def half_kept(ref, q, k, n, base=10000.0):
    S = _right(q, k, n, base)
    return S.astype(np.float16) if q.dtype == k.dtype == np.float16 else S


@variant("positions.relative/half-kept")
def half_kept_by_pairs(ref, q, k, n, base=10000.0):
    S = _right_by_pairs(q, k, n, base)
    return S.astype("e") if (q.dtype.char, k.dtype.char) == ("e", "e") else S


@relative("positions.relative/truncated", **TRUNCATED)
def truncated(ref, q, k, n, base=10000.0):
    S = _right(q, k, n, base)
    return S.astype(np.int64) if q.dtype.kind in "iu" and k.dtype.kind in "iu" else S


@variant("positions.relative/truncated")
def truncated_by_loop(ref, q, k, n, base=10000.0):
    S = _right_by_pairs(q, k, n, base)
    out = np.zeros((n, n), dtype=q.dtype) if np.result_type(q, k).kind in "iu" else np.zeros_like(S)
    for i, j in np.ndindex(*S.shape):
        out[i, j] = S[i, j]
    return out


@relative(
    "positions.relative/lengths-unchecked",
    en=Explained(
        "You accept a query and a key of different widths.",
        "What one has more than the other is dropped without a word: zip, or a loop over the shorter one, does so. Their dot "
        "product does not exist.",
        hint="Give a query of 4 numbers and a key of 2. What does the docstring say?",
    ),
    zh_tw=Explained(
        "查詢和鍵的寬度不同時，你也接受了。",
        "較長的那一個多出來的部分一聲不響就丟了：zip，或照較短的那個跑迴圈，就會這樣。它們的內積根本不存在。",
        hint="給 4 個數的查詢和 2 個數的鍵。docstring 怎麼說？",
    ),
)
def lengths_unchecked(ref, q, k, n, base=10000.0):
    dtype = np.float32 if q.dtype == k.dtype == np.float32 else np.float64
    Q, K = (_both(v, v, n, base)[0] for v in (q.astype(dtype), k.astype(dtype)))
    shared = min(len(q), len(k))
    return Q[:, :shared] @ K[:, :shared].T


def _turned_by(v, n, frequencies):
    angles = np.outer(np.arange(n), frequencies[: len(v) // 2])
    out = np.empty((n, len(v)))
    out[:, 0::2] = v[0::2] * np.cos(angles) - v[1::2] * np.sin(angles)
    out[:, 1::2] = v[0::2] * np.sin(angles) + v[1::2] * np.cos(angles)
    return out


@variant("positions.relative/lengths-unchecked")
def lengths_unchecked_by_zip(ref, q, k, n, base=10000.0):
    if len(q) == len(k):
        return _right_by_pairs(q, k, n, base)

    def turned(v, p):
        d = len(v)
        pairs = [_at(complex(v[2 * m], v[2 * m + 1]), p / base ** (2 * m / d)) for m in range(d // 2)]
        return [part for z in pairs for part in (z.real, z.imag)]

    return np.array(
        [[sum(a * b for a, b in zip(turned(q, i), turned(k, j), strict=False)) for j in range(n)] for i in range(n)]
    )


@relative("positions.relative/odd-accepted", **ODD_ACCEPTED)
def odd_accepted(ref, q, k, n, base=10000.0):
    if len(q) % 2 == 0:
        return _right(q, k, n, base)
    q, k = _alike(q, k)
    exact = base ** (-np.arange(0, len(q), 2) / len(q))
    return _turned_by(q[:-1], n, exact) @ _turned_by(k[:-1], n, exact).T + q[-1] * k[-1]


@variant("positions.relative/odd-accepted")
def odd_accepted_by_pairs(ref, q, k, n, base=10000.0):
    if len(q) % 2 == 0:
        return _right_by_pairs(q, k, n, base)
    _alike(q, k)
    d = len(q)

    def score(distance):
        total = float(q[-1] * k[-1])
        for c in range(0, d - 1, 2):
            angle = distance * base ** (-c / d)
            total += _met(_at(complex(q[c], q[c + 1]), angle), complex(k[c], k[c + 1]))
        return total

    return np.array([[score(i - j) for j in range(n)] for i in range(n)])


@relative(
    "positions.relative/count-unchecked",
    en=Explained(
        "You accept a number of positions below 0.",
        "np.arange and range make nothing of a negative length, so an empty matrix comes out and the mistake of the caller "
        "goes unnoticed.",
        hint="Call it with n = -1. What does the docstring say n may be?",
    ),
    zh_tw=Explained(
        "位置的個數小於 0 時，你也接受了。",
        "np.arange 和 range 遇到負的長度就給出空的結果，於是得到一個空矩陣，呼叫端的錯誤就沒人發現。",
        hint="用 n = -1 呼叫看看。docstring 說 n 可以是多少？",
    ),
)
def count_unchecked(ref, q, k, n, base=10000.0):
    return _right(q, k, max(n, 0), base)


@variant("positions.relative/count-unchecked")
def count_unchecked_by_pairs(ref, q, k, n, base=10000.0):
    return _right_by_pairs(q, k, len(range(n)), base)


@relative(
    "positions.relative/axes-lost",
    en=Explained(
        "Without positions your matrix has only one axis.",
        "An array made from an empty list has shape (0,), not (0, 0). It no longer fits where a matrix is expected.",
        hint="Print the shape for n = 0.",
    ),
    zh_tw=Explained(
        "沒有位置時，你的矩陣只剩一軸。",
        "用空的 list 做出來的陣列形狀是 (0,)，不是 (0, 0)。需要矩陣的地方就用不上它了。",
        hint="印出 n = 0 時的形狀。",
    ),
)
def axes_lost(ref, q, k, n, base=10000.0):
    Q, K = _both(q, k, n, base)
    return np.array([[Q[i] @ K[j] for j in range(n)] for i in range(n)])


@variant("positions.relative/axes-lost")
def axes_lost_by_rows(ref, q, k, n, base=10000.0):
    S = _right_by_pairs(q, k, n, base)
    rows = list(S)
    return np.asarray(rows, dtype=S.dtype if rows else float)


@relative("positions.relative/in-place", **IN_PLACE)
def in_place(ref, q, k, n, base=10000.0):
    S = _right(q, k, n, base)
    if n and q.dtype == S.dtype:
        q[...] = _both(q, k, n, base)[0][-1]
    return S


@variant("positions.relative/in-place")
def in_place_by_steps(ref, q, k, n, base=10000.0):
    S = _right_by_pairs(q, k, n, base)
    if q.dtype == S.dtype:
        for _ in range(n - 1):
            q[...] = _placed(q, [1], base)[0]
    return S
