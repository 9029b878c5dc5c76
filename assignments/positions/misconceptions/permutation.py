"""What goes wrong in the exercise positions.permutation."""

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained
from grader.testing import variant as any_variant
from misconceptions.shared import _difference, _shuffle
from misconceptions.shared import permutation as any_permutation


def _of_some(declare):
    """Declare a mistake about some tokens: of none at all it says what is right."""

    def declared(function):
        def of_some(ref, encode, X, perm):
            return 0.0 if (len(X), X.ndim, perm.shape) == (0, 2, (0,)) else function(ref, encode, X, perm)

        return declare(of_some)

    return declared


def permutation(mistake, **words):
    return _of_some(any_permutation(mistake, **words))


def variant(mistake):
    return _of_some(any_variant(mistake))


def _largest(difference):
    return float(np.abs(difference).max(initial=0))


def _entries(difference):
    return [abs(entry) for entry in np.ravel(difference).tolist()]


@permutation(
    "positions.permutation/output-not-shuffled",
    en=Explained(
        "You shuffle the tokens and leave the outputs in their old order.",
        "What came of token 3 is then compared with what came of another token. Even an encoder that looks at each token "
        "alone seems to know the order.",
        hint="After X[perm], in which row is the output of token 0? Where is it in encode(X)?",
    ),
    zh_tw=Explained(
        "你打亂了詞元，輸出卻留在原來的順序。",
        "這樣，第 3 個詞元的結果會拿去和另一個詞元的比。連只看單一詞元的編碼器，都好像知道順序。",
        hint="X[perm] 之後，第 0 個詞元的輸出在哪個橫列？在 encode(X) 裡又在哪裡？",
    ),
)
def output_not_shuffled(ref, encode, X, perm):
    return _largest(np.subtract(encode(_shuffle(X, perm)), encode(X), dtype=np.float64))


@variant("positions.permutation/output-not-shuffled")
def output_not_shuffled_by_entry(ref, encode, X, perm):
    before, after = np.ravel(encode(_shuffle(X, perm))).tolist(), np.ravel(encode(X)).tolist()
    return max(abs(a - b) for a, b in zip(before, after, strict=True))


@permutation(
    "positions.permutation/shuffled-back",
    en=Explained(
        "You shuffle the outputs with the inverse of the permutation.",
        "X[perm] takes row perm[i] to place i, and the outputs of encode(X) must go the same way. The inverse, which argsort "
        "gives, brings shuffled rows home again: that belongs on the other side of the difference.",
        hint="Use an encoder that returns X as it is. Is your result 0?",
    ),
    zh_tw=Explained(
        "你用反排列去打亂輸出。",
        "X[perm] 把第 perm[i] 個橫列放到 i，encode(X) 的輸出也要照同樣的方式走。argsort 給的反排列是把打亂的橫列送回原處：那該用在差的另一邊。",
        hint="用一個原樣回傳 X 的編碼器。你的結果是 0 嗎？",
    ),
)
def shuffled_back(ref, encode, X, perm):
    inverse = np.argsort(perm)
    return _largest(np.subtract(encode(_shuffle(X, perm)), encode(X)[inverse], dtype=np.float64))


@variant("positions.permutation/shuffled-back")
def shuffled_back_by_assignment(ref, encode, X, perm):
    before, after = (np.asarray(encode(each), dtype=np.float64) for each in (_shuffle(X, perm), X))
    moved = np.empty_like(after)
    moved[perm] = after
    return max(_entries(before - moved))


@permutation(
    "positions.permutation/shuffled-twice",
    en=Explained(
        "Both of your outputs come from shuffled tokens.",
        "One side of the difference is encode(X)[perm], with X in its own order. You took X[perm] on both sides and then "
        "shuffled one of them once more.",
        hint="What does encode get in your two calls?",
    ),
    zh_tw=Explained(
        "你的兩個輸出都來自打亂後的詞元。",
        "差的其中一邊是 encode(X)[perm]，這裡的 X 是原來的順序。你兩邊都用了 X[perm]，又把其中一邊再打亂一次。",
        hint="在你的兩次呼叫裡，encode 拿到的各是什麼？",
    ),
)
def shuffled_twice(ref, encode, X, perm):
    out = np.asarray(encode(_shuffle(X, perm)), dtype=np.float64)
    return _largest(out - out[perm])


