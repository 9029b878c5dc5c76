"""What goes wrong in the exercise masking.padding."""

from __future__ import annotations

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    ASSERTS,
    FLOATS,
    INTEGERS,
    INVERTED_WHY,
    INVERTED_WHY_ZH,
    NEGATIVE,
    _count,
    _flat,
    _lengths,
    _one_axis,
    padding,
)


@padding(
    "masking.padding/one-too-many",
    en=Explained(
        "Each row keeps one position too many.",
        "Positions count from 0, so a sequence of 3 tokens fills positions 0, 1 and 2. Position 3 is padding, and you "
        "let the model attend to it.",
        hint="Count the True entries of one row and compare with its length.",
    ),
    zh_tw=Explained(
        "每個橫列都多留了一個位置。",
        "位置從 0 數起，3 個詞元的序列佔用位置 0、1、2。位置 3 是填充，你卻讓模型去注意它。",
        hint="數一數某個橫列有幾個 True，和它的長度比一比。",
    ),
)
def one_too_many(ref, lengths, T):
    _lengths(lengths, T)
    return np.arange(T) <= lengths[:, None]


@variant("masking.padding/one-too-many")
def one_too_many_by_loop(ref, lengths, T):
    return np.array([[n - t >= 0 for t in range(T)] for n in _lengths(lengths, T)], dtype=bool)


@padding(
    "masking.padding/one-too-few",
    en=Explained(
        "Each row keeps one position too few: the last token is hidden.",
        "Positions count from 0. Numbered from 1 and compared with `less than`, the last real token falls out, and a "
        "sequence of one token keeps nothing.",
        hint="Count the True entries of one row and compare with its length.",
    ),
    zh_tw=Explained(
        "每個橫列都少留了一個位置：最後一個詞元被遮住了。",
        "位置從 0 數起。若從 1 編號又用「小於」比較，最後一個真正的詞元就掉了，只有一個詞元的序列什麼也不剩。",
        hint="數一數某個橫列有幾個 True，和它的長度比一比。",
    ),
)
def one_too_few(ref, lengths, T):
    _lengths(lengths, T)
    return np.arange(1, T + 1) < lengths[:, None]


@variant("masking.padding/one-too-few")
def one_too_few_by_slices(ref, lengths, T):
    mask = np.zeros((len(lengths), T), dtype=bool)
    for row, n in zip(mask, _lengths(lengths, T), strict=True):
        row[: max(n - 1, 0)] = True
    return mask


@padding(
    "masking.padding/inverted",
    en=Explained(
        "Your mask is True on the padding.",
        INVERTED_WHY,
        hint="Read again what True means, then look at a row of a long sequence: how many True entries should it have?",
    ),
    zh_tw=Explained(
        "你的遮罩在填充的地方才是 True。",
        INVERTED_WHY_ZH,
        hint="再讀一次 True 的意思，然後看一個長序列的那個橫列：它應該有幾個 True？",
    ),
)
def padding_inverted(ref, lengths, T):
    _lengths(lengths, T)
    return np.arange(T) >= lengths[:, None]


@variant("masking.padding/inverted")
def padding_inverted_by_lists(ref, lengths, T):
    return np.array([[False] * n + [True] * (T - n) for n in _lengths(lengths, T)], dtype=bool)


@padding(
    "masking.padding/left",
    en=Explained(
        "You took the padding to be on the left.",
        "Here sequences start at position 0 and are filled up on the right. Your mask hides the first tokens of every "
        "short sequence and shows the padding behind it.",
        hint="For a sequence of 2 tokens in a row of 5: which positions hold the tokens?",
    ),
    zh_tw=Explained(
        "你以為填充在左邊。",
        "這裡的序列從位置 0 開始，右邊補滿。你的遮罩遮住了每個短序列最前面的詞元，卻露出後面的填充。",
        hint="長度 5 的一個橫列裡放 2 個詞元：詞元在哪些位置？",
    ),
)
def padded_left(ref, lengths, T):
    _lengths(lengths, T)
    return np.arange(T) >= T - lengths[:, None]


