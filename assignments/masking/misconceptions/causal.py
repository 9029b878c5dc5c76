"""What goes wrong in the exercise masking.causal."""

from __future__ import annotations

import math

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
    _keys,
    _table,
    causal,
)


@causal(
    "masking.causal/upper-triangle",
    en=Explained(
        "Your mask lets a token see itself and everything after it.",
        "The True entries fill the upper triangle: the first token looks at the whole sequence, the last one only at "
        "itself. A model trained so reads the very word that it should predict.",
        hint="Rows are queries, columns are keys. Write row 0 by hand: which keys exist when the first token is read?",
    ),
    zh_tw=Explained(
        "你的遮罩讓詞元看到自己和它後面的一切。",
        "True 填滿了上三角：第一個詞元看得到整個序列，最後一個卻只看得到自己。這樣訓練出來的模型會直接讀到它該預測的字。",
        hint="橫列（row）是查詢，直行（column）是鍵。先手寫第 0 個橫列：讀到第一個詞元時，已經有哪些鍵？",
    ),
)
def upper_triangle(ref, T_q, T_k=None):
    T_k = _keys(T_q, T_k)
    return np.triu(np.ones((T_q, T_k), dtype=bool), k=T_k - T_q)


@variant("masking.causal/upper-triangle")
def upper_triangle_by_comparison(ref, T_q, T_k=None):
    T_k = _keys(T_q, T_k)
    return _table([[j >= i + T_k - T_q for j in range(T_k)] for i in range(T_q)], T_q, T_k)


@causal(
    "masking.causal/no-self",
    en=Explained(
        "In your mask a token does not see itself.",
        "The diagonal is False. Every token loses its own content, and the first has nothing at all to attend to, so a "
        "plain softmax gives NaN there.",
        hint="In row i, where does the last True stand? It should stand at the query's own position.",
    ),
    zh_tw=Explained(
        "你的遮罩裡，詞元看不到自己。",
        "對角線是 False。每個詞元都少了自己的內容，第一個詞元更是無處可注意，一般的 softmax 在那裡會得到 NaN。",
        hint="第 i 個橫列的最後一個 True 在哪裡？它應該在查詢自己的位置上。",
    ),
)
def no_self(ref, T_q, T_k=None):
    T_k = _keys(T_q, T_k)
    return np.tri(T_q, T_k, k=T_k - T_q - 1, dtype=bool)


@variant("masking.causal/no-self")
def no_self_by_rows(ref, T_q, T_k=None):
    T_k = _keys(T_q, T_k)
    mask = np.zeros((T_q, T_k), dtype=bool)
    for i in range(T_q):
        mask[i, : T_k - T_q + i] = True
    return mask


@causal(
    "masking.causal/sees-next",
    en=Explained(
        "Each token sees one position too far: the next token.",
        "The diagonal above the main one is True as well. The next token is exactly what a position must predict, so "
        "the training loss falls to almost nothing and the model has learned to copy.",
        hint="Count the True entries of the first row of a square mask. How many keys may the first token see?",
    ),
    zh_tw=Explained(
        "每個詞元都多看了一格：看到了下一個詞元。",
        "主對角線上方的那條對角線也是 True。下一個詞元正是該位置要預測的答案，訓練損失會掉到幾乎為零，而模型只學會了抄。",
        hint="數一數方形遮罩第一個橫列有幾個 True。第一個詞元可以看到幾個鍵？",
    ),
)
def sees_next(ref, T_q, T_k=None):
    T_k = _keys(T_q, T_k)
    return np.tril(np.ones((T_q, T_k), dtype=bool), k=T_k - T_q + 1)


@variant("masking.causal/sees-next")
def sees_next_by_positions(ref, T_q, T_k=None):
    T_k = _keys(T_q, T_k)
    queries = list(range(T_k - T_q, T_k))
    return _table([[key - 1 <= query for key in range(T_k)] for query in queries], T_q, T_k)