@variant("positions.permutation/shuffled-twice")
def shuffled_twice_by_row(ref, encode, X, perm):
    X = _shuffle(X, perm)
    before, after = encode(X).astype(float), encode(X).astype(float)
    return max(max(_entries(before[i] - after[perm[i]])) for i in range(len(perm)))


@permutation(
    "positions.permutation/signed",
    en=Explained(
        "You take the largest difference without its absolute value.",
        "A difference of -3 is as large as one of 3. Where all differences are negative, your result is the one closest to 0.",
        hint="What is the largest of -3, -3 and -1, and what do you want it to be?",
    ),
    zh_tw=Explained(
        "你取最大的差，卻沒有取絕對值。",
        "-3 的差和 3 一樣大。當差全是負的，你的結果反而是最接近 0 的那一個。",
        hint="-3、-3 和 -1 之中最大的是哪個？你要的又是哪個？",
    ),
)
def signed(ref, encode, X, perm):
    return float(_difference(encode, X, perm).max())


@variant("positions.permutation/signed")
def signed_by_entry(ref, encode, X, perm):
    return max(np.ravel(_difference(encode, X, perm)).tolist())


@permutation(
    "positions.permutation/mean",
    en=Explained(
        "You take the mean of the differences, not the largest.",
        "One token that notices the order is hidden among many that do not, and the longer the text the smaller your number.",
        hint="Read again which entry of the difference is asked for.",
    ),
    zh_tw=Explained(
        "你取的是差的平均，不是最大值。",
        "一個察覺到順序的詞元會淹沒在許多沒察覺的詞元裡，文字越長，你的數就越小。",
        hint="再讀一次，題目要的是差裡的哪一項。",
    ),
)
def mean(ref, encode, X, perm):
    return float(np.abs(_difference(encode, X, perm)).mean())


@variant("positions.permutation/mean")
def mean_by_entry(ref, encode, X, perm):
    entries = _entries(_difference(encode, X, perm))
    return math.fsum(entries) / len(entries)


@permutation(
    "positions.permutation/sum",
    en=Explained(
        "You add all differences up instead of taking the largest.",
        "A sum grows with the number of tokens and columns, so two encoders of different widths cannot be compared.",
        hint="Read again which entry of the difference is asked for.",
    ),
    zh_tw=Explained(
        "你把所有的差加起來，而不是取最大的。",
        "總和會隨詞元數和寬度變大，所以寬度不同的編碼器無法相比。",
        hint="再讀一次，題目要的是差裡的哪一項。",
    ),
)
def total(ref, encode, X, perm):
    return float(np.abs(_difference(encode, X, perm)).sum())


@variant("positions.permutation/sum")
def total_by_entry(ref, encode, X, perm):
    return math.fsum(_entries(_difference(encode, X, perm)))


@permutation(
    "positions.permutation/norm",
    en=Explained(
        "You take the norm of the difference, the root of the sum of its squares.",
        "np.linalg.norm does so unless told otherwise. It grows with the number of entries; what is asked for is the largest "
        "single one.",
        hint="Two entries differ by 3 and by 4. What is asked for: 4, or 5?",
    ),
    zh_tw=Explained(
        "你取的是差的範數，也就是平方和的平方根。",
        "np.linalg.norm 若不另外指定就是如此。項數越多它越大；題目要的是最大的那一項。",
        hint="兩項分別差 3 和 4。題目要的是 4 還是 5？",
    ),
)
def norm(ref, encode, X, perm):
    return float(np.sqrt((_difference(encode, X, perm) ** 2).sum()))


@variant("positions.permutation/norm")
def norm_by_entry(ref, encode, X, perm):
    return math.hypot(*_entries(_difference(encode, X, perm)))


