"""What the mistakes share: the parts that they get right, and words for mistakes that any exercise may hold."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from grader.testing import Explained, misconception

about_softmax = partial(misconception, name="softmax")
about_qkv = partial(misconception, name="project_qkv")
about_scores = partial(misconception, name="attention_scores")
about_weights = partial(misconception, name="attention_weights")
about_attention = partial(misconception, name="attention")
about_two_tokens = partial(misconception, name="two_token_example")
about_steps = partial(misconception, name="attention_steps")
about_multi_head = partial(misconception, name="multi_head_attention")
about_backward = partial(misconception, name="attention_backward")


# What the mistakes share: the parts that they get right.


def shares(S, axis=-1):
    """The right softmax of floats, whole slices of -inf included."""
    m = S.max(axis=axis, keepdims=True)
    E = np.exp(S - np.where(np.isneginf(m), 0, m))
    total = E.sum(axis=axis, keepdims=True)
    return E / np.where(total == 0, 1, total)


def share(numbers):
    """The right softmax of a list."""
    top = max(numbers)
    if top == -math.inf:
        return [0.0] * len(numbers)
    powers = [math.exp(number - top) for number in numbers]
    total = math.fsum(powers)
    return [power / total for power in powers]


def ratio(above, below):
    """A quotient as NumPy has it, where Python would raise."""
    if below:
        return above / below
    return math.nan if above == 0 or math.isnan(above) else math.copysign(math.inf, above)


def swap(array):
    """Transpose the last two axes."""
    return array.swapaxes(-1, -2)


def dots(Q, K):
    """The right scores of floats."""
    return Q @ swap(K) / math.sqrt(Q.shape[-1])


def floats_of(ref, pattern, *arrays):
    """The arrays as floats of one dtype, once their shapes are known to fit."""
    ref.require_shapes(pattern, *arrays)
    return ref.as_floats(*arrays)


def pair(ref, Q, K):
    """Queries and keys that fit."""
    return floats_of(ref, "... T_q d_k, ... T_k d_k", Q, K)


def triple(ref, Q, K, V):
    """Queries, keys and values that fit."""
    return floats_of(ref, "... T_q d_k, ... T_k d_k, ... T_k d_v", Q, K, V)


def masked(ref, S, mask, fill=-math.inf):
    """The scores with `fill` where the mask forbids."""
    if mask is None:
        return S
    ref.require_mask(mask, S)
    return np.where(mask, S, fill)


def along(ref, x, axis, rule):
    """Apply a rule for lists to every slice of x along an axis."""
    [x] = ref.as_floats(x)
    return np.apply_along_axis(lambda line: np.array(rule(line.tolist())), axis, x).astype(x.dtype)


def stacked(parts, lead):
    """One array of all examples' results."""
    return np.array(parts).reshape(*lead, *np.shape(parts[0]))


def by_example(work, *arrays):
    """Do the work for one example of a batch after the other."""
    lead = arrays[0].shape[:-2]
    parts = [work(*(array[index] for array in arrays)) for index in np.ndindex(*lead)]
    if isinstance(parts[0], dict):
        return {key: stacked([part[key] for part in parts], lead) for key in parts[0]}
    if isinstance(parts[0], tuple):
        return tuple(stacked(column, lead) for column in zip(*parts, strict=True))
    return stacked(parts, lead)


def dot(a, b):
    """The dot product of two lists."""
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def mixed(weights, rows):
    """The mean of some rows with these weights, lists all."""
    return [dot(weights, column) for column in zip(*rows, strict=True)]


def rows_by_hand(Q, K, allowed, rule):
    """Weights of one example: the rule turns the scores of a row, and what is allowed in it, into its weights."""
    keys, width = K.tolist(), Q.shape[-1]
    scores = [[dot(query, key) / math.sqrt(width) for key in keys] for query in Q.tolist()]
    return np.array([rule(row, may) for row, may in zip(scores, allowed.tolist(), strict=True)])


def by_query(ref, Q, K, mask, rule):
    """Weights of a batch, a query at a time, in plain Python."""
    Q, K = pair(ref, Q, K)
    shape = (*Q.shape[:-1], K.shape[-2])
    if mask is not None:
        ref.require_mask(mask, np.empty(shape))
    allowed = np.broadcast_to(True if mask is None else mask, shape)
    return by_example(lambda q, k, may: rows_by_hand(q, k, may, rule), Q, K, allowed).astype(Q.dtype)


def hide(row, allowed, fill=-math.inf):
    """A row of scores with `fill` where it is forbidden."""
    return [score if may else fill for score, may in zip(row, allowed, strict=True)]


def right_row(row, allowed):
    """The right rule for `by_query`."""
    return share(hide(row, allowed))


# Explanations of mistakes that can be made in every exercise.