@variant("masking.padding/left")
def padded_left_by_lists(ref, lengths, T):
    return np.array([[False] * (T - n) + [True] * n for n in _lengths(lengths, T)], dtype=bool)


@padding(
    "masking.padding/transposed",
    en=Explained(
        "Your mask is [T, B]: positions in the rows, sequences in the columns.",
        "One row belongs to one sequence. Transposed, the mask of a batch no longer lines up with its sequences, and "
        "where B = T it does so without any error.",
        hint="Print the shape for 2 sequences padded to 5.",
    ),
    zh_tw=Explained(
        "你的遮罩是 [T, B]：橫列是位置，直行是序列。",
        "一個橫列屬於一個序列。轉置之後，批次的遮罩就對不上各個序列；B = T 時甚至不會報錯。",
        hint="印出 2 個序列補到 5 時的形狀。",
    ),
)
def padding_transposed(ref, lengths, T):
    _lengths(lengths, T)
    return np.arange(T)[:, None] < lengths


@variant("masking.padding/transposed")
def padding_transposed_by_loop(ref, lengths, T):
    return np.array([[t < n for n in _lengths(lengths, T)] for t in range(T)], dtype=bool).reshape(T, len(lengths))


@padding(
    "masking.padding/first-length",
    en=Explained(
        "You used the length of the first sequence for all of them.",
        "Every row is the same. A longer sequence loses tokens, a shorter one attends to its padding.",
        hint="Compare the rows of your mask for two different lengths.",
    ),
    zh_tw=Explained(
        "你把第一個序列的長度用在所有序列上。",
        "每個橫列都一樣。較長的序列會少掉詞元，較短的會注意到自己的填充。",
        hint="用兩個不同的長度，比較遮罩的各橫列。",
    ),
)
def first_length(ref, lengths, T):
    _lengths(lengths, T)
    return np.tile(np.arange(T) < lengths[0], (len(lengths), 1))


@variant("masking.padding/first-length")
def first_length_by_lists(ref, lengths, T):
    n = _lengths(lengths, T)[0]
    return np.array([[True] * n + [False] * (T - n) for _ in lengths], dtype=bool)


@padding(
    "masking.padding/longest",
    en=Explained(
        "You used the longest length for every sequence.",
        "Every row is the same, so a short sequence attends to its padding.",
        hint="Compare the rows of your mask for two different lengths.",
    ),
    zh_tw=Explained(
        "你把最長的長度用在每個序列上。",
        "每個橫列都一樣，短的序列會注意到自己的填充。",
        hint="用兩個不同的長度，比較遮罩的各橫列。",
    ),
)
def longest(ref, lengths, T):
    _lengths(lengths, T)
    return np.broadcast_to(np.arange(T) < lengths.max(), (len(lengths), T)).copy()


@variant("masking.padding/longest")
def longest_by_loop(ref, lengths, T):
    sizes = _lengths(lengths, T)
    return np.array([[t < max(sizes) for t in range(T)] for _ in sizes], dtype=bool)


@padding("masking.padding/integers", **INTEGERS)
def padding_integers(ref, lengths, T):
    _lengths(lengths, T)
    return (np.arange(T) < lengths[:, None]).astype(np.int64)


@variant("masking.padding/integers")
def padding_integers_by_lists(ref, lengths, T):
    return np.array([[1] * n + [0] * (T - n) for n in _lengths(lengths, T)], dtype=np.int64)


@padding("masking.padding/floats", **FLOATS)
def padding_floats(ref, lengths, T):
    mask = np.zeros((len(lengths), T))
    for b, n in enumerate(_lengths(lengths, T)):
        mask[b, :n] = 1
    return mask


