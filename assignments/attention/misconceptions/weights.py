"""What goes wrong in the exercise attention.weights."""

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    EMPTY_NAN,
    IN_PLACE,
    KEPT_HALF,
    NUMBERS_AS_MASK,
    WIDENED,
    about_weights,
    along,
    by_query,
    dots,
    halved,
    hide,
    masked,
    number_mask,
    pair,
    right_row,
    share,
    shares,
    swap,
)


@about_weights(
    "attention.weights/softmax-columns",
    en=Explained(
        "Your softmax ran down the columns.",
        "Each column sums to 1; each row should: a query shares one unit of attention among the keys. Down the columns "
        "the queries compete for a key, and under a causal mask the past comes to depend on the future.",
        hint="Which axis of [T_q, T_k] holds the keys?",
    ),
    zh_tw=Explained(
        "你的 softmax 沿著直行計算了。",
        "現在每個直行總和為 1，但應該是每個橫列：一個查詢把 1 單位的注意力分給各個鍵。沿著直行算，變成查詢互相搶一個鍵；加上因果遮罩時，過去還會受未來影響。",
        hint="[T_q, T_k] 的哪個軸是鍵？",
    ),
)
def weights_of_columns(ref, Q, K, mask=None):
    return ref.softmax(masked(ref, ref.attention_scores(Q, K), mask), axis=-2)


@variant("attention.weights/softmax-columns")
def _(ref, Q, K, mask=None):
    if mask is not None:
        ref.require_mask(mask, np.empty((*Q.shape[:-1], K.shape[-2])))
        mask = swap(np.broadcast_to(mask, (*Q.shape[:-1], K.shape[-2])))
    return swap(by_query(ref, K, Q, mask, right_row))


@about_weights(
    "attention.weights/softmax-over-everything",
    en=Explained(
        "Your weights share one unit among all pairs of query and key.",
        "The whole matrix sums to 1 instead of each row, so every query has only about 1/T_q to give.",
        hint="Over which entries does the sum in your softmax run?",
    ),
    zh_tw=Explained(
        "你讓所有「查詢－鍵」配對共分 1 單位。",
        "總和為 1 的是整個矩陣而不是每一列，於是每個查詢只有大約 1/T_q 可以分。",
        hint="你的 softmax 裡，總和涵蓋了哪些元素？",
    ),
)
def weights_over_everything(ref, Q, K, mask=None):
    S = masked(ref, ref.attention_scores(Q, K), mask)
    return ref.softmax(S.reshape(-1)).reshape(S.shape)


@variant("attention.weights/softmax-over-everything")
def _(ref, Q, K, mask=None):
    S = masked(ref, dots(*pair(ref, Q, K)), mask)
    return np.array(share(S.ravel().tolist()), dtype=S.dtype).reshape(S.shape)


@about_weights(
    "attention.weights/always-axis-1",
    en=Explained(
        "Your softmax always runs along axis 1.",
        "In a matrix axis 1 holds the keys. With a batch axis in front it holds the queries, so the columns are "
        "normalised; with two, the heads.",
        hint="Which way of counting axes gives the keys however many axes stand in front?",
    ),
    zh_tw=Explained(
        "你的 softmax 固定沿著軸 1 計算。",
        "矩陣的軸 1 是鍵。前面多一個批次軸時，軸 1 變成查詢，正規化的就成了直行；多兩個時則是頭。",
        hint="軸要怎麼數，才能不管前面有幾個軸都數到鍵？",
    ),
)
def weights_along_axis_1(ref, Q, K, mask=None):
    return ref.softmax(masked(ref, ref.attention_scores(Q, K), mask), axis=1)


@variant("attention.weights/always-axis-1")
def _(ref, Q, K, mask=None):
    S = masked(ref, dots(*pair(ref, Q, K)), mask)
    return along(ref, S, 1, share)


