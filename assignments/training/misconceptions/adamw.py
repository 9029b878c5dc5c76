"""What goes wrong in the exercise training.adamw: the two means, and the step that they make."""

from __future__ import annotations

from grader.testing import Explained
from misconceptions.optimizers import fading, made, remembered, running, weighted
from misconceptions.shared import about

declare = about("training.adamw", "AdamW")


def mistaken(slug, one, other, **words):
    """Declare a mistake of a rule, and its variant, another rule."""
    declare(slug, made(one), made(other), **words)


def squares(seen):
    return [g.square() for g in seen]


mistaken(
    "no-bias-correction",
    running(corrected=lambda m, v, b1, b2, t: (m, v)),
    remembered(first=fading, second=lambda seen, b: fading(squares(seen), b)),
    en=Explained(
        "The bias of the two means is not corrected.",
        "Both begin as 0, so after t steps they hold only the share 1 - beta^t of a mean. With betas .9 and .999 the first step comes out 3.2 times too long. Divide each by its own share.",
        hint="How long is your first step? It should be lr, whatever the gradient.",
    ),
    zh_tw=Explained(
        "兩個平均的偏差沒有修正。",
        "兩者都從 0 開始，所以 t 步之後只含有平均的 1 - beta^t。betas 是 .9 和 .999 時，第一步會長 3.2 倍。要各自除以自己的比例。",
        hint="你的第一步有多長？不管梯度是多少，都應該是 lr。",
    ),
)
mistaken(
    "only-the-second-corrected",
    running(corrected=lambda m, v, b1, b2, t: (m, v / (1 - b2**t))),
    remembered(first=fading),
    en=Explained(
        "Only the mean of the squares is corrected.",
        "The mean of the gradients begins as 0 as well: uncorrected, the first step is a tenth of what it should be with beta1 = .9.",
        hint="By what do you divide m? It should be 1 - beta1^t.",
    ),
    zh_tw=Explained(
        "你只修正了平方的平均。",
        "梯度的平均也從 0 開始：beta1 = .9 時，不修正的第一步只有應有的十分之一。",
        hint="你把 m 除以什麼？應該是 1 - beta1^t。",
    ),
)
mistaken(
    "correction-of-the-next-step",
    running(corrected=lambda m, v, b1, b2, t: (m / (1 - b1 ** (t + 1)), v / (1 - b2 ** (t + 1)))),
    remembered(
        first=lambda seen, b: fading(seen, b) / (1 - b * b ** len(seen)),
        second=lambda seen, b: fading(squares(seen), b) / (1 - b * b ** len(seen)),
    ),
    en=Explained(
        "Your correction is one step ahead.",
        "At the first step t is 1, and the share that each mean holds is 1 - beta. With t = 2 you divide by too much.",
        hint="What is t when step is called for the first time? Where does it begin, and when is it raised?",
    ),
    zh_tw=Explained(
        "你的修正早了一步。",
        "第一步的 t 是 1，兩個平均各含有 1 - beta。用 t = 2 就除得太多了。",
        hint="第一次呼叫 step 時 t 是多少？它從多少開始，什麼時候加一？",
    ),
)
mistaken(
    "betas-swapped",
    running(
        first=lambda m, g, b: m,
        second=lambda v, g, b: v,
    )
    and (lambda p, g, s, group: running()(p, g, s, group | {"betas": group["betas"][::-1]})),
    lambda p, g, s, group: remembered()(p, g, s, {**group, "betas": (group["betas"][1], group["betas"][0])}),
    en=Explained(
        "The two betas have changed places.",
        "beta1 is that of the gradients, beta2 that of their squares, which must forget more slowly: else the denominator follows each gradient and takes its size away.",
        hint="betas is (beta1, beta2). Which do you use for m?",
    ),
    zh_tw=Explained(
        "兩個 beta 對調了。",
        "beta1 用於梯度，beta2 用於平方，後者要忘得更慢：不然分母會緊跟著每個梯度，把它的大小抵銷掉。",
        hint="betas 是 (beta1, beta2)。你的 m 用哪一個？",
    ),
)
mistaken(
    "gradient-not-weighted",
    running(first=lambda m, g, b: b * m + g),
    remembered(first=lambda seen, b: weighted(seen, b) / (1 - b)),
    en=Explained(
        "The new gradient enters the mean with its full weight.",
        "m = beta1 m + g is a sum, as in SGD with momentum, 10 times as large as a mean with beta1 = .9. A mean is beta1 m + (1 - beta1) g.",
        hint="Feed the same gradient again and again. What does your m come to? It should be the gradient.",
    ),
    zh_tw=Explained(
        "新的梯度用全部的權重進入平均。",
        "m = beta1 m + g 是總和，像 SGD 的動量，beta1 = .9 時比平均大 10 倍。平均是 beta1 m + (1 - beta1) g。",
        hint="一直給同一個梯度，你的 m 會走到哪裡？應該是梯度本身。",
    ),
)
mistaken(
    "no-root",
    running(move=lambda lr, m, v, eps: lr * m / (v + eps)),
    remembered(move=lambda lr, m, v, eps: m.div(v.add(eps)).mul(lr)),
    en=Explained(
        "You divide by the mean of the squares, not by its root.",
        "A square has the wrong unit: gradients 10 times as large give steps a tenth as long.",
        hint="Multiply all gradients by 10. Does the first step change?",
    ),
    zh_tw=Explained(
        "你除以平方的平均，沒有開根號。",
        "平方的單位不對：梯度大 10 倍，步伐就只有十分之一。",
        hint="把所有梯度乘以 10。第一步會變嗎？",
    ),
)
mistaken(
    "no-momentum",
    running(first=lambda m, g, b: g, corrected=lambda m, v, b1, b2, t: (m, v / (1 - b2**t))),
    remembered(first=lambda seen, b: seen[-1]),
    en=Explained(
        "You move by the last gradient, not by the mean of the gradients.",
        "That is RMSprop. The mean takes out what the batches disagree on, and keeps what they have in common.",
        hint="What stands in your numerator?",
    ),
    zh_tw=Explained(
        "你用最後一個梯度移動，而不是梯度的平均。",
        "那是 RMSprop。平均會消去各批次不一致的部分，留下共同的部分。",
        hint="你的分子是什麼？",
    ),
)


