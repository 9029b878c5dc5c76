"""What goes wrong in the exercise masking.softmax."""

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    _by_row,
    _checked,
    _kept_row,
    _kept_softmax,
    _plain_row,
    _plain_softmax,
    _shares,
    softmax,
)


@softmax(
    "masking.softmax/columns",
    en=Explained(
        "Your softmax ran down the columns.",
        "Each of your columns sums to 1; each row should: a query has one unit of attention to share among the keys. "
        "And down a column the later queries are part of the sum, so the future leaks in through the denominator.",
        hint="Along which axis do the keys lie, the first or the last?",
    ),
    zh_tw=Explained(
        "你的 softmax 是沿著直行做的。",
        "你的每個直行加起來是 1，應該是每個橫列：一個查詢有一份注意力要分給各個鍵。而沿著直行做時，後面的查詢也算在總和裡，未來就從分母漏了進來。",
        hint="鍵排在哪一軸上，第一軸還是最後一軸？",
    ),
)
def columns(ref, scores, mask):
    S = ref.apply_mask(scores, mask)
    top = S.max(axis=-2, keepdims=True)
    E = np.exp(S - np.where(np.isneginf(top), 0, top))
    total = E.sum(axis=-2, keepdims=True)
    return E / np.where(total == 0, 1, total)


@variant("masking.softmax/columns")
def columns_by_loop(ref, scores, mask):
    scores = _checked(scores, mask)
    turned = np.broadcast_to(mask, scores.shape).swapaxes(-1, -2)
    return _by_row(scores.swapaxes(-1, -2), turned, _kept_row).swapaxes(-1, -2)


@softmax(
    "masking.softmax/masked-after",
    en=Explained(
        "You masked after the softmax and did not normalise again.",
        "The hidden keys had their share first and it was then thrown away, so the rows sum to less than 1: the fewer "
        "keys a query may see, the weaker all of its attention.",
        hint="Add up each row of your weights.",
    ),
    zh_tw=Explained(
        "你在 softmax 之後才遮，而且沒有重新正規化。",
        "被遮住的鍵先分到了權重，然後才被丟掉，所以各橫列加起來小於 1：能看的鍵越少，整個注意力就越弱。",
        hint="把你的權重逐個橫列加起來看看。",
    ),
)
def masked_after(ref, scores, mask):
    return _plain_softmax(_checked(scores, mask)) * mask


@variant("masking.softmax/masked-after")
def masked_after_by_loop(ref, scores, mask):
    return _by_row(scores, mask, lambda row, keep: [w if k else 0 for w, k in zip(_plain_row(row), keep, strict=True)])


@softmax(
    "masking.softmax/fill-zero",
    # 0 and a fill of a billionth differ by no more than the tolerance: no test can tell them apart.
    equivalent=("masking.softmax/fill-tiny",),
    en=Explained(
        "You set hidden scores to 0 before the softmax.",
        "exp(0) is 1, so a hidden key takes as large a share as a key of score 0. Only exp(-inf) is 0.",
        hint="Look at the weight of a hidden key. What was its score when the softmax saw it?",
    ),
    zh_tw=Explained(
        "你在 softmax 之前把被遮住的分數設成 0。",
        "exp(0) 是 1，所以被遮住的鍵分到的和分數為 0 的鍵一樣多。只有 exp(-inf) 才是 0。",
        hint="看看一個被遮住的鍵的權重。softmax 看到它時，分數是多少？",
    ),
)
def softmax_fill_zero(ref, scores, mask):
    return _plain_softmax(np.where(mask, _checked(scores, mask), 0))


@variant("masking.softmax/fill-zero")
def softmax_fill_zero_by_loop(ref, scores, mask):
    return _by_row(scores, mask, lambda row, keep: _plain_row([s * bool(k) for s, k in zip(row, keep, strict=True)]))


@softmax(
    "masking.softmax/fill-tiny",
    equivalent=("masking.softmax/fill-zero",),
    en=Explained(
        "You hide keys with a tiny number, such as -1e-9, where a huge one was meant.",
        "-1e-9 is as good as 0, and exp(0) is 1: a hidden key takes as large a share as a key of score 0. Only exp(-inf) "
        "is 0.",
        hint="Write out the number that you fill in, without an exponent.",
    ),
    zh_tw=Explained(
        "你用很小的數（例如 -1e-9）來遮鍵，本來該用很大的負數。",
        "-1e-9 幾乎就是 0，而 exp(0) 是 1：被遮住的鍵分到的和分數為 0 的鍵一樣多。只有 exp(-inf) 才是 0。",
        hint="把你填進去的數不用指數寫出來看看。",
    ),
)
def softmax_fill_tiny(ref, scores, mask):
    return _plain_softmax(np.where(mask, _checked(scores, mask), -1e-9))


