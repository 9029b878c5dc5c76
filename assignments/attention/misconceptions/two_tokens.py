"""What goes wrong in the exercise attention.two_tokens."""

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    IN_PLACE,
    KEPT_HALF,
    WIDENED,
    about_two_tokens,
    dot,
    dots,
    floats_of,
    halved,
    hide,
    mixed,
    right_row,
    share,
)

LECTURE = {"Q": ((1.0,), (2.0,)), "K": ((1.0,), (3.0,)), "V": ((10.0,), (20.0,))}


def causal_2():
    """The mask of two tokens: a fresh one, for one mistake changes the mask that it is given."""
    return np.tri(2, dtype=bool)


def lecture_or(Q, K, V):
    """The lecture's numbers where none are given, whatever the shapes of those that are."""
    return [np.array(LECTURE[name]) if array is None else array for name, array in zip("QKV", (Q, K, V), strict=True)]


def two_tokens(ref, Q, K, V):
    """The lecture's numbers where none are given; floats that fit."""
    return floats_of(ref, "T d_k, T d_k, T d_v", *lecture_or(Q, K, V))


def example(S, A, V):
    return {"S": S, "A": A, "Z": A @ V}


def example_by_hand(ref, Q, K, V, rule=right_row, *, later=False, pool=mixed):
    """The whole example in lists: a rule for the weights, whether the first token sees the second, a way to pool."""
    Q, K, V = two_tokens(ref, Q, K, V)
    (q1, q2), keys, values = Q.tolist(), K.tolist(), V.tolist()
    root = math.sqrt(len(q1))
    S = [[dot(query, key) / root for key in keys] for query in (q1, q2)]
    A = [rule(S[0], [True, later]), rule(S[1], [True, True])]
    Z = [pool(row, values) for row in A]
    return {key: np.array(part, dtype=Q.dtype) for key, part in (("S", S), ("A", A), ("Z", Z))}


@about_two_tokens(
    "attention.two_tokens/softmax-columns",
    en=Explained(
        "Your softmax ran down the columns.",
        "With the lecture's numbers the rows of A then sum to .269 and 1.731, and the second output is 27.31, larger than "
        "any value. A mean of 10 and 20 lies between them.",
        hint="Which axis of A holds the keys?",
    ),
    zh_tw=Explained(
        "你的 softmax 沿著直行計算了。",
        "用課堂的數字，A 的橫列總和會變成 .269 和 1.731，第二個輸出是 27.31，比任何一個值都大。10 和 20 的平均應該介於兩者之間。",
        hint="A 的哪個軸是鍵？",
    ),
)
def two_tokens_by_columns(ref, Q=None, K=None, V=None):
    Q, K, V = two_tokens(ref, Q, K, V)
    S = ref.attention_scores(Q, K)
    return example(S, ref.softmax(np.where(causal_2(), S, -np.inf), axis=0), V)


@variant("attention.two_tokens/softmax-columns")
def _(ref, Q=None, K=None, V=None):
    Q, K, V = two_tokens(ref, Q, K, V)
    S = dots(Q, K)
    first = share(S[:, 0].tolist())
    A = np.array([[first[0], 0.0], [first[1], 1.0]], dtype=S.dtype)
    return example(S, A, V)


@about_two_tokens(
    "attention.two_tokens/lecture-s-numbers-only",
    en=Explained(
        "You return the lecture's numbers whatever is passed in.",
        "They are the defaults, not the answer: with other queries, keys and values the same steps give other numbers.",
        hint="Are Q, K and V used at all?",
    ),
    zh_tw=Explained(
        "不管傳入什麼，你都回傳課堂上的數字。",
        "那些是預設值，不是答案：換了查詢、鍵和值，同樣的步驟會得到別的數。",
        hint="Q、K、V 有用到嗎？",
    ),
)
def two_tokens_by_heart(ref, Q=None, K=None, V=None):
    Q, K, V = two_tokens(ref, None, None, None)
    S = ref.attention_scores(Q, K)
    return example(S, ref.attention_weights(Q, K, causal_2()), V)


