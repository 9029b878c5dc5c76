"""What goes wrong in the exercise generation.top_k_filter."""

from __future__ import annotations

import math
from functools import partial

import torch

from grader.testing import Explained, misconception, variant
from misconceptions.shared import (
    DETACHED,
    FILL_NEAR_ZERO,
    IN_PLACE,
    RANK_AS_ID,
    SECOND_AXIS,
    SORTED_OUT,
    WHOLE_BATCH,
    WIDENED,
    by_row,
    hidden,
    powers,
    ranked,
    refuse,
)

about = partial(misconception, name="top_k_filter")


def checked(rule):
    """A function that refuses what the reference refuses; otherwise `rule(logits, k)` with a k that fits."""

    def function(ref, logits, k):
        refuse(k < 1)
        return rule(logits, min(k, logits.shape[-1]))

    return function


def listed(rule):
    """The same in plain Python: `rule(row, k)` for each row."""
    return checked(lambda logits, k: by_row(logits, lambda row: rule(row, k)))


def kth(logits, k):
    """The k-th largest of each row, [..., 1]."""
    return logits.sort(dim=-1, descending=True).values[..., k - 1 : k]


def above(row, k):
    """The tokens that stay."""
    least = sorted(row)[-k]
    return [token for token, x in enumerate(row) if x >= least]


about(
    "generation.top_k_filter/one-too-many",
    en=Explained(
        "You keep one token too many.",
        "Counting begins at 0: the k-th largest stands at place k - 1 of the sorted logits. Place k holds the first that must go.",
        hint="With k = 1, how many of your logits are finite?",
    ),
    zh_tw=Explained(
        "你多留了一個詞元。",
        "計數從 0 開始：第 k 大的在排序後的位置 k - 1。位置 k 是第一個該去掉的。",
        hint="k = 1 時，你有幾個 logits 是有限的？",
    ),
)(checked(lambda logits, k: logits.masked_fill(logits < kth(logits, min(k + 1, logits.shape[-1])), -math.inf)))
variant("generation.top_k_filter/one-too-many")(listed(lambda row, k: hidden(row, above(row, min(k + 1, len(row))))))

about(
    "generation.top_k_filter/one-too-few",
    en=Explained(
        "You drop the k-th largest logit itself.",
        "It is one of the k that stay: what goes is smaller than it, not as small as it. With k = 1 nothing is left at all.",
        hint="Is it `<` or `<=` that decides what goes?",
    ),
    zh_tw=Explained(
        "你把第 k 大的 logit 也去掉了。",
        "它是要留下的 k 個之一：該去掉的是比它小的，而不是和它一樣小的。k = 1 時就什麼都不剩了。",
        hint="決定去留的是 `<` 還是 `<=`？",
    ),
)(checked(lambda logits, k: logits.masked_fill(logits <= kth(logits, k), -math.inf)))
variant("generation.top_k_filter/one-too-few")(
    listed(lambda row, k: hidden(row, [token for token, x in enumerate(row) if x > sorted(row)[-k]]))
)

about("generation.top_k_filter/fill-near-zero", **FILL_NEAR_ZERO)(
    checked(lambda logits, k: logits.masked_fill(logits < kth(logits, k), 1e-10))
)
variant("generation.top_k_filter/fill-near-zero")(checked(lambda logits, k: logits * (logits >= kth(logits, k))))

about(
    "generation.top_k_filter/fill-finite",
    en=Explained(
        "You put a large negative number in the place of what is filtered out.",
        "-1e9 gives a probability of 0 as long as nothing is added to it, and no other logit is as low. -inf gives it always, and whoever looks at the result can see what was filtered.",
        hint="Which number has an exponential of exactly 0 whatever is subtracted from it?",
    ),
    zh_tw=Explained(
        "你把濾掉的地方填成一個很大的負數。",
        "只要不再加上什麼、也沒有別的 logit 一樣低，-1e9 的機率就是 0。-inf 則永遠是 0，而且看結果就知道濾掉了哪些。",
        hint="哪個數不論減掉什麼，指數都恰好是 0？",
    ),
)(checked(lambda logits, k: logits.masked_fill(logits < kth(logits, k), -1e9)))
variant("generation.top_k_filter/fill-finite")(listed(lambda row, k: hidden(row, above(row, k), -1e9)))

