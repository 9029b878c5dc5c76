"""What goes wrong in the exercise training.cross_entropy: the loss of a row."""

from __future__ import annotations

import math

import torch

from grader.testing import Explained
from misconceptions.shared import about, refuse

mistaken = about("training.cross_entropy", "cross_entropy")


def kept_rows(logits, targets, ignore_index):
    """Refuse what the reference refuses, and return the rows and targets that are kept: [N, V], [N]."""
    refuse(logits.shape[:-1] != targets.shape, "shapes do not fit")
    keep = targets != ignore_index
    rows, right = logits[keep], targets[keep]
    refuse(bool(((right < 0) | (right >= logits.shape[-1])).any()) or not len(right))
    return rows, right


def mean_of(loss):
    """The mean of what `loss(rows, right)` gives for the kept rows, [N]."""

    def function(ref, logits, targets, ignore_index=-1):
        return loss(*kept_rows(logits, targets, ignore_index)).mean()

    return function


def added(loss):
    """The same in plain Python: `loss(row, right)` for each row, added up and divided."""

    def function(ref, logits, targets, ignore_index=-1):
        rows, right = kept_rows(logits, targets, ignore_index)
        return sum(loss(row, t) for row, t in zip(rows, right.tolist(), strict=True)) / len(rows)

    return function


def of_right(values, right):
    """The entry of each row that belongs to its target: [N, V], [N] -> [N]."""
    return values.gather(-1, right[:, None])[:, 0]


def nll(row, t):
    z = row - row.max()
    return z.exp().sum().log() - z[t]