@variant("attention.two_tokens/lecture-s-numbers-only")
def _(ref, Q=None, K=None, V=None):
    a = 1 / (1 + math.exp(4))
    numbers = {"S": [[1, 3], [2, 6]], "A": [[1, 0], [a, 1 - a]], "Z": [[10], [20 - 10 * a]]}
    return {key: np.array(part, dtype=np.float64) for key, part in numbers.items()}


@about_two_tokens(
    "attention.two_tokens/lecture-s-values-only",
    en=Explained(
        "The values are the lecture's whatever is passed in.",
        "Queries and keys are used, so S and A come out right, but Z is always a mean of 10 and 20.",
        hint="Where in your function is V used?",
    ),
    zh_tw=Explained(
        "不管傳入什麼，你用的都是課堂上的值。",
        "查詢和鍵有用到，所以 S 和 A 是對的，但 Z 永遠是 10 和 20 的平均。",
        hint="你的函式在哪裡用到 V？",
    ),
)
def two_tokens_of_fixed_values(ref, Q=None, K=None, V=None):
    Q, K, V = two_tokens(ref, Q, K, V)
    S = ref.attention_scores(Q, K)
    Z = ref.attention_weights(Q, K, causal_2()) @ np.array(LECTURE["V"], dtype=V.dtype)
    return {"S": S, "A": ref.attention_weights(Q, K, causal_2()), "Z": np.repeat(Z, V.shape[-1], axis=-1)}


@variant("attention.two_tokens/lecture-s-values-only")
def _(ref, Q=None, K=None, V=None):
    return example_by_hand(ref, Q, K, V, pool=lambda row, values: [10 * row[0] + 20 * row[1]] * len(values[0]))


@about_two_tokens(
    "attention.two_tokens/queries-and-keys-exchanged-by-default",
    en=Explained(
        "The default queries and keys are exchanged.",
        "The lecture has Q = [1, 2] and K = [1, 3]. Exchanged, token 2 asks with 3, and S comes out transposed.",
        hint="Compare your defaults with the lecture, line by line.",
    ),
    zh_tw=Explained(
        "預設的查詢和鍵對調了。",
        "課堂上是 Q = [1, 2]、K = [1, 3]。對調之後，詞元 2 變成用 3 去問，S 也轉置了。",
        hint="把你的預設值和課堂內容逐項比對。",
    ),
)
def two_tokens_exchanged(ref, Q=None, K=None, V=None):
    Q = np.array(LECTURE["K"]) if Q is None else Q
    K = np.array(LECTURE["Q"]) if K is None else K
    Q, K, V = two_tokens(ref, Q, K, V)
    return example(ref.attention_scores(Q, K), ref.attention_weights(Q, K, causal_2()), V)


@variant("attention.two_tokens/queries-and-keys-exchanged-by-default")
def _(ref, Q=((1.0,), (3.0,)), K=((1.0,), (2.0,)), V=((10.0,), (20.0,))):
    return example_by_hand(ref, *map(np.asarray, (Q, K, V)))


@about_two_tokens(
    "attention.two_tokens/scores-masked",
    en=Explained(
        "S holds the masked scores.",
        "S is the plain table of how well each query matches each key, [[1, 3], [2, 6]] in the lecture. What is hidden "
        "shows in A.",
        hint="Which of your two tables of scores do you return?",
    ),
    zh_tw=Explained(
        "S 裡放的是遮罩後的分數。",
        "S 是每個查詢對每個鍵的原始分數表，課堂上是 [[1, 3], [2, 6]]。遮住什麼要到 A 才看得出來。",
        hint="兩張分數表，你回傳的是哪一張？",
    ),
)
def two_tokens_masked_scores(ref, Q=None, K=None, V=None):
    Q, K, V = two_tokens(ref, Q, K, V)
    S = np.where(causal_2(), ref.attention_scores(Q, K), -np.inf)
    return example(S, ref.softmax(S), V)


@variant("attention.two_tokens/scores-masked")
def _(ref, Q=None, K=None, V=None):
    got = example_by_hand(ref, Q, K, V)
    got["S"][0, 1] = -np.inf
    return got