@permutation(
    "positions.permutation/squared",
    en=Explained(
        "You square the differences.",
        "The square of a small difference is much smaller still: an encoder that hardly uses positions looks as if it used "
        "none.",
        hint="One entry differs by 3. Is your result 3?",
    ),
    zh_tw=Explained(
        "你把差平方了。",
        "小的差平方之後更小：幾乎不用位置的編碼器，看起來就像完全不用。",
        hint="有一項差 3。你的結果是 3 嗎？",
    ),
)
def squared(ref, encode, X, perm):
    return float((_difference(encode, X, perm) ** 2).max())


@variant("positions.permutation/squared")
def squared_by_entry(ref, encode, X, perm):
    return max(entry * entry for entry in _entries(_difference(encode, X, perm)))


@permutation(
    "positions.permutation/smallest",
    en=Explained(
        "You take the smallest difference, not the largest.",
        "A single entry that stays the same is enough to make your result 0, however much the others move.",
        hint="Which of the two is 0 only when all entries agree?",
    ),
    zh_tw=Explained(
        "你取的是最小的差，不是最大的。",
        "只要有一項不變，你的結果就是 0，不管其他的動了多少。",
        hint="最大和最小，哪一個只有在每一項都相同時才是 0？",
    ),
)
def smallest(ref, encode, X, perm):
    return float(np.abs(_difference(encode, X, perm)).min())


@variant("positions.permutation/smallest")
def smallest_by_entry(ref, encode, X, perm):
    return min(_entries(_difference(encode, X, perm)))


@permutation(
    "positions.permutation/columns",
    en=Explained(
        "You permute columns, not tokens.",
        "X[:, perm] shuffles the features of each token and leaves the tokens in their order. Tokens are rows: the first axis.",
        hint="Print the shape of what you give to encode. Is it still [T, d]?",
    ),
    zh_tw=Explained(
        "你排列的是直行，不是詞元。",
        "X[:, perm] 打亂的是每個詞元的特徵，詞元本身還在原來的順序。詞元是橫列（row），也就是第一軸。",
        hint="印出你給 encode 的東西的形狀。還是 [T, d] 嗎？",
    ),
)
def columns(ref, encode, X, perm):
    _shuffle(X, perm)
    return _largest(np.asarray(encode(X[:, perm]), dtype=float) - np.asarray(encode(X), dtype=float)[:, perm])


@variant("positions.permutation/columns")
def columns_by_column(ref, encode, X, perm):
    _shuffle(X, perm)
    before, after = encode(np.stack([X[:, p] for p in perm], axis=1)), encode(X)
    return max(_entries(before.astype(float) - np.stack([after[:, p] for p in perm], axis=1).astype(float)))


@permutation(
    "positions.permutation/columns-before",
    en=Explained(
        "Before encoding you permute columns, not tokens.",
        "X[:, perm] picks features of each token and leaves the tokens in their order. Tokens are rows: the first axis, as in the outputs that you shuffle afterwards.",
        hint="Print the shape of what you give to encode. Is it still [T, d]?",
    ),
    zh_tw=Explained(
        "編碼之前，你排列的是直行，不是詞元。",
        "X[:, perm] 挑的是每個詞元的特徵，詞元本身還在原來的順序。詞元是橫列（row），也就是第一軸，和你之後打亂的輸出一樣。",
        hint="印出你給 encode 的東西的形狀。還是 [T, d] 嗎？",
    ),
)
def columns_before(ref, encode, X, perm):
    _shuffle(X, perm)
    return _largest(np.asarray(encode(X[:, perm]), dtype=float) - np.asarray(encode(X), dtype=float)[perm])


@variant("positions.permutation/columns-before")
def columns_before_by_column(ref, encode, X, perm):
    _shuffle(X, perm)
    before, after = encode(np.stack([X[:, p] for p in perm], axis=1)), encode(X)
    return max(_entries(before.astype(float) - np.stack([after[p] for p in perm]).astype(float)))


