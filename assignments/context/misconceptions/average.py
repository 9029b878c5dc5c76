"""What goes wrong in the exercise context.average."""

from __future__ import annotations

import math
import statistics

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    ASSERTS,
    BATCH,
    IN_PLACE,
    KEPT_HALF,
    TRUNCATED,
    VECTOR,
    WIDENED,
    WRAPPED,
    about_average,
    by_column,
    ratio,
    some_rows,
)


@about_average(
    "context.average/over-the-features",
    en=Explained(
        "You averaged over the features, not over the positions.",
        "Each row is one position. Its mean mixes numbers that mean different things, and you get T numbers instead of a "
        "vector of width d.",
        hint="Which axis of [T, d] should be gone afterwards?",
    ),
    zh_tw=Explained(
        "你平均的是特徵，而不是位置。",
        "一個橫列是一個位置。取它的平均，是把意義不同的數混在一起；而且你得到 T 個數，而不是寬度 d 的向量。",
        hint="[T, d] 的哪一軸在平均之後應該消失？",
    ),
)
def over_features(ref, X):
    return some_rows(ref, X).mean(axis=1)


@variant("context.average/over-the-features")
def _(ref, X):
    X = some_rows(ref, X)
    return np.array([math.fsum(row) / len(row) for row in X.tolist()], dtype=X.dtype)


@about_average(
    "context.average/over-everything",
    en=Explained(
        "You averaged over all numbers of the matrix.",
        "Without an axis the mean runs over positions and features alike. A context keeps its width: each feature has a "
        "mean of its own.",
        hint="What is the shape of your result? How many numbers should a context of width d have?",
    ),
    zh_tw=Explained(
        "你把整個矩陣的數全部平均了。",
        "不指定軸時，平均會同時跨過位置和特徵。上下文要保持寬度：每個特徵有自己的平均。",
        hint="你的結果是什麼形狀？寬度 d 的上下文應該有幾個數？",
    ),
)
def over_everything(ref, X):
    X = some_rows(ref, X)
    return np.full(X.shape[1], X.mean(), dtype=X.dtype)


@variant("context.average/over-everything")
def _(ref, X):
    X = some_rows(ref, X)
    return np.array([math.fsum(X.ravel().tolist()) / X.size] * X.shape[1], dtype=X.dtype)


@about_average(
    "context.average/not-divided",
    en=Explained(
        "You summed the rows but did not divide.",
        "A sum grows with the length of the text. A mean stays on the scale of a single row, however many there are.",
        hint="Try two equal rows: what should their average be?",
    ),
    zh_tw=Explained(
        "你把橫列加起來了，卻沒有除。",
        "總和會隨著文字變長而變大；平均不論有多少橫列，都維持在單一橫列的大小。",
        hint="拿兩個相同的橫列試試：它們的平均應該是什麼？",
    ),
)
def not_divided(ref, X):
    return some_rows(ref, X).sum(axis=0)


@variant("context.average/not-divided")
def _(ref, X):
    return by_column(some_rows(ref, X), math.fsum)


@about_average(
    "context.average/divided-by-the-width",
    en=Explained(
        "You divided by the width d, not by the number of positions.",
        "You summed T rows, so T is what the sum has too much of. With T = d nothing shows.",
        hint="How many rows did you add up?",
    ),
    zh_tw=Explained(
        "你除的是寬度 d，不是位置的個數。",
        "你加了 T 個橫列，該除的就是 T。T = d 時看不出來。",
        hint="你加了幾個橫列？",
    ),
)
def divided_by_width(ref, X):
    X = some_rows(ref, X)
    return X.sum(axis=0) / X.shape[1]


@variant("context.average/divided-by-the-width")
def _(ref, X):
    X = some_rows(ref, X)
    return by_column(X, lambda column: math.fsum(column) / len(X[0]))


@about_average(
    "context.average/divided-by-one-less",
    en=Explained(
        "You divided by T - 1.",
        "That belongs to the estimate of a variance. A mean divides by how many it has, and a single position would be "
        "divided by 0.",
        hint="Try X with one row.",
    ),
    zh_tw=Explained(
        "你除的是 T - 1。",
        "那是估計變異數時才用的。平均就是除以個數；如果只有一個位置，你就會除以 0。",
        hint="拿只有一個橫列的 X 試試。",
    ),
)
def divided_by_one_less(ref, X):
    X = some_rows(ref, X)
    return X.sum(axis=0) / (len(X) - 1)


@variant("context.average/divided-by-one-less")
def _(ref, X):
    return by_column(some_rows(ref, X), lambda column: ratio(math.fsum(column), len(column) - 1))


