"""What goes wrong in the exercise attention.softmax."""

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    EMPTY_NAN,
    IN_PLACE,
    KEPT_HALF,
    WIDENED,
    about_softmax,
    along,
    halved,
    ratio,
    share,
    shares,
)


@about_softmax(
    "attention.softmax/first-axis-by-default",
    en=Explained(
        "Left to itself, your softmax runs along the first axis.",
        "The default is the last axis: in a matrix each row sums to 1. Yours makes the columns sum to 1 unless it is told.",
        hint="Compare the default of `axis` with the template's.",
    ),
    zh_tw=Explained(
        "沒有指定軸時，你的 softmax 沿著第一個軸計算。",
        "預設應該是最後一個軸：矩陣的每個橫列總和為 1。你的在沒有指定時讓直行的總和為 1。",
        hint="把 `axis` 的預設值和範本比一比。",
    ),
)
def softmax_of_columns_by_default(ref, x, axis=0):
    [x] = ref.as_floats(x)
    return shares(x, axis)


@variant("attention.softmax/first-axis-by-default")
def _(ref, x, axis=0):
    return along(ref, x, axis, share)


@about_softmax(
    "attention.softmax/axis-ignored",
    en=Explained(
        "Your softmax runs along the last axis whatever axis is asked for.",
        "With axis=0 the columns should sum to 1, but your rows still do: the argument has no effect.",
        hint="Where in your function is `axis` read?",
    ),
    zh_tw=Explained(
        "不管要求哪個軸，你的 softmax 都沿著最後一個軸計算。",
        "axis=0 時應該讓直行的總和為 1，你的仍然是橫列的總和為 1：這個引數沒有作用。",
        hint="你的函式在哪裡用到了 `axis`？",
    ),
)
def softmax_of_rows_always(ref, x, axis=-1):
    [x] = ref.as_floats(x)
    return shares(x)


@variant("attention.softmax/axis-ignored")
def _(ref, x, axis=-1):
    return along(ref, x, -1, share)


@about_softmax(
    "attention.softmax/axis-0-taken-for-none",
    en=Explained(
        "axis=0 is treated as if no axis had been given.",
        "0 counts as false in Python, so a test such as `if axis` or `axis or -1` throws exactly this axis away. All "
        "others work.",
        hint="Look for a place where `axis` is used as a truth value.",
    ),
    zh_tw=Explained(
        "axis=0 被當成沒有指定軸。",
        "在 Python 裡 0 視為假，所以 `if axis` 或 `axis or -1` 這類寫法剛好把這個軸丟掉，其他軸則沒事。",
        hint="找找看哪裡把 `axis` 當成真假值來用。",
    ),
)
def softmax_without_axis_0(ref, x, axis=-1):
    [x] = ref.as_floats(x)
    return shares(x, axis or -1)


@variant("attention.softmax/axis-0-taken-for-none")
def _(ref, x, axis=None):
    return along(ref, x, axis or np.ndim(x) - 1, share)


@about_softmax(
    "attention.softmax/matrices-only",
    en=Explained(
        "Your softmax works for matrices only.",
        "It counts on exactly two axes. A vector has one and a batch of heads has four; what softmax does along one axis "
        "does not depend on the others.",
        hint="Look for a shape unpacked into two names, or an index that fits two axes.",
    ),
    zh_tw=Explained(
        "你的 softmax 只適用於矩陣。",
        "它預設剛好有兩個軸。向量只有一個軸，一批多頭則有四個；softmax 沿著一個軸的計算和其他軸無關。",
        hint="找找看把形狀拆成兩個名字，或只適合兩個軸的索引。",
    ),
)
def softmax_of_matrices(ref, x, axis=-1):
    rows, columns = x.shape
    [x] = ref.as_floats(x)
    return shares(x, axis).reshape(rows, columns)


@variant("attention.softmax/matrices-only")
def _(ref, x, axis=-1):
    if np.ndim(x) != 2:
        raise ValueError("a matrix is needed")
    return along(ref, x, axis, share)