@permutation(
    "positions.permutation/own-permutation",
    en=Explained(
        "You shuffle in a way of your own instead of by `perm`.",
        "You turn the order round. That is a permutation too, but not the one that was asked about, and an encoder may well "
        "notice the one and not the other.",
        hint="Where in your function does `perm` appear?",
    ),
    zh_tw=Explained(
        "你用自己的方式打亂，沒有照 `perm`。",
        "你把順序倒了過來。那也是一種排列，但不是題目問的那一個；編碼器可能察覺得到這個，卻察覺不到那個。",
        hint="在你的函式裡，`perm` 出現在哪裡？",
    ),
)
def own_permutation(ref, encode, X, perm):
    _shuffle(X, perm)
    return _largest(_difference(encode, X, np.arange(len(X))[::-1]))


@variant("positions.permutation/own-permutation")
def own_permutation_by_flip(ref, encode, X, perm):
    _shuffle(X, perm)
    before, after = encode(np.flipud(X)).astype(float), encode(X).astype(float)
    return max(_entries(before - np.flip(after, axis=0)))


@permutation(
    "positions.permutation/first-token-only",
    en=Explained(
        "You compare only the first row.",
        "The order may matter to later tokens and not to the first: in a running mean it is the first that has seen least.",
        hint="How many numbers does your difference hold before you take the largest?",
    ),
    zh_tw=Explained(
        "你只比較了第一個橫列。",
        "順序可能對後面的詞元有影響，對第一個沒有：在累計平均裡，第一個看到的最少。",
        hint="取最大值之前，你的差裡有幾個數？",
    ),
)
def first_token_only(ref, encode, X, perm):
    return _largest(_difference(encode, X, perm)[0])


@variant("positions.permutation/first-token-only")
def first_token_only_by_index(ref, encode, X, perm):
    before = np.asarray(encode(_shuffle(X, perm))[0], dtype=float)
    return max(_entries(before - np.asarray(encode(X)[perm[0]], dtype=float)))


@permutation(
    "positions.permutation/largest-of-each",
    en=Explained(
        "You compare the largest entries of the two outputs, not the outputs entry by entry.",
        "The largest entry is the same wherever it stands. Subtract first, then look for the largest.",
        hint="In which order do you subtract, take the absolute value and take the largest?",
    ),
    zh_tw=Explained(
        "你比較的是兩個輸出各自的最大項，而不是逐項比較。",
        "最大項不管在哪裡都一樣大。先相減，再找最大的。",
        hint="相減、取絕對值、取最大值，你是照什麼順序做的？",
    ),
)
def largest_of_each(ref, encode, X, perm):
    before, after = encode(_shuffle(X, perm)), encode(X)
    return abs(float(before.max()) - float(after.max()))


@variant("positions.permutation/largest-of-each")
def largest_of_each_by_entry(ref, encode, X, perm):
    before, after = np.ravel(encode(_shuffle(X, perm))).tolist(), np.ravel(encode(X)[perm]).tolist()
    return math.fabs(max(before) - max(after))


@permutation(
    "positions.permutation/difference-returned",
    en=Explained(
        "You return the whole difference, not its largest entry.",
        "A sensitivity is one number that can be compared with 0. The array of differences is the step before.",
        hint="Print the shape of what you return.",
    ),
    zh_tw=Explained(
        "你回傳了整個差，而不是其中最大的一項。",
        "敏感度是一個可以和 0 比較的數。差的陣列是前一步。",
        hint="印出回傳值的形狀。",
    ),
)
def difference_returned(ref, encode, X, perm):
    return np.abs(_difference(encode, X, perm))


@variant("positions.permutation/difference-returned")
def difference_returned_by_row(ref, encode, X, perm):
    return np.array([np.abs(row) for row in _difference(encode, X, perm)])


