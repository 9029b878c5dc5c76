"""What goes wrong in the exercise context.bigram_perplexity."""

from __future__ import annotations

import math
import statistics

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    about_perplexity,
    exp,
    followed,
    listed_pairs,
    log,
    mean,
    neighbours,
    of_list,
    of_pairs,
    ratio,
    text_of,
)


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
