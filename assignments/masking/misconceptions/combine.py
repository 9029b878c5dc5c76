"""What goes wrong in the exercise masking.combine."""

from __future__ import annotations

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    FLOATS,
    INTEGERS,
    INVERTED_WHY,
    INVERTED_WHY_ZH,
    _boolean,
    _masks,
    combine,
)


@combine(
    "masking.combine/either",
    en=Explained(
        "You allow what either mask allows; both have to.",
        "With `or`, the causal mask opens the padding of the past, and the padding mask opens every real token of the "
        "future.",
        hint="A key in the future that is no padding: causal says no, padding says yes. Who wins in your mask?",
    ),
    zh_tw=Explained(
        "只要有一個遮罩允許，你就允許；其實兩個都要允許才行。",
        "用「或」的話，因果遮罩會打開過去的填充，填充遮罩會打開未來所有真正的詞元。",
        hint="未來的一個鍵，不是填充：因果遮罩說不行，填充遮罩說可以。在你的遮罩裡，誰說了算？",
    ),
)
def either(ref, causal, padding):
    _masks(causal, padding)
    return causal | padding[:, None, None, :]


@variant("masking.combine/either")
def either_by_loop(ref, causal, padding):
    _masks(causal, padding)
    return np.array([[[list(row | keys) for row in causal]] for keys in padding])


@combine(
    "masking.combine/padding-ignored",
    en=Explained(
        "Your mask does not depend on the padding.",
        "It has the right shape, but every sequence gets the plain causal mask, so short sequences attend to their "
        "padding.",
        hint="Which lines of your function read the padding mask?",
    ),
    zh_tw=Explained(
        "你的遮罩和填充無關。",
        "形狀是對的，但每個序列拿到的都是一般的因果遮罩，短序列會注意到自己的填充。",
        hint="你的函式裡，哪幾個敘述讀了填充遮罩？",
    ),
)
def padding_ignored(ref, causal, padding):
    _masks(causal, padding)
    return np.tile(causal, (len(padding), 1, 1, 1))


@variant("masking.combine/padding-ignored")
def padding_ignored_by_stack(ref, causal, padding):
    _masks(causal, padding)
    return np.stack([causal[np.newaxis] for _ in padding])


@combine(
    "masking.combine/causal-ignored",
    en=Explained(
        "Your mask does not depend on the causal mask.",
        "Padding is hidden, but every token sees the whole future of its sequence.",
        hint="Which lines of your function read the causal mask?",
    ),
    zh_tw=Explained(
        "你的遮罩和因果遮罩無關。",
        "填充是遮住了，但每個詞元都看得到序列的整個未來。",
        hint="你的函式裡，哪幾個敘述讀了因果遮罩？",
    ),
)
def causal_ignored(ref, causal, padding):
    _masks(causal, padding)
    return np.repeat(padding[:, None, None, :], len(causal), axis=2)


@variant("masking.combine/causal-ignored")
def causal_ignored_by_loop(ref, causal, padding):
    _masks(causal, padding)
    return np.array([[[list(keys) for _ in causal]] for keys in padding])


@combine(
    "masking.combine/causal-only-with-padding",
    en=Explained(
        "Where nothing is padded, you leave the causal mask out as well.",
        "A shortcut for batches without padding skips both masks, so every token sees the whole future. The causal mask "
        "does not depend on whether there is padding.",
        hint="Try sequences that all have length T. Which keys does the first token see?",
    ),
    zh_tw=Explained(
        "沒有填充的時候，你連因果遮罩也省略了。",
        "遇到沒有填充的批次，你走的捷徑把兩個遮罩都跳過，於是每個詞元都看得到整個未來。有沒有填充，都不影響因果遮罩。",
        hint="試試長度全是 T 的序列。第一個詞元看得到哪些鍵？",
    ),
)
def causal_only_with_padding(ref, causal, padding):
    _masks(causal, padding)
    if padding.all():
        return np.ones((len(padding), 1, *causal.shape), dtype=bool)
    return causal & padding[:, None, None, :]