@about_softmax(
    "attention.softmax/over-everything",
    en=Explained(
        "Your softmax shares one unit among all entries of the array.",
        "The whole array sums to 1, so a row of T sums to about 1/T. Each slice along the axis should sum to 1 by itself.",
        hint="Over which entries does your sum run?",
    ),
    zh_tw=Explained(
        "你的 softmax 讓整個陣列共分 1 單位。",
        "整個陣列的總和是 1，所以 T 列之中的一列只有大約 1/T。沿著該軸的每一條都應該各自總和為 1。",
        hint="你的總和涵蓋了哪些元素？",
    ),
)
def softmax_over_everything(ref, x, axis=-1):
    [x] = ref.as_floats(x)
    x.max(axis=axis)  # an axis that is not there is still refused
    return shares(x.reshape(-1)).reshape(x.shape)


@variant("attention.softmax/over-everything")
def _(ref, x, axis=-1):
    [x] = ref.as_floats(x)
    np.moveaxis(x, axis, 0)
    return np.array(share(x.ravel().tolist()), dtype=x.dtype).reshape(x.shape)


@about_softmax(
    "attention.softmax/no-exponential",
    en=Explained(
        "You divided by the sum without exponentials.",
        "x / sum(x) is no distribution: scores may be negative, and then so are shares, and a sum near 0 blows them up. "
        "exp makes every share positive first.",
        hint="What makes a negative score a positive weight?",
    ),
    zh_tw=Explained(
        "你沒有取指數就直接除以總和。",
        "x / sum(x) 不是機率分布：分數可能是負的，分到的比例也跟著變負；總和接近 0 時還會變得極大。要先用 exp 讓每個比例都是正的。",
        hint="是什麼讓負的分數變成正的權重？",
    ),
)
def softmax_without_exp(ref, x, axis=-1):
    [x] = ref.as_floats(x)
    return x / x.sum(axis=axis, keepdims=True)


@variant("attention.softmax/no-exponential")
def _(ref, x, axis=-1):
    return along(ref, x, axis, lambda line: [ratio(number, sum(line)) for number in line])


@about_softmax(
    "attention.softmax/not-normalised",
    en=Explained(
        "You took the exponentials but did not divide by their sum.",
        "Every entry is positive and the largest is 1, yet a row sums to more than 1: these are ratios to the best score, "
        "not shares.",
        hint="What should a row sum to, and what does yours?",
    ),
    zh_tw=Explained(
        "你取了指數，卻沒有除以總和。",
        "每個元素都是正的，最大的是 1，但一列的總和超過 1：這是相對於最高分的比值，不是分到的比例。",
        hint="一列的總和應該是多少？你的是多少？",
    ),
)
def softmax_without_sum(ref, x, axis=-1):
    [x] = ref.as_floats(x)
    return np.exp(x - x.max(axis=axis, keepdims=True))


@variant("attention.softmax/not-normalised")
def _(ref, x, axis=-1):
    def rule(line):
        top = max(line)
        return [math.nan if top == -math.inf else math.exp(number - top) for number in line]

    return along(ref, x, axis, rule)


@about_softmax(
    "attention.softmax/logarithm",
    en=Explained(
        "You returned the logarithm of the softmax.",
        "All your values are 0 or less. Log-probabilities are handy in a loss, but weights are to be multiplied with "
        "values: a share is between 0 and 1.",
        hint="What is missing between your last line and a row that sums to 1?",
    ),
    zh_tw=Explained(
        "你回傳的是 softmax 的對數。",
        "你的值全都不大於 0。對數機率用在損失函數很方便，但權重要拿來乘值：每個比例應該介於 0 和 1 之間。",
        hint="從你的最後一行程式碼到總和為 1 的一列，中間還缺什麼？",
    ),
)
def softmax_as_logarithm(ref, x, axis=-1):
    [x] = ref.as_floats(x)
    m = x.max(axis=axis, keepdims=True)
    return x - m - np.log(np.exp(x - m).sum(axis=axis, keepdims=True))


@variant("attention.softmax/logarithm")
def _(ref, x, axis=-1):
    def rule(line):
        top = max(line)
        if top == -math.inf:
            return [math.nan] * len(line)
        total = math.fsum(math.exp(number - top) for number in line)
        return [number - top - math.log(total) for number in line]

    return along(ref, x, axis, rule)


