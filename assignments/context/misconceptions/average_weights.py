"""What goes wrong in the exercise context.average_weights."""

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import ASSERTS, about_weights, listed, row_shares, some_size, steps


def share(t, s):
    """The right weight."""
    return 1 / (t + 1) if s <= t else 0.0


@about_weights(
    "context.average_weights/columns-share",
    en=Explained(
        "Your columns sum to 1; the rows should.",
        "A row holds what one position takes from each of the others, and its shares make up one unit. What a position "
        "gives away, down a column, may sum to anything.",
        hint="Along which axis do you sum before you divide?",
    ),
    zh_tw=Explained(
        "加起來等於 1 的是你的直行，應該是橫列才對。",
        "一個橫列是某個位置從每個位置拿多少，這些比例合起來是一個單位。一個位置給出去的（沿著直行）加起來多少都可以。",
        hint="除之前，你沿著哪一軸相加？",
    ),
)
def columns_share(ref, T):
    W = np.tri(some_size(T))
    return W / W.sum(axis=0)


@variant("context.average_weights/columns-share")
def _(ref, T):
    return listed(T, lambda t, s: 1 / (T - s) if s <= t else 0)


@about_weights(
    "context.average_weights/one-unit-for-all",
    en=Explained(
        "All rows together share one unit.",
        "You divided by the sum of the whole matrix. Each row is an average of its own and sums to 1 by itself.",
        hint="What does row 0 sum to, and what should it?",
    ),
    zh_tw=Explained(
        "你讓所有橫列合起來分一個單位。",
        "你除的是整個矩陣的總和。每個橫列是各自的平均，應該各自加起來等於 1。",
        hint="第 0 個橫列加起來是多少？應該是多少？",
    ),
)
def one_unit(ref, T):
    W = np.tri(some_size(T))
    return W / W.sum()


@variant("context.average_weights/one-unit-for-all")
def _(ref, T):
    return listed(T, lambda t, s: 2 / (T * (T + 1)) if s <= t else 0)


@about_weights(
    "context.average_weights/divided-by-the-length",
    en=Explained(
        "You divided every row by T.",
        "Only the last row sees T positions. The others sum to less than 1: it is what is left of equal shares when the "
        "future is hidden after sharing.",
        hint="How many positions does row 0 see?",
    ),
    zh_tw=Explained(
        "你把每個橫列都除以 T。",
        "只有最後一個橫列看得到 T 個位置，其他的加起來小於 1：先平分、再把未來遮掉，剩下的就是這樣。",
        hint="第 0 個橫列看得到幾個位置？",
    ),
)
def divided_by_length(ref, T):
    return np.tri(some_size(T)) / T


@variant("context.average_weights/divided-by-the-length")
def _(ref, T):
    return np.tril(np.full((some_size(T), T), 1 / max(T, 1)))


@about_weights(
    "context.average_weights/not-divided",
    en=Explained(
        "You returned ones, not shares.",
        "This matrix says who is seen. Multiplied with X it gives sums; an average needs weights that sum to 1 in each "
        "row.",
        hint="What does the last row sum to?",
    ),
    zh_tw=Explained(
        "你回傳的是 1，不是比例。",
        "這個矩陣只說了看得到誰。乘上 X 得到的是總和；平均需要每個橫列加起來等於 1 的權重。",
        hint="最後一個橫列加起來是多少？",
    ),
)
def not_divided(ref, T):
    return np.tri(some_size(T))


@variant("context.average_weights/not-divided")
def _(ref, T):
    return listed(T, lambda t, s: float(s <= t))


@about_weights(
    "context.average_weights/future-not-hidden",
    en=Explained(
        "The future is not hidden: every weight is 1 / T.",
        "If you went by way of a softmax, the scores above the diagonal must be -inf. A score of 0, or as good as 0 like "
        "-1e-9, has the same share as any other.",
        hint="Look at the top right corner. What is exp of the score that stands there?",
    ),
    zh_tw=Explained(
        "未來沒有被遮住：每個權重都是 1 / T。",
        "如果你用了 softmax，對角線上方的分數必須是 -inf。分數是 0，或像 -1e-9 這樣幾乎是 0，分到的就和別人一樣多。",
        hint="看看右上角。那裡的分數取 exp 是多少？",
    ),
)
def future_seen(ref, T):
    return np.ones((some_size(T), T)) / T