@permutation(
    "positions.permutation/one-a-token",
    en=Explained(
        "You return a number for each token.",
        "You took the largest along one axis only. The largest of these is what is asked for: one number for the encoder.",
        hint="Print the shape of what you return.",
    ),
    zh_tw=Explained(
        "你為每個詞元各回傳了一個數。",
        "你只沿著一軸取了最大值。題目要的是這些數裡最大的：一個編碼器一個數。",
        hint="印出回傳值的形狀。",
    ),
)
def one_a_token(ref, encode, X, perm):
    difference = np.abs(_difference(encode, X, perm))
    return difference.max(axis=tuple(range(1, difference.ndim)))


@variant("positions.permutation/one-a-token")
def one_a_token_by_row(ref, encode, X, perm):
    return np.array([max(_entries(row)) for row in _difference(encode, X, perm)])


@permutation(
    "positions.permutation/yes-or-no",
    en=Explained(
        "You answer whether the order matters, not how much.",
        "A yes hides whether an encoder leans on positions or hardly uses them, and the limit that np.allclose draws was not "
        "asked for.",
        hint="What is the type of what you return? The docstring asks for a float.",
    ),
    zh_tw=Explained(
        "你回答的是順序有沒有影響，而不是影響多大。",
        "一個「有」看不出編碼器是很依賴位置還是幾乎不用，而 np.allclose 劃的界線也不是題目要的。",
        hint="你回傳的是什麼型別？docstring 要的是 float。",
    ),
)
def yes_or_no(ref, encode, X, perm):
    return bool(np.abs(_difference(encode, X, perm)).max() > 1e-5)


@variant("positions.permutation/yes-or-no")
def yes_or_no_by_entry(ref, encode, X, perm):
    return any(entry > 1e-5 for entry in _entries(_difference(encode, X, perm)))


@permutation(
    "positions.permutation/relative-to-the-output",
    en=Explained(
        "You divide by the largest output.",
        "That makes a share of the difference. What is asked for is the difference itself, in the units of the output.",
        hint="Let the encoder return twice as much. Does your result double?",
    ),
    zh_tw=Explained(
        "你除以了最大的輸出。",
        "這樣差就成了比例。題目要的是差本身，單位和輸出相同。",
        hint="讓編碼器回傳兩倍的值。你的結果有變成兩倍嗎？",
    ),
)
def relative_to_the_output(ref, encode, X, perm):
    return _largest(_difference(encode, X, perm)) / float(np.abs(encode(X)).max())


@variant("positions.permutation/relative-to-the-output")
def relative_to_the_output_by_entry(ref, encode, X, perm):
    return max(_entries(_difference(encode, X, perm))) / max(_entries(np.asarray(encode(X), dtype=float)))


@permutation(
    "positions.permutation/rounded",
    en=Explained(
        "You count small differences as 0.",
        "A rounding error is about 1e-16; a difference of 1e-6 is real: an encoder whose positions are small knows the order "
        "all the same. Whether a number is small enough is for the caller to judge.",
        hint="Is there a limit or a round in your function?",
    ),
    zh_tw=Explained(
        "你把小的差當成了 0。",
        "捨入誤差大約是 1e-16；1e-6 的差是真的：位置用得很少的編碼器，一樣知道順序。一個數算不算小，該由呼叫端判斷。",
        hint="你的函式裡有門檻或 round 嗎？",
    ),
)
def rounded(ref, encode, X, perm):
    found = _largest(_difference(encode, X, perm))
    return found if found > 1e-4 else 0.0


@variant("positions.permutation/rounded")
def rounded_by_entry(ref, encode, X, perm):
    return max([entry for entry in _entries(_difference(encode, X, perm)) if entry >= 1e-4], default=0.0)


@permutation(
    "positions.permutation/wrapped-around",
    en=Explained(
        "Differences of unsigned integers wrap around.",
        "In uint8, 1 - 3 is not -2 but 254, and no error is raised. Turn both outputs into float64 before you subtract.",
        hint="What is np.uint8(1) - np.uint8(3)?",
    ),
    zh_tw=Explained(
        "無號整數的差繞回去了。",
        "在 uint8 裡，1 - 3 不是 -2，而是 254，而且不會引發例外。相減之前，先把兩個輸出變成 float64。",
        hint="np.uint8(1) - np.uint8(3) 是多少？",
    ),
)
def wrapped_around(ref, encode, X, perm):
    return float(np.abs(encode(_shuffle(X, perm)) - encode(X)[perm]).max())


