"""What goes wrong in gpt2.gpt after the blocks: logits, loss and what is returned."""

from __future__ import annotations

import math

import torch
from torch.nn import functional as F

from misconceptions.shared import check, fit, kept, kept_only, likelihoods, listed, loss, mistaken, norm, wte


def by_loss(usual, other):
    """A mistake in the loss: of logits and targets, and of the likelihoods in the other style."""
    return {"loss": lambda _, logits, targets, __: usual(logits, targets)}, {
        "loss": lambda _, logits, targets, __: other(logits, targets)
    }


def right(logits, targets):
    return loss(None, logits, targets, None)


def also_right(logits, targets):
    return kept_only(likelihoods(logits, targets)).mean()


def flat(logits, targets, **more):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), **more)


def wrapped(logits, targets):
    """The likelihood of each target, where -1 is the last token."""
    n = targets.numel()
    return -logits.log_softmax(-1).reshape(n, -1)[torch.arange(n), targets.reshape(n)]


def also_wrapped(logits, targets):
    return likelihoods(logits, targets + logits.shape[-1] * (targets < 0)).flatten()


def any_targets(m, idx, targets, cache):
    del targets
    return check(m, idx, None, cache)


def also_any_targets(m, idx, targets, cache):
    T, n_layer = fit(m, idx, targets, shapes=False)
    caches = listed(cache, n_layer)
    if kept(caches) + T > m.config.block_size:
        raise ValueError("positions")
    return caches, kept(caches)


def overwriting(_, logits, targets, __):
    keep = targets != -1
    targets[~keep] = 0
    nll = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none")
    return nll[keep.flatten()].mean()


def also_overwriting(_, logits, targets, __):
    nll = kept_only(likelihoods(logits, targets))
    targets.clamp_(min=0)
    return nll.mean()


def alone(m, idx, targets):
    m.alone = targets is None
    return idx, targets


def nothing(targets):
    """0, or NaN where no target is kept, as a mean gives."""
    return 0 * (1 / (targets != -1).sum() if (targets != -1).any() else torch.tensor(math.nan))