@variant("masking.softmax/fill-tiny")
def softmax_fill_tiny_by_loop(ref, scores, mask):
    return _by_row(
        scores, mask, lambda row, keep: _plain_row([s if k else -1e-10 for s, k in zip(row, keep, strict=True)])
    )


@softmax(
    "masking.softmax/fill-ten",
    en=Explained(
        "You hide keys with a score of -10, and they shine through.",
        "exp(-10) is small but not 0: each hidden key keeps a weight of a few hundred-thousandths, and more where the "
        "visible scores are low themselves. That is enough for a model to learn to look ahead.",
        hint="Print a hidden key's weight with all its digits.",
    ),
    zh_tw=Explained(
        "你用 -10 分來遮鍵，它們還是透了出來。",
        "exp(-10) 很小，但不是 0：每個被遮住的鍵仍有約十萬分之幾的權重，看得到的分數偏低時還會更多。這已足夠讓模型學會偷看後面。",
        hint="把一個被遮住的鍵的權重完整印出來。",
    ),
)
def softmax_fill_ten(ref, scores, mask):
    return _plain_softmax(np.where(mask, _checked(scores, mask), -10))


@variant("masking.softmax/fill-ten")
def softmax_fill_ten_by_loop(ref, scores, mask):
    return _by_row(
        scores, mask, lambda row, keep: _plain_row([s if k else -10 for s, k in zip(row, keep, strict=True)])
    )


@softmax(
    "masking.softmax/inverted",
    en=Explained(
        "You gave the weights to the keys that the mask forbids.",
        "True means `may attend`. Your rows sum to 1, but over the wrong keys.",
        hint="In the first row of a causal mask only the first entry is True. Where is your weight?",
    ),
    zh_tw=Explained(
        "你把權重給了遮罩禁止的鍵。",
        "True 代表「可以注意」。你的各橫列加起來是 1，卻分給了錯的鍵。",
        hint="因果遮罩的第一個橫列只有第一個是 True。你的權重在哪裡？",
    ),
)
def softmax_inverted(ref, scores, mask):
    _checked(scores, mask)
    return _kept_softmax(ref.apply_mask(scores, ~mask), ~mask)


@variant("masking.softmax/inverted")
def softmax_inverted_by_loop(ref, scores, mask):
    return _by_row(scores, mask, lambda row, keep: _kept_row(row, [not k for k in keep]))


@softmax(
    "masking.softmax/mask-ignored",
    en=Explained(
        "Your weights do not depend on the mask.",
        "You return the plain softmax of the scores: hidden keys get their share like all others.",
        hint="Which line of your function changes the numbers according to the mask?",
    ),
    zh_tw=Explained(
        "你的權重和遮罩無關。",
        "你回傳的是分數的一般 softmax：被遮住的鍵和其他鍵一樣分得到權重。",
        hint="你的函式裡，哪個敘述會依遮罩改變數字？",
    ),
)
def mask_ignored(ref, scores, mask):
    return _plain_softmax(_checked(scores, mask))


@variant("masking.softmax/mask-ignored")
def mask_ignored_by_loop(ref, scores, mask):
    return _by_row(scores, mask, lambda row, _keep: _plain_row(row))


@softmax(
    "masking.softmax/whole-matrix",
    en=Explained(
        "You normalised over the whole matrix.",
        "All weights of a matrix together sum to 1, so each query gets only a part of its unit of attention. A sum "
        "without an axis adds up everything.",
        hint="Which axis do your sum and your maximum run along?",
    ),
    zh_tw=Explained(
        "你對整個矩陣做了正規化。",
        "整個矩陣的權重合起來才是 1，每個查詢只拿到它那份注意力的一部分。沒有指定軸的 sum 會把全部加起來。",
        hint="你的 sum 和最大值沿著哪一軸做？",
    ),
)
def whole_matrix(ref, scores, mask):
    S = ref.apply_mask(scores, mask)
    top = S.max(axis=(-2, -1), keepdims=True)
    E = np.exp(S - np.where(np.isneginf(top), 0, top))
    total = E.sum(axis=(-2, -1), keepdims=True)
    return E / np.where(total == 0, 1, total)


@variant("masking.softmax/whole-matrix")
def whole_matrix_by_loop(ref, scores, mask):
    scores = _checked(scores, mask)
    flat = (*scores.shape[:-2], scores.shape[-2] * scores.shape[-1])
    keep = np.broadcast_to(mask, scores.shape).reshape(flat)
    return _by_row(scores.reshape(flat), keep, _kept_row).reshape(scores.shape)


