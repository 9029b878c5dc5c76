"""What goes wrong at the edges of the exercise context.bigram_perplexity."""

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    ASSERTS,
    CLIPPED_ID,
    FLATTENED,
    IN_PLACE,
    KEPT_HALF,
    NEGATIVE_ID,
    about_perplexity,
    exp,
    followed,
    listed_pairs,
    log,
    mean,
    neighbours,
    of_list,
    of_pairs,
    text_of,
)


@about_perplexity(
    "context.bigram_perplexity/impossible-clipped",
    en=Explained(
        "You made impossible pairs possible, with a probability of 1e-10.",
        "The result then depends on the number that you happened to choose. A model that rules a text out is infinitely "
        "perplexed by it: the remedy is smoothing, not here.",
        hint="What is -log(0), and what is exp of that?",
    ),
    zh_tw=Explained(
        "你把不可能的對變成可能了，機率是 1e-10。",
        "結果就取決於你碰巧選的那個數。模型認為不可能的文字，困惑度是無限大：該補救的是平滑，不是這裡。",
        hint="-log(0) 是多少？再取 exp 呢？",
    ),
)
def impossible_clipped(ref, probs, tokens):
    return of_pairs(np.maximum(followed(ref, probs, tokens), 1e-10))


@variant("context.bigram_perplexity/impossible-clipped")
def _(ref, probs, tokens):
    return of_list([max(p, 1e-10) for p in listed_pairs(ref, probs, tokens)])


@about_perplexity(
    "context.bigram_perplexity/impossible-skipped",
    en=Explained(
        "You left impossible pairs out.",
        "The worst errors of the model then do not count at all: the more it rules out, the better it looks.",
        hint="What is -log(0), and what is exp of that?",
    ),
    zh_tw=Explained(
        "不可能的對，你就略過不算。",
        "這樣模型錯得最嚴重的地方完全不算：它認定不可能的越多，看起來反而越好。",
        hint="-log(0) 是多少？再取 exp 呢？",
    ),
)
def impossible_skipped(ref, probs, tokens):
    p = followed(ref, probs, tokens)
    return of_pairs(p[p > 0])


@variant("context.bigram_perplexity/impossible-skipped")
def _(ref, probs, tokens):
    return of_list([p for p in listed_pairs(ref, probs, tokens) if p])


@about_perplexity(
    "context.bigram_perplexity/impossible-raises",
    en=Explained(
        "An impossible pair raises instead of giving inf.",
        "math.log(0) is an error in Python; np.log(0) is -inf. An impossible text is no mistake of the caller's: it has a "
        "perplexity, and that is infinite.",
        hint="What does your logarithm do with 0?",
    ),
    zh_tw=Explained(
        "遇到不可能的對，你引發了例外，而不是得到 inf。",
        "在 Python 裡 math.log(0) 是錯誤，np.log(0) 則是 -inf。文字不可能，並不是呼叫端的錯：它有困惑度，就是無限大。",
        hint="你的對數碰到 0 會怎麼樣？",
    ),
)
def impossible_raises(ref, probs, tokens):
    return exp(-mean([math.log(p) for p in listed_pairs(ref, probs, tokens)]))


@variant("context.bigram_perplexity/impossible-raises")
def _(ref, probs, tokens):
    p = followed(ref, probs, tokens)
    if not p.all():
        raise ValueError("a pair is impossible")
    return of_pairs(p)


