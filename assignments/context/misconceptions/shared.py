"""What the mistakes share: the parts that they get right, and words for mistakes that several exercises may hold."""

from __future__ import annotations

import math
from functools import partial
from itertools import pairwise

import numpy as np

from grader.testing import Explained, misconception

about_average = partial(misconception, name="average_context")
about_causal = partial(misconception, name="causal_average")
about_weights = partial(misconception, name="average_weights")
about_counts = partial(misconception, name="bigram_counts")
about_probs = partial(misconception, name="bigram_probs")
about_perplexity = partial(misconception, name="bigram_perplexity")


# What the mistakes share: the parts that they get right.


def matrix(ref, X):
    """X as floats, once it is known to be [T, d]."""
    ref.require_shapes("T d", X)
    return np.asarray(X, dtype=ref.computing_dtype(X))


def some_rows(ref, X):
    """X as floats, with at least one row."""
    X = matrix(ref, X)
    if len(X) == 0:
        raise ValueError("there is no position to average")
    return X


def by_column(X, rule):
    """[d]: the rule turns the list of a column into a number."""
    return np.array([rule(column) for column in X.T.tolist()], dtype=X.dtype)


def filled(X, rule):
    """[T, d]: the rule gives row t."""
    out = np.zeros_like(X)
    for t in range(len(X)):
        out[t] = rule(t)
    return out


def steps(T):
    """[T, 1]: 1, 2, ..., T."""
    return np.arange(1, T + 1).reshape(T, 1)


def some_size(T):
    """T, once it is known not to be negative."""
    if T < 0:
        raise ValueError("a negative number of positions")
    return T


def listed(T, rule):
    """[T, T]: the rule gives entry [t, s]."""
    some_size(T)
    return np.array([[rule(t, s) for s in range(T)] for t in range(T)], dtype=np.float64).reshape(T, T)


def row_shares(E):
    """Each row divided by its sum."""
    return E / E.sum(axis=-1, keepdims=True)


def ids(ref, tokens, V):
    """The tokens as a list, once each is known to be one of V."""
    ref.require_tokens(tokens, V)
    return tokens.tolist()


def tally(pairs, V):
    """The right counts of some pairs, [V, V]."""
    counts = np.zeros((V, V), dtype=np.int64)
    for i, j in pairs:
        counts[i, j] += 1
    return counts


def tallied(before, after, V):
    """The same of two arrays."""
    flat = np.asarray(before, dtype=np.int64) * V + np.asarray(after, dtype=np.int64)
    return np.bincount(flat, minlength=V * V).reshape(V, V).astype(np.int64)


def neighbours(tokens):
    """The right pairs of a list."""
    return list(pairwise(tokens))


def table(ref, counts, alpha):
    """The counts as floats, once they and alpha are known to be in order."""
    ref.require_shapes("V V", counts)
    if alpha < 0 or (counts < 0).any():
        raise ValueError("below zero")
    return np.asarray(counts, dtype=ref.computing_dtype(counts))


def or_uniform(C, alpha, P):
    """P, with the right rows where there is neither a count nor an alpha, in the dtype of the counts."""
    nothing = (C.sum(axis=1, keepdims=True) == 0) & (alpha == 0)
    return np.where(nothing, 1 / len(C), P).astype(C.dtype)


def smoothed(C, alpha):
    """The right probabilities."""
    return or_uniform(C, alpha, (C + alpha) / (C.sum(axis=1, keepdims=True) + alpha * len(C)))


def by_row(C, alpha, rule):
    """Probabilities a row at a time: the rule turns the list of a row's counts into its probabilities."""
    V = len(C)
    rows = [rule(row) if sum(row) or alpha else [1 / V] * V for row in C.tolist()]
    return np.array(rows, dtype=C.dtype)


def ratio(above, below):
    """A quotient as NumPy has it, where Python would raise."""
    return float(np.float64(above) / np.float64(below))


