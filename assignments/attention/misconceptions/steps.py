"""What goes wrong in the exercise attention.steps."""

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    IN_PLACE,
    KEPT_HALF,
    WIDENED,
    about_steps,
    by_example,
    dot,
    dots,
    floats_of,
    halved,
    hide,
    mixed,
    right_row,
    share,
    shares,
    swap,
    triple,
)


def tokens(ref, Q, K, V):
    """As many queries as keys and values; floats that fit."""
    return floats_of(ref, "... T d_k, ... T d_k, ... T d_v", Q, K, V)


def causal(length):
    return np.tri(length, dtype=bool)


def steps(S, M, A, V):
    return {"scores": S, "masked": M, "weights": A, "output": A @ V}


def stepwise(ref, Q, K, V, mask):
    """The steps with some mask [T, T]."""
    S = ref.attention_scores(Q, K)
    M = np.where(mask, S, -np.inf)
    return steps(S, M, ref.softmax(M), V)


def steps_by_hand(ref, Q, K, V, *, may=lambda i, j: j <= i, rule=right_row, fill=-math.inf, pool=mixed):
    """The steps in lists: who may see whom, the rule for weights, what `masked` shows, and a way to pool."""
    Q, K, V = tokens(ref, Q, K, V)

    def work(q, k, v):
        keys, values = k.tolist(), v.tolist()
        S = [[dot(query, key) / math.sqrt(len(key)) for key in keys] for query in q.tolist()]
        seen = [[may(i, j) for j in range(len(keys))] for i in range(len(keys))]
        A = [rule(row, allowed) for row, allowed in zip(S, seen, strict=True)]
        M = [hide(row, allowed, fill) for row, allowed in zip(S, seen, strict=True)]
        parts = {"scores": S, "masked": M, "weights": A, "output": [pool(row, values) for row in A]}
        return {key: np.array(part, dtype=Q.dtype) for key, part in parts.items()}

    return by_example(work, Q, K, V)


@about_steps(
    "attention.steps/softmax-columns",
    en=Explained(
        "Your softmax ran down the columns.",
        "Each column of the weights sums to 1; each row should. Under the causal mask the last token then gives itself a "
        "weight of 1 and the rest on top, and the past depends on the future.",
        hint="Which axis of [T, T] holds the keys?",
    ),
    zh_tw=Explained(
        "你的 softmax 沿著直行計算了。",
        "現在權重的每個直行總和為 1，但應該是每個橫列。在因果遮罩下，最後一個詞元給自己 1，還外加其他的比例，過去也受到未來影響。",
        hint="[T, T] 的哪個軸是鍵？",
    ),
)
def steps_of_columns(ref, Q, K, V):
    Q, K, V = tokens(ref, Q, K, V)
    S = ref.attention_scores(Q, K)
    M = np.where(causal(S.shape[-1]), S, -np.inf)
    return steps(S, M, ref.softmax(M, axis=-2), V)


@variant("attention.steps/softmax-columns")
def _(ref, Q, K, V):
    right = steps_by_hand(ref, Q, K, V)
    A = by_example(lambda m: np.array([share(column) for column in m.T.tolist()]).T, right["masked"])
    right["weights"] = A.astype(right["scores"].dtype)
    right["output"] = np.einsum("...ij,...jv->...iv", right["weights"], tokens(ref, Q, K, V)[2])
    return right


@about_steps(
    "attention.steps/scores-masked-in-place",
    en=Explained(
        "`scores` shows the masked scores.",
        "You put -inf into the table of scores itself, so both steps show the same table and the one before the mask is "
        "lost.",
        hint="Are `scores` and `masked` two arrays or one?",
    ),
    zh_tw=Explained(
        "`scores` 顯示的是遮罩後的分數。",
        "你把 -inf 直接寫進分數表，兩個步驟變成同一張表，遮罩之前的那張就不見了。",
        hint="`scores` 和 `masked` 是兩個陣列還是同一個？",
    ),
)
def steps_masked_in_place(ref, Q, K, V):
    Q, K, V = tokens(ref, Q, K, V)
    S = ref.attention_scores(Q, K)
    S[..., ~causal(S.shape[-1])] = -np.inf
    return steps(S, S, ref.softmax(S), V)