@causal(
    "masking.causal/inverted",
    en=Explained(
        "Your mask is True where attention is forbidden.",
        INVERTED_WHY,
        hint="Read again what True means, then look at row 0 of your mask: what does it allow?",
    ),
    zh_tw=Explained(
        "你的遮罩在禁止注意的地方才是 True。",
        INVERTED_WHY_ZH,
        hint="再讀一次 True 的意思，然後看你遮罩的第 0 個橫列：它允許了什麼？",
    ),
)
def causal_inverted(ref, T_q, T_k=None):
    T_k = _keys(T_q, T_k)
    return ~np.tri(T_q, T_k, k=T_k - T_q, dtype=bool)


@variant("masking.causal/inverted")
def causal_inverted_by_positions(ref, T_q, T_k=None):
    T_k = _keys(T_q, T_k)
    return np.arange(T_k)[None, :] > np.arange(T_k - T_q, T_k)[:, None]


@causal(
    "masking.causal/additive",
    en=Explained(
        "You returned numbers to add to the scores, not a mask of True and False.",
        "0 for allowed and -inf for forbidden is what is added to the scores later. Read as truth values, 0 is False "
        "and -inf is True: whoever uses it as a mask gets the opposite of what you meant.",
        hint="Putting the -inf in is another exercise's work. What does this function have to tell it?",
    ),
    zh_tw=Explained(
        "你回傳的是要加到分數上的數字，不是 True 與 False 的遮罩。",
        "允許為 0、禁止為 -inf，那是之後才加到分數上的東西。當成真假值來讀，0 是 False、-inf 是 True：拿它當遮罩的人會得到完全相反的結果。",
        hint="把 -inf 放進去是另一題的工作。這個函式該告訴它什麼？",
    ),
)
def causal_additive(ref, T_q, T_k=None):
    T_k = _keys(T_q, T_k)
    return np.where(np.tri(T_q, T_k, k=T_k - T_q, dtype=bool), 0.0, -np.inf)


@variant("masking.causal/additive")
def causal_additive_by_loop(ref, T_q, T_k=None):
    T_k = _keys(T_q, T_k)
    added = np.zeros((T_q, T_k))
    for i in range(T_q):
        for j in range(T_k):
            if j - i > T_k - T_q:
                added[i, j] = -math.inf
    return added


@causal(
    "masking.causal/top-left",
    en=Explained(
        "With more keys than queries, you took the queries for the first positions.",
        "The queries are the last T_q positions; the keys before them lie in a cache. Aligned at the top left, a single "
        "new query sees key 0 only and forgets all it has read.",
        hint="Take T_q = 1 and T_k = 4. At which of the four positions does the one query stand?",
    ),
    zh_tw=Explained(
        "鍵比查詢多時，你把查詢當成了最前面的位置。",
        "查詢是最後 T_q 個位置，它們之前的鍵存在快取裡。對齊左上角的話，新來的單一查詢只看得到第 0 個鍵，讀過的全忘了。",
        hint="取 T_q = 1、T_k = 4。這一個查詢站在四個位置中的哪一個？",
    ),
)
def top_left(ref, T_q, T_k=None):
    return np.tri(T_q, _keys(T_q, T_k), dtype=bool)


@variant("masking.causal/top-left")
def top_left_by_loop(ref, T_q, T_k=None):
    T_k = _keys(T_q, T_k)
    return _table([[query >= key for key in range(T_k)] for query in range(T_q)], T_q, T_k)


@causal(
    "masking.causal/wrong-shift",
    en=Explained(
        "With more keys than queries, you shifted the triangle the wrong way.",
        "The diagonal moves to the left instead of to the right: the first queries see nothing, and the last one misses "
        "the newest keys.",
        hint="Look at the last row for 2 queries and 5 keys. The last query stands at the last position: what must it "
        "see?",
    ),
    zh_tw=Explained(
        "鍵比查詢多時，你把三角形移錯了方向。",
        "對角線往左移，而不是往右移：前面的查詢什麼也看不到，最後一個查詢看不到最新的鍵。",
        hint="看 2 個查詢、5 個鍵時的最後一個橫列。最後一個查詢站在最後的位置：它必須看到什麼？",
    ),
)
def wrong_shift(ref, T_q, T_k=None):
    T_k = _keys(T_q, T_k)
    return np.tri(T_q, T_k, k=T_q - T_k, dtype=bool)


