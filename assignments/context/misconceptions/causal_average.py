"""What goes wrong in the exercise context.causal_average."""

from __future__ import annotations

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    BATCH,
    IN_PLACE,
    KEPT_HALF,
    TRUNCATED,
    VECTOR,
    WIDENED,
    WRAPPED,
    about_causal,
    filled,
    matrix,
    steps,
)


def sofar(X):
    """The right averages of a matrix of floats."""
    return (X.cumsum(axis=0) / steps(len(X))).astype(X.dtype)


@about_causal(
    "context.causal_average/sees-everything",
    en=Explained(
        "Every row of yours is the mean of the whole sequence.",
        "Row 0 already knows the end of the text. A model trained on such contexts has seen what it is to predict.",
        hint="Change the last row of X. Which rows of the result may change?",
    ),
    zh_tw=Explained(
        "你的每個橫列都是整個序列的平均。",
        "第 0 個橫列就已經知道文字的結尾。用這種上下文訓練，模型等於先看過了要預測的答案。",
        hint="改動 X 的最後一個橫列，結果中哪些橫列可以跟著變？",
    ),
)
def sees_everything(ref, X):
    X = matrix(ref, X)
    return np.tile(X.mean(axis=0), (len(X), 1))


@variant("context.causal_average/sees-everything")
def _(ref, X):
    X = matrix(ref, X)
    return np.full((len(X), len(X)), 1 / max(len(X), 1), dtype=X.dtype) @ X


@about_causal(
    "context.causal_average/only-what-follows",
    en=Explained(
        "You averaged what comes after each position, not what came before.",
        "Your last row is the last position alone, and row 0 the mean of all: the sequence is read from its end.",
        hint="What should row 0 be?",
    ),
    zh_tw=Explained(
        "你平均的是每個位置之後的，而不是之前的。",
        "你的最後一個橫列只有最後一個位置，第 0 個橫列卻是全部的平均：序列被從尾端讀起了。",
        hint="第 0 個橫列應該是什麼？",
    ),
)
def what_follows(ref, X):
    X = matrix(ref, X)
    return sofar(X[::-1])[::-1]


@variant("context.causal_average/only-what-follows")
def _(ref, X):
    X = matrix(ref, X)
    return filled(X, lambda t: X[t:].mean(axis=0))


@about_causal(
    "context.causal_average/itself-left-out",
    en=Explained(
        "Each row averages those before it, but not its own.",
        "A slice that ends at t ends before row t. Row 0 then has nothing to average and is NaN.",
        hint="Which rows does your slice hold for t = 0?",
    ),
    zh_tw=Explained(
        "每個橫列平均了前面的，卻沒有它自己。",
        "結尾寫成 t 的切片，在第 t 個橫列之前就停了。第 0 個橫列沒有東西可平均，成了 NaN。",
        hint="t = 0 時，你的切片裡有哪些橫列？",
    ),
)
def itself_left_out(ref, X):
    X = matrix(ref, X)
    return filled(X, lambda t: X[:t].mean(axis=0))


@variant("context.causal_average/itself-left-out")
def _(ref, X):
    X = matrix(ref, X)
    return ((X.cumsum(axis=0) - X) / (steps(len(X)) - 1) + 0 / (steps(len(X)) - 1)).astype(X.dtype)


@about_causal(
    "context.causal_average/itself-left-out-from-row-1",
    en=Explained(
        "Each row averages those before it, but not its own, and row 0 is zero.",
        "A slice that ends at t ends before row t. That row 0 had nothing to average was a sign of it: a loop that starts at 1 "
        "only hides the sign.",
        hint="Which rows does your slice hold for t = 1? Which should it hold?",
    ),
    zh_tw=Explained(
        "每個橫列平均了前面的，卻沒有它自己；第 0 個橫列則是 0。",
        "結尾寫成 t 的切片，在第 t 個橫列之前就停了。第 0 個橫列沒有東西可平均，正是徵兆；讓迴圈從 1 開始，只是把徵兆藏起來。",
        hint="t = 1 時，你的切片裡有哪些橫列？應該有哪些？",
    ),
)
def itself_left_out_from_row_1(ref, X):
    X = matrix(ref, X)
    return filled(X, lambda t: X[:t].mean(axis=0) if t else 0)