@variant("context.average_weights/future-not-hidden")
def _(ref, T):
    return row_shares(np.exp(np.where(np.tri(some_size(T)), 0, -1e-9)))


@about_weights(
    "context.average_weights/future-nearly-hidden",
    en=Explained(
        "A little of the future leaks in: you hid it with -10.",
        "exp(-10) is 0.000045, not 0, and over a long text many small leaks add up. Only exp(-inf) is exactly 0.",
        hint="Print one weight from above the diagonal with all its digits.",
    ),
    zh_tw=Explained(
        "未來漏進來了一點：你用 -10 去遮。",
        "exp(-10) 是 0.000045，不是 0；文字一長，許多小漏洞就會累積起來。只有 exp(-inf) 正好是 0。",
        hint="把對角線上方的一個權重完整印出來。",
    ),
)
def nearly_hidden(ref, T):
    return row_shares(np.exp(np.where(np.tri(some_size(T)), 0.0, -10.0)))


@variant("context.average_weights/future-nearly-hidden")
def _(ref, T):
    leak = math.exp(-10)
    return listed(T, lambda t, s: (1 if s <= t else leak) / (t + 1 + (T - t - 1) * leak))


@about_weights(
    "context.average_weights/zero-times-infinity",
    en=Explained(
        "You multiplied a 0 by infinity.",
        "mask * scores + (1 - mask) * -inf looks like a choice, but where the mask is 1 it adds 0 * -inf, which is NaN, "
        "and a softmax spreads it over the row.",
        hint="Print (1 - mask) * -np.inf by itself.",
    ),
    zh_tw=Explained(
        "你拿 0 去乘無限大。",
        "mask * scores + (1 - mask) * -inf 看起來像是在二選一，但遮罩為 1 的地方加上的是 0 * -inf，也就是 NaN，softmax 再把它擴散到整個橫列。",
        hint="單獨把 (1 - mask) * -np.inf 印出來。",
    ),
)
def zero_times_infinity(ref, T):
    mask = np.tri(some_size(T))
    return row_shares(np.exp((1 - mask) * -np.inf))


@variant("context.average_weights/zero-times-infinity")
def _(ref, T):
    return np.array([[math.nan] * some_size(T)] * T).reshape(T, T)


@about_weights(
    "context.average_weights/only-what-follows",
    en=Explained(
        "Your weights lie above the diagonal: each position averages what follows it.",
        "Rows are those who average, columns those who are averaged. In row 0 only column 0 may be seen.",
        hint="Is it tril or triu that you need? Write row 0 down by hand.",
    ),
    zh_tw=Explained(
        "你的權重在對角線上方：每個位置平均的是它後面的。",
        "橫列是做平均的，直行是被平均的。第 0 個橫列只能看到第 0 個直行。",
        hint="需要的是 tril 還是 triu？用手寫出第 0 個橫列。",
    ),
)
def what_follows(ref, T):
    return row_shares(np.triu(np.ones((some_size(T), T))))


@variant("context.average_weights/only-what-follows")
def _(ref, T):
    return listed(T, lambda t, s: 1 / (T - t) if s >= t else 0)


@about_weights(
    "context.average_weights/transposed",
    en=Explained(
        "Your matrix is transposed.",
        "The numbers are right, but W @ X takes the weights of a position from a row. Yours stand in columns, so it is "
        "the columns that sum to 1.",
        hint="Write W @ X out for T = 2. Which entry of W brings row 0 of X into row 1 of the result?",
    ),
    zh_tw=Explained(
        "你的矩陣轉置了。",
        "數字是對的，但 W @ X 是從橫列取出一個位置的權重。你的權重排在直行，所以加起來等於 1 的是直行。",
        hint="寫出 T = 2 時的 W @ X。把 X 的第 0 個橫列帶進結果第 1 個橫列的，是 W 的哪一格？",
    ),
)
def transposed(ref, T):
    return (np.tri(some_size(T)) / steps(T)).T


