"""What goes wrong in the exercise positions.rope."""

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    ALWAYS_FLOAT32,
    BASE_DEFAULT,
    BASE_IGNORED,
    DOUBLED,
    FLOAT32_LOST,
    GROWING,
    HALF_KEPT,
    IN_PLACE,
    ODD_ACCEPTED,
    OVERWRITTEN,
    REVERSED,
    SWAPPED,
    TRUNCATED,
    _each_pair,
    _frequencies,
    _positive,
    _real,
    _rows,
    _spun,
    _turned,
    _woven,
    rope,
)


def _angles(positions, d, base):
    """Return the right angles, [..., T, d/2]."""
    return positions[..., None] * _frequencies(d, base)


def _right(x, positions, base):
    x, positions = _rows(x, positions, base)
    return _turned(x, _angles(positions, x.shape[-1], base))


def _spinning(x, positions, base, angle, partner=None):
    """Turn each pair by angle(p, i), one by one."""
    return _each_pair(x, positions, base, lambda p, i, a, b: _spun(a, b, angle(p, i)), partner)


@rope(
    "positions.rope/not-turned",
    en=Explained(
        "You return x as it came.",
        "Without a turn a query cannot tell where a key stands, and attention sees a bag of tokens. Rows of the right shape "
        "and length are not yet turned rows.",
        hint="Compare a row at position 1 with your result. Has anything changed?",
    ),
    zh_tw=Explained(
        "你把 x 原樣回傳了。",
        "沒有旋轉，查詢就不知道鍵在哪裡，注意力看到的只是一袋詞元。形狀和長度都對，並不代表轉過了。",
        hint="拿位置 1 的橫列和你的結果比較。有任何改變嗎？",
    ),
)
def not_turned(ref, x, positions, base=10000.0):
    return _rows(x, positions, base)[0].copy()


@variant("positions.rope/not-turned")
def not_turned_by_loop(ref, x, positions, base=10000.0):
    return _each_pair(x, positions, base, lambda _p, _i, a, b: (a, b))


@rope(
    "positions.rope/half-split",
    en=Explained(
        "You pair column i with column i + d/2.",
        "Some libraries do, and a model trained so works as well; but with weights of the other kind every head is scrambled. "
        "Here neighbours are a pair: columns 2i and 2i+1.",
        hint="Turn [1, 0, 0, 0] at position 1. In which column does the sine show up?",
    ),
    zh_tw=Explained(
        "你把直行 i 和直行 i + d/2 配成了一對。",
        "有些函式庫這樣做，這樣訓練的模型也能用；但配上另一種權重，每個注意力頭就全亂了。在這裡相鄰的是一對：直行 2i 和 2i+1。",
        hint="在位置 1 轉 [1, 0, 0, 0]。正弦出現在哪個直行？",
    ),
)
def half_split(ref, x, positions, base=10000.0):
    x, positions = _rows(x, positions, base)
    half = x.shape[-1] // 2
    angles = _angles(positions, x.shape[-1], base)
    c, s = np.cos(angles).astype(x.dtype), np.sin(angles).astype(x.dtype)
    a, b = x[..., :half], x[..., half:]
    return np.concatenate([a * c - b * s, a * s + b * c], axis=-1)


