"""What goes wrong in the exercise context.bigram_perplexity."""

from __future__ import annotations

import math
import statistics

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
    ratio,
    text_of,
)


def of_pairs(p):
    """The right perplexity of an array of probabilities."""
    return float(np.exp(-np.log(p).mean()))


def of_list(p):
    """The same of a list."""
    return exp(-mean([log(each) for each in p]))


@about_perplexity(
    "context.bigram_perplexity/mean-of-inverses",
    en=Explained(
        "You averaged after exp, not before.",
        "The mean of 1 / p is ruled by the one worst pair, and depends on how the text is cut into pieces. The logarithms "
        "are averaged, and exp comes last.",
        hint="In which order do exp and mean stand in the formula?",
    ),
    zh_tw=Explained(
        "你是先取 exp 再平均，順序反了。",
        "1 / p 的平均會被最差的那一對左右，還和文字怎麼切段有關。應該先平均對數，最後才取 exp。",
        hint="公式裡 exp 和平均的順序是什麼？",
    ),
)
def mean_of_inverses(ref, probs, tokens):
    return float((1 / followed(ref, probs, tokens)).mean())


@variant("context.bigram_perplexity/mean-of-inverses")
def _(ref, probs, tokens):
    return mean([exp(-log(p)) for p in listed_pairs(ref, probs, tokens)])


@about_perplexity(
    "context.bigram_perplexity/inverse-of-the-mean",
    en=Explained(
        "You averaged the probabilities themselves.",
        "A text is as likely as the product of its pairs, so it is logarithms that add up. One over the mean probability "
        "hardly notices an impossible pair.",
        hint="What is the probability of a text of two pairs? What should be averaged then?",
    ),
    zh_tw=Explained(
        "你平均的是機率本身。",
        "一段文字的機率是各對機率的乘積，所以能相加的是對數。平均機率的倒數，幾乎察覺不到不可能的對。",
        hint="有兩對的文字，機率是多少？那麼該平均的是什麼？",
    ),
)
def inverse_of_mean(ref, probs, tokens):
    return float(1 / followed(ref, probs, tokens).mean())


@variant("context.bigram_perplexity/inverse-of-the-mean")
def _(ref, probs, tokens):
    p = listed_pairs(ref, probs, tokens)
    return ratio(len(p), math.fsum(p))


@about_perplexity(
    "context.bigram_perplexity/not-exponentiated",
    en=Explained(
        "You returned the mean negative log-likelihood.",
        "That is the loss. Perplexity is exp of it: the number of equally likely choices, and a uniform model over V "
        "tokens has V.",
        hint="What should a model that gives every token 1/4 come to?",
    ),
    zh_tw=Explained(
        "你回傳的是平均的負對數概似。",
        "那是損失。困惑度是它的 exp：相當於幾個一樣可能的選擇，V 個詞元的均勻模型就是 V。",
        hint="每個詞元都給 1/4 的模型，應該算出多少？",
    ),
)
def not_exponentiated(ref, probs, tokens):
    return float(-np.log(followed(ref, probs, tokens)).mean())


@variant("context.bigram_perplexity/not-exponentiated")
def _(ref, probs, tokens):
    return -mean([log(p) for p in listed_pairs(ref, probs, tokens)])


@about_perplexity(
    "context.bigram_perplexity/sign-lost",
    en=Explained(
        "The minus sign is missing.",
        "Logarithms of probabilities are negative, so exp of their mean lies below 1: it is the typical probability, and "
        "one over the perplexity.",
        hint="Can a model be undecided between fewer than one token?",
    ),
    zh_tw=Explained(
        "少了負號。",
        "機率的對數是負的，所以平均之後取 exp 會小於 1：那是典型的機率，也就是困惑度的倒數。",
        hint="模型有可能在不到一個詞元之間猶豫嗎？",
    ),
)
def sign_lost(ref, probs, tokens):
    return float(np.exp(np.log(followed(ref, probs, tokens)).mean()))