@about_weights(
    "attention.weights/scaled-twice",
    en=Explained(
        "The scores are scaled twice.",
        "`attention_scores` has divided by the root of d_k already. A second time makes the scores too small and the "
        "weights too equal.",
        hint="What does `attention_scores` return?",
    ),
    zh_tw=Explained(
        "分數縮放了兩次。",
        "`attention_scores` 已經除過 d_k 的平方根。再除一次，分數太小，權重就太平均。",
        hint="`attention_scores` 回傳的是什麼？",
    ),
)
def weights_scaled_twice(ref, Q, K, mask=None):
    S = ref.attention_scores(Q, K) / math.sqrt(Q.shape[-1])
    return ref.softmax(masked(ref, S, mask))


@variant("attention.weights/scaled-twice")
def _(ref, Q, K, mask=None):
    root = math.sqrt(Q.shape[-1])
    return by_query(ref, Q, K, mask, lambda row, may: right_row([score / root for score in row], may))


@about_weights(
    "attention.weights/no-softmax",
    en=Explained(
        "You returned scores where weights were asked for.",
        "Scores can be negative and sum to anything. The softmax turns a row of them into shares of one unit.",
        hint="What must hold for every row of the result?",
    ),
    zh_tw=Explained(
        "該回傳權重，你回傳了分數。",
        "分數可以是負的，總和也不固定。softmax 才會把一列分數變成 1 單位裡各自的比例。",
        hint="結果的每一列必須滿足什麼？",
    ),
)
def weights_as_scores(ref, Q, K, mask=None):
    return masked(ref, ref.attention_scores(Q, K), mask)


@variant("attention.weights/no-softmax")
def _(ref, Q, K, mask=None):
    return by_query(ref, Q, K, mask, hide)


@about_weights(
    "attention.weights/no-mask-hides-everything",
    en=Explained(
        "Without a mask you hide every key.",
        "None counts as false, so a test of each entry against it forbids all of them, and every weight comes out 0. "
        "mask=None forbids nothing.",
        hint="Follow mask=None through your function.",
    ),
    zh_tw=Explained(
        "沒有遮罩時，你把所有的鍵都遮住了。",
        "None 視為假，逐元素拿它判斷就等於全部禁止，權重全是 0。mask=None 的意思是什麼都不遮。",
        hint="把 mask=None 帶進你的函式，一步一步看。",
    ),
)
def weights_none_hides(ref, Q, K, mask=None):
    S = ref.attention_scores(Q, K)
    return ref.softmax(masked(ref, S, np.array(bool(mask)) if mask is None else mask))


@variant("attention.weights/no-mask-hides-everything")
def _(ref, Q, K, mask=None):
    return by_query(ref, Q, K, mask, right_row) * (0.0 if mask is None else 1.0)


@about_weights(
    "attention.weights/mask-after-softmax",
    en=Explained(
        "You masked after the softmax.",
        "Hidden keys had taken their share before it was thrown away, so a row sums to less than 1: with three of seven "
        "keys hidden, a good part of the attention is lost.",
        hint="At which step must a key be out of the race?",
    ),
    zh_tw=Explained(
        "你在 softmax 之後才遮罩。",
        "被遮住的鍵先分走了一些比例，然後才被丟掉，所以一列的總和小於 1：七個鍵遮掉三個，就有不少注意力憑空消失。",
        hint="鍵應該在哪一步之前就退出競爭？",
    ),
)
def weights_masked_late(ref, Q, K, mask=None):
    A = ref.softmax(ref.attention_scores(Q, K))
    return masked(ref, A, mask, fill=0)


@variant("attention.weights/mask-after-softmax")
def _(ref, Q, K, mask=None):
    return by_query(ref, Q, K, mask, lambda row, may: hide(share(row), may, fill=0.0))