@variant("masking.combine/causal-only-with-padding")
def causal_only_with_padding_by_loop(ref, causal, padding):
    _masks(causal, padding)
    needed = not min(map(min, padding.tolist()))
    return np.array([[[(row | (not needed)) & keys for row in causal]] for keys in padding])


@combine(
    "masking.combine/queries-hidden-too",
    en=Explained(
        "You hide the padded queries as well as the padded keys.",
        "The rows of padded positions are empty then, and a plain softmax over an empty row is NaN, which spreads to "
        "all that follows. What a padded query computes is thrown away later, so it may attend.",
        hint="Take one short sequence. How many rows of your mask are all False?",
    ),
    zh_tw=Explained(
        "除了填充的鍵，你連填充的查詢也遮住了。",
        "填充位置的那些橫列就成了空的，對空的橫列做一般的 softmax 會得到 NaN，還會擴散到後面的一切。填充查詢算出的結果之後會丟掉，所以讓它注意無妨。",
        hint="拿一個短序列來看：你的遮罩有幾個橫列全是 False？",
    ),
)
def queries_hidden_too(ref, causal, padding):
    _masks(causal, padding)
    return causal & padding[:, None, None, :] & padding[:, None, :, None]


@variant("masking.combine/queries-hidden-too")
def queries_hidden_too_by_loop(ref, causal, padding):
    _masks(causal, padding)
    return np.array([[causal & np.outer(real, real)] for real in padding])


@combine(
    "masking.combine/queries-instead",
    en=Explained(
        "You hide the padded queries instead of the padded keys.",
        "The padding lies along the rows of your mask. Real tokens still attend to padding, and padded ones see "
        "nothing; scores are [query, key], so keys are the last axis.",
        hint="For a short sequence, look at whether whole rows or whole columns are False.",
    ),
    zh_tw=Explained(
        "你遮住的是填充的查詢，而不是填充的鍵。",
        "在你的遮罩裡，填充沿著橫列的方向。真正的詞元仍會注意到填充，填充的詞元卻什麼也看不到；分數是 [查詢, 鍵]，所以鍵在最後一軸。",
        hint="拿一個短序列來看：是整個橫列為 False，還是整個直行為 False？",
    ),
)
def queries_instead(ref, causal, padding):
    _masks(causal, padding)
    return causal & padding[:, None, :, None]


@variant("masking.combine/queries-instead")
def queries_instead_by_loop(ref, causal, padding):
    _masks(causal, padding)
    out = np.zeros((len(padding), 1, *causal.shape), dtype=bool)
    for b, real in enumerate(padding):
        for i, seen in enumerate(causal):
            out[b, 0, i] = seen if real[i] else False
    return out


@combine(
    "masking.combine/no-head-axis",
    en=Explained(
        "Your mask has no axis for the heads.",
        "Scores of many heads are [B, H, T, T]. A mask [B, T, T] lines its first axis up with H, not with B: an error at "
        "best, and another sequence's padding where B = H.",
        hint="Write your shape below [B, H, T, T], aligned at the right.",
    ),
    zh_tw=Explained(
        "你的遮罩沒有留給注意力頭的軸。",
        "多頭的分數是 [B, H, T, T]。[B, T, T] 的遮罩會把第一軸對到 H 而不是 B：運氣好就報錯，B = H 時則會用到別的序列的填充。",
        hint="把你的形狀寫在 [B, H, T, T] 下面，靠右對齊。",
    ),
)
def no_head_axis(ref, causal, padding):
    _masks(causal, padding)
    return causal & padding[:, None, :]


@variant("masking.combine/no-head-axis")
def no_head_axis_by_loop(ref, causal, padding):
    _masks(causal, padding)
    return np.stack([np.logical_and(causal, keys) for keys in padding])