@variant("context.causal_average/itself-left-out-from-row-1")
def _(ref, X):
    X = matrix(ref, X)
    return np.concatenate([np.zeros_like(X[:1]), sofar(X)[:-1]])


@about_causal(
    "context.causal_average/sees-the-next",
    en=Explained(
        "Each row sees one position too many: the next one.",
        "That is the very one that is to be predicted. The last row is right, for there is no next one left.",
        hint="Which rows does your slice hold for t = 0?",
    ),
    zh_tw=Explained(
        "每個橫列都多看了一個位置：下一個。",
        "那正是要預測的那一個。最後一個橫列是對的，因為已經沒有下一個了。",
        hint="t = 0 時，你的切片裡有哪些橫列？",
    ),
)
def sees_next(ref, X):
    X = matrix(ref, X)
    return filled(X, lambda t: X[: t + 2].mean(axis=0))


@variant("context.causal_average/sees-the-next")
def _(ref, X):
    X = matrix(ref, X)
    W = np.tri(len(X), k=1)
    return (W / W.sum(axis=1, keepdims=True) @ X).astype(X.dtype)


@about_causal(
    "context.causal_average/divided-by-the-length",
    en=Explained(
        "You divided every sum by T.",
        "Row t holds t + 1 positions. Divided by T its weights sum to less than 1, and early rows come out too small. It "
        "is what becomes of weights that are hidden after they were shared out.",
        hint="By how much is the sum in row 0 to be divided?",
    ),
    zh_tw=Explained(
        "你把每個總和都除以 T。",
        "第 t 個橫列有 t + 1 個位置。除以 T 時，它的權重加起來小於 1，前面的橫列都太小。先分好權重再遮掉，就會變成這樣。",
        hint="第 0 個橫列的總和應該除以多少？",
    ),
)
def divided_by_length(ref, X):
    X = matrix(ref, X)
    return X.cumsum(axis=0) / len(X)


@variant("context.causal_average/divided-by-the-length")
def _(ref, X):
    X = matrix(ref, X)
    return filled(X, lambda t: sum(row / len(X) for row in X[: t + 1]))


@about_causal(
    "context.causal_average/not-divided",
    en=Explained(
        "You returned the running sums.",
        "They grow with the position: the same words weigh more at the end of a text than at its start. Each sum still "
        "has to be divided by how many it holds.",
        hint="Try X with equal rows: what should every average be?",
    ),
    zh_tw=Explained(
        "你回傳的是累加的總和。",
        "它會隨著位置變大：同樣的字，在文字尾端比在開頭還重。每個總和還要除以它包含的個數。",
        hint="拿橫列全都相同的 X 試試：每個平均應該是什麼？",
    ),
)
def sums(ref, X):
    return matrix(ref, X).cumsum(axis=0)


@variant("context.causal_average/not-divided")
def _(ref, X):
    X = matrix(ref, X)
    return filled(X, lambda t: sum(X[: t + 1]))


@about_causal(
    "context.causal_average/divided-by-the-index",
    en=Explained(
        "You divided row t by t.",
        "Positions count from 0, so row t holds t + 1 of them. Row 0 is divided by 0.",
        hint="How many positions does row 0 hold?",
    ),
    zh_tw=Explained(
        "你把第 t 個橫列除以 t。",
        "位置從 0 數起，所以第 t 個橫列有 t + 1 個位置。第 0 個橫列會除以 0。",
        hint="第 0 個橫列有幾個位置？",
    ),
)
def divided_by_index(ref, X):
    X = matrix(ref, X)
    return (X.cumsum(axis=0) / np.arange(len(X))[:, None]).astype(X.dtype)


@variant("context.causal_average/divided-by-the-index")
def _(ref, X):
    X = matrix(ref, X)
    return filled(X, lambda t: sum(X[: t + 1]) / t)


@about_causal(
    "context.causal_average/divided-by-one-more",
    en=Explained(
        "You divided row t by t + 2.",
        "A 1 was added twice: once where the counting starts and once more in the division. Row 0 is only half of what "
        "it should be.",
        hint="How many positions does row 0 hold?",
    ),
    zh_tw=Explained(
        "你把第 t 個橫列除以 t + 2。",
        "1 加了兩次：一次在計數的起點，一次在除法裡。第 0 個橫列只有應有的一半。",
        hint="第 0 個橫列有幾個位置？",
    ),
)
def divided_by_more(ref, X):
    X = matrix(ref, X)
    return (X.cumsum(axis=0) / (steps(len(X)) + 1)).astype(X.dtype)