@about_weights(
    "attention.weights/fill-zero",
    # 0 and a fill of a billionth differ by less than any tolerance: no test can tell them apart.
    equivalent=("attention.weights/fill-tiny",),
    en=Explained(
        "You set hidden scores to 0.",
        "exp(0) is 1, not 0: a score of 0 is an ordinary score, better than any negative one. Hidden keys still get "
        "attention.",
        hint="Which score has an exponential of 0?",
    ),
    zh_tw=Explained(
        "你把被遮住的分數設成 0。",
        "exp(0) 是 1，不是 0：0 分是普通的分數，比任何負分都高。被遮住的鍵仍然分得到注意力。",
        hint="什麼分數取 exp 之後是 0？",
    ),
)
def weights_filled_with_0(ref, Q, K, mask=None):
    return ref.softmax(masked(ref, ref.attention_scores(Q, K), mask, fill=0))


@variant("attention.weights/fill-zero")
def _(ref, Q, K, mask=None):
    return by_query(
        ref, Q, K, mask, lambda row, may: share([score * open_ for score, open_ in zip(row, may, strict=True)])
    )


@about_weights(
    "attention.weights/fill-tiny",
    equivalent=("attention.weights/fill-zero",),
    en=Explained(
        "You filled hidden scores with a tiny number, such as -1e-9, where a huge one was meant.",
        "-1e-9 is as good as 0, and exp(0) is 1: hidden keys still get attention. -1e9 is another number altogether.",
        hint="Read the exponent of your fill aloud.",
    ),
    zh_tw=Explained(
        "你用很小的數（例如 -1e-9）填被遮住的分數，本來該用很大的負數。",
        "-1e-9 幾乎就是 0，而 exp(0) 是 1：被遮住的鍵仍然分得到注意力。-1e9 是完全不同的數。",
        hint="把你填的數的指數念出來。",
    ),
)
def weights_filled_with_little(ref, Q, K, mask=None):
    return ref.softmax(masked(ref, ref.attention_scores(Q, K), mask, fill=-1e-9))


@variant("attention.weights/fill-tiny")
def _(ref, Q, K, mask=None):
    return by_query(ref, Q, K, mask, lambda row, may: share(hide(row, may, fill=1e-10)))


@about_weights(
    "attention.weights/fill-minus-10",
    en=Explained(
        "You filled hidden scores with about -10.",
        "exp(-10) is small but not 0: every hidden key gets a little attention, and next to low scores a lot.",
        hint="How low must a score be to weigh nothing next to any other?",
    ),
    zh_tw=Explained(
        "你用大約 -10 填被遮住的分數。",
        "exp(-10) 很小但不是 0：每個被遮住的鍵都分到一點注意力，旁邊的分數很低時還會分到很多。",
        hint="分數要多低，才能在任何分數旁邊都毫無分量？",
    ),
)
def weights_filled_with_minus_10(ref, Q, K, mask=None):
    return ref.softmax(masked(ref, ref.attention_scores(Q, K), mask, fill=-10))


@variant("attention.weights/fill-minus-10")
def _(ref, Q, K, mask=None):
    return by_query(ref, Q, K, mask, lambda row, may: share(hide(row, may, fill=-10.0)))


@about_weights(
    "attention.weights/fill-minus-100",
    en=Explained(
        "You filled hidden scores with about -100.",
        "Next to ordinary scores that is enough. Where the allowed keys score lower still, the hidden ones win the row.",
        hint="How low must a score be to weigh nothing next to any other?",
    ),
    zh_tw=Explained(
        "你用大約 -100 填被遮住的分數。",
        "旁邊是普通分數時夠用；但可看的鍵分數更低時，被遮住的鍵反而贏走整列。",
        hint="分數要多低，才能在任何分數旁邊都毫無分量？",
    ),
)
def weights_filled_with_minus_100(ref, Q, K, mask=None):
    return ref.softmax(masked(ref, ref.attention_scores(Q, K), mask, fill=-100))


@variant("attention.weights/fill-minus-100")
def _(ref, Q, K, mask=None):
    return by_query(ref, Q, K, mask, lambda row, may: share(hide(row, may, fill=-100.0)))