@variant("attention.steps/scores-masked-in-place")
def _(ref, Q, K, V):
    right = steps_by_hand(ref, Q, K, V)
    return right | {"scores": right["masked"]}


@about_steps(
    "attention.steps/scores-not-yet-scaled",
    en=Explained(
        "`scores` shows the dot products before the scale.",
        "Scores are Q K^T divided by the root of d_k. The later steps use them, so this step should show what they use.",
        hint="Which of your arrays goes into the mask?",
    ),
    zh_tw=Explained(
        "`scores` 顯示的是還沒縮放的內積。",
        "分數是 Q K^T 除以 d_k 的平方根。後面的步驟用的是縮放後的分數，這一步就應該顯示它。",
        hint="你拿去遮罩的是哪個陣列？",
    ),
)
def steps_with_plain_dots(ref, Q, K, V):
    Q, K, V = tokens(ref, Q, K, V)
    got = stepwise(ref, Q, K, V, causal(Q.shape[-2]))
    return got | {"scores": Q @ swap(K)}


@variant("attention.steps/scores-not-yet-scaled")
def _(ref, Q, K, V):
    right = steps_by_hand(ref, Q, K, V)
    q, k, _ = tokens(ref, Q, K, V)
    return right | {"scores": np.einsum("...id,...jd->...ij", q, k)}


@about_steps(
    "attention.steps/masked-finite",
    en=Explained(
        "`masked` holds a large negative number where it should hold -inf.",
        "The weights come out the same here, so as a trick it works. As a step worked by hand, a hidden score is -inf: no "
        "number is low enough for every row.",
        hint="What stands in `masked` above the diagonal?",
    ),
    zh_tw=Explained(
        "`masked` 裡放了很大的負數，應該是 -inf。",
        "這裡算出來的權重一樣，當作技巧是可以的。但作為手算的一步，被遮住的分數就是 -inf：沒有哪個數對每一列都夠低。",
        hint="`masked` 的對角線上方是什麼？",
    ),
)
def steps_filled_with_a_billion(ref, Q, K, V):
    Q, K, V = tokens(ref, Q, K, V)
    S = ref.attention_scores(Q, K)
    M = np.where(causal(S.shape[-1]), S, -1e9)
    return steps(S, M, ref.softmax(M), V)


@variant("attention.steps/masked-finite")
def _(ref, Q, K, V):
    return steps_by_hand(ref, Q, K, V, fill=-1e9)


@about_steps(
    "attention.steps/masked-zero",
    en=Explained(
        "`masked` holds 0 where it should hold -inf.",
        "0 is an ordinary score and exp(0) is 1, so later tokens still get weight: the output sees the future.",
        hint="Which score has an exponential of 0?",
    ),
    zh_tw=Explained(
        "`masked` 裡放了 0，應該是 -inf。",
        "0 是普通的分數，exp(0) 是 1，所以後面的詞元仍然有權重：輸出看到了未來。",
        hint="什麼分數取 exp 之後是 0？",
    ),
)
def steps_filled_with_0(ref, Q, K, V):
    Q, K, V = tokens(ref, Q, K, V)
    S = ref.attention_scores(Q, K)
    M = np.tril(S)
    return steps(S, M, ref.softmax(M), V)


@variant("attention.steps/masked-zero")
def _(ref, Q, K, V):
    return steps_by_hand(ref, Q, K, V, fill=0.0, rule=lambda row, may: share(hide(row, may, fill=0.0)))


@about_steps(
    "attention.steps/mask-shown",
    en=Explained(
        "`masked` holds the mask, not the masked scores.",
        "A table of True and False says who may see whom. The step asked for is the scores after that was applied.",
        hint="What goes into your softmax?",
    ),
    zh_tw=Explained(
        "`masked` 裡放的是遮罩，不是遮罩後的分數。",
        "True 和 False 的表只說明誰能看誰。題目要的是套用遮罩之後的分數。",
        hint="送進 softmax 的是什麼？",
    ),
)
def steps_showing_the_mask(ref, Q, K, V):
    Q, K, V = tokens(ref, Q, K, V)
    got = stepwise(ref, Q, K, V, causal(Q.shape[-2]))
    return got | {"masked": np.broadcast_to(causal(Q.shape[-2]), got["scores"].shape).copy()}


