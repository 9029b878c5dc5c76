"""What goes wrong in the exercise interpret.same_output_weights.

Many answers are right. The mistakes spoil this one: a row moves along the null direction that is nearest to a single key,
that key being the one to which some direction comes nearest, by half of what would take the first weight to 0.
"""

from __future__ import annotations

import math
from functools import partial

import torch

from grader.testing import Explained, misconception, variant
from misconceptions.shared import SQUEEZED, WIDENED, refuse

about = partial(misconception, name="same_output_weights")


def with_ones(V):
    return torch.cat([V, V.new_ones(len(V), 1)], dim=1)


def projector(M):
    """What leaves M alone: the projection onto all n with n M = 0, by the pseudoinverse."""
    return torch.eye(len(M), dtype=M.dtype) - M @ torch.linalg.pinv(M, rtol=1e-9)


def projector_by_vectors(M):
    """The same by Gram and Schmidt."""
    found = []
    for column in M.T:
        left = column
        for q in found * 2:  # twice, for what rounding leaves
            left = left - (q @ left) * q
        if left.norm() > 1e-9:
            found.append(left / left.norm())
    return torch.eye(len(M), dtype=M.dtype) - sum(torch.outer(q, q) for q in found)


def nearest(P):
    """The direction nearest to a single key, with 1 there."""
    key = P.diagonal().round(decimals=6).argmax()  # the first of those that are as near
    return P[:, key] / P[key, key]


def half_way(A, n):
    """Each row moved by half of its room."""
    room = torch.where(n < 0, A / -n, math.inf).amin(dim=1, keepdim=True)
    return A + room / 2 * n


def half_way_by_rows(A, n):
    """The same row by row."""
    moved = []
    for a in A:
        room = min((x / -y for x, y in zip(a.tolist(), n.tolist(), strict=True) if y < 0), default=math.inf)
        moved.append(a + 0.5 * room * n)
    return torch.stack(moved)


def require_shapes(A, V):
    refuse(A.ndim != 2 or V.ndim != 2 or A.shape[1] != len(V))


def require(A, V):
    """Refuse what the reference refuses, save where there is no direction; so near to 0 no row of the tests has room."""
    require_shapes(A, V)
    refuse(bool((A < 1e-8).any()))


def no_direction(P):
    """Whether nothing is left."""
    return bool(P.trace() < 0.5)


def at_once(*, fixed=with_ones, move=half_way, finish=lambda moved, A: moved, check=require, unable=None):
    """All rows at once, wrong in one step."""

    def function(ref, A, V):
        check(A, V)
        P = projector(fixed(V.double()))
        if no_direction(P):
            refuse(unable is None)
            return unable(A)
        return finish(move(A.double(), nearest(P)).to(A.dtype), A)

    return function


def by_rows(*, fixed=with_ones, move=half_way_by_rows, finish=lambda moved, A: moved, check=require, unable=None):
    """Row by row, wrong in one step."""

    def function(ref, A, V):
        check(A, V)
        P = projector_by_vectors(fixed(V.to(torch.float64)))
        if no_direction(P):
            refuse(unable is None)
            return unable(A)
        return finish(move(A.to(torch.float64), nearest(P)).to(A.dtype), A)

    return function


about(
    "interpret.same_output_weights/the-same-weights",
    en=Explained(
        "You return the weights that you were given.",
        "They have the same output, of course. Asked for are others, different in every row, which show that the output does not tell the weights.",
        hint="By how much does each row of yours differ from A?",
    ),
    zh_tw=Explained(
        "你回傳的就是收到的權重。",
        "它們的輸出當然相同。這一題要的是別的權重，每個橫列都不同，這樣才能說明從輸出看不出權重。",
        hint="你的每個橫列和 A 差多少？",
    ),
)(at_once(move=lambda A, _: A.clone()))
variant("interpret.same_output_weights/the-same-weights")(by_rows(move=lambda A, n: A + 0 * n))

about(
    "interpret.same_output_weights/too-small-a-change",
    en=Explained(
        "You change the weights by next to nothing.",
        "So little is lost in rounding, and proves nothing. A row can go on until one of its weights is 0, which is a long way.",
        hint="How large may a step be before the first weight of a row is negative?",
    ),
    zh_tw=Explained(
        "你幾乎沒有改變權重。",
        "這麼小的改變會淹沒在捨入誤差裡，什麼也證明不了。一個橫列可以一直走到某個權重變成 0，那是很長的一段路。",
        hint="一步最大可以多大，橫列的第一個權重才會變成負的？",
    ),
)(at_once(move=lambda A, n: A + 4e-7 * n))
variant("interpret.same_output_weights/too-small-a-change")(
    by_rows(move=lambda A, n: torch.stack([a + 4 * n / 10**7 for a in A]))
)