@variant("context.causal_average/divided-by-one-more")
def _(ref, X):
    X = matrix(ref, X)
    return filled(X, lambda t: sum(X[: t + 1]) / (t + 2))


@about_causal(
    "context.causal_average/columns-share",
    en=Explained(
        "You shared one unit down the columns of the weights.",
        "What each position gives away then sums to 1, but what a row takes in does not: the averages are too small at "
        "the start and too large at the end.",
        hint="With which weights does row 0 enter row 0? What do the weights of the last row sum to?",
    ),
    zh_tw=Explained(
        "你讓權重的每個直行分一個單位。",
        "這時每個位置給出去的加起來是 1，但每個橫列收進來的不是：平均在開頭太小，在尾端太大。",
        hint="第 0 個橫列的平均裡，位置 0 的權重是多少？最後一個橫列的權重加起來是多少？",
    ),
)
def columns_share(ref, X):
    X = matrix(ref, X)
    W = np.tri(len(X))
    return (W / W.sum(axis=0) @ X).astype(X.dtype)


@variant("context.causal_average/columns-share")
def _(ref, X):
    X = matrix(ref, X)
    return filled(X, lambda t: sum(X[s] / (len(X) - s) for s in range(t + 1)))


@about_causal(
    "context.causal_average/one-unit-for-all",
    en=Explained(
        "All rows of your weights share one unit together.",
        "You divided by the number of all pairs of positions. Each row is an average of its own, with weights that sum "
        "to 1.",
        hint="What do the weights of row 0 sum to?",
    ),
    zh_tw=Explained(
        "你的權重是所有橫列合起來分一個單位。",
        "你除的是所有位置對的總數。每個橫列是各自的平均，權重應該各自加起來等於 1。",
        hint="第 0 個橫列的權重加起來是多少？",
    ),
)
def one_unit(ref, X):
    X = matrix(ref, X)
    W = np.tri(len(X))
    return (W / W.sum() @ X).astype(X.dtype)