@softmax(
    "masking.softmax/uniform",
    en=Explained(
        "You shared the attention equally among the visible keys.",
        "Your weights depend on the mask alone. The scores say how much each visible key matters, and they are not "
        "used.",
        hint="Which line of your function reads the values of the scores?",
    ),
    zh_tw=Explained(
        "你把注意力平均分給了看得到的鍵。",
        "你的權重只取決於遮罩。每個看得到的鍵有多重要，是分數說的，而你沒有用到分數。",
        hint="你的函式裡，哪個敘述讀了分數的值？",
    ),
)
def uniform(ref, scores, mask):
    scores = _checked(scores, mask)
    return _shares(np.broadcast_to(mask, scores.shape).astype(scores.dtype))


@variant("masking.softmax/uniform")
def uniform_by_loop(ref, scores, mask):
    return _by_row(scores, mask, lambda _row, keep: [float(k) / max(sum(map(int, keep)), 1) for k in keep])


@softmax(
    "masking.softmax/empty-row-nan",
    en=Explained(
        "A row with nothing to attend to comes out as NaN.",
        "All its scores are -inf, so the maximum is -inf and -inf - (-inf) is NaN (or the sum is 0 and 0/0 is). One NaN "
        "spreads to everything computed from it. Such a row has weights 0.",
        hint="Follow a row of nothing but -inf through each step of the softmax.",
    ),
    zh_tw=Explained(
        "無處可注意的橫列，結果成了 NaN。",
        "那個橫列的分數全是 -inf，最大值也是 -inf，而 -inf - (-inf) 是 NaN（或者總和是 0，0/0 也是 NaN）。一個 NaN 會擴散到由它算出的一切。這樣的橫列權重應該是 0。",
        hint="把整個橫列都是 -inf 的情形，一步一步代進 softmax 走一遍。",
    ),
)
def empty_row_nan(ref, scores, mask):
    S = ref.apply_mask(scores, mask)
    with np.errstate(invalid="ignore"):
        return _plain_softmax(S)


@variant("masking.softmax/empty-row-nan")
def empty_row_nan_by_loop(ref, scores, mask):
    def row(s, keep):
        unseen = max(np.where(keep, s, -math.inf)) == -math.inf
        return [math.nan] * len(s) if unseen else _kept_row(s, keep)

    return _by_row(scores, mask, row)


@softmax(
    "masking.softmax/empty-row-uniform",
    en=Explained(
        "A row with nothing to attend to shares its attention among all keys.",
        "All hidden scores of the row got the same finite number, such as -1e9, and equal scores give equal weights: "
        "exactly where nothing may be seen, everything is. Such a row has weights 0.",
        hint="What does a softmax make of a row of equal numbers, however low they are?",
    ),
    zh_tw=Explained(
        "無處可注意的橫列，把注意力平均分給了所有的鍵。",
        "那個橫列被遮住的分數都換成了同一個有限的數（例如 -1e9），而相等的分數得到相等的權重：偏偏在什麼都不該看的地方，看到了一切。這樣的橫列權重應該是 0。",
        hint="整個橫列都是同一個數，不管多低，softmax 會把它變成什麼？",
    ),
)
def empty_row_uniform(ref, scores, mask):
    weights = _kept_softmax(_checked(scores, mask), mask)
    return np.where(mask.any(axis=-1, keepdims=True), weights, weights.dtype.type(1 / scores.shape[-1]))


@variant("masking.softmax/empty-row-uniform")
def empty_row_uniform_by_loop(ref, scores, mask):
    def row(s, keep):
        return _kept_row(s, keep) if any(keep) else [1 / len(s)] * len(s)

    return _by_row(scores, mask, row)


@softmax(
    "masking.softmax/empty-row-unmasked",
    en=Explained(
        "A row with nothing to attend to is treated as if nothing were hidden.",
        "Every score of the row was lowered by the same amount, and a softmax does not notice that: the row comes out as "
        "without a mask. Such a row has weights 0.",
        hint="Subtract 5 from every score of a row. How do the weights change?",
    ),
    zh_tw=Explained(
        "無處可注意的橫列，被當成什麼都沒遮。",
        "那個橫列的每個分數都降了同樣多，而 softmax 不受影響：結果和沒有遮罩一樣。這樣的橫列權重應該是 0。",
        hint="把一個橫列的每個分數都減 5，權重會怎麼變？",
    ),
)
def empty_row_unmasked(ref, scores, mask):
    shown = mask | ~mask.any(axis=-1, keepdims=True)
    return _kept_softmax(_checked(scores, mask), shown)


@variant("masking.softmax/empty-row-unmasked")
def empty_row_unmasked_by_loop(ref, scores, mask):
    return _by_row(scores, mask, lambda row, keep: _kept_row(row, keep) if any(keep) else _plain_row(row))
