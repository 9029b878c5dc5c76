"""What goes wrong at the edges of the exercise efficient.online_softmax."""

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    ALWAYS_SINGLE,
    IN_PLACE,
    KEPT_HALF,
    WIDENED,
    about_online,
    by_row,
    checked,
    exp,
    fold,
    ground,
    highest,
    merge,
    right_row,
    single,
    top,
    total,
)


@about_online(
    "efficient.online_softmax/all-rows-or-none",
    en=Explained(
        "You rescale only when the maximum of every row grows.",
        "Each row has its own maximum, and one may grow while the others stay. A row that stays has factor exp(0) = 1, so rescaling all of them is right without any condition.",
        hint="What does your `if` do when one row's maximum grows and the other's does not?",
    ),
    zh_tw=Explained(
        "只有每個橫列的最大值都變大時，你才重新縮放。",
        "每個橫列有自己的最大值，可能一個變大、其他不變。不變的橫列，因子是 exp(0) = 1，所以不需要任何條件，全部縮放就是對的。",
        hint="一個橫列的最大值變大、另一個沒變時，你的 `if` 會怎麼做？",
    ),
)
def all_or_none(ref, blocks):
    def step(m, d, S):
        new = np.maximum(m, top(S))
        factor = np.exp(m - ground(new)) if (new > m).all() else np.ones_like(m)
        return new, d * factor + np.exp(S - ground(new)).sum(axis=-1, keepdims=True)

    return fold(blocks, step)


@variant("efficient.online_softmax/all-rows-or-none")
def _(ref, blocks):
    arrays, dtype = checked(blocks)
    rows = list(np.ndindex(arrays[0].shape[:-1]))
    state = dict.fromkeys(rows, (-math.inf, 0.0))
    for array in arrays:
        tops = {row: max(state[row][0], highest(array[row].tolist())) for row in rows}
        grown = all(tops[row] > state[row][0] for row in rows)
        for row in rows:
            m, d = state[row]
            if grown:
                d *= 0.0 if m == -math.inf else exp(m - tops[row])
            state[row] = tops[row], d + total(array[row].tolist(), tops[row])
    both = np.array([state[row] for row in rows]).T.reshape(2, *arrays[0].shape[:-1], 1)
    return both[0].astype(dtype), both[1].astype(dtype)


@about_online(
    "efficient.online_softmax/begins-with-nan",
    en=Explained(
        "A row that begins with nothing but -inf is NaN from then on.",
        "After such a block the maximum is still -inf, and -inf - (-inf) is NaN. It stays NaN when real scores follow. A causal mask hides whole blocks from a query, so this is no rarity.",
        hint="Put m = -inf and a block of -inf into your formula. What could be subtracted in place of m?",
    ),
    zh_tw=Explained(
        "開頭全是 -inf 的橫列，從此都是 NaN。",
        "看完這樣的區塊，最大值仍是 -inf，而 -inf - (-inf) 是 NaN；之後就算來了真正的分數，也還是 NaN。因果遮罩會把整個區塊都遮住，所以這並不罕見。",
        hint="把 m = -inf 和全是 -inf 的區塊代進你的式子。可以改減什麼來代替 m？",
    ),
)
def nan_from_the_start(ref, blocks):
    def step(m, d, S):
        new = np.maximum(m, top(S))
        return new, d * np.exp(m - new) + np.exp(S - new).sum(axis=-1, keepdims=True)

    return fold([block for block in blocks if np.shape(block)[-1]] or blocks, step)


@variant("efficient.online_softmax/begins-with-nan")
def _(ref, blocks):
    checked(blocks)

    def rule(parts):
        first = next((part for part in parts if part), [])
        m, d = right_row(parts)
        return m, math.nan if first and highest(first) == -math.inf else d

    return by_row(blocks, rule)


