"""What goes wrong in the exercise masking.window."""

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
    _behind,
    _count,
    _square,
    _window,
    window,
)


@window(
    "masking.window/one-too-many",
    en=Explained(
        "Your window is one position too wide.",
        "The token itself counts: a window of 3 is the token and the two before it. Yours is the token and three more.",
        hint="Count the True entries of the last row and compare with the window.",
    ),
    zh_tw=Explained(
        "你的視窗多了一格。",
        "詞元自己也算在內：大小為 3 的視窗是它自己和前面兩個。你的是它自己再加三個。",
        hint="數一數最後一個橫列有幾個 True，和視窗大小比一比。",
    ),
)
def window_too_wide(ref, T, window):
    _window(window, T)
    return (_behind(T) >= 0) & (_behind(T) <= window)


@variant("masking.window/one-too-many")
def window_too_wide_by_slices(ref, T, window):
    _window(window, T)
    mask = np.zeros((T, T), dtype=bool)
    for i in range(T):
        mask[i, max(0, i - window) : i + 1] = True
    return mask


@window(
    "masking.window/one-too-few",
    en=Explained(
        "Your window is one position too narrow.",
        "A window of 3 is the token and the two before it; yours stops after one. With a window of 1 nothing is left.",
        hint="Count the True entries of the last row and compare with the window.",
    ),
    zh_tw=Explained(
        "你的視窗少了一格。",
        "大小為 3 的視窗是詞元自己和前面兩個；你的只到前面一個。視窗為 1 時就什麼也不剩。",
        hint="數一數最後一個橫列有幾個 True，和視窗大小比一比。",
    ),
)
def window_too_narrow(ref, T, window):
    _window(window, T)
    return (_behind(T) >= 0) & (_behind(T) < window - 1)


@variant("masking.window/one-too-few")
def window_too_narrow_by_sets(ref, T, window):
    _window(window, T)
    return _square([[j in range(i - window + 2, i + 1) for j in range(T)] for i in range(T)], T)


@window(
    "masking.window/both-sides",
    en=Explained(
        "Your window reaches into the future as far as into the past.",
        "The distance to a key is taken without its sign, so a token also sees those after it. The sliding window is "
        "causal: only what came before, and the token itself.",
        hint="Look at row 0. Which keys may the first token see?",
    ),
    zh_tw=Explained(
        "你的視窗往未來看的距離和往過去一樣遠。",
        "算距離時丟掉了正負號，於是詞元也看得到它後面的。滑動視窗是因果的：只看之前的和自己。",
        hint="看第 0 個橫列。第一個詞元可以看到哪些鍵？",
    ),
)
def both_sides(ref, T, window):
    _window(window, T)
    return np.abs(_behind(T)) < window


@variant("masking.window/both-sides")
def both_sides_by_slices(ref, T, window):
    _window(window, T)
    mask = np.zeros((T, T), dtype=bool)
    for i in range(T):
        mask[i, max(0, i - window + 1) : i + window] = True
    return mask


@window(
    "masking.window/centred",
    en=Explained(
        "You laid the window around the token, half before it and half after.",
        "That suits a convolution over a finished text. Here the window ends at the token: whatever comes after it does "
        "not exist yet.",
        hint="Look at row 0. Which keys may the first token see?",
    ),
    zh_tw=Explained(
        "你把視窗放在詞元的兩側，一半在前、一半在後。",
        "那適合對整段現成文字做卷積。這裡的視窗到詞元自己為止：後面的東西還不存在。",
        hint="看第 0 個橫列。第一個詞元可以看到哪些鍵？",
    ),
)
def centred(ref, T, window):
    _window(window, T)
    return np.abs(_behind(T)) <= window // 2


@variant("masking.window/centred")
def centred_by_loop(ref, T, window):
    _window(window, T)
    half = window // 2
    return _square([[i - half <= j <= i + half for j in range(T)] for i in range(T)], T)


@window(
    "masking.window/future",
    en=Explained(
        "Your window lies after the token, not before it.",
        "The difference of the two positions has the wrong sign: token t sees t, t+1 and so on, which is exactly what "
        "it must not see.",
        hint="Rows are queries, columns are keys. Which of the two indices may be the larger one?",
    ),
    zh_tw=Explained(
        "你的視窗在詞元之後，而不是之前。",
        "兩個位置相減時正負號反了：詞元 t 看到 t、t+1 等等，正是它不該看到的。",
        hint="橫列（row）是查詢，直行（column）是鍵。兩個索引中，哪一個可以比較大？",
    ),
)
def window_future(ref, T, window):
    _window(window, T)
    return (_behind(T) <= 0) & (_behind(T) > -window)