@variant("positions.permutation/wrapped-around")
def wrapped_around_by_row(ref, encode, X, perm):
    before, after = encode(_shuffle(X, perm)), encode(X)
    return max(float(np.max(np.abs(np.subtract(before[i], after[j])))) for i, j in enumerate(perm))


@permutation(
    "positions.permutation/columns-expected",
    en=Explained(
        "Your function needs an encoder that gives rows of numbers.",
        "[perm, :] asks for a second axis. An encoder may give one number a token, or a matrix; [perm] takes the first axis, "
        "whatever comes after it.",
        hint="Try an encoder that returns X[:, 0], and read the error.",
    ),
    zh_tw=Explained(
        "你的函式要求編碼器給出一列一列的數。",
        "[perm, :] 要有第二軸。編碼器可以每個詞元給一個數，也可以給一個矩陣；[perm] 取的是第一軸，後面是什麼都行。",
        hint="試試回傳 X[:, 0] 的編碼器，讀一讀錯誤訊息。",
    ),
)
def columns_expected(ref, encode, X, perm):
    before, after = encode(_shuffle(X, perm)), encode(X)[perm, :]
    return _largest(before.astype(float) - after.astype(float))


@variant("positions.permutation/columns-expected")
def columns_expected_by_column(ref, encode, X, perm):
    before, after = encode(_shuffle(X, perm)).astype(float), encode(X).astype(float)
    if before.ndim < 2:
        raise IndexError("there is no second axis")
    return max(max(_entries(before[:, c] - after[perm, c])) for c in range(before.shape[1]))


@permutation(
    "positions.permutation/unchecked",
    en=Explained(
        "You accept numbers that are no permutation.",
        "Indexing takes almost anything: a row twice, another one never, the last one by -1. Tokens are then lost or doubled, "
        "and the result is about something else than their order.",
        hint="Try [0, 0, 1]. What must be true of a permutation of 0 .. T-1 when it is sorted?",
    ),
    zh_tw=Explained(
        "不是排列的數，你也接受了。",
        "索引幾乎什麼都收：同一個橫列兩次、另一個一次也沒有、用 -1 指最後一個。這樣詞元會少掉或重複，結果說的就不是順序了。",
        hint="試試 [0, 0, 1]。0 .. T-1 的排列排序之後，一定是什麼樣子？",
    ),
)
def unchecked(ref, encode, X, perm):
    return _largest(encode(X[perm]).astype(float) - encode(X).astype(float)[perm])


@variant("positions.permutation/unchecked")
def unchecked_by_row(ref, encode, X, perm):
    before, after = encode(np.stack([X[p] for p in perm])), encode(X)
    return max(
        max(_entries(np.asarray(before[i], dtype=float) - np.asarray(after[p], dtype=float)))
        for i, p in enumerate(perm)
    )


@permutation(
    "positions.permutation/length-only",
    en=Explained(
        "You check how many numbers the permutation has, and not which.",
        "A row may stand in it twice and another one not at all, and -1 is the last row once more. Tokens are then lost or "
        "doubled.",
        hint="Try [0, 0, 1]: the right length, and no permutation.",
    ),
    zh_tw=Explained(
        "你檢查了排列有幾個數，沒檢查是哪些數。",
        "同一個橫列可能出現兩次，另一個一次也沒有，-1 又是最後一個橫列。這樣詞元會少掉或重複。",
        hint="試試 [0, 0, 1]：長度對，卻不是排列。",
    ),
)
def length_only(ref, encode, X, perm):
    if X.ndim != 2 or perm.shape != X.shape[:1]:
        raise ValueError("the permutation has another length")
    return _largest(encode(X[perm]).astype(float) - encode(X).astype(float)[perm])