@variant("context.causal_average/one-unit-for-all")
def _(ref, X):
    X = matrix(ref, X)
    return X.cumsum(axis=0) / max(len(X) * (len(X) + 1) // 2, 1)


@about_causal(
    "context.causal_average/over-the-features",
    en=Explained(
        "You averaged along the features.",
        "Each row of yours averages the numbers of one position, from left to right, and no position sees another.",
        hint="Change row 0 of X. Which rows of the result should change?",
    ),
    zh_tw=Explained(
        "你沿著特徵平均了。",
        "你的每個橫列都是同一個位置的數由左到右的平均，沒有任何位置看得到別的位置。",
        hint="改動 X 的第 0 個橫列，結果中哪些橫列應該跟著變？",
    ),
)
def over_features(ref, X):
    X = matrix(ref, X)
    return (X.cumsum(axis=1) / np.arange(1, X.shape[1] + 1)).astype(X.dtype)


@variant("context.causal_average/over-the-features")
def _(ref, X):
    X = matrix(ref, X)
    return filled(X, lambda t: [X[t, : c + 1].mean() for c in range(X.shape[1])])


@about_causal(
    "context.causal_average/divisor-misaligned",
    en=Explained(
        "Your divisors lie along the columns instead of the rows.",
        "An array of shape [T] is laid along the last axis. Where T and d differ it is an error, where they are equal "
        "each feature is divided by another number.",
        hint="Compare the shapes of what you divide and what you divide by.",
    ),
    zh_tw=Explained(
        "你的除數排在直行方向，而不是橫列方向。",
        "形狀 [T] 的陣列會沿著最後一軸攤開。T 和 d 不同時出錯，相同時每個特徵除到不同的數。",
        hint="比較被除數和除數的形狀。",
    ),
)
def misaligned(ref, X):
    X = matrix(ref, X)
    return (X.cumsum(axis=0) / np.arange(1, len(X) + 1)).astype(X.dtype)


@variant("context.causal_average/divisor-misaligned")
def _(ref, X):
    X = matrix(ref, X)
    return np.multiply(X.cumsum(axis=0), [1 / n for n in range(1, len(X) + 1)]).astype(X.dtype)


@about_causal(
    "context.causal_average/halved-step-by-step",
    en=Explained(
        "You averaged the row before with each new row, half and half.",
        "The newest row then weighs one half and the oldest almost nothing. Among the rows so far, each weighs the same.",
        hint="Work out by hand with which weight row 0 enters row 2.",
    ),
    zh_tw=Explained(
        "每來一個新的橫列，你就把它和前一個平均各取一半。",
        "這樣最新的橫列占一半，最舊的幾乎什麼也不剩。到目前為止的橫列應該一樣重。",
        hint="用手算算看：第 0 個橫列在第 2 個平均裡的權重是多少？",
    ),
)
def halved(ref, X):
    out = matrix(ref, X).copy()
    for t in range(1, len(out)):
        out[t] = (out[t - 1] + out[t]) / 2
    return out


@variant("context.causal_average/halved-step-by-step")
def _(ref, X):
    X = matrix(ref, X)

    def row(t):
        weights = [0.5**t] + [0.5 ** (t - s + 1) for s in range(1, t + 1)]
        return np.array(weights) @ X[: t + 1]

    return filled(X, row)


@about_causal(
    "context.causal_average/averages-of-averages",
    en=Explained(
        "You averaged rows that had been replaced by their averages already.",
        "Written into the array that you still read from, row 0 counts again in every average. The first two rows come "
        "out right, the third does not.",
        hint="Which array do you read in the third step, and what stands in its second row by then?",
    ),
    zh_tw=Explained(
        "你平均的橫列，有些早已被自己的平均取代了。",
        "一邊讀一邊寫回同一個陣列，第 0 個橫列就會一再被算進後面的平均。前兩個橫列是對的，第三個就錯了。",
        hint="第三步你讀的是哪個陣列？那時它的第二個橫列已經是什麼？",
    ),
)
def averages_of_averages(ref, X):
    out = matrix(ref, X).copy()
    for t in range(len(out)):
        out[t] = out[: t + 1].mean(axis=0)
    return out


@variant("context.causal_average/averages-of-averages")
def _(ref, X):
    rows, total = [], 0
    for n, row in enumerate(matrix(ref, X), start=1):
        rows.append((total + row) / n)
        total = total + rows[-1]
    return np.array(rows).reshape(X.shape)


@about_causal(
    "context.causal_average/last-two-only",
    en=Explained(
        "Each row averages itself and the one before it.",
        "A window of two forgets everything older, and row 2 no longer knows of row 0. The context reaches back to the "
        "start.",
        hint="Change row 0 of X. Which rows of the result should change?",
    ),
    zh_tw=Explained(
        "每個橫列只平均了自己和前一個。",
        "大小為 2 的視窗會忘掉更早的一切，第 2 個橫列就不知道第 0 個了。上下文要一路回到開頭。",
        hint="改動 X 的第 0 個橫列，結果中哪些橫列應該跟著變？",
    ),
)
def last_two(ref, X):
    out = matrix(ref, X).copy()
    out[1:] = (out[1:] + out[:-1]) / 2
    return out


@variant("context.causal_average/last-two-only")
def _(ref, X):
    X = matrix(ref, X)
    return filled(X, lambda t: X[max(t - 1, 0) : t + 1].mean(axis=0))


@about_causal(
    "context.causal_average/last-row-only",
    en=Explained(
        "You returned only the last average.",
        "Every position makes a prediction and needs a context of its own: one row for each.",
        hint="Print the shape of your result. Is the return inside the loop, or is there one mean only?",
    ),
    zh_tw=Explained(
        "你只回傳了最後一個平均。",
        "每個位置都要做預測，都需要自己的上下文：一個位置一個橫列。",
        hint="把結果的形狀印出來。return 是不是寫在迴圈裡，或者只算了一個平均？",
    ),
)
def last_row_only(ref, X):
    return matrix(ref, X).mean(axis=0)


@variant("context.causal_average/last-row-only")
def _(ref, X):
    X = matrix(ref, X)
    return sum(X, start=np.zeros_like(X[:1]).sum(axis=0)) / np.float64(len(X)).astype(X.dtype)


@about_causal(
    "context.causal_average/first-row-zero",
    en=Explained(
        "Your row 0 is zero.",
        "A loop that starts at 1 leaves row 0 as it was made. The first position sees itself, so its average is its own "
        "row.",
        hint="What are the first and the last t of your loop?",
    ),
    zh_tw=Explained(
        "你的第 0 個橫列是 0。",
        "從 1 開始的迴圈，第 0 個橫列一直是建立時的樣子。第一個位置看得到自己，所以它的平均就是它自己的橫列。",
        hint="你的迴圈裡，第一個和最後一個 t 是多少？",
    ),
)
def first_row_zero(ref, X):
    X = matrix(ref, X)
    return filled(X, lambda t: X[: t + 1].mean(axis=0) if t else 0)


@variant("context.causal_average/first-row-zero")
def _(ref, X):
    out = sofar(matrix(ref, X))
    out[:1] = 0
    return out


@about_causal(
    "context.causal_average/last-row-zero",
    en=Explained(
        "Your last row is zero.",
        "range(T - 1) ends at T - 2, so the last row is never filled.",
        hint="What are the first and the last t of your loop?",
    ),
    zh_tw=Explained(
        "你的最後一個橫列是 0。",
        "range(T - 1) 到 T - 2 為止，所以最後一個橫列從來沒有填過。",
        hint="你的迴圈裡，第一個和最後一個 t 是多少？",
    ),
)
def last_row_zero(ref, X):
    X = matrix(ref, X)
    return filled(X, lambda t: X[: t + 1].mean(axis=0) if t < len(X) - 1 else 0)


@variant("context.causal_average/last-row-zero")
def _(ref, X):
    out = sofar(matrix(ref, X))
    out[-1:] = 0
    return out


@about_causal(
    "context.causal_average/squeezed",
    en=Explained(
        "Where an axis has length 1 you drop it.",
        "A sequence of one position is still [1, d], and one of width 1 still [T, 1]. Whoever indexes the result by "
        "position counts on that.",
        hint="Print the shapes for X of shape (1, 3) and (7, 1). Is there a squeeze?",
    ),
    zh_tw=Explained(
        "長度為 1 的軸，你就丟掉了。",
        "只有一個位置的序列仍是 [1, d]，寬度 1 的仍是 [T, 1]。之後用位置取索引的程式就靠這一點。",
        hint="印出 X 形狀為 (1, 3) 和 (7, 1) 時的結果形狀。是不是用了 squeeze？",
    ),
)
def squeezed(ref, X):
    return np.squeeze(sofar(matrix(ref, X)))


@variant("context.causal_average/squeezed")
def _(ref, X):
    X = matrix(ref, X)
    averages = filled(X, lambda t: X[: t + 1].mean(axis=0))
    return averages.reshape([n for n in X.shape if n != 1])


@about_causal(
    "context.causal_average/nothing-refused",
    en=Explained(
        "You refuse a sequence without positions.",
        "It needs no average, so none is missing: the result has no rows, [0, d]. Only a single context of nothing is "
        "impossible.",
        hint="What does your function do with X of shape (0, 3)?",
    ),
    zh_tw=Explained(
        "沒有位置的序列，你就拒絕了。",
        "它不需要任何平均，所以什麼也不缺：結果沒有橫列，形狀是 [0, d]。不可能的只有「沒有東西」的那一個上下文。",
        hint="X 的形狀是 (0, 3) 時，你的函式會怎麼做？",
    ),
)
def nothing_refused(ref, X):
    X = matrix(ref, X)
    return np.stack([X[: t + 1].mean(axis=0) for t in range(len(X))])


@variant("context.causal_average/nothing-refused")
def _(ref, X):
    X = matrix(ref, X)
    if X.shape[0] == 0:
        raise ValueError("no positions")
    return sofar(X)


@about_causal(
    "context.causal_average/nothing-loses-its-width",
    en=Explained(
        "For a sequence without positions you lose the width.",
        "An empty list makes an array of shape (0,). The result for [0, d] has no rows but still d columns.",
        hint="Print the shape for X of shape (0, 3).",
    ),
    zh_tw=Explained(
        "沒有位置的序列，你弄丟了寬度。",
        "空的 list 做成陣列，形狀是 (0,)。[0, d] 的結果雖然沒有橫列，仍有 d 個直行。",
        hint="印出 X 形狀為 (0, 3) 時的結果形狀。",
    ),
)
def nothing_without_width(ref, X):
    X = matrix(ref, X)
    return np.array([X[: t + 1].mean(axis=0) for t in range(len(X))], dtype=X.dtype)


@variant("context.causal_average/nothing-loses-its-width")
def _(ref, X):
    X = matrix(ref, X)
    return sofar(X) if len(X) else np.zeros(0, dtype=X.dtype)


@about_causal("context.causal_average/vector-accepted", **VECTOR)
def vector_accepted(ref, X):
    return sofar(matrix(ref, X[:, None]))[:, 0] if X.ndim == 1 else sofar(matrix(ref, X))


@variant("context.causal_average/vector-accepted")
def _(ref, X):
    if len(X.shape) > 2:
        raise ValueError("too many axes")
    X = X.astype(ref.computing_dtype(X))
    return filled(X, lambda t: X[: t + 1].mean(axis=0))


@about_causal("context.causal_average/batch-accepted", **BATCH)
def batch_accepted(ref, X):
    if X.ndim < 2:
        raise ValueError("no matrix")
    flat = X.reshape(len(X), -1) if X.ndim > 2 else X
    return sofar(matrix(ref, flat)).reshape(X.shape)


@variant("context.causal_average/batch-accepted")
def _(ref, X):
    if len(X.shape) == 1:
        raise ValueError("no matrix")
    X = X.astype(ref.computing_dtype(X))
    return filled(X, lambda t: X[: t + 1].mean(axis=0))


@about_causal("context.causal_average/float32-widened", **WIDENED)
def causal_widened(ref, X):
    X = matrix(ref, X)
    return X.cumsum(axis=0) / steps(len(X))


@variant("context.causal_average/float32-widened")
def _(ref, X):
    X = matrix(ref, X).astype(np.float64)
    return filled(X, lambda t: X[: t + 1].mean(axis=0))


@about_causal("context.causal_average/float16-kept", **KEPT_HALF)
def causal_half(ref, X):
    result = sofar(matrix(ref, X))
    return result.astype(np.float16) if X.dtype == np.float16 else result


@variant("context.causal_average/float16-kept")
def _(ref, X):
    wide = matrix(ref, X)
    out = np.empty_like(X if X.dtype.kind == "f" else wide)
    for t in range(len(X)):
        out[t] = wide[: t + 1].mean(axis=0)
    return out


@about_causal("context.causal_average/integers-truncated", **TRUNCATED)
def causal_truncated(ref, X):
    result = sofar(matrix(ref, X))
    return result.astype(X.dtype) if X.dtype.kind in "iu" else result


@variant("context.causal_average/integers-truncated")
def _(ref, X):
    wide = matrix(ref, X)
    if wide.dtype == X.dtype or X.dtype.kind == "f":
        return filled(wide, lambda t: wide[: t + 1].mean(axis=0))
    return filled(X, lambda t: X[: t + 1].sum(axis=0) // (t + 1))


@about_causal("context.causal_average/integers-wrapped", **WRAPPED)
def causal_wrapped(ref, X):
    wide = matrix(ref, X)
    if X.dtype.kind not in "iu":
        return sofar(wide)
    return X.cumsum(axis=0, dtype=X.dtype) / steps(len(X))


@variant("context.causal_average/integers-wrapped")
def _(ref, X):
    wide = matrix(ref, X)
    total = np.zeros_like(X[0] if X.dtype.kind in "iu" else wide[0]) if len(X) else 0
    out = np.empty_like(wide)
    for t, row in enumerate(X if X.dtype.kind in "iu" else wide):
        total += row
        out[t] = total / (t + 1)
    return out


@about_causal("context.causal_average/changed-in-place", **IN_PLACE)
def causal_in_place(ref, X):
    result = sofar(matrix(ref, X))
    if X.dtype == result.dtype:
        X[...] = result
    return result


@variant("context.causal_average/changed-in-place")
def _(ref, X):
    wide = matrix(ref, X).copy()
    if wide.dtype == X.dtype:
        for t in range(len(X)):
            X[t] = wide[: t + 1].mean(axis=0)
    return filled(wide, lambda t: wide[: t + 1].mean(axis=0))