def text_of(ref, probs, tokens):
    """Probabilities in float64 and tokens as an array, once they fit and there is a pair."""
    ref.require_shapes("V V", probs)
    ref.require_tokens(tokens, len(probs))
    if len(tokens) < 2:
        raise ValueError("there is no pair")
    return np.asarray(probs, dtype=np.float64), np.asarray(tokens)


def followed(ref, probs, tokens):
    """The probability of each pair, [T - 1], in float64."""
    P, tokens = text_of(ref, probs, tokens)
    return P[tokens[:-1], tokens[1:]]


def listed_pairs(ref, probs, tokens):
    """The same as a list."""
    P, tokens = text_of(ref, probs, tokens)
    return [float(P[i, j]) for i, j in neighbours(tokens.tolist())]


def log(p):
    """The logarithm of a number, -inf for 0."""
    return math.log(p) if p > 0 else -math.inf


def mean(numbers):
    """The mean of a list, NaN where it is empty."""
    return math.fsum(numbers) / len(numbers) if numbers else math.nan


def exp(x):
    """The power of e, inf where it is too large to hold."""
    return float(np.exp(np.float64(x)))


def totals(C):
    """[V, 1]: what each row sums to."""
    return C.sum(axis=1, keepdims=True)


def right_row(alpha):
    """The right rule for `by_row`."""
    return lambda row: [(count + alpha) / (sum(row) + alpha * len(row)) for count in row]


def of_pairs(p):
    """The right perplexity of an array of probabilities."""
    return float(np.exp(-np.log(p).mean()))


def of_list(p):
    """The same of a list."""
    return exp(-mean([log(each) for each in p]))


# Explanations of mistakes that can be made in several exercises.

