"""What goes wrong in the exercise masking.apply."""

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import _boolean, _by_row, _checked, _fits, _real, apply


@apply(
    "masking.apply/fill-zero",
    # 0 and a fill of a billionth differ by no more than the tolerance: no test can tell them apart.
    equivalent=("masking.apply/fill-tiny",),
    en=Explained(
        "You set hidden scores to 0.",
        "Before normalising, a score of 0 weighs exp(0) = 1: as much as any ordinary key, and more than one with a "
        "negative score. Only exp(-inf) is 0.",
        hint="What does the softmax make of the number that you put in?",
    ),
    zh_tw=Explained(
        "你把被遮住的分數設成 0。",
        "分數 0 在正規化之前的權重是 exp(0) = 1：和一般的鍵一樣重，甚至比分數為負的還重。只有 exp(-inf) 才是 0。",
        hint="softmax 會把你填進去的數字變成什麼？",
    ),
)
def fill_zero(ref, scores, mask):
    return np.where(mask, _checked(scores, mask), 0)


@variant("masking.apply/fill-zero")
def fill_zero_by_loop(ref, scores, mask):
    return _by_row(scores, mask, lambda row, keep: [s if k else 0 for s, k in zip(row, keep, strict=True)])


@apply(
    "masking.apply/fill-tiny",
    equivalent=("masking.apply/fill-zero",),
    en=Explained(
        "You filled in a tiny number, such as -1e-9, where a huge one was meant.",
        "-1e-9 is as good as 0, and exp(0) is 1: a hidden key weighs as much as any ordinary one. Only exp(-inf) is 0.",
        hint="Write out the number that you fill in, without an exponent.",
    ),
    zh_tw=Explained(
        "你填的是很小的數（例如 -1e-9），本來該填很大的負數。",
        "-1e-9 幾乎就是 0，而 exp(0) 是 1：被遮住的鍵和一般的鍵一樣重。只有 exp(-inf) 才是 0。",
        hint="把你填進去的數不用指數寫出來看看。",
    ),
)
def fill_tiny(ref, scores, mask):
    return np.where(mask, _checked(scores, mask), -1e-9)


@variant("masking.apply/fill-tiny")
def fill_tiny_by_loop(ref, scores, mask):
    return _by_row(scores, mask, lambda row, keep: [s if k else -1e-10 for s, k in zip(row, keep, strict=True)])


@apply(
    "masking.apply/fill-small",
    en=Explained(
        "You filled in -100, which is not low enough.",
        "Scores are not bounded: where the visible ones are around -100 themselves, the hidden ones take part again. "
        "Only -inf lies below every score.",
        hint="Which number is smaller than every other one?",
    ),
    zh_tw=Explained(
        "你填的是 -100，還不夠低。",
        "分數沒有界限：當看得到的分數本身就在 -100 上下時，被遮住的又會參與進來。只有 -inf 低於任何分數。",
        hint="哪個數比其他所有數都小？",
    ),
)
def fill_small(ref, scores, mask):
    return np.where(mask, _checked(scores, mask), -100)


@variant("masking.apply/fill-small")
def fill_small_by_loop(ref, scores, mask):
    return _by_row(scores, mask, lambda row, keep: [s if k else -100 for s, k in zip(row, keep, strict=True)])


@apply(
    "masking.apply/inverted",
    en=Explained(
        "You hide what the mask allows and keep what it forbids.",
        "True means `may attend`, so the scores stay where the mask is True. Yours stay where it is False.",
        hint="With a mask that is all True nothing may change. Does anything?",
    ),
    zh_tw=Explained(
        "你遮住了遮罩允許的，留下了它禁止的。",
        "True 代表「可以注意」，所以遮罩為 True 的地方分數不變。你的卻是在 False 的地方不變。",
        hint="遮罩全為 True 時，什麼都不該變。你的有變嗎？",
    ),
)
def apply_inverted(ref, scores, mask):
    return np.where(mask, -np.inf, _checked(scores, mask))


@variant("masking.apply/inverted")
def apply_inverted_by_loop(ref, scores, mask):
    return _by_row(scores, mask, lambda row, keep: [-math.inf if k else s for s, k in zip(row, keep, strict=True)])


