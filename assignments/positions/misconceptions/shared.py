"""What the mistakes share: the parts that they get right, and words for mistakes that any exercise may hold."""

from __future__ import annotations

import cmath
import math
from functools import partial

import numpy as np

from grader.testing import Explained, misconception

sinusoidal = partial(misconception, name="sinusoidal_encoding")
plane = partial(misconception, name="rotate_2d")
frequencies = partial(misconception, name="rope_frequencies")
rope = partial(misconception, name="apply_rope")
relative = partial(misconception, name="relative_scores")
permutation = partial(misconception, name="order_sensitivity")

# --- Told alike in several exercises -------------------------------------------------------------------------

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
BASE_IGNORED = {
    "en": Explained(
        "You do not use the base that is given.",
        "With the default all is well. But 10000 stands in your code as a number, so whoever asks for another base, as "
        "models for long texts do, gets the wavelengths of the old one.",
        hint="Where in your function does `base` appear?",
    ),
    "zh_tw": Explained(
        "你沒有用到傳進來的 base。",
        "用預設值時一切正常。但 10000 在你的程式裡是寫死的數字，要求別的 base 的人（處理長文的模型就是如此）拿到的還是原來的波長。",
        hint="在你的函式裡，`base` 出現在哪裡？",
    ),
}
BASE_DEFAULT = {
    "en": Explained(
        "Your default base is 1000, not 10000.",
        "With a base that is given all is well; left out, every pair but the first turns too fast. A zero lost in a "
        "constant raises no error, and two models with different bases do not understand each other.",
        hint="Count the zeros in the first line of your function.",
    ),
    "zh_tw": Explained(
        "你的預設 base 是 1000，不是 10000。",
        "有給 base 時一切正常；省略時，除了第一對以外都轉得太快。常數少一個零不會引發例外，而 base 不同的兩個模型彼此讀不懂。",
        hint="數一數函式第一個敘述裡有幾個零。",
    ),
}
BASE_UNCHECKED = {
    "en": Explained(
        "You accept a base that is not positive.",
        "A power of a negative number to a fraction is NaN, and dividing by a power of 0 is infinite. Such a table spreads "
        "NaN to all that is computed with it, far from where the mistake was made.",
        hint="Try base = -1.0. Which line of the docstring says what should happen?",
    ),
    "zh_tw": Explained(
        "base 不是正數時，你也接受了。",
        "負數的分數次方是 NaN，除以 0 的次方則是無限大。這樣的結果會把 NaN 帶到後面的一切計算裡，離出錯的地方很遠才被發現。",
        hint="試試 base = -1.0。docstring 的哪一段說明了該怎麼處理？",
    ),
}
ODD_ACCEPTED = {
    "en": Explained(
        "You accept an odd width.",
        "Columns come in pairs, a pair for each frequency. In an odd width the last column has no partner, and whatever you "
        "make of it is not what the exercise defines.",
        hint="Call it with width 5. What does the docstring say of odd widths?",
    ),
    "zh_tw": Explained(
        "寬度是奇數時，你也接受了。",
        "直行（column）是成對的，一個頻率一對。寬度是奇數時，最後一個直行沒有夥伴，不管怎麼處理都不是題目定義的東西。",
        hint="用寬度 5 呼叫看看。docstring 對奇數寬度怎麼說？",
    ),
}
DOUBLED = {
    "en": Explained(
        "Your exponents grow twice as fast as they should.",
        "The 2i of the formula is already the column at which pair i begins. Counted twice, as 2 times a column or over half "
        "of the width, the last pair turns about base times too slowly and hardly tells two positions apart.",
        hint="Write down the exponents for width 8. They are 0, 1/4, 2/4, 3/4.",
    ),
    "zh_tw": Explained(
        "你的指數增加的速度是該有的兩倍。",
        "公式裡的 2i 已經是第 i 對開始的直行（column）。若又乘一次 2，或除以一半的寬度，最後一對會慢了約 base 倍，幾乎分不出兩個位置。",
        hint="寫下寬度 8 的指數。應該是 0、1/4、2/4、3/4。",
    ),
}
HALVED = {
    "en": Explained(
        "Your exponent is i over the width; it should be 2i.",
        "i counts pairs, and there are only half as many pairs as columns. So your frequencies fall only to about 1 over the "
        "root of the base, and positions far apart look alike.",
        hint="What is the exponent of the last pair? It should be just below 1.",
    ),
    "zh_tw": Explained(
        "你的指數是 i 除以寬度，應該是 2i。",
        "i 數的是「對」，而對數只有直行數的一半。所以你的頻率只降到約 1 除以 base 的平方根，相距很遠的位置看起來也一樣。",
        hint="最後一對的指數是多少？應該略小於 1。",
    ),
}
GROWING = {
    "en": Explained(
        "Your frequencies grow from pair to pair; they should fall.",
        "The exponent has the wrong sign. The last pair then turns through hundreds of radians at each step, which is as good "
        "as noise: neighbouring positions are no longer near each other.",
        hint="Which pair should turn slowest? Print the frequencies and look at the last.",
    ),
    "zh_tw": Explained(
        "你的頻率一對比一對大，應該要越來越小。",
        "指數的正負號反了。最後一對每走一步就轉過幾百個弧度，和雜訊沒兩樣：相鄰的位置不再彼此接近。",
        hint="哪一對應該轉得最慢？把頻率印出來，看最後一個。",
    ),
}
INTEGER_DIVISION = {
    "en": Explained(
        "You divide the exponent with //, which throws the fraction away.",
        "All exponents lie between -1 and 1; rounded down to whole numbers nothing of them is left but 0 or -1, so almost "
        "all pairs turn equally fast.",
        hint="Print the exponents. Are they fractions?",
    ),
    "zh_tw": Explained(
        "你用 // 來除指數，小數部分被丟掉了。",
        "指數都在 -1 和 1 之間；向下取整後只剩 0 或 -1，於是幾乎所有的對都轉得一樣快。",
        hint="把指數印出來。它們是分數嗎？",
    ),
}
LAST_PAIR = {
    "en": Explained(
        "You divide by one pair too few, so that the last exponent is exactly 1.",
        "Your frequencies are spread evenly from 1 to 1/base, both ends included. The formula divides by the width: its last "
        "exponent, (d-2)/d, stays below 1. It looks almost the same, and no weights trained with the one fit the other.",
        hint="By how many do you divide i: by the number of pairs, or by one less?",
    ),
    "zh_tw": Explained(
        "你除以的對數少了一，所以最後一個指數正好是 1。",
        "你的頻率從 1 到 1/base 平均分布，兩端都包含。公式除以的是寬度：最後一個指數 (d-2)/d 小於 1。看起來差不多，但用一種訓練出來的權重不能配另一種。",
        hint="你把 i 除以多少：對數，還是對數減一？",
    ),
}
REVERSED = {
    "en": Explained(
        "Your frequencies come in reverse order.",
        "The first pair should turn fastest, by 1 radian a position, and the last one slowest. Yours begin with the slowest.",
        hint="Which frequency does pair 0 have when you put i = 0 into the formula?",
    ),
    "zh_tw": Explained(
        "你的頻率順序反了。",
        "第一對應該轉得最快，每個位置 1 弧度，最後一對最慢。你的卻從最慢的開始。",
        hint="把 i = 0 代進公式，第 0 對的頻率是多少？",
    ),
}
FLOAT32_LOST = {
    "en": Explained(
        "float32 comes in, and float64 goes out.",
        "The cosine of a Python number is a NumPy float64, and so are arrays made from nothing; next to them the wider dtype "
        "wins. Every array after it is twice as large, and the model no longer computes in the precision it was given.",
        hint="Print the dtype of each sine and cosine before you multiply.",
    ),
    "zh_tw": Explained(
        "float32 進來，float64 出去。",
        "Python 數字的餘弦是 NumPy 的 float64，憑空做出來的陣列也是；和它們一起運算時，較寬的 dtype 勝出。之後每個陣列都大一倍，模型也不再用給定的精度計算。",
        hint="在相乘之前，把每個正弦和餘弦的 dtype 印出來。",
    ),
}
ALWAYS_FLOAT32 = {
    "en": Explained(
        "Your result is float32 where float64 is asked for.",
        "Half of the digits are lost, and in an angle it shows: at position 100000 the seventh digit is a hundredth of a "
        "radian. Only what comes in as float32 goes out as float32.",
        hint="Look for a dtype that you name yourself.",
    ),
    "zh_tw": Explained(
        "這裡要的是 float64，你的結果卻是 float32。",
        "一半的位數不見了，在角度上尤其明顯：位置 100000 時，第七位有效數字就是百分之一弧度。只有進來是 float32 的，出去才是 float32。",
        hint="找找看哪裡的 dtype 是你自己寫死的。",
    ),
}
TRUNCATED = {
    "en": Explained(
        "Whole numbers come in, and the result is cut to whole numbers.",
        "np.empty_like and np.zeros_like copy the dtype as well: what is written into an integer array loses its fraction, "
        "without any error. Integers are computed in float64.",
        hint="What is the dtype of the array that you write into?",
    ),
    "zh_tw": Explained(
        "整數進來，結果就被截成了整數。",
        "np.empty_like 和 np.zeros_like 也會複製 dtype：寫進整數陣列的值會丟掉小數，而且不會有任何錯誤。整數要以 float64 計算。",
        hint="你寫進去的那個陣列，dtype 是什麼？",
    ),
}
HALF_KEPT = {
    "en": Explained(
        "float16 comes in, and float16 goes out.",
        "Only float32 is kept as it is; every other real dtype is computed in float64. Half precision has three digits, too "
        "few to carry on with.",
        hint="Which dtypes does the docstring name for the result?",
    ),
    "zh_tw": Explained(
        "float16 進來，float16 出去。",
        "只有 float32 維持原樣，其他實數 dtype 都以 float64 計算。半精度只有三位有效數字，不足以繼續算下去。",
        hint="docstring 寫的結果 dtype 有哪幾種？",
    ),
}
OVERWRITTEN = {
    "en": Explained(
        "You compute the second coordinate from the first one's new value.",
        "Both new coordinates are made from both old ones. Once the first is overwritten, its old value is gone, and what "
        "comes out is no rotation: lengths change. A slice of an array is a view, so it changes along with the array.",
        hint="When your second assignment reads the first coordinate, is it still the old one?",
    ),
    "zh_tw": Explained(
        "你用第一個座標的新值去算第二個座標。",
        "兩個新座標都由兩個舊座標算出。第一個一被蓋過去，舊值就沒了，算出來的不再是旋轉：長度會變。陣列的切片是 view，會跟著陣列一起變。",
        hint="你的第二個賦值讀第一個座標時，它還是舊的嗎？",
    ),
}
SWAPPED = {
    "en": Explained(
        "Sine and cosine have changed places in your rotation.",
        "At angle 0 the cosine is 1 and the sine 0, so nothing should move. In yours an angle of 0 already turns by a quarter.",
        hint="Put the angle 0 into your formula. What becomes of [1, 0]?",
    ),
    "zh_tw": Explained(
        "在你的旋轉裡，正弦和餘弦對調了。",
        "角度 0 的餘弦是 1、正弦是 0，什麼都不該動。你的在角度 0 就已經轉了四分之一圈。",
        hint="把角度 0 代進你的公式。[1, 0] 變成什麼？",
    ),
}
IN_PLACE = {
    "en": Explained(
        "Your result is right, but you wrote it into the caller's array.",
        "An array is handed over, not copied, and np.asarray makes no copy where the dtype fits already. Whoever uses the "
        "same rows twice turns them twice.",
        hint="Into which array do you write: into a new one, or into the argument?",
    ),
    "zh_tw": Explained(
        "結果是對的，但你把它寫進了呼叫端的陣列裡。",
        "傳進來的是陣列本身，不是複本，而 dtype 已經相符時 np.asarray 並不會複製。同一組資料用兩次的人，就轉了兩次。",
        hint="你寫進的是哪個陣列：新的，還是引數本身？",
    ),
}