@variant("masking.window/future")
def window_future_by_slices(ref, T, window):
    _window(window, T)
    mask = np.zeros((T, T), dtype=bool)
    for i in range(T):
        mask[i, i : i + window] = True
    return mask


@window(
    "masking.window/unlimited",
    en=Explained(
        "Your mask is the plain causal mask: the window does nothing.",
        "Each token sees everything before it. The point of a window is that the work per token stays the same however "
        "long the text grows.",
        hint="Where in your function does the window appear, and which entries does it turn off?",
    ),
    zh_tw=Explained(
        "你的遮罩只是一般的因果遮罩：視窗沒有作用。",
        "每個詞元都看得到之前的一切。視窗的用意，是不論文字多長，每個詞元的工作量都一樣。",
        hint="在你的函式裡，視窗大小出現在哪裡？它關掉了哪些項目？",
    ),
)
def unlimited(ref, T, window):
    _window(window, T)
    return np.tri(T, dtype=bool)


@variant("masking.window/unlimited")
def unlimited_by_loop(ref, T, window):
    _window(window, T)
    return _square([[j <= i for j in range(T)] for i in range(T)], T)


@window(
    "masking.window/self-excluded",
    en=Explained(
        "Your window holds the positions before the token, but not the token itself.",
        "The window has the right width, but it is shifted by one. Each token loses its own content, and the first sees "
        "nothing at all.",
        hint="Look at the diagonal.",
    ),
    zh_tw=Explained(
        "你的視窗裝的是詞元之前的位置，卻沒有它自己。",
        "視窗的寬度對，但整個移了一格。每個詞元都少了自己的內容，第一個更是什麼也看不到。",
        hint="看看對角線。",
    ),
)
def self_excluded(ref, T, window):
    _window(window, T)
    return (_behind(T) >= 1) & (_behind(T) <= window)


@variant("masking.window/self-excluded")
def self_excluded_by_slices(ref, T, window):
    _window(window, T)
    mask = np.zeros((T, T), dtype=bool)
    for i in range(T):
        mask[i, max(0, i - window) : i] = True
    return mask


@window(
    "masking.window/far-only",
    en=Explained(
        "Your mask keeps what lies outside the window and hides what lies inside.",
        "Only keys at least `window` positions back are True: the far past is seen, the near past and the token itself "
        "are not.",
        hint="How far back is the nearest key that a token sees in your mask?",
    ),
    zh_tw=Explained(
        "你的遮罩留下了視窗之外的，遮住了視窗之內的。",
        "只有至少往回 `window` 格的鍵是 True：看得到遙遠的過去，卻看不到最近的過去和自己。",
        hint="在你的遮罩裡，詞元看得到的最近的鍵，往回有多遠？",
    ),
)
def far_only(ref, T, window):
    _window(window, T)
    return np.tri(T, k=-window, dtype=bool)


@variant("masking.window/far-only")
def far_only_by_loop(ref, T, window):
    _window(window, T)
    return _square([[i - j >= window for j in range(T)] for i in range(T)], T)


@window(
    "masking.window/inverted",
    en=Explained(
        "Your mask is True where attention is forbidden.",
        INVERTED_WHY,
        hint="Read again what True means, then look at the diagonal of your mask.",
    ),
    zh_tw=Explained(
        "你的遮罩在禁止注意的地方才是 True。",
        INVERTED_WHY_ZH,
        hint="再讀一次 True 的意思，然後看看你遮罩的對角線。",
    ),
)
def window_inverted(ref, T, window):
    _window(window, T)
    return (_behind(T) < 0) | (_behind(T) >= window)


@variant("masking.window/inverted")
def window_inverted_by_slices(ref, T, window):
    _window(window, T)
    mask = np.ones((T, T), dtype=bool)
    for i in range(T):
        mask[i, max(0, i - window + 1) : i + 1] = False
    return mask