WIDENED = {
    "en": Explained(
        "Your result is float64 although the input is float32.",
        "Its extra digits were never in the input, and in a network one such result makes everything after it twice as "
        "large: float32 in, float32 out.",
        hint="Look for a float64 that takes part in the arithmetic: an array of integers in a division makes one.",
    ),
    "zh_tw": Explained(
        "輸入是 float32，你的結果卻變成 float64。",
        "多出來的位數本來就不在輸入裡；在網路中，這樣的結果會讓後面的一切都占兩倍記憶體。規則是 float32 進、float32 出。",
        hint="找找看算式裡混進了哪個 float64：拿整數陣列來做除法就會產生一個。",
    ),
}
KEPT_HALF = {
    "en": Explained(
        "You gave float16 back, or computed in it.",
        "float16 has three digits and ends at 65504: long sums lose their last digits and large ones overflow. Every "
        "dtype but float32 is computed in float64.",
        hint="Which dtype does your array have at the moment it is summed?",
    ),
    "zh_tw": Explained(
        "你回傳了 float16，或用 float16 計算。",
        "float16 只有三位有效數字，最大到 65504：加很多項會丟掉尾數，大的數會溢位。除了 float32，其他型別一律以 float64 計算。",
        hint="相加的那一刻，你的陣列是哪一種 dtype？",
    ),
}
TRUNCATED = {
    "en": Explained(
        "You put the result into an array of integers.",
        "An array made like the input has the input's dtype. Where that is an integer one, everything behind the decimal "
        "point is cut off, without a warning.",
        hint="Which dtype has the array that you fill? Is there a // where / was meant?",
    ),
    "zh_tw": Explained(
        "你把結果放進了整數陣列。",
        "照著輸入建立的陣列，dtype 也和輸入相同。如果那是整數，小數點後的部分會全部被截掉，而且沒有警告。",
        hint="你填值的那個陣列是哪一種 dtype？是不是該用 / 的地方寫成了 //？",
    ),
}
WRAPPED = {
    "en": Explained(
        "You calculated in the small integer type of the input, and it wrapped around.",
        "int8 ends at 127: 100 + 100 in it is -56. Nothing warns, and the result looks like any other number.",
        hint="Which dtype do your numbers have at the moment they are added or multiplied?",
    ),
    "zh_tw": Explained(
        "你用輸入的小整數型別計算，結果繞了回去。",
        "int8 最大到 127：在 int8 裡 100 + 100 等於 -56。沒有任何警告，看起來也像一般的數。",
        hint="相加或相乘的那一刻，你的數是哪一種 dtype？",
    ),
}
IN_PLACE = {
    "en": Explained(
        "You changed one of your arguments.",
        "The caller's array is the same object as yours. The result is right this once, but whoever uses that array "
        "again computes with other numbers.",
        hint="Look for `+=`, `/=`, `*=`, `out=` and assignments into what you were given.",
    ),
    "zh_tw": Explained(
        "你改動了傳進來的引數。",
        "呼叫端的陣列和你手上的是同一個物件。這一次的結果是對的，但之後再用到那個陣列的人，拿到的已經是別的數。",
        hint="找找看 `+=`、`/=`、`*=`、`out=`，或寫入引數的地方。",
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
VECTOR = {
    "en": Explained(
        "You accept a vector where a matrix was asked for.",
        "Is a vector of n numbers one position of width n, or n positions of width 1? Your function picks one without a "
        "word, and the caller may have meant the other.",
        hint="What does your function do with X of shape (7,)? The given require_shapes can ask.",
    ),
    "zh_tw": Explained(
        "該給矩陣的地方，你讓向量也通過了。",
        "n 個數的向量，是一個寬度 n 的位置，還是 n 個寬度 1 的位置？你的函式默默選了一種，呼叫端想的可能是另一種。",
        hint="X 的形狀是 (7,) 時，你的函式會怎麼做？可以用現成的 require_shapes 檢查。",
    ),
}
BATCH = {
    "en": Explained(
        "You accept a batch and average over the wrong axis of it.",
        "In [B, T, d] axis 0 counts the sequences. Averaged over it, sequences that have nothing to do with each other "
        "are mixed, and no error tells.",
        hint="What does your function do with X of shape (2, 7, 3)? The given require_shapes can ask.",
    ),
    "zh_tw": Explained(
        "你讓批次也通過了，還沿著錯的軸平均。",
        "在 [B, T, d] 裡，第 0 軸數的是序列。沿著它平均，會把毫不相干的序列混在一起，也不會報錯。",
        hint="X 的形狀是 (2, 7, 3) 時，你的函式會怎麼做？可以用現成的 require_shapes 檢查。",
    ),
}
NEGATIVE_ID = {
    "en": Explained(
        "You accept a negative id.",
        "As an index -1 is the last one, so the last token of the vocabulary is meant without anyone having said so.",
        hint="What does your function do with the id -1? Both ends of the range need a check.",
    ),
    "zh_tw": Explained(
        "你接受了負的編號。",
        "當索引時，-1 指的是最後一個，於是沒有人說，卻變成了詞彙表的最後一個詞元。",
        hint="編號是 -1 時，你的函式會怎麼做？範圍的兩端都要檢查。",
    ),
}
CLIPPED_ID = {
    "en": Explained(
        "You turn an id beyond the vocabulary into the last one.",
        "Cut down to the vocabulary, an unknown token counts as a known one. It usually means that text and model have "
        "different vocabularies, and your function hides that.",
        hint="What does your function do with the id V?",
    ),
    "zh_tw": Explained(
        "超出詞彙表的編號，你當成了最後一個。",
        "把編號壓回詞彙表內，不認識的詞元就被算成認識的。這通常表示文字和模型用的詞彙表不同，你的函式卻把它蓋了過去。",
        hint="編號是 V 時，你的函式會怎麼做？",
    ),
}
FLATTENED = {
    "en": Explained(
        "You accept a batch of texts and read it as one.",
        "Laid end to end, the last token of a text is followed by the first of the next: a pair that nobody wrote.",
        hint="What does your function do with tokens of shape (2, 21)? The given require_tokens can ask.",
    ),
    "zh_tw": Explained(
        "你讓一批文字也通過了，還把它讀成一段。",
        "首尾相接之後，一段文字的最後一個詞元後面，接的是下一段的第一個：這是沒有人寫過的一對。",
        hint="tokens 的形狀是 (2, 21) 時，你的函式會怎麼做？可以用現成的 require_tokens 檢查。",
    ),
}