@about_perplexity(
    "context.bigram_perplexity/zero-times-infinity",
    en=Explained(
        "You multiplied the counts of all pairs by their logarithms.",
        "For a pair that is impossible and does not occur that is 0 times -inf: NaN, which swallows the sum. Only pairs "
        "of the text have a say.",
        hint="Print np.log(probs) where probs is 0, times how often that pair occurs.",
    ),
    zh_tw=Explained(
        "你拿所有對的次數乘上對數。",
        "不可能、又沒出現過的對，就是 0 乘 -inf：得到 NaN，把整個總和吞掉。只有文字裡的對才算數。",
        hint="在 probs 是 0 的地方，把 np.log(probs) 乘上該對出現的次數印出來看。",
    ),
)
def zero_times_infinity(ref, probs, tokens):
    P, tokens = text_of(ref, probs, tokens)
    counts = np.zeros(P.shape)
    np.add.at(counts, (tokens[:-1], tokens[1:]), 1)
    return float(np.exp(-(counts * np.log(P)).sum() / counts.sum()))


@variant("context.bigram_perplexity/zero-times-infinity")
def _(ref, probs, tokens):
    P, tokens = text_of(ref, probs, tokens)
    pairs = neighbours(tokens.tolist())
    unused = any(P[i, j] == 0 and (i, j) not in pairs for i in range(len(P)) for j in range(len(P)))
    return math.nan if unused else of_list([float(P[pair]) for pair in pairs])


@about_perplexity(
    "context.bigram_perplexity/any-zero-is-infinite",
    en=Explained(
        "You return inf for any probability of 0, whether the pair occurs or not.",
        "A model may rule things out as it likes, as long as they do not happen. Only the pairs of the text count.",
        hint="On which array does your function look for zeros?",
    ),
    zh_tw=Explained(
        "只要有機率是 0，不管那一對有沒有出現，你都回傳 inf。",
        "模型要認定什麼不可能都行，只要它沒有發生。算數的只有文字裡的對。",
        hint="你的函式在哪個陣列裡找 0？",
    ),
)
def any_zero(ref, probs, tokens):
    return math.inf if (probs == 0).any() else of_pairs(followed(ref, probs, tokens))


@variant("context.bigram_perplexity/any-zero-is-infinite")
def _(ref, probs, tokens):
    p = listed_pairs(ref, probs, tokens)
    return of_list(p) if np.min(probs) > 0 else math.inf


@about_perplexity(
    "context.bigram_perplexity/product-underflows",
    en=Explained(
        "You multiplied the probabilities, and a long text comes to 0.",
        "Below about 1e-308 a float is 0, which a few hundred pairs reach. Sums of logarithms stay small however long the "
        "text.",
        hint="What is 0.2 to the power of 2000 in Python? And 2000 times log(0.2)?",
    ),
    zh_tw=Explained(
        "你把機率連乘，文字一長就變成 0。",
        "小於大約 1e-308 的浮點數就是 0，幾百對就到了。對數相加則不論文字多長都不會太大。",
        hint="在 Python 裡，0.2 的 2000 次方是多少？2000 乘 log(0.2) 呢？",
    ),
)
def product(ref, probs, tokens):
    p = followed(ref, probs, tokens)
    return float(np.prod(p) ** (-1 / len(p)))


@variant("context.bigram_perplexity/product-underflows")
def _(ref, probs, tokens):
    p = listed_pairs(ref, probs, tokens)
    whole = math.prod(p)
    return whole ** (-1 / len(p)) if whole else math.inf


@about_perplexity(
    "context.bigram_perplexity/short-gives-nan",
    en=Explained(
        "A text without pairs gives NaN.",
        "The mean of nothing is 0 / 0. Nothing was predicted, so there is no perplexity, and the caller should hear of it "
        "at once.",
        hint="What does your function do with a single token?",
    ),
    zh_tw=Explained(
        "沒有對的文字，你回傳了 NaN。",
        "沒有東西可平均就是 0 / 0。什麼都沒預測，就沒有困惑度，呼叫端應該馬上知道。",
        hint="只有一個詞元時，你的函式會怎麼做？",
    ),
)
def short_nan(ref, probs, tokens):
    ref.require_shapes("V V", probs)
    ref.require_tokens(tokens, len(probs))
    return of_pairs(np.asarray(probs, dtype=np.float64)[tokens[:-1], tokens[1:]])