@variant("masking.causal/wrong-shift")
def wrong_shift_by_positions(ref, T_q, T_k=None):
    T_k = _keys(T_q, T_k)
    return np.arange(T_q)[:, None] - (T_k - T_q) >= np.arange(T_k)


@causal(
    "masking.causal/axes-swapped",
    en=Explained(
        "Your mask has the keys in its rows and the queries in its columns.",
        "Its shape is [T_k, T_q], but scores are [T_q, T_k]. While both are equal nobody notices; with a cache the mask "
        "does not fit the scores.",
        hint="Print the shape for 2 queries and 5 keys.",
    ),
    zh_tw=Explained(
        "你的遮罩把鍵放在橫列、把查詢放在直行。",
        "它的形狀是 [T_k, T_q]，分數卻是 [T_q, T_k]。兩者一樣大時沒人會發現；一有快取，遮罩就對不上分數。",
        hint="印出 2 個查詢、5 個鍵時的形狀。",
    ),
)
def axes_swapped(ref, T_q, T_k=None):
    return np.tri(_keys(T_q, T_k), T_q, dtype=bool)


@variant("masking.causal/axes-swapped")
def axes_swapped_by_comparison(ref, T_q, T_k=None):
    return np.arange(_keys(T_q, T_k))[:, None] >= np.arange(T_q)


@causal(
    "masking.causal/keys-ignored",
    en=Explained(
        "You do not use T_k.",
        "The mask is [T_q, T_q] whatever the number of keys. With keys in a cache it has too few columns for the scores.",
        hint="Where in your function does T_k appear?",
    ),
    zh_tw=Explained(
        "你沒有用到 T_k。",
        "不論有幾個鍵，遮罩都是 [T_q, T_q]。快取裡有鍵時，它的直行數比分數少。",
        hint="在你的函式裡，T_k 出現在哪裡？",
    ),
)
def keys_ignored(ref, T_q, T_k=None):
    _keys(T_q, T_k)
    return np.tri(T_q, dtype=bool)


@variant("masking.causal/keys-ignored")
def keys_ignored_by_cumulation(ref, T_q, T_k=None):
    _keys(T_q, T_k)
    return np.cumsum(np.eye(T_q, dtype=int), axis=0) > 0


@causal(
    "masking.causal/cache-hidden",
    en=Explained(
        "Your queries cannot see the keys that were there before them.",
        "Only the last T_q columns are open. The keys in front of the first query were read earlier, so every query may "
        "attend to them; hiding them throws the context away.",
        hint="For 2 queries and 5 keys, what should the first three columns be?",
    ),
    zh_tw=Explained(
        "你的查詢看不到在它們之前就存在的鍵。",
        "只有最後 T_q 個直行是開放的。第一個查詢之前的鍵早就讀過了，每個查詢都可以注意；把它們遮住，等於丟掉上下文。",
        hint="2 個查詢、5 個鍵時，前三個直行應該是什麼？",
    ),
)
def cache_hidden(ref, T_q, T_k=None):
    T_k = _keys(T_q, T_k)
    return np.hstack([np.zeros((T_q, T_k - T_q), dtype=bool), np.tri(T_q, dtype=bool)])


@variant("masking.causal/cache-hidden")
def cache_hidden_by_loop(ref, T_q, T_k=None):
    T_k = _keys(T_q, T_k)
    past = T_k - T_q
    return _table([[past <= key <= past + i for key in range(T_k)] for i in range(T_q)], T_q, T_k)