@about_weights(
    "attention.weights/fill-minus-100-then-zeroed",
    en=Explained(
        "You filled hidden scores with about -100 and set their weights to 0 afterwards.",
        "Where the allowed keys score lower than the fill, the hidden ones take the whole unit first, and zeroing them "
        "leaves a row that sums to 0.",
        hint="What do your rows sum to when all scores are around -400?",
    ),
    zh_tw=Explained(
        "你用大約 -100 填被遮住的分數，之後再把它們的權重歸零。",
        "可看的鍵分數比填的數還低時，被遮住的鍵先拿走整個 1，歸零之後這一列的總和就是 0。",
        hint="所有分數都在 -400 上下時，你的每列總和是多少？",
    ),
)
def weights_filled_then_zeroed(ref, Q, K, mask=None):
    A = ref.softmax(masked(ref, ref.attention_scores(Q, K), mask, fill=-100))
    return masked(ref, A, mask, fill=0)


@variant("attention.weights/fill-minus-100-then-zeroed")
def _(ref, Q, K, mask=None):
    return by_query(ref, Q, K, mask, lambda row, may: hide(share(hide(row, may, fill=-100.0)), may, fill=0.0))


@about_weights(
    "attention.weights/zero-times-infinity",
    en=Explained(
        "You multiplied the mask by infinity.",
        "In s * mask + (1 - mask) * (-inf) an allowed key has 0 * inf, which is NaN, and one NaN fills the row.",
        hint="What is 0 times infinity?",
    ),
    zh_tw=Explained(
        "你拿遮罩去乘無限大。",
        "在 s * mask + (1 - mask) * (-inf) 裡，可看的鍵會出現 0 * inf，也就是 NaN，而一個 NaN 就會毀掉整列。",
        hint="0 乘以無限大是多少？",
    ),
)
def weights_times_infinity(ref, Q, K, mask=None):
    S = ref.attention_scores(Q, K)
    if mask is not None:
        ref.require_mask(mask, S)
        S = S * mask + (1 - mask.astype(S.dtype)) * -np.inf
    return ref.softmax(S)


@variant("attention.weights/zero-times-infinity")
def _(ref, Q, K, mask=None):
    def rule(row, may):
        return [math.nan if any(may) else 0.0] * len(row)

    return by_query(ref, Q, K, mask, right_row if mask is None else rule)


@about_weights(
    "attention.weights/mask-inverted",
    en=Explained(
        "You read the mask the wrong way round.",
        "True means may attend. You hide those keys and show the others. (Some libraries use True for hidden; this "
        "course does not.)",
        hint="Which keys get weight where the mask is True?",
    ),
    zh_tw=Explained(
        "你把遮罩的意思弄反了。",
        "True 表示可以看。你遮住的正是這些鍵，露出來的是其他的。（有些函式庫用 True 表示遮住，這門課不是。）",
        hint="遮罩為 True 的地方，哪些鍵拿到了權重？",
    ),
)
def weights_inverted(ref, Q, K, mask=None):
    S = ref.attention_scores(Q, K)
    if mask is not None:
        ref.require_mask(mask, S)
        mask = ~mask
    return ref.softmax(masked(ref, S, mask))


@variant("attention.weights/mask-inverted")
def _(ref, Q, K, mask=None):
    def rule(row, may):
        return right_row(row, [not open_ for open_ in may])

    return by_query(ref, Q, K, mask, right_row if mask is None else rule)


@about_weights(
    "attention.weights/mask-ignored",
    en=Explained(
        "The mask has no effect.",
        "All keys get attention, hidden or not: a token sees what it must not see.",
        hint="Is the result of masking used in the line that follows?",
    ),
    zh_tw=Explained(
        "遮罩沒有作用。",
        "不管有沒有被遮住，所有的鍵都分到注意力：詞元看到了不該看的東西。",
        hint="遮罩後的結果，下一行程式碼有用到嗎？",
    ),
)
def weights_unmasked(ref, Q, K, mask=None):
    S = ref.attention_scores(Q, K)
    masked(ref, S, mask)
    return ref.softmax(S)


