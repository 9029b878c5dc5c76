"""What goes wrong at the edges of the exercise masking.softmax."""

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    _boolean,
    _by_row,
    _checked,
    _fits,
    _kept_row,
    _kept_softmax,
    _plain_row,
    _plain_softmax,
    _real,
    _shares,
    softmax,
)


@softmax(
    "masking.softmax/no-maximum",
    en=Explained(
        "You take exp of the scores as they are.",
        "exp overflows to infinity above about 709 (88 in float32), and far below 0 every term is 0: the row becomes "
        "inf/inf or 0/0, which is NaN. A softmax does not change when one number is subtracted from the whole row.",
        hint="What can you subtract from each row so that no exponent is positive and one of them is 0?",
    ),
    zh_tw=Explained(
        "你直接對分數取 exp。",
        "大約超過 709（float32 是 88），exp 就溢位成無限大；遠低於 0 時每一項又都是 0：整個橫列成了 inf/inf 或 0/0，也就是 NaN。整個橫列減去同一個數，softmax 不會改變。",
        hint="每個橫列可以減掉什麼，讓指數都不是正的，而且其中一個是 0？",
    ),
)
def no_maximum(ref, scores, mask):
    with np.errstate(over="ignore", invalid="ignore"):
        return _shares(np.exp(ref.apply_mask(scores, mask)))


@variant("masking.softmax/no-maximum")
def no_maximum_by_rows(ref, scores, mask):
    def row(s, keep):
        with np.errstate(over="ignore", invalid="ignore"):
            parts = np.exp(s) * 1.0
            parts[~keep] = 0
            total = parts.sum()
            return parts / total if total else parts

    return _by_row(scores, mask, row)


@softmax(
    "masking.softmax/common-maximum",
    en=Explained(
        "You subtract one maximum from the whole array.",
        "Where another row's scores are a thousand higher, every exponent of this row is so low that exp gives 0, and "
        "its attention is lost. Each row needs its own maximum.",
        hint="How many maxima does your function compute for scores of 3 rows?",
    ),
    zh_tw=Explained(
        "你對整個陣列減去同一個最大值。",
        "當別的橫列的分數高出一千時，這個橫列的指數都低到 exp 為 0，注意力就不見了。每個橫列需要自己的最大值。",
        hint="分數有 3 個橫列時，你的函式算了幾個最大值？",
    ),
)
def common_maximum(ref, scores, mask):
    S = ref.apply_mask(scores, mask)
    return _shares(np.exp(S - S.max()))


@variant("masking.softmax/common-maximum")
def common_maximum_by_loop(ref, scores, mask):
    shown = _checked(scores, mask)
    top = max(s for s, k in zip(shown.flat, np.broadcast_to(mask, shown.shape).flat, strict=True) if k)

    def row(s, keep):
        parts = [math.exp(x - top) if k else 0.0 for x, k in zip(s, keep, strict=True)]
        return [part / (math.fsum(parts) or 1) for part in parts]

    return _by_row(scores, mask, row)


@softmax(
    "masking.softmax/maximum-with-zero",
    en=Explained(
        "The maximum you subtract is never below 0.",
        "A maximum that starts from 0 is wrong for a row of very negative scores: every exponent stays very negative, "
        "exp gives 0, and a row that has keys to attend to ends up with no weight.",
        hint="Try a single row whose scores are all near -1000. What is its maximum in your function?",
    ),
    zh_tw=Explained(
        "你減掉的最大值永遠不會小於 0。",
        "從 0 開始找最大值，碰到整個橫列都很負的分數就錯了：指數仍然很負，exp 給出 0，明明有鍵可注意的橫列，卻沒有任何權重。",
        hint="試試只有一個橫列、分數都在 -1000 附近的情形。在你的函式裡，最大值是多少？",
    ),
)
def maximum_with_zero(ref, scores, mask):
    S = ref.apply_mask(scores, mask)
    return _shares(np.exp(S - np.maximum(S.max(axis=-1, keepdims=True), 0)))