@combine(
    "masking.combine/head-axis-first",
    en=Explained(
        "Your head axis stands before the batch axis.",
        "Your mask is [1, B, T, T]. Against scores [B, H, T, T] each head, not each sequence, gets a padding of its own.",
        hint="Write your shape below [B, H, T, T], aligned at the right.",
    ),
    zh_tw=Explained(
        "你把注意力頭的軸放到了批次軸前面。",
        "你的遮罩是 [1, B, T, T]。對上 [B, H, T, T] 的分數時，變成每個頭有自己的填充，而不是每個序列。",
        hint="把你的形狀寫在 [B, H, T, T] 下面，靠右對齊。",
    ),
)
def head_axis_first(ref, causal, padding):
    _masks(causal, padding)
    return (causal & padding[:, None, :])[None]


@variant("masking.combine/head-axis-first")
def head_axis_first_by_loop(ref, causal, padding):
    _masks(causal, padding)
    return np.array([[[[a and k for a, k in zip(row, keys, strict=True)] for row in causal] for keys in padding]])


@combine(
    "masking.combine/first-sequence",
    en=Explained(
        "Every sequence gets the padding of the first one.",
        "The masks of all sequences are the same. A longer sequence loses tokens, a shorter one attends to its padding.",
        hint="Compare the masks of two sequences of different length.",
    ),
    zh_tw=Explained(
        "每個序列都拿到第一個序列的填充。",
        "所有序列的遮罩都一樣。較長的序列會少掉詞元，較短的會注意到自己的填充。",
        hint="比較兩個不同長度的序列的遮罩。",
    ),
)
def first_sequence(ref, causal, padding):
    _masks(causal, padding)
    return np.repeat((causal & padding[0])[None, None], len(padding), axis=0)


@variant("masking.combine/first-sequence")
def first_sequence_by_loop(ref, causal, padding):
    _masks(causal, padding)
    out = np.empty((len(padding), 1, *causal.shape), dtype=bool)
    out[:] = [[causal[i, j] and padding[0, j] for j in range(len(causal))] for i in range(len(causal))]
    return out


@combine(
    "masking.combine/shared-padding",
    en=Explained(
        "A key is hidden for every sequence as soon as it is padding in one of them.",
        "The padding of the sequences was merged, so the whole batch is cut to the shortest one, and real tokens of the "
        "others are lost.",
        hint="Compare the masks of the shortest and the longest sequence.",
    ),
    zh_tw=Explained(
        "一個鍵只要在某個序列裡是填充，你就對所有序列遮住它。",
        "各序列的填充被併在一起，整個批次都被截到最短的那個，其他序列會少掉真正的詞元。",
        hint="比較最短和最長的序列的遮罩。",
    ),
)
def shared_padding(ref, causal, padding):
    _masks(causal, padding)
    return np.tile(causal & padding.all(axis=0), (len(padding), 1, 1, 1))


@variant("masking.combine/shared-padding")
def shared_padding_by_loop(ref, causal, padding):
    _masks(causal, padding)
    merged = causal.copy()
    for keys in padding:
        merged[:, ~keys] = False
    return np.array([[merged] for _ in padding])


@combine(
    "masking.combine/as-they-are",
    en=Explained(
        "You combined [T, T] with [B, T] as they are.",
        "NumPy lines the B sequences up with the T queries: an error where B and T differ, and where they are equal a "
        "mask in which query i gets the padding of sequence i.",
        hint="Which axis of the padding mask is the key, and where does it have to stand in [B, 1, T, T]?",
    ),
    zh_tw=Explained(
        "你把 [T, T] 和 [B, T] 直接合在一起。",
        "NumPy 會把 B 個序列對到 T 個查詢上：B 和 T 不同時會報錯；相同時，第 i 個查詢拿到的是第 i 個序列的填充。",
        hint="填充遮罩的哪一軸是鍵？它在 [B, 1, T, T] 裡該放在哪裡？",
    ),
)
def as_they_are(ref, causal, padding):
    _masks(causal, padding)
    return np.tile(causal & padding, (len(padding), 1, 1, 1))


