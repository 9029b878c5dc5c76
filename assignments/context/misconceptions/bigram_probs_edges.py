"""What goes wrong at the edges of the exercise context.bigram_probs."""

from __future__ import annotations

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    ASSERTS,
    IN_PLACE,
    KEPT_HALF,
    TRUNCATED,
    WIDENED,
    WRAPPED,
    about_probs,
    by_row,
    or_uniform,
    ratio,
    right_row,
    smoothed,
    table,
    totals,
)


@about_probs(
    "context.bigram_probs/unseen-row-nan",
    en=Explained(
        "A token that was never followed has a row of NaN.",
        "Without counts and without alpha you divide 0 by 0. Nothing is known of what follows, so every follower is as "
        "likely: 1 / V.",
        hint="What do you divide by in a row without counts, for alpha = 0?",
    ),
    zh_tw=Explained(
        "後面從沒接過東西的詞元，橫列成了 NaN。",
        "沒有次數也沒有 alpha 時，你在算 0 除以 0。後面接什麼完全不知道，所以每個都一樣可能：1 / V。",
        hint="alpha = 0 時，沒有次數的橫列，你除以多少？",
    ),
)
def unseen_nan(ref, counts, alpha=1.0):
    C = table(ref, counts, alpha)
    return ((C + alpha) / (totals(C) + alpha * len(C))).astype(C.dtype)


@variant("context.bigram_probs/unseen-row-nan")
def _(ref, counts, alpha=1.0):
    C = table(ref, counts, alpha)
    P = by_row(C, alpha, right_row(alpha))
    if alpha == 0:
        P[~C.any(axis=1)] = np.nan
    return P


@about_probs(
    "context.bigram_probs/unseen-row-zero",
    en=Explained(
        "A token that was never followed has a row of zeros.",
        "Something always follows, so a row sums to 1. Where nothing is known, every follower is as likely: 1 / V.",
        hint="What does that row sum to, for alpha = 0?",
    ),
    zh_tw=Explained(
        "後面從沒接過東西的詞元，橫列全是 0。",
        "後面總會接些什麼，所以橫列加起來是 1。什麼都不知道時，每個都一樣可能：1 / V。",
        hint="alpha = 0 時，那個橫列加起來是多少？",
    ),
)
def unseen_zero(ref, counts, alpha=1.0):
    C = table(ref, counts, alpha)
    below = totals(C) + alpha * len(C)
    return ((C + alpha) / np.where(below == 0, 1, below)).astype(C.dtype)


@variant("context.bigram_probs/unseen-row-zero")
def _(ref, counts, alpha=1.0):
    C = table(ref, counts, alpha)
    return ((C + alpha) / (totals(C) + alpha * len(C) + 1e-12)).astype(C.dtype)


@about_probs(
    "context.bigram_probs/unseen-row-itself",
    en=Explained(
        "A token that was never followed is followed by itself.",
        "A 1 on the diagonal makes the row sum to 1, but it claims to know what follows. Where nothing is known, every "
        "follower is as likely: 1 / V.",
        hint="Which follower of an unseen token do you prefer, and why?",
    ),
    zh_tw=Explained(
        "後面從沒接過東西的詞元，你讓它接自己。",
        "在對角線放 1，橫列加起來是 1 沒錯，卻等於宣稱知道後面是什麼。什麼都不知道時，每個都一樣可能：1 / V。",
        hint="沒看過的詞元，你偏好它後面接哪一個？為什麼？",
    ),
)
def unseen_itself(ref, counts, alpha=1.0):
    C = table(ref, counts, alpha)
    nothing = (totals(C) == 0) & (alpha == 0)
    return np.where(nothing, np.eye(len(C)), smoothed(C, alpha)).astype(C.dtype)


@variant("context.bigram_probs/unseen-row-itself")
def _(ref, counts, alpha=1.0):
    C = table(ref, counts, alpha).copy()
    for i, row in enumerate(C):
        if row.sum() == 0 and not alpha:
            row[i] = 1
    return by_row(C, alpha, right_row(alpha))