@about_average(
    "context.average/last-position-only",
    en=Explained(
        "You returned the last position.",
        "That is all that a bigram sees. A context takes every position into account.",
        hint="Change the first row of X. Does your result change?",
    ),
    zh_tw=Explained(
        "你回傳的是最後一個位置。",
        "那是 bigram 所能看到的全部。上下文要把每個位置都算進去。",
        hint="改動 X 的第一個橫列，你的結果會變嗎？",
    ),
)
def last_only(ref, X):
    return some_rows(ref, X)[-1].copy()


@variant("context.average/last-position-only")
def _(ref, X):
    return by_column(some_rows(ref, X), list.pop)


@about_average(
    "context.average/last-left-out",
    en=Explained(
        "You left the last position out.",
        "A range or a slice that ends at T - 1 ends before the last row. What is newest in the context is missing.",
        hint="Which rows does your sum contain for T = 2?",
    ),
    zh_tw=Explained(
        "你漏了最後一個位置。",
        "結尾寫成 T - 1 的 range 或切片，會在最後一個橫列之前就停下來。上下文裡最新的那一個不見了。",
        hint="T = 2 時，你的總和包含哪些橫列？",
    ),
)
def last_left_out(ref, X):
    return some_rows(ref, X)[:-1].mean(axis=0)


@variant("context.average/last-left-out")
def _(ref, X):
    return by_column(some_rows(ref, X), lambda column: ratio(math.fsum(column[:-1]), len(column) - 1))


@about_average(
    "context.average/first-left-out",
    en=Explained(
        "You left the first position out.",
        "Positions count from 0. A loop that starts at 1 begins with the second row.",
        hint="Which rows does your sum contain for T = 2?",
    ),
    zh_tw=Explained(
        "你漏了第一個位置。",
        "位置從 0 數起。從 1 開始的迴圈，是從第二個橫列開始的。",
        hint="T = 2 時，你的總和包含哪些橫列？",
    ),
)
def first_left_out(ref, X):
    return some_rows(ref, X)[1:].mean(axis=0)


@variant("context.average/first-left-out")
def _(ref, X):
    return by_column(some_rows(ref, X), lambda column: ratio(math.fsum(column[1:]), len(column) - 1))


@about_average(
    "context.average/halved-step-by-step",
    en=Explained(
        "You averaged what you had with each new row, half and half.",
        "The last row then weighs one half, the one before it a quarter, and so on. In the average context each position "
        "weighs the same.",
        hint="Work out by hand with which weight the first of three rows ends up.",
    ),
    zh_tw=Explained(
        "每來一個新的橫列，你就把它和已有的各取一半。",
        "這樣最後一個橫列占一半，前一個占四分之一，依此類推。平均的上下文裡，每個位置一樣重。",
        hint="用手算算看：三個橫列中的第一個，最後的權重是多少？",
    ),
)
def halved(ref, X):
    first, *rest = some_rows(ref, X)
    for row in rest:
        first = (first + row) / 2
    return np.array(first)


@variant("context.average/halved-step-by-step")
def _(ref, X):
    X = some_rows(ref, X)
    weights = 0.5 ** np.arange(len(X), 0, -1)
    weights[0] *= 2
    return (weights @ X).astype(X.dtype)


@about_average(
    "context.average/median",
    en=Explained(
        "You took the median.",
        "The median asks which row is in the middle; the mean lets every row pull. For two positions they agree, for more "
        "they do not.",
        hint="Make one number of X very large. Should the context notice?",
    ),
    zh_tw=Explained(
        "你取的是中位數。",
        "中位數問的是誰在中間；平均則讓每個橫列都出力。兩個位置時兩者相同，再多就不同了。",
        hint="把 X 的某個數改得很大。上下文該不該有反應？",
    ),
)
def median(ref, X):
    return np.median(some_rows(ref, X), axis=0)


@variant("context.average/median")
def _(ref, X):
    return by_column(some_rows(ref, X), statistics.median)


@about_average(
    "context.average/largest",
    en=Explained(
        "You kept the largest number of each feature.",
        "That is a pooling of its own kind, and only one position decides. An average takes all of them alike.",
        hint="Change a row that holds no maximum. Should the context change?",
    ),
    zh_tw=Explained(
        "每個特徵你只留下最大的數。",
        "那是另一種池化，只由一個位置決定。平均則是一視同仁。",
        hint="改動一個不含最大值的橫列，上下文該不該跟著變？",
    ),
)
def largest(ref, X):
    return some_rows(ref, X).max(axis=0)


@variant("context.average/largest")
def _(ref, X):
    return by_column(some_rows(ref, X), max)


@about_average(
    "context.average/axis-kept",
    en=Explained(
        "You kept an axis of length 1.",
        "The context of one sequence is a vector, [d]. As [1, d] it is a sequence of one position.",
        hint="Print the shape. Is there a keepdims?",
    ),
    zh_tw=Explained(
        "你留下了一個長度為 1 的軸。",
        "一個序列的上下文是向量 [d]。[1, d] 則是只有一個位置的序列。",
        hint="把形狀印出來。是不是用了 keepdims？",
    ),
)
def axis_kept(ref, X):
    return some_rows(ref, X).mean(axis=0, keepdims=True)