@variant("context.bigram_perplexity/sign-lost")
def _(ref, probs, tokens):
    return exp(mean([log(p) for p in listed_pairs(ref, probs, tokens)]))


@about_perplexity(
    "context.bigram_perplexity/root-instead-of-exp",
    en=Explained(
        "You took the square root, not exp.",
        "The root belongs to a mean of squares. What was averaged here are logarithms, and exp undoes a logarithm.",
        hint="Which function undoes the one that you applied to each probability?",
    ),
    zh_tw=Explained(
        "你取了平方根，而不是 exp。",
        "開根號是配平方的平均。這裡平均的是對數，而取消對數的是 exp。",
        hint="你對每個機率取了什麼函數？什麼函數能把它還原？",
    ),
)
def root(ref, probs, tokens):
    return float(np.sqrt(-np.log(followed(ref, probs, tokens)).mean()))


@variant("context.bigram_perplexity/root-instead-of-exp")
def _(ref, probs, tokens):
    return math.sqrt(-mean([log(p) for p in listed_pairs(ref, probs, tokens)]))


@about_perplexity(
    "context.bigram_perplexity/two-to-the-nats",
    en=Explained(
        "You raised 2 to a mean of natural logarithms.",
        "Base and logarithm belong together: 2 with log2, e with log. Mixed, a uniform model over V does not come to V.",
        hint="What does a model that gives every token 1/4 come to?",
    ),
    zh_tw=Explained(
        "你拿 2 去乘方，指數卻是自然對數的平均。",
        "底數和對數要配對：2 配 log2，e 配 log。混用的話，V 個詞元的均勻模型就算不出 V。",
        hint="每個詞元都給 1/4 的模型，你算出多少？",
    ),
)
def two_to_nats(ref, probs, tokens):
    return float(2 ** -np.log(followed(ref, probs, tokens)).mean())


@variant("context.bigram_perplexity/two-to-the-nats")
def _(ref, probs, tokens):
    return exp(-math.log(2) * mean([log(p) for p in listed_pairs(ref, probs, tokens)]))


@about_perplexity(
    "context.bigram_perplexity/exp-of-bits",
    en=Explained(
        "You took exp of a mean of logarithms to base 2.",
        "Base and logarithm belong together: e with log, 2 with log2. Mixed, a uniform model over V does not come to V.",
        hint="What does a model that gives every token 1/4 come to?",
    ),
    zh_tw=Explained(
        "你對以 2 為底的對數平均取了 exp。",
        "底數和對數要配對：e 配 log，2 配 log2。混用的話，V 個詞元的均勻模型就算不出 V。",
        hint="每個詞元都給 1/4 的模型，你算出多少？",
    ),
)
def exp_of_bits(ref, probs, tokens):
    return float(np.exp(-np.log2(followed(ref, probs, tokens)).mean()))


@variant("context.bigram_perplexity/exp-of-bits")
def _(ref, probs, tokens):
    return exp(-mean([log(p) for p in listed_pairs(ref, probs, tokens)]) / math.log(2))


@about_perplexity(
    "context.bigram_perplexity/exp-of-the-sum",
    en=Explained(
        "You took exp of the sum, not of the mean.",
        "That is one over the probability of the whole text, which grows without end as the text gets longer. Perplexity "
        "is a figure per token.",
        hint="Should a text written out twice be twice as perplexing?",
    ),
    zh_tw=Explained(
        "你取的是總和的 exp，不是平均的 exp。",
        "那是整段文字機率的倒數，文字越長就越大，沒有止境。困惑度是平均每個詞元的數字。",
        hint="同一段文字寫兩遍，困惑度應該變大嗎？",
    ),
)
def exp_of_sum(ref, probs, tokens):
    return float(np.exp(-np.log(followed(ref, probs, tokens)).sum()))


@variant("context.bigram_perplexity/exp-of-the-sum")
def _(ref, probs, tokens):
    return exp(-math.fsum(log(p) for p in listed_pairs(ref, probs, tokens)))