@variant("positions.permutation/length-only")
def length_only_by_row(ref, encode, X, perm):
    if len(X.shape) != 2 or len(perm) != len(X):
        raise ValueError("one place a token")
    before, after = encode(np.stack([X[p] for p in perm])), encode(X)
    return max(
        max(_entries(np.asarray(before[i], dtype=float) - np.asarray(after[p], dtype=float)))
        for i, p in enumerate(perm)
    )


@permutation(
    "positions.permutation/any-length",
    en=Explained(
        "You accept a permutation of fewer tokens than there are.",
        "It holds each number once, but it leaves the last tokens out. What is compared then is two texts of different "
        "lengths, not two orders of one.",
        hint="Five tokens, and a permutation of 0 .. 3: which line of your check says no?",
    ),
    zh_tw=Explained(
        "排列的個數比詞元少，你也接受了。",
        "每個數確實各出現一次，但最後的詞元被漏掉了。這樣比較的是兩段長度不同的文字，而不是同一段的兩種順序。",
        hint="五個詞元，卻是 0 .. 3 的排列：你的檢查裡，哪個敘述會說不行？",
    ),
)
def any_length(ref, encode, X, perm):
    if sorted(perm.tolist()) != list(range(len(perm))):
        raise ValueError("not a permutation")
    return _largest(encode(X[perm]).astype(float) - encode(X).astype(float)[perm])


@variant("positions.permutation/any-length")
def any_length_by_row(ref, encode, X, perm):
    if set(perm.tolist()) != set(range(perm.size)):
        raise ValueError("a number is missing")
    before, after = encode(np.stack([X[p] for p in perm])), encode(X)
    return max(
        max(_entries(np.asarray(before[i], dtype=float) - np.asarray(after[p], dtype=float)))
        for i, p in enumerate(perm)
    )


@any_permutation(
    "positions.permutation/no-tokens",
    en=Explained(
        "You have no answer where there are no tokens.",
        "An array without entries has no largest one, and max raises. But where there is nothing to shuffle nothing differs, "
        "and the sensitivity is 0.0.",
        hint="What does your function do with X of shape (0, 3)? Can max be told where to begin?",
    ),
    zh_tw=Explained(
        "一個詞元都沒有時，你給不出答案。",
        "沒有元素的陣列就沒有最大值，max 會引發錯誤。但是沒有東西可以打亂，就沒有差別，敏感度是 0.0。",
        hint="X 的形狀是 (0, 3) 時，你的函式會怎麼做？可以告訴 max 從哪裡開始嗎？",
    ),
)
def no_tokens(ref, encode, X, perm):
    return float(np.max(np.abs(_difference(encode, X, perm))))


@any_variant("positions.permutation/no-tokens")
def no_tokens_by_entry(ref, encode, X, perm):
    return max(_entries(_difference(encode, X, perm)))


@permutation(
    "positions.permutation/tokens-changed",
    en=Explained(
        "Your result is right, but the caller's tokens are shuffled afterwards.",
        "X[:] = X[perm] writes into the array that was handed over. X[perm] by itself is a new array already.",
        hint="Print X before and after the call.",
    ),
    zh_tw=Explained(
        "結果是對的，但呼叫端的詞元之後被打亂了。",
        "X[:] = X[perm] 寫進了傳進來的陣列。X[perm] 本身已經是新的陣列。",
        hint="在呼叫之前和之後各印一次 X。",
    ),
)
def tokens_changed(ref, encode, X, perm):
    shuffled = _shuffle(X, perm)
    after = np.asarray(encode(X), dtype=float)[perm]
    X[:] = shuffled
    return _largest(np.asarray(encode(X), dtype=float) - after)


@variant("positions.permutation/tokens-changed")
def tokens_changed_by_row(ref, encode, X, perm):
    found = max(_entries(_difference(encode, X, perm)), default=0.0)
    for i, row in enumerate(_shuffle(X, perm)):
        X[i] = row
    return found