@about_online(
    "efficient.online_softmax/nothing-first-gives-nan",
    en=Explained(
        "As long as nothing has been seen you get NaN, after an empty first block too.",
        "You follow the formula to the letter: m = -inf at the start, and a block that is empty or all -inf leaves it there. Then -inf - (-inf) is NaN, which no later block takes out again.",
        hint="Put m = -inf and a block without any score into your formula. What could be subtracted in place of the new maximum?",
    ),
    zh_tw=Explained(
        "只要還沒看到分數，你就得到 NaN，第一個區塊是空的時候也一樣。",
        "你照著公式一字不改地寫：開始時 m = -inf，而空的或全是 -inf 的區塊不會改變它。這時 -inf - (-inf) 是 NaN，後面的區塊不會把它消掉。",
        hint="把 m = -inf 和一個沒有分數的區塊代進你的式子。可以改減什麼來代替新的最大值？",
    ),
)
def nan_until_a_score(ref, blocks):
    def step(m, d, S):
        new = np.maximum(m, top(S))
        return new, d * np.exp(m - new) + np.exp(S - new).sum(axis=-1, keepdims=True)

    return fold(blocks, step)


@variant("efficient.online_softmax/nothing-first-gives-nan")
def _(ref, blocks):
    def rule(parts):
        m, d = right_row(parts)
        return m, math.nan if highest(parts[0]) == -math.inf else d

    return by_row(blocks, rule)


@about_online(
    "efficient.online_softmax/nan-and-empty-block",
    en=Explained(
        "A row that begins with -inf becomes NaN, and a block without scores stops your code.",
        "Both come from a block in which there is nothing: -inf - (-inf) is NaN, and NumPy's max of no numbers raises unless it is told where to start.",
        hint="Put m = -inf and a block of -inf into your formula. Then ask which arguments max has, beside the axis.",
    ),
    zh_tw=Explained(
        "開頭是 -inf 的橫列變成 NaN，遇到沒有分數的區塊程式就停了。",
        "兩者都出自什麼都沒有的區塊：-inf - (-inf) 是 NaN；NumPy 對空的軸取 max 會引發例外，除非告訴它起始值。",
        hint="把 m = -inf 和全是 -inf 的區塊代進你的式子。再看看 max 除了軸以外，還有哪些參數。",
    ),
)
def nan_and_needs_scores(ref, blocks):
    def step(m, d, S):
        new = np.maximum(m, S.max(axis=-1, keepdims=True))
        return new, d * np.exp(m - new) + np.exp(S - new).sum(axis=-1, keepdims=True)

    return fold(blocks, step)


@variant("efficient.online_softmax/nan-and-empty-block")
def _(ref, blocks):
    def rule(parts):
        tops = [max(part) for part in parts]
        return max(tops), math.nan if tops[0] == -math.inf else right_row(parts)[1]

    return by_row(blocks, rule)


@about_online(
    "efficient.online_softmax/mended-at-the-end",
    en=Explained(
        "You mend rows of nothing at the end, and rows that only begin with nothing stay NaN.",
        "Putting 0 where the final maximum is -inf helps the rows that never see a score. A row whose first block is -inf has made a NaN on the way, and no later block takes it out again.",
        hint="When is the maximum -inf: only at the end, or also on the way?",
    ),
    zh_tw=Explained(
        "你在最後補救了全空的橫列，但只有開頭是空的橫列仍是 NaN。",
        "在最後的最大值是 -inf 的地方填 0，救得了從頭到尾沒有分數的橫列。第一個區塊是 -inf 的橫列，途中已經產生 NaN，後面的區塊不會把它消掉。",
        hint="最大值什麼時候會是 -inf？只在最後，還是途中也會？",
    ),
)
def mended_at_the_end(ref, blocks):
    m, d = nan_from_the_start(ref, blocks)
    return m, np.where(np.isneginf(m), 0, d).astype(d.dtype)


@variant("efficient.online_softmax/mended-at-the-end")
def _(ref, blocks):
    def rule(parts):
        first = next((part for part in parts if part), [])
        m, d = right_row(parts)
        return m, math.nan if first and highest(first) == -math.inf < m else d

    return by_row(blocks, rule)


@about_online(
    "efficient.online_softmax/nothing-counts",
    en=Explained(
        "A row of nothing but -inf has a sum that is not 0.",
        "exp(-inf - (-inf)) is not 1: each such score is hidden, and adds nothing. The sum of such a row is 0, by which it can be told from every other row, for theirs is at least 1.",
        hint="What does your code add up for a row without a single visible score?",
    ),
    zh_tw=Explained(
        "全是 -inf 的橫列，你的總和不是 0。",
        "exp(-inf - (-inf)) 並不是 1：這些分數都被遮住了，什麼也不加。這種橫列的總和是 0，也因此認得出來，因為其他橫列都至少是 1。",
        hint="一個橫列連一個看得見的分數都沒有時，你的程式加了什麼？",
    ),
)
def nothing_counts(ref, blocks):
    m, d = fold(blocks, merge)
    count = sum(np.shape(block)[-1] for block in blocks)
    return m, np.where(np.isneginf(m), count, d).astype(d.dtype)


