"""What goes wrong in the exercise training.cross_entropy: what is counted, and what is refused."""

from __future__ import annotations

import torch

from grader.testing import Explained
from misconceptions.cross_entropy import added, kept_rows, nll, of_right
from misconceptions.shared import about, refuse

mistaken = about("training.cross_entropy", "cross_entropy")


def losses(rows, right):
    """The right losses of rows, [N]."""
    return -of_right(rows.log_softmax(dim=-1), right)


def of_all(total):
    """`total(losses, targets)` of the right losses of the kept rows, and of all targets."""

    def function(ref, logits, targets, ignore_index=-1):
        return total(losses(*kept_rows(logits, targets, ignore_index)), targets)

    return function


def listed(total):
    """The same in plain Python, of a list of losses."""

    def function(ref, logits, targets, ignore_index=-1):
        rows, right = kept_rows(logits, targets, ignore_index)
        return total([nll(row, t) for row, t in zip(rows, right.tolist(), strict=True)], targets)

    return function


mistaken(
    "ignored-in-the-number",
    of_all(lambda each, targets: each.sum() / targets.numel()),
    listed(lambda each, targets: torch.stack([*each, *[each[0] * 0] * (targets.numel() - len(each))]).mean()),
    en=Explained(
        "Ignored targets count in the number.",
        "Their loss is left out of the sum, yet you divide by all positions: the more padding, the smaller the loss, and the smaller the step. Divide by the number of those that are kept.",
        hint="Double the padding. Should the loss change?",
    ),
    zh_tw=Explained(
        "被忽略的目標也算進了個數。",
        "它們的損失沒有加進總和，你卻除以全部的位置數：填充愈多，損失愈小，步伐也愈小。要除以留下的個數。",
        hint="把填充加倍。損失應該改變嗎？",
    ),
)
mistaken(
    "sum",
    of_all(lambda each, targets: each.sum()),
    listed(lambda each, targets: sum(each)),
    en=Explained(
        "You add the losses up and do not divide.",
        "A batch twice as large then has twice the loss and twice the gradient, and the learning rate would have to follow the batch size.",
        hint="Put every row in twice. Should the loss change?",
    ),
    zh_tw=Explained(
        "你把損失加起來，沒有除。",
        "批次大一倍，損失和梯度就大一倍，學習率也得跟著批次大小調整。",
        hint="每個橫列都放兩次。損失應該改變嗎？",
    ),
)
mistaken(
    "divided-twice",
    of_all(lambda each, targets: each.mean() / len(each)),
    listed(lambda each, targets: sum(each) / len(each) ** 2),
    en=Explained(
        "You divide by the number of tokens twice.",
        "A mean is divided already. The loss shrinks with the size of the batch and is no longer that of a token.",
        hint="Where in your code is the number of tokens, and where a mean?",
    ),
    zh_tw=Explained(
        "你除了兩次詞元數。",
        "平均已經除過了。這樣損失會隨批次變大而縮小，不再是一個詞元的損失。",
        hint="你的程式裡哪裡用到詞元數？哪裡取了平均？",
    ),
)


def _mean_of_means(ref, logits, targets, ignore_index=-1):
    rows, right = kept_rows(logits, targets, ignore_index)
    if targets.ndim < 2:
        return losses(rows, right).mean()
    keep = targets != ignore_index
    pairs = zip(logits.flatten(0, -3), targets.flatten(0, -2), keep.flatten(0, -2), strict=True)
    return torch.stack([losses(x[k], y[k]).mean() for x, y, k in pairs if k.any()]).mean()


def _mean_of_means_too(ref, logits, targets, ignore_index=-1):
    kept_rows(logits, targets, ignore_index)
    flat = (
        logits.reshape(-1, targets.shape[-1], logits.shape[-1])
        if targets.ndim > 1
        else logits.reshape(1, -1, logits.shape[-1])
    )
    means = []
    for x, y in zip(flat, targets.reshape(flat.shape[:-1]).tolist(), strict=True):
        found = [nll(row, t) for row, t in zip(x, y, strict=True) if t != ignore_index]
        means += [sum(found) / len(found)] if found else []
    return sum(means) / len(means)