WIDENED = {
    "en": Explained(
        "Your result is float64 although every input is float32.",
        "Its extra digits were never in the inputs, and in a network one such result makes everything after it twice as "
        "large: float32 in, float32 out.",
        hint="Look for a float64 that takes part in the arithmetic: what np.sqrt and np.zeros give is one.",
    ),
    "zh_tw": Explained(
        "輸入全是 float32，你的結果卻變成 float64。",
        "多出來的位數本來就不在輸入裡；在網路中，這樣的結果會讓後面的一切都占兩倍記憶體。規則是 float32 進、float32 出。",
        hint="找找看算式裡混進了哪個 float64：np.sqrt 和 np.zeros 給的就是。",
    ),
}
KEPT_HALF = {
    "en": Explained(
        "You gave float16 back, or computed in it.",
        "float16 has three digits and ends at 65504: sums of products lose their last digits and large ones overflow. "
        "Every dtype but float32 is computed in float64.",
        hint="Look at the dtype in which your first product is computed.",
    ),
    "zh_tw": Explained(
        "你回傳了 float16，或用 float16 計算。",
        "float16 只有三位有效數字，最大到 65504：乘積相加會丟掉尾數，大的數會溢位。除了 float32，其他型別一律以 float64 計算。",
        hint="看看你的第一個乘積是用哪一種 dtype 算出來的。",
    ),
}
WRAPPED = {
    "en": Explained(
        "You multiplied integers as integers.",
        "Small integer types wrap around: 100 * 100 in int8 is 16. Nothing warns, and the result looks like any other "
        "number. Integers are computed in float64.",
        hint="Which dtype do the arrays have at the moment they are multiplied?",
    ),
    "zh_tw": Explained(
        "你直接用整數型別做了乘法。",
        "小的整數型別會繞回去：int8 的 100 * 100 等於 16，沒有任何警告，看起來也像一般的數。整數要先轉成 float64 再算。",
        hint="相乘的那一刻，陣列是哪一種 dtype？",
    ),
}
IN_PLACE = {
    "en": Explained(
        "You changed one of your arguments.",
        "The caller's array is the same object as yours. The result is right this once, but whoever uses that array "
        "again, such as the next head or the next step, computes with other numbers.",
        hint="Look for `/=`, `*=`, `-=`, `out=` and assignments into a slice of what you were given.",
    ),
    "zh_tw": Explained(
        "你改動了傳進來的引數。",
        "呼叫者的陣列和你手上的是同一個物件。這一次的結果是對的，但之後再用到那個陣列的人（下一個頭、下一步）拿到的已經是別的數。",
        hint="找找看 `/=`、`*=`、`-=`、`out=`，或寫入引數切片的地方。",
    ),
}
STRETCHED = {
    "en": Explained(
        "You accepted an axis of length 1 where another length was needed.",
        "Broadcasting, which einsum does too, repeats that one entry as often as it takes. What is most likely a mistake "
        "of the caller then gives numbers instead of an error.",
        hint="Compare the shapes of your inputs before the first product.",
    ),
    "zh_tw": Explained(
        "該有別的長度的軸，你讓長度 1 也通過了。",
        "廣播（einsum 也會廣播）會把那一個元素重複到夠長為止，於是呼叫者的錯誤變成一堆數字，而不是錯誤訊息。",
        hint="在第一個乘積之前，先比對輸入的形狀。",
    ),
}
ONE_BATCH_AXIS = {
    "en": Explained(
        "You expect one batch axis at most.",
        "A batch of sequences has one, and with heads it has two. The idea works on the last two axes; how many stand "
        "before them should not matter.",
        hint="Look for an axis counted from the front, or for a fixed number of letters in an einsum.",
    ),
    "zh_tw": Explained(
        "你只接受最多一個批次軸。",
        "一批序列有一個批次軸，再加上多頭就有兩個。這個運算只看最後兩個軸，前面有幾個都不該有影響。",
        hint="找找看從前面數的軸，或 einsum 裡固定個數的字母。",
    ),
}
EMPTY_NAN = {
    "en": Explained(
        "A query that may attend to nothing gives NaN.",
        "Its row is -inf throughout: the sum of the exponentials is 0, and 0/0 is NaN. One NaN spreads through every "
        "product after it. With nothing to share, all weights are 0.",
        hint="What is the sum you divide by when every key of a row is hidden?",
    ),
    "zh_tw": Explained(
        "什麼都不能看的查詢，你算出了 NaN。",
        "整列都是 -inf：指數的總和是 0，而 0/0 是 NaN。一個 NaN 會隨著之後的乘積擴散到各處。沒有東西可分時，權重應該全是 0。",
        hint="當一列的鍵全被遮住時，你拿來當除數的總和是多少？",
    ),
}
NUMBERS_AS_MASK = {
    "en": Explained(
        "You took a mask of numbers for a boolean one.",
        "In some libraries 1 means hidden, in others 0 does, and a mask of 0 and -1e9 is meant to be added: turned into "
        "booleans it hides the very keys that it should show. A mask that is not boolean is refused.",
        hint="What does your function do with a mask of dtype int64?",
    ),
    "zh_tw": Explained(
        "你把數字遮罩當成布林遮罩用了。",
        "有的函式庫以 1 表示遮住，有的以 0 表示；由 0 和 -1e9 組成的遮罩則是要加上去的，轉成布林反而把該看的遮掉。不是布林的遮罩應該拒絕。",
        hint="遇到 dtype 為 int64 的遮罩，你的函式會怎麼做？",
    ),
}


def number_mask(mask):
    """Truth by value, whatever the dtype; no mask stays none."""
    return None if mask is None else np.asarray(mask) != 0


def halved(result, *arrays):
    """The result in float16 where every array is float16: what a function does that never looks at dtypes."""
    half = all(array.dtype == np.float16 for array in arrays)
    return result.astype(np.float16) if half else result