@variant("masking.combine/as-they-are")
def as_they_are_by_loop(ref, causal, padding):
    _masks(causal, padding)
    if len(padding) != len(causal):
        raise ValueError("the masks do not fit")
    both = [[a and b for a, b in zip(row, keys, strict=True)] for row, keys in zip(causal, padding, strict=True)]
    return np.array([[both]] * len(padding))


@combine(
    "masking.combine/diagonal-kept",
    en=Explained(
        "You let every token see itself, padding or not.",
        "Opened so that no row is empty, the diagonal lets padded positions attend to padding. Rows with nothing to "
        "attend to are the softmax's business.",
        hint="In a short sequence, look at the column of a padded position: is it False all the way down?",
    ),
    zh_tw=Explained(
        "不管是不是填充，你都讓每個詞元看到自己。",
        "為了不讓任何一個橫列是空的而打開對角線，會讓填充的位置注意到填充。無處可注意的橫列，是 softmax 要處理的事。",
        hint="在短序列裡，看填充位置的那個直行：是不是從上到下都是 False？",
    ),
)
def diagonal_kept(ref, causal, padding):
    _masks(causal, padding)
    return (causal & padding[:, None, None, :]) | np.eye(len(causal), dtype=bool)


@variant("masking.combine/diagonal-kept")
def diagonal_kept_by_loop(ref, causal, padding):
    _masks(causal, padding)
    out = np.empty((len(padding), 1, *causal.shape), dtype=bool)
    for b, _, i, j in np.ndindex(out.shape):
        out[b, 0, i, j] = i == j or (causal[i, j] and padding[b, j])
    return out


@combine(
    "masking.combine/inverted",
    en=Explained(
        "Your mask is True where attention is forbidden.",
        INVERTED_WHY,
        hint="Both masks you get are True where attention is allowed. What about the one you return?",
    ),
    zh_tw=Explained(
        "你的遮罩在禁止注意的地方才是 True。",
        INVERTED_WHY_ZH,
        hint="你拿到的兩個遮罩，都是允許的地方為 True。你回傳的呢？",
    ),
)
def combined_inverted(ref, causal, padding):
    _masks(causal, padding)
    return ~causal | ~padding[:, None, None, :]


@variant("masking.combine/inverted")
def combined_inverted_by_loop(ref, causal, padding):
    _masks(causal, padding)
    return np.array([[np.logical_not(np.where(keys, causal, False))] for keys in padding])


@combine("masking.combine/integers", **INTEGERS)
def combined_integers(ref, causal, padding):
    _masks(causal, padding)
    return causal.astype(np.int64) * padding[:, None, None, :]


@variant("masking.combine/integers")
def combined_integers_by_loop(ref, causal, padding):
    _masks(causal, padding)
    return np.array([[[[int(a and k) for a, k in zip(row, keys, strict=True)] for row in causal]] for keys in padding])


@combine("masking.combine/floats", **FLOATS)
def combined_floats(ref, causal, padding):
    _masks(causal, padding)
    out = np.zeros((len(padding), 1, *causal.shape))
    out[causal & padding[:, None, None, :]] = 1
    return out


@variant("masking.combine/floats")
def combined_floats_by_einsum(ref, causal, padding):
    _masks(causal, padding)
    return np.einsum("ij,bj->bij", causal.astype(float), padding.astype(float))[:, None]