@variant("efficient.online_softmax/nothing-counts")
def _(ref, blocks):
    def rule(parts):
        m, d = right_row(parts)
        return m, sum(map(len, parts)) if m == -math.inf else d

    return by_row(blocks, rule)


@about_online(
    "efficient.online_softmax/nothing-is-finite",
    en=Explained(
        "The maximum of a row of nothing is not -inf.",
        "You put 0, or the most negative number there is, in place of -inf and returned it. Inside the exponentials that helps; but the maximum of nothing is -inf, and the next merge relies on it.",
        hint="Is the number that you subtract also the number that you return?",
    ),
    zh_tw=Explained(
        "什麼都沒有的橫列，你的最大值不是 -inf。",
        "你用 0（或最小的負數）代替 -inf，還把它回傳了。在指數裡這樣做有幫助；但什麼都沒有時最大值就是 -inf，下一次合併也靠它。",
        hint="你減掉的數，和你回傳的數是同一個嗎？",
    ),
)
def finite_nothing(ref, blocks):
    m, d = fold(blocks, merge)
    return ground(m).astype(m.dtype), d


@variant("efficient.online_softmax/nothing-is-finite")
def _(ref, blocks):
    def rule(parts):
        m, d = right_row(parts)
        return (m, d) if d else (0.0, 0.0)

    return by_row(blocks, rule)


@about_online(
    "efficient.online_softmax/shifted-back",
    en=Explained(
        "Your sum overflows or vanishes for scores far from 0.",
        "You add up exp(x) and multiply by exp(-m) in the end. On paper that is the same; on a machine exp(1000) is inf and exp(-1000) is 0. The maximum must be subtracted before exp.",
        hint="Evaluate each exp in your code for a score of 1000.",
    ),
    zh_tw=Explained(
        "分數離 0 很遠時，你的總和會溢位或消失。",
        "你先加總 exp(x)，最後再乘上 exp(-m)。紙上是一樣的；但在機器上 exp(1000) 是 inf，exp(-1000) 是 0。最大值要在取 exp 之前減掉。",
        hint="把分數 1000 代進程式裡的每一個 exp。",
    ),
)
def shifted_back(ref, blocks):
    arrays, dtype = checked(blocks)
    m, d = fold(arrays, lambda m, d, S: (np.maximum(m, top(S)), d + np.exp(S).sum(axis=-1, keepdims=True)))
    return m.astype(dtype), (d * np.exp(-ground(m))).astype(dtype)


@variant("efficient.online_softmax/shifted-back")
def _(ref, blocks):
    def rule(parts):
        m = right_row(parts)[0]
        plain, back = sum(exp(score) for part in parts for score in part), exp(-m) if m > -math.inf else 1.0
        return m, math.nan if {plain, back} == {0.0, math.inf} else plain * back

    return by_row(blocks, rule)


@about_online(
    "efficient.online_softmax/empty-block",
    en=Explained(
        "You cannot take a block without scores.",
        "n_i may be 0, and then there is nothing to take in. NumPy's max of nothing raises, unless it is told where to start.",
        hint="Which arguments does max have, beside the axis?",
    ),
    zh_tw=Explained(
        "遇到沒有分數的區塊，你的程式就停了。",
        "n_i 可以是 0，那就什麼都不必加。NumPy 對空的軸取 max 會引發例外，除非告訴它起始值。",
        hint="max 除了軸以外，還有哪些參數？",
    ),
)
def needs_scores(ref, blocks):
    def step(m, d, S):
        S.max(axis=-1)
        return merge(m, d, S)

    return fold(blocks, step)


@variant("efficient.online_softmax/empty-block")
def _(ref, blocks):
    return by_row(blocks, lambda parts: (max(max(part) for part in parts), right_row(parts)[1]))