@causal(
    "masking.causal/cache-unmasked",
    en=Explained(
        "You mask nothing as soon as there are more keys than queries.",
        "With one new query all True is right, which is why this seems to work when generating token by token. With two "
        "or more new queries, the first of them sees those that come after it.",
        hint="Two new queries after three cached keys: may the first of the two see the second?",
    ),
    zh_tw=Explained(
        "只要鍵比查詢多，你就什麼也不遮。",
        "只有一個新查詢時，全部為 True 是對的，所以逐字生成時看起來沒問題。一次有兩個以上的新查詢時，前面的就會看到後面的。",
        hint="快取三個鍵之後來了兩個新查詢：第一個可以看到第二個嗎？",
    ),
)
def cache_unmasked(ref, T_q, T_k=None):
    T_k = _keys(T_q, T_k)
    return np.tri(T_q, dtype=bool) if T_k == T_q else np.ones((T_q, T_k), dtype=bool)


@variant("masking.causal/cache-unmasked")
def cache_unmasked_by_comparison(ref, T_q, T_k=None):
    T_k = _keys(T_q, T_k)
    return _table([[j <= i or T_k > T_q for j in range(T_k)] for i in range(T_q)], T_q, T_k)


@causal(
    "masking.causal/default-missing",
    en=Explained(
        "Your function fails when T_k is left out.",
        "T_k is None then, and one cannot calculate with None. Left out, there are as many keys as queries.",
        hint="Call it with one argument and read the error. What should T_k be at that line?",
    ),
    zh_tw=Explained(
        "省略 T_k 時，你的函式會出錯。",
        "這時 T_k 是 None，而 None 不能拿來計算。省略時，鍵和查詢一樣多。",
        hint="只給一個引數呼叫看看，讀一讀錯誤訊息。在那個敘述裡，T_k 應該是多少？",
    ),
)
def default_missing(ref, T_q, T_k=None):
    _count(T_q)
    if T_k < T_q:
        raise ValueError("too few keys")
    return np.tri(T_q, T_k, k=T_k - T_q, dtype=bool)


@variant("masking.causal/default-missing")
def default_missing_by_loop(ref, T_q, T_k=None):
    _count(T_q)
    rows = [[key <= query for key in range(T_k)] for query in range(T_k - T_q, T_k)]
    if T_k < T_q:
        raise ValueError("too few keys")
    return _table(rows, T_q, T_k)


@causal(
    "masking.causal/equal-refused",
    en=Explained(
        "You refuse as many keys as queries.",
        "That is the ordinary case without a cache. Only fewer keys than queries are impossible.",
        hint="Look at the comparison in your check: what does it say when both numbers are equal?",
    ),
    zh_tw=Explained(
        "鍵和查詢一樣多時，你就拒絕了。",
        "那正是沒有快取的一般情形。只有鍵比查詢少才不可能。",
        hint="看看檢查裡的比較式：兩個數字相等時，它怎麼說？",
    ),
)
def equal_refused(ref, T_q, T_k=None):
    _count(T_q)
    T_k = T_q if T_k is None else T_k
    if T_k <= T_q:
        raise ValueError("too few keys")
    return np.tri(T_q, T_k, k=T_k - T_q, dtype=bool)


@variant("masking.causal/equal-refused")
def equal_refused_by_comparison(ref, T_q, T_k=None):
    _count(T_q)
    past = (T_q if T_k is None else T_k) - T_q
    if not past > 0:
        raise ValueError("no keys to look back at")
    return np.arange(past, past + T_q)[:, None] >= np.arange(past + T_q)


@causal("masking.causal/integers", **INTEGERS)
def causal_integers(ref, T_q, T_k=None):
    T_k = _keys(T_q, T_k)
    return np.tri(T_q, T_k, k=T_k - T_q, dtype=np.int64)


@variant("masking.causal/integers")
def causal_integers_by_loop(ref, T_q, T_k=None):
    T_k = _keys(T_q, T_k)
    return _table([[j <= i for j in range(T_k)] for i in range(T_k - T_q, T_k)], T_q, T_k).astype(np.int64)


