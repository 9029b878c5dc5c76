"""What goes wrong in the exercise training.clip_gradients."""

from __future__ import annotations

import math

import torch

from grader.testing import Explained
from misconceptions.shared import about, refuse

mistaken = about("training.clip_gradients", "clip_gradients")


def grads_of(params):
    return [p.grad for p in params if p.grad is not None]


def norm_of(grads):
    """The right norm, of all entries in one row."""
    return torch.cat([g.flatten().double() for g in grads]).norm().item() if grads else 0.0


def also_norm_of(grads):
    """The same, square by square."""
    return math.sqrt(sum((g.double() ** 2).sum().item() for g in grads))


def clipped(*, norm=norm_of, returned=None, factor=None, when=None):
    """The right function, of which a part is replaced: the norm, what is returned, the factor and when it applies."""

    def function(ref, params, max_norm):
        refuse(not max_norm >= 0)
        grads = grads_of(params)
        n = norm(grads)
        if (when or (lambda n, most: most < n < math.inf))(n, max_norm):
            for g in grads:
                g.mul_((factor or (lambda n, most: most / n))(n, max_norm))
        return n if returned is None else returned(n, max_norm, grads)

    return function


def each(change, *, norm=also_norm_of, returned=None):
    """The gradients replaced one by one: `change(g, norm, max_norm)` gives another one."""

    def function(ref, params, max_norm):
        refuse(not max_norm >= 0)
        params = [p for p in params if p.grad is not None]
        n = norm([p.grad for p in params])
        for p in params:
            p.grad = change(p.grad, n, max_norm)
        return n if returned is None else returned(n, max_norm, [p.grad for p in params])

    return function


def shrunk(g, n, most):
    return g * (most / n) if most < n < math.inf else g


def _own(g, n, most):
    own = g.norm().item()
    return g * (most / own) if most < own < math.inf and math.isfinite(n) else g


def _tensor_by_tensor(ref, params, max_norm):
    refuse(not max_norm >= 0)
    grads = grads_of(params)
    n = norm_of(grads)
    for g in grads if math.isfinite(n) else ():
        own = torch.linalg.vector_norm(g)
        if own > max_norm:
            g.div_(own).mul_(max_norm)
    return n


mistaken(
    "each-tensor-by-itself",
    _tensor_by_tensor,
    each(_own),
    en=Explained(
        "You clip each tensor by its own norm.",
        "Large ones shrink and small ones stay, so that the step points elsewhere. One norm is taken of all gradients together, and all are multiplied by one factor.",
        hint="For the gradients [3] and [4] and max_norm 1: are yours [.6] and [.8]?",
    ),
    zh_tw=Explained(
        "你用每個張量自己的範數各自裁剪。",
        "大的縮小、小的不變，整步的方向就變了。要算所有梯度合起來的一個範數，全部乘以同一個倍數。",
        hint="梯度 [3] 和 [4]、max_norm 是 1：你的結果是 [.6] 和 [.8] 嗎？",
    ),
)


def _by_value(g, n, most):
    return g.clamp(-most, most) if math.isfinite(n) and n > most else g


def _by_value_too(ref, params, max_norm):
    refuse(not max_norm >= 0)
    grads = grads_of(params)
    n = norm_of(grads)
    if max_norm < n < math.inf:
        for g in grads:
            g[g > max_norm] = max_norm
            g[g < -max_norm] = -max_norm
    return n