def only_first(moved, A):
    return torch.cat([moved[:1], A[1:]])


about(
    "interpret.same_output_weights/one-row-changed",
    en=Explained(
        "You changed one row only.",
        "Each query has weights of its own, and those of no query can be read back. Every row has to differ.",
        hint="Which rows of yours are those of A?",
    ),
    zh_tw=Explained(
        "你只改了一個橫列。",
        "每個查詢都有自己的權重，沒有一個能從輸出反推。每個橫列都要不同。",
        hint="你的哪些橫列和 A 一樣？",
    ),
)(at_once(finish=only_first))


def first_written(moved, A):
    others = A.clone()
    others[0] = moved[0]
    return others


variant("interpret.same_output_weights/one-row-changed")(by_rows(finish=first_written))

about(
    "interpret.same_output_weights/without-the-ones",
    en=Explained(
        "You looked for directions that V alone does not see.",
        "Such a change keeps the output, but not the sum of a row: the weights are no shares of one unit any more. A column of ones beside V takes care of the sum.",
        hint="What do your rows sum to? With what would n have to be multiplied to give its sum?",
    ),
    zh_tw=Explained(
        "你找的是只有 V 看不見的方向。",
        "這樣的改變保住了輸出，卻沒保住橫列的總和：權重不再是 1 單位的份額。在 V 旁邊加一個全是 1 的直行，總和就有人管了。",
        hint="你的橫列總和是多少？n 要乘上什麼才會得到它的總和？",
    ),
)(at_once(fixed=lambda V: V))
variant("interpret.same_output_weights/without-the-ones")(by_rows(fixed=lambda V: V.clone()))

about(
    "interpret.same_output_weights/renormalised",
    en=Explained(
        "You divided the rows by their sums afterwards.",
        "They sum to 1 again, but the output is divided as well and is no longer the same. The direction itself must have the sum 0.",
        hint="Compare the output before and after the division.",
    ),
    zh_tw=Explained(
        "你事後把橫列除以它們的總和。",
        "總和是回到 1 了，但輸出也被除了，不再相同。方向本身的總和就必須是 0。",
        hint="比較相除前後的輸出。",
    ),
)(at_once(fixed=lambda V: V, finish=lambda moved, _: moved / moved.sum(dim=1, keepdim=True)))
variant("interpret.same_output_weights/renormalised")(
    by_rows(fixed=lambda V: V.clone(), finish=lambda moved, _: torch.stack([row / row.sum() for row in moved]))
)

about(
    "interpret.same_output_weights/sums-only",
    en=Explained(
        "You kept the sums, and not the output.",
        "Moving weight from one key to another changes what is gathered, as their values differ. A change has to be one that V does not see either.",
        hint="Multiply your change by V. What should come out?",
    ),
    zh_tw=Explained(
        "你保住了總和，卻沒保住輸出。",
        "把權重從一個鍵移到另一個，收集到的東西就變了，因為它們的值不同。改變的部分也必須是 V 看不見的。",
        hint="把你的改變乘上 V。應該得到什麼？",
    ),
)(at_once(fixed=lambda V: V.new_ones(len(V), 1)))
variant("interpret.same_output_weights/sums-only")(by_rows(fixed=lambda V: with_ones(V)[:, -1:]))


about(
    "interpret.same_output_weights/projected",
    en=Explained(
        "You took the smallest weights with this output, from a pseudoinverse.",
        "They are the smallest by length, and nothing keeps them from being negative: a row that is nearly sure of one key goes below 0 at others. A weight is a share, 0 or more.",
        hint="Call it with a row of [0.98, 0.01, 0.01, ...]. What is its smallest weight afterwards?",
    ),
    zh_tw=Explained(
        "你用擬反矩陣取了有這個輸出的最小權重。",
        "那是長度最小的，沒有什麼能讓它們不是負的：幾乎只看一個鍵的橫列，在其他鍵上會小於 0。權重是份額，至少是 0。",
        hint="用橫列 [0.98, 0.01, 0.01, ...] 呼叫看看。之後最小的權重是多少？",
    ),
)(lambda _, A, V: _projected(A, V, projector))
variant("interpret.same_output_weights/projected")(lambda _, A, V: _projected(A, V, projector_by_vectors))


def _projected(A, V, project, share=1.0):
    require(A, V)
    P = project(with_ones(V.double()))
    refuse(no_direction(P))
    return (A.double() - share * (A.double() @ P)).to(A.dtype)