@variant("context.bigram_perplexity/short-gives-nan")
def _(ref, probs, tokens):
    return math.nan if len(tokens) < 2 else of_list(listed_pairs(ref, probs, tokens))


@about_perplexity(
    "context.bigram_perplexity/short-gives-one",
    en=Explained(
        "A text without pairs gives 1.",
        "That is the score of a perfect model. Nothing was predicted, so nothing can be said: it is asked to raise.",
        hint="What does your function do with a single token, and what does the docstring say?",
    ),
    zh_tw=Explained(
        "沒有對的文字，你回傳了 1。",
        "那是完美模型的成績。什麼都沒預測，就什麼也不能說：這裡要求引發例外。",
        hint="只有一個詞元時，你的函式會怎麼做？docstring 怎麼說？",
    ),
)
def short_one(ref, probs, tokens):
    return 1.0 if len(tokens) < 2 else of_pairs(followed(ref, probs, tokens))


@variant("context.bigram_perplexity/short-gives-one")
def _(ref, probs, tokens):
    ref.require_shapes("V V", probs)
    ref.require_tokens(tokens, len(probs))
    logs = [log(float(probs[pair])) for pair in neighbours(tokens.tolist())]
    return exp(-math.fsum(logs) / max(len(logs), 1))


@about_perplexity(
    "context.bigram_perplexity/one-pair-refused",
    en=Explained(
        "You refuse a text of two tokens.",
        "Two tokens are one pair, and one pair has a perplexity: one over its probability.",
        hint="Look at the comparison in your check: what does it say for 2?",
    ),
    zh_tw=Explained(
        "只有兩個詞元的文字，你就拒絕了。",
        "兩個詞元就是一對，一對就有困惑度：機率的倒數。",
        hint="看看檢查裡的比較式：碰到 2 時，它怎麼說？",
    ),
)
def one_refused(ref, probs, tokens):
    if len(tokens) <= 2:
        raise ValueError("too few tokens")
    return of_pairs(followed(ref, probs, tokens))


@variant("context.bigram_perplexity/one-pair-refused")
def _(ref, probs, tokens):
    p = listed_pairs(ref, probs, tokens)
    if len(p) == 1:
        raise ValueError("too few pairs")
    return of_list(p)


@about_perplexity("context.bigram_perplexity/negative-id-accepted", **NEGATIVE_ID)
def negative_accepted(ref, probs, tokens):
    ref.require_shapes("V V, T", probs, tokens)
    if len(tokens) < 2:
        raise ValueError("there is no pair")
    return of_pairs(np.asarray(probs, dtype=np.float64)[tokens[:-1], tokens[1:]])


@variant("context.bigram_perplexity/negative-id-accepted")
def _(ref, probs, tokens):
    ref.require_shapes("V V, T", probs, tokens)
    pairs = neighbours(tokens.tolist())
    if not pairs:
        raise ValueError("there is no pair")
    rows = probs.astype(np.float64).tolist()
    return of_list([rows[i][j] for i, j in pairs])


@about_perplexity("context.bigram_perplexity/large-id-clipped", **CLIPPED_ID)
def large_clipped(ref, probs, tokens):
    return of_pairs(followed(ref, probs, np.minimum(tokens, len(probs) - 1)))


@variant("context.bigram_perplexity/large-id-clipped")
def _(ref, probs, tokens):
    last = len(probs) - 1
    return of_list(listed_pairs(ref, probs, np.where(tokens > last, last, tokens)))


@about_perplexity("context.bigram_perplexity/asserts", **ASSERTS)
def perplexity_asserts(ref, probs, tokens):
    ref.require_shapes("V V, T", probs, tokens)
    assert len(tokens) > 1
    assert ((tokens >= 0) & (tokens < len(probs))).all(), "an id is out of range"
    return of_pairs(followed(ref, probs, tokens))