@window(
    "masking.window/blocks",
    en=Explained(
        "You cut the sequence into blocks instead of sliding a window.",
        "The first token of each block sees only itself, however much stands before it. A sliding window moves along "
        "with the token: everyone looks equally far back.",
        hint="Count the True entries row by row. Does the count ever fall?",
    ),
    zh_tw=Explained(
        "你把序列切成了區塊，而不是滑動視窗。",
        "每個區塊的第一個詞元只看得到自己，不管前面有多少內容。滑動視窗會跟著詞元移動：每個詞元往回看得一樣遠。",
        hint="逐個橫列數 True 的個數。有沒有哪個橫列突然變少？",
    ),
)
def blocks(ref, T, window):
    _window(window, T)
    block = np.arange(T) // window
    return (block[:, None] == block) & (_behind(T) >= 0)


@variant("masking.window/blocks")
def blocks_by_loop(ref, T, window):
    _window(window, T)
    mask = np.zeros((T, T), dtype=bool)
    for i in range(T):
        mask[i, i - i % window : i + 1] = True
    return mask


@window(
    "masking.window/early-rows-lost",
    en=Explained(
        "The first rows lose the keys that they have.",
        "Where a token has fewer tokens before it than the window holds, your slice starts at a negative index. Python "
        "counts that from the end, so the slice comes out empty.",
        hint="Write down the start and the end of the window for token 0.",
    ),
    zh_tw=Explained(
        "最前面幾個橫列連自己有的鍵都丟了。",
        "當詞元之前的內容比視窗還少時，你的切片從負的索引開始。Python 會從尾端數起，切出來就是空的。",
        hint="寫下詞元 0 的視窗從哪裡開始、到哪裡結束。",
    ),
)
def early_rows_lost(ref, T, window):
    _window(window, T)
    mask = np.zeros((T, T), dtype=bool)
    for i in range(T):
        mask[i, i - window + 1 : i + 1] = True
    return mask


@variant("masking.window/early-rows-lost")
def early_rows_lost_by_comparison(ref, T, window):
    _window(window, T)
    start = np.arange(T) - window + 1
    start = np.where(start < 0, start + T, start)[:, None]
    return (np.arange(T) >= start) & (_behind(T) >= 0)


@window(
    "masking.window/wraps-around",
    en=Explained(
        "In the first rows your window wraps around to the end of the sequence.",
        "Before position 0 there is nothing. Rolled, or indexed with negative numbers, the window comes back in from "
        "the right: the first tokens see the last ones.",
        hint="Look at the top right corner of your mask.",
    ),
    zh_tw=Explained(
        "在最前面幾個橫列，你的視窗繞回了序列的尾端。",
        "位置 0 之前什麼也沒有。用 roll 或負的索引時，視窗會從右邊繞回來：最前面的詞元看到了最後面的。",
        hint="看看你遮罩的右上角。",
    ),
)
def wraps_around(ref, T, window):
    _window(window, T)
    return sum((np.roll(np.eye(T, dtype=int), -back, axis=1) for back in range(window)), np.zeros((T, T), int)) > 0


@variant("masking.window/wraps-around")
def wraps_around_by_loop(ref, T, window):
    _window(window, T)
    mask = np.zeros((T, T), dtype=bool)
    for i in range(T):
        for back in range(window):
            mask[i, (i - back) % T] = True
    return mask


@window("masking.window/integers", **INTEGERS)
def window_integers(ref, T, window):
    _window(window, T)
    return np.tri(T, dtype=np.int64) - np.tri(T, k=-window, dtype=np.int64)


@variant("masking.window/integers")
def window_integers_by_loop(ref, T, window):
    _window(window, T)
    return np.array([[int(0 <= i - j < window) for j in range(T)] for i in range(T)], dtype=np.int64).reshape(T, T)


@window("masking.window/floats", **FLOATS)
def window_floats(ref, T, window):
    _window(window, T)
    return np.tril(np.ones((T, T))) - np.tril(np.ones((T, T)), -window)


@variant("masking.window/floats")
def window_floats_by_slices(ref, T, window):
    _window(window, T)
    mask = np.zeros((T, T))
    for i in range(T):
        mask[i, max(0, i - window + 1) : i + 1] = 1
    return mask


@window(
    "masking.window/one-refused",
    en=Explained(
        "You refuse a window of 1.",
        "A window of 1 is allowed: each token sees only itself. What must be refused are windows below 1.",
        hint="Look at the comparison in your check: what does it say for 1?",
    ),
    zh_tw=Explained(
        "視窗為 1 時，你就拒絕了。",
        "視窗為 1 是允許的：每個詞元只看得到自己。該拒絕的是小於 1 的視窗。",
        hint="看看檢查裡的比較式：碰到 1 時，它怎麼說？",
    ),
)
def one_refused(ref, T, window):
    _count(T)
    if window <= 1:
        raise ValueError("the window is too small")
    return (_behind(T) >= 0) & (_behind(T) < window)