@about_two_tokens(
    "attention.two_tokens/not-causal",
    en=Explained(
        "The first token sees the second.",
        "A is to be causal: token 1 has no past, so its weight is 1 on itself and its output is its own value, 10.",
        hint="What does the mask of two tokens look like?",
    ),
    zh_tw=Explained(
        "第一個詞元看到了第二個。",
        "A 應該是因果的：詞元 1 沒有過去，權重全在自己身上，輸出就是自己的值 10。",
        hint="兩個詞元的遮罩長什麼樣子？",
    ),
)
def two_tokens_uncausal(ref, Q=None, K=None, V=None):
    Q, K, V = two_tokens(ref, Q, K, V)
    return example(ref.attention_scores(Q, K), ref.attention_weights(Q, K), V)


@variant("attention.two_tokens/not-causal")
def _(ref, Q=None, K=None, V=None):
    return example_by_hand(ref, Q, K, V, later=True)


@about_two_tokens(
    "attention.two_tokens/future-only",
    en=Explained(
        "Your mask shows the future and hides the past.",
        "The upper triangle is what is to be hidden. Yours keeps it: the second token sees only itself.",
        hint="Which triangle of the mask is True?",
    ),
    zh_tw=Explained(
        "你的遮罩露出未來、遮住過去。",
        "上三角是該遮住的部分，你卻把它留下來：第二個詞元只看得到自己。",
        hint="遮罩的哪個三角形是 True？",
    ),
)
def two_tokens_of_the_future(ref, Q=None, K=None, V=None):
    Q, K, V = two_tokens(ref, Q, K, V)
    return example(ref.attention_scores(Q, K), ref.attention_weights(Q, K, causal_2().T), V)


@variant("attention.two_tokens/future-only")
def _(ref, Q=None, K=None, V=None):
    Q, K, V = two_tokens(ref, Q, K, V)
    S = dots(Q, K)
    return example(S, np.array([share(S[0].tolist()), [0.0, 1.0]], dtype=S.dtype), V)


@about_two_tokens(
    "attention.two_tokens/self-hidden",
    en=Explained(
        "A token may not see itself.",
        "Your mask is False on the diagonal too: the first token is left with nothing, and the second with the first alone. "
        "A causal mask hides what comes after a token, not the token.",
        hint="Whom may the first token attend to?",
    ),
    zh_tw=Explained(
        "詞元看不到自己。",
        "你的遮罩連對角線也是 False：第一個詞元什麼都不剩，第二個只剩下第一個。因果遮罩遮的是詞元之後的，不是詞元自己。",
        hint="第一個詞元可以看誰？",
    ),
)
def two_tokens_blind_to_themselves(ref, Q=None, K=None, V=None):
    Q, K, V = two_tokens(ref, Q, K, V)
    return example(ref.attention_scores(Q, K), ref.attention_weights(Q, K, np.tri(2, k=-1, dtype=bool)), V)


@variant("attention.two_tokens/self-hidden")
def _(ref, Q=None, K=None, V=None):
    Q, K, V = two_tokens(ref, Q, K, V)
    return example(dots(Q, K), np.array([[0, 0], [1, 0]], dtype=Q.dtype), V)


@about_two_tokens(
    "attention.two_tokens/mask-after-softmax",
    en=Explained(
        "You masked after the softmax.",
        "The first token has given most of its attention to the second before that is thrown away: its row sums to .119, "
        "and the first output is 1.19 where it should be 10.",
        hint="At which step must a key be out of the race?",
    ),
    zh_tw=Explained(
        "你在 softmax 之後才遮罩。",
        "第一個詞元先把大部分注意力給了第二個，然後才被丟掉：這一列總和只有 .119，第一個輸出是 1.19，應該是 10。",
        hint="鍵應該在哪一步之前就退出競爭？",
    ),
)
def two_tokens_masked_late(ref, Q=None, K=None, V=None):
    Q, K, V = two_tokens(ref, Q, K, V)
    return example(ref.attention_scores(Q, K), ref.attention_weights(Q, K) * causal_2(), V)


@variant("attention.two_tokens/mask-after-softmax")
def _(ref, Q=None, K=None, V=None):
    return example_by_hand(ref, Q, K, V, lambda row, may: hide(share(row), may, fill=0.0))


