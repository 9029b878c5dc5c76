"""What goes wrong in the exercise training.learning_rate."""

from __future__ import annotations

import math

from grader.testing import Explained
from misconceptions.shared import about, refuse

mistaken = about("training.learning_rate", "learning_rate")


def pieces(*, ramp=None, curve=None, floor=None, warm=None, over=None):
    """The right curve by its pieces, of which some are replaced.

    Args:
        ramp: `ramp(step, max_lr, min_lr, warmup)`.
        curve: `curve(progress, max_lr, min_lr)`.
        floor: `floor(max_lr, min_lr)`.
        warm: Whether a step is in the warm-up, `warm(step, warmup)`.
        over: Whether the curve has ended, `over(step, warmup, total)`.
    """

    def function(ref, step, *, max_lr, min_lr, warmup, total):
        refuse(min(step, warmup, total) < 0)
        if (warm or (lambda s, w: s < w))(step, warmup):
            return (ramp or right_ramp)(step, max_lr, min_lr, warmup)
        if (over or (lambda s, w, n: s >= n))(step, warmup, total):
            return (floor or (lambda high, low: low))(max_lr, min_lr)
        return (curve or cosine)((step - warmup) / (total - warmup), max_lr, min_lr)

    return function


def right_ramp(step, max_lr, min_lr, warmup):
    return max_lr * (step + 1) / warmup


def cosine(progress, max_lr, min_lr):
    return min_lr + (max_lr - min_lr) * (1 + math.cos(math.pi * progress)) / 2


def blended(share):
    """The right curve as a share of the way from min_lr to max_lr: `share(step, warmup, total)`, None in the ramp."""

    def function(ref, step, *, max_lr, min_lr, warmup, total):
        refuse(step < 0 or warmup < 0 or total < 0)
        if step < warmup:
            return (step + 1) * max_lr / warmup
        s = 0.0 if step >= total else share(step, warmup, total)
        return s * max_lr + (1 - s) * min_lr

    return function


def falling(x):
    return math.cos(math.pi * x / 2) ** 2


mistaken(
    "first-step-zero",
    pieces(ramp=lambda step, high, low, warmup: high * step / warmup),
    lambda ref, step, *, max_lr, min_lr, warmup, total: (
        step * (max_lr / warmup)
        if 0 <= step < warmup and total >= 0
        else blended(lambda s, w, n: falling((s - w) / (n - w)))(
            ref, step, max_lr=max_lr, min_lr=min_lr, warmup=warmup, total=total
        )
    ),
    en=Explained(
        "The first step has a learning rate of 0.",
        "Steps are counted from 0, so step / warmup wastes the first and never reaches the maximum within the warm-up. With (step + 1) / warmup the last step of the warm-up has all of it.",
        hint="What is your rate at step 0, and at step warmup - 1?",
    ),
    zh_tw=Explained(
        "第一步的學習率是 0。",
        "步數從 0 數起，用 step / warmup 會浪費第一步，而且在暖身內到不了最大值。用 (step + 1) / warmup，暖身的最後一步就是最大值。",
        hint="step 是 0 和 warmup - 1 時，你的學習率各是多少？",
    ),
)
mistaken(
    "progress-from-zero",
    lambda ref, step, *, max_lr, min_lr, warmup, total: pieces(
        curve=lambda _, high, low: cosine(step / total, high, low)
    )(ref, step, max_lr=max_lr, min_lr=min_lr, warmup=warmup, total=total),
    blended(lambda step, warmup, total: falling(step / total)),
    en=Explained(
        "The cosine begins at step 0, not after the warm-up.",
        "The rate then jumps down where the warm-up ends, for by then a part of the curve has gone by unseen. Progress is (step - warmup) / (total - warmup): 0 right after the warm-up.",
        hint="What are your rates at warmup - 1 and at warmup? Both should be the maximum.",
    ),
    zh_tw=Explained(
        "餘弦從第 0 步開始，而不是從暖身之後。",
        "暖身結束時曲線已經走掉一段，學習率就突然掉下來。進度是 (step - warmup) / (total - warmup)：暖身剛結束時是 0。",
        hint="在 warmup - 1 和 warmup，你的學習率各是多少？兩個都應該是最大值。",
    ),
)


