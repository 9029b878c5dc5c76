"""What goes wrong in the exercise training.adamw: how parameters decay."""

from __future__ import annotations

from grader.testing import Explained
from misconceptions.adamw import mistaken
from misconceptions.optimizers import remembered, running

mistaken(
    "decay-in-the-gradient",
    running(gradient=lambda g, p, wd: g + wd * p, kept=lambda lr, wd: 1),
    remembered(gradient=lambda g, p, wd: g.add(p, alpha=wd), pull=lambda lr, wd: 0),
    en=Explained(
        "You add the decay to the gradient: that is Adam with an L2 penalty.",
        "There it is divided by the root mean square as everything else: where gradients are large, nothing decays. The W in AdamW is that the parameter itself shrinks by lr * weight_decay, outside the two means.",
        hint="Is the decay in your m and v?",
    ),
    zh_tw=Explained(
        "你把衰減加進梯度裡：那是加了 L2 懲罰的 Adam。",
        "這樣衰減也會除以均方根：梯度大的地方就不衰減。AdamW 的 W 指的是參數本身縮小 lr * weight_decay，和兩個平均無關。",
        hint="你的 m 和 v 裡有沒有衰減？",
    ),
)


mistaken(
    "no-decay",
    running(kept=lambda lr, wd: 1),
    remembered(pull=lambda lr, wd: 0),
    en=Explained(
        "Nothing decays.",
        "weight_decay is taken and not used. Each step a parameter loses lr * weight_decay of itself.",
        hint="Where do you use group['weight_decay']?",
    ),
    zh_tw=Explained(
        "什麼都沒有衰減。",
        "收下了 weight_decay，卻沒有用。每一步參數都會失去自己的 lr * weight_decay。",
        hint="你在哪裡用到 group['weight_decay']？",
    ),
)
mistaken(
    "decay-without-rate",
    running(kept=lambda lr, wd: 1 - wd),
    remembered(pull=lambda lr, wd: wd),
    en=Explained(
        "The decay is not multiplied by the learning rate.",
        "A parameter then loses the share weight_decay of itself in every step, and is gone after a few; a schedule does not slow it down. It is lr * weight_decay.",
        hint="Halve the learning rate. Does your decay halve?",
    ),
    zh_tw=Explained(
        "衰減沒有乘以學習率。",
        "參數每一步都失去自己的 weight_decay，沒幾步就不見了；學習率排程也無法讓它慢下來。應該是 lr * weight_decay。",
        hint="學習率減半，你的衰減也減半嗎？",
    ),
)