@about_softmax(
    "attention.softmax/sign-reversed",
    en=Explained(
        "Your softmax gives the lowest score the largest weight.",
        "It is the softmax of -x: every order is reversed, so a query attends most to the key that fits it least.",
        hint="Which sign does the exponent have after the maximum was taken off?",
    ),
    zh_tw=Explained(
        "你的 softmax 把最大的權重給了最低的分數。",
        "這是 -x 的 softmax：大小順序全部顛倒，查詢最注意的變成最不相配的鍵。",
        hint="減去最大值之後，指數的正負號是什麼？",
    ),
)
def softmax_reversed(ref, x, axis=-1):
    [x] = ref.as_floats(x)
    return shares(-x, axis)


@variant("attention.softmax/sign-reversed")
def _(ref, x, axis=-1):
    [x] = ref.as_floats(x)
    E = np.exp(x.min(axis=axis, keepdims=True) - x)
    return E / np.add.reduce(E, axis=axis, keepdims=True)


@about_softmax(
    "attention.softmax/sigmoid",
    en=Explained(
        "You used the sigmoid, entry by entry.",
        "1 / (1 + exp(-x)) looks at one score alone. Softmax lets the entries of a row compete: when one rises the others "
        "must fall.",
        hint="Does your value at one place change when a neighbour does?",
    ),
    zh_tw=Explained(
        "你用的是逐元素的 sigmoid。",
        "1 / (1 + exp(-x)) 只看單一分數。softmax 讓同一列的元素互相競爭：一個升高，其他就得降低。",
        hint="改動相鄰的元素時，你這一格的值會變嗎？",
    ),
)
def softmax_as_sigmoid(ref, x, axis=-1):
    [x] = ref.as_floats(x)
    x.max(axis=axis)
    return 1 / (1 + np.exp(-x))


@variant("attention.softmax/sigmoid")
def _(ref, x, axis=-1):
    return along(ref, x, axis, lambda line: (1 + np.tanh(np.array(line) / 2)) / 2)


@about_softmax(
    "attention.softmax/axis-lost-in-the-sum",
    en=Explained(
        "The sum lost its axis, so it no longer lines up with the rows.",
        "A sum along the last axis of [T, n] has shape [T]. Broadcasting lays it along the columns: an error where T and n "
        "differ, and each entry divided by another row's sum where they are equal.",
        hint="Compare the shapes of what you divide and what you divide by.",
    ),
    zh_tw=Explained(
        "總和少了一個軸，和橫列對不齊了。",
        "[T, n] 沿最後一軸相加後形狀是 [T]，廣播會把它沿著直行攤開：T 和 n 不同時出錯，相同時每個元素除到別列的總和。",
        hint="比較被除數和除數的形狀。",
    ),
)
def softmax_misaligned(ref, x, axis=-1):
    [x] = ref.as_floats(x)
    E = np.exp(x - x.max(axis=axis, keepdims=True))
    return E / E.sum(axis=axis)


@variant("attention.softmax/axis-lost-in-the-sum")
def _(ref, x, axis=-1):
    [x] = ref.as_floats(x)
    top = x.max(axis=axis, keepdims=True)
    return np.exp(x - top - np.log(np.exp(x - top).sum(axis=axis)))


@about_softmax(
    "attention.softmax/overflow",
    en=Explained(
        "Your softmax overflows: it takes exp of the raw numbers.",
        "exp(710) is more than float64 can hold, inf / inf is NaN, and exp of very low numbers is 0, so that 0 / 0 is NaN "
        "as well. Only differences matter, so the largest entry can be made 0 first.",
        hint="What may be subtracted from every entry of a row without changing its softmax?",
    ),
    zh_tw=Explained(
        "你的 softmax 會溢位：直接對原來的數取 exp。",
        "exp(710) 超出 float64 的範圍，inf / inf 是 NaN；很小的數取 exp 是 0，0 / 0 也是 NaN。softmax 只看差值，可以先讓最大的元素變成 0。",
        hint="從一列的每個元素減去什麼，softmax 不會改變？",
    ),
)
def softmax_overflowing(ref, x, axis=-1):
    [x] = ref.as_floats(x)
    E = np.exp(x)
    return E / E.sum(axis=axis, keepdims=True)