@variant("masking.softmax/maximum-with-zero")
def maximum_with_zero_by_loop(ref, scores, mask):
    def row(s, keep):
        top = max([0, *(x for x, k in zip(s, keep, strict=True) if k)])
        parts = [math.exp(x - top) if k else 0.0 for x, k in zip(s, keep, strict=True)]
        return [part / (math.fsum(parts) or 1) for part in parts]

    return _by_row(scores, mask, row)


@softmax(
    "masking.softmax/maximum-before-mask",
    en=Explained(
        "You look for the maximum before you mask.",
        "A hidden score then says what is subtracted from the row. Where it lies a thousand above the visible ones, each of "
        "their exponents is about -1000, exp gives 0, and a row that has keys to attend to ends up with no weight.",
        hint="Let the hidden score of a row be 1000 and the visible ones 0. What does your function subtract?",
    ),
    zh_tw=Explained(
        "你在遮罩之前就找了最大值。",
        "這樣一來，橫列要減掉多少，是被遮住的分數說了算。如果它比看得到的高出一千，看得到的指數全都大約是 -1000，exp 給出 0，明明有鍵可注意的橫列，卻沒有任何權重。",
        hint="設一個橫列裡被遮住的分數是 1000，看得到的是 0。你的函式減掉的是多少？",
    ),
)
def maximum_before_mask(ref, scores, mask):
    S = _checked(scores, mask)
    return _shares(np.exp(ref.apply_mask(S - S.max(axis=-1, keepdims=True), mask)))


@variant("masking.softmax/maximum-before-mask")
def maximum_before_mask_by_loop(ref, scores, mask):
    def row(s, keep):
        top = max(s)
        parts = [math.exp(x - top) if k else 0.0 for x, k in zip(s, keep, strict=True)]
        return [part / (math.fsum(parts) or 1) for part in parts]

    return _by_row(scores, mask, row)


@softmax(
    "masking.softmax/maximum-before-mask-nan",
    en=Explained(
        "You look for the maximum before you mask, and divide 0 by 0.",
        "A hidden score then says what is subtracted from the row. Where it lies a thousand above the visible ones, each of "
        "their exponents is about -1000, exp gives 0, their sum is 0 too, and 0/0 is NaN, although there are keys to attend "
        "to.",
        hint="Let the hidden score of a row be 1000 and the visible ones 0. What does your function subtract?",
    ),
    zh_tw=Explained(
        "你在遮罩之前就找了最大值，最後拿 0 除以 0。",
        "這樣一來，橫列要減掉多少，是被遮住的分數說了算。如果它比看得到的高出一千，看得到的指數全都大約是 -1000，exp 給出 0，總和也是 0，而 0/0 是 NaN，明明還有鍵可注意。",
        hint="設一個橫列裡被遮住的分數是 1000，看得到的是 0。你的函式減掉的是多少？",
    ),
)
def maximum_before_mask_nan(ref, scores, mask):
    S = _checked(scores, mask)
    E = np.exp(ref.apply_mask(S - S.max(axis=-1, keepdims=True), mask))
    with np.errstate(invalid="ignore"):
        return np.where(mask.any(axis=-1, keepdims=True), E / E.sum(axis=-1, keepdims=True), 0)


@variant("masking.softmax/maximum-before-mask-nan")
def maximum_before_mask_nan_by_loop(ref, scores, mask):
    def row(s, keep):
        top = max(s)
        parts = [math.exp(x - top) if k else 0.0 for x, k in zip(s, keep, strict=True)]
        total = math.fsum(parts)
        if not total:
            return [math.nan if any(keep) else 0.0] * len(s)
        return [part / total for part in parts]

    return _by_row(scores, mask, row)


@softmax(
    "masking.softmax/fill-shallow",
    en=Explained(
        "You hide keys with a number that real scores can reach, such as -100 or -10000.",
        "Where the visible scores of a row lie below your number, the hidden keys win and take all of its attention. "
        "Only -inf lies below every score.",
        hint="Try a row whose visible scores are all far below the number you fill in.",
    ),
    zh_tw=Explained(
        "你用真正的分數碰得到的數（例如 -100 或 -10000）來遮鍵。",
        "當一個橫列看得到的分數都低於這個數時，被遮住的鍵反而勝出，拿走全部的注意力。只有 -inf 低於任何分數。",
        hint="試試一個橫列看得到的分數，全都遠低於你填進去的數。",
    ),
)
def fill_shallow(ref, scores, mask):
    weights = _plain_softmax(np.where(mask, _checked(scores, mask), -1e4))
    return np.where(mask.any(axis=-1, keepdims=True), weights, 0)


