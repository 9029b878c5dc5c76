"""What goes wrong in the exercise positions.rope_frequencies."""

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
    _frequencies,
    _positive,
    _width,
    frequencies,
)


def _each(d, base, frequency):
    """Return frequency(i) of each pair, as an array."""
    _width(d, base)
    return np.array([frequency(i) for i in range(d // 2)], dtype=np.float64)


@frequencies("positions.rope_frequencies/exponent-doubled", **DOUBLED)
def exponent_doubled(ref, d_head, base=10000.0):
    _width(d_head, base)
    return base ** (-2 * np.arange(0, d_head, 2) / d_head)


@variant("positions.rope_frequencies/exponent-doubled")
def exponent_doubled_by_loop(ref, d_head, base=10000.0):
    return _each(d_head, base, lambda i: 1 / base ** (2 * i / (d_head // 2)))


@frequencies("positions.rope_frequencies/exponent-halved", **HALVED)
def exponent_halved(ref, d_head, base=10000.0):
    _width(d_head, base)
    return base ** (-np.arange(d_head // 2) / d_head)


@variant("positions.rope_frequencies/exponent-halved")
def exponent_halved_by_loop(ref, d_head, base=10000.0):
    return _each(d_head, base, lambda i: math.exp(-math.log(base) * i / d_head))


@frequencies("positions.rope_frequencies/growing", **GROWING)
def growing(ref, d_head, base=10000.0):
    _width(d_head, base)
    return base ** (np.arange(0, d_head, 2) / d_head)


@variant("positions.rope_frequencies/growing")
def growing_by_loop(ref, d_head, base=10000.0):
    return _each(d_head, base, lambda i: 1 / base ** (-2 * i / d_head))


@frequencies(
    "positions.rope_frequencies/from-1",
    en=Explained(
        "You count pairs from 1, so the first frequency is missing.",
        "Papers write i = 1, ..., d/2 and then i - 1 in the exponent. Here i starts at 0: the first pair turns by exactly 1 "
        "radian a position, whatever the base.",
        hint="Which exponent makes base^exponent equal to 1?",
    ),
    zh_tw=Explained(
        "你的對從 1 數起，所以少了第一個頻率。",
        "論文寫 i = 1, …, d/2，指數裡再用 i - 1。在這裡 i 從 0 開始：不管 base 多少，第一對每個位置正好轉 1 弧度。",
        hint="指數是多少時，base 的指數次方等於 1？",
    ),
)
def from_1(ref, d_head, base=10000.0):
    _width(d_head, base)
    return base ** (-np.arange(2, d_head + 2, 2) / d_head)


@variant("positions.rope_frequencies/from-1")
def from_1_by_loop(ref, d_head, base=10000.0):
    return _each(d_head, base, lambda i: 1 / base ** (2 * (i + 1) / d_head))


@frequencies(
    "positions.rope_frequencies/from-minus-1",
    en=Explained(
        "You subtract 1 from a pair number that starts at 0 already.",
        "Papers count pairs from 1 and write i - 1; range and arange count from 0. Doing both shifts all frequencies by one "
        "pair, and the first one is larger than 1.",
        hint="What is your exponent for the first pair? It should be 0.",
    ),
    zh_tw=Explained(
        "編號已經從 0 開始，你又減了 1。",
        "論文的對從 1 數起，所以寫 i - 1；range 和 arange 從 0 數起。兩個都做，所有頻率就錯開了一對，第一個還會大於 1。",
        hint="你第一對的指數是多少？應該是 0。",
    ),
)
def from_minus_1(ref, d_head, base=10000.0):
    _width(d_head, base)
    return base ** (-2 * (np.arange(d_head // 2) - 1) / d_head)


@variant("positions.rope_frequencies/from-minus-1")
def from_minus_1_by_loop(ref, d_head, base=10000.0):
    return _each(d_head, base, lambda i: math.pow(base, (2 - 2 * i) / d_head))


@frequencies("positions.rope_frequencies/last-pair", **LAST_PAIR)
def last_pair(ref, d_head, base=10000.0):
    _width(d_head, base)
    return np.logspace(0, -1, d_head // 2, base=base)


@variant("positions.rope_frequencies/last-pair")
def last_pair_by_loop(ref, d_head, base=10000.0):
    return _each(d_head, base, lambda i: base ** (-i / max(d_head // 2 - 1, 1)))


@frequencies(
    "positions.rope_frequencies/one-a-column",
    en=Explained(
        "You give a frequency of its own to each column.",
        "Two columns turn together, so there are d_head/2 frequencies, not d_head. Yours also reach twice as far, for i runs "
        "twice as far.",
        hint="Print the shape for d_head = 8.",
    ),
    zh_tw=Explained(
        "你給了每個直行各自的頻率。",
        "兩個直行一起轉，所以有 d_head/2 個頻率，不是 d_head 個。i 多跑了一倍，你的指數也就多走了一倍。",
        hint="印出 d_head = 8 時的形狀。",
    ),
)
def one_a_column(ref, d_head, base=10000.0):
    _width(d_head, base)
    return base ** (-2 * np.arange(d_head) / d_head)


@variant("positions.rope_frequencies/one-a-column")
def one_a_column_by_loop(ref, d_head, base=10000.0):
    _width(d_head, base)
    return np.array([1 / base ** (2 * i / d_head) for i in range(d_head)])


@frequencies(
    "positions.rope_frequencies/repeated",
    en=Explained(
        "You hand out each frequency twice in a row, once for each column of a pair.",
        "That may be handy when you multiply later, but what is asked for is one number a pair: [d_head/2].",
        hint="Print the shape for d_head = 8.",
    ),
    zh_tw=Explained(
        "你讓每個頻率連續出現兩次，一對裡的兩個直行各一次。",
        "之後相乘時也許方便，但題目要的是一對一個數：[d_head/2]。",
        hint="印出 d_head = 8 時的形狀。",
    ),
)
def repeated(ref, d_head, base=10000.0):
    _width(d_head, base)
    return np.repeat(_frequencies(d_head, base), 2)


@variant("positions.rope_frequencies/repeated")
def repeated_by_column(ref, d_head, base=10000.0):
    _width(d_head, base)
    return np.array([base ** (-(c - c % 2) / d_head) for c in range(d_head)])


@frequencies(
    "positions.rope_frequencies/twice-over",
    en=Explained(
        "You return all frequencies, and then all of them again.",
        "Code that pairs column i with column i + d/2 wants them so. Here neighbours are pairs, and what is asked for is one "
        "number a pair: [d_head/2].",
        hint="Print the shape for d_head = 8.",
    ),
    zh_tw=Explained(
        "你把所有的頻率回傳了一遍，又再一遍。",
        "把直行 i 和 i + d/2 配成對的程式會這樣寫。這裡是相鄰的成對，而且題目要的是一對一個數：[d_head/2]。",
        hint="印出 d_head = 8 時的形狀。",
    ),
)
def twice_over(ref, d_head, base=10000.0):
    _width(d_head, base)
    return np.tile(_frequencies(d_head, base), 2)


@variant("positions.rope_frequencies/twice-over")
def twice_over_by_column(ref, d_head, base=10000.0):
    _width(d_head, base)
    return np.array([base ** (-2 * (c % (d_head // 2)) / d_head) for c in range(d_head)])


@frequencies("positions.rope_frequencies/reversed", **REVERSED)
def reversed_order(ref, d_head, base=10000.0):
    _width(d_head, base)
    return _frequencies(d_head, base)[::-1].copy()


@variant("positions.rope_frequencies/reversed")
def reversed_by_loop(ref, d_head, base=10000.0):
    return _each(d_head, base, lambda i: base ** ((2 * i + 2 - d_head) / d_head))


@frequencies("positions.rope_frequencies/base-ignored", **BASE_IGNORED)
def base_ignored(ref, d_head, base=10000.0):
    _width(d_head, base)
    return _frequencies(d_head, 10000.0)


@variant("positions.rope_frequencies/base-ignored")
def base_ignored_by_loop(ref, d_head, base=10000.0):
    return _each(d_head, base, lambda i: math.exp(-8 * i * math.log(10) / d_head))


@frequencies("positions.rope_frequencies/base-1000", **BASE_DEFAULT)
def base_1000(ref, d_head, base=1000.0):
    _width(d_head, base)
    return _frequencies(d_head, base)


@variant("positions.rope_frequencies/base-1000")
def base_1000_by_loop(ref, d_head, base=None):
    base = 1e3 if base is None else base
    return _each(d_head, base, lambda i: math.pow(base, -2 * i / d_head))


@frequencies("positions.rope_frequencies/base-unchecked", **BASE_UNCHECKED)
def base_unchecked(ref, d_head, base=10000.0):
    _width(d_head, 1.0)
    return np.float64(base) ** (-np.arange(0, d_head, 2) / d_head)


@variant("positions.rope_frequencies/base-unchecked")
def base_unchecked_by_loop(ref, d_head, base=10000.0):
    return _each(d_head, 1.0, lambda i: np.power(float(base), np.float64(-2 * i / d_head)))


@frequencies("positions.rope_frequencies/integer-division", **INTEGER_DIVISION)
def integer_division(ref, d_head, base=10000.0):
    _width(d_head, base)
    return float(base) ** (-np.arange(0, d_head, 2) // d_head)


@variant("positions.rope_frequencies/integer-division")
def integer_division_by_loop(ref, d_head, base=10000.0):
    return _each(d_head, base, lambda i: base ** math.floor(-2 * i / d_head))


@frequencies(
    "positions.rope_frequencies/divided-afterwards",
    en=Explained(
        "You divide the power by the width, not the exponent.",
        "** binds more tightly than /, so base ** -2*i / d is something else than base ** (-2*i / d): a number that is first "
        "almost 0 and then divided.",
        hint="Put brackets around everything that belongs in the exponent.",
    ),
    zh_tw=Explained(
        "你除以寬度的是整個次方，不是指數。",
        "** 比 / 先算，所以 base ** -2*i / d 和 base ** (-2*i / d) 不同：前者先得到一個幾乎是 0 的數，再拿去除。",
        hint="把屬於指數的東西全用括號括起來。",
    ),
)
def divided_afterwards(ref, d_head, base=10000.0):
    _width(d_head, base)
    return float(base) ** -np.arange(0, d_head, 2) / d_head


@variant("positions.rope_frequencies/divided-afterwards")
def divided_afterwards_by_loop(ref, d_head, base=10000.0):
    return _each(d_head, base, lambda i: 1 / (d_head * base ** (2 * i)))


@frequencies(
    "positions.rope_frequencies/sign-outside",
    en=Explained(
        "Your minus sign stands before the power, not in the exponent.",
        "** binds more tightly than the sign: -base ** x is -(base ** x). So your numbers are negative, and they grow.",
        hint="Print the first frequency. It should be 1.",
    ),
    zh_tw=Explained(
        "你的負號在整個次方前面，不在指數裡。",
        "** 比負號先算：-base ** x 是 -(base ** x)。所以你的數是負的，而且越來越大。",
        hint="印出第一個頻率。它應該是 1。",
    ),
)
def sign_outside(ref, d_head, base=10000.0):
    _width(d_head, base)
    return -(base ** (np.arange(0, d_head, 2) / d_head))


@variant("positions.rope_frequencies/sign-outside")
def sign_outside_by_loop(ref, d_head, base=10000.0):
    return _each(d_head, base, lambda i: -1 / base ** (-2 * i / d_head))


@frequencies(
    "positions.rope_frequencies/exp-without-log",
    en=Explained(
        "You take exp of the exponent, without the logarithm of the base.",
        "base^x is exp(x log base). Without the log your base is e = 2.718, whatever was asked for, and even the last pair "
        "turns fast.",
        hint="Where does the base enter your formula?",
    ),
    zh_tw=Explained(
        "你對指數取了 exp，卻沒有乘上 base 的對數。",
        "base 的 x 次方是 exp(x log base)。少了 log，不管要求的是什麼，你的 base 都是 e = 2.718，連最後一對都轉得很快。",
        hint="base 出現在你公式的哪裡？",
    ),
)
def exp_without_log(ref, d_head, base=10000.0):
    _width(d_head, base)
    return np.exp(-np.arange(0, d_head, 2) / d_head)


@variant("positions.rope_frequencies/exp-without-log")
def exp_without_log_by_loop(ref, d_head, base=10000.0):
    return _each(d_head, base, lambda i: math.e ** (-2 * i / d_head))


@frequencies(
    "positions.rope_frequencies/wavelengths",
    en=Explained(
        "You return wavelengths, not frequencies.",
        "2 pi base^(2i/d) is how many positions a pair needs for a whole turn. What is asked for is how far it turns at each "
        "position, in radians.",
        hint="Should the numbers rise or fall from pair to pair?",
    ),
    zh_tw=Explained(
        "你回傳的是波長，不是頻率。",
        "2π base^(2i/d) 是一對轉滿一圈要走幾個位置。題目要的是每個位置轉多少弧度。",
        hint="這些數一對一對下去，應該變大還是變小？",
    ),
)
def wavelengths(ref, d_head, base=10000.0):
    _width(d_head, base)
    return 2 * np.pi / _frequencies(d_head, base)


@variant("positions.rope_frequencies/wavelengths")
def wavelengths_by_loop(ref, d_head, base=10000.0):
    return _each(d_head, base, lambda i: math.tau * base ** (2 * i / d_head))


@frequencies(
    "positions.rope_frequencies/turns",
    en=Explained(
        "You return turns, not radians.",
        "A factor of 1/(2 pi) has slipped in: as in physics, where a frequency counts whole turns. Here the number is "
        "multiplied by a position and goes straight into sine and cosine.",
        hint="What is your first frequency? It should be 1.",
    ),
    zh_tw=Explained(
        "你回傳的單位是圈，不是弧度。",
        "這裡混進了一個 1/(2π)：就像物理上的頻率，數的是整圈。在這裡，這個數乘上位置之後就直接放進正弦和餘弦。",
        hint="你的第一個頻率是多少？應該是 1。",
    ),
)
def turns(ref, d_head, base=10000.0):
    _width(d_head, base)
    return _frequencies(d_head, base) / (2 * np.pi)


@variant("positions.rope_frequencies/turns")
def turns_by_loop(ref, d_head, base=10000.0):
    return _each(d_head, base, lambda i: 1 / (math.tau * base ** (2 * i / d_head)))


@frequencies("positions.rope_frequencies/odd-accepted", **ODD_ACCEPTED)
def odd_accepted(ref, d_head, base=10000.0):
    _width(d_head + d_head % 2, base)
    return base ** (-np.arange(0, d_head, 2) / d_head)


@variant("positions.rope_frequencies/odd-accepted")
def odd_accepted_by_loop(ref, d_head, base=10000.0):
    _width(d_head + d_head % 2, base)
    return np.array([base ** (-2 * i / d_head) for i in range(math.ceil(d_head / 2))])


@frequencies(
    "positions.rope_frequencies/odd-rounded-down",
    en=Explained(
        "You round an odd width down to pairs.",
        "d_head // 2 drops the column that has no partner, and nobody is told. A width that cannot be had should raise.",
        hint="Call it with d_head = 5. What does the docstring say of odd widths?",
    ),
    zh_tw=Explained(
        "寬度是奇數時，你把它往下取成了整數對。",
        "d_head // 2 丟掉了沒有夥伴的直行，卻沒有人知道。做不到的寬度應該引發例外。",
        hint="用 d_head = 5 呼叫看看。docstring 對奇數寬度怎麼說？",
    ),
)
def odd_rounded_down(ref, d_head, base=10000.0):
    _width(max(2, d_head - d_head % 2) if d_head > 0 else d_head, base)
    return base ** (-2 * np.arange(d_head // 2) / d_head)


@variant("positions.rope_frequencies/odd-rounded-down")
def odd_rounded_down_by_loop(ref, d_head, base=10000.0):
    _positive(base)
    if d_head < 1:
        raise ValueError("no width")
    return np.array([1 / base ** (2 * i / d_head) for i in range(d_head // 2)], dtype=float)


@frequencies("positions.rope_frequencies/odd-asserted", **ASSERTS)
def odd_asserted(ref, d_head, base=10000.0):
    assert d_head % 2 == 0
    _width(d_head, base)
    return _frequencies(d_head, base)


@variant("positions.rope_frequencies/odd-asserted")
def odd_asserted_by_loop(ref, d_head, base=10000.0):
    pairs, left = divmod(d_head, 2)
    assert not left, "odd"
    return _each(2 * pairs, base, lambda i: base ** (-i / pairs))


@frequencies(
    "positions.rope_frequencies/width-unchecked",
    en=Explained(
        "You accept a width below 2.",
        "A head of width 0 or less has no pair to turn. np.arange and range make an empty array of it, and the mistake of "
        "the caller goes unnoticed.",
        hint="Call it with d_head = 0. What does the docstring say d_head may be?",
    ),
    zh_tw=Explained(
        "寬度小於 2 時，你也接受了。",
        "寬度 0 或更小的注意力頭沒有可以轉的對。np.arange 和 range 會給出空陣列，呼叫端的錯誤就沒人發現。",
        hint="用 d_head = 0 呼叫看看。docstring 說 d_head 可以是多少？",
    ),
)
def width_unchecked(ref, d_head, base=10000.0):
    _width(2 + d_head % 2, base)
    return base ** (-np.arange(0, d_head, 2) / (d_head or 1))


@variant("positions.rope_frequencies/width-unchecked")
def width_unchecked_by_loop(ref, d_head, base=10000.0):
    _width(2 + d_head % 2, base)
    return np.array([base ** (-2 * i / d_head) for i in range(d_head // 2)], dtype=np.float64)


@frequencies("positions.rope_frequencies/float32", **ALWAYS_FLOAT32)
def in_float32(ref, d_head, base=10000.0):
    _width(d_head, base)
    return _frequencies(d_head, base).astype(np.float32)


@variant("positions.rope_frequencies/float32")
def in_float32_by_loop(ref, d_head, base=10000.0):
    return _each(d_head, base, lambda i: math.exp(-2 * i * math.log(base) / d_head)).astype("f")