mistaken(
    "softmax-twice",
    mean_of(lambda rows, right: -of_right(rows.softmax(dim=-1).log_softmax(dim=-1), right)),
    added(lambda row, t: nll(row.exp() / row.exp().sum() if row.abs().max() < 700 else row.softmax(dim=0), t)),
    en=Explained(
        "You take the softmax twice.",
        "What comes in are logits, and the loss has a softmax of its own. Of probabilities, all between 0 and 1, a second one makes an almost even distribution: with V tokens the loss never falls below ln(e + V - 1) - 1, which is 0.90 for V = 5 and 9.82 for GPT-2, and training seems to stand still.",
        hint="What is your loss for logits [50, 0, 0] and target 0? Is there a softmax before the log_softmax?",
    ),
    zh_tw=Explained(
        "你做了兩次 softmax。",
        "傳進來的是 logits，損失自己就有一次 softmax。機率都在 0 和 1 之間，再做一次 softmax 會變成幾乎平均的分布：有 V 個詞元時，損失永遠不會低於 ln(e + V - 1) - 1，V = 5 時是 0.90，GPT-2 是 9.82，訓練看起來就像停住了。",
        hint="logits 是 [50, 0, 0]、目標是 0 時，你的損失是多少？log_softmax 之前是不是還有一次 softmax？",
    ),
)
mistaken(
    "exp-overflows",
    mean_of(lambda rows, right: rows.exp().sum(dim=-1).log() - of_right(rows, right)),
    added(lambda row, t: torch.log(sum(torch.exp(x) for x in row)) - row[t]),
    en=Explained(
        "Your exp overflows for large logits.",
        "exp of 1e4 is infinite in any dtype, and so is the loss. Take the largest logit of a row out before exp and add it again after the log: the log-sum-exp does not change, and no exp is larger than 1.",
        hint="What is torch.exp(torch.tensor(1e4))?",
    ),
    zh_tw=Explained(
        "logits 很大時，你的 exp 溢位了。",
        "不論什麼 dtype，exp(1e4) 都是無限大，損失也跟著無限大。做 exp 之前先減去橫列裡最大的 logit，取 log 之後再加回來：log-sum-exp 不變，而且沒有一個 exp 大於 1。",
        hint="torch.exp(torch.tensor(1e4)) 是多少？",
    ),
)
mistaken(
    "digits-lost",
    mean_of(lambda rows, right: rows.logsumexp(dim=-1) - of_right(rows, right)),
    added(lambda row, t: torch.log(torch.exp(row - row.max()).sum()) + row.max() - row[t]),
    en=Explained(
        "Beside large logits your loss loses its digits.",
        "The log-sum-exp is as large as the largest logit, and beside 1e4 float32 has three decimals left, bfloat16 not even the units. Subtracted from the logit of the target afterwards, only what survived is the loss. Take the largest logit off both first, and subtract what is small.",
        hint="What is torch.tensor(1e4, dtype=torch.bfloat16) + 0.7? How large are the two numbers that you subtract?",
    ),
    zh_tw=Explained(
        "logits 很大時，你的損失丟了位數。",
        "log-sum-exp 和最大的 logit 一樣大；在 1e4 旁邊，float32 只剩三位小數，bfloat16 連個位都沒有。之後才減去目標的 logit，損失就只剩倖存的那幾位。先把兩邊都減去最大的 logit，再讓小的數相減。",
        hint="torch.tensor(1e4, dtype=torch.bfloat16) + 0.7 是多少？你相減的兩個數有多大？",
    ),
)
mistaken(
    "log-of-softmax",
    mean_of(lambda rows, right: -of_right(rows.softmax(dim=-1), right).log()),
    added(lambda row, t: (1 / row.softmax(dim=0)[t]).log()),
    en=Explained(
        "You take the logarithm of a softmax, and the softmax can be 0.",
        "The probability of an unlikely token is too small for a float and becomes 0; its logarithm is -inf, although the true loss is an ordinary number. In log-sum-exp minus logit no probability is ever formed.",
        hint="Which logits make a softmax exactly 0? What is your loss there?",
    ),
    zh_tw=Explained(
        "你對 softmax 取對數，而 softmax 可能是 0。",
        "不太可能的詞元，機率小到浮點數放不下，就變成 0，取對數得到 -inf，但真正的損失只是普通的數。用 log-sum-exp 減去 logit，從頭到尾都不需要算出機率。",
        hint="什麼樣的 logits 會讓 softmax 恰好是 0？這時你的損失是多少？",
    ),
)
mistaken(
    "epsilon-in-the-log",
    mean_of(lambda rows, right: -(of_right(rows.softmax(dim=-1), right) + 1e-9).log()),
    added(lambda row, t: -torch.log(1e-9 + row.softmax(dim=0)[t])),
    en=Explained(
        "You add a small number inside the logarithm.",
        "It hides the infinity and leaves a wrong number: no loss is larger than 20.7 then, and where the probability is smaller than what was added the gradient is gone. The log-sum-exp needs no such help.",
        hint="What is your loss for logits [1e4, 0] and target 1? It should be 1e4.",
    ),
    zh_tw=Explained(
        "你在對數裡加了一個小數。",
        "這樣看不到無限大，卻留下錯的數：損失再大也不會超過 20.7，而機率比這個小數還小的地方，梯度也沒了。用 log-sum-exp 就不需要這種補救。",
        hint="logits 是 [1e4, 0]、目標是 1 時，你的損失是多少？應該是 1e4。",
    ),
)
mistaken(
    "largest-of-all",
    mean_of(lambda rows, right: (z := rows - rows.max()).exp().sum(dim=-1).log() - of_right(z, right)),
    lambda ref, logits, targets, ignore_index=-1: (
        (pair := kept_rows(logits, targets, ignore_index))
        and sum(torch.log(torch.exp(z).sum()) - z[t] for z, t in zip(pair[0] - pair[0].max(), pair[1], strict=True))
        / len(pair[0])
    ),
    en=Explained(
        "You take the largest logit of all rows out, not of each.",
        "A row that lies far below the largest of another row has exps that are all 0, and the logarithm of their sum is -inf. Each row has a largest logit of its own.",
        hint="What is the shape of your maximum? It should be [..., 1].",
    ),
    zh_tw=Explained(
        "你減去的是全部橫列的最大 logit，而不是各橫列自己的。",
        "比別的橫列低很多的橫列，exp 全部變成 0，總和的對數就是 -inf。每個橫列要用自己的最大值。",
        hint="你的最大值是什麼形狀？應該是 [..., 1]。",
    ),
)
mistaken(
    "maximum-not-added-back",
    mean_of(
        lambda rows, right: (rows - rows.amax(dim=-1, keepdim=True)).exp().sum(dim=-1).log() - of_right(rows, right)
    ),
    added(lambda row, t: nll(row, t) - row.max()),
    en=Explained(
        "The largest logit was taken out and not added again.",
        "The log-sum-exp of the shifted logits belongs with the shifted logit of the target. With that of the others the loss is too small by the largest logit, and can be negative.",
        hint="Add 100 to all logits of a row. Does your loss change?",
    ),
    zh_tw=Explained(
        "減掉的最大 logit 沒有加回來。",
        "平移過的 log-sum-exp 要配目標平移過的 logit。配上沒有平移的，損失就少了一個最大 logit，甚至會是負的。",
        hint="把一個橫列的 logits 都加 100。你的損失會變嗎？",
    ),
)
mistaken(
    "sign",
    mean_of(lambda rows, right: of_right(rows.log_softmax(dim=-1), right)),
    added(lambda row, t: -nll(row, t)),
    en=Explained(
        "Your loss is the log-likelihood, without the minus.",
        "Whoever makes it smaller makes the right tokens less likely. A loss is at least 0.",
        hint="What is the sign of the logarithm of a probability?",
    ),
    zh_tw=Explained(
        "你的損失是對數概似，少了負號。",
        "把它變小，等於讓正確的詞元更不可能。損失至少是 0。",
        hint="機率的對數是正的還是負的？",
    ),
)
mistaken(
    "bits",
    mean_of(lambda rows, right: -of_right(rows.log_softmax(dim=-1), right) / math.log(2)),
    added(lambda row, t: (row - row.max()).exp2().new_tensor(1 / math.log(2)) * nll(row, t)),
    en=Explained(
        "Your loss is in bits.",
        "The logarithm here is the natural one, and the loss is in nats. In bits it is larger by 1 / ln 2 = 1.44, and exp of it is no perplexity.",
        hint="Which logarithm belongs to exp?",
    ),
    zh_tw=Explained(
        "你的損失以位元（bit）為單位。",
        "這裡用的是自然對數，損失的單位是 nat。換成位元會大 1 / ln 2 = 1.44 倍，取 exp 也不再是困惑度。",
        hint="和 exp 配對的是哪一種對數？",
    ),
)