mistaken(
    "only-the-last-token",
    {
        "head": lambda m, x: m.lm_head(norm(m, x[:, -1:]) if m.alone else norm(m, x)),
        "take": alone,
    },
    {"head": lambda m, x: norm(m, x[:, [-1]] if m.alone else x) @ wte(m).T, "take": alone},
    en=(
        "Without targets only the last token gets logits.",
        "That saves work while generating, but the model promises [B, T, V]: whoever asks what each token predicts gets one answer.",
        "What is the shape of the logits without targets, and what with?",
    ),
    zh=(
        "沒有目標時，只有最後一個詞元有 logits。",
        "生成文字時這樣能省計算，但模型說好回傳 [B, T, V]：想知道每個詞元預測什麼的人，只拿到一個答案。",
        "沒有目標時 logits 的形狀是什麼？有目標時呢？",
    ),
)
mistaken(
    "logits-flattened",
    {"out": lambda _, logits, loss: (logits if loss is None else logits.flatten(0, 1), loss)},
    {
        "out": lambda m, logits, loss: (
            (logits.reshape(-1, m.config.vocab_size), loss) if loss is not None else (logits, loss)
        )
    },
    en=(
        "With targets the logits come back as [B T, V].",
        "Flattening is for the loss alone: keep the result under another name, or the shape depends on whether targets were given.",
        "Print the shape of the logits with targets and without.",
    ),
    zh=(
        "有目標時，logits 變成 [B T, V]。",
        "攤平只是為了算損失：攤平的結果要用另一個名字，否則形狀會隨著有沒有目標而不同。",
        "有目標和沒有目標時，各印出 logits 的形狀。",
    ),
)
mistaken(
    "axes-squeezed",
    {"out": lambda _, logits, loss: (logits.squeeze(), loss)},
    {"out": lambda _, logits, loss: (logits.reshape([n for n in logits.shape if n != 1]), loss)},
    en=(
        "An axis of length 1 is dropped.",
        "squeeze() takes away every axis of length 1: a batch of one sequence, or sequences of one token, come out in another shape.",
        "Try a single sequence. How many axes should the logits have?",
    ),
    zh=(
        "長度為 1 的軸不見了。",
        "squeeze() 會拿掉所有長度為 1 的軸：只有一個序列的批次，或只有一個詞元的序列，形狀就變了。",
        "試試單獨一個序列，logits 應該有幾個軸？",
    ),
)
mistaken(
    "probabilities",
    {"out": lambda _, logits, loss: (logits.softmax(-1), loss)},
    {"out": lambda _, logits, loss: ((logits - logits.logsumexp(-1, keepdim=True)).exp(), loss)},
    en=(
        "You return probabilities in the place of logits.",
        "Temperature, top-k and the loss take logits; a softmax of probabilities is nearly uniform.",
        "Do your logits sum to 1? They should not.",
    ),
    zh=(
        "你回傳的是機率，不是 logits。",
        "溫度、top-k 和損失要的都是 logits；對機率再做一次 softmax，結果幾乎是均勻分布。",
        "你的 logits 總和是 1 嗎？不應該是。",
    ),
)
mistaken(
    "logits-alone",
    {"out": lambda _, logits, loss: logits if loss is None else (logits, loss)},
    {"out": lambda _, *both: both if both[-1] is not None else both[0]},
    en=(
        "Without targets the logits come back alone.",
        "Two values are promised, the second None. Whoever writes logits, loss = model(idx) would unpack the batch.",
        "What does your forward return without targets?",
    ),
    zh=(
        "沒有目標時只回傳了 logits。",
        "說好回傳兩個值，第二個是 None。寫 logits, loss = model(idx) 的人，拆開的會是批次。",
        "沒有目標時，你的 forward 回傳什麼？",
    ),
)
mistaken(
    "shifted-again",
    *by_loss(
        lambda logits, targets: flat(logits[:, :-1], targets[:, 1:], ignore_index=-1),
        lambda logits, targets: kept_only(likelihoods(logits[:, :-1], targets[:, 1:])).mean(),
    ),
    en=(
        "The targets are shifted once more.",
        "They are the successors already: target t belongs to logits t. Shifted again the model learns to predict the token after the next.",
        "For the text 'a b c' idx is 'a b' and targets is 'b c'. What does the first logit row predict?",
    ),
    zh=(
        "目標又位移了一次。",
        "目標已經是下一個詞元：第 t 個目標對應第 t 個 logits。再位移一次，模型學到的是預測下下個詞元。",
        "文字「a b c」的 idx 是「a b」，targets 是「b c」。第一列 logits 預測什麼？",
    ),
)
mistaken(
    "predicts-its-own-input",
    {"loss": lambda _, logits, targets, idx: flat(logits, idx) + 0 * targets.max()},
    {"loss": lambda _, logits, __, idx: also_right(logits, idx)},
    en=(
        "The loss asks each token to predict itself.",
        "It sees itself, so that is easy: the loss falls to 0 and the model has learned to copy. The targets are the successors.",
        "Does your loss change when the targets do?",
    ),
    zh=(
        "損失要求每個詞元預測自己。",
        "詞元看得到自己，所以這很容易：損失降到 0，模型只學會複製。目標是下一個詞元。",
        "目標改變時，你的損失會變嗎？",
    ),
)
mistaken(
    "summed",
    *by_loss(
        lambda logits, targets: flat(logits, targets, ignore_index=-1, reduction="sum") + nothing(targets),
        lambda logits, targets: kept_only(likelihoods(logits, targets)).sum() + nothing(targets),
    ),
    en=(
        "The loss is a sum and not a mean.",
        "It then grows with the batch and the length, and so does every step of the optimizer.",
        "Give the same sequence twice. The loss should stay.",
    ),
    zh=(
        "損失是總和，不是平均。",
        "這樣它會隨批次和長度變大，最佳化器的每一步也跟著變大。",
        "把同一個序列放兩次，損失應該不變。",
    ),
)
mistaken(
    "softmax-before-the-loss",
    *by_loss(
        lambda logits, targets: right(logits.softmax(-1), targets),
        lambda logits, targets: also_right((logits - logits.logsumexp(-1, keepdim=True)).exp(), targets),
    ),
    en=(
        "A softmax is taken before cross_entropy, which takes one itself.",
        "Softmaxed twice, the best loss is far from 0, and gradients vanish.",
        "What does F.cross_entropy expect, logits or probabilities?",
    ),
    zh=(
        "cross_entropy 之前先做了 softmax，而它自己會再做一次。",
        "做兩次 softmax，最好的損失也離 0 很遠，梯度也會消失。",
        "F.cross_entropy 要的是 logits 還是機率？",
    ),
)
mistaken(
    "rows-mixed",
    *by_loss(
        lambda logits, targets: right(logits.transpose(0, 1), targets),
        lambda logits, targets: also_right(logits.swapaxes(0, 1).flatten(0, 1), targets.flatten()),
    ),
    en=(
        "Logits and targets are flattened in different orders.",
        "Each sequence then answers for another one. With one sequence all is well, so it is easy to miss.",
        "Flatten logits and targets of two sequences, and write down which row meets which target.",
    ),
    zh=(
        "logits 和目標攤平的順序不同。",
        "這樣一個序列在回答另一個序列的目標。只有一個序列時沒有問題，所以很容易漏看。",
        "把兩個序列的 logits 和目標攤平，寫下哪一列對到哪個目標。",
    ),
)
mistaken(
    "minus-1-not-ignored",
    *by_loss(
        flat,
        lambda logits, targets: likelihoods(logits, torch.where(targets == -1, -3, targets)).mean(),
    ),
    en=(
        "Targets of -1 are not ignored.",
        "Padding has no successor, and says so with -1. cross_entropy ignores -100 unless it is told another number.",
        "Which argument of F.cross_entropy says what is ignored?",
    ),
    zh=(
        "沒有忽略 -1 的目標。",
        "填充沒有下一個詞元，就用 -1 表示。沒有另外指定時，cross_entropy 忽略的是 -100。",
        "F.cross_entropy 的哪個引數指定要忽略什麼？",
    ),
)
mistaken(
    "minus-1-is-the-last-token",
    *by_loss(
        lambda logits, targets: wrapped(logits, targets).mean(),
        lambda logits, targets: also_wrapped(logits, targets).mean(),
    ),
    en=(
        "A target of -1 counts as the last token of the vocabulary.",
        "That is what indexing with -1 gives. The model is then trained to predict that token wherever there is padding.",
        "What does row[-1] give in Python?",
    ),
    zh=(
        "-1 的目標被當成詞彙表的最後一個詞元。",
        "用 -1 索引就會這樣。結果凡是填充的地方，模型都被訓練成預測那個詞元。",
        "在 Python 裡，row[-1] 是什麼？",
    ),
)
mistaken(
    "ignored-but-counted",
    *by_loss(
        lambda logits, targets: flat(logits, targets, ignore_index=-1, reduction="none").mean(),
        lambda logits, targets: likelihoods(logits, targets).nan_to_num(0.0).sum() / targets.numel(),
    ),
    en=(
        "Ignored targets count in the mean.",
        "They add 0 and are divided by all the same: more padding makes the loss look better.",
        "Add a row of -1. The loss should stay.",
    ),
    zh=(
        "忽略的目標仍然算進平均。",
        "它們加上 0，卻還是被算進除數：填充越多，損失看起來越好。",
        "多加一列 -1，損失應該不變。",
    ),
)
mistaken(
    "mean-of-means",
    *by_loss(
        lambda logits, targets: torch.stack(
            [right(a[None], b[None]) for a, b in zip(logits, targets, strict=True)]
        ).mean(),
        lambda logits, targets: likelihoods(logits, targets).nanmean(dim=1).mean(),
    ),
    en=(
        "The loss is a mean of the means of the sequences.",
        "A target in a sequence with much padding then counts for more than another. Every target that is kept should count alike.",
        "Take one sequence with one target and one with three. What part does each target have?",
    ),
    zh=(
        "損失是各序列平均的平均。",
        "這樣填充多的序列裡，一個目標的影響比別的大。每個留下的目標應該一樣重要。",
        "一個序列有一個目標，另一個有三個。每個目標各占多少？",
    ),
)
mistaken(
    "nothing-is-0",
    *by_loss(
        lambda logits, targets: (
            flat(logits, targets, ignore_index=-1, reduction="sum") / (targets != -1).sum().clamp(min=1)
        ),
        lambda logits, targets: also_right(logits, targets).nan_to_num(0.0),
    ),
    en=(
        "Where every target is ignored the loss is 0.",
        "0 is what a perfect model has. A mean over nothing is 0 / 0, and NaN tells that something is wrong with the batch.",
        "What is the mean of no numbers?",
    ),
    zh=(
        "所有目標都被忽略時，損失是 0。",
        "0 是完美模型的損失。對空無一物取平均是 0 / 0，NaN 能讓人知道這個批次有問題。",
        "沒有數的時候，平均是多少？",
    ),
)
mistaken(
    "all-negative-ignored",
    *by_loss(
        lambda logits, targets: flat(logits, targets.clamp(min=-1), ignore_index=-1),
        lambda logits, targets: also_right(logits, torch.where(targets < 0, -1, targets)),
    ),
    en=(
        "Every negative target is ignored, not -1 alone.",
        "-2 is no sign that anybody agreed on: it is a mistake of whoever made the batch, and should be told.",
        "Which number is promised to be ignored?",
    ),
    zh=(
        "所有負的目標都被忽略，而不只是 -1。",
        "沒有人約定過 -2 的意思：那是做批次的人弄錯了，應該報錯。",
        "說好要忽略的是哪個數？",
    ),
)
mistaken(
    "targets-of-any-shape",
    {"check": any_targets},
    {
        "check": also_any_targets,
        "loss": lambda _, logits, targets, __: also_right(logits.flatten(0, 1), targets.flatten()),
    },
    en=(
        "Targets of another shape are accepted.",
        "Flattened, [T, B] has as many entries as [B, T]: each token is then compared with a target that is not its own.",
        "Give the targets transposed. require_shapes can ask.",
    ),
    zh=(
        "形狀不同的目標也接受了。",
        "攤平之後，[T, B] 和 [B, T] 的個數一樣：每個詞元都拿去和別人的目標比。",
        "把轉置的目標傳進去試試。可以用 require_shapes 檢查。",
    ),
)
mistaken(
    "targets-changed",
    {"loss": overwriting},
    {"loss": also_overwriting},
    en=(
        "You changed the targets that you were given.",
        "Whoever uses the batch again, as for accumulated gradients, finds a token where there was -1.",
        "Work on a copy, or let ignore_index do it.",
    ),
    zh=(
        "你改動了傳進來的目標。",
        "再次使用這個批次的人，例如累積梯度時，會在原本是 -1 的地方看到一個詞元。",
        "用複本來改，或交給 ignore_index。",
    ),
)
mistaken(
    "loss-is-a-number",
    *by_loss(
        lambda logits, targets: right(logits, targets).item(),
        lambda logits, targets: float(also_right(logits, targets)),
    ),
    en=(
        "The loss is a Python number.",
        "`.item()` leaves nothing for backward() to follow. It is for printing.",
        "What would loss.backward() do with your loss?",
    ),
    zh=(
        "損失是 Python 的數。",
        "`.item()` 讓 backward() 無路可走。它是印出來給人看的。",
        "loss.backward() 對你的損失會做什麼？",
    ),
)
mistaken(
    "loss-in-float32",
    *by_loss(
        lambda logits, targets: right(logits, targets).float(),
        lambda logits, targets: also_right(logits, targets).to(torch.float32),
    ),
    en=(
        "The loss is float32 whatever the model computes in.",
        "`.float()` throws away half the digits of a float64 model.",
        "Look for `.float()` and `torch.float32`.",
    ),
    zh=(
        "不管模型用什麼 dtype 計算，損失都是 float32。",
        "`.float()` 會丟掉 float64 模型一半的位數。",
        "找找 `.float()` 和 `torch.float32`。",
    ),
)