@variant("context.average_weights/transposed")
def _(ref, T):
    return listed(T, lambda t, s: share(s, t))


@about_weights(
    "context.average_weights/itself-left-out",
    en=Explained(
        "No position sees itself.",
        "Your diagonal is 0, and row 0 has nothing left to average: 0 / 0 is NaN. The average so far includes the "
        "position it is taken at.",
        hint="Look at the diagonal, then at row 0.",
    ),
    zh_tw=Explained(
        "每個位置都看不到自己。",
        "你的對角線是 0，第 0 個橫列就沒有東西可平均：0 / 0 是 NaN。到目前為止的平均，也包含它自己的位置。",
        hint="先看對角線，再看第 0 個橫列。",
    ),
)
def itself_left_out(ref, T):
    return row_shares(np.tri(some_size(T), k=-1))


@variant("context.average_weights/itself-left-out")
def _(ref, T):
    return listed(T, lambda t, s: math.nan if t == 0 else (1 / t if s < t else 0))


@about_weights(
    "context.average_weights/sees-the-next",
    en=Explained(
        "Each row sees one position too many: the next one.",
        "The diagonal above the main one is filled as well. That is the token which is to be predicted.",
        hint="How many entries of row 0 are not 0? Look at the k of tri, tril or triu.",
    ),
    zh_tw=Explained(
        "每個橫列都多看了一個位置：下一個。",
        "主對角線上面那一條也填了值。那正是要預測的詞元。",
        hint="第 0 個橫列有幾格不是 0？看看 tri、tril 或 triu 的 k。",
    ),
)
def sees_next(ref, T):
    return row_shares(np.tri(some_size(T), k=1))


@variant("context.average_weights/sees-the-next")
def _(ref, T):
    return listed(T, lambda t, s: 1 / min(t + 2, T) if s <= t + 1 else 0)


@about_weights(
    "context.average_weights/hides-the-past",
    en=Explained(
        "You hid what should be seen, and the other way round.",
        "Only the future is left, without the position itself, and the last row has nothing: 0 / 0 is NaN. In this course "
        "True means `may attend`.",
        hint="Look at the diagonal. Which of the two sides did your condition choose?",
    ),
    zh_tw=Explained(
        "該看的你遮住了，該遮的反而留下。",
        "剩下的只有未來，連自己也沒有；最後一個橫列什麼都沒有：0 / 0 是 NaN。在這門課裡，True 代表「可以注意」。",
        hint="看看對角線。你的條件選的是哪一邊？",
    ),
)
def hides_the_past(ref, T):
    return row_shares(1 - np.tri(some_size(T)))


@variant("context.average_weights/hides-the-past")
def _(ref, T):
    return listed(T, lambda t, s: math.nan if t == T - 1 else (1 / (T - 1 - t) if s > t else 0))


@about_weights(
    "context.average_weights/divided-by-the-index",
    en=Explained(
        "You divided row t by t.",
        "Positions count from 0, so row t sees t + 1 of them. Row 0 is divided by 0.",
        hint="How many positions does row 0 see?",
    ),
    zh_tw=Explained(
        "你把第 t 個橫列除以 t。",
        "位置從 0 數起，所以第 t 個橫列看得到 t + 1 個。第 0 個橫列會除以 0。",
        hint="第 0 個橫列看得到幾個位置？",
    ),
)
def divided_by_index(ref, T):
    return np.tri(some_size(T)) / np.arange(T)[:, None]


@variant("context.average_weights/divided-by-the-index")
def _(ref, T):
    first = {True: math.inf, False: math.nan}
    return listed(T, lambda t, s: first[s == 0] if t == 0 else (1 / t if s <= t else 0))


@about_weights(
    "context.average_weights/divided-by-one-more",
    en=Explained(
        "You divided row t by t + 2.",
        "A 1 was added twice. Row 0 has one half where the whole unit should be.",
        hint="What does row 0 sum to?",
    ),
    zh_tw=Explained(
        "你把第 t 個橫列除以 t + 2。",
        "1 加了兩次。第 0 個橫列本該有一整個單位，卻只有一半。",
        hint="第 0 個橫列加起來是多少？",
    ),
)
def divided_by_more(ref, T):
    return np.tri(some_size(T)) / (steps(T) + 1)


