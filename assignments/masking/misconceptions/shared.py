"""What the mistakes share: the parts that they get right, and words for mistakes that any exercise may hold."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from grader.testing import Explained, misconception

causal = partial(misconception, name="causal_mask")
padding = partial(misconception, name="padding_mask")
window = partial(misconception, name="sliding_window_mask")
combine = partial(misconception, name="combine_masks")
apply = partial(misconception, name="apply_mask")
softmax = partial(misconception, name="masked_softmax")

# --- Told alike in several exercises -------------------------------------------------------------------------

INTEGERS = {
    "en": Explained(
        "Your mask holds the integers 0 and 1, not True and False.",
        "The pattern is right, but whoever uses the mask is misled: ~mask turns 0 and 1 into -1 and -2, which both "
        "count as true, and as an index the numbers pick rows 0 and 1.",
        hint="Print the dtype of what you return. Which dtype does the docstring ask for?",
    ),
    "zh_tw": Explained(
        "你的遮罩裝的是整數 0 與 1，不是 True 與 False。",
        "圖樣是對的，但使用它的人會被誤導：~mask 會把 0 與 1 變成 -1 與 -2，兩者都算真；拿來當索引時，則會取出第 0 個橫列和第 1 個橫列。",
        hint="把回傳值的 dtype 印出來。docstring 要的是哪一種？",
    ),
}
FLOATS = {
    "en": Explained(
        "Your mask holds the numbers 0.0 and 1.0, not True and False.",
        "np.ones, np.zeros and np.tri give floats unless told otherwise. A float mask cannot be negated with ~, and it "
        "is easily taken for one that is added to the scores.",
        hint="Print the dtype of what you return, and of each array it is made from.",
    ),
    "zh_tw": Explained(
        "你的遮罩裝的是 0.0 與 1.0，不是 True 與 False。",
        "np.ones、np.zeros 和 np.tri 若不另外指定，給的都是浮點數。浮點數遮罩不能用 ~ 取反，也容易被當成要加到分數上的那種遮罩。",
        hint="把回傳值的 dtype 印出來，再看看組成它的每個陣列是什麼 dtype。",
    ),
}
ASSERTS = {
    "en": Explained(
        "You stop a bad argument with assert.",
        "An AssertionError says that the program itself is broken, and the check disappears under `python -O`. A caller "
        "who passes a value out of range should get a ValueError.",
        hint="Look at the Raises section of the docstring: which exception does it name?",
    ),
    "zh_tw": Explained(
        "你用 assert 擋下不合法的引數。",
        "AssertionError 的意思是程式本身壞了，而且用 `python -O` 執行時這個檢查會消失。呼叫端給了超出範圍的值，應該得到 ValueError。",
        hint="看看 docstring 的 Raises 那一節：它寫的是哪一種例外？",
    ),
}
NEGATIVE = {
    "en": Explained(
        "You accept a number of positions below 0.",
        "np.arange, np.tri and range make nothing of a negative number, so an empty mask comes out and the mistake of "
        "the caller goes unnoticed. Nothing at all is fine; less than nothing should be refused.",
        hint="Try -1. And then 0, which is allowed.",
    ),
    "zh_tw": Explained(
        "位置的個數小於 0，你也接受了。",
        "np.arange、np.tri 和 range 碰到負數就什麼也不做，於是得到空的遮罩，呼叫端的錯誤就沒人發現。一個位置也沒有是可以的；比沒有還少就該拒絕。",
        hint="試試 -1，再試試 0；0 是允許的。",
    ),
}
INVERTED_WHY = (
    "In this course True means `may attend`. Yours marks what is to be hidden, as some libraries do, so everything that "
    "should be seen is hidden and the other way round."
)
INVERTED_WHY_ZH = "在這門課裡，True 代表「可以注意」。你標的卻是要遮住的地方（有些函式庫這樣約定），於是該看的全被遮住，該遮的全被看到。"


def _keys(T_q, T_k):
    T_k = T_q if T_k is None else T_k
    _count(T_q)
    if T_k < T_q:
        raise ValueError(f"{T_q} queries, but only {T_k} keys")
    return T_k


def _count(n):
    if n < 0:
        raise ValueError(f"{n} is less than nothing")


def _lengths(lengths, T):
    _count(T)
    _flat(lengths)
    if (lengths < 0).any() or (lengths > T).any():
        raise ValueError(f"lengths must lie in 0 .. {T}")
    return [int(n) for n in lengths]


def _flat(lengths):
    _one_axis(lengths)
    if lengths.dtype.kind not in "iu":
        raise ValueError("lengths are integers")


def _one_axis(lengths):
    if lengths.ndim != 1:
        raise ValueError("lengths have one axis")


def _window(w, T):
    _count(T)
    if w < 1:
        raise ValueError("a window holds at least one position")


def _behind(T):
    return np.subtract.outer(np.arange(T), np.arange(T))


def _table(rows, T_q, T_k):
    return np.array(rows, dtype=bool).reshape(T_q, T_k)


def _square(rows, T):
    return _table(rows, T, T)


def _masks(causal_mask, padding_mask):
    if causal_mask.dtype != bool or padding_mask.dtype != bool:
        raise ValueError("masks are boolean")
    if causal_mask.shape[-1] != padding_mask.shape[-1]:
        raise ValueError("the masks differ in T")


def _real(scores):
    return np.asarray(scores, dtype=np.float32 if scores.dtype == np.float32 else np.float64)


def _boolean(mask):
    if mask.dtype != bool:
        raise ValueError("a mask is boolean")


def _fits(mask, scores):
    if mask.ndim > scores.ndim or np.broadcast_shapes(mask.shape, scores.shape) != scores.shape:
        raise ValueError("the mask does not broadcast to the scores")


def _checked(scores, mask):
    _boolean(mask)
    _fits(mask, scores)
    return _real(scores)


def _by_row(scores, mask, row):
    """Apply `row(scores [T_k], mask [T_k]) -> weights [T_k]` to each row, in the dtype of the scores."""
    scores = _checked(scores, mask)
    mask = np.broadcast_to(mask, scores.shape)
    out = np.empty_like(scores)
    for index in np.ndindex(scores.shape[:-1]):
        out[index] = row(scores[index], mask[index])
    return out


def _shares(E):
    total = E.sum(axis=-1, keepdims=True)
    return E / np.where(total == 0, 1, total)


def _plain_softmax(S):
    E = np.exp(S - S.max(axis=-1, keepdims=True))
    return E / E.sum(axis=-1, keepdims=True)


def _plain_row(row):
    top = max(row)
    parts = [math.exp(s - top) for s in row]
    return [part / math.fsum(parts) for part in parts]


def _kept_row(row, keep):
    """Return the right weights of one row, by plain arithmetic."""
    if not any(keep):
        return [0.0] * len(row)
    top = max(s for s, k in zip(row, keep, strict=True) if k)
    if top == -math.inf:
        return [0.0] * len(row)
    parts = [math.exp(s - top) if k else 0.0 for s, k in zip(row, keep, strict=True)]
    return [part / math.fsum(parts) for part in parts]


def _kept_softmax(scores, mask):
    """Return the right weights in the dtype of the scores, by arrays, without any check."""
    S = np.where(mask, scores, -np.inf)
    top = S.max(axis=-1, keepdims=True)
    return _shares(np.exp(S - np.where(np.isneginf(top), 0, top)))