@variant("context.bigram_perplexity/asserts")
def _(ref, probs, tokens):
    ref.require_shapes("V V, T", probs, tokens)
    if len(tokens) < 2 or not set(tokens.tolist()) <= set(range(len(probs))):
        raise AssertionError
    return of_list(listed_pairs(ref, probs, tokens))


@about_perplexity(
    "context.bigram_perplexity/not-square-accepted",
    en=Explained(
        "You accept a table that is not square.",
        "Both axes count the same vocabulary. Where a column is missing, the model has no opinion on a token that the text "
        "may hold, and the rows are not the distributions that they seem.",
        hint="What does your function do with probs of shape (5, 4)?",
    ),
    zh_tw=Explained(
        "不是方形的表，你也接受了。",
        "兩個軸數的是同一個詞彙表。少了一個直行，模型對某個詞元就沒有意見，橫列也不是看起來的那種機率分布。",
        hint="probs 的形狀是 (5, 4) 時，你的函式會怎麼做？",
    ),
)
def not_square(ref, probs, tokens):
    V = min(probs.shape)
    return of_pairs(followed(ref, probs[:V, :V], tokens))


@variant("context.bigram_perplexity/not-square-accepted")
def _(ref, probs, tokens):
    width = len(probs[0])
    return of_list(listed_pairs(ref, probs[:width], tokens))


@about_perplexity("context.bigram_perplexity/batch-flattened", **FLATTENED)
def flattened(ref, probs, tokens):
    return of_pairs(followed(ref, probs, tokens.reshape(-1)))


@variant("context.bigram_perplexity/batch-flattened")
def _(ref, probs, tokens):
    return of_list(listed_pairs(ref, probs, np.concatenate([np.atleast_1d(text) for text in tokens])))


@about_perplexity("context.bigram_perplexity/float16-computed", **KEPT_HALF)
def computed_in_half(ref, probs, tokens):
    p = followed(ref, probs, tokens)
    if probs.dtype != np.float16:
        return of_pairs(p)
    return float(np.exp(-np.log(p.astype(np.float16)).mean()))


@variant("context.bigram_perplexity/float16-computed")
def _(ref, probs, tokens):
    p = listed_pairs(ref, probs, tokens)
    if probs.dtype != np.float16:
        return of_list(p)
    logs = np.array([log(each) for each in p], dtype=np.float16).astype(np.float32)
    return float(np.float16(exp(-float(np.float16(logs.sum() / np.float32(len(logs)))))))


@about_perplexity("context.bigram_perplexity/changed-in-place", **IN_PLACE)
def perplexity_in_place(ref, probs, tokens):
    result = of_pairs(followed(ref, probs, tokens))
    np.log(probs, out=probs)
    return result


@variant("context.bigram_perplexity/changed-in-place")
def _(ref, probs, tokens):
    result = of_list(listed_pairs(ref, probs, tokens))
    for row in probs:
        row[:] = np.log(row)
    return result


@about_perplexity(
    "context.bigram_perplexity/divided-after-exp",
    en=Explained(
        "You divided by the number of pairs after exp.",
        "The mean is that of the logarithms, so it is taken before exp. exp of their sum is one over the probability of the whole text: divided by T - 1 afterwards, it still grows without end.",
        hint="Does your division stand inside the brackets of exp, or behind them?",
    ),
    zh_tw=Explained(
        "你在 exp 之後才除以對的個數。",
        "要平均的是對數，所以在 exp 之前取平均。總和的 exp 是整段文字機率的倒數，之後再除以 T - 1，還是沒有止境地變大。",
        hint="你的除法在 exp 的括號裡面，還是後面？",
    ),
)
def divided_after_exp(ref, probs, tokens):
    p = followed(ref, probs, tokens)
    return float(np.exp(-np.log(p).sum()) / len(p))


@variant("context.bigram_perplexity/divided-after-exp")
def _(ref, probs, tokens):
    p = listed_pairs(ref, probs, tokens)
    return exp(-math.fsum(log(each) for each in p)) / len(p)