@about_perplexity(
    "context.bigram_perplexity/divided-twice",
    en=Explained(
        "You divided by the number of pairs twice.",
        "The mean has divided already. Once more, and the perplexity of any long text is close to 1.",
        hint="Where does the number of pairs enter your formula?",
    ),
    zh_tw=Explained(
        "你除了兩次對數。",
        "取平均時已經除過了。再除一次，任何長文字的困惑度都會接近 1。",
        hint="你的公式裡，對的個數出現在哪裡？",
    ),
)
def divided_twice(ref, probs, tokens):
    p = followed(ref, probs, tokens)
    return float(np.exp(-np.log(p).mean() / len(p)))


@variant("context.bigram_perplexity/divided-twice")
def _(ref, probs, tokens):
    p = listed_pairs(ref, probs, tokens)
    return exp(-math.fsum(log(each) for each in p) / len(p) ** 2)


@about_perplexity(
    "context.bigram_perplexity/divided-by-the-tokens",
    en=Explained(
        "You divided by the number of tokens, not of pairs.",
        "T tokens have T - 1 pairs: the first token is given, not predicted. Divided by T, every text looks easier than "
        "it is, short ones most.",
        hint="How many logarithms do you add up for two tokens?",
    ),
    zh_tw=Explained(
        "你除的是詞元的個數，不是對的個數。",
        "T 個詞元有 T - 1 對：第一個詞元是給定的，不用預測。除以 T 會讓每段文字都顯得比較容易，短的尤其明顯。",
        hint="兩個詞元時，你加了幾個對數？",
    ),
)
def divided_by_tokens(ref, probs, tokens):
    return float(np.exp(-np.log(followed(ref, probs, tokens)).sum() / len(tokens)))


@variant("context.bigram_perplexity/divided-by-the-tokens")
def _(ref, probs, tokens):
    p = listed_pairs(ref, probs, tokens)
    return exp(-math.fsum(log(each) for each in p) / (len(p) + 1))


@about_perplexity(
    "context.bigram_perplexity/transposed",
    en=Explained(
        "You looked up the pairs the wrong way round.",
        "Row i holds what may follow i. With the follower in the row you ask how likely the text is backwards.",
        hint="Which index of probs is the token that comes first?",
    ),
    zh_tw=Explained(
        "你查表時把對的順序弄反了。",
        "第 i 個橫列是 i 後面可能接什麼。把後面的詞元放在橫列，問的就變成倒著讀的文字有多可能。",
        hint="先出現的詞元，是 probs 的哪個索引？",
    ),
)
def transposed(ref, probs, tokens):
    return of_pairs(followed(ref, np.transpose(probs), tokens))


@variant("context.bigram_perplexity/transposed")
def _(ref, probs, tokens):
    return of_list(listed_pairs(ref, probs, tokens[::-1]))


@about_perplexity(
    "context.bigram_perplexity/own-input",
    en=Explained(
        "You asked how likely each token is to follow itself.",
        "Without the shift by one, the model is asked for the token it was just given. The target of position t is token "
        "t + 1.",
        hint="Which token should stand opposite the first one?",
    ),
    zh_tw=Explained(
        "你問的是每個詞元接在自己後面的機率。",
        "沒有錯開一格，等於要模型預測它剛拿到的詞元。位置 t 的目標是第 t + 1 個詞元。",
        hint="和第一個詞元配對的，應該是哪一個？",
    ),
)
def own_input(ref, probs, tokens):
    P, tokens = text_of(ref, probs, tokens)
    return of_pairs(P[tokens, tokens])


@variant("context.bigram_perplexity/own-input")
def _(ref, probs, tokens):
    P, tokens = text_of(ref, probs, tokens)
    return of_list([float(np.diag(P)[token]) for token in tokens.tolist()])