@combine(
    "masking.combine/axis-guessed",
    en=Explained(
        "You found the key axis of the padding mask by its length.",
        "A batch of T sequences has two axes of length T, and the first of them is the batch. Sizes are no names: only "
        "the order of the axes says what they are.",
        hint="Try 3 sequences of length 3, each with its own padding.",
    ),
    zh_tw=Explained(
        "你靠長度來找填充遮罩的鍵軸。",
        "批次剛好有 T 個序列時，長度為 T 的軸有兩個，而第一個是批次。大小不是名字：只有軸的順序才說得出哪一軸是什麼。",
        hint="試試 3 個長度為 3 的序列，各有各的填充。",
    ),
)
def axis_guessed(ref, causal, padding):
    _masks(causal, padding)
    keys = np.moveaxis(padding, padding.shape.index(len(causal)), -1)
    return causal & keys[:, None, None, :]


@variant("masking.combine/axis-guessed")
def axis_guessed_by_loop(ref, causal, padding):
    _masks(causal, padding)
    rows = padding.T if padding.shape[0] == len(causal) else padding
    return np.array([[[[a and k for a, k in zip(row, keys, strict=True)] for row in causal]] for keys in rows])


@combine(
    "masking.combine/misfit-accepted",
    en=Explained(
        "You accept a padding mask that is not as long as the causal one.",
        "A padding mask of width 1 broadcasts: its one entry counts for every key, and whole sequences are hidden or "
        "shown without a word.",
        hint="Compare the shapes before you combine. Which two sizes must be equal?",
    ),
    zh_tw=Explained(
        "填充遮罩和因果遮罩長度不同，你也接受了。",
        "寬度為 1 的填充遮罩會被廣播：那一個項目被當成所有的鍵，整個序列就默默地全遮或全開。",
        hint="合併之前先比較形狀。哪兩個大小必須相等？",
    ),
)
def misfit_accepted(ref, causal, padding):
    ref.require_boolean(causal, padding)
    return causal & padding[:, None, None, :]


@variant("masking.combine/misfit-accepted")
def misfit_accepted_by_loop(ref, causal, padding):
    _boolean(causal)
    _boolean(padding)
    return np.array([[np.logical_and(causal, keys)] for keys in padding])


@combine(
    "masking.combine/numbers-accepted",
    en=Explained(
        "You accept masks that are not boolean.",
        "With integers & works bit by bit: 1 & 2 is 0, although both count as true, and the result is no boolean mask.",
        hint="What is the dtype of each argument, and what does the docstring say of others?",
    ),
    zh_tw=Explained(
        "不是布林的遮罩，你也接受了。",
        "對整數來說，& 是逐位元運算：1 & 2 是 0，雖然兩者都算真；而結果也不是布林遮罩。",
        hint="每個引數的 dtype 是什麼？docstring 對其他 dtype 怎麼說？",
    ),
)
def numbers_combined(ref, causal, padding):
    if causal.shape[-1] != padding.shape[-1]:
        raise ValueError("the masks differ in T")
    return causal & padding[:, None, None, :]


@variant("masking.combine/numbers-accepted")
def numbers_combined_by_stack(ref, causal, padding):
    ref.require_shapes("T_q T, B T", causal, padding)
    return np.stack([np.bitwise_and(causal, keys)[None] for keys in padding])


@combine(
    "masking.combine/unchecked",
    en=Explained(
        "You check neither the dtype nor the shapes of the masks.",
        "Broadcasting and bitwise operators make something of almost any two arrays. A mask of the wrong kind should be "
        "stopped where it comes in, not found later in a bad loss.",
        hint="The docstring names two kinds of arguments that must raise.",
    ),
    zh_tw=Explained(
        "你既沒檢查遮罩的 dtype，也沒檢查形狀。",
        "廣播和位元運算幾乎能把任何兩個陣列湊出結果。不對的遮罩應該在進來時就擋下，而不是之後從糟糕的損失裡發現。",
        hint="docstring 寫了兩種必須引發例外的引數。",
    ),
)
def combined_unchecked(ref, causal, padding):
    return causal & padding[:, None, None, :]


@variant("masking.combine/unchecked")
def combined_unchecked_by_stack(ref, causal, padding):
    return np.stack([np.bitwise_and(causal, keys) for keys in padding])[:, None]