about(
    "generation.top_k_filter/smallest",
    en=Explained(
        "You keep the smallest logits.",
        "Sorting begins with the smallest unless it is told otherwise. The k likeliest tokens have the largest logits.",
        hint="With k = 1, is the token that stays the argmax?",
    ),
    zh_tw=Explained(
        "你留下了最小的 logits。",
        "沒有特別指定時，排序從最小的開始。最可能的 k 個詞元，logits 是最大的。",
        hint="k = 1 時，留下的詞元是 argmax 嗎？",
    ),
)(checked(lambda logits, k: logits.masked_fill(logits > logits.sort(dim=-1).values[..., k - 1 : k], -math.inf)))
variant("generation.top_k_filter/smallest")(listed(lambda row, k: hidden(row, ranked(row)[len(row) - k :])))

about("generation.top_k_filter/rank-as-id", **RANK_AS_ID)(
    checked(lambda logits, k: logits.masked_fill(torch.arange(logits.shape[-1]) >= k, -math.inf))
)
variant("generation.top_k_filter/rank-as-id")(listed(lambda row, k: hidden(row, range(k))))


@about("generation.top_k_filter/sorted-out", **SORTED_OUT)
@checked
def sorted_out(logits, k):
    ordered = logits.sort(dim=-1, descending=True).values
    return ordered.masked_fill(ordered < ordered[..., k - 1 : k], -math.inf)


variant("generation.top_k_filter/sorted-out")(
    listed(lambda row, k: hidden(sorted(row, reverse=True), range(len(above(row, k)))))
)

about(
    "generation.top_k_filter/only-k",
    en=Explained(
        "You return k logits instead of V.",
        "Whoever draws from them gets a number from 0 to k - 1, which is no token any more. The result has the shape of what you were given, with -inf where a token is gone.",
        hint="What is the shape of your result?",
    ),
    zh_tw=Explained(
        "你回傳了 k 個 logits，而不是 V 個。",
        "從裡面抽樣會得到 0 到 k - 1 的數，那已經不是詞元了。結果的形狀要和輸入一樣，去掉的詞元填 -inf。",
        hint="你的結果是什麼形狀？",
    ),
)(checked(lambda logits, k: logits.topk(k, dim=-1).values))
variant("generation.top_k_filter/only-k")(listed(lambda row, k: sorted(row, reverse=True)[:k]))


@about(
    "generation.top_k_filter/ties-dropped",
    en=Explained(
        "You drop a logit that is as large as the k-th.",
        "Which of two equal tokens would go depends on how a sort happens to place them. Both stay, even if that makes more than k.",
        hint="Filter [1, 2, 2] with k = 1. How many stay?",
    ),
    zh_tw=Explained(
        "你去掉了一個和第 k 大一樣大的 logit。",
        "兩個相等的詞元去掉哪一個，要看排序剛好怎麼放。兩個都要留下，即使因此超過 k 個。",
        hint="用 k = 1 過濾 [1, 2, 2]。留下幾個？",
    ),
)
@checked
def ties_dropped(logits, k):
    order = logits.sort(dim=-1, descending=True, stable=True).indices[..., :k]
    gone = torch.ones_like(logits, dtype=torch.bool).scatter(-1, order, value=False)
    return logits.masked_fill(gone, -math.inf)


@variant("generation.top_k_filter/ties-dropped")
@checked
def _(logits, k):
    order = (-logits).argsort(dim=-1, stable=True)[..., :k]
    return torch.full_like(logits, -math.inf).scatter(-1, order, logits.gather(-1, order))


@about(
    "generation.top_k_filter/beyond-vocabulary",
    en=Explained(
        "A k beyond the vocabulary makes you fail.",
        "There are only V logits to keep, and keeping them all is no filter. topk and kthvalue do not accept more than there are.",
        hint="Which k do you hand to topk when there are 5 logits and k is 40?",
    ),
    zh_tw=Explained(
        "k 超過詞彙表大小時，你的程式出錯。",
        "能留的 logits 只有 V 個，全部留下就等於沒有過濾。topk 和 kthvalue 不接受比總數大的數。",
        hint="有 5 個 logits、k 是 40 時，你交給 topk 的是多少？",
    ),
)
def beyond(ref, logits, k):
    refuse(k < 1)
    return logits.masked_fill(logits < logits.topk(k, dim=-1).values[..., -1:], -math.inf)