@variant("attention.weights/mask-ignored")
def _(ref, Q, K, mask=None):
    return by_query(ref, Q, K, mask, lambda row, _: share(row))


@about_weights(
    "attention.weights/mask-added",
    en=Explained(
        "You added the boolean mask to the scores.",
        "True counts as 1, so allowed keys are one point better and hidden keys stay in the race. Masks that are added "
        "hold 0 and -inf.",
        hint="What does your line do to the score of a hidden key?",
    ),
    zh_tw=Explained(
        "你把布林遮罩加到分數上。",
        "True 當作 1，所以可看的鍵只多了 1 分，被遮住的鍵還留在競爭裡。要用加的遮罩，裡面應該是 0 和 -inf。",
        hint="你的那行程式碼對被遮住的鍵的分數做了什麼？",
    ),
)
def weights_with_mask_added(ref, Q, K, mask=None):
    S = ref.attention_scores(Q, K)
    if mask is not None:
        ref.require_mask(mask, S)
        S = S + mask
    return ref.softmax(S)


@variant("attention.weights/mask-added")
def _(ref, Q, K, mask=None):
    def rule(row, may):
        return share([score + open_ for score, open_ in zip(row, may, strict=True)])

    return by_query(ref, Q, K, mask, rule)


@about_weights(
    "attention.weights/always-causal",
    en=Explained(
        "You hide later keys whatever the mask says.",
        "A causal mask is one mask among many. Without a mask every query sees every key, and with one only the mask "
        "decides.",
        hint="Where does your function make a mask of its own?",
    ),
    zh_tw=Explained(
        "不管遮罩怎麼說，你都把後面的鍵遮住。",
        "因果遮罩只是許多遮罩中的一種。沒有遮罩時，每個查詢都看得到每個鍵；有遮罩時，由遮罩決定。",
        hint="你的函式在哪裡自己做了一個遮罩？",
    ),
)
def weights_always_causal(ref, Q, K, mask=None):
    S = masked(ref, ref.attention_scores(Q, K), mask)
    return ref.softmax(np.where(np.tri(*S.shape[-2:], dtype=bool), S, -np.inf))


@variant("attention.weights/always-causal")
def _(ref, Q, K, mask=None):
    shape = (*Q.shape[:-1], K.shape[-2])
    if mask is not None:
        ref.require_mask(mask, np.empty(shape))
    later = np.arange(shape[-1]) > np.arange(shape[-2])[:, np.newaxis]
    return by_query(ref, Q, K, np.broadcast_to(True if mask is None else mask, shape) & ~later, right_row)


@about_weights("attention.weights/empty-row-nan", **EMPTY_NAN)
def weights_nan_for_nothing(ref, Q, K, mask=None):
    S = masked(ref, ref.attention_scores(Q, K), mask)
    A = ref.softmax(S)
    return np.where(np.isneginf(S).all(axis=-1, keepdims=True), np.nan, A)


@variant("attention.weights/empty-row-nan")
def _(ref, Q, K, mask=None):
    return by_query(ref, Q, K, mask, lambda row, may: right_row(row, may) if any(may) else [math.nan] * len(row))


@about_weights(
    "attention.weights/empty-row-uniform",
    en=Explained(
        "A query that may attend to nothing attends to everything.",
        "With a finite fill, such as -1e9, a row without allowed keys is a row of equal scores, and they get equal "
        "weights. All weights of such a row are 0.",
        hint="What are the scores of a row in which every key is hidden?",
    ),
    zh_tw=Explained(
        "什麼都不能看的查詢，變成什麼都看。",
        "填有限的數（例如 -1e9）時，沒有可看的鍵的一列就是一列相等的分數，於是分到相等的權重。這樣的一列權重應該全是 0。",
        hint="所有鍵都被遮住的一列，分數是多少？",
    ),
)
def weights_uniform_for_nothing(ref, Q, K, mask=None):
    return ref.softmax(masked(ref, ref.attention_scores(Q, K), mask, fill=-1e9))