mistaken(
    "by-value",
    _by_value_too,
    each(_by_value),
    en=Explained(
        "You cut each entry off at max_norm.",
        "That is clipping by value: it bends the direction, and the norm may still be large. All entries are multiplied by one factor.",
        hint="For [3, 4] and max_norm 1: are yours [.6, .8]?",
    ),
    zh_tw=Explained(
        "你把每個數限制在 max_norm 之內。",
        "那是按值裁剪：方向會歪掉，範數也可能還是很大。所有的數要乘以同一個倍數。",
        hint="[3, 4]、max_norm 是 1：你的結果是 [.6, .8] 嗎？",
    ),
)
mistaken(
    "scaled-up",
    clipped(when=lambda n, most: 0 < n < math.inf and most < math.inf),
    each(lambda g, n, most: g * (most / n) if 0 < n < math.inf and most < math.inf else g),
    en=Explained(
        "Small gradients are scaled up.",
        "max_norm is the largest norm allowed, not the one to have. Near a minimum gradients are small, and should be.",
        hint="What do you do with a norm of 0.1 where 1 is allowed?",
    ),
    zh_tw=Explained(
        "小的梯度被放大了。",
        "max_norm 是允許的最大範數，不是要達到的範數。靠近最小值時梯度很小，本來就該小。",
        hint="範數是 0.1、允許 1 時，你怎麼處理？",
    ),
)
mistaken(
    "to-length-one",
    clipped(factor=lambda n, most: 1 / n),
    each(lambda g, n, most: g / n if most < n < math.inf else g),
    en=Explained(
        "You bring the norm to 1 and not to max_norm.",
        "Divided by the norm the gradients have length 1. The factor is max_norm / norm.",
        hint="Clip [3, 4] to 2.5. Is the norm of yours 2.5?",
    ),
    zh_tw=Explained(
        "你把範數變成 1，而不是 max_norm。",
        "除以範數之後長度是 1。倍數是 max_norm / norm。",
        hint="把 [3, 4] 裁剪到 2.5。你的結果範數是 2.5 嗎？",
    ),
)


def _zeros_given(ref, params, max_norm):
    params = list(params)
    for p in params:
        p.grad = torch.zeros_like(p) if p.grad is None else p.grad
    return clipped()(ref, params, max_norm)


def _zeros_given_too(ref, params, max_norm):
    held = tuple(params)
    for p in held:
        if p.grad is None:
            p.grad = p.detach() * 0
    return each(shrunk)(ref, held, max_norm)


mistaken(
    "none-becomes-zero",
    _zeros_given,
    _zeros_given_too,
    en=Explained(
        "You give a gradient of 0 to a parameter that has none.",
        "An optimizer leaves a parameter without a gradient alone. With a gradient of 0 it decays, and drifts on.",
        hint="What is p.grad afterwards, of a parameter that had None?",
    ),
    zh_tw=Explained(
        "你給沒有梯度的參數補上了 0。",
        "最佳化器不會動沒有梯度的參數。梯度是 0 的話，它會衰減，還會繼續漂移。",
        hint="原本是 None 的參數，之後 p.grad 是什麼？",
    ),
)


def _went_through_twice(ref, params, max_norm):
    refuse(not max_norm >= 0)
    n = norm_of(grads_of(params))
    for g in grads_of(params):
        g.mul_(max_norm / n if max_norm < n < math.inf else 1.0)
    return n


def _went_through_twice_too(ref, params, max_norm):
    refuse(not max_norm >= 0)
    n = math.sqrt(sum(p.grad.double().square().sum().item() for p in params if p.grad is not None))
    for p in params:
        if p.grad is not None:
            p.grad = shrunk(p.grad, n, max_norm)
    return n