@apply(
    "masking.apply/times-infinity",
    en=Explained(
        "You multiplied the mask by infinity.",
        "0 times infinity is NaN, not 0. So every score that should have stayed as it was became NaN, and after a "
        "softmax the whole row is.",
        hint="Work out the term for a visible key by hand: what is 0 times -inf?",
    ),
    zh_tw=Explained(
        "你把遮罩乘上了無限大。",
        "0 乘以無限大是 NaN，不是 0。於是每個本該維持原樣的分數都成了 NaN，做完 softmax 之後整個橫列都是。",
        hint="親手算一次看得到的鍵那一項：0 乘以 -inf 是多少？",
    ),
)
def times_infinity(ref, scores, mask):
    with np.errstate(invalid="ignore"):
        return _checked(scores, mask) + (1.0 - mask).astype(np.float32) * np.float32(-np.inf)


@variant("masking.apply/times-infinity")
def times_infinity_by_loop(ref, scores, mask):
    def row(s, keep):
        return [x * int(k) + (1 - int(k)) * -math.inf for x, k in zip(s.tolist(), keep, strict=True)]

    return _by_row(scores, mask, row)


@apply(
    "masking.apply/added",
    en=Explained(
        "You added the boolean mask to the scores.",
        "True counts as 1 and False as 0, so the visible scores rise by 1 and the hidden ones stay where they are. "
        "Only a mask of 0 and -inf may be added.",
        hint="What is a score plus True?",
    ),
    zh_tw=Explained(
        "你把布林遮罩加到了分數上。",
        "True 算 1、False 算 0，於是看得到的分數加了 1，被遮住的原封不動。能拿來加的，只有 0 與 -inf 組成的遮罩。",
        hint="一個分數加上 True 是多少？",
    ),
)
def mask_added(ref, scores, mask):
    return _checked(scores, mask) + mask


@variant("masking.apply/added")
def mask_added_by_loop(ref, scores, mask):
    return _by_row(scores, mask, lambda row, keep: [s + 1 if k else s for s, k in zip(row, keep, strict=True)])


@apply(
    "masking.apply/scores-lost",
    en=Explained(
        "You returned what is to be added to the scores, not the masked scores.",
        "0 where the mask is True and -inf where it is False would be added to the scores. By themselves they make all "
        "visible keys equal, whatever their scores.",
        hint="Which line of your function puts the values of the scores into the result?",
    ),
    zh_tw=Explained(
        "你回傳的是要加到分數上的東西，不是遮蔽後的分數。",
        "遮罩為 True 的地方是 0、為 False 的地方是 -inf，這是要加到分數上的。單獨使用時，看得到的鍵不管分數多少，全都變得一樣。",
        hint="你的函式裡，哪個敘述把分數的值放進了結果？",
    ),
)
def scores_lost(ref, scores, mask):
    return np.where(mask, np.zeros_like(_checked(scores, mask)), -np.inf)


@variant("masking.apply/scores-lost")
def scores_lost_by_loop(ref, scores, mask):
    return _by_row(scores, mask, lambda _row, keep: [0 if k else -math.inf for k in keep])


@apply(
    "masking.apply/fill-nan",
    en=Explained(
        "You filled in NaN.",
        "NaN is no small number: it spreads through every sum it enters. One hidden key turns the weights of its whole "
        "row into NaN.",
        hint="What is the sum of a row that holds one NaN?",
    ),
    zh_tw=Explained(
        "你填進去的是 NaN。",
        "NaN 不是很小的數：它會擴散到任何包含它的總和。只要遮住一個鍵，整個橫列的權重就都成了 NaN。",
        hint="一個橫列裡有一個 NaN，總和會是多少？",
    ),
)
def fill_nan(ref, scores, mask):
    return np.where(mask, _checked(scores, mask), np.nan)


@variant("masking.apply/fill-nan")
def fill_nan_by_loop(ref, scores, mask):
    return _by_row(scores, mask, lambda row, keep: [s if k else math.nan for s, k in zip(row, keep, strict=True)])


@apply(
    "masking.apply/dropped",
    en=Explained(
        "You took the hidden scores out instead of overwriting them.",
        "Indexed with a boolean mask, an array gives the chosen entries in one long line: which key and which query they "
        "belong to is lost.",
        hint="Print the shape of what you return. The scores keep theirs.",
    ),
    zh_tw=Explained(
        "你把被遮住的分數拿掉了，而不是蓋過去。",
        "用布林遮罩取索引，得到的是排成一長條的項目：哪個屬於哪個鍵、哪個查詢，全都不見了。",
        hint="印出回傳值的形狀。分數的形狀應該保持不變。",
    ),
)
def dropped(ref, scores, mask):
    scores = _checked(scores, mask)
    return scores[np.broadcast_to(mask, scores.shape)]