@causal("masking.causal/floats", **FLOATS)
def causal_floats(ref, T_q, T_k=None):
    T_k = _keys(T_q, T_k)
    return np.tril(np.ones((T_q, T_k)), k=T_k - T_q)


@variant("masking.causal/floats")
def causal_floats_by_rows(ref, T_q, T_k=None):
    T_k = _keys(T_q, T_k)
    mask = np.zeros((T_q, T_k))
    for i in range(T_q):
        mask[i, : i + 1 + T_k - T_q] = 1
    return mask


@causal(
    "masking.causal/too-few-keys",
    en=Explained(
        "You accept fewer keys than queries.",
        "The queries are among the keys' positions, so that cannot be. The mask you return has rows that see nothing, "
        "and the mistake surfaces far away as NaN.",
        hint="Which arguments does the docstring say must raise?",
    ),
    zh_tw=Explained(
        "你接受了比查詢還少的鍵。",
        "查詢本來就在鍵的位置之中，這不可能發生。你回傳的遮罩有幾個橫列什麼都看不到，錯誤要到很遠的地方才以 NaN 現身。",
        hint="docstring 說哪些引數必須引發例外？",
    ),
)
def too_few_keys(ref, T_q, T_k=None):
    _count(T_q)
    T_k = T_q if T_k is None else T_k
    return np.tri(T_q, T_k, k=T_k - T_q, dtype=bool)


@variant("masking.causal/too-few-keys")
def too_few_keys_by_comparison(ref, T_q, T_k=None):
    _count(T_q)
    n = T_q if T_k is None else T_k
    return np.arange(n) <= np.arange(n - T_q, n)[:, np.newaxis]


@causal(
    "masking.causal/zero-keys",
    en=Explained(
        "You take T_k = 0 for a T_k that was left out.",
        "0 counts as false in Python, so a test for truth cannot tell it from None. No keys for some queries is an "
        "error, not the default.",
        hint="How do you find out that T_k was left out? Try the same question with 0.",
    ),
    zh_tw=Explained(
        "你把 T_k = 0 當成了省略 T_k。",
        "在 Python 裡 0 也算假，只看真假分不出 0 和 None。有查詢卻沒有鍵是錯誤，不是預設情形。",
        hint="你怎麼判斷 T_k 被省略了？拿 0 來問同一個問題看看。",
    ),
)
def zero_keys(ref, T_q, T_k=None):
    T_k = T_k or T_q
    return np.tri(T_q, _keys(T_q, T_k), k=T_k - T_q, dtype=bool)


@variant("masking.causal/zero-keys")
def zero_keys_by_loop(ref, T_q, T_k=None):
    if not T_k:
        T_k = T_q
    T_k = _keys(T_q, T_k)
    return _table([[j <= i + T_k - T_q for j in range(T_k)] for i in range(T_q)], T_q, T_k)


@causal("masking.causal/asserts", **ASSERTS)
def causal_asserts(ref, T_q, T_k=None):
    _count(T_q)
    T_k = T_q if T_k is None else T_k
    assert T_k >= T_q, "too few keys"
    return np.tri(T_q, T_k, k=T_k - T_q, dtype=bool)


@variant("masking.causal/asserts")
def causal_asserts_by_comparison(ref, T_q, T_k=None):
    _count(T_q)
    past = 0 if T_k is None else T_k - T_q
    if past < 0:
        raise AssertionError
    return np.arange(past + T_q) <= np.arange(T_q)[:, None] + past


@causal("masking.causal/negative-accepted", **NEGATIVE)
def negative_accepted(ref, T_q, T_k=None):
    T_k = T_q if T_k is None else T_k
    if T_k < T_q:
        raise ValueError("too few keys")
    return np.tri(T_q, T_k, k=T_k - T_q, dtype=bool)


@variant("masking.causal/negative-accepted")
def negative_accepted_by_comparison(ref, T_q, T_k=None):
    past = 0 if T_k is None else T_k - T_q
    if past < 0:
        raise ValueError("too few keys")
    return np.arange(past + T_q) <= np.arange(T_q)[:, None] + past