@about_online(
    "efficient.online_softmax/equal-widths",
    en=Explained(
        "You need all blocks to be equally wide.",
        "The last block of a row is shorter whenever the width does not divide it. Blocks are taken one by one; they need not fit into one array.",
        hint="What happens in your code when the last block has fewer scores than the others?",
    ),
    zh_tw=Explained(
        "你的程式要求每個區塊一樣寬。",
        "只要寬度不能整除，一個橫列的最後一個區塊就會比較短。區塊是一個一個看的，不必能放進同一個陣列。",
        hint="最後一個區塊的分數比較少時，你的程式會怎麼樣？",
    ),
)
def stacked_blocks(ref, blocks):
    checked(blocks)
    return fold(list(np.stack([np.asarray(block) for block in blocks])), merge)


@variant("efficient.online_softmax/equal-widths")
def _(ref, blocks):
    if len({np.shape(block) for block in blocks}) > 1:
        raise ValueError("blocks of several shapes")
    return by_row(blocks, right_row)


@about_online(
    "efficient.online_softmax/two-axes",
    en=Explained(
        "You expect blocks of exactly two axes.",
        "A single row has one axis, a batch with heads has four. The scores lie along the last axis; how many stand before it should not matter.",
        hint="Look for an axis that is counted from the front, and for shapes that are unpacked into two names.",
    ),
    zh_tw=Explained(
        "你的程式只接受剛好兩個軸的區塊。",
        "單一橫列只有一個軸，多頭的批次有四個。分數排在最後一軸，前面有幾個軸都不該有影響。",
        hint="找找看從前面數的軸，還有拆成兩個名字的 shape。",
    ),
)
def two_axes(ref, blocks):
    arrays, _ = checked(blocks)
    rows, _ = arrays[0].shape
    assert rows >= 0
    return fold(blocks, merge)


@variant("efficient.online_softmax/two-axes")
def _(ref, blocks):
    if any(np.ndim(block) != 2 for block in blocks):
        raise ValueError("rows and scores, please")
    return by_row(blocks, right_row)


@about_online(
    "efficient.online_softmax/list-only",
    en=Explained(
        "Your code works with a list of blocks, and with nothing else.",
        "Blocks may come in any iterable: a tuple, an array, a generator that makes each block when it is asked for. A `for` loop over it is all you need, and all that works for every one of them.",
        hint="Look for what only a list can do: pop, copy, +, or the question whether it is a list.",
    ),
    zh_tw=Explained(
        "你的程式只能處理串列（list）裡的區塊。",
        "區塊可以來自任何可迭代物件：tuple、陣列，或是要一個才做一個的產生器。用 `for` 迴圈走過它就夠了，也只有這樣才對每一種都行得通。",
        hint="找找看只有串列做得到的事：pop、copy、+，或是判斷它是不是串列。",
    ),
)
def a_list_please(ref, blocks):
    return fold(list.copy(blocks), merge)


@variant("efficient.online_softmax/list-only")
def _(ref, blocks):
    if type(blocks) is not list:
        raise TypeError(f"list expected, got {type(blocks).__name__}")
    return by_row(blocks, right_row)


@about_online("efficient.online_softmax/widened", en=WIDENED["en"], zh_tw=WIDENED["zh_tw"])
def widened(ref, blocks):
    return tuple(each.astype(np.float64) for each in fold([np.asarray(block) for block in blocks], merge))


@variant("efficient.online_softmax/widened")
def _(ref, blocks):
    checked(blocks)
    return by_row([np.asarray(block, dtype=np.float64) for block in blocks], right_row)


@about_online("efficient.online_softmax/half-kept", en=KEPT_HALF["en"], zh_tw=KEPT_HALF["zh_tw"])
def half_kept(ref, blocks):
    m, d = fold(blocks, merge)
    kind = np.float16 if all(np.asarray(block).dtype == np.float16 for block in blocks) else m.dtype
    return m.astype(kind), d.astype(kind)


@variant("efficient.online_softmax/half-kept")
def _(ref, blocks):
    both = by_row(blocks, right_row)
    return tuple(np.asarray(x, "f2") if {np.asarray(b).dtype.str[1:] for b in blocks} == {"f2"} else x for x in both)


@about_online("efficient.online_softmax/always-float32", en=ALWAYS_SINGLE["en"], zh_tw=ALWAYS_SINGLE["zh_tw"])
def always_float32(ref, blocks):
    return tuple(each.astype(np.float32) for each in fold(blocks, merge))