@variant("masking.window/one-refused")
def one_refused_by_loop(ref, T, window):
    _count(T)
    if window < 2:
        raise ValueError("the window is too small")
    return _square([[j in range(i - window + 1, i + 1) for j in range(T)] for i in range(T)], T)


@window(
    "masking.window/wide-refused",
    en=Explained(
        "You refuse a window that is wider than the sequence.",
        "A short text under a large window is common. Nobody reaches the limit then, and the mask is the plain causal "
        "one.",
        hint="Which windows does the docstring say must raise? Is a wide one among them?",
    ),
    zh_tw=Explained(
        "視窗比序列還寬時，你就拒絕了。",
        "短文字配大視窗很常見。這時誰也碰不到界限，遮罩就是一般的因果遮罩。",
        hint="docstring 說哪些視窗必須引發例外？寬的視窗在其中嗎？",
    ),
)
def wide_refused(ref, T, window):
    _count(T)
    if not 1 <= window <= T:
        raise ValueError("the window does not fit the sequence")
    return (_behind(T) >= 0) & (_behind(T) < window)


@variant("masking.window/wide-refused")
def wide_refused_by_loop(ref, T, window):
    _count(T)
    if window not in range(1, T + 1):
        raise ValueError("the window does not fit the sequence")
    return _square([[i - window < j <= i for j in range(T)] for i in range(T)], T)


@window(
    "masking.window/zero",
    en=Explained(
        "You accept a window of 0.",
        "Nobody sees anything then, not even itself: every row of the mask is empty, and a plain softmax over it is "
        "NaN.",
        hint="Which windows does the docstring say must raise?",
    ),
    zh_tw=Explained(
        "你接受了大小為 0 的視窗。",
        "那樣誰也看不到任何東西，連自己都看不到：遮罩每個橫列都是空的，對它做一般的 softmax 會得到 NaN。",
        hint="docstring 說哪些視窗必須引發例外？",
    ),
)
def window_zero(ref, T, window):
    _count(T)
    if window < 0:
        raise ValueError("a window cannot be negative")
    return (_behind(T) >= 0) & (_behind(T) < window)


@variant("masking.window/zero")
def window_zero_by_slices(ref, T, window):
    _count(T)
    if window <= -1:
        raise ValueError("a window cannot be negative")
    mask = np.zeros((T, T), dtype=bool)
    for i in range(T):
        mask[i, max(0, i - window + 1) : i + 1] = True
    return mask


@window(
    "masking.window/negative",
    en=Explained(
        "You accept a negative window.",
        "A test for truth refuses 0 and lets -2 pass, for every number but 0 counts as true. The mask is then empty.",
        hint="Try your check with -2.",
    ),
    zh_tw=Explained(
        "你接受了負的視窗。",
        "只看真假的檢查擋得下 0，卻放過 -2，因為 0 以外的數都算真。這時遮罩是空的。",
        hint="拿 -2 試試你的檢查。",
    ),
)
def window_negative(ref, T, window):
    _count(T)
    if not window:
        raise ValueError("a window is needed")
    return (_behind(T) >= 0) & (_behind(T) < window)


@variant("masking.window/negative")
def window_negative_by_loop(ref, T, window):
    _count(T)
    if window == 0:
        raise ValueError("a window is needed")
    return _square([[i - window < j <= i for j in range(T)] for i in range(T)], T)


@window("masking.window/asserts", **ASSERTS)
def window_asserts(ref, T, window):
    _count(T)
    assert window > 0, "the window is too small"
    return (_behind(T) >= 0) & (_behind(T) < window)


@variant("masking.window/asserts")
def window_asserts_by_loop(ref, T, window):
    _count(T)
    if window < 1:
        raise AssertionError
    return _square([[i - window < j <= i for j in range(T)] for i in range(T)], T)


@window("masking.window/negative-length-accepted", **NEGATIVE)
def negative_length(ref, T, window):
    _window(window, 0)
    return (_behind(T) >= 0) & (_behind(T) < window)


@variant("masking.window/negative-length-accepted")
def negative_length_by_loop(ref, T, window):
    _window(window, 0)
    return _square([[j in range(i - window + 1, i + 1) for j in range(T)] for i in range(T)], max(T, 0))