@variant("attention.weights/empty-row-uniform")
def _(ref, Q, K, mask=None):
    return by_query(ref, Q, K, mask, lambda row, may: right_row(row, may) if any(may) else [1 / len(row)] * len(row))


@about_weights(
    "attention.weights/mask-of-full-shape-only",
    en=Explained(
        "You need a mask in the shape of the scores.",
        "A mask may be smaller: one row for all queries, or one matrix for all heads. Indexing with a boolean array does "
        "not broadcast.",
        hint="What does your function do with a mask of shape [T_k]?",
    ),
    zh_tw=Explained(
        "你要求遮罩的形狀和分數一模一樣。",
        "遮罩可以比較小：一列給所有查詢共用，或一個矩陣給所有的頭共用。用布林陣列當索引並不會廣播。",
        hint="遇到形狀為 [T_k] 的遮罩，你的函式會怎麼做？",
    ),
)
def weights_of_full_masks(ref, Q, K, mask=None):
    S = ref.attention_scores(Q, K)
    if mask is not None:
        ref.require_mask(mask, S)
        if mask.shape != S.shape:
            raise IndexError(f"boolean index of shape {mask.shape} did not match {S.shape}")
    return ref.softmax(masked(ref, S, mask))


@variant("attention.weights/mask-of-full-shape-only")
def _(ref, Q, K, mask=None):
    S = dots(*pair(ref, Q, K))
    if mask is not None:
        ref.require_mask(mask, S)
        S[~mask] = -np.inf
    return shares(S)


@about_weights(
    "attention.weights/masks-in-turn",
    en=Explained(
        "You deal the masks of a batch out in turn.",
        "A sequence's mask is shared by its heads. Folded into one axis, the heads of a sequence lie together, 0, 0, 1, 1; "
        "masks that are repeated as a whole lie 0, 1, 0, 1. So a head hides what is padding in another sequence.",
        hint="Give the sequences masks of unlike length, and print which one each head gets.",
    ),
    zh_tw=Explained(
        "你把批次裡的遮罩輪流發下去了。",
        "一個序列的遮罩由它所有的頭共用。攤成一個軸時，同一個序列的頭排在一起：0, 0, 1, 1；整組重複的遮罩卻是 0, 1, 0, 1。於是某個頭遮住的，是別的序列的填充。",
        hint="給每個序列不同長度的遮罩，印出每個頭拿到的是哪一個。",
    ),
)
def weights_under_masks_in_turn(ref, Q, K, mask=None):
    S = ref.attention_scores(Q, K)
    if mask is not None:
        ref.require_mask(mask, S)
        matrices = np.broadcast_to(mask, (*mask.shape[:-2], *S.shape[-2:])).reshape(-1, *S.shape[-2:])
        folds = math.prod(S.shape[:-2]) // len(matrices)
        mask = np.tile(matrices, (folds, 1, 1)).reshape(S.shape)
    return ref.softmax(masked(ref, S, mask))


@variant("attention.weights/masks-in-turn")
def _(ref, Q, K, mask=None):
    S = dots(*pair(ref, Q, K))
    if mask is None:
        return shares(S)
    ref.require_mask(mask, S)
    own = list(np.ndindex(mask.shape[:-2]))
    for number, index in enumerate(np.ndindex(S.shape[:-2])):
        S[index] = np.where(mask[own[number % len(own)]], S[index], -np.inf)
    return shares(S)


@about_weights("attention.weights/numbers-as-mask", **NUMBERS_AS_MASK)
def weights_of_number_masks(ref, Q, K, mask=None):
    return ref.softmax(masked(ref, ref.attention_scores(Q, K), number_mask(mask)))


@variant("attention.weights/numbers-as-mask")
def _(ref, Q, K, mask=None):
    return by_query(ref, Q, K, None if mask is None else np.array(mask, dtype=bool), right_row)