@about_perplexity(
    "context.bigram_perplexity/softmaxed",
    en=Explained(
        "You took a softmax of the probabilities.",
        "That is for scores. Probabilities are shares already; between exp(0) = 1 and exp(1) = 2.7 everything comes out "
        "nearly alike, and nothing is impossible any more.",
        hint="Do your rows change when they are normalised? They sum to 1 as they come.",
    ),
    zh_tw=Explained(
        "你又對機率做了 softmax。",
        "softmax 是給分數用的。機率已經是比例；exp(0) = 1 到 exp(1) = 2.7 之間，什麼都變得差不多，也不再有不可能的事。",
        hint="橫列經過正規化之後變了嗎？它們本來加起來就是 1。",
    ),
)
def softmaxed(ref, probs, tokens):
    P, tokens = text_of(ref, probs, tokens)
    E = np.exp(P)
    return of_pairs(followed(ref, E / E.sum(axis=1, keepdims=True), tokens))


@variant("context.bigram_perplexity/softmaxed")
def _(ref, probs, tokens):
    P, tokens = text_of(ref, probs, tokens)
    rows = [[math.exp(p) / sum(map(math.exp, row)) for p in row] for row in P.tolist()]
    return of_list([rows[i][j] for i, j in neighbours(tokens.tolist())])


@about_perplexity(
    "context.bigram_perplexity/last-pair-lost",
    en=Explained(
        "The last pair is missing.",
        "The last token is predicted like every other one but the first. A loop or slice that ends one early leaves it "
        "out.",
        hint="How many pairs do you have for two tokens?",
    ),
    zh_tw=Explained(
        "少了最後一對。",
        "除了第一個，每個詞元都要預測，最後一個也是。迴圈或切片早停一格，就漏掉它了。",
        hint="兩個詞元時，你有幾對？",
    ),
)
def last_lost(ref, probs, tokens):
    return of_pairs(followed(ref, probs, tokens)[:-1])


@variant("context.bigram_perplexity/last-pair-lost")
def _(ref, probs, tokens):
    return of_list(listed_pairs(ref, probs, tokens)[:-1])


@about_perplexity(
    "context.bigram_perplexity/first-pair-lost",
    en=Explained(
        "The first pair is missing.",
        "Positions count from 0: the first prediction is that of token 1 after token 0.",
        hint="How many pairs do you have for two tokens?",
    ),
    zh_tw=Explained(
        "少了第一對。",
        "位置從 0 數起：第一個預測，是第 0 個詞元後面接第 1 個。",
        hint="兩個詞元時，你有幾對？",
    ),
)
def first_lost(ref, probs, tokens):
    return of_pairs(followed(ref, probs, tokens)[1:])


@variant("context.bigram_perplexity/first-pair-lost")
def _(ref, probs, tokens):
    return of_list(listed_pairs(ref, probs, tokens)[1:])


@about_perplexity(
    "context.bigram_perplexity/last-pair-only",
    en=Explained(
        "You returned the figure of the last pair alone.",
        "The loop keeps only what came last. The mean runs over all pairs of the text.",
        hint="Does your result change when the first token does?",
    ),
    zh_tw=Explained(
        "你回傳的只是最後一對的數字。",
        "迴圈只留下了最後的那一個。平均要跨過文字裡所有的對。",
        hint="改動第一個詞元時，你的結果會變嗎？",
    ),
)
def last_only(ref, probs, tokens):
    return float(1 / followed(ref, probs, tokens)[-1])


@variant("context.bigram_perplexity/last-pair-only")
def _(ref, probs, tokens):
    return of_list(listed_pairs(ref, probs, tokens)[-1:])


@about_perplexity(
    "context.bigram_perplexity/wraps-around",
    en=Explained(
        "You let the first token follow the last one.",
        "T tokens have T - 1 pairs, and you have T. Rolled, the text closes to a ring.",
        hint="How many pairs do you have for two tokens?",
    ),
    zh_tw=Explained(
        "你讓第一個詞元接在最後一個後面。",
        "T 個詞元有 T - 1 對，你卻有 T 對。用了 roll，文字就首尾相接成一個環。",
        hint="兩個詞元時，你有幾對？",
    ),
)
def ring(ref, probs, tokens):
    P, tokens = text_of(ref, probs, tokens)
    return of_pairs(P[tokens, np.roll(tokens, -1)])