@variant("masking.padding/floats")
def padding_floats_by_comparison(ref, lengths, T):
    _lengths(lengths, T)
    return 1.0 * np.less.outer(np.arange(T), lengths).T


@padding(
    "masking.padding/empty-as-full",
    en=Explained(
        "You take a length of 0 for a sequence without padding.",
        "0 counts as false in Python, so a default slips in where an empty sequence was meant. All its positions are "
        "padding.",
        hint="Follow a length of 0 through your function by hand.",
    ),
    zh_tw=Explained(
        "你把長度 0 當成沒有填充的序列。",
        "在 Python 裡 0 算假，於是本來是空序列的地方被換成了預設值。空序列的每個位置都是填充。",
        hint="用手把長度 0 代進你的函式走一遍。",
    ),
)
def empty_as_full(ref, lengths, T):
    return np.array([np.arange(T) < (n or T) for n in _lengths(lengths, T)], dtype=bool)


@variant("masking.padding/empty-as-full")
def empty_as_full_by_where(ref, lengths, T):
    _lengths(lengths, T)
    return np.arange(T) < np.where(lengths == 0, T, lengths)[:, None]


@padding(
    "masking.padding/full-as-empty",
    en=Explained(
        "A sequence without padding comes out as all padding.",
        "You count the padding from the end of the row. With nothing to count the slice starts at -0, which is 0: the "
        "start of the row, not its end.",
        hint="Follow a length of T through your function by hand, and write down the slice that it makes.",
    ),
    zh_tw=Explained(
        "沒有填充的序列，結果卻全被當成填充。",
        "你從橫列的尾端往回數填充。填充數為零時，切片從 -0 開始，也就是 0：那是橫列的開頭，不是結尾。",
        hint="用手把長度 T 代進你的函式走一遍，寫下它做出的切片。",
    ),
)
def full_as_empty(ref, lengths, T):
    mask = np.ones((len(lengths), T), dtype=bool)
    for b, n in enumerate(_lengths(lengths, T)):
        mask[b, -(T - n) :] = False
    return mask


@variant("masking.padding/full-as-empty")
def full_as_empty_by_comparison(ref, lengths, T):
    _lengths(lengths, T)
    return (np.arange(T) < lengths[:, None]) & (lengths < T)[:, None]


@padding(
    "masking.padding/full-refused",
    en=Explained(
        "You refuse a sequence that needs no padding.",
        "A length of T fills the row exactly and is allowed: the longest sequence of a batch always has it.",
        hint="Look at the comparison in your check: what does it say when a length equals T?",
    ),
    zh_tw=Explained(
        "不需要填充的序列，你就拒絕了。",
        "長度 T 剛好填滿一個橫列，是允許的：一個批次裡最長的序列總是這樣。",
        hint="看看檢查裡的比較式：長度等於 T 時，它怎麼說？",
    ),
)
def full_refused(ref, lengths, T):
    _flat(lengths)
    _count(T)
    if np.any((lengths < 0) | (lengths >= T)):
        raise ValueError("a length is out of range")
    return np.arange(T) < lengths[:, None]


@variant("masking.padding/full-refused")
def full_refused_by_loop(ref, lengths, T):
    _flat(lengths)
    _count(T)
    rows = []
    for n in lengths:
        if n not in range(T):
            raise ValueError(f"length {n} does not fit")
        rows.append([t < n for t in range(T)])
    return np.array(rows, dtype=bool)


@padding(
    "masking.padding/empty-refused",
    en=Explained(
        "You refuse an empty sequence.",
        "A length of 0 is allowed: all positions of that row are padding.",
        hint="Look at the comparison in your check: what does it say when a length is 0?",
    ),
    zh_tw=Explained(
        "空的序列，你就拒絕了。",
        "長度 0 是允許的：那個橫列的每個位置都是填充。",
        hint="看看檢查裡的比較式：長度是 0 時，它怎麼說？",
    ),
)
def empty_refused(ref, lengths, T):
    _flat(lengths)
    _count(T)
    if lengths.min() <= 0 or lengths.max() > T:
        raise ValueError("a length is out of range")
    return np.arange(T) < lengths[:, None]