@variant("context.average_weights/divided-by-one-more")
def _(ref, T):
    return listed(T, lambda t, s: 1 / (t + 2) if s <= t else 0)


@about_weights(
    "context.average_weights/divisor-misaligned",
    en=Explained(
        "You divided the columns where you meant the rows.",
        "An array of shape [T] is laid along the last axis, so column s is divided by s + 1. A divisor for each row has "
        "the shape [T, 1].",
        hint="Look at column 0: are its entries the same in every row?",
    ),
    zh_tw=Explained(
        "你想除橫列，除到的卻是直行。",
        "形狀 [T] 的陣列會沿著最後一軸攤開，於是第 s 個直行除以 s + 1。每個橫列一個除數，形狀應該是 [T, 1]。",
        hint="看看第 0 個直行：每個橫列的值是不是都一樣？",
    ),
)
def misaligned(ref, T):
    return np.tri(some_size(T)) / np.arange(1, T + 1)


@variant("context.average_weights/divisor-misaligned")
def _(ref, T):
    return listed(T, lambda t, s: 1 / (s + 1) if s <= t else 0)


@about_weights(
    "context.average_weights/itself-only",
    en=Explained(
        "Each position sees only itself.",
        "Your matrix is the identity, so W @ X is X. The rows sum to 1, but nothing is averaged: a bigram knows no more "
        "than that.",
        hint="How many entries of the last row should not be 0? If you divided integers, look at the kind of division.",
    ),
    zh_tw=Explained(
        "每個位置只看得到自己。",
        "你的矩陣是單位矩陣，W @ X 就是 X。橫列加起來是 1，但什麼也沒平均：bigram 知道的就只有這麼多。",
        hint="最後一個橫列應該有幾格不是 0？如果你拿整數相除，看看用的是哪一種除法。",
    ),
)
def itself_only(ref, T):
    return np.eye(some_size(T))


@variant("context.average_weights/itself-only")
def _(ref, T):
    return listed(T, lambda t, s: float(t == s))


@about_weights(
    "context.average_weights/recent-first",
    en=Explained(
        "Your weights fall off with the distance.",
        "A softmax of minus the distance prefers the recent past. That may be a good idea, but an average gives the same "
        "to all: where every score is equal, so is every share.",
        hint="Compare the first and the last entry of the last row.",
    ),
    zh_tw=Explained(
        "你的權重隨距離變小。",
        "對負的距離做 softmax，會偏好最近的過去。這也許是個好主意，但平均是一視同仁：分數全都相等，分到的也就相等。",
        hint="比較最後一個橫列的第一格和最後一格。",
    ),
)
def recent_first(ref, T):
    back = np.arange(some_size(T))[:, None] - np.arange(T)
    return row_shares(np.where(back >= 0, np.exp(-1.0 * np.abs(back)), 0))


@variant("context.average_weights/recent-first")
def _(ref, T):
    return listed(T, lambda t, s: math.exp(s - t) / sum(math.exp(-n) for n in range(t + 1)) if s <= t else 0)


@about_weights(
    "context.average_weights/rising",
    en=Explained(
        "Your weights rise with the position.",
        "You shared by how far along a position stands, 1 to 2 to 3. In an average the first position weighs as much as "
        "the last.",
        hint="Compare the first and the last entry of the last row.",
    ),
    zh_tw=Explained(
        "你的權重隨位置變大。",
        "你按位置的先後來分，1 比 2 比 3。平均時，第一個位置和最後一個一樣重。",
        hint="比較最後一個橫列的第一格和最後一格。",
    ),
)
def rising(ref, T):
    return row_shares(np.tri(some_size(T)) * np.arange(1, T + 1))


@variant("context.average_weights/rising")
def _(ref, T):
    return listed(T, lambda t, s: 2 * (s + 1) / ((t + 1) * (t + 2)) if s <= t else 0)