@variant("attention.softmax/overflow")
def _(ref, x, axis=-1):
    [x] = ref.as_floats(x)
    lines = np.moveaxis(x, axis, 0)
    total = sum(np.exp(line) for line in lines)
    return np.moveaxis(np.stack([np.exp(line) / total for line in lines]), 0, axis)


@about_softmax(
    "attention.softmax/overflow-guarded",
    en=Explained(
        "Your softmax takes exp of the raw numbers; the guard against a sum of 0 hides half of the harm.",
        "exp(710) is more than float64 can hold, and inf / inf is NaN. Of very low numbers every exp is 0, and so is the sum: "
        "your guard then gives weights 0 to scores that should share one unit. It is meant for rows of -inf alone.",
        hint="What is your softmax of -1000 and -1001? What may be subtracted from both first, without changing their shares?",
    ),
    zh_tw=Explained(
        "你的 softmax 直接對原來的數取 exp；防止總和為 0 的檢查只遮住了一半的問題。",
        "exp(710) 超出 float64 的範圍，inf / inf 是 NaN。數都很小時，每個 exp 都是 0，總和也是 0：你的檢查就給了權重 0，"
        "但這些分數本來該分完 1 單位。這個檢查只該用在全是 -inf 的橫列。",
        hint="-1000 和 -1001 的 softmax，你得到多少？先從兩者減去什麼，分到的比例不會改變？",
    ),
)
def softmax_overflowing_guarded(ref, x, axis=-1):
    [x] = ref.as_floats(x)
    E = np.exp(x)
    total = E.sum(axis=axis, keepdims=True)
    return E / np.where(total == 0, 1, total)


@variant("attention.softmax/overflow-guarded")
def _(ref, x, axis=-1):
    def rule(line):
        powers = np.exp(line).tolist()
        return [power / sum(powers) for power in powers] if any(powers) else [0.0] * len(powers)

    return along(ref, x, axis, rule)


@about_softmax(
    "attention.softmax/clipped",
    en=Explained(
        "You cut large numbers off before the exponential.",
        "That avoids the overflow, but everything above the limit becomes equal: 1000 and 1003 get the same weight, "
        "though one should have twenty times the other's.",
        hint="Is there a way to make large numbers small that keeps their differences?",
    ),
    zh_tw=Explained(
        "你在取指數之前把大的數截掉了。",
        "這樣不會溢位，但超過上限的全變成一樣大：1000 和 1003 得到相同的權重，實際上應該差二十倍。",
        hint="有沒有辦法讓大的數變小，又保留它們的差？",
    ),
)
def softmax_clipped(ref, x, axis=-1):
    [x] = ref.as_floats(x)
    limit = 80 if x.dtype == np.float32 else 700
    E = np.exp(np.minimum(x, limit))
    total = E.sum(axis=axis, keepdims=True)
    return E / np.where(total == 0, 1, total)


@variant("attention.softmax/clipped")
def _(ref, x, axis=-1):
    limit = 80.0 if np.asarray(x).dtype == np.float32 else 700.0

    def rule(line):
        powers = [math.exp(min(number, limit)) for number in line]
        return [power / (math.fsum(powers) or 1.0) for power in powers]

    return along(ref, x, axis, rule)


@about_softmax(
    "attention.softmax/one-maximum-for-all",
    en=Explained(
        "You subtracted the largest number of the whole array.",
        "A row that lies some hundreds below it becomes exp of very low numbers, which is 0 throughout, and its shares "
        "are lost. Each row has a maximum of its own.",
        hint="Along which axis do you look for the maximum?",
    ),
    zh_tw=Explained(
        "你減去的是整個陣列的最大值。",
        "比它低幾百的一列，取 exp 之後全是 0，這一列的比例就都不見了。每一列有自己的最大值。",
        hint="你沿著哪個軸找最大值？",
    ),
)
def softmax_with_one_maximum(ref, x, axis=-1):
    [x] = ref.as_floats(x)
    E = np.exp(x - x.max())
    total = E.sum(axis=axis, keepdims=True)
    return E / np.where(total == 0, 1, total)


@variant("attention.softmax/one-maximum-for-all")
def _(ref, x, axis=-1):
    top = float(np.max(x))

    def rule(line):
        powers = [math.exp(number - top) for number in line]
        return [power / (math.fsum(powers) or 1.0) for power in powers]

    return along(ref, x, axis, rule)