@variant("masking.padding/empty-refused")
def empty_refused_by_loop(ref, lengths, T):
    _flat(lengths)
    _count(T)
    rows = []
    for n in lengths:
        if n not in range(1, T + 1):
            raise ValueError(f"length {n} does not fit")
        rows.append([t < n for t in range(T)])
    return np.array(rows, dtype=bool)


@padding(
    "masking.padding/too-long",
    en=Explained(
        "You accept a length greater than T.",
        "A sequence of more than T tokens does not fit in a row of T. The comparison gives a full row without a word, "
        "and the tokens that were cut off are never missed.",
        hint="Which lengths does the docstring say must raise?",
    ),
    zh_tw=Explained(
        "你接受了大於 T 的長度。",
        "超過 T 個詞元的序列放不進長度 T 的一個橫列。比較式會默默給出整個橫列 True，被截掉的詞元沒有人發現。",
        hint="docstring 說哪些長度必須引發例外？",
    ),
)
def too_long(ref, lengths, T):
    _flat(lengths)
    _count(T)
    if (lengths < 0).any():
        raise ValueError("a length is negative")
    return np.arange(T) < lengths[:, None]


@variant("masking.padding/too-long")
def too_long_by_lists(ref, lengths, T):
    _flat(lengths)
    _count(T)
    if min(lengths) < 0:
        raise ValueError("a length is negative")
    return np.array([([True] * int(n) + [False] * T)[:T] for n in lengths], dtype=bool)


@padding(
    "masking.padding/negative",
    en=Explained(
        "You accept a negative length.",
        "No sequence has fewer than 0 tokens. A negative number usually comes from a subtraction gone wrong, and your "
        "mask hides that.",
        hint="Which lengths does the docstring say must raise? There are two ends to check.",
    ),
    zh_tw=Explained(
        "你接受了負的長度。",
        "沒有序列會少於 0 個詞元。負數通常來自某個算錯的減法，而你的遮罩把它蓋了過去。",
        hint="docstring 說哪些長度必須引發例外？兩端都要檢查。",
    ),
)
def negative_length(ref, lengths, T):
    _flat(lengths)
    _count(T)
    if (lengths > T).any():
        raise ValueError("a length is greater than T")
    return np.arange(T) < lengths[:, None]


@variant("masking.padding/negative")
def negative_length_by_loop(ref, lengths, T):
    _flat(lengths)
    _count(T)
    if max(lengths) > T:
        raise ValueError("a length is greater than T")
    return np.array([[n - t > 0 for t in range(T)] for n in lengths], dtype=bool)


@padding("masking.padding/asserts", **ASSERTS)
def padding_asserts(ref, lengths, T):
    _flat(lengths)
    _count(T)
    assert (lengths >= 0).all(), "a length is negative"
    assert (lengths <= T).all(), "a length is greater than T"
    return np.arange(T) < lengths[:, None]


@variant("masking.padding/asserts")
def padding_asserts_by_loop(ref, lengths, T):
    _flat(lengths)
    _count(T)
    rows = []
    for n in lengths:
        assert n in range(T + 1)
        rows.append([t < n for t in range(T)])
    return np.array(rows, dtype=bool)


@padding(
    "masking.padding/lengths-changed",
    en=Explained(
        "Your mask is right, but you changed the caller's lengths.",
        "An array is handed over, not copied: what you subtract from it is gone for whoever passed it in, and the next "
        "call gets other lengths.",
        hint="Look for -=, sort() or an assignment into lengths.",
    ),
    zh_tw=Explained(
        "遮罩是對的，但你改動了呼叫端的 lengths。",
        "傳進來的是陣列本身，不是複本：你從中減掉的，對呼叫端來說就不見了，下一次呼叫拿到的是別的長度。",
        hint="找找看有沒有 -=、sort()，或是對 lengths 的指定。",
    ),
)
def lengths_changed(ref, lengths, T):
    _lengths(lengths, T)
    mask = np.zeros((len(lengths), T), dtype=bool)
    for t in range(T):
        mask[:, t] = lengths > 0
        lengths -= 1
    return mask