@variant("attention.steps/mask-shown")
def _(ref, Q, K, V):
    right = steps_by_hand(ref, Q, K, V)
    return right | {"masked": ~np.isneginf(right["masked"])}


@about_steps(
    "attention.steps/mask-after-softmax",
    en=Explained(
        "The weights were masked after the softmax.",
        "Later tokens had taken their share before it was thrown away: all rows but the last sum to less than 1.",
        hint="Into which step does `masked` go?",
    ),
    zh_tw=Explained(
        "權重是在 softmax 之後才遮罩的。",
        "後面的詞元先分走了一些比例，然後才被丟掉：除了最後一列，每列總和都小於 1。",
        hint="`masked` 用在哪一步？",
    ),
)
def steps_masked_late(ref, Q, K, V):
    Q, K, V = tokens(ref, Q, K, V)
    S = ref.attention_scores(Q, K)
    mask = causal(S.shape[-1])
    return steps(S, np.where(mask, S, -np.inf), ref.softmax(S) * mask, V)


@variant("attention.steps/mask-after-softmax")
def _(ref, Q, K, V):
    return steps_by_hand(ref, Q, K, V, rule=lambda row, may: hide(share(row), may, fill=0.0))


@about_steps(
    "attention.steps/not-causal",
    en=Explained(
        "Nothing is masked.",
        "Every token sees every other, later ones too. A model trained that way reads off the very token that it is to "
        "predict.",
        hint="Which entries of `masked` should be -inf?",
    ),
    zh_tw=Explained(
        "什麼都沒有遮。",
        "每個詞元都看得到其他詞元，包括後面的。這樣訓練的模型會直接讀出它該預測的詞元。",
        hint="`masked` 的哪些元素應該是 -inf？",
    ),
)
def steps_uncausal(ref, Q, K, V):
    Q, K, V = tokens(ref, Q, K, V)
    return stepwise(ref, Q, K, V, np.ones((Q.shape[-2],) * 2, dtype=bool))


@variant("attention.steps/not-causal")
def _(ref, Q, K, V):
    return steps_by_hand(ref, Q, K, V, may=lambda i, j: i == i or j)  # noqa: PLR0124  # every pair


@about_steps(
    "attention.steps/future-only",
    en=Explained(
        "Your mask shows the future and hides the past.",
        "Upper and lower triangle are exchanged: the last token sees itself alone, the first sees everything.",
        hint="Which key may token 0 attend to?",
    ),
    zh_tw=Explained(
        "你的遮罩露出未來、遮住過去。",
        "上三角和下三角弄反了：最後一個詞元只看得到自己，第一個卻看得到全部。",
        hint="詞元 0 可以看哪個鍵？",
    ),
)
def steps_of_the_future(ref, Q, K, V):
    Q, K, V = tokens(ref, Q, K, V)
    return stepwise(ref, Q, K, V, causal(Q.shape[-2]).T)


@variant("attention.steps/future-only")
def _(ref, Q, K, V):
    return steps_by_hand(ref, Q, K, V, may=lambda i, j: j >= i)


@about_steps(
    "attention.steps/self-hidden",
    en=Explained(
        "A token may not see itself.",
        "The diagonal belongs to the past: token t attends to 0, ..., t. Without it the first token has nothing to attend "
        "to.",
        hint="What is on the diagonal of `masked`?",
    ),
    zh_tw=Explained(
        "詞元看不到自己。",
        "對角線也算過去：詞元 t 可以看 0、……、t。少了它，第一個詞元就什麼都不能看。",
        hint="`masked` 的對角線上是什麼？",
    ),
)
def steps_without_self(ref, Q, K, V):
    Q, K, V = tokens(ref, Q, K, V)
    return stepwise(ref, Q, K, V, np.tri(Q.shape[-2], k=-1, dtype=bool))


@variant("attention.steps/self-hidden")
def _(ref, Q, K, V):
    return steps_by_hand(ref, Q, K, V, may=lambda i, j: j < i)