@about_softmax(
    "attention.softmax/smallest-subtracted",
    en=Explained(
        "You subtracted the smallest number of each row, not the largest.",
        "Any shift gives the same shares on paper. But then the smallest exponent is 0 and the largest may be as large as "
        "you like: its exp overflows, and inf / inf is NaN.",
        hint="After your shift, what is the largest number that exp gets to see?",
    ),
    zh_tw=Explained(
        "你減去的是每一列的最小值，不是最大值。",
        "紙上算起來，減什麼都得到同樣的比例。但這樣最小的指數是 0，最大的卻可以任意大：取 exp 會溢位，而 inf / inf 就是 NaN。",
        hint="平移之後，exp 會遇到的最大的數是多少？",
    ),
)
def softmax_from_the_smallest(ref, x, axis=-1):
    [x] = ref.as_floats(x)
    least = np.min(x, axis=axis, keepdims=True, where=x > -np.inf, initial=np.inf)
    E = np.exp(x - np.where(np.isinf(least), 0, least))
    total = E.sum(axis=axis, keepdims=True)
    return E / np.where(total == 0, 1, total)


@variant("attention.softmax/smallest-subtracted")
def _(ref, x, axis=-1):
    def rule(line):
        numbers = np.array(line, dtype=ref.computing_dtype(x))
        finite = numbers[np.isfinite(numbers)]
        powers = np.exp(numbers - finite.min() if len(finite) else numbers)
        return [ratio(power, powers.sum()) if len(finite) else 0.0 for power in powers]

    return along(ref, x, axis, rule)


@about_softmax(
    "attention.softmax/nothing-gives-nan",
    en=Explained(
        "A row of -inf only comes out as NaN.",
        "Its maximum is -inf too, and -inf - (-inf) is NaN; without the shift it would be 0 / 0. With nothing to share, "
        "every weight is 0.",
        hint="Follow a row of -inf through your function, line by line.",
    ),
    zh_tw=EMPTY_NAN["zh_tw"],
)
def softmax_nan_for_nothing(ref, x, axis=-1):
    [x] = ref.as_floats(x)
    E = np.exp(x - x.max(axis=axis, keepdims=True))
    return E / E.sum(axis=axis, keepdims=True)


@variant("attention.softmax/nothing-gives-nan")
def _(ref, x, axis=-1):
    return along(ref, x, axis, lambda line: [math.nan] * len(line) if max(line) == -math.inf else share(line))


@about_softmax(
    "attention.softmax/nothing-gives-equal-shares",
    en=Explained(
        "A row of -inf only gets equal weights.",
        "Somewhere -inf became a large finite number, and equal numbers get equal shares: a query that may attend to "
        "nothing attends to everything. All its weights should be 0.",
        hint="What does your function put in the place of -inf?",
    ),
    zh_tw=Explained(
        "全是 -inf 的一列，你給了相等的權重。",
        "某處把 -inf 換成了很大的有限負數，而相等的數分到相等的比例：什麼都不能看的查詢變成什麼都看。它的權重應該全是 0。",
        hint="你的函式用什麼取代了 -inf？",
    ),
)
def softmax_equal_for_nothing(ref, x, axis=-1):
    [x] = ref.as_floats(x)
    return shares(np.maximum(x, np.finfo(x.dtype).min), axis)


@variant("attention.softmax/nothing-gives-equal-shares")
def _(ref, x, axis=-1):
    return along(ref, x, axis, lambda line: [1 / len(line)] * len(line) if max(line) == -math.inf else share(line))


@about_softmax("attention.softmax/float32-widened", **WIDENED)
def softmax_widened(ref, x, axis=-1):
    return shares(np.asarray(x, dtype=np.float64), axis)


@variant("attention.softmax/float32-widened")
def _(ref, x, axis=-1):
    return along(ref, x, axis, share).astype(np.float64)


@about_softmax("attention.softmax/float16-kept", **KEPT_HALF)
def softmax_half(ref, x, axis=-1):
    [wide] = ref.as_floats(x)
    return halved(shares(wide, axis), x)


@variant("attention.softmax/float16-kept")
def _(ref, x, axis=-1):
    weights = along(ref, x, axis, share)
    return np.asarray(weights, dtype=x.dtype if x.dtype == np.float16 else weights.dtype)