@variant("masking.softmax/fill-shallow")
def fill_shallow_by_loop(ref, scores, mask):
    def row(s, keep):
        if not any(keep):
            return [0.0] * len(s)
        return _plain_row([x if k else -10_000.0 for x, k in zip(s, keep, strict=True)])

    return _by_row(scores, mask, row)


@softmax(
    "masking.softmax/padded-sum",
    en=Explained(
        "You mask after the softmax and divide by the remaining sum plus a small number.",
        "The small number guards against 0/0. But where hidden keys outscore the visible ones, the remaining sum is "
        "tiny itself, and the row sums to much less than 1.",
        hint="How large is the remaining sum where hidden scores are 25 above the visible ones?",
    ),
    zh_tw=Explained(
        "你在 softmax 之後才遮，再除以剩下的總和加上一個很小的數。",
        "那個小數是為了避免 0/0。但被遮住的鍵分數遠高於看得到的鍵時，剩下的總和本身就很小，那個橫列加起來會遠小於 1。",
        hint="被遮住的分數比看得到的高 25 時，剩下的總和有多大？",
    ),
)
def padded_sum(ref, scores, mask):
    kept = _kept_softmax(_checked(scores, mask), np.True_) * mask
    return kept / (kept.sum(axis=-1, keepdims=True) + kept.dtype.type(1e-12))


@variant("masking.softmax/padded-sum")
def padded_sum_by_loop(ref, scores, mask):
    def row(s, keep):
        kept = [w if k else 0.0 for w, k in zip(_kept_row(s, [True] * len(s)), keep, strict=True)]
        return [w / (math.fsum(kept) + 1e-12) for w in kept]

    return _by_row(scores, mask, row)


@softmax(
    "masking.softmax/fixed-axis",
    en=Explained(
        "Your softmax always runs along axis 1.",
        "In a matrix that is the last axis. In a batch it is the queries, and with heads it is the heads: the keys are "
        "the last axis, however many come before it.",
        hint="How do you count an axis from the end?",
    ),
    zh_tw=Explained(
        "你的 softmax 永遠沿著第 1 軸做。",
        "在矩陣裡那是最後一軸。有批次時卻是查詢，有注意力頭時又是頭：不論前面有幾軸，鍵永遠是最後一軸。",
        hint="要怎麼從後面數軸？",
    ),
)
def fixed_axis(ref, scores, mask):
    S = ref.apply_mask(scores, mask)
    top = S.max(axis=1, keepdims=True)
    E = np.exp(S - np.where(np.isneginf(top), 0, top))
    total = E.sum(axis=1, keepdims=True)
    return E / np.where(total == 0, 1, total)


@variant("masking.softmax/fixed-axis")
def fixed_axis_by_loop(ref, scores, mask):
    scores = _checked(scores, mask)
    keep = np.broadcast_to(mask, scores.shape)
    return np.moveaxis(_by_row(np.moveaxis(scores, 1, -1), np.moveaxis(keep, 1, -1), _kept_row), -1, 1)


@softmax(
    "masking.softmax/same-shape-only",
    en=Explained(
        "Your function needs a mask of the very shape of the scores.",
        "A boolean index must have the shape of what it indexes; it does not broadcast. One mask should serve all heads, "
        "and one causal mask all sequences.",
        hint="Try scores [2, 3, 3] with a mask [3, 3], and read the error.",
    ),
    zh_tw=Explained(
        "你的函式要求遮罩的形狀和分數一模一樣。",
        "布林索引的形狀必須和被索引的陣列相同，它不會廣播。一個遮罩應該能給所有注意力頭共用，一個因果遮罩能給所有序列共用。",
        hint="用 [2, 3, 3] 的分數和 [3, 3] 的遮罩試試，讀一讀錯誤訊息。",
    ),
)
def softmax_same_shape(ref, scores, mask):
    S = _checked(scores, mask).copy()
    S[~mask] = -np.inf
    return _kept_softmax(S, mask)