@about_steps(
    "attention.steps/next-seen",
    en=Explained(
        "Each token sees the next one too.",
        "The mask is one diagonal too wide. It is the next token that a language model is to predict, so this one step is "
        "all it takes to cheat.",
        hint="How many entries of row 0 of `masked` are finite?",
    ),
    zh_tw=Explained(
        "每個詞元多看到了下一個。",
        "遮罩寬了一條對角線。語言模型要預測的正是下一個詞元，多看這一步就等於作弊。",
        hint="`masked` 的第 0 列有幾個元素是有限的？",
    ),
)
def steps_with_the_next(ref, Q, K, V):
    Q, K, V = tokens(ref, Q, K, V)
    return stepwise(ref, Q, K, V, np.tri(Q.shape[-2], k=1, dtype=bool))


@variant("attention.steps/next-seen")
def _(ref, Q, K, V):
    return steps_by_hand(ref, Q, K, V, may=lambda i, j: j <= i + 1)


@about_steps(
    "attention.steps/output-transposed",
    en=Explained(
        "The output was made with the transposed weights.",
        "Row i of the output is the mean that query i takes. Yours collects what all queries give to key i, and the "
        "columns of the weights do not sum to 1.",
        hint="Over which axis of the weights must the product sum?",
    ),
    zh_tw=Explained(
        "輸出是用轉置後的權重算的。",
        "輸出的第 i 列是查詢 i 取的平均。你的則是把所有查詢給鍵 i 的比例加起來，而權重的直行總和不是 1。",
        hint="乘積應該對權重的哪個軸求和？",
    ),
)
def steps_transposed(ref, Q, K, V):
    Q, K, V = tokens(ref, Q, K, V)
    got = stepwise(ref, Q, K, V, causal(Q.shape[-2]))
    return got | {"output": swap(got["weights"]) @ V}


@variant("attention.steps/output-transposed")
def _(ref, Q, K, V):
    right = steps_by_hand(ref, Q, K, V)
    return right | {"output": np.einsum("...ji,...jv->...iv", right["weights"], tokens(ref, Q, K, V)[2])}


@about_steps(
    "attention.steps/output-by-scores",
    en=Explained(
        "The output was made with the scores instead of the weights.",
        "Scores can be negative and do not sum to 1, and these are unmasked: the output is no mean and sees the future.",
        hint="Which of the steps is multiplied with V?",
    ),
    zh_tw=Explained(
        "輸出是用分數算的，不是用權重。",
        "分數可以是負的，總和也不是 1，而且還沒遮罩：輸出既不是平均，還看到了未來。",
        hint="哪一步的結果拿去乘 V？",
    ),
)
def steps_by_scores(ref, Q, K, V):
    Q, K, V = tokens(ref, Q, K, V)
    got = stepwise(ref, Q, K, V, causal(Q.shape[-2]))
    return got | {"output": got["scores"] @ V}


@variant("attention.steps/output-by-scores")
def _(ref, Q, K, V):
    right = steps_by_hand(ref, Q, K, V)
    plain = steps_by_hand(ref, Q, K, V, rule=lambda row, _: row)
    return right | {"output": plain["output"]}


@about_steps(
    "attention.steps/length-of-the-first-axis",
    en=Explained(
        "Your mask has the length of the first axis.",
        "In one sequence the first axis is the tokens. In a batch it is the examples, and the mask has the wrong size.",
        hint="How do you find T for Q of shape [B, T, d_k]?",
    ),
    zh_tw=Explained(
        "你的遮罩用了第一個軸的長度。",
        "只有一個序列時，第一個軸是詞元；有批次時是例子，遮罩的大小就錯了。",
        hint="Q 的形狀是 [B, T, d_k] 時，你怎麼找出 T？",
    ),
)
def steps_of_first_length(ref, Q, K, V):
    Q, K, V = tokens(ref, Q, K, V)
    return stepwise(ref, Q, K, V, causal(len(Q)))


@variant("attention.steps/length-of-the-first-axis")
def _(ref, Q, K, V):
    if Q.shape[0] != Q.shape[-2]:
        raise ValueError("mask and scores do not broadcast")
    return steps_by_hand(ref, Q, K, V)


