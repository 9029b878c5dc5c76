"""What goes wrong in the exercise training.cross_entropy: what is refused and what is not, gradients and dtypes."""

from __future__ import annotations

import torch

from grader.testing import Explained
from misconceptions.cross_entropy import added, kept_rows, mean_of, nll
from misconceptions.cross_entropy_mean import losses, mistaken
from misconceptions.shared import CUT_OFF, OTHER_DTYPE, refuse


def _nothing_is_nan(ref, logits, targets, ignore_index=-1):
    if (targets == ignore_index).all() and targets.shape == logits.shape[:-1]:
        return logits.sum() * float("nan")
    return losses(*kept_rows(logits, targets, ignore_index)).mean()


def _nothing_is_nan_too(ref, logits, targets, ignore_index=-1):
    refuse(logits.shape[:-1] != targets.shape)
    keep = targets != ignore_index
    right = targets[keep]
    refuse(bool(((right < 0) | (right >= logits.shape[-1])).any()))
    return losses(logits[keep], right).sum() / keep.sum()


mistaken(
    "nothing-is-nan",
    _nothing_is_nan,
    _nothing_is_nan_too,
    en=Explained(
        "Where every target is ignored your loss is NaN.",
        "0 / 0 says nothing, and one step with it makes every parameter NaN. There is no mean of nothing: raise an error while it is still known which batch was at fault.",
        hint="What is the mean of an empty tensor?",
    ),
    zh_tw=Explained(
        "所有目標都被忽略時，你的損失是 NaN。",
        "0 / 0 不會報錯，但只要用它走一步，所有參數都變成 NaN。沒有東西就沒有平均：趁還知道是哪個批次時引發例外。",
        hint="空張量的平均是多少？",
    ),
)


def _wrapped(ref, logits, targets, ignore_index=-1):
    refuse(logits.shape[:-1] != targets.shape)
    keep = targets != ignore_index
    refuse(not keep.any())
    return losses(logits[keep], targets[keep] % logits.shape[-1]).mean()


def _wrapped_too(ref, logits, targets, ignore_index=-1):
    refuse(logits.shape[:-1] != targets.shape)
    keep = targets != ignore_index
    refuse(not keep.any())
    each = [nll(row, t % len(row)) for row, t in zip(logits[keep], targets[keep].tolist(), strict=True)]
    return sum(each) / len(each)


mistaken(
    "out-of-range-wraps",
    _wrapped,
    _wrapped_too,
    en=Explained(
        "Targets out of range are accepted, counted round.",
        "A target of V or -2 is no token. It comes from a wrong vocabulary or a wrong padding, and the loss is where that can still be noticed.",
        hint="What does your loss do with a target of V?",
    ),
    zh_tw=Explained(
        "超出範圍的目標被你接受了，還繞了一圈。",
        "目標是 V 或 -2 都不是詞元。那表示詞彙表或填充弄錯了，而損失是最後還能發現的地方。",
        hint="目標是 V 時，你的損失怎麼處理？",
    ),
)


def _exactly_three(ref, logits, targets, ignore_index=-1):
    refuse(logits.ndim not in {3, 2})
    return losses(*kept_rows(logits, targets, ignore_index)).mean()


def _exactly_three_too(ref, logits, targets, ignore_index=-1):
    if logits.ndim == 3:
        B, T, V = logits.shape
        refuse(targets.shape != (B, T))
        logits, targets = logits.reshape(B * T, V), targets.reshape(B * T)
    _, _ = logits.shape
    return added(nll)(ref, logits, targets, ignore_index)


mistaken(
    "two-or-three-axes",
    _exactly_three,
    _exactly_three_too,
    en=Explained(
        "Only logits of two or three axes are accepted.",
        "The loss looks at one row at a time, so any axes may stand before the last, or none. Unpacking B, T, V = logits.shape refuses all others.",
        hint="Which axis do you work on? Counted from the end it is -1, however many there are.",
    ),
    zh_tw=Explained(
        "你只接受兩個軸或三個軸的 logits。",
        "損失一次只看一個橫列，所以最後一軸之前可以有任意多個軸，也可以沒有。用 B, T, V = logits.shape 拆開，就擋掉了其他情形。",
        hint="你處理的是哪一軸？從後面數是 -1，不論總共有幾軸。",
    ),
)


def _flattened(ref, logits, targets, ignore_index=-1):
    rows = logits.reshape(-1, logits.shape[-1])[: targets.numel()]
    return losses(*kept_rows(rows, targets.reshape(-1)[: len(rows)], ignore_index)).mean()


def _zipped(ref, logits, targets, ignore_index=-1):
    pairs = list(zip(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1).tolist(), strict=False))
    kept = [(row, t) for row, t in pairs if t != ignore_index]
    refuse(not kept or not all(0 <= t < len(row) for row, t in kept))
    return sum(nll(row, t) for row, t in kept) / len(kept)