@variant("masking.apply/dropped")
def dropped_by_loop(ref, scores, mask):
    scores = _checked(scores, mask)
    keep = np.broadcast_to(mask, scores.shape)
    return np.array([scores[index] for index in np.ndindex(scores.shape) if keep[index]], dtype=scores.dtype)


@apply(
    "masking.apply/fill-large",
    en=Explained(
        "You filled in -1e9 where exactly -inf is asked for.",
        "In most softmaxes it comes to the same. But it is a score like any other: two masks in a row, or a test for "
        "`nothing to attend to`, can no longer tell it from a real one.",
        hint="Read what the docstring says stands where the mask is False.",
    ),
    zh_tw=Explained(
        "這裡要的正是 -inf，你填的是 -1e9。",
        "在大多數 softmax 裡結果一樣。但它仍是一個普通的分數：接連套兩個遮罩，或檢查「是否無處可注意」時，就分不出它和真正的分數了。",
        hint="讀一讀 docstring 說遮罩為 False 的地方是什麼。",
    ),
)
def fill_large(ref, scores, mask):
    return np.where(mask, _checked(scores, mask), -1e9)


@variant("masking.apply/fill-large")
def fill_large_by_loop(ref, scores, mask):
    return _by_row(scores, mask, lambda row, keep: [s if k else -1e9 for s, k in zip(row, keep, strict=True)])


@apply(
    "masking.apply/fill-large-in-the-given-dtype",
    en=Explained(
        "You filled in -1e9 where exactly -inf is asked for.",
        "In most softmaxes it comes to the same. But it is a score like any other: two masks in a row, or a test for "
        "`nothing to attend to`, can no longer tell it from a real one. And float16 has no such number, so that there it "
        "becomes -inf, with a warning.",
        hint="Read what the docstring says stands where the mask is False.",
    ),
    zh_tw=Explained(
        "這裡要的正是 -inf，你填的是 -1e9。",
        "在大多數 softmax 裡結果一樣。但它仍是一個普通的分數：接連套兩個遮罩，或檢查「是否無處可注意」時，就分不出它和真正的分數了。float16 又沒有這麼低的數，在那裡它會變成 -inf，並出現警告。",
        hint="讀一讀 docstring 說遮罩為 False 的地方是什麼。",
    ),
)
def fill_large_given(ref, scores, mask):
    computed = _checked(scores, mask).dtype
    with np.errstate(over="ignore"):
        return np.where(mask, scores, -1e9).astype(computed)


@variant("masking.apply/fill-large-in-the-given-dtype")
def fill_large_given_by_loop(ref, scores, mask):
    low = -math.inf if scores.dtype == np.float16 else -1e9
    return _by_row(scores, mask, lambda row, keep: [s if k else low for s, k in zip(row, keep, strict=True)])


@apply(
    "masking.apply/fill-lowest",
    en=Explained(
        "You filled in the lowest finite number of the dtype where exactly -inf is asked for.",
        "In most softmaxes it comes to the same. But added to a negative number it overflows, and a row of nothing but "
        "hidden keys then looks like a row of equal scores.",
        hint="Read what the docstring says stands where the mask is False.",
    ),
    zh_tw=Explained(
        "這裡要的正是 -inf，你填的是該 dtype 最低的有限數。",
        "在大多數 softmax 裡結果一樣。但它再加上負數就會溢位，而整個橫列都被遮住時，看起來會像整個橫列的分數都相等。",
        hint="讀一讀 docstring 說遮罩為 False 的地方是什麼。",
    ),
)
def fill_lowest(ref, scores, mask):
    scores = _checked(scores, mask)
    return np.where(mask, scores, np.finfo(scores.dtype).min)


@variant("masking.apply/fill-lowest")
def fill_lowest_by_loop(ref, scores, mask):
    lowest = {4: -float(np.finfo(np.float32).max), 8: -float(np.finfo(np.float64).max)}[_real(scores).itemsize]
    return _by_row(scores, mask, lambda row, keep: [s if k else lowest for s, k in zip(row, keep, strict=True)])