@about_steps(
    "attention.steps/mask-not-sliced",
    en=Explained(
        "Your mask fits three tokens and no other number.",
        "A causal mask made once, such as np.tri(3), has a fixed size. A sequence of T tokens needs one of [T, T]: make it "
        "from the length you were given, or cut a larger one down to it.",
        hint="What is the shape of your mask when there are two tokens?",
    ),
    zh_tw=Explained(
        "你的遮罩只適合三個詞元，換個數目就不能用。",
        "一開始就做好的因果遮罩（例如 np.tri(3)）大小是固定的。T 個詞元的序列需要 [T, T] 的遮罩：照實際的長度建立，或從更大的遮罩切出來。",
        hint="只有兩個詞元時，你的遮罩是什麼形狀？",
    ),
)
def steps_of_three_tokens(ref, Q, K, V):
    Q, K, V = tokens(ref, Q, K, V)
    return stepwise(ref, Q, K, V, causal(3))


@variant("attention.steps/mask-not-sliced")
def _(ref, Q, K, V):
    got = steps_by_hand(ref, Q, K, V)
    if Q.shape[-2] != 3:
        raise ValueError("operands could not be broadcast together")
    return got


@about_steps(
    "attention.steps/fewer-keys-accepted",
    en=Explained(
        "You accepted fewer keys than queries.",
        "In causal self-attention every token has a query, a key and a value. With fewer keys there is no telling which "
        "of them lie in a query's past.",
        hint="Compare the lengths of Q, K and V before you make the mask.",
    ),
    zh_tw=Explained(
        "鍵比查詢少，你也接受了。",
        "在因果自注意力中，每個詞元都有一個查詢、一個鍵和一個值。鍵比較少時，無從得知哪些鍵在查詢的過去。",
        hint="建立遮罩之前，先比對 Q、K、V 的長度。",
    ),
)
def steps_of_uneven_lengths(ref, Q, K, V):
    Q, K, V = triple(ref, Q, K, V)
    return stepwise(ref, Q, K, V, np.tri(Q.shape[-2], K.shape[-2], dtype=bool))


@variant("attention.steps/fewer-keys-accepted")
def _(ref, Q, K, V):
    Q, K, V = triple(ref, Q, K, V)
    S = dots(Q, K)
    ahead = np.arange(S.shape[-1]) > np.arange(S.shape[-2])[:, np.newaxis]
    M = S - np.where(ahead, np.inf, 0).astype(S.dtype)
    return steps(S, M, shares(M), V)


@about_steps("attention.steps/float32-widened", **WIDENED)
def steps_widened(ref, Q, K, V):
    Q, K, V = (array.astype(np.float64) for array in tokens(ref, Q, K, V))
    return stepwise(ref, Q, K, V, causal(Q.shape[-2]))


@variant("attention.steps/float32-widened")
def _(ref, Q, K, V):
    return steps_by_hand(ref, np.float64(Q), np.float64(K), np.float64(V))


@about_steps("attention.steps/float16-kept", **KEPT_HALF)
def steps_half(ref, Q, K, V):
    got = stepwise(ref, *tokens(ref, Q, K, V), causal(Q.shape[-2]))
    return {key: halved(part, Q, K, V) for key, part in got.items()}


@variant("attention.steps/float16-kept")
def _(ref, Q, K, V):
    half = {Q.dtype, K.dtype, V.dtype} == {np.dtype(np.float16)}
    got = steps_by_hand(ref, Q, K, V)
    return {key: np.float16(part) if half else part for key, part in got.items()}


@about_steps("attention.steps/changed-in-place", **IN_PLACE)
def steps_in_place(ref, Q, K, V):
    got = stepwise(ref, *tokens(ref, Q, K, V), causal(Q.shape[-2]))
    if Q.dtype.kind == "f":
        Q /= math.sqrt(Q.shape[-1])
    return got


@variant("attention.steps/changed-in-place")
def _(ref, Q, K, V):
    got = steps_by_hand(ref, Q, K, V)
    if Q.dtype.kind == "f":
        np.multiply(Q, Q.shape[-1] ** -0.5, out=Q)
    return got