@variant("masking.padding/lengths-changed")
def lengths_changed_by_counting(ref, lengths, T):
    rows = np.array([[t < n for t in range(T)] for n in _lengths(lengths, T)], dtype=bool)
    for b in range(len(lengths)):
        lengths[b] = lengths[b] - T
    return rows


@padding(
    "masking.padding/squeezed",
    en=Explained(
        "For a batch of one sequence you drop the batch axis.",
        "The mask is [T] instead of [1, T]. Code that indexes the batch then reads positions as sequences.",
        hint="Print the shape for a single length. Is there a squeeze, or a special case for one?",
    ),
    zh_tw=Explained(
        "批次裡只有一個序列時，你丟掉了批次軸。",
        "遮罩成了 [T]，而不是 [1, T]。之後對批次取索引的程式，會把位置當成序列來讀。",
        hint="印出只有一個長度時的形狀。是不是用了 squeeze，或替一個序列寫了特例？",
    ),
)
def squeezed(ref, lengths, T):
    _lengths(lengths, T)
    return np.squeeze(np.arange(T) < lengths[:, None])


@variant("masking.padding/squeezed")
def squeezed_by_loop(ref, lengths, T):
    rows = [np.array([t < n for t in range(T)], dtype=bool) for n in _lengths(lengths, T)]
    return rows[0] if len(rows) == 1 else np.stack(rows)


@padding("masking.padding/negative-accepted", **NEGATIVE)
def negative_accepted(ref, lengths, T):
    _flat(lengths)
    if ((lengths < 0) | (lengths > T)).any():
        raise ValueError("a length is out of range")
    return np.arange(T) < lengths[:, None]


@variant("masking.padding/negative-accepted")
def negative_accepted_by_loop(ref, lengths, T):
    _flat(lengths)
    mask = np.zeros((len(lengths), max(T, 0)), dtype=bool)
    for row, n in zip(mask, lengths, strict=True):
        if n not in range(T + 1):
            raise ValueError("a length is out of range")
        row[:n] = True
    return mask


@padding(
    "masking.padding/floats-accepted",
    en=Explained(
        "You accept lengths that are not integers.",
        "A number of tokens is a whole number. Floats where integers belong, such as a mean or a share of T, are a mistake "
        "of the caller, and a comparison rounds them without a word: a length of 2.5 keeps three positions.",
        hint="What does your function do with the lengths 2.0 and 1.0? Look at the Raises section of the docstring.",
    ),
    zh_tw=Explained(
        "lengths 不是整數，你也接受了。",
        "詞元的個數一定是整數。該是整數的地方來了浮點數（例如平均值，或 T 的幾分之幾），就是呼叫端弄錯了；而比較大小會默默地進位：長度 2.5 會留下三個位置。",
        hint="長度是 2.0 和 1.0 時，你的函式會怎麼做？看看 docstring 的 Raises 那一節。",
    ),
)
def floats_accepted(ref, lengths, T):
    _one_axis(lengths)
    _count(T)
    if ((lengths < 0) | (lengths > T)).any():
        raise ValueError("a length is out of range")
    return np.arange(T) < lengths[:, None]


@variant("masking.padding/floats-accepted")
def floats_accepted_by_loop(ref, lengths, T):
    _one_axis(lengths)
    _count(T)
    if not all(0 <= n <= T for n in lengths):
        raise ValueError("a length is out of range")
    return np.array([[t < n for t in range(T)] for n in lengths.tolist()], dtype=bool)