def _pulled(A, V, project):
    require(A, V)
    P = project(with_ones(V.double()))
    refuse(no_direction(P))
    n = -A.double() @ P
    room = torch.where(n < -1e-15, A / -n, math.inf).amin(dim=1, keepdim=True)
    return (A + n * room.clamp(max=2) / 2).to(A.dtype)


about(
    "interpret.same_output_weights/pulled-to-the-mean",
    en=Explained(
        "Rows of equal weights come back as they were.",
        "You move each row towards the smallest weights with its output. Equal weights are the smallest already, so there is nowhere to go; but a null direction would lead away from them.",
        hint="Call it with rows of 1 / T_k. Does your direction depend on the row, and can it be 0?",
    ),
    zh_tw=Explained(
        "全部相等的橫列，你原樣回傳了。",
        "你讓每個橫列往有相同輸出的最小權重移動。相等的權重已經最小，無處可去；但沿著零方向可以離開它。",
        hint="用全是 1 / T_k 的橫列呼叫看看。你的方向會隨橫列改變嗎？有可能是 0 嗎？",
    ),
)(lambda _, A, V: _pulled(A, V, projector))
variant("interpret.same_output_weights/pulled-to-the-mean")(lambda _, A, V: _pulled(A, V, projector_by_vectors))

about(
    "interpret.same_output_weights/one-step-for-all",
    en=Explained(
        "You take a step of a fixed size.",
        "A row that is nearly sure of one key has little to give at the others: any fixed step, however small, takes some weight below 0. How far a row can go depends on the row.",
        hint="For which weight of a row does a step become too large first?",
    ),
    zh_tw=Explained(
        "你用的是固定大小的步伐。",
        "幾乎只看一個鍵的橫列，其他鍵上沒剩多少可給：固定的步伐再小，也總會讓某個權重小於 0。能走多遠，要看橫列本身。",
        hint="步伐變大時，橫列的哪個權重最先出問題？",
    ),
)(at_once(move=lambda A, n: A + 1e-4 * n))
variant("interpret.same_output_weights/one-step-for-all")(
    by_rows(move=lambda A, n: torch.stack([a + n / 10**4 for a in A]))
)

about(
    "interpret.same_output_weights/clipped",
    en=Explained(
        "You went too far and set negative weights to 0.",
        "What is cut off is missing: the row sums to more than 1, and the output is another. Go less far, and nothing has to be cut.",
        hint="How large may the step be before the first weight of a row is 0?",
    ),
    zh_tw=Explained(
        "你走得太遠，再把負的權重設成 0。",
        "被切掉的部分就不見了：橫列總和大於 1，輸出也變了。少走一點，就什麼都不必切。",
        hint="步伐最大可以多大，橫列的第一個權重才會變成 0？",
    ),
)(at_once(move=lambda A, n: (A + n).clamp(min=0)))
variant("interpret.same_output_weights/clipped")(
    by_rows(move=lambda A, n: torch.stack([torch.where(a + n > 0, a + n, 0.0) for a in A]))
)


def counted(A, V):
    require(A, V)
    refuse(len(V) <= V.shape[1] + 1)


about(
    "interpret.same_output_weights/counted-not-ranked",
    en=Explained(
        "You refuse whenever there are no more keys than columns.",
        "T_k > d_v + 1 is enough for a null direction, but not needed: it is the rank of [V, 1] that counts. Two keys with one value can trade weight in any width.",
        hint="What is the rank of a matrix with two rows alike?",
    ),
    zh_tw=Explained(
        "鍵沒有比直行多，你就拒絕。",
        "T_k > d_v + 1 足以保證有零方向，但不是必要的：要看的是 [V, 1] 的秩。兩個鍵的值相同時，不論多寬都能互換權重。",
        hint="有兩個橫列相同的矩陣，秩是多少？",
    ),
)(at_once(check=counted))
variant("interpret.same_output_weights/counted-not-ranked")(by_rows(check=counted))

about(
    "interpret.same_output_weights/unable-and-silent",
    en=Explained(
        "Where there are no other weights, you return the same.",
        "With few keys and wide values the output does tell the weights. Whoever asked for others has to hear that there are none.",
        hint="What do you return for 3 keys and values of width 5?",
    ),
    zh_tw=Explained(
        "沒有別的權重時，你回傳原來的。",
        "鍵少、值寬的時候，從輸出確實看得出權重。要求別的權重的人，應該知道沒有。",
        hint="3 個鍵、值的寬度是 5 時，你回傳什麼？",
    ),
)(at_once(unable=lambda A: A.clone()))
variant("interpret.same_output_weights/unable-and-silent")(by_rows(unable=lambda A: A * 1))