@about_weights(
    "context.average_weights/lists",
    en=Explained(
        "You returned lists, not an array.",
        "Nested lists look the same when printed, but W.T, W / 2 and W[:, 0] do not work on them.",
        hint="Print type(W).",
    ),
    zh_tw=Explained(
        "你回傳的是 list，不是陣列。",
        "巢狀的 list 印出來看起來一樣，但 W.T、W / 2、W[:, 0] 都不能用。",
        hint="把 type(W) 印出來。",
    ),
)
def lists(ref, T):
    return (np.tri(some_size(T)) / steps(T)).tolist()


@variant("context.average_weights/lists")
def _(ref, T):
    return [[share(t, s) for s in range(some_size(T))] for t in range(some_size(T))]


@about_weights(
    "context.average_weights/one-squeezed",
    en=Explained(
        "For a single position you do not return a matrix.",
        "T = 1 is no special case: the weights are [[1.0]], of shape (1, 1).",
        hint="Print the shape for T = 1. Is there a squeeze, or a case of its own?",
    ),
    zh_tw=Explained(
        "只有一個位置時，你回傳的不是矩陣。",
        "T = 1 不是特例：權重是 [[1.0]]，形狀 (1, 1)。",
        hint="印出 T = 1 時的形狀。是不是用了 squeeze，或替它寫了特例？",
    ),
)
def one_squeezed(ref, T):
    return np.squeeze(np.tri(some_size(T)) / steps(T))


@variant("context.average_weights/one-squeezed")
def _(ref, T):
    return np.array(1.0) if T == 1 else listed(T, share)


@about_weights(
    "context.average_weights/zero-refused",
    en=Explained(
        "You refuse T = 0.",
        "No positions need no weights: the matrix is empty, of shape (0, 0). Only a negative T is refused.",
        hint="Look at the comparison in your check: what does it say for 0?",
    ),
    zh_tw=Explained(
        "T = 0 時，你就拒絕了。",
        "沒有位置就不需要權重：矩陣是空的，形狀 (0, 0)。要拒絕的只有負的 T。",
        hint="看看檢查裡的比較式：碰到 0 時，它怎麼說？",
    ),
)
def zero_refused(ref, T):
    if T <= 0:
        raise ValueError("a positive number of positions is needed")
    return np.tri(T) / steps(T)


@variant("context.average_weights/zero-refused")
def _(ref, T):
    if T < 1:
        raise ValueError("nothing to weigh")
    return listed(T, share)


@about_weights(
    "context.average_weights/negative-accepted",
    en=Explained(
        "You accept a negative T.",
        "np.tri and range make something empty of it, without a word. There cannot be fewer than 0 positions, so the "
        "number comes from a mistake that the caller should hear of.",
        hint="What does your function return for T = -1?",
    ),
    zh_tw=Explained(
        "你接受了負的 T。",
        "np.tri 和 range 會默默做出空的東西。位置不可能少於 0 個，這個數一定是哪裡算錯了，呼叫端應該知道。",
        hint="T = -1 時，你的函式回傳什麼？",
    ),
)
def negative_accepted(ref, T):
    return np.tri(T) / np.arange(1, T + 1)[:, None]


@variant("context.average_weights/negative-accepted")
def _(ref, T):
    return listed(max(T, 0), share)


@about_weights("context.average_weights/asserts", **ASSERTS)
def weights_asserts(ref, T):
    assert T >= 0, "a negative number of positions"
    return np.tri(T) / steps(T)


@variant("context.average_weights/asserts")
def _(ref, T):
    if T < 0:
        raise AssertionError
    return listed(T, share)


@about_weights(
    "context.average_weights/float32",
    en=Explained(
        "Your weights are float32.",
        "1/3 has seven digits in it. There is no float32 input here that asks for one, so the weights are float64; "
        "multiplied with a float64 X they would lose half of its digits.",
        hint="Print the dtype of what you return.",
    ),
    zh_tw=Explained(
        "你的權重是 float32。",
        "用它寫 1/3 只有七位有效數字。這裡沒有 float32 的輸入要求這麼做，所以權重是 float64；否則乘上 float64 的 X，會丟掉一半的位數。",
        hint="把回傳值的 dtype 印出來。",
    ),
)
def weights_float32(ref, T):
    return (np.tri(some_size(T)) / steps(T)).astype(np.float32)


@variant("context.average_weights/float32")
def _(ref, T):
    return np.array(listed(T, share), dtype="f4")