@about_probs(
    "context.bigram_probs/alpha-0-refused",
    en=Explained(
        "You refuse an alpha of 0.",
        "No smoothing is a choice like any other. What must be refused is an alpha below 0.",
        hint="Look at the comparison in your check: what does it say for 0?",
    ),
    zh_tw=Explained(
        "alpha 是 0 時，你就拒絕了。",
        "不做平滑也是一種選擇。要拒絕的是小於 0 的 alpha。",
        hint="看看檢查裡的比較式：碰到 0 時，它怎麼說？",
    ),
)
def zero_refused(ref, counts, alpha=1.0):
    if alpha <= 0:
        raise ValueError("alpha must be positive")
    return smoothed(table(ref, counts, alpha), alpha)


@variant("context.bigram_probs/alpha-0-refused")
def _(ref, counts, alpha=1.0):
    if not alpha > 0:
        raise ValueError("alpha must be positive")
    return by_row(table(ref, counts, alpha), alpha, right_row(alpha))


@about_probs(
    "context.bigram_probs/negative-alpha-accepted",
    en=Explained(
        "You accept a negative alpha.",
        "Taken away from a count of 0 it leaves less than 0, and a probability below 0 has no logarithm. A number out of "
        "range raises.",
        hint="What does your function return for alpha = -0.5?",
    ),
    zh_tw=Explained(
        "你接受了負的 alpha。",
        "次數 0 再減掉一些就小於 0，而負的機率沒有對數。超出範圍的數要引發例外。",
        hint="alpha = -0.5 時，你的函式回傳什麼？",
    ),
)
def negative_alpha(ref, counts, alpha=1.0):
    return smoothed(table(ref, counts, max(alpha, 0)), alpha)


@variant("context.bigram_probs/negative-alpha-accepted")
def _(ref, counts, alpha=1.0):
    return by_row(table(ref, counts, abs(alpha)), alpha, right_row(alpha))


@about_probs(
    "context.bigram_probs/negative-count-accepted",
    en=Explained(
        "You accept a negative count.",
        "Nothing occurs less than 0 times. A large enough alpha even makes a probability of it that looks in order.",
        hint="What does your function do with a count of -1?",
    ),
    zh_tw=Explained(
        "你接受了負的次數。",
        "沒有東西會出現少於 0 次。alpha 夠大時，甚至會得到看起來很正常的機率。",
        hint="次數是 -1 時，你的函式會怎麼做？",
    ),
)
def negative_count(ref, counts, alpha=1.0):
    C = table(ref, np.abs(counts), alpha) * np.where(counts < 0, -1, 1).astype(ref.computing_dtype(counts))
    return smoothed(C, alpha)


@variant("context.bigram_probs/negative-count-accepted")
def _(ref, counts, alpha=1.0):
    if alpha < 0:
        raise ValueError("a negative alpha")
    ref.require_shapes("V V", counts)
    return by_row(counts.astype(ref.computing_dtype(counts)), alpha, right_row(alpha))


@about_probs("context.bigram_probs/asserts", **ASSERTS)
def probs_asserts(ref, counts, alpha=1.0):
    ref.require_shapes("V V", counts)
    assert alpha >= 0
    assert (counts >= 0).all(), "a count is negative"
    return smoothed(table(ref, counts, alpha), alpha)


@variant("context.bigram_probs/asserts")
def _(ref, counts, alpha=1.0):
    ref.require_shapes("V V", counts)
    if min(alpha, counts.min()) < 0:
        raise AssertionError
    return by_row(table(ref, counts, alpha), alpha, right_row(alpha))


@about_probs(
    "context.bigram_probs/not-square-accepted",
    en=Explained(
        "You accept a table that is not square.",
        "Both axes count the same vocabulary. With 5 rows and 3 columns, two tokens can never follow anything, and each "
        "alpha is shared among the wrong number.",
        hint="What does your function do with counts of shape (5, 3)?",
    ),
    zh_tw=Explained(
        "不是方形的表，你也接受了。",
        "兩個軸數的是同一個詞彙表。5 個橫列、3 個直行時，有兩個詞元永遠不能接在後面，alpha 也分給了錯的個數。",
        hint="counts 的形狀是 (5, 3) 時，你的函式會怎麼做？",
    ),
)
def not_square(ref, counts, alpha=1.0):
    if counts.ndim != 2:
        raise ValueError("no table")
    if counts.shape[0] == counts.shape[1]:
        return smoothed(table(ref, counts, alpha), alpha)
    C = np.asarray(counts, dtype=ref.computing_dtype(counts))
    return (C + alpha) / (totals(C) + alpha * C.shape[1])