@combine(
    "masking.combine/padding-changed",
    en=Explained(
        "Your mask is right, but you changed the caller's padding mask.",
        "`hidden = padding` gives the array a second name, not a copy. Negated in place, the caller's mask is inverted "
        "for all that comes after.",
        hint="Look for an operation with out=, with ^= or with [...] = on an argument.",
    ),
    zh_tw=Explained(
        "遮罩是對的，但你改動了呼叫端的填充遮罩。",
        "`hidden = padding` 只是給陣列多一個名字，不是複本。就地取反之後，呼叫端的遮罩從此就反了。",
        hint="找找看有沒有對引數用 out=、^=，或 [...] = 的運算。",
    ),
)
def padding_changed(ref, causal, padding):
    _masks(causal, padding)
    hidden = padding
    np.logical_not(hidden, out=hidden)
    return causal & ~hidden[:, None, None, :]


@variant("masking.combine/padding-changed")
def padding_changed_by_loop(ref, causal, padding):
    _masks(causal, padding)
    masks = np.array([[np.where(keys, causal, False)] for keys in padding])
    for keys in padding:
        keys ^= True  # noqa: PLW2901  # changing the rows in place is the mistake
    return masks


@combine(
    "masking.combine/first-key-kept",
    en=Explained(
        "You open the first key where a sequence is empty.",
        "So that no row is empty, padding at position 0 became a token. A sequence of length 0 has nothing to attend "
        "to, and its rows must say so.",
        hint="Follow a sequence of length 0 through your function.",
    ),
    zh_tw=Explained(
        "序列是空的時候，你打開了第一個鍵。",
        "為了不讓任何一個橫列是空的，位置 0 的填充變成了詞元。長度為 0 的序列沒有東西可注意，它的各橫列就該如實呈現。",
        hint="把長度為 0 的序列代進你的函式走一遍。",
    ),
)
def first_key_kept(ref, causal, padding):
    _masks(causal, padding)
    tokens = padding.copy()
    tokens[~padding.any(axis=1), 0] = True
    return causal & tokens[:, None, None, :]


@variant("masking.combine/first-key-kept")
def first_key_kept_by_loop(ref, causal, padding):
    _masks(causal, padding)
    first = [True] + [False] * (padding.shape[1] - 1)
    return np.array([[np.where(keys if any(keys) else first, causal, False)] for keys in padding])


@combine(
    "masking.combine/rows-meet-sequences",
    en=Explained(
        "You combine the masks before the padding has an axis for the queries.",
        "[T, T] & [B, T] meets row by row: query t of the causal mask meets the padding of sequence t. Where B and T differ that is an error, and where they are equal it is a mask of the wrong shape.",
        hint="The result is [B, 1, T, T]. Where do axes of length 1 belong in the padding mask [B, T] before `&`?",
    ),
    zh_tw=Explained(
        "填充遮罩還沒有查詢軸，你就把兩個遮罩合併了。",
        "[T, T] & [B, T] 是一列對一列：因果遮罩的第 t 個查詢，對上第 t 個序列的填充。B 和 T 不同時出錯，相同時得到的遮罩形狀不對。",
        hint="結果是 [B, 1, T, T]。在 `&` 之前，填充遮罩 [B, T] 的哪裡該加上長度 1 的軸？",
    ),
)
def rows_meet_sequences(ref, causal, padding):
    ref.require_boolean(causal, padding)
    return (causal & padding)[:, None]


@variant("masking.combine/rows-meet-sequences")
def rows_meet_sequences_by_loop(ref, causal, padding):
    _boolean(causal)
    _boolean(padding)
    if causal.shape != padding.shape and len(padding) > 1:
        raise ValueError("a row for each sequence")
    rows = padding if len(padding) > 1 else [padding[0]] * len(causal)
    return np.array([[np.logical_and(*both)] for both in zip(causal, rows, strict=True)])