@about_two_tokens(
    "attention.two_tokens/fill-zero",
    en=Explained(
        "You set the hidden score to 0.",
        "exp(0) is 1: a score of 0 still gets weight, so the first output is pulled towards 20.",
        hint="Which score has an exponential of 0?",
    ),
    zh_tw=Explained(
        "你把被遮住的分數設成 0。",
        "exp(0) 是 1：0 分仍然有權重，所以第一個輸出被拉向 20。",
        hint="什麼分數取 exp 之後是 0？",
    ),
)
def two_tokens_filled_with_0(ref, Q=None, K=None, V=None):
    Q, K, V = two_tokens(ref, Q, K, V)
    S = ref.attention_scores(Q, K)
    return example(S, ref.softmax(np.tril(S)), V)


@variant("attention.two_tokens/fill-zero")
def _(ref, Q=None, K=None, V=None):
    return example_by_hand(ref, Q, K, V, lambda row, may: share(hide(row, may, fill=0.0)))


@about_two_tokens(
    "attention.two_tokens/output-of-all",
    en=Explained(
        "Z does not belong to A: it was computed without the mask.",
        "A is causal as it should be, yet the first output contains the second token's value.",
        hint="From which weights is Z computed?",
    ),
    zh_tw=Explained(
        "Z 和 A 對不上：它是用沒有遮罩的權重算的。",
        "A 是因果的，沒有問題，但第一個輸出卻含有第二個詞元的值。",
        hint="Z 是由哪一組權重算出來的？",
    ),
)
def two_tokens_with_open_output(ref, Q=None, K=None, V=None):
    Q, K, V = two_tokens(ref, Q, K, V)
    A = ref.attention_weights(Q, K, causal_2())
    return {"S": ref.attention_scores(Q, K), "A": A, "Z": ref.attention_weights(Q, K) @ V}


@variant("attention.two_tokens/output-of-all")
def _(ref, Q=None, K=None, V=None):
    return example_by_hand(ref, Q, K, V) | {"Z": example_by_hand(ref, Q, K, V, later=True)["Z"]}


@about_two_tokens(
    "attention.two_tokens/rounded",
    en=Explained(
        "You rounded to two decimals.",
        "19.82 is how the lecture prints it; the result itself has all its digits. Rounded on the way, errors add up.",
        hint="Where in your function are digits thrown away?",
    ),
    zh_tw=Explained(
        "你四捨五入到小數點後兩位。",
        "19.82 是課堂上印出來的寫法，結果本身應該保留所有位數。中途四捨五入，誤差會累積。",
        hint="你的函式在哪裡丟掉了位數？",
    ),
)
def two_tokens_rounded(ref, Q=None, K=None, V=None):
    Q, K, V = two_tokens(ref, Q, K, V)
    got = example(ref.attention_scores(Q, K), ref.attention_weights(Q, K, causal_2()), V)
    return {key: part.round(2) for key, part in got.items()}


@variant("attention.two_tokens/rounded")
def _(ref, Q=None, K=None, V=None):
    got = example_by_hand(ref, Q, K, V)
    return {key: np.rint(part * 100) / np.array(100, part.dtype) for key, part in got.items()}


@about_two_tokens(
    "attention.two_tokens/output-flattened",
    en=Explained(
        "Z is a vector, not a column.",
        "Each token has an output row of d_v numbers, so Z has the shape of V, [2, 1], even where d_v is 1.",
        hint="What is the shape of V?",
    ),
    zh_tw=Explained(
        "Z 是一維向量，不是一個直行。",
        "每個詞元都有一列 d_v 個數的輸出，所以 Z 的形狀和 V 一樣是 [2, 1]，就算 d_v 是 1 也一樣。",
        hint="V 的形狀是什麼？",
    ),
)
def two_tokens_flat(ref, Q=None, K=None, V=None):
    Q, K, V = two_tokens(ref, Q, K, V)
    got = example(ref.attention_scores(Q, K), ref.attention_weights(Q, K, causal_2()), V)
    return got | {"Z": got["Z"].ravel()}


@variant("attention.two_tokens/output-flattened")
def _(ref, Q=None, K=None, V=None):
    got = example_by_hand(ref, Q, K, V)
    got["Z"] = np.concatenate(list(got["Z"]))
    return got