@variant("efficient.online_softmax/always-float32")
def _(ref, blocks):
    return tuple(np.array(each, dtype="f4") for each in by_row(blocks, right_row))


@about_online(
    "efficient.online_softmax/first-dtype",
    en=Explained(
        "The first block alone decides your dtype.",
        "If it is float32 and a later one float64, the result is float64: float32 only if every block is float32.",
        hint="From which block does the dtype of your result come?",
    ),
    zh_tw=Explained(
        "你的 dtype 只由第一個區塊決定。",
        "第一個是 float32、後面有 float64 時，結果應該是 float64：每個區塊都是 float32，才會是 float32。",
        hint="你的結果的 dtype 是從哪個區塊來的？",
    ),
)
def first_dtype(ref, blocks):
    m, d = fold(blocks, merge)
    kind = np.float32 if single([next(iter(blocks))]) else np.float64
    return m.astype(kind), d.astype(kind)


@variant("efficient.online_softmax/first-dtype")
def _(ref, blocks):
    both = by_row(blocks, right_row)
    return tuple(np.array(each, dtype="f4" if np.asarray(blocks[0]).dtype == "f4" else "f8") for each in both)


@about_online(
    "efficient.online_softmax/none-for-none",
    en=Explained(
        "Without any block you return something.",
        "How many rows there are is known from the blocks alone, so with none there is no right shape to return: raise ValueError.",
        hint="Follow your code for blocks = []. What are m and d after the loop?",
    ),
    zh_tw=Explained(
        "一個區塊都沒有時，你還是回傳了東西。",
        "有幾個橫列，只有看了區塊才知道；一個都沒有，就沒有正確的形狀可以回傳：請引發 ValueError。",
        hint="用 blocks = [] 走一遍你的程式：迴圈之後 m 和 d 是什麼？",
    ),
)
def none_for_none(ref, blocks):
    if not len(blocks):
        return np.full(1, -np.inf), np.zeros(1)
    return fold(blocks, merge)


@variant("efficient.online_softmax/none-for-none")
def _(ref, blocks):
    return by_row([[], *blocks] if len(blocks) == 0 else blocks, right_row)


@about_online(
    "efficient.online_softmax/rows-stretched",
    en=Explained(
        "You accept blocks with different rows.",
        "Where one block has a single row and another has five, broadcasting repeats the one. What is most likely a mistake of the caller then gives numbers instead of an error.",
        hint="Compare the shape of each block, without its last axis, with that of the first.",
    ),
    zh_tw=Explained(
        "橫列不同的區塊，你也接受了。",
        "一個區塊只有一個橫列、另一個有五個時，廣播會把那一個重複。呼叫者很可能寫錯了，卻得到一堆數字而不是錯誤訊息。",
        hint="把每個區塊的 shape 去掉最後一軸，和第一個區塊比一比。",
    ),
)
def rows_stretched(ref, blocks):
    arrays = [np.asarray(block, dtype=np.float64) for block in blocks]
    if not arrays:
        raise ValueError("no blocks")
    state = np.full((*arrays[0].shape[:-1], 1), -np.inf), np.zeros((*arrays[0].shape[:-1], 1))
    for S in arrays:
        state = merge(*state, S)
    kind = np.float32 if single(blocks) else np.float64
    return tuple(each.astype(kind) for each in state)


@variant("efficient.online_softmax/rows-stretched")
def _(ref, blocks):
    if not len(blocks):
        raise ValueError("at least one")
    rows = np.broadcast_shapes(*(np.shape(block)[:-1] for block in blocks))
    return by_row([np.broadcast_to(block, (*rows, np.shape(block)[-1])) for block in blocks], right_row)


@about_online("efficient.online_softmax/blocks-changed", en=IN_PLACE["en"], zh_tw=IN_PLACE["zh_tw"])
def blocks_changed(ref, blocks):
    both = fold(blocks, merge)
    for block in blocks:
        if block.dtype.kind == "f" and block.size:
            np.subtract(block, ground(top(block)), out=block)
    return both


@variant("efficient.online_softmax/blocks-changed")
def _(ref, blocks):
    both = by_row(blocks, right_row)
    for block in blocks:
        if block.dtype.kind == "f":
            for index in np.ndindex(block.shape[:-1]):
                m = highest(block[index].tolist())
                block[index] = [score - (m if m > -math.inf else 0.0) for score in block[index]]
    return both