@variant("positions.rope/half-split")
def half_split_by_loop(ref, x, positions, base=10000.0):
    d = x.shape[-1]
    return _spinning(x, positions, base, lambda p, i: p / base ** (2 * i / d), lambda i: (i, i + d // 2))


@rope(
    "positions.rope/angles-of-neighbours",
    en=Explained(
        "Your angles are laid out for neighbours, but you turn column i with column i + d/2.",
        "The two halves of a pair then get different angles, so it is no rotation: lengths change. Repeating each angle twice "
        "in a row belongs to pairs (2i, 2i+1), and only to them.",
        hint="Which two columns get the same angle, and which two do you mix?",
    ),
    zh_tw=Explained(
        "你的角度是照相鄰的對排的，轉的卻是直行 i 和直行 i + d/2。",
        "一對裡的兩半因此拿到不同的角度，這就不是旋轉了：長度會變。每個角度連續重複兩次，只適用於 (2i, 2i+1) 這樣的對。",
        hint="哪兩個直行拿到同樣的角度？你混在一起的又是哪兩個？",
    ),
)
def angles_of_neighbours(ref, x, positions, base=10000.0):
    x, positions = _rows(x, positions, base)
    angles = np.repeat(_angles(positions, x.shape[-1], base), 2, axis=-1)
    a, b = np.split(x, 2, axis=-1)
    return (x * np.cos(angles) + np.concatenate([-b, a], axis=-1) * np.sin(angles)).astype(x.dtype)


@variant("positions.rope/angles-of-neighbours")
def angles_of_neighbours_by_loop(ref, x, positions, base=10000.0):
    d = x.shape[-1]
    half = d // 2

    def turn(p, i, a, b):
        first, second = p / base ** (2 * (i // 2) / d), p / base ** (2 * ((i + half) // 2) / d)
        return a * math.cos(first) - b * math.sin(first), b * math.cos(second) + a * math.sin(second)

    return _each_pair(x, positions, base, turn, lambda i: (i, i + half))


@rope(
    "positions.rope/angles-of-halves",
    en=Explained(
        "You turn neighbours, but your angles are laid out for halves.",
        "Laid end to end twice, the angles give columns 2i and 2i+1 different frequencies, so it is no rotation: lengths "
        "change. For neighbours each angle stands twice in a row.",
        hint="Print the angles of columns 0 and 1. They should be equal.",
    ),
    zh_tw=Explained(
        "你轉的是相鄰的直行，角度卻是照前後兩半排的。",
        "整組角度首尾相接排兩遍，會讓直行 2i 和 2i+1 的頻率不同，這就不是旋轉了：長度會變。相鄰成對時，每個角度要連續出現兩次。",
        hint="印出直行 0 和 1 的角度。它們應該相等。",
    ),
)
def angles_of_halves(ref, x, positions, base=10000.0):
    x, positions = _rows(x, positions, base)
    angles = np.tile(_angles(positions, x.shape[-1], base), 2)
    return (x * np.cos(angles) + _woven(-x[..., 1::2], x[..., 0::2]) * np.sin(angles)).astype(x.dtype)


@variant("positions.rope/angles-of-halves")
def angles_of_halves_by_loop(ref, x, positions, base=10000.0):
    d = x.shape[-1]

    def turn(p, i, a, b):
        first, second = (p * base ** (-2 * (c % (d // 2)) / d) for c in (2 * i, 2 * i + 1))
        return a * math.cos(first) - b * math.sin(first), b * math.cos(second) + a * math.sin(second)

    return _each_pair(x, positions, base, turn)


@rope(
    "positions.rope/along-the-batch",
    en=Explained(
        "In a batch, you count positions along the first axis.",
        "A token's angle then depends on its sequence or head, and all tokens of one sequence are turned alike: the order is "
        "lost. Tokens lie on the last axis but one.",
        hint="Print the shapes of x and of your angles, and write below each axis what it counts.",
    ),
    zh_tw=Explained(
        "有批次時，你沿著第一軸數位置。",
        "詞元的角度因此取決於它屬於哪個序列或注意力頭，同一個序列的詞元全轉得一樣：順序就不見了。詞元排在倒數第二軸。",
        hint="印出 x 和角度的形狀，在每一軸下面寫出它數的是什麼。",
    ),
)
def along_the_batch(ref, x, positions, base=10000.0):
    shared = positions.ndim == 1 and x.ndim > 2
    x, everywhere = _rows(x, positions, base)
    if shared:
        everywhere = np.resize(positions, x.shape[0]).reshape(-1, *[1] * (x.ndim - 2))
    return _turned(x, np.broadcast_to(everywhere, x.shape[:-1])[..., None] * _frequencies(x.shape[-1], base))


@variant("positions.rope/along-the-batch")
def along_the_batch_by_sequence(ref, x, positions, base=10000.0):
    if x.ndim == 2 or positions.ndim > 1:
        return _right(x, positions, base)
    _rows(x, positions, base)
    ones = np.ones(x.shape[1:-1])
    return np.stack([_right(each, ones * positions[b % len(positions)], base) for b, each in enumerate(x)])


@rope(
    "positions.rope/along-the-heads",
    en=Explained(
        "You turn each head by its number, not each token by its position.",
        "Your angles lie along the axis before that of the tokens: all tokens of one head are turned alike, and their order "
        "is lost. In [B, H, T, d] the tokens are on the last axis but one.",
        hint="Compare two tokens of one head. Are they turned by different angles?",
    ),
    zh_tw=Explained(
        "你是依注意力頭的編號轉，不是依詞元的位置轉。",
        "你的角度排在詞元前面的那一軸：同一個頭的詞元全轉得一樣，順序就不見了。在 [B, H, T, d] 裡，詞元在倒數第二軸。",
        hint="比較同一個頭裡的兩個詞元：它們轉的角度不同嗎？",
    ),
)
def along_the_heads(ref, x, positions, base=10000.0):
    shared = positions.ndim == 1 and x.ndim > 2
    x, everywhere = _rows(x, positions, base)
    if shared:
        everywhere = np.resize(positions, x.shape[-3])[:, None]
    return _turned(x, np.broadcast_to(everywhere, x.shape[:-1])[..., None] * _frequencies(x.shape[-1], base))


@variant("positions.rope/along-the-heads")
def along_the_heads_by_head(ref, x, positions, base=10000.0):
    if x.ndim == 2 or positions.ndim > 1:
        return _right(x, positions, base)
    _rows(x, positions, base)
    heads = np.moveaxis(x, -3, 0)
    ones = np.ones(heads.shape[1:-1])
    turned = [_right(head, ones * positions[h % len(positions)], base) for h, head in enumerate(heads)]
    return np.moveaxis(np.array(turned), 0, -3)


@rope(
    "positions.rope/clockwise",
    en=Explained(
        "You turn clockwise.",
        "Scores of queries and keys that both turn the wrong way depend on the distance as well, so a model would learn just "
        "as much. But the convention here is counter-clockwise: column 0 turns towards column 1.",
        hint="Turn [1, 0] at position 1. Is the second number sin(1) or -sin(1)?",
    ),
    zh_tw=Explained(
        "你轉的是順時針。",
        "查詢和鍵都反著轉時，分數一樣只看距離，模型也照樣能學。但這裡約定的是逆時針：直行 0 轉向直行 1。",
        hint="在位置 1 轉 [1, 0]。第二個數是 sin(1) 還是 -sin(1)？",
    ),
)
def clockwise(ref, x, positions, base=10000.0):
    x, positions = _rows(x, positions, base)
    return _turned(x, -_angles(positions, x.shape[-1], base))


@variant("positions.rope/clockwise")
def clockwise_by_loop(ref, x, positions, base=10000.0):
    return _spinning(x, positions, base, lambda p, i: -p / base ** (2 * i / x.shape[-1]))


@rope(
    "positions.rope/starts-at-1",
    en=Explained(
        "You add 1 to the positions.",
        "A token at position 0 is not turned at all. With every position one too large the scores stay as they are, but keys "
        "that were cached by others no longer fit.",
        hint="What should become of the row at position 0?",
    ),
    zh_tw=Explained(
        "你把位置加了 1。",
        "位置 0 的詞元完全不轉。每個位置都多 1，分數雖然不變，但別人快取下來的鍵就對不上了。",
        hint="位置 0 的橫列應該變成什麼？",
    ),
)
def starts_at_1(ref, x, positions, base=10000.0):
    return _right(x, positions + 1, base)


@variant("positions.rope/starts-at-1")
def starts_at_1_by_loop(ref, x, positions, base=10000.0):
    return _spinning(x, positions, base, lambda p, i: (1 + p) * base ** (-2 * i / x.shape[-1]))


@rope(
    "positions.rope/positions-ignored",
    en=Explained(
        "You count the rows yourself instead of using `positions`.",
        "While a whole text is read both are the same. A new token behind a cache comes alone, as row 0, though it stands at "
        "position 500: it would be turned as if the text began with it.",
        hint="Where in your function does `positions` appear?",
    ),
    zh_tw=Explained(
        "你自己數橫列，沒有用 `positions`。",
        "一次讀完整段文字時兩者相同。有快取時，新詞元單獨進來，是第 0 個橫列，卻站在位置 500：你會把它當成文字的開頭來轉。",
        hint="在你的函式裡，`positions` 出現在哪裡？",
    ),
)
def positions_ignored(ref, x, positions, base=10000.0):
    x, _ = _rows(x, positions, base)
    return _right(x, np.arange(x.shape[-2]), base)


@variant("positions.rope/positions-ignored")
def positions_ignored_by_row(ref, x, positions, base=10000.0):
    x, _ = _rows(x, positions, base)
    out = np.empty_like(x)
    for t in range(x.shape[-2]):
        out[..., t, :] = _turned(x[..., t, :], t * _frequencies(x.shape[-1], base))
    return out


@rope(
    "positions.rope/from-the-first",
    en=Explained(
        "You count positions from the first one that is given.",
        "Within one call only distances matter, but keys of an earlier call were turned by their real positions. A new query "
        "counted from itself stands at 0, before them all.",
        hint="Is a single row at position 7 turned by your function?",
    ),
    zh_tw=Explained(
        "你從給定的第一個位置開始數。",
        "同一次呼叫裡只看距離，但先前呼叫的鍵是照真正的位置轉的。新的查詢若從自己數起，就站在 0，排到它們前面去了。",
        hint="位置 7 的單獨一個橫列，你的函式會轉它嗎？",
    ),
)
def from_the_first(ref, x, positions, base=10000.0):
    x, positions = _rows(x, positions, base)
    return _right(x, positions - positions[..., :1], base)


@variant("positions.rope/from-the-first")
def from_the_first_by_row(ref, x, positions, base=10000.0):
    x, positions = _rows(x, positions, base)
    out = np.empty_like(x)
    for t in range(x.shape[-2]):
        steps = positions[..., t] - positions[..., 0]
        out[..., t, :] = _turned(x[..., t, :], steps[..., None] * _frequencies(x.shape[-1], base))
    return out


@rope(
    "positions.rope/quarter-turn",
    en=Explained(
        "You turn every pair by a quarter, wherever it stands.",
        "(-b, a) is the part that is multiplied by the sine. Without cosine and sine of the angle every position is turned "
        "alike, which is as good as not at all.",
        hint="Where do the positions enter your result?",
    ),
    zh_tw=Explained(
        "不管在哪個位置，你都把每一對轉了四分之一圈。",
        "(-b, a) 是要乘上正弦的那一部分。沒有角度的餘弦和正弦，每個位置都轉得一樣，等於沒轉。",
        hint="位置在哪裡進入你的結果？",
    ),
)
def quarter_turn(ref, x, positions, base=10000.0):
    x, _ = _rows(x, positions, base)
    return _woven(-x[..., 1::2], x[..., 0::2])


@variant("positions.rope/quarter-turn")
def quarter_turn_by_loop(ref, x, positions, base=10000.0):
    return _spinning(x, positions, base, lambda _p, _i: math.pi / 2)


@rope(
    "positions.rope/cosine-only",
    en=Explained(
        "You multiply by the cosine and stop there.",
        "Half of a rotation is missing: the part of a pair that turns into its partner. So vectors shrink to nothing at a "
        "quarter turn, and positions p and -p look alike.",
        hint="Turn [1, 0] at position 1. What stands in the second column?",
    ),
    zh_tw=Explained(
        "你只乘了餘弦就結束了。",
        "旋轉少了一半：一對裡轉到夥伴身上的那部分。所以轉四分之一圈時向量會縮成零，而位置 p 和 -p 看起來一樣。",
        hint="在位置 1 轉 [1, 0]。第二個直行是什麼？",
    ),
)
def cosine_only(ref, x, positions, base=10000.0):
    x, positions = _rows(x, positions, base)
    return (x * np.cos(np.repeat(_angles(positions, x.shape[-1], base), 2, axis=-1))).astype(x.dtype)


@variant("positions.rope/cosine-only")
def cosine_only_by_loop(ref, x, positions, base=10000.0):
    d = x.shape[-1]

    def turn(p, i, a, b):
        c = math.cos(p * base ** (-2 * i / d))
        return a * c, b * c

    return _each_pair(x, positions, base, turn)


@rope(
    "positions.rope/added",
    en=Explained(
        "You add sines and cosines to x instead of turning it.",
        "That is the sinusoidal encoding of the first exercise. RoPE adds nothing: it turns what is there, so that lengths "
        "stay and only the distance counts in a score.",
        hint="A row of zeros at position 1: what should come out?",
    ),
    zh_tw=Explained(
        "你把正弦和餘弦加到 x 上，而不是旋轉它。",
        "那是第一題的正弦位置編碼。RoPE 什麼也不加：它轉的是原有的東西，所以長度不變，分數也只看距離。",
        hint="位置 1 的一個全零橫列，應該得到什麼？",
    ),
)
def added(ref, x, positions, base=10000.0):
    x, positions = _rows(x, positions, base)
    angles = _angles(positions, x.shape[-1], base)
    return x + _woven(np.sin(angles), np.cos(angles)).astype(x.dtype)


@variant("positions.rope/added")
def added_by_loop(ref, x, positions, base=10000.0):
    d = x.shape[-1]

    def turn(p, i, a, b):
        angle = p / base ** (2 * i / d)
        return a + math.sin(angle), b + math.cos(angle)

    return _each_pair(x, positions, base, turn)


@rope(
    "positions.rope/not-woven-back",
    en=Explained(
        "You return all first halves of the pairs, then all second halves.",
        "You split x into even and odd columns, turned them rightly, and put the two blocks side by side. Queries and keys "
        "that are shuffled alike still match, but the columns no longer stand where they came from.",
        hint="Turn a row at position 0. It should come back as it was.",
    ),
    zh_tw=Explained(
        "你先回傳每一對的前一半，再回傳後一半。",
        "你把 x 分成偶數和奇數直行，轉得也對，卻把兩塊並排放。查詢和鍵打亂得一樣時還是配得上，但直行已經不在原來的地方了。",
        hint="轉位置 0 的一個橫列。它應該原樣回來。",
    ),
)
def not_woven_back(ref, x, positions, base=10000.0):
    right = _right(x, positions, base)
    return np.concatenate([right[..., 0::2], right[..., 1::2]], axis=-1)


@variant("positions.rope/not-woven-back")
def not_woven_back_by_pairs(ref, x, positions, base=10000.0):
    right = _spinning(x, positions, base, lambda p, i: p / base ** (2 * i / x.shape[-1]))
    return right.reshape(*right.shape[:-1], -1, 2).swapaxes(-1, -2).reshape(right.shape)


@rope(
    "positions.rope/half-left-alone",
    en=Explained(
        "You turn only the first half of the columns.",
        "The frequencies are as many as the pairs, d/2, not as many as the pairs in half of the columns. What is not turned "
        "is blind to positions.",
        hint="Which columns of a row at position 3 come back unchanged?",
    ),
    zh_tw=Explained(
        "你只轉了前一半的直行。",
        "頻率的個數是對數 d/2，不是半數直行裡的對數。沒有轉的部分看不到位置。",
        hint="位置 3 的一個橫列裡，哪些直行原樣回來了？",
    ),
)
def half_left_alone(ref, x, positions, base=10000.0):
    right, half = _right(x, positions, base), x.shape[-1] // 2 // 2 * 2
    right[..., half:] = x[..., half:]
    return right


@variant("positions.rope/half-left-alone")
def half_left_alone_by_loop(ref, x, positions, base=10000.0):
    d = x.shape[-1]
    return _spinning(x, positions, base, lambda p, i: p / base ** (2 * i / d) if i < d // 4 else 0.0)


@rope(
    "positions.rope/one-frequency",
    en=Explained(
        "You turn all pairs equally fast, by one radian a position.",
        "After 2 pi, that is after about six positions, all pairs are back where they began. The slow pairs are what tells "
        "positions apart that are far from each other.",
        hint="By which angle does the last pair turn at position 1?",
    ),
    zh_tw=Explained(
        "你讓每一對都轉得一樣快，每個位置一弧度。",
        "轉過 2π，也就是大約六個位置之後，每一對都回到起點。要分辨相距很遠的位置，靠的是轉得慢的那些對。",
        hint="在位置 1，最後一對轉了多少角度？",
    ),
)
def one_frequency(ref, x, positions, base=10000.0):
    x, positions = _rows(x, positions, base)
    return _turned(x, positions[..., None] * np.ones(x.shape[-1] // 2))


@variant("positions.rope/one-frequency")
def one_frequency_by_loop(ref, x, positions, base=10000.0):
    return _spinning(x, positions, base, lambda p, _: p)


@rope("positions.rope/exponent-doubled", **DOUBLED)
def exponent_doubled(ref, x, positions, base=10000.0):
    x, positions = _rows(x, positions, base)
    return _turned(x, _angles(positions, x.shape[-1], base**2))


@variant("positions.rope/exponent-doubled")
def exponent_doubled_by_loop(ref, x, positions, base=10000.0):
    return _spinning(x, positions, base, lambda p, i: p / base ** (2 * i / (x.shape[-1] // 2)))


@rope("positions.rope/growing", **GROWING)
def growing(ref, x, positions, base=10000.0):
    x, positions = _rows(x, positions, base)
    return _turned(x, positions[..., None] / _frequencies(x.shape[-1], base))


@variant("positions.rope/growing")
def growing_by_loop(ref, x, positions, base=10000.0):
    return _spinning(x, positions, base, lambda p, i: p * base ** (2 * i / x.shape[-1]))


@rope("positions.rope/reversed", **REVERSED)
def reversed_order(ref, x, positions, base=10000.0):
    x, positions = _rows(x, positions, base)
    return _turned(x, _angles(positions, x.shape[-1], base)[..., ::-1])


@variant("positions.rope/reversed")
def reversed_by_loop(ref, x, positions, base=10000.0):
    return _spinning(x, positions, base, lambda p, i: p / base ** ((x.shape[-1] - 2 - 2 * i) / x.shape[-1]))


@rope("positions.rope/overwritten", **OVERWRITTEN)
def overwritten(ref, x, positions, base=10000.0):
    x, positions = _rows(x, positions, base)
    angles = _angles(positions, x.shape[-1], base)
    y = x.copy()
    even, odd = y[..., 0::2], y[..., 1::2]
    even[...] = even * np.cos(angles) - odd * np.sin(angles)
    odd[...] = even * np.sin(angles) + odd * np.cos(angles)
    return y


@variant("positions.rope/overwritten")
def overwritten_by_loop(ref, x, positions, base=10000.0):
    d = x.shape[-1]

    def turn(p, i, a, b):
        angle = p / base ** (2 * i / d)
        a = a * math.cos(angle) - b * math.sin(angle)
        return a, b * math.cos(angle) + a * math.sin(angle)

    return _each_pair(x, positions, base, turn)


@rope("positions.rope/sine-cosine-swapped", **SWAPPED)
def swapped(ref, x, positions, base=10000.0):
    x, positions = _rows(x, positions, base)
    angles = _angles(positions, x.shape[-1], base)
    c, s = np.sin(angles).astype(x.dtype), np.cos(angles).astype(x.dtype)
    return _woven(x[..., 0::2] * c - x[..., 1::2] * s, x[..., 0::2] * s + x[..., 1::2] * c)


@variant("positions.rope/sine-cosine-swapped")
def swapped_by_loop(ref, x, positions, base=10000.0):
    return _spinning(x, positions, base, lambda p, i: math.pi / 2 - p / base ** (2 * i / x.shape[-1]))


@rope(
    "positions.rope/table-too-short",
    en=Explained(
        "You look angles up in a table that is as long as x, and positions lie beyond it.",
        "A table of T rows knows positions 0 to T-1. A token behind a cache stands at a later one. Angles are cheap: multiply, "
        "and no position is too large.",
        hint="How many rows of x are there, and how large is the largest position?",
    ),
    zh_tw=Explained(
        "你從一張和 x 一樣長的表裡查角度，而位置超出了表。",
        "T 個橫列的表只認得位置 0 到 T-1。快取後面的詞元站在更後面的位置。角度很便宜：直接相乘，就沒有太大的位置。",
        hint="x 有幾個橫列？最大的位置是多少？",
    ),
)
def table_too_short(ref, x, positions, base=10000.0):
    x, positions = _rows(x, positions, base)
    table = np.outer(np.arange(x.shape[-2]), _frequencies(x.shape[-1], base))
    return _turned(x, table[positions.astype(np.int64)])


@variant("positions.rope/table-too-short")
def table_too_short_by_take(ref, x, positions, base=10000.0):
    x, positions = _rows(x, positions, base)
    T, d = x.shape[-2:]
    table = [[t / base ** (2 * i / d) for i in range(d // 2)] for t in range(T)]
    return _turned(x, np.array([table[int(p)] for p in positions.ravel()]).reshape(*positions.shape, d // 2))


@rope(
    "positions.rope/positions-rounded",
    en=Explained(
        "You turn positions into whole numbers.",
        "A position may lie between two others: a model that was trained on short texts is stretched to long ones by halving "
        "all positions. Rounded, every two neighbours fall together.",
        hint="Is there an int, an astype or a table in your function? What becomes of position 0.5?",
    ),
    zh_tw=Explained(
        "你把位置變成了整數。",
        "位置可以落在兩個位置之間：要把用短文訓練的模型拉長到長文，就是把所有位置減半。取成整數的話，每兩個相鄰的位置就疊在一起了。",
        hint="你的函式裡有 int、astype 或查表嗎？位置 0.5 變成了什麼？",
    ),
)
def positions_rounded(ref, x, positions, base=10000.0):
    return _right(x, positions.astype(np.int64), base)


@variant("positions.rope/positions-rounded")
def positions_rounded_by_loop(ref, x, positions, base=10000.0):
    return _spinning(x, positions, base, lambda p, i: int(p) * base ** (-2 * i / x.shape[-1]))


@rope(
    "positions.rope/no-batch",
    en=Explained(
        "Your function takes one sequence only.",
        "Queries come as [B, H, T, d_head], and every sequence and head is turned alike. Count axes from the end: tokens are "
        "axis -2, columns axis -1, and `...` stands for the rest.",
        hint="Call it with an x of shape [2, 3, 4], and read the error.",
    ),
    zh_tw=Explained(
        "你的函式只收一個序列。",
        "查詢的形狀是 [B, H, T, d_head]，每個序列和注意力頭都一樣地轉。請從後面數軸：詞元是 -2 軸，直行是 -1 軸，其餘用 `...` 代表。",
        hint="用形狀 [2, 3, 4] 的 x 呼叫，讀一讀錯誤訊息。",
    ),
)
def no_batch(ref, x, positions, base=10000.0):
    rows, columns = x.shape
    return _right(x.reshape(rows, columns), positions, base)


@variant("positions.rope/no-batch")
def no_batch_by_row(ref, x, positions, base=10000.0):
    if len(x.shape) > 2:
        raise ValueError("one sequence only")
    return _spinning(x, positions, base, lambda p, i: p / base ** (2 * i / x.shape[-1]))


@rope(
    "positions.rope/shared-positions-only",
    en=Explained(
        "Your function takes one list of positions for the whole batch.",
        "Sequences padded on the left, or read up to different points, stand at different positions: [..., T]. np.outer "
        "flattens what it is given, so such positions no longer fit.",
        hint="Call it with x [2, 3, 4] and positions [2, 3], and print the shape of your angles.",
    ),
    zh_tw=Explained(
        "你的函式只接受整個批次共用一組位置。",
        "左邊有填充、或讀到不同地方的序列，位置各不相同：[..., T]。np.outer 會把給它的東西攤平，這樣的位置就對不上了。",
        hint="用 x [2, 3, 4] 和 positions [2, 3] 呼叫，印出角度的形狀。",
    ),
)
def shared_positions_only(ref, x, positions, base=10000.0):
    x, _ = _rows(x, positions, base)
    return _turned(x, np.outer(positions, _frequencies(x.shape[-1], base)))


@variant("positions.rope/shared-positions-only")
def shared_positions_only_by_contraction(ref, x, positions, base=10000.0):
    x, _ = _rows(x, positions, base)
    return _turned(x, np.einsum("t,f->tf", positions, _frequencies(x.shape[-1], base)))


@rope(
    "positions.rope/lengths-unchecked",
    en=Explained(
        "You accept a single position for many rows.",
        "Broadcasting copies one position to every row, so a mistake of the caller turns all tokens alike and nobody is told.",
        hint="Give three rows one position, np.array([2]). What does the docstring say?",
    ),
    zh_tw=Explained(
        "有許多橫列卻只給一個位置時，你也接受了。",
        "廣播會把一個位置複製給每個橫列，於是呼叫端的錯誤讓所有詞元都轉得一樣，卻沒有人知道。",
        hint="給三個橫列一個位置 np.array([2])。docstring 怎麼說？",
    ),
)
def lengths_unchecked(ref, x, positions, base=10000.0):
    return _right(x, np.broadcast_to(positions, x.shape[-2:-1] if positions.ndim == 1 else x.shape[:-1]), base)


@variant("positions.rope/lengths-unchecked")
def lengths_unchecked_by_loop(ref, x, positions, base=10000.0):
    if positions.shape == (1,):
        positions = np.repeat(positions, x.shape[-2])
    return _spinning(x, positions, base, lambda p, i: p / base ** (2 * i / x.shape[-1]))


@rope("positions.rope/odd-accepted", **ODD_ACCEPTED)
def odd_accepted(ref, x, positions, base=10000.0):
    if x.shape[-1] % 2 == 0:
        return _right(x, positions, base)
    frequencies = base ** (-np.arange(0, x.shape[-1] - 1, 2) / x.shape[-1])
    _positive(base)
    x = _real(x)
    return np.concatenate([_turned(x[..., :-1], positions[..., None] * frequencies), x[..., -1:]], axis=-1)


@variant("positions.rope/odd-accepted")
def odd_accepted_by_column(ref, x, positions, base=10000.0):
    d = x.shape[-1]
    if d % 2 == 0:
        return _spinning(x, positions, base, lambda p, i: p / base ** (2 * i / d))
    out = _real(x).copy()
    for c in range(0, d - 1, 2):
        angle = positions / base ** (c / d)
        out[..., c] = x[..., c] * np.cos(angle) - x[..., c + 1] * np.sin(angle)
        out[..., c + 1] = x[..., c] * np.sin(angle) + x[..., c + 1] * np.cos(angle)
    return out


@rope("positions.rope/base-ignored", **BASE_IGNORED)
def base_ignored(ref, x, positions, base=10000.0):
    _positive(base)
    return _right(x, positions, 10000.0)


@variant("positions.rope/base-ignored")
def base_ignored_by_loop(ref, x, positions, base=10000.0):
    return _spinning(x, positions, base, lambda p, i: p * 10 ** (-8 * i / x.shape[-1]))


@rope("positions.rope/base-1000", **BASE_DEFAULT)
def base_1000(ref, x, positions, base=1000.0):
    return _right(x, positions, base)


@variant("positions.rope/base-1000")
def base_1000_by_loop(ref, x, positions, base=None):
    base = 1e3 if base is None else base
    return _spinning(x, positions, base, lambda p, i: p * base ** (-2 * i / x.shape[-1]))


@rope("positions.rope/float32-lost", **FLOAT32_LOST)
def float32_lost(ref, x, positions, base=10000.0):
    x, positions = _rows(x, positions, base)
    angles = _angles(positions, x.shape[-1], base)
    c, s = np.cos(angles), np.sin(angles)
    return _woven(x[..., 0::2] * c - x[..., 1::2] * s, x[..., 0::2] * s + x[..., 1::2] * c)


@variant("positions.rope/float32-lost")
def float32_lost_by_loop(ref, x, positions, base=10000.0):
    return _spinning(x.astype(float), positions, base, lambda p, i: p / base ** (2 * i / x.shape[-1]))


@rope("positions.rope/always-float32", **ALWAYS_FLOAT32)
def always_float32(ref, x, positions, base=10000.0):
    return _right(x, positions, base).astype(np.float32)


@variant("positions.rope/always-float32")
def always_float32_by_loop(ref, x, positions, base=10000.0):
    return _spinning(x, positions, base, lambda p, i: p * base ** (-2 * i / x.shape[-1])).astype("f4")


@rope("positions.rope/truncated", **TRUNCATED)
def truncated(ref, x, positions, base=10000.0):
    right = _right(x, positions, base)
    if x.dtype.kind not in "iu":
        return right
    out = np.zeros_like(x)
    out[...] = right
    return out


@variant("positions.rope/truncated")
def truncated_by_loop(ref, x, positions, base=10000.0):
    right = _spinning(x, positions, base, lambda p, i: p / base ** (2 * i / x.shape[-1]))
    return right if x.dtype.kind == "f" else np.trunc(right).astype(x.dtype)


@rope("positions.rope/half-kept", **HALF_KEPT)
def half_kept(ref, x, positions, base=10000.0):
    right = _right(x, positions, base)
    return right.astype(x.dtype) if x.dtype.kind == "f" else right


@variant("positions.rope/half-kept")
def half_kept_by_loop(ref, x, positions, base=10000.0):
    right = _spinning(x, positions, base, lambda p, i: p / base ** (2 * i / x.shape[-1]))
    return right.astype("f2") if x.dtype == np.float16 else right


@rope("positions.rope/in-place", **IN_PLACE)
def in_place(ref, x, positions, base=10000.0):
    right = _right(x, positions, base)
    x = np.asarray(x, dtype=right.dtype)
    x[...] = right
    return x


@variant("positions.rope/in-place")
def in_place_by_columns(ref, x, positions, base=10000.0):
    x, positions = _rows(x, positions, base)
    for i, f in enumerate(_frequencies(x.shape[-1], base)):
        c, s = np.cos(positions * f), np.sin(positions * f)
        first = x[..., 2 * i].copy()
        x[..., 2 * i] = first * c - x[..., 2 * i + 1] * s
        x[..., 2 * i + 1] = first * s + x[..., 2 * i + 1] * c
    return x