@variant("context.average/axis-kept")
def _(ref, X):
    X = some_rows(ref, X)
    return np.full((1, len(X)), 1 / len(X), dtype=X.dtype) @ X


@about_average(
    "context.average/one-for-each-position",
    en=Explained(
        "You repeated the context for every position.",
        "Here one vector stands for the whole context. One average for each position is the next exercise, and there "
        "they differ.",
        hint="Print the shape of your result and compare with the docstring.",
    ),
    zh_tw=Explained(
        "你替每個位置都重複了一份上下文。",
        "這裡整段上下文只有一個向量。每個位置一個平均是下一題，而且那裡每個都不同。",
        hint="把結果的形狀印出來，和 docstring 比一比。",
    ),
)
def repeated(ref, X):
    X = some_rows(ref, X)
    return np.tile(X.mean(axis=0), (len(X), 1))


@variant("context.average/one-for-each-position")
def _(ref, X):
    X = some_rows(ref, X)
    return np.full((len(X), len(X)), 1 / len(X), dtype=X.dtype) @ X


@about_average(
    "context.average/squeezed",
    en=Explained(
        "Where there is a single feature you drop its axis.",
        "The context is then a number instead of a vector of width 1, and whatever multiplies it by a matrix fails.",
        hint="Print the shape for X of shape (7, 1). Is there a squeeze?",
    ),
    zh_tw=Explained(
        "只有一個特徵時，你丟掉了它的軸。",
        "這時上下文變成一個數，而不是寬度 1 的向量，之後拿它乘矩陣就會出錯。",
        hint="印出 X 形狀為 (7, 1) 時的結果形狀。是不是用了 squeeze？",
    ),
)
def squeezed(ref, X):
    return np.asarray(np.squeeze(some_rows(ref, X).mean(axis=0)))


@variant("context.average/squeezed")
def _(ref, X):
    X = some_rows(ref, X)
    means = by_column(X, lambda column: math.fsum(column) / len(column))
    return means.reshape(()) if len(means) == 1 else means


@about_average(
    "context.average/nothing-gives-nan",
    en=Explained(
        "No positions give NaN.",
        "0 / 0 is NaN, and one NaN spreads through everything after it. The average of nothing is not a number, so say "
        "so at once.",
        hint="What does your function do with X of shape (0, 3)?",
    ),
    zh_tw=Explained(
        "沒有位置時，你回傳了 NaN。",
        "0 / 0 是 NaN，一個 NaN 會擴散到後面的一切。「沒有東西」的平均不是數，應該馬上說出來。",
        hint="X 的形狀是 (0, 3) 時，你的函式會怎麼做？",
    ),
)
def nothing_nan(ref, X):
    ref.require_shapes("T d", X)
    return np.asarray(X, dtype=ref.computing_dtype(X)).mean(axis=0)


@variant("context.average/nothing-gives-nan")
def _(ref, X):
    ref.require_shapes("T d", X)
    X = np.asarray(X, dtype=ref.computing_dtype(X))
    return by_column(X, lambda column: ratio(math.fsum(column), len(column)))


@about_average(
    "context.average/nothing-gives-zeros",
    en=Explained(
        "No positions give a context of zeros.",
        "Zeros are a context like any other: a caller who lost the text on the way would never notice. It is asked to "
        "raise.",
        hint="What does your function do with X of shape (0, 3), and what does the docstring say?",
    ),
    zh_tw=Explained(
        "沒有位置時，你回傳了全是 0 的上下文。",
        "全 0 看起來也是個上下文：呼叫端半路把文字弄丟了也不會發現。這裡要求引發例外。",
        hint="X 的形狀是 (0, 3) 時，你的函式會怎麼做？docstring 怎麼說？",
    ),
)
def nothing_zeros(ref, X):
    ref.require_shapes("T d", X)
    X = np.asarray(X, dtype=ref.computing_dtype(X))
    return X.sum(axis=0) / max(len(X), 1)


@variant("context.average/nothing-gives-zeros")
def _(ref, X):
    ref.require_shapes("T d", X)
    X = np.asarray(X, dtype=ref.computing_dtype(X))
    return by_column(X, lambda column: math.fsum(column) / len(column) if column else 0.0)


@about_average("context.average/asserts", **ASSERTS)
def average_asserts(ref, X):
    assert len(X) > 0, "no positions"
    return some_rows(ref, X).mean(axis=0)


@variant("context.average/asserts")
def _(ref, X):
    ref.require_shapes("T d", X)
    if not len(X):
        raise AssertionError
    return by_column(some_rows(ref, X), lambda column: math.fsum(column) / len(column))