@variant("masking.softmax/same-shape-only")
def softmax_same_shape_by_loop(ref, scores, mask):
    if mask.shape != _checked(scores, mask).shape:
        raise IndexError("the index does not match")
    return _by_row(scores, mask, _kept_row)


@softmax(
    "masking.softmax/float32-lost",
    en=Explained(
        "float32 scores give float64 weights.",
        "Somewhere a float64 array takes part, and the wider dtype wins. Every array after it is twice as large, and the "
        "model no longer computes in the precision it was given.",
        hint="Which array in your function is float64, whatever the dtype of the scores?",
    ),
    zh_tw=Explained(
        "float32 的分數得到了 float64 的權重。",
        "某處有個 float64 的陣列參與運算，較寬的 dtype 勝出。之後每個陣列都大一倍，模型也不再用給定的精度計算。",
        hint="你的函式裡，哪個陣列不管分數是什麼 dtype 都是 float64？",
    ),
)
def softmax_float32_lost(ref, scores, mask):
    return _kept_softmax(ref.apply_mask(scores, mask).astype(np.float64), mask)


@variant("masking.softmax/float32-lost")
def softmax_float32_lost_by_loop(ref, scores, mask):
    return _by_row(_checked(scores, mask).astype(np.float64), mask, _kept_row)


@softmax(
    "masking.softmax/always-float32",
    en=Explained(
        "Whatever comes in, float32 weights go out.",
        "Only float32 scores are answered in float32. float64 scores lose half of their digits in your function.",
        hint="Look for a dtype that you name yourself, instead of taking it from the scores.",
    ),
    zh_tw=Explained(
        "不管進來什麼，出去的權重都是 float32。",
        "只有 float32 的分數才以 float32 回答。float64 的分數在你的函式裡丟了一半的位數。",
        hint="找找看哪裡的 dtype 是你自己寫死的，而不是取自分數。",
    ),
)
def softmax_always_float32(ref, scores, mask):
    return _kept_softmax(ref.apply_mask(scores, mask), mask).astype(np.float32)


@variant("masking.softmax/always-float32")
def softmax_always_float32_by_loop(ref, scores, mask):
    return np.array(_by_row(scores, mask, _kept_row), dtype=np.float32)


@softmax(
    "masking.softmax/half-kept",
    en=Explained(
        "float16 scores give float16 weights.",
        "Only float32 is kept as it is; every other real dtype is computed in float64. In half precision the weights are "
        "right to three digits at best.",
        hint="Which dtypes does the docstring name for the result?",
    ),
    zh_tw=Explained(
        "float16 的分數得到了 float16 的權重。",
        "只有 float32 維持原樣，其他實數 dtype 都以 float64 計算。用半精度算，權重最多只有三位是對的。",
        hint="docstring 寫的結果 dtype 有哪幾種？",
    ),
)
def softmax_half_kept(ref, scores, mask):
    weights = _kept_softmax(ref.apply_mask(scores, mask), mask)
    return weights.astype(np.float16) if scores.dtype == np.float16 else weights


@variant("masking.softmax/half-kept")
def softmax_half_kept_by_loop(ref, scores, mask):
    weights = _by_row(scores, mask, _kept_row)
    return weights if scores.dtype.itemsize > 2 else weights.astype(scores.dtype)


@softmax(
    "masking.softmax/numbers-accepted",
    en=Explained(
        "You accept a mask that is not boolean.",
        "Numbers mean different things to different people: 1 for keep, 1 for drop, or 0 and -inf to be added. Taken as "
        "true or false, a mask of 0 and -inf hides exactly the wrong keys.",
        hint="What is the dtype of the mask, and what does the docstring say of others?",
    ),
    zh_tw=Explained(
        "不是布林的遮罩，你也接受了。",
        "數字對不同的人意思不同：1 是保留、1 是遮住，或是用來相加的 0 與 -inf。若當成真假來看，0 與 -inf 的遮罩會剛好遮錯。",
        hint="遮罩的 dtype 是什麼？docstring 對其他 dtype 怎麼說？",
    ),
)
def numbers_in_softmax(ref, scores, mask):
    _fits(mask, scores)
    return _kept_softmax(_real(scores), mask)