def _over_the_tokens(ref, logits, targets, ignore_index=-1):
    kept_rows(logits, targets, ignore_index)
    keep = targets != ignore_index
    axis = -2 if logits.ndim > 1 else -1
    return -of_right(logits.log_softmax(dim=axis)[keep], targets[keep]).mean()


def _over_the_tokens_too(ref, logits, targets, ignore_index=-1):
    kept_rows(logits, targets, ignore_index)
    keep = targets != ignore_index
    lse = logits.logsumexp(dim=-2, keepdim=True) if logits.ndim > 1 else logits.logsumexp(dim=0)
    return -of_right((logits - lse)[keep], targets[keep]).mean()


mistaken(
    "over-the-tokens",
    _over_the_tokens,
    _over_the_tokens_too,
    en=Explained(
        "You normalise over the tokens, not over the vocabulary.",
        "The V logits of one position are one distribution, and they lie along the last axis. Along the axis before it positions compete with each other.",
        hint="Which axis of [B, T, V] should sum to 1 after the softmax?",
    ),
    zh_tw=Explained(
        "你沿著詞元正規化，而不是沿著詞彙表。",
        "一個位置的 V 個 logits 是一個分布，排在最後一軸。沿著它前面那一軸，變成各個位置互相競爭。",
        hint="softmax 之後，[B, T, V] 的哪一軸總和應該是 1？",
    ),
)


def _shifted_again(ref, logits, targets, ignore_index=-1):
    kept_rows(logits, targets, ignore_index)
    if targets.ndim and targets.shape[-1] > 1:
        logits, targets = logits[..., :-1, :], targets[..., 1:]
    return mean_of(lambda rows, right: -of_right(rows.log_softmax(dim=-1), right))(ref, logits, targets, ignore_index)


def _shifted_again_too(ref, logits, targets, ignore_index=-1):
    kept_rows(logits, targets, ignore_index)
    n = targets.shape[-1] if targets.ndim else 1
    if n > 1:
        logits, targets = logits.narrow(-2, 0, n - 1), targets.narrow(-1, 1, n - 1)
    return added(nll)(ref, logits, targets, ignore_index)


mistaken(
    "shifted-again",
    _shifted_again,
    _shifted_again_too,
    en=Explained(
        "You shift the targets once more.",
        "get_batch has shifted them: the target of a position stands at that position. Shifted twice, the model learns to skip a token, and the last position learns nothing.",
        hint="Look for `[:, 1:]` and `[:, :-1]`.",
    ),
    zh_tw=Explained(
        "你又把目標移了一次。",
        "get_batch 已經移過了：一個位置的目標就放在同一個位置。移兩次，模型學到的是跳過一個詞元，最後一個位置則什麼也沒學。",
        hint="找找 `[:, 1:]` 和 `[:, :-1]`。",
    ),
)
