"""What goes wrong in the exercise positions.sinusoidal."""

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    ALWAYS_FLOAT32,
    ASSERTS,
    BASE_DEFAULT,
    BASE_IGNORED,
    BASE_UNCHECKED,
    DOUBLED,
    GROWING,
    HALVED,
    INTEGER_DIVISION,
    LAST_PAIR,
    ODD_ACCEPTED,
    REVERSED,
    _count,
    _positive,
    _sizes,
    _table,
    _width,
    _woven,
    sinusoidal,
)


def _waves(angles):
    return _woven(np.sin(angles), np.cos(angles))


def _wave(angle, c):
    return math.cos(angle) if c % 2 else math.sin(angle)


@sinusoidal(
    "positions.sinusoidal/starts-at-1",
    en=Explained(
        "You count positions from 1.",
        "Position 0 turns nothing, so its row is 0, 1, 0, 1, ...: sines of 0 and cosines of 0. In yours every row is the one "
        "that belongs to the next position.",
        hint="What are sin(0) and cos(0)? Compare with your first row.",
    ),
    zh_tw=Explained(
        "你的位置從 1 數起。",
        "位置 0 的角度都是 0，所以它的橫列是 0, 1, 0, 1, …：0 的正弦和 0 的餘弦。你的每個橫列都是下一個位置的。",
        hint="sin(0) 和 cos(0) 是多少？和你的第一個橫列比一比。",
    ),
)
def starts_at_1(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return _waves(np.arange(1, T + 1)[:, None] / base ** (np.arange(0, d_model, 2) / d_model))


@variant("positions.sinusoidal/starts-at-1")
def starts_at_1_by_loop(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return _table(T, d_model, lambda p, c: _wave((p + 1) / base ** (2 * (c // 2) / d_model), c))


@sinusoidal(
    "positions.sinusoidal/exponent-per-column",
    en=Explained(
        "You put the column's number where the formula has the number of the pair.",
        "In 2i, i counts pairs: columns 2i and 2i+1 share one frequency. With 2 times the column, the two neighbours turn at "
        "different speeds, and the exponents run to 2 instead of 1.",
        hint="Which columns make up pair 1? What is i for both of them?",
    ),
    zh_tw=Explained(
        "公式裡該放「第幾對」的地方，你放了直行的編號。",
        "2i 的 i 數的是對：直行 2i 和 2i+1 共用一個頻率。用直行編號的 2 倍，相鄰兩個直行會轉得不一樣快，指數也會跑到 2 而不是 1。",
        hint="第 1 對由哪兩個直行（column）組成？它們的 i 各是多少？",
    ),
)
def exponent_per_column(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    angles = np.arange(T)[:, None] / base ** (2 * np.arange(d_model) / d_model)
    return np.where(np.arange(d_model) % 2, np.cos(angles), np.sin(angles))


@variant("positions.sinusoidal/exponent-per-column")
def exponent_per_column_by_loop(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return _table(T, d_model, lambda p, c: _wave(p * math.pow(base, -2 * c / d_model), c))


@sinusoidal("positions.sinusoidal/exponent-doubled", **DOUBLED)
def exponent_doubled(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return _waves(np.arange(T)[:, None] / base ** (2 * np.arange(0, d_model, 2) / d_model))


@variant("positions.sinusoidal/exponent-doubled")
def exponent_doubled_by_loop(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    pairs = d_model // 2
    return _table(T, d_model, lambda p, c: _wave(p * base ** -(2 * (c // 2) / pairs), c))


@sinusoidal("positions.sinusoidal/exponent-halved", **HALVED)
def exponent_halved(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return _waves(np.arange(T)[:, None] / base ** (np.arange(d_model // 2) / d_model))


@variant("positions.sinusoidal/exponent-halved")
def exponent_halved_by_loop(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return _table(T, d_model, lambda p, c: _wave(p * math.exp(-math.log(base) * (c // 2) / d_model), c))


@sinusoidal(
    "positions.sinusoidal/cosine-of-its-own",
    en=Explained(
        "Your cosines have frequencies of their own.",
        "A sine and the cosine beside it belong to one angle; only together do they say where on the circle a position stands. "
        "You took the exponent (2i+1)/d for the odd columns, as arange(1, d, 2) gives it.",
        hint="Square a column and its neighbour and add them up. The sum should be 1 in every row.",
    ),
    zh_tw=Explained(
        "你的餘弦用的是另一組頻率。",
        "正弦和旁邊的餘弦屬於同一個角度，兩者合起來才說得出位置在圓上的哪裡。你在奇數直行用了指數 (2i+1)/d，也就是 arange(1, d, 2) 給的。",
        hint="把一個直行和旁邊的直行各自平方再相加。每個橫列的和都應該是 1。",
    ),
)
def cosine_of_its_own(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    p = np.arange(T)[:, None]
    return _woven(
        np.sin(p / base ** (np.arange(0, d_model, 2) / d_model)),
        np.cos(p / base ** (np.arange(1, d_model, 2) / d_model)),
    )


@variant("positions.sinusoidal/cosine-of-its-own")
def cosine_of_its_own_by_loop(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return _table(T, d_model, lambda p, c: _wave(p * base ** (-c / d_model), c))


@sinusoidal("positions.sinusoidal/growing", **GROWING)
def growing(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return _waves(np.arange(T)[:, None] * base ** (np.arange(0, d_model, 2) / d_model))


@variant("positions.sinusoidal/growing")
def growing_by_loop(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return _table(T, d_model, lambda p, c: _wave(p / base ** -((c - c % 2) / d_model), c))


@sinusoidal("positions.sinusoidal/integer-division", **INTEGER_DIVISION)
def integer_division(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return _waves(np.arange(T)[:, None] / base ** (np.arange(0, d_model, 2) // d_model))


@variant("positions.sinusoidal/integer-division")
def integer_division_by_loop(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return _table(T, d_model, lambda p, c: _wave(p / base ** int(2 * (c // 2) / d_model), c))


@sinusoidal("positions.sinusoidal/last-pair", **LAST_PAIR)
def last_pair(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return _waves(np.arange(T)[:, None] * base ** -np.linspace(0, 1, d_model // 2))


@variant("positions.sinusoidal/last-pair")
def last_pair_by_loop(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    step = math.log(base) / max(d_model // 2 - 1, 1)
    return _table(T, d_model, lambda p, c: _wave(p * math.exp(-step * (c // 2)), c))


@sinusoidal(
    "positions.sinusoidal/halves",
    en=Explained(
        "Your table has all sines on the left and all cosines on the right.",
        "They are the right numbers in another order; some libraries store them so. Here a sine and its cosine stand side by "
        "side, in columns 2i and 2i+1.",
        hint="What should the row of position 0 look like: 0, 0, ..., 1, 1 or 0, 1, 0, 1?",
    ),
    zh_tw=Explained(
        "你的表左半邊全是正弦，右半邊全是餘弦。",
        "數字是對的，只是順序不同；有些函式庫就這樣存。在這裡，正弦和它的餘弦並排，放在直行 2i 和 2i+1。",
        hint="位置 0 的橫列應該是 0, 0, …, 1, 1，還是 0, 1, 0, 1？",
    ),
)
def halves(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    angles = np.arange(T)[:, None] / base ** (np.arange(0, d_model, 2) / d_model)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)


@variant("positions.sinusoidal/halves")
def halves_by_loop(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    half = d_model // 2
    return _table(T, d_model, lambda p, c: (math.sin, math.cos)[c // half](p / base ** (2 * (c % half) / d_model)))


@sinusoidal(
    "positions.sinusoidal/sine-second",
    en=Explained(
        "You put the cosine first and the sine second.",
        "Even columns are sines, odd columns cosines. Your row of position 0 is 1, 0, 1, 0 instead of 0, 1, 0, 1.",
        hint="Column 0 is the sine of which angle at position 0?",
    ),
    zh_tw=Explained(
        "你把餘弦放在前面、正弦放在後面。",
        "偶數直行是正弦，奇數直行是餘弦。你的位置 0 是 1, 0, 1, 0，而不是 0, 1, 0, 1。",
        hint="在位置 0，直行 0 是哪個角度的正弦？",
    ),
)
def sine_second(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    angles = np.arange(T)[:, None] / base ** (np.arange(0, d_model, 2) / d_model)
    return _woven(np.cos(angles), np.sin(angles))


@variant("positions.sinusoidal/sine-second")
def sine_second_by_loop(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return _table(T, d_model, lambda p, c: _wave(p / base ** (2 * (c // 2) / d_model), c + 1))


@sinusoidal(
    "positions.sinusoidal/all-sines",
    en=Explained(
        "All of your columns are sines.",
        "A sine alone cannot tell a position from its mirror image: sin(x) = sin(pi - x). The cosine beside it can, and with "
        "both a step of k is the same rotation at every position.",
        hint="What is written in the odd columns of the formula?",
    ),
    zh_tw=Explained(
        "你的直行全是正弦。",
        "只有正弦分不出一個位置和它的鏡像：sin(x) = sin(π - x)。旁邊的餘弦才分得出來，而且兩者齊全時，走 k 步在任何位置都是同一個旋轉。",
        hint="公式裡，奇數直行寫的是什麼？",
    ),
)
def all_sines(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return np.sin(np.arange(T)[:, None] / base ** (np.repeat(np.arange(0, d_model, 2), 2) / d_model))


@variant("positions.sinusoidal/all-sines")
def all_sines_by_loop(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return _table(T, d_model, lambda p, c: math.sin(p * base ** (-2 * (c // 2) / d_model)))


@sinusoidal(
    "positions.sinusoidal/transposed",
    en=Explained(
        "Your table stands on its side: a column for each position.",
        "It is added to embeddings [T, d_model], in which each token is a row. So each position is a row here as well.",
        hint="Print the shape for T = 5 and d_model = 6.",
    ),
    zh_tw=Explained(
        "你的表轉了方向：一個位置一個直行。",
        "它要加到詞元的嵌入 [T, d_model] 上，那裡一個詞元是一個橫列。所以這裡也是一個位置一個橫列。",
        hint="印出 T = 5、d_model = 6 時的形狀。",
    ),
)
def transposed(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return _waves(np.arange(T)[:, None] / base ** (np.arange(0, d_model, 2) / d_model)).T


@variant("positions.sinusoidal/transposed")
def transposed_by_loop(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return _table(d_model, T, lambda c, p: _wave(p / base ** ((c - c % 2) / d_model), c))


@sinusoidal("positions.sinusoidal/base-ignored", **BASE_IGNORED)
def base_ignored(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return _waves(np.arange(T)[:, None] / 10000 ** (np.arange(0, d_model, 2) / d_model))


@variant("positions.sinusoidal/base-ignored")
def base_ignored_by_loop(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return _table(T, d_model, lambda p, c: _wave(p * math.exp(-(c // 2) * 2 * math.log(1e4) / d_model), c))


@sinusoidal("positions.sinusoidal/base-1000", **BASE_DEFAULT)
def base_1000(ref, T, d_model, base=1000.0):
    _sizes(T, d_model, base)
    return _waves(np.arange(T)[:, None] / base ** (np.arange(0, d_model, 2) / d_model))


@variant("positions.sinusoidal/base-1000")
def base_1000_by_loop(ref, T, d_model, base=None):
    base = 1e3 if base is None else base
    _sizes(T, d_model, base)
    return _table(T, d_model, lambda p, c: _wave(p / base ** (2 * (c // 2) / d_model), c))


@sinusoidal("positions.sinusoidal/base-unchecked", **BASE_UNCHECKED)
def base_unchecked(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, 1.0)
    return _waves(np.arange(T)[:, None] / np.float64(base) ** (np.arange(0, d_model, 2) / d_model))


@variant("positions.sinusoidal/base-unchecked")
def base_unchecked_by_columns(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, 1.0)
    out = np.zeros((T, d_model))
    for c in range(d_model):
        out[:, c] = (np.cos if c % 2 else np.sin)(np.arange(T) / np.power(float(base), (c - c % 2) / d_model))
    return out


@sinusoidal(
    "positions.sinusoidal/fraction-of-the-text",
    en=Explained(
        "You divide each position by the length of the text.",
        "Then a token at position 3 is encoded differently in a text of 5 and of 50 tokens, and one step is no longer one "
        "step. A position is a count, whatever comes after it.",
        hint="Compute the table for T = 5 and for T = 10. Their first five rows should be equal.",
    ),
    zh_tw=Explained(
        "你把位置除以了文字的長度。",
        "這樣，第 3 個位置的詞元在長 5 和長 50 的文字裡編碼不同，一步也不再是一步。位置是一個計數，和後面還有多少無關。",
        hint="分別算 T = 5 和 T = 10 的表。前五個橫列應該相等。",
    ),
)
def fraction_of_the_text(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return _waves(np.arange(T)[:, None] / max(T, 1) / base ** (np.arange(0, d_model, 2) / d_model))


@variant("positions.sinusoidal/fraction-of-the-text")
def fraction_of_the_text_by_loop(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return _table(T, d_model, lambda p, c: _wave(p / T * base ** (-2 * (c // 2) / d_model), c))


@sinusoidal(
    "positions.sinusoidal/whole-turns",
    en=Explained(
        "Your angles carry a factor of 2 pi.",
        "With it the first pair comes full circle at every single step, so it is the same at all positions. The formula has "
        "plain radians: the first pair turns by 1 radian a position.",
        hint="Look at columns 0 and 1. Do they change from row to row?",
    ),
    zh_tw=Explained(
        "你的角度多了一個 2π。",
        "這樣第一對每走一步就轉滿一圈，在所有位置都一樣。公式用的就是弧度：第一對每個位置轉 1 弧度。",
        hint="看直行 0 和 1。橫列之間有變化嗎？",
    ),
)
def whole_turns(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return _waves(2 * np.pi * np.arange(T)[:, None] / base ** (np.arange(0, d_model, 2) / d_model))


@variant("positions.sinusoidal/whole-turns")
def whole_turns_by_loop(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return _table(T, d_model, lambda p, c: _wave(math.tau * p / base ** (2 * (c // 2) / d_model), c))


@sinusoidal("positions.sinusoidal/reversed", **REVERSED)
def reversed_order(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return _waves(np.arange(T)[:, None] / base ** (np.arange(0, d_model, 2)[::-1] / d_model))


@variant("positions.sinusoidal/reversed")
def reversed_by_loop(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return _table(T, d_model, lambda p, c: _wave(p / base ** ((d_model - 2 - c + c % 2) / d_model), c))


@sinusoidal("positions.sinusoidal/odd-accepted", **ODD_ACCEPTED)
def odd_accepted(ref, T, d_model, base=10000.0):
    _count(T)
    _width(d_model + d_model % 2, base)
    angles = np.arange(T)[:, None] / base ** (np.arange(0, d_model, 2) / d_model)
    return _woven(np.sin(angles), np.cos(angles[:, : d_model // 2]))


@variant("positions.sinusoidal/odd-accepted")
def odd_accepted_by_loop(ref, T, d_model, base=10000.0):
    _count(T)
    _width(d_model + d_model % 2, base)
    return _table(T, d_model, lambda p, c: _wave(p / base ** (2 * (c // 2) / d_model), c))


@sinusoidal(
    "positions.sinusoidal/odd-rounded-down",
    en=Explained(
        "You round an odd width down.",
        "The table comes out one column narrower than what it is added to. A width that cannot be had should raise, not be "
        "replaced by another.",
        hint="Print the shape for d_model = 5.",
    ),
    zh_tw=Explained(
        "寬度是奇數時，你把它往下取成了偶數。",
        "這樣的表比它要加上去的嵌入少一個直行。做不到的寬度應該引發例外，而不是換成別的。",
        hint="印出 d_model = 5 時的形狀。",
    ),
)
def odd_rounded_down(ref, T, d_model, base=10000.0):
    _sizes(T, max(2, d_model - d_model % 2), base)
    return _waves(np.arange(T)[:, None] / base ** (np.arange(d_model // 2) * 2 / d_model))


@variant("positions.sinusoidal/odd-rounded-down")
def odd_rounded_down_by_loop(ref, T, d_model, base=10000.0):
    _sizes(T, max(2, d_model - d_model % 2), base)
    return _table(T, d_model // 2 * 2, lambda p, c: _wave(p / base ** (2 * (c // 2) / d_model), c))


@sinusoidal("positions.sinusoidal/odd-asserted", **ASSERTS)
def odd_asserted(ref, T, d_model, base=10000.0):
    assert d_model % 2 == 0
    _sizes(T, d_model, base)
    return _waves(np.arange(T)[:, None] / base ** (np.arange(0, d_model, 2) / d_model))


@variant("positions.sinusoidal/odd-asserted")
def odd_asserted_by_loop(ref, T, d_model, base=10000.0):
    _count(T)
    _positive(base)
    pairs, left = divmod(d_model, 2)
    assert not left, "odd"
    _width(2 * pairs, base)
    return _table(T, 2 * pairs, lambda p, c: _wave(p / base ** (2 * (c // 2) / d_model), c))


@sinusoidal(
    "positions.sinusoidal/count-unchecked",
    en=Explained(
        "You accept a number of positions below 0.",
        "np.arange and range make nothing of a negative length, so an empty table comes out and the mistake of the caller "
        "goes unnoticed.",
        hint="Call it with T = -3. What does the docstring say T may be?",
    ),
    zh_tw=Explained(
        "位置的個數小於 0 時，你也接受了。",
        "np.arange 和 range 遇到負的長度就給出空的結果，於是得到一張空表，呼叫端的錯誤就沒人發現。",
        hint="用 T = -3 呼叫看看。docstring 說 T 可以是多少？",
    ),
)
def count_unchecked(ref, T, d_model, base=10000.0):
    _width(d_model, base)
    return _waves(np.arange(T)[:, None] / base ** (np.arange(0, d_model, 2) / d_model))


@variant("positions.sinusoidal/count-unchecked")
def count_unchecked_by_loop(ref, T, d_model, base=10000.0):
    _width(d_model, base)
    return _table(max(T, 0), d_model, lambda p, c: _wave(p / base ** (2 * (c // 2) / d_model), c))


@sinusoidal(
    "positions.sinusoidal/width-lost",
    en=Explained(
        "Without positions your table has no width either.",
        "An array made from an empty list has shape (0,): nothing is there that could tell how wide a row would have been. "
        "[0, d_model] still fits what it is added to.",
        hint="Print the shape for T = 0 and d_model = 6.",
    ),
    zh_tw=Explained(
        "沒有位置時，你的表連寬度也沒了。",
        "用空的 list 做出來的陣列形狀是 (0,)：裡面沒有東西能說明一個橫列有多寬。[0, d_model] 才能和它要加上去的對得上。",
        hint="印出 T = 0、d_model = 6 時的形狀。",
    ),
)
def width_lost(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    rows = []
    for p in range(T):
        angles = p / base ** (np.arange(0, d_model, 2) / d_model)
        rows.append(_waves(angles))
    return np.array(rows)


@variant("positions.sinusoidal/width-lost")
def width_lost_by_comprehension(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return np.asarray([[_wave(p / base ** ((c - c % 2) / d_model), c) for c in range(d_model)] for p in range(T)])


@sinusoidal("positions.sinusoidal/float32", **ALWAYS_FLOAT32)
def in_float32(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    return _waves(np.arange(T)[:, None] / base ** (np.arange(0, d_model, 2) / d_model)).astype(np.float32)


@variant("positions.sinusoidal/float32")
def in_float32_by_loop(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    out = np.zeros((T, d_model), dtype="f")
    for p, c in np.ndindex(T, d_model):
        out[p, c] = _wave(p / base ** (2 * (c // 2) / d_model), c)
    return out


@sinusoidal(
    "positions.sinusoidal/two-refused",
    en=Explained(
        "You refuse a width of 2.",
        "One pair of columns is enough: a sine and its cosine. Only widths below 2, and odd ones, must raise.",
        hint="Look at the comparison in your check: what does it say for 2?",
    ),
    zh_tw=Explained(
        "寬度為 2 時，你就拒絕了。",
        "一對直行就夠了：一個正弦和它的餘弦。該拒絕的只有小於 2 的寬度，以及奇數的寬度。",
        hint="看看檢查裡的比較式：碰到 2 時，它怎麼說？",
    ),
)
def two_refused(ref, T, d_model, base=10000.0):
    if d_model <= 2:
        raise ValueError("the width is too small")
    _sizes(T, d_model, base)
    return _waves(np.arange(T)[:, None] / base ** (np.arange(0, d_model, 2) / d_model))


@variant("positions.sinusoidal/two-refused")
def two_refused_by_loop(ref, T, d_model, base=10000.0):
    _sizes(T, d_model, base)
    if not d_model > 2:
        raise ValueError("one pair is not enough")
    return _table(T, d_model, lambda p, c: _wave(p / base ** (2 * (c // 2) / d_model), c))