@variant("masking.softmax/numbers-accepted")
def numbers_in_softmax_by_loop(ref, scores, mask):
    _fits(mask, scores)
    return _by_row(scores, mask != 0, _kept_row)


@softmax(
    "masking.softmax/widened",
    en=Explained(
        "You accept a mask with more axes than the scores.",
        "Broadcasting works both ways: the scores are copied once for each of the mask's extra entries, and the weights "
        "have a shape nobody asked for.",
        hint="Compare the shape of what you return with the shape of the scores.",
    ),
    zh_tw=Explained(
        "遮罩的軸比分數多，你也接受了。",
        "廣播是雙向的：分數會按遮罩多出來的部分各複製一份，權重的形狀沒有人要過。",
        hint="把回傳值的形狀和分數的形狀比一比。",
    ),
)
def softmax_widened(ref, scores, mask):
    _boolean(mask)
    return _kept_softmax(_real(scores), mask)


@variant("masking.softmax/widened")
def softmax_widened_by_loop(ref, scores, mask):
    ref.require_boolean(mask)
    shape = np.broadcast_shapes(scores.shape, mask.shape)
    return _by_row(np.broadcast_to(scores, shape), np.broadcast_to(mask, shape), _kept_row)


@softmax(
    "masking.softmax/grown",
    en=Explained(
        "You accept a mask that is longer than the scores along an axis of length 1.",
        "It has no axis too many, but broadcasting still copies the scores along that axis: one sequence comes in and "
        "the weights of several come out.",
        hint="Compare the shape of what you return with the shape of the scores.",
    ),
    zh_tw=Explained(
        "分數某一軸長度為 1，遮罩在那一軸比較長，你也接受了。",
        "軸數沒有多，但廣播仍會沿著那一軸複製分數：進來一個序列，出去好幾個序列的權重。",
        hint="把回傳值的形狀和分數的形狀比一比。",
    ),
)
def softmax_grown(ref, scores, mask):
    _boolean(mask)
    if mask.ndim > scores.ndim:
        raise ValueError("the mask has too many axes")
    return _kept_softmax(_real(scores), mask)


@variant("masking.softmax/grown")
def softmax_grown_by_loop(ref, scores, mask):
    ref.require_boolean(mask)
    if len(mask.shape) - len(scores.shape) > 0:
        raise ValueError("the mask has too many axes")
    shape = np.broadcast_shapes(scores.shape, mask.shape)
    return _by_row(np.broadcast_to(scores, shape), np.broadcast_to(mask, shape), _kept_row)


@softmax(
    "masking.softmax/scores-changed",
    en=Explained(
        "Your weights are right, but you changed the caller's scores.",
        "An array is handed over, not copied. What you subtract from it or write into it stays there for whoever passed "
        "it in.",
        hint="Look for -=, for out= and for an assignment into the scores.",
    ),
    zh_tw=Explained(
        "權重是對的，但你改動了呼叫端的分數。",
        "傳進來的是陣列本身，不是複本。你從中減掉的、寫進去的，對呼叫端來說就留在那裡了。",
        hint="找找看有沒有 -=、out=，或是對分數的指定。",
    ),
)
def softmax_in_place(ref, scores, mask):
    scores = _checked(scores, mask)
    weights = _kept_softmax(scores, mask)
    scores -= scores.max(axis=-1, keepdims=True)
    return weights


@variant("masking.softmax/scores-changed")
def softmax_in_place_by_loop(ref, scores, mask):
    weights = _by_row(scores, mask, _kept_row)
    scores = _checked(scores, mask)
    for index in np.ndindex(scores.shape[:-1]):
        scores[index] = [s - max(scores[index]) for s in scores[index]]
    return weights