def zeros_too(A, V):
    require_shapes(A, V)
    refuse(bool(((A > 0) & (A < 1e-8)).any()))


about(
    "interpret.same_output_weights/zeros-accepted",
    en=Explained(
        "You accept weights that are not positive.",
        "A weight of 0 has nothing to give: a row may then have no room at all, and a negative one is no weight. Strictly positive ones are asked for, as a softmax gives them.",
        hint="How far can a row go along a direction that takes from a weight of 0?",
    ),
    zh_tw=Explained(
        "不是正數的權重，你也接受了。",
        "權重是 0 就沒有東西可給，橫列可能毫無餘地；負的根本不是權重。這一題要求嚴格為正，softmax 給的就是這樣。",
        hint="某個方向要從權重 0 的地方拿，橫列能走多遠？",
    ),
)(at_once(check=zeros_too))
variant("interpret.same_output_weights/zeros-accepted")(by_rows(check=zeros_too))


def positive(A, V):
    require_shapes(A, V)
    refuse(bool((A <= 0).any()))


about(
    "interpret.same_output_weights/no-room-and-silent",
    en=Explained(
        "Where a row has no room, you return it nearly as it was.",
        "If every null direction takes from a weight that is all but 0, the row cannot differ by more than 1e-6. What was promised cannot be kept, and the caller has to hear of it.",
        hint="By how much do your rows differ from A when a weight is 1e-9? When is it too little?",
    ),
    zh_tw=Explained(
        "橫列沒有餘地時，你幾乎原樣回傳。",
        "如果每個零方向都要從一個幾乎是 0 的權重拿，橫列就不可能相差超過 1e-6。答應的事做不到，應該讓呼叫的人知道。",
        hint="有個權重是 1e-9 時，你的橫列和 A 差多少？多少才算太少？",
    ),
)(at_once(check=positive))
variant("interpret.same_output_weights/no-room-and-silent")(by_rows(check=positive))


def positive_only(A, _):
    refuse(bool((A < 1e-8).any()))


def flat(make):
    """Whatever the axes of A are: rows of them."""

    def function(ref, A, V):
        refuse(A.shape[-1] != len(V))
        return make(check=positive_only)(ref, A.reshape(-1, A.shape[-1]), V).reshape(A.shape)

    return function


about(
    "interpret.same_output_weights/any-axes",
    en=Explained(
        "You accept weights with other axes than two.",
        "A matrix [T_q, T_k] of one head is asked for. A single row or a stack of heads may be a mistake of the caller's, and should not pass without a word.",
        hint="Try weights [T_k]. The given require_shapes can ask.",
    ),
    zh_tw=Explained(
        "不是兩軸的權重，你也接受了。",
        "這一題要的是一個頭的矩陣 [T_q, T_k]。單一橫列或一疊頭，可能是呼叫的人弄錯了，不該默默通過。",
        hint="試試形狀 [T_k] 的權重。可以用現成的 require_shapes 檢查。",
    ),
)(flat(at_once))
variant("interpret.same_output_weights/any-axes")(flat(by_rows))

about("interpret.same_output_weights/squeezed", **SQUEEZED)(at_once(finish=lambda moved, _: moved.squeeze()))
variant("interpret.same_output_weights/squeezed")(
    by_rows(finish=lambda moved, _: moved[0] if len(moved) == 1 else moved)
)

about("interpret.same_output_weights/always-float64", **WIDENED)(at_once(finish=lambda moved, _: moved.double()))
variant("interpret.same_output_weights/always-float64")(by_rows(finish=lambda moved, _: moved.to(torch.float64)))


@about(
    "interpret.same_output_weights/weights-overwritten",
    en=Explained(
        "You write into the weights that you were given.",
        "They belong to the caller, who wants to compare both. `+=` and operations that end in an underscore change them.",
        hint="Print A before and after the call.",
    ),
    zh_tw=Explained(
        "你改寫了收到的權重。",
        "它們屬於呼叫你的人，他還要拿兩者來比較。`+=` 和名稱以底線結尾的運算都會改動它們。",
        hint="在呼叫前後各印一次 A。",
    ),
)
def weights_overwritten(ref, A, V):
    A += at_once()(ref, A, V) - A
    return A.clone()


@variant("interpret.same_output_weights/weights-overwritten")
def _(ref, A, V):
    return A.copy_(by_rows()(ref, A, V)) * 1