@about_two_tokens(
    "attention.two_tokens/numbers-multiplied",
    en=Explained(
        "You multiplied Q and K entry by entry.",
        "For vectors of one number Q * K^T is the table of dot products. For wider ones a dot product sums over the "
        "width, and `*` does not.",
        hint="What does your line give for d_k = 4?",
    ),
    zh_tw=Explained(
        "你把 Q 和 K 逐元素相乘了。",
        "向量只有一個數時，Q * K^T 剛好就是內積表。更寬的向量要對寬度求和，`*` 不會。",
        hint="d_k = 4 時，你的那行程式碼會算出什麼？",
    ),
)
def two_tokens_multiplied(ref, Q=None, K=None, V=None):
    Q, K, V = two_tokens(ref, Q, K, V)
    S = Q * K.T
    return example(S, ref.softmax(np.where(causal_2(), S, -np.inf)), V)


@variant("attention.two_tokens/numbers-multiplied")
def _(ref, Q=None, K=None, V=None):
    if np.shape(Q)[-1:] not in ((), (1,)):
        raise ValueError("operands could not be broadcast together")
    return example_by_hand(ref, Q, K, V)


@about_two_tokens(
    "attention.two_tokens/first-column-only",
    en=Explained(
        "You use only the first number of each query and key.",
        "In the lecture's example that is the whole vector. A wider one has more: the dot product sums over all of it, "
        "and its root goes into the scale.",
        hint="Which entries of Q do you read?",
    ),
    zh_tw=Explained(
        "每個查詢和鍵，你只用了第一個數。",
        "在課堂的例子裡那就是整個向量。更寬的向量不只一個數：內積要全部加起來，寬度的平方根也要放進縮放。",
        hint="你讀了 Q 的哪些元素？",
    ),
)
def two_tokens_of_first_columns(ref, Q=None, K=None, V=None):
    Q, K, V = two_tokens(ref, Q, K, V)
    Q, K = Q[:, :1], K[:, :1]
    return example(ref.attention_scores(Q, K), ref.attention_weights(Q, K, causal_2()), V)


@variant("attention.two_tokens/first-column-only")
def _(ref, Q=None, K=None, V=None):
    Q, K, V = two_tokens(ref, Q, K, V)
    return example_by_hand(ref, Q[:, [0]], K[:, [0]], V)


@about_two_tokens(
    "attention.two_tokens/not-scaled",
    en=Explained(
        "The scores are not scaled.",
        "In the lecture's example d_k is 1, and so is its root. For wider vectors the scores are too large without it.",
        hint="What does `attention_scores` do that your line does not?",
    ),
    zh_tw=Explained(
        "分數沒有縮放。",
        "課堂的例子裡 d_k 是 1，平方根也是 1。向量更寬時，不縮放的分數會太大。",
        hint="`attention_scores` 做了什麼，是你的那行程式碼沒有做的？",
    ),
)
def two_tokens_unscaled(ref, Q=None, K=None, V=None):
    Q, K, V = two_tokens(ref, Q, K, V)
    S = Q @ K.T
    return example(S, ref.softmax(np.where(causal_2(), S, -np.inf)), V)


@variant("attention.two_tokens/not-scaled")
def _(ref, Q=None, K=None, V=None):
    Q, K, V = two_tokens(ref, Q, K, V)
    return example_by_hand(ref, Q * math.sqrt(Q.shape[-1]), K, V)


@about_two_tokens(
    "attention.two_tokens/one-value-each",
    en=Explained(
        "You use only the first number of each value.",
        "A value may be as wide as it likes; each of its columns is averaged with the same weights.",
        hint="Which entries of V do you read, and how wide is Z?",
    ),
    zh_tw=Explained(
        "每個值，你只用了第一個數。",
        "值可以有任意寬度，每個直行都用同一組權重來平均。",
        hint="你讀了 V 的哪些元素？Z 有多寬？",
    ),
)
def two_tokens_of_narrow_values(ref, Q=None, K=None, V=None):
    Q, K, V = two_tokens(ref, Q, K, V)
    return example(ref.attention_scores(Q, K), ref.attention_weights(Q, K, causal_2()), V[:, :1])