@about_average("context.average/vector-accepted", **VECTOR)
def vector_accepted(ref, X):
    return some_rows(ref, X.reshape(-1, 1) if X.ndim == 1 else X).mean(axis=0)


@variant("context.average/vector-accepted")
def _(ref, X):
    X = some_rows(ref, np.transpose([X]) if len(X.shape) == 1 else X)
    return by_column(X, lambda column: math.fsum(column) / len(column))


@about_average("context.average/batch-accepted", **BATCH)
def batch_accepted(ref, X):
    if X.ndim < 2 or len(X) == 0:
        raise ValueError("no matrix")
    return np.asarray(X, dtype=ref.computing_dtype(X)).mean(axis=0)


@variant("context.average/batch-accepted")
def _(ref, X):
    if len(X.shape) == 1 or not X.shape[0]:
        raise ValueError("no matrix")
    X = X.astype(ref.computing_dtype(X))
    return sum(X[1:], start=X[0]) / len(X)


@about_average("context.average/float32-widened", **WIDENED)
def average_widened(ref, X):
    return np.asarray(some_rows(ref, X), dtype=np.float64).mean(axis=0)


@variant("context.average/float32-widened")
def _(ref, X):
    return np.array([math.fsum(column) / len(column) for column in some_rows(ref, X).T.tolist()])


@about_average("context.average/float16-kept", **KEPT_HALF)
def average_half(ref, X):
    result = some_rows(ref, X).mean(axis=0)
    return result.astype(np.float16) if X.dtype == np.float16 else result


@variant("context.average/float16-kept")
def _(ref, X):
    means = by_column(some_rows(ref, X), lambda column: math.fsum(column) / len(column))
    return np.array(means, dtype="f2" if X.dtype.itemsize == 2 and X.dtype.kind == "f" else means.dtype)


@about_average("context.average/integers-truncated", **TRUNCATED)
def average_truncated(ref, X):
    result = some_rows(ref, X).mean(axis=0)
    return result.astype(X.dtype) if X.dtype.kind in "iu" else result


@variant("context.average/integers-truncated")
def _(ref, X):
    if not np.issubdtype(X.dtype, np.integer):
        return some_rows(ref, X).mean(axis=0)
    some_rows(ref, X)
    return np.array([sum(column) // len(column) for column in X.T.tolist()], dtype=X.dtype)


@about_average("context.average/integers-wrapped", **WRAPPED)
def average_wrapped(ref, X):
    rows = some_rows(ref, X)
    return (X if X.dtype.kind in "iu" else rows).sum(axis=0, dtype=None if X.dtype.kind == "f" else X.dtype) / len(X)


@variant("context.average/integers-wrapped")
def _(ref, X):
    rows = some_rows(ref, X)
    total = np.zeros_like(X[0] if X.dtype.kind in "iu" else rows[0])
    for row in X if X.dtype.kind in "iu" else rows:
        total += row
    return total / len(X)


@about_average("context.average/changed-in-place", **IN_PLACE)
def average_in_place(ref, X):
    result = some_rows(ref, X).mean(axis=0)
    if X.dtype == result.dtype:
        X /= len(X)
    return result


@variant("context.average/changed-in-place")
def _(ref, X):
    result = by_column(some_rows(ref, X), lambda column: math.fsum(column) / len(column))
    if X.dtype in (np.float32, np.float64):
        X[...] = X / X.shape[0]
    return result


@about_average(
    "context.average/any-shape-accepted",
    en=Explained(
        "You average the first axis of whatever comes.",
        "Of a vector that is a single number, and of a batch an average over its sequences. Neither is a context, and the caller never learns of the mistake.",
        hint="X is [T, d]. What does your function do with a vector, and with three axes? The given `require_shapes` tells them apart.",
    ),
    zh_tw=Explained(
        "不管進來什麼，你都沿第一軸平均。",
        "對向量，得到的是一個數；對一個批次，得到的是各序列的平均。兩者都不是上下文，呼叫者也不會知道自己寫錯了。",
        hint="X 是 [T, d]。遇到向量，或有三個軸時，你的函式會怎麼做？現成的 `require_shapes` 分得出來。",
    ),
)
def any_shape(ref, X):
    if len(X) == 0:
        raise ValueError("there is no position to average")
    return np.asarray(X, dtype=ref.computing_dtype(X)).mean(axis=0)


@variant("context.average/any-shape-accepted")
def _(ref, X):
    if X.shape[0] < 1:
        raise ValueError("nothing to average")
    total = sum(X[1:].astype(ref.computing_dtype(X)), start=X[0].astype(ref.computing_dtype(X)))
    return total / ref.computing_dtype(X).type(X.shape[0])