@about_softmax(
    "attention.softmax/integers-truncated",
    en=Explained(
        "You put the weights into an array of the input's dtype.",
        "Where x holds integers, so does an array made like x: every weight below 1 is cut down to 0, without a warning.",
        hint="Which dtype has the array that you fill?",
    ),
    zh_tw=Explained(
        "你把權重放進了和輸入同型別的陣列。",
        "x 是整數時，照著 x 建立的陣列也是整數：小於 1 的權重全被截成 0，而且沒有警告。",
        hint="你填值的那個陣列是哪一種 dtype？",
    ),
)
def softmax_truncated(ref, x, axis=-1):
    [wide] = ref.as_floats(x)
    out = np.zeros_like(x)
    out[...] = shares(wide, axis).astype(x.dtype)
    return out


@variant("attention.softmax/integers-truncated")
def _(ref, x, axis=-1):
    weights = along(ref, x, axis, share)
    return np.floor(weights).astype(x.dtype) if x.dtype.kind in "iu" else weights.astype(x.dtype)


@about_softmax("attention.softmax/changed-in-place", **IN_PLACE)
def softmax_in_place(ref, x, axis=-1):
    [wide] = ref.as_floats(x)
    weights = shares(wide, axis)
    if x.dtype == wide.dtype:
        with np.errstate(over="ignore", invalid="ignore"):
            x -= np.max(x, axis=axis, keepdims=True)
    return weights


@variant("attention.softmax/changed-in-place")
def _(ref, x, axis=-1):
    weights = along(ref, x, axis, share)
    if x.dtype in (np.float32, np.float64):
        with np.errstate(over="ignore", invalid="ignore"):
            x[...] = np.apply_along_axis(lambda line: line - line.max(), axis, x)
    return weights


@about_softmax(
    "attention.softmax/axis-wrapped-around",
    en=Explained(
        "An axis that the array does not have is taken for another one.",
        "Counting modulo the number of axes, axis 2 of a matrix becomes axis 0. A caller with the wrong array in hand "
        "gets numbers where an error would have told.",
        hint="What does your function do with axis=2 for a matrix?",
    ),
    zh_tw=Explained(
        "陣列沒有的軸，被當成另一個軸。",
        "對軸數取餘數，矩陣的 axis=2 就變成 axis=0。拿錯陣列的呼叫者得到一堆數字，而不是錯誤訊息。",
        hint="矩陣配上 axis=2 時，你的函式會怎麼做？",
    ),
)
def softmax_wrapping(ref, x, axis=-1):
    [x] = ref.as_floats(x)
    return shares(x, axis % x.ndim)


@variant("attention.softmax/axis-wrapped-around")
def _(ref, x, axis=-1):
    return along(ref, x, axis - np.ndim(x) * (axis // np.ndim(x)), share)


@about_softmax(
    "attention.softmax/axis-lost-in-the-maximum-and-the-sum",
    en=Explained(
        "The maximum and the sum lost their axis, so they no longer line up with the rows.",
        "Along the last axis of [T, n] both have shape [T]. Broadcasting lays them along the columns: an error where T and n "
        "differ, and where they are equal each entry meets another row's maximum and sum.",
        hint="Compare the shapes of what you subtract and divide by with that of x. What does keepdims do?",
    ),
    zh_tw=Explained(
        "最大值和總和都少了一個軸，和橫列對不齊了。",
        "[T, n] 沿最後一軸取完，兩者的形狀都是 [T]，廣播會把它們沿著直行攤開：T 和 n 不同時出錯，相同時每個元素對到別列的最大值和總和。",
        hint="把你減去的、除以的東西，和 x 比較形狀。keepdims 是做什麼的？",
    ),
)
def softmax_misaligned_twice(ref, x, axis=-1):
    [x] = ref.as_floats(x)
    E = np.exp(x - x.max(axis=axis))
    return E / E.sum(axis=axis)


@variant("attention.softmax/axis-lost-in-the-maximum-and-the-sum")
def _(ref, x, axis=-1):
    [x] = ref.as_floats(x)
    lowered = x - np.amax(x, axis=axis)
    return np.exp(lowered) * (1 / np.exp(lowered).sum(axis))