def _real(x):
    return np.asarray(x, dtype=np.float32 if x.dtype == np.float32 else np.float64)


def _width(d, base):
    if d < 2 or d % 2:
        raise ValueError(f"the width must be even and at least 2, not {d}")
    _positive(base)


def _positive(base):
    if not base > 0:
        raise ValueError(f"the base must be positive, not {base}")


def _sizes(T, d, base):
    _count(T)
    _width(d, base)


def _count(n):
    if n < 0:
        raise ValueError(f"there cannot be {n} positions")


def _woven(even, odd):
    """Return columns even 0, odd 0, even 1, odd 1, ..."""
    out = np.empty((*even.shape[:-1], even.shape[-1] + odd.shape[-1]), dtype=np.result_type(even, odd))
    out[..., 0::2], out[..., 1::2] = even, odd
    return out


def _table(T, d, entry):
    """Return [entry(p, c)] for each position and column, by plain arithmetic."""
    return np.array([[entry(p, c) for c in range(d)] for p in range(T)], dtype=np.float64).reshape(T, d)


def _frequencies(d, base):
    """Return the right frequencies."""
    return np.array([base ** (-c / d) for c in range(0, d, 2)])


def _vectors(x):
    if x.shape[-1:] != (2,):
        raise ValueError("vectors have two coordinates")
    return _real(x)