@variant("context.bigram_perplexity/wraps-around")
def _(ref, probs, tokens):
    text_of(ref, probs, tokens)
    return of_list(listed_pairs(ref, probs, np.append(tokens, tokens[0])))


@about_perplexity(
    "context.bigram_perplexity/first-token-predicted",
    en=Explained(
        "You also count the first token, as one out of V.",
        "Nothing comes before it, so a bigram has nothing to say about it: it is given. The mean is over the T - 1 pairs.",
        hint="How many logarithms do you add up for two tokens?",
    ),
    zh_tw=Explained(
        "你把第一個詞元也算了進去，當成 V 個之中的一個。",
        "它前面什麼也沒有，bigram 對它無話可說：它是給定的。平均只跨過 T - 1 對。",
        hint="兩個詞元時，你加了幾個對數？",
    ),
)
def first_predicted(ref, probs, tokens):
    p = followed(ref, probs, tokens)
    return of_pairs(np.append(1 / len(probs), p))


@variant("context.bigram_perplexity/first-token-predicted")
def _(ref, probs, tokens):
    return of_list([*listed_pairs(ref, probs, tokens), 1 / len(probs)])


@about_perplexity(
    "context.bigram_perplexity/each-pair-once",
    en=Explained(
        "A pair that comes twice counts only once.",
        "The mean is over the text, not over its different pairs: what is common weighs more, for it has to be predicted "
        "more often.",
        hint="Is there a set, or np.unique, in your function?",
    ),
    zh_tw=Explained(
        "出現兩次的一對，你只算了一次。",
        "平均跨過的是文字，不是不同的對：常見的更重，因為它要被預測更多次。",
        hint="你的函式裡是不是有 set 或 np.unique？",
    ),
)
def each_once(ref, probs, tokens):
    P, tokens = text_of(ref, probs, tokens)
    before, after = np.unique(np.stack([tokens[:-1], tokens[1:]]), axis=1)
    return of_pairs(P[before, after])


@variant("context.bigram_perplexity/each-pair-once")
def _(ref, probs, tokens):
    P, tokens = text_of(ref, probs, tokens)
    return of_list([float(P[pair]) for pair in sorted(set(neighbours(tokens.tolist())))])


@about_perplexity(
    "context.bigram_perplexity/median",
    en=Explained(
        "You took the median of the logarithms.",
        "The text is as likely as the product of all its pairs, so every one of them has its say. The median does not "
        "notice how bad the worst are.",
        hint="What does your function say of a text with one impossible pair?",
    ),
    zh_tw=Explained(
        "你取的是對數的中位數。",
        "文字的機率是所有對的乘積，每一對都有份。中位數察覺不到最差的有多差。",
        hint="文字裡有一個不可能的對時，你的函式算出多少？",
    ),
)
def median(ref, probs, tokens):
    return float(np.exp(-np.median(np.log(followed(ref, probs, tokens)))))


@variant("context.bigram_perplexity/median")
def _(ref, probs, tokens):
    return exp(-statistics.median(log(p) for p in listed_pairs(ref, probs, tokens)))


@about_perplexity(
    "context.bigram_perplexity/entropy",
    en=Explained(
        "You weighted each logarithm with its probability.",
        "Minus the sum of p log p is an entropy: how undecided the model is by its own judgement. Perplexity asks how "
        "surprised it was by this text, in which every pair weighs the same.",
        hint="With which weight does each pair of the text enter the mean?",
    ),
    zh_tw=Explained(
        "你用機率替每個對數加了權。",
        "負的 p log p 總和是熵：模型自己認為有多猶豫。困惑度問的是它看到這段文字有多意外，每一對一樣重。",
        hint="文字裡的每一對，在平均裡的權重是多少？",
    ),
)
def entropy(ref, probs, tokens):
    p = followed(ref, probs, tokens)
    return float(np.exp(-(p * np.log(np.where(p == 0, 1, p))).sum()))


@variant("context.bigram_perplexity/entropy")
def _(ref, probs, tokens):
    return exp(-math.fsum(p * math.log(p) for p in listed_pairs(ref, probs, tokens) if p))


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
