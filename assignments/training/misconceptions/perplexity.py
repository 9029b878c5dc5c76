"""What goes wrong in the exercise training.perplexity."""

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained
from misconceptions.shared import about, refuse

mistaken = about("training.perplexity", "perplexity")


def exp(x):
    """Infinite where math.exp would raise."""
    with np.errstate(over="ignore"):
        return float(np.exp(np.float64(x)))


def of(rule):
    """`rule(nll_sum, n_tokens)`, where there are tokens."""

    def function(ref, nll_sum, n_tokens):
        refuse(n_tokens < 1)
        return rule(nll_sum, n_tokens)

    return function


mistaken(
    "of-the-sum",
    of(lambda total, n: exp(total)),
    of(lambda total, n: exp(total / n) ** n if total < 700 else math.inf),
    en=Explained(
        "You take exp of the sum.",
        "That is one over the probability of the whole text, and longer texts are always less likely. Perplexity is exp of the mean per token.",
        hint="Where do you divide by the number of tokens?",
    ),
    zh_tw=Explained(
        "你對總和取 exp。",
        "那是整段文字機率的倒數，文字愈長就一定愈不可能。困惑度是每個詞元平均的 exp。",
        hint="你在哪裡除以詞元數？",
    ),
)
mistaken(
    "mean-only",
    of(lambda total, n: total / n),
    of(lambda total, n: sum([total]) * n**-1),
    en=Explained(
        "You return the mean loss, not its exp.",
        "The loss is in nats. Perplexity is the number of equally likely tokens that would be as hard to guess: for 5 of them the loss is 1.61, the perplexity 5.",
        hint="What should come out for the loss ln 5?",
    ),
    zh_tw=Explained(
        "你回傳的是平均損失，沒有取 exp。",
        "損失的單位是 nat。困惑度是「同樣難猜的、機會均等的詞元有幾個」：5 個的話，損失是 1.61，困惑度是 5。",
        hint="損失是 ln 5 時，應該得到多少？",
    ),
)
mistaken(
    "power-of-two",
    of(lambda total, n: 2.0 ** min(total / n, 1023) if total / n < 1024 else math.inf),
    of(lambda total, n: exp(math.log(2) * total / n)),
    en=Explained(
        "You raise 2 to the mean loss.",
        "That belongs to a loss in bits. This one is in nats, made with the natural logarithm, and its inverse is exp.",
        hint="Which logarithm is in the loss?",
    ),
    zh_tw=Explained(
        "你算的是 2 的平均損失次方。",
        "那要配以位元為單位的損失。這裡的損失用自然對數，單位是 nat，反函數是 exp。",
        hint="損失用的是哪一種對數？",
    ),
)
mistaken(
    "square-root",
    of(lambda total, n: math.sqrt(max(total, 0) / n)),
    of(lambda total, n: (total / n) ** 0.5),
    en=Explained(
        "You take the square root of the mean loss.",
        "A root undoes a square, as in a root mean square error. The loss is a logarithm, and what undoes it is exp.",
        hint="What does a model get that guesses among 100 tokens?",
    ),
    zh_tw=Explained(
        "你對平均損失開了平方根。",
        "平方根用來還原平方，像均方根誤差那樣。損失是對數，還原它的是 exp。",
        hint="在 100 個詞元裡亂猜的模型，會得到多少？",
    ),
)
mistaken(
    "probability",
    of(lambda total, n: exp(-total / n)),
    of(lambda total, n: 1 / exp(total / n)),
    en=Explained(
        "You return the mean probability, the inverse of the perplexity.",
        "exp of minus the loss is how likely a token was in the mean, at most 1. Perplexity is one over that, at least 1.",
        hint="Is a large perplexity good or bad? And a large number of yours?",
    ),
    zh_tw=Explained(
        "你回傳的是平均機率，也就是困惑度的倒數。",
        "負損失的 exp 是詞元平均有多可能，最多是 1。困惑度是它的倒數，至少是 1。",
        hint="困惑度大是好還是壞？你的數大呢？",
    ),
)
mistaken(
    "divided-twice",
    of(lambda total, n: exp(total / n / n)),
    of(lambda total, n: exp(total / n**2)),
    en=Explained(
        "You divide by the number of tokens twice.",
        "nll_sum is a sum: divided once it is the mean. Twice, every text of a thousand tokens has a perplexity near 1.",
        hint="What comes out for 10 tokens of 2 nats each? It should be exp(2).",
    ),
    zh_tw=Explained(
        "你除了兩次詞元數。",
        "nll_sum 是總和：除一次就是平均。除兩次的話，上千個詞元的文字困惑度都接近 1。",
        hint="10 個詞元、每個 2 nat 時得到多少？應該是 exp(2)。",
    ),
)
mistaken(
    "divided-outside",
    of(lambda total, n: exp(total) / n),
    of(lambda total, n: exp(total) * (1 / n)),
    en=Explained(
        "You divide after exp, not before.",
        "The mean is of the losses. exp of the sum is one over the probability of the whole text, and a share of that is nothing.",
        hint="What is divided by the number of tokens, the sum or its exp?",
    ),
    zh_tw=Explained(
        "你在 exp 之後才除，應該在之前。",
        "取平均的是損失。總和的 exp 是整段文字機率的倒數，再除以個數沒有意義。",
        hint="除以詞元數的是總和，還是它的 exp？",
    ),
)
mistaken(
    "whole-nats",
    of(lambda total, n: exp(total // n)),
    of(lambda total, n: exp(math.floor(total / n))),
    en=Explained(
        "You divide with `//` and lose what is behind the point.",
        "The mean is then a whole number of nats: a perplexity between 2.72 and 7.39 is always told as 2.72.",
        hint="What is 5 // 2?",
    ),
    zh_tw=Explained(
        "你用 `//` 相除，丟掉了小數。",
        "平均就變成整數個 nat：介於 2.72 和 7.39 之間的困惑度一律變成 2.72。",
        hint="5 // 2 是多少？",
    ),
)


def _rounded_integers(total, n):
    return exp(total // n if isinstance(total, int) else total / n)


mistaken(
    "integers-cut",
    of(_rounded_integers),
    of(
        lambda total, n: (
            exp(math.floor(total / n)) if float(total).is_integer() and type(total) is int else exp(total / n)
        )
    ),
    en=Explained(
        "Where the sum is an integer you divide as integers are divided.",
        "A sum of 5 nats over 2 tokens is 2.5 nats each, whatever type the 5 has.",
        hint="Call it with 5 and with 5.0.",
    ),
    zh_tw=Explained(
        "總和是整數時，你用了整數除法。",
        "2 個詞元共 5 nat，每個就是 2.5 nat，不管 5 是什麼型別。",
        hint="用 5 和 5.0 各呼叫一次。",
    ),
)
mistaken(
    "overflow",
    of(lambda total, n: math.exp(total / n)),
    of(lambda total, n: math.e ** (total / n)),
    en=Explained(
        "A large loss makes you fail.",
        "math.exp raises OverflowError above 709, and a run that diverges ends with an error about a float where the curve should say that it diverges. Infinite is the right answer there.",
        hint="What does math.exp(1000) do? And torch.exp, or NumPy's?",
    ),
    zh_tw=Explained(
        "損失很大時，你的程式出錯。",
        "超過 709，math.exp 就引發 OverflowError：訓練發散時，看到的是浮點數的錯誤訊息，而不是曲線告訴你發散了。這時正確的答案是無限大。",
        hint="math.exp(1000) 會怎樣？torch.exp 或 NumPy 的呢？",
    ),
)
mistaken(
    "no-tokens-accepted",
    lambda ref, nll_sum, n_tokens: exp(nll_sum / max(n_tokens, 1)),
    lambda ref, nll_sum, n_tokens: exp(nll_sum) if n_tokens < 1 else exp(nll_sum / n_tokens),
    en=Explained(
        "You give a perplexity for no tokens.",
        "There is no mean of nothing. Whoever asks has lost the tokens on the way, and should hear of it here.",
        hint="What do you do with n_tokens = 0?",
    ),
    zh_tw=Explained(
        "沒有詞元，你也給出困惑度。",
        "沒有東西就沒有平均。會這樣問，表示詞元在半路弄丟了，應該在這裡說出來。",
        hint="n_tokens = 0 時你怎麼處理？",
    ),
)
mistaken(
    "division-by-zero",
    lambda ref, nll_sum, n_tokens: exp(nll_sum / n_tokens),
    lambda ref, nll_sum, n_tokens: exp((1 / n_tokens) * nll_sum),
    en=Explained(
        "The number of tokens is not checked.",
        "0 tokens end in a ZeroDivisionError that says nothing of tokens, and a negative number gives a perplexity below 1 without a word. A value out of range raises ValueError.",
        hint="What do you do with n_tokens = -3?",
    ),
    zh_tw=Explained(
        "你沒有檢查詞元數。",
        "0 個詞元會得到和詞元無關的 ZeroDivisionError，負數則默默得到小於 1 的困惑度。超出範圍的值要引發 ValueError。",
        hint="n_tokens = -3 時你怎麼處理？",
    ),
)