def _each_vector(x, angle, change):
    """Return change(x0, x1, angle) -> (y0, y1) of each vector, in the dtype of the exercise; the angle is one, or [...]."""
    x = _vectors(x)
    out, angle = np.empty_like(x), np.broadcast_to(angle, x.shape[:-1])
    for index in np.ndindex(x.shape[:-1]):
        out[index] = change(*(float(part) for part in x[index]), float(angle[index]))
    return out


def _rows(x, positions, base):
    """Check the arguments of `apply_rope` and return x in its dtype, and the positions of each row, [..., T]."""
    if x.ndim < 2 or positions.shape not in (x.shape[-2:-1], x.shape[:-1]):
        raise ValueError("the positions do not fit the rows")
    _width(x.shape[-1], base)
    return _real(x), np.broadcast_to(positions, x.shape[:-1])


def _turned(x, angles):
    """Return the rows, each pair of neighbours turned by its angle [..., T, d/2]."""
    c, s = np.cos(angles).astype(x.dtype), np.sin(angles).astype(x.dtype)
    return _woven(x[..., 0::2] * c - x[..., 1::2] * s, x[..., 0::2] * s + x[..., 1::2] * c)


def _each_pair(x, positions, base, turn, partner=None):
    """Return turn(p, i, a, b) -> (a', b') of each pair of each row; pair i has columns (2i, 2i+1) or partner(i)."""
    x, positions = _rows(x, positions, base)
    out = np.empty_like(x)
    for index in np.ndindex(x.shape[:-1]):
        for i in range(x.shape[-1] // 2):
            a, b = partner(i) if partner else (2 * i, 2 * i + 1)
            out[index][a], out[index][b] = turn(float(positions[index]), i, float(x[index][a]), float(x[index][b]))
    return out


def _spun(a, b, angle):
    """Return one pair, turned by an angle."""
    turned = complex(a, b) * cmath.exp(1j * angle)
    return turned.real, turned.imag


def _alike(q, k):
    """Check the vectors of `relative_scores` and return them in the dtype they are computed in."""
    if q.ndim != 1 or q.shape != k.shape:
        raise ValueError("query and key differ in shape")
    dtype = np.float32 if q.dtype == k.dtype == np.float32 else np.float64
    return q.astype(dtype), k.astype(dtype)


def _placed(v, positions, base=10000.0):
    """Return a vector [d], turned to each of the positions: [n, d]."""
    _width(len(v), base)
    positions = np.asarray(positions, dtype=np.float64)
    return _turned(np.tile(v, (len(positions), 1)), positions[:, None] * _frequencies(len(v), base))


def _scores(q, k, n, base, score):
    """Return [score(i, j, pairs)], where pairs holds (frequency, q as complex, k as complex) of each pair."""
    q, k = _alike(q, k)
    _count(n)
    _width(len(q), base)
    pairs = [
        (f, complex(q[2 * m], q[2 * m + 1]), complex(k[2 * m], k[2 * m + 1]))
        for m, f in enumerate(_frequencies(len(q), base))
    ]
    return np.array([[score(i, j, pairs) for j in range(n)] for i in range(n)], dtype=q.dtype).reshape(n, n)


def _met(a, b):
    """Return the dot product of two vectors of the plane, as complex numbers."""
    return (a * b.conjugate()).real


def _at(z, angle):
    return z * complex(math.cos(angle), math.sin(angle))


def _shuffle(X, perm):
    if X.ndim != 2 or sorted(perm.tolist()) != list(range(len(X))):
        raise ValueError("not a permutation of the rows")
    return X[perm]


def _difference(encode, X, perm):
    """Return the right difference, in float64."""
    before = np.asarray(encode(_shuffle(X, perm)), dtype=np.float64)
    return before - np.asarray(encode(X), dtype=np.float64)[perm]