@variant("attention.two_tokens/one-value-each")
def _(ref, Q=None, K=None, V=None):
    return example_by_hand(ref, Q, K, V, pool=lambda row, values: [row[0] * values[0][0] + row[1] * values[1][0]])


@about_two_tokens(
    "attention.two_tokens/cut-to-the-shorter",
    en=Explained(
        "You cut what does not fit down to the shorter length.",
        "`zip` stops without a word at the end of the shorter list. Queries and keys of different widths, or more values "
        "than keys, are most likely a mistake of the caller, and they get numbers instead of an error.",
        hint="What does your function do with a query of three numbers and a key of two?",
    ),
    zh_tw=Explained(
        "形狀不合時，你只取了較短的長度。",
        "`zip` 到了較短的串列結尾就默默停下。查詢和鍵的寬度不同，或值比鍵多，多半是呼叫者的錯，卻得到一堆數字，而不是錯誤訊息。",
        hint="查詢有三個數、鍵只有兩個數時，你的函式會怎麼做？",
    ),
)
def two_tokens_cut_short(ref, Q=None, K=None, V=None):
    Q, K, V = ref.as_floats(*lecture_or(Q, K, V))
    width = min(Q.shape[-1], K.shape[-1])
    S = Q[:, :width] @ K[:, :width].T / math.sqrt(Q.shape[-1])
    return example(S, ref.softmax(np.where(causal_2(), S, -np.inf)), V[:2])


@variant("attention.two_tokens/cut-to-the-shorter")
def _(ref, Q=None, K=None, V=None):
    Q, K, V = ref.as_floats(*lecture_or(Q, K, V))
    S = [[sum(x * y for x, y in zip(q, k, strict=False)) / len(q) ** 0.5 for k in K.tolist()] for q in Q.tolist()]
    A = [right_row(S[0], [True, False]), right_row(S[1], [True, True])]
    Z = [sum(weight * value for weight, value in zip(row, V, strict=False)) for row in A]
    return {key: np.array(part, dtype=Q.dtype) for key, part in (("S", S), ("A", A), ("Z", Z))}


@about_two_tokens("attention.two_tokens/float32-widened", **WIDENED)
def two_tokens_widened(ref, Q=None, K=None, V=None):
    Q, K, V = (array.astype(np.float64) for array in two_tokens(ref, Q, K, V))
    return example(ref.attention_scores(Q, K), ref.attention_weights(Q, K, causal_2()), V)


@variant("attention.two_tokens/float32-widened")
def _(ref, Q=None, K=None, V=None):
    return {key: np.float64(part) for key, part in example_by_hand(ref, Q, K, V).items()}


@about_two_tokens("attention.two_tokens/float16-kept", **KEPT_HALF)
def two_tokens_half(ref, Q=None, K=None, V=None):
    q, k, v = two_tokens(ref, Q, K, V)
    got = example(ref.attention_scores(q, k), ref.attention_weights(q, k, causal_2()), v)
    given = [array for array in (Q, K, V) if array is not None]
    return {key: halved(part, *given) for key, part in got.items()} if given else got


@variant("attention.two_tokens/float16-kept")
def _(ref, Q=None, K=None, V=None):
    dtypes = {array.dtype for array in (Q, K, V) if array is not None}
    got = example_by_hand(ref, Q, K, V)
    return {key: np.float16(part) for key, part in got.items()} if dtypes == {np.dtype(np.float16)} else got


@about_two_tokens("attention.two_tokens/changed-in-place", **IN_PLACE)
def two_tokens_in_place(ref, Q=None, K=None, V=None):
    q, k, v = two_tokens(ref, Q, K, V)
    got = example(ref.attention_scores(q, k), ref.attention_weights(q, k, causal_2()), v)
    if V is not None:
        V[...] = got["Z"]
    return got


@variant("attention.two_tokens/changed-in-place")
def _(ref, Q=None, K=None, V=None):
    got = example_by_hand(ref, Q, K, V)
    if V is not None:
        np.copyto(V, got["Z"], casting="same_kind")
    return got