mistaken(
    "shapes-unchecked",
    _flattened,
    _zipped,
    en=Explained(
        "You flatten both tensors and do not ask whether they fit.",
        "Targets [T, B] have as many entries as [B, T], in another order: every loss is then that of another position, and no error comes.",
        hint="The given require_shapes can ask. Try targets that are transposed.",
    ),
    zh_tw=Explained(
        "你把兩個張量都攤平，沒有檢查形狀是否相合。",
        "目標是 [T, B] 時，元素和 [B, T] 一樣多，順序卻不同：每個損失都算到別的位置去，也不會報錯。",
        hint="可以用現成的 require_shapes 檢查。拿轉置過的目標試試。",
    ),
)


def _in_range(rows, right):
    refuse(bool(((right < 0) | (right >= rows.shape[-1])).any()) or not len(right))
    return losses(rows, right).mean()


def _masked(ref, logits, targets, ignore_index=-1):
    keep = targets != ignore_index
    return _in_range(logits[keep], targets[keep])


def _at_the_places(ref, logits, targets, ignore_index=-1):
    if not targets.ndim:
        logits, targets = logits[None], targets[None]
    at = (targets != ignore_index).nonzero(as_tuple=True)
    return _in_range(logits[at], targets[at])


mistaken(
    "shapes-left-to-the-mask",
    _masked,
    _at_the_places,
    en=Explained(
        "You leave it to the index of the kept targets to find shapes that do not fit.",
        "It compares only the axes that it has, and speaks of an index where the shapes are wrong: targets [B] pass for logits [B, T, V], and fail somewhere else. Shapes that do not fit were promised a ValueError or torch's RuntimeError.",
        hint="The given require_shapes asks for both shapes at once, and tells them. Which line is the first to look at them?",
    ),
    zh_tw=Explained(
        "形狀不相合，你交給挑選目標的索引去發現。",
        "它只比較自己有的軸，而且形狀錯了，它說的卻是索引：logits 是 [B, T, V] 時，目標 [B] 也能通過，到別的地方才出錯。說好形狀不相合時，引發 ValueError 或 torch 的 RuntimeError。",
        hint="現成的 require_shapes 一次檢查兩個形狀，也會說出來。你的哪個敘述最先看形狀？",
    ),
)


mistaken(
    "no-gradient",
    mean_of(lambda rows, right: losses(rows.detach(), right)),
    lambda ref, logits, targets, ignore_index=-1: torch.tensor(
        added(nll)(ref, logits, targets, ignore_index).item(), dtype=logits.dtype
    ),
    **CUT_OFF,
)


mistaken(
    "float32",
    lambda ref, logits, targets, ignore_index=-1: losses(*kept_rows(logits, targets, ignore_index)).mean().float(),
    lambda ref, logits, targets, ignore_index=-1: added(nll)(ref, logits, targets, ignore_index).to(torch.float32),
    **OTHER_DTYPE,
)


mistaken(
    "float64",
    lambda ref, logits, targets, ignore_index=-1: losses(*kept_rows(logits.double(), targets, ignore_index)).mean(),
    lambda ref, logits, targets, ignore_index=-1: added(nll)(ref, logits.to(torch.float64), targets, ignore_index),
    en=Explained(
        "Your loss is float64 whatever comes in.",
        "A loss has the dtype of the logits. Whoever adds it to other float32 losses gets float64 everywhere, and twice the memory.",
        hint="Call it with float32 logits, and print the dtype after each line.",
    ),
    zh_tw=Explained(
        "不管輸入是什麼，你的損失都是 float64。",
        "損失的 dtype 要和 logits 相同。把它和其他 float32 的損失相加，就到處都變成 float64，記憶體也要兩倍。",
        hint="用 float32 的 logits 呼叫，逐行印出 dtype。",
    ),
)


def _zeroed(ref, logits, targets, ignore_index=-1):
    loss = losses(*kept_rows(logits, targets, ignore_index)).mean()
    targets[targets == ignore_index] = 0
    return loss


def _zeroed_too(ref, logits, targets, ignore_index=-1):
    loss = added(nll)(ref, logits, targets, ignore_index)
    targets.masked_fill_(targets == ignore_index, 0)
    return loss


mistaken(
    "targets-overwritten",
    _zeroed,
    _zeroed_too,
    en=Explained(
        "You write a token into the ignored targets that you were given.",
        "They belong to the caller: whoever uses the batch again finds token 0 where there was padding. `torch.where`, `clamp` and `masked_fill` give a new tensor, and leave the old one.",
        hint="Print the targets before and after the call.",
    ),
    zh_tw=Explained(
        "你在別人給你的目標裡，把被忽略的改寫成詞元。",
        "目標屬於呼叫你的人：之後再用這個批次，原本填充的地方就變成了詞元 0。`torch.where`、`clamp`、`masked_fill` 會產生新張量，不動原來的。",
        hint="在呼叫前後各印一次 targets。",
    ),
)