@apply(
    "masking.apply/same-shape-only",
    en=Explained(
        "Your function needs a mask of the very shape of the scores.",
        "A boolean index must have the shape of what it indexes; it does not broadcast. One causal mask should serve all "
        "sequences and heads of a batch.",
        hint="Try scores [2, 3, 3] with a mask [3, 3], and read the error.",
    ),
    zh_tw=Explained(
        "你的函式要求遮罩的形狀和分數一模一樣。",
        "布林索引的形狀必須和被索引的陣列相同，它不會廣播。一個因果遮罩應該能給批次裡所有的序列和注意力頭共用。",
        hint="用 [2, 3, 3] 的分數和 [3, 3] 的遮罩試試，讀一讀錯誤訊息。",
    ),
)
def apply_same_shape(ref, scores, mask):
    out = _checked(scores, mask).copy()
    out[~mask] = -np.inf
    return out


@variant("masking.apply/same-shape-only")
def apply_same_shape_by_loop(ref, scores, mask):
    out = _checked(scores, mask).copy()
    if mask.shape != out.shape:
        raise IndexError("the index does not match")
    for index in np.ndindex(out.shape):
        if not mask[index]:
            out[index] = -math.inf
    return out


@apply(
    "masking.apply/masks-in-turn",
    en=Explained(
        "You deal the masks of a batch out in turn.",
        "A sequence's mask is shared by its heads. Folded into one axis, the heads of a sequence lie together, 0, 0, 1, 1; "
        "masks that are repeated as a whole lie 0, 1, 0, 1. So a head hides what is padding in another sequence.",
        hint="Give the sequences masks of unlike length, and print which one each head gets.",
    ),
    zh_tw=Explained(
        "你把批次裡的遮罩輪流發下去了。",
        "一個序列的遮罩由它所有的注意力頭共用。攤成一個軸時，同一個序列的頭排在一起：0, 0, 1, 1；整組重複的遮罩卻是 0, 1, 0, 1。於是某個頭遮住的，是別的序列的填充。",
        hint="給每個序列不同長度的遮罩，印出每個頭拿到的是哪一個。",
    ),
)
def masks_in_turn(ref, scores, mask):
    scores = _checked(scores, mask)
    matrices = np.broadcast_to(mask, (*mask.shape[:-2], *scores.shape[-2:])).reshape(-1, *scores.shape[-2:])
    folds = math.prod(scores.shape[:-2]) // len(matrices)
    return np.where(np.tile(matrices, (folds, 1, 1)).reshape(scores.shape), scores, -np.inf)


@variant("masking.apply/masks-in-turn")
def masks_in_turn_by_loop(ref, scores, mask):
    out = _checked(scores, mask).copy()
    own = list(np.ndindex(mask.shape[:-2]))
    for number, index in enumerate(np.ndindex(out.shape[:-2])):
        out[index][~np.broadcast_to(mask[own[number % len(own)]], out.shape[-2:])] = -math.inf
    return out


@apply(
    "masking.apply/widened",
    en=Explained(
        "You accept a mask with more axes than the scores.",
        "Broadcasting works both ways: the scores are copied once for each of the mask's extra entries, and the result "
        "has a shape nobody asked for.",
        hint="Compare the number of axes before you combine.",
    ),
    zh_tw=Explained(
        "遮罩的軸比分數多，你也接受了。",
        "廣播是雙向的：分數會按遮罩多出來的部分各複製一份，結果的形狀沒有人要過。",
        hint="合併之前，先比較兩者有幾軸。",
    ),
)
def widened(ref, scores, mask):
    _boolean(mask)
    return np.where(mask, _real(scores), -np.inf)


@variant("masking.apply/widened")
def widened_by_index(ref, scores, mask):
    ref.require_boolean(mask)
    scores, mask = np.broadcast_arrays(_real(scores), mask)
    out = np.full_like(scores, -np.inf)
    out[mask] = scores[mask]
    return out


@apply(
    "masking.apply/grown",
    en=Explained(
        "You accept a mask that is longer than the scores along an axis of length 1.",
        "It has no axis too many, but broadcasting still copies the scores along that axis: one sequence comes in and "
        "several come out.",
        hint="Compare the shape of what you return with the shape of the scores.",
    ),
    zh_tw=Explained(
        "分數某一軸長度為 1，遮罩在那一軸比較長，你也接受了。",
        "軸數沒有多，但廣播仍會沿著那一軸複製分數：進來一個序列，出去好幾個。",
        hint="把回傳值的形狀和分數的形狀比一比。",
    ),
)
def grown(ref, scores, mask):
    _boolean(mask)
    if mask.ndim > scores.ndim:
        raise ValueError("the mask has too many axes")
    return np.where(mask, _real(scores), -np.inf)