@about_weights(
    "attention.weights/float-mask-added",
    en=Explained(
        "A mask of floats is added to the scores.",
        "That is another convention, with 0 for allowed and -inf for hidden. A function that takes both guesses what the "
        "caller meant, and is wrong for a mask of 0.0 and 1.0.",
        hint="What does your function do with a mask that is not boolean?",
    ),
    zh_tw=Explained(
        "浮點數的遮罩被加到分數上。",
        "那是另一種慣例：0 表示可看，-inf 表示遮住。兩種都收的函式只能猜呼叫者的意思，遇到由 0.0 和 1.0 組成的遮罩就錯了。",
        hint="遇到不是布林的遮罩，你的函式會怎麼做？",
    ),
)
def weights_with_float_masks(ref, Q, K, mask=None):
    S = ref.attention_scores(Q, K)
    floating = mask is not None and mask.dtype.kind == "f"
    return ref.softmax(S + mask if floating else masked(ref, S, mask))


@variant("attention.weights/float-mask-added")
def _(ref, Q, K, mask=None):
    if mask is None or mask.dtype.kind != "f":
        return by_query(ref, Q, K, mask, right_row)
    return shares(np.add(dots(*pair(ref, Q, K)), mask))


@about_weights(
    "attention.weights/mask-with-more-axes",
    en=Explained(
        "A mask with more axes than the scores stretches the result.",
        "Broadcasting works both ways: the scores are repeated for each mask, and what comes back has axes that the "
        "queries never had.",
        hint="Compare the shape of your result with that of the scores.",
    ),
    zh_tw=Explained(
        "軸數比分數多的遮罩，把結果也撐大了。",
        "廣播是雙向的：分數會為每個遮罩重複一次，回傳的結果就多出查詢本來沒有的軸。",
        hint="比較結果的形狀和分數的形狀。",
    ),
)
def weights_under_larger_masks(ref, Q, K, mask=None):
    S = ref.attention_scores(Q, K)
    if mask is None:
        return ref.softmax(S)
    if mask.dtype != bool:
        raise ValueError("a mask is boolean")
    return ref.softmax(np.where(mask, S, -np.inf))


@variant("attention.weights/mask-with-more-axes")
def _(ref, Q, K, mask=None):
    lead = 0 if mask is None else max(mask.ndim - Q.ndim, 0)
    extra = mask.shape[:lead] if lead else ()
    Q, K = pair(ref, Q, K)
    return by_query(ref, np.broadcast_to(Q, extra + Q.shape), np.broadcast_to(K, extra + K.shape), mask, right_row)


@about_weights("attention.weights/float32-widened", **WIDENED)
def weights_widened(ref, Q, K, mask=None):
    S = masked(ref, ref.attention_scores(Q, K), mask)
    return ref.softmax(S.astype(np.float64))


@variant("attention.weights/float32-widened")
def _(ref, Q, K, mask=None):
    return by_query(ref, np.float64(Q), np.float64(K), mask, right_row)


@about_weights("attention.weights/float16-kept", **KEPT_HALF)
def weights_half(ref, Q, K, mask=None):
    return halved(ref.softmax(masked(ref, ref.attention_scores(Q, K), mask)), Q, K)


@variant("attention.weights/float16-kept")
def _(ref, Q, K, mask=None):
    A = by_query(ref, Q, K, mask, right_row)
    return np.float16(A) if Q.dtype == K.dtype == np.float16 else A


@about_weights("attention.weights/changed-in-place", **IN_PLACE)
def weights_in_place(ref, Q, K, mask=None):
    A = ref.softmax(masked(ref, ref.attention_scores(Q, K), mask))
    if mask is not None:
        np.logical_not(mask, out=mask)
    return A


@variant("attention.weights/changed-in-place")
def _(ref, Q, K, mask=None):
    A = by_query(ref, Q, K, mask, right_row)
    if mask is not None:
        mask ^= True
    return A