@variant("generation.top_k_filter/beyond-vocabulary")
def _(ref, logits, k):
    refuse(k < 1)
    if k > logits.shape[-1]:
        raise RuntimeError("k is larger than the last axis")
    return torch.where(logits >= kth(logits, k), logits, -math.inf)


about("generation.top_k_filter/whole-batch", **WHOLE_BATCH)(
    checked(lambda logits, k: logits.masked_fill(logits < kth(logits.reshape(-1), k), -math.inf))
)


@variant("generation.top_k_filter/whole-batch")
@checked
def _(logits, k):
    least = sorted(logits.reshape(-1).tolist(), reverse=True)[k - 1]
    return torch.where(logits >= least, logits, -math.inf)


@about(
    "generation.top_k_filter/zero-accepted",
    en=Explained(
        "You take a k of 0 for no filter.",
        "Some libraries do; here no filter is None, which whoever calls you sees to. A k below 1 asks for a distribution without a token, and is an error.",
        hint="What happens before your first line when k is 0?",
    ),
    zh_tw=Explained(
        "你把 k = 0 當成不過濾。",
        "有些函式庫是這樣；這裡不過濾用 None 表示，由呼叫你的人處理。k 小於 1 等於要一個沒有詞元的分布，是錯誤。",
        hint="k 是 0 時，你的程式在最前面做了什麼？",
    ),
)
def zero_accepted(ref, logits, k):
    if k <= 0:
        return logits.clone()
    return logits.masked_fill(logits < kth(logits, min(k, logits.shape[-1])), -math.inf)


@variant("generation.top_k_filter/zero-accepted")
def _(ref, logits, k):
    V = logits.shape[-1]
    return torch.where(logits >= kth(logits, min(k, V) if k > 0 else V), logits, -math.inf)


about(
    "generation.top_k_filter/probabilities",
    en=Explained(
        "You return probabilities.",
        "A filter gives back logits, so that the next filter, or the softmax, can go on from there. Taken for logits, probabilities are all but equal.",
        hint="Are the numbers that stay the ones that you were given?",
    ),
    zh_tw=Explained(
        "你回傳的是機率。",
        "過濾器要回傳 logits，讓下一個過濾器或 softmax 接著做。把機率當成 logits，大家就幾乎一樣大。",
        hint="留下的數和你收到的一樣嗎？",
    ),
)(checked(lambda logits, k: logits.masked_fill(logits < kth(logits, k), -math.inf).softmax(dim=-1)))
variant("generation.top_k_filter/probabilities")(
    checked(lambda logits, k: powers(torch.where(logits >= kth(logits, k), logits, -math.inf)))
)

about("generation.top_k_filter/widened", **WIDENED)(
    checked(lambda logits, k: logits.double().masked_fill(logits < kth(logits, k), -math.inf))
)
variant("generation.top_k_filter/widened")(
    checked(lambda logits, k: torch.where(logits >= kth(logits, k), logits.double(), -math.inf))
)

about("generation.top_k_filter/no-gradient", **DETACHED)(
    checked(lambda logits, k: logits.detach().masked_fill(logits < kth(logits, k), -math.inf))
)
variant("generation.top_k_filter/no-gradient")(listed(lambda row, k: hidden([x.item() for x in row], above(row, k))))


@about("generation.top_k_filter/in-place", **IN_PLACE)
@checked
def in_place(logits, k):
    with torch.no_grad():
        logits[logits < kth(logits, k)] = -math.inf
    return logits


@variant("generation.top_k_filter/in-place")
@checked
def _(logits, k):
    with torch.no_grad():
        logits.masked_fill_(logits < kth(logits, k), -math.inf)
    return logits.clone()


about("generation.top_k_filter/second-axis", **SECOND_AXIS)(
    checked(
        lambda logits, k: logits.masked_fill(
            logits < logits.topk(min(k, logits.shape[1]), dim=1).values[:, -1:], -math.inf
        )
    )
)


@variant("generation.top_k_filter/second-axis")
@checked
def _(logits, k):
    turned = logits.transpose(1, -1)
    return turned.masked_fill(turned < kth(turned, k), -math.inf).transpose(1, -1)