mistaken(
    "mean-of-means",
    _mean_of_means,
    _mean_of_means_too,
    en=Explained(
        "You take the mean of each sequence, and then the mean of those.",
        "A token of a short sequence then weighs more than one of a long sequence. Every kept token weighs the same: one sum, one number.",
        hint="Let one sequence keep 1 target and another 4. Do all five weigh the same?",
    ),
    zh_tw=Explained(
        "你先取每個序列的平均，再取這些平均的平均。",
        "這樣短序列的詞元比長序列的更重。每個留下的詞元要一樣重：一個總和，一個個數。",
        hint="讓一個序列留 1 個目標，另一個留 4 個。這五個一樣重嗎？",
    ),
)


def _as_a_token(ref, logits, targets, ignore_index=-1):
    refuse(logits.shape[:-1] != targets.shape)
    V = logits.shape[-1]
    refuse(bool(((targets < 0) & (targets != ignore_index) | (targets >= V)).any()))
    refuse(bool((targets == ignore_index).all()))
    return losses(logits.reshape(-1, V), targets.reshape(-1) % V).mean()


def _as_a_token_too(ref, logits, targets, ignore_index=-1):
    kept_rows(logits, targets, ignore_index)
    rows = logits.reshape(-1, logits.shape[-1])
    each = [nll(row, t) for row, t in zip(rows, targets.flatten().tolist(), strict=True)]  # -1 is the last of a row
    return sum(each) / len(each)


mistaken(
    "ignored-is-a-token",
    _as_a_token,
    _as_a_token_too,
    en=Explained(
        "Nothing is ignored: -1 picks the last token of the vocabulary.",
        "An index of -1 counts from the end, without an error, so that the model learns to say the last token wherever there is padding.",
        hint="What does logits[0][-1] give? Where do you use ignore_index?",
    ),
    zh_tw=Explained(
        "你什麼都沒忽略：-1 選到了詞彙表的最後一個詞元。",
        "索引 -1 會從後面數起，不會報錯，於是有填充的地方，模型都學著說最後一個詞元。",
        hint="logits[0][-1] 是什麼？你在哪裡用到 ignore_index？",
    ),
)


def _minus_one(ref, logits, targets, ignore_index=-1):
    return losses(*kept_rows(logits, targets, -1)).mean()


mistaken(
    "only-minus-one",
    _minus_one,
    lambda ref, logits, targets, ignore_index=-1: added(nll)(ref, logits, targets),
    en=Explained(
        "The argument ignore_index is not used: you ignore -1 and nothing else.",
        "Whoever pads with another token hands its id in, and your loss counts it.",
        hint="Look for a -1 in your code that should be a name.",
    ),
    zh_tw=Explained(
        "沒有用到引數 ignore_index：你只忽略 -1。",
        "用別的詞元填充的人會把它的編號傳進來，你的損失卻把它算進去。",
        hint="找找你的程式裡應該寫成名字的 -1。",
    ),
)


mistaken(
    "minus-100-by-default",
    lambda ref, logits, targets, ignore_index=-100: losses(*kept_rows(logits, targets, ignore_index)).mean(),
    lambda ref, logits, targets, ignore_index=-100: added(nll)(ref, logits, targets, ignore_index),
    en=Explained(
        "You ignore -100 unless told otherwise.",
        "That is what torch's own loss does. Here -1 stands for no target: that of the signature in the template.",
        hint="What is the default of ignore_index in your signature?",
    ),
    zh_tw=Explained(
        "沒有特別指定時，你忽略的是 -100。",
        "那是 torch 自己的損失的預設。這裡用 -1 代表沒有目標，就像範本的函式定義那樣。",
        hint="你的函式定義裡，ignore_index 的預設值是多少？",
    ),
)