@variant("context.bigram_probs/not-square-accepted")
def _(ref, counts, alpha=1.0):
    if len(counts.shape) == 1 or alpha < 0 or counts.min() < 0:
        raise ValueError("no table of counts, or a negative alpha")
    return by_row(counts.astype(ref.computing_dtype(counts)), alpha, right_row(alpha))


@about_probs("context.bigram_probs/float32-widened", **WIDENED)
def probs_widened(ref, counts, alpha=1.0):
    return smoothed(table(ref, counts, alpha).astype(np.float64), alpha)


@variant("context.bigram_probs/float32-widened")
def _(ref, counts, alpha=1.0):
    return by_row(np.array(table(ref, counts, alpha), dtype="f8"), alpha, right_row(alpha))


@about_probs("context.bigram_probs/float16-kept", **KEPT_HALF)
def probs_half(ref, counts, alpha=1.0):
    P = smoothed(table(ref, counts, alpha), alpha)
    return P.astype(np.float16) if counts.dtype == np.float16 else P


@variant("context.bigram_probs/float16-kept")
def _(ref, counts, alpha=1.0):
    C = table(ref, counts, alpha)
    return by_row(C, alpha, right_row(alpha)).astype(counts.dtype if counts.dtype.kind == "f" else C.dtype)


@about_probs("context.bigram_probs/integers-truncated", **TRUNCATED)
def probs_truncated(ref, counts, alpha=1.0):
    P = smoothed(table(ref, counts, alpha), alpha)
    return np.floor(P).astype(counts.dtype) if counts.dtype.kind in "iu" else P


@variant("context.bigram_probs/integers-truncated")
def _(ref, counts, alpha=1.0):
    P = by_row(table(ref, counts, alpha), alpha, right_row(alpha))
    out = np.empty_like(counts, dtype=P.dtype if counts.dtype.kind == "f" else counts.dtype)
    out[...] = P
    return out


@about_probs("context.bigram_probs/integers-wrapped", **WRAPPED)
def probs_wrapped(ref, counts, alpha=1.0):
    C = table(ref, counts, alpha)
    if counts.dtype.kind not in "iu" or not isinstance(alpha, int):
        return smoothed(C, alpha)
    return or_uniform(C, alpha, (counts + counts.dtype.type(alpha)) / (totals(C) + alpha * len(C)))


@variant("context.bigram_probs/integers-wrapped")
def _(ref, counts, alpha=1.0):
    C = table(ref, counts, alpha)
    added = np.full_like(counts, alpha) if counts.dtype.kind in "iu" and alpha == int(alpha) else None
    if added is None or isinstance(alpha, float):
        return by_row(C, alpha, right_row(alpha))
    added += counts
    return or_uniform(C, alpha, added / (totals(C) + added[0].size * alpha))


@about_probs("context.bigram_probs/changed-in-place", **IN_PLACE)
def probs_in_place(ref, counts, alpha=1.0):
    P = smoothed(table(ref, counts, alpha), alpha)
    if counts.dtype.kind == "f" or isinstance(alpha, int):
        counts += counts.dtype.type(alpha)
    return P


@variant("context.bigram_probs/changed-in-place")
def _(ref, counts, alpha=1.0):
    P = by_row(table(ref, counts, alpha), alpha, right_row(alpha))
    if isinstance(alpha, int) or counts.dtype.kind == "f":
        counts[...] = (counts + counts.dtype.type(alpha)).astype(counts.dtype)
    return P


@about_probs("context.bigram_probs/integers-wrapped-in-the-totals-too", **WRAPPED)
def probs_and_totals_wrapped(ref, counts, alpha=1.0):
    C = table(ref, counts, alpha)
    if counts.dtype.kind not in "iu" or not isinstance(alpha, int):
        return smoothed(C, alpha)
    added = counts + counts.dtype.type(alpha)
    return or_uniform(C, alpha, added / added.sum(axis=1, keepdims=True))


@variant("context.bigram_probs/integers-wrapped-in-the-totals-too")
def _(ref, counts, alpha=1.0):
    C = table(ref, counts, alpha)
    if isinstance(alpha, float) or counts.dtype.kind == "f":
        return by_row(C, alpha, right_row(alpha))
    rows = [np.add(row, alpha, dtype=counts.dtype).tolist() for row in counts]
    return or_uniform(C, alpha, np.array([[ratio(n, sum(row)) for n in row] for row in rows]))