mistaken(
    "second-time-empty",
    _went_through_twice,
    _went_through_twice_too,
    en=Explained(
        "You go through the parameters twice, and the second time there are none.",
        "`model.parameters()` can be gone through only once. You have the norm, and nothing is clipped: no error tells of it. Make a list first.",
        hint="How many loops over `params` are there in your code?",
    ),
    zh_tw=Explained(
        "你走訪參數兩次，第二次已經是空的。",
        "`model.parameters()` 只能走一次。範數算出來了，卻什麼都沒裁剪，也不會報錯。先做成串列。",
        hint="你的程式裡有幾個走訪 `params` 的迴圈？",
    ),
)
mistaken(
    "divided-by-zero",
    clipped(
        when=lambda n, most: n < math.inf and most < math.inf and (n > most or n == 0),
        factor=lambda n, most: math.nan if n == 0 else most / n,
    ),
    each(
        lambda g, n, most: (
            g * torch.tensor(n).double().reciprocal() * 0 if n == 0 and most < math.inf else shrunk(g, n, most)
        )
    ),
    en=Explained(
        "Gradients of 0 become NaN.",
        "Their norm is 0, and 0 / 0 follows. There is nothing to clip where the norm is no larger than max_norm.",
        hint="Ask whether the norm is too large before you divide by it.",
    ),
    zh_tw=Explained(
        "0 的梯度變成了 NaN。",
        "它們的範數是 0，接著就是 0 / 0。範數不超過 max_norm 時，沒有東西要裁剪。",
        hint="除以範數之前，先問它是不是太大。",
    ),
)
mistaken(
    "not-finite",
    clipped(when=lambda n, most: not n <= most and most < math.inf),
    each(lambda g, n, most: g if n <= most or most == math.inf else g * (most / n)),
    en=Explained(
        "Where one gradient is infinite or NaN you ruin all others.",
        "Divided by an infinite norm the others become 0, by NaN they become NaN, and what went wrong can no longer be seen. Leave such gradients as they are.",
        hint="What is max_norm / inf, and what is inf times that?",
    ),
    zh_tw=Explained(
        "只要一個梯度是無限大或 NaN，你就毀了其他所有的梯度。",
        "除以無限大的範數，其他的變成 0；除以 NaN 則全部變成 NaN，再也看不出哪裡出了錯。這樣的梯度要原封不動。",
        hint="max_norm / inf 是多少？inf 再乘以它呢？",
    ),
)
mistaken(
    "no-limit-fails",
    clipped(
        when=lambda n, most: most < n < math.inf or most == math.inf,
        factor=lambda n, most: most / n if most < math.inf else math.nan,
    ),
    each(lambda g, n, most: g * math.nan if most == math.inf else shrunk(g, n, most)),
    en=Explained(
        "Without a limit the gradients become infinite or NaN.",
        "A max_norm of inf never clips. Multiplied by inf / norm nothing finite is left.",
        hint="Compute the factor only where the norm is larger than max_norm.",
    ),
    zh_tw=Explained(
        "沒有上限時，梯度變成無限大或 NaN。",
        "max_norm 是 inf 就是永不裁剪。乘以 inf / norm 就沒有有限的數了。",
        hint="範數大於 max_norm 時才計算倍數。",
    ),
)


def _unchecked(ref, params, max_norm):
    grads = grads_of(params)
    n = norm_of(grads)
    for g in grads if max_norm < n < math.inf else ():
        g.mul_(max_norm / n)
    return n


def _unchecked_too(ref, params, max_norm):
    held = [p for p in params if p.grad is not None]
    n = also_norm_of([p.grad for p in held])
    for p in held:
        p.grad = shrunk(p.grad, n, max_norm)
    return n


mistaken(
    "negative-norm-accepted",
    _unchecked,
    _unchecked_too,
    en=Explained(
        "You accept a negative max_norm.",
        "No norm is negative. The factor then turns every gradient round, and the model climbs.",
        hint="What is max_norm / norm for max_norm = -1?",
    ),
    zh_tw=Explained(
        "你接受了負的 max_norm。",
        "範數不會是負的。這樣的倍數會讓每個梯度反向，模型就往上爬。",
        hint="max_norm = -1 時，max_norm / norm 是多少？",
    ),
)


def _widened(ref, params, max_norm):
    params = list(params)
    n = clipped()(ref, params, max_norm)
    _as_double(params)
    return n


def _widened_too(ref, params, max_norm):
    held = list(params)
    n = also_norm_of([p.grad for p in held if p.grad is not None])
    _as_double(held)
    return each(shrunk, norm=lambda grads: n)(ref, held, max_norm)


def _as_double(params):
    for p in params:
        if p.grad is not None and p.dtype != torch.float64:
            grad, p.grad = p.grad.double(), None
            p.data = p.data.double()
            p.grad = grad


mistaken(
    "float64",
    _widened,
    _widened_too,
    en=Explained(
        "float32 gradients become float64.",
        "A norm may be summed in more digits, but the gradients keep the dtype of their parameters.",
        hint="Print p.grad.dtype before and after.",
    ),
    zh_tw=Explained(
        "float32 的梯度變成了 float64。",
        "範數可以用更多位數加總，但梯度要維持參數的 dtype。",
        hint="在前後各印一次 p.grad.dtype。",
    ),
)