@variant("masking.apply/grown")
def grown_by_index(ref, scores, mask):
    ref.require_boolean(mask)
    if len(mask.shape) - len(scores.shape) > 0:
        raise ValueError("the mask has too many axes")
    scores, mask = np.broadcast_arrays(_real(scores), mask)
    out = np.full_like(scores, -np.inf)
    out[mask] = scores[mask]
    return out


@apply(
    "masking.apply/numbers-accepted",
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
def numbers_applied(ref, scores, mask):
    _fits(mask, scores)
    return np.where(mask, _real(scores), -np.inf)


@variant("masking.apply/numbers-accepted")
def numbers_applied_by_loop(ref, scores, mask):
    _fits(mask, scores)
    out = _real(scores).copy()
    keep = np.broadcast_to(mask, out.shape)
    for index in np.ndindex(out.shape):
        out[index] = out[index] if keep[index] else -math.inf
    return out


@apply(
    "masking.apply/unchecked",
    en=Explained(
        "You check neither the dtype nor the shape of the mask.",
        "np.where makes something of almost any mask: numbers count as true or false, and a mask with more axes copies "
        "the scores. Stop it where it comes in.",
        hint="The docstring names two kinds of masks that must raise.",
    ),
    zh_tw=Explained(
        "你既沒檢查遮罩的 dtype，也沒檢查形狀。",
        "np.where 幾乎能用任何遮罩湊出結果：數字會被當成真假，軸數較多的遮罩會複製分數。應該在它進來時就擋下。",
        hint="docstring 寫了兩種必須引發例外的遮罩。",
    ),
)
def apply_unchecked(ref, scores, mask):
    return np.where(mask, _real(scores), -np.inf)


@variant("masking.apply/unchecked")
def apply_unchecked_by_copy(ref, scores, mask):
    shape = np.broadcast_shapes(scores.shape, mask.shape)
    out = np.broadcast_to(_real(scores), shape).copy()
    out[np.broadcast_to(mask == 0, shape)] = -np.inf
    return out


@apply(
    "masking.apply/scores-changed",
    en=Explained(
        "Your result is right, but you wrote it into the caller's scores.",
        "An array is handed over, not copied. Whoever masks the same scores twice, or looks at them afterwards, finds "
        "-inf in them.",
        hint="Where do the -inf go: into a new array or into the argument?",
    ),
    zh_tw=Explained(
        "結果是對的，但你把它寫進了呼叫端的分數裡。",
        "傳進來的是陣列本身，不是複本。之後再遮一次同一組分數，或回頭看它的人，會發現裡面已經有 -inf。",
        hint="-inf 寫到哪裡去了：新的陣列，還是引數本身？",
    ),
)
def apply_in_place(ref, scores, mask):
    scores = _checked(scores, mask)
    np.copyto(scores, -np.inf, where=~mask)
    return scores


@variant("masking.apply/scores-changed")
def apply_in_place_by_loop(ref, scores, mask):
    scores = _checked(scores, mask)
    keep = np.broadcast_to(mask, scores.shape)
    for index in np.ndindex(scores.shape):
        if not keep[index]:
            scores[index] = -math.inf
    return scores


@apply(
    "masking.apply/float32-lost",
    en=Explained(
        "float32 scores come back as float64.",
        "Somewhere a float64 array takes part, and the wider dtype wins. Every array after it is twice as large, and "
        "the model no longer computes in the precision it was given.",
        hint="Which array in your function is float64, whatever the dtype of the scores?",
    ),
    zh_tw=Explained(
        "float32 的分數回來變成了 float64。",
        "某處有個 float64 的陣列參與運算，較寬的 dtype 勝出。之後每個陣列都大一倍，模型也不再用給定的精度計算。",
        hint="你的函式裡，哪個陣列不管分數是什麼 dtype 都是 float64？",
    ),
)
def apply_float32_lost(ref, scores, mask):
    return np.where(mask, _checked(scores, mask).astype(np.float64), -np.inf)


@variant("masking.apply/float32-lost")
def apply_float32_lost_by_filling(ref, scores, mask):
    scores = _checked(scores, mask)
    out = np.full(scores.shape, -np.inf)
    keep = np.broadcast_to(mask, scores.shape)
    out[keep] = scores[keep]
    return out


@apply(
    "masking.apply/always-float32",
    en=Explained(
        "Whatever comes in, float32 goes out.",
        "Only float32 scores are answered in float32. float64 scores lose half of their digits in your function.",
        hint="Look for a dtype that you name yourself, instead of taking it from the scores.",
    ),
    zh_tw=Explained(
        "不管進來什麼，出去的都是 float32。",
        "只有 float32 的分數才以 float32 回答。float64 的分數在你的函式裡丟了一半的位數。",
        hint="找找看哪裡的 dtype 是你自己寫死的，而不是取自分數。",
    ),
)
def apply_always_float32(ref, scores, mask):
    return np.where(mask, _checked(scores, mask), -np.inf).astype(np.float32)


@variant("masking.apply/always-float32")
def apply_always_float32_by_filling(ref, scores, mask):
    keep = np.broadcast_to(mask, _checked(scores, mask).shape)
    out = np.full(keep.shape, -np.inf, dtype=np.float32)
    out[keep] = scores[keep]
    return out


@apply(
    "masking.apply/integers-crash",
    en=Explained(
        "Integer scores make your function fail.",
        "An integer array cannot hold -inf. Scores of any other dtype than float32 are computed in float64.",
        hint="What is the dtype of the array that you write -inf into?",
    ),
    zh_tw=Explained(
        "分數是整數時，你的函式會出錯。",
        "整數陣列裝不下 -inf。除了 float32，其他 dtype 的分數都以 float64 計算。",
        hint="你把 -inf 寫進去的那個陣列，dtype 是什麼？",
    ),
)
def integers_crash(ref, scores, mask):
    _checked(scores, mask)
    out = scores.copy()
    out[~np.broadcast_to(mask, out.shape)] = -np.inf
    return out


@variant("masking.apply/integers-crash")
def integers_crash_by_loop(ref, scores, mask):
    keep = np.broadcast_to(mask, _checked(scores, mask).shape)
    out = np.array(scores)
    for index in np.ndindex(out.shape):
        if not keep[index]:
            out[index] = -math.inf
    return out


@apply(
    "masking.apply/half-kept",
    en=Explained(
        "float16 scores stay float16.",
        "Only float32 is kept as it is; every other real dtype is computed in float64. Half precision has three digits, "
        "too few to carry on with.",
        hint="Which dtypes does the docstring name for the result?",
    ),
    zh_tw=Explained(
        "float16 的分數仍是 float16。",
        "只有 float32 維持原樣，其他實數 dtype 都以 float64 計算。半精度只有三位有效數字，不足以繼續算下去。",
        hint="docstring 寫的結果 dtype 有哪幾種？",
    ),
)
def apply_half_kept(ref, scores, mask):
    _checked(scores, mask)
    return np.where(mask, scores, -np.inf)


@variant("masking.apply/half-kept")
def apply_half_kept_by_filling(ref, scores, mask):
    keep = np.broadcast_to(mask, _checked(scores, mask).shape)
    dtype = scores.dtype if scores.dtype.kind == "f" else np.float64
    out = np.full(keep.shape, -np.inf, dtype=dtype)
    np.copyto(out, scores, where=keep)
    return out


@apply(
    "masking.apply/empty-rows-spared",
    en=Explained(
        "You leave a row as it is when the mask hides all of it.",
        "Meant to avoid NaN in the softmax, this shows a query everything exactly where it may see nothing. An empty row "
        "is all -inf; what becomes of it is the softmax's business.",
        hint="Follow a row whose mask is all False through your function.",
    ),
    zh_tw=Explained(
        "整個橫列都被遮住時，你讓那個橫列維持原樣。",
        "本意是避免 softmax 出現 NaN，結果在什麼都不該看的地方，反而讓查詢看到一切。空的橫列就是整個橫列 -inf，之後怎麼處理是 softmax 的事。",
        hint="把遮罩全為 False 的一個橫列代進你的函式走一遍。",
    ),
)
def empty_rows_spared(ref, scores, mask):
    scores = _checked(scores, mask)
    return np.where(mask | ~mask.any(axis=-1, keepdims=True), scores, -np.inf)


@variant("masking.apply/empty-rows-spared")
def empty_rows_spared_by_loop(ref, scores, mask):
    def row(s, keep):
        return [x if k or not any(keep) else -math.inf for x, k in zip(s, keep, strict=True)]

    return _by_row(scores, mask, row)