mistaken(
    "forgets-everything",
    lambda p, g, s, group: running()(p, g, {}, group),
    lambda p, g, s, group: remembered()(p, g, dict[str, object](), group),
    en=Explained(
        "Every step is a first step: the means are made anew each time.",
        "Then the step is always lr long, up or down. What a parameter needs is made once, when its state is empty, and kept in self.state[p].",
        hint="When do you make m and v?",
    ),
    zh_tw=Explained(
        "每一步都是第一步：兩個平均每次都重新建立。",
        "這樣每一步的長度都是 lr，只有正負不同。參數需要的東西只在 state 是空的時候建立一次，之後保存在 self.state[p]。",
        hint="你什麼時候建立 m 和 v？",
    ),
)
mistaken(
    "no-eps",
    running(move=lambda lr, m, v, eps: lr * m / v.sqrt()),
    remembered(move=lambda lr, m, v, eps: lr * m * v.rsqrt()),
    en=Explained(
        "eps is not used: where the gradient is 0 the parameter becomes NaN.",
        "0 / 0 is NaN. The embedding of a token that is in no batch yet has such a gradient, so it happens in the first step.",
        hint="What do you divide by where all gradients were 0?",
    ),
    zh_tw=Explained(
        "沒有用到 eps：梯度是 0 的地方，參數變成 NaN。",
        "0 / 0 是 NaN。還沒出現在批次裡的詞元，它的嵌入就有這樣的梯度，所以第一步就會發生。",
        hint="梯度一直是 0 的地方，你除以什麼？",
    ),
)