mistaken(
    "floor-forgotten",
    pieces(curve=lambda p, high, low: cosine(p, high, 0.0)),
    blended(lambda step, warmup, total: 0.0)
    and (
        lambda ref, step, *, max_lr, min_lr, warmup, total: (
            max_lr * falling((step - warmup) / (total - warmup))
            if 0 <= warmup <= step < total
            else pieces()(ref, step, max_lr=max_lr, min_lr=min_lr, warmup=warmup, total=total)
        )
    ),
    en=Explained(
        "The cosine falls to 0 and not to the minimum.",
        "Half a cosine goes from max_lr to min_lr: what it multiplies is the difference of both, and min_lr is added. Else the rate falls below the minimum, and jumps up to it at the end.",
        hint="What is your rate halfway? It should lie in the middle between both.",
    ),
    zh_tw=Explained(
        "餘弦降到 0，而不是降到最小值。",
        "半個餘弦從 max_lr 走到 min_lr：它乘的是兩者的差，再加上 min_lr。不然學習率會低於最小值，最後又跳上去。",
        hint="走到一半時，你的學習率是多少？應該在兩者的正中間。",
    ),
)
mistaken(
    "floor-added-on-top",
    pieces(curve=lambda p, high, low: low + high * (1 + math.cos(math.pi * p)) / 2),
    lambda ref, step, *, max_lr, min_lr, warmup, total: (
        min_lr + max_lr * falling((step - warmup) / (total - warmup))
        if 0 <= warmup <= step < total
        else pieces()(ref, step, max_lr=max_lr, min_lr=min_lr, warmup=warmup, total=total)
    ),
    en=Explained(
        "The minimum is added to the whole curve.",
        "It then begins at max_lr + min_lr, above the maximum. The cosine multiplies the difference max_lr - min_lr.",
        hint="What is your rate right after the warm-up?",
    ),
    zh_tw=Explained(
        "你把最小值加在整條曲線上。",
        "這樣曲線從 max_lr + min_lr 開始，超過最大值。餘弦要乘的是差 max_lr - min_lr。",
        hint="暖身剛結束時，你的學習率是多少？",
    ),
)
mistaken(
    "maximum-of-both",
    pieces(curve=lambda p, high, low: max(low, cosine(p, high, 0.0))),
    lambda ref, step, *, max_lr, min_lr, warmup, total: (
        max(max_lr * falling((step - warmup) / (total - warmup)), min_lr)
        if 0 <= warmup <= step < total
        else pieces()(ref, step, max_lr=max_lr, min_lr=min_lr, warmup=warmup, total=total)
    ),
    en=Explained(
        "The cosine falls to 0, and you stop it at the minimum.",
        "That cuts the curve off with a bend. Here the whole of it lies between max_lr and min_lr: halfway it is in the middle of both.",
        hint="What is your rate halfway? Look for `max(` in your code.",
    ),
    zh_tw=Explained(
        "餘弦往 0 走，你用最小值擋住它。",
        "這樣曲線會被截斷、有個轉折。這裡整條曲線都在 max_lr 和 min_lr 之間：走到一半時在兩者的正中間。",
        hint="走到一半時，你的學習率是多少？找找程式裡的 `max(`。",
    ),
)
mistaken(
    "linear",
    pieces(curve=lambda p, high, low: high + p * (low - high)),
    blended(lambda step, warmup, total: (total - step) / (total - warmup)),
    en=Explained(
        "The rate falls in a straight line.",
        "Asked for is half a cosine: slow at first, fastest in the middle, slow at the end. The two agree only at the ends and in the middle.",
        hint="How far has the curve fallen after a quarter of the way? A cosine by 15 %.",
    ),
    zh_tw=Explained(
        "學習率沿直線下降。",
        "要的是半個餘弦：開始慢，中間最快，最後又慢。兩者只有頭、尾和正中間相同。",
        hint="走了四分之一時，曲線降了多少？餘弦降 15 %。",
    ),
)
mistaken(
    "whole-period",
    pieces(curve=lambda p, high, low: cosine(2 * p, high, low)),
    blended(lambda step, warmup, total: math.cos(math.pi * (step - warmup) / (total - warmup)) ** 2),
    en=Explained(
        "You take a whole period of the cosine.",
        "With 2 π the rate is at the minimum halfway, and back at the maximum in the end. Half a period is π.",
        hint="At which angle is a cosine -1?",
    ),
    zh_tw=Explained(
        "你用了餘弦的整個週期。",
        "用 2 π 的話，學習率走到一半就到最小值，最後又回到最大值。半個週期是 π。",
        hint="餘弦在哪個角度等於 -1？",
    ),
)
mistaken(
    "ramp-from-the-minimum",
    pieces(ramp=lambda step, high, low, warmup: low + (high - low) * (step + 1) / warmup),
    lambda ref, step, *, max_lr, min_lr, warmup, total: (
        max_lr * (s := (step + 1) / warmup) + min_lr * (1 - s)
        if 0 <= step < warmup and total >= 0
        else pieces()(ref, step, max_lr=max_lr, min_lr=min_lr, warmup=warmup, total=total)
    ),
    en=Explained(
        "Your warm-up begins at the minimum.",
        "min_lr is where the curve ends. The warm-up rises from 0, in equal steps of max_lr / warmup.",
        hint="With a warm-up of 4 steps, what is the first rate? It should be a quarter of the maximum.",
    ),
    zh_tw=Explained(
        "你的暖身從最小值開始。",
        "min_lr 是曲線結束的地方。暖身從 0 往上，每步增加 max_lr / warmup。",
        hint="暖身 4 步時，第一個學習率是多少？應該是最大值的四分之一。",
    ),
)
mistaken(
    "no-warmup",
    pieces(ramp=lambda step, high, low, warmup: high),
    lambda ref, step, *, max_lr, min_lr, warmup, total: (
        max_lr
        if 0 <= step < warmup and total >= 0
        else blended(lambda s, w, n: falling((s - w) / (n - w)))(
            ref, step, max_lr=max_lr, min_lr=min_lr, warmup=warmup, total=total
        )
    ),
    en=Explained(
        "There is no ramp: the warm-up is at the maximum all along.",
        "At first Adam's means rest on few gradients, and steps of full size go anywhere. The ramp lets them settle.",
        hint="What is your rate at step 0 of a warm-up of 4 steps?",
    ),
    zh_tw=Explained(
        "沒有斜坡：暖身期間一直是最大值。",
        "一開始 Adam 的平均只靠幾個梯度，整步走出去方向很不可靠。斜坡讓它們先穩定下來。",
        hint="暖身 4 步時，第 0 步的學習率是多少？",
    ),
)
