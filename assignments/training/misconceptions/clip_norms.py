"""What goes wrong in the exercise training.clip_gradients: the norm, and what is returned."""

from __future__ import annotations

import torch

from grader.testing import Explained
from misconceptions.clip_gradients import also_norm_of, clipped, each, mistaken, norm_of, shrunk
from misconceptions.shared import refuse

mistaken(
    "norm-after",
    clipped(returned=lambda n, most, grads: norm_of(grads)),
    each(shrunk, returned=lambda n, most, grads: also_norm_of(grads)),
    en=Explained(
        "You return the norm after clipping.",
        "It is max_norm whenever something was clipped, and tells nothing. The norm before shows when training is about to diverge.",
        hint="In which line do you compute what you return, and what has happened to the gradients by then?",
    ),
    zh_tw=Explained(
        "你回傳的是裁剪之後的範數。",
        "只要有裁剪它就等於 max_norm，看不出任何事。裁剪之前的範數才看得出訓練是不是快要發散。",
        hint="你回傳的值在哪一行算的？那時梯度已經怎麼了？",
    ),
)


def _no_root(grads):
    return norm_of(grads) ** 2


mistaken(
    "no-root",
    clipped(norm=_no_root),
    each(shrunk, norm=lambda grads: sum(float((g * g).sum().double()) for g in grads)),
    en=Explained(
        "Your norm is the sum of the squares, without the root.",
        "[3, 4] has norm 5, not 25. Gradients are then clipped too much, or, where they are small, too late.",
        hint="What is the norm of [3, 4]?",
    ),
    zh_tw=Explained(
        "你的範數是平方和，沒有開根號。",
        "[3, 4] 的範數是 5，不是 25。這樣梯度會裁剪過頭；梯度小的時候則太晚才裁剪。",
        hint="[3, 4] 的範數是多少？",
    ),
)


mistaken(
    "sum-of-norms",
    clipped(norm=lambda grads: sum((torch.linalg.vector_norm(g.double()).item() for g in grads), 0.0)),
    each(shrunk, norm=lambda grads: float(sum(g.double().square().sum().sqrt() for g in grads))),
    en=Explained(
        "You add the norms of the tensors up.",
        "[3] and [4] together have norm 5, not 7: norms are added as squares. What is the norm of the norms?",
        hint="Square before you add, and take the root at the end.",
    ),
    zh_tw=Explained(
        "你把各張量的範數直接相加。",
        "[3] 和 [4] 合起來的範數是 5，不是 7：範數要用平方相加。範數的範數是什麼？",
        hint="先平方再相加，最後開根號。",
    ),
)


def _in_one_float32(grads):
    total = torch.zeros(1)
    for g in grads:
        total += g.square().sum()
    return total.sqrt().item()


mistaken(
    "float32-norm",
    clipped(norm=_in_one_float32),
    each(shrunk, norm=lambda grads: float(sum(g.float().pow(2).sum() for g in grads)) ** 0.5),
    en=Explained(
        "You add the squares up in float32.",
        "float64 gradients lose half their digits in it, and beyond 1e19 their squares are infinite: a norm that is not finite, and nothing is clipped. `torch.zeros(1)` and `.float()` are float32; compute in the dtype of the gradients, or in Python's numbers.",
        hint="What is the dtype of the number to which you add? What is your norm of the float64 gradient [3e30]?",
    ),
    zh_tw=Explained(
        "你用 float32 加總平方。",
        "float64 的梯度會丟掉一半的位數，超過 1e19 時平方就是無限大：範數不是有限的數，於是什麼都沒裁剪。`torch.zeros(1)` 和 `.float()` 都是 float32；要用梯度的 dtype 計算，或用 Python 的數。",
        hint="你累加的那個數是什麼 dtype？float64 的梯度 [3e30]，你的範數是多少？",
    ),
)


def _of_parameters(ref, params, max_norm):
    refuse(not max_norm >= 0)
    params = list(params)
    n = also_norm_of([p.detach() for p in params])
    for p in params:
        if p.grad is not None and n > max_norm:
            p.grad.mul_(max_norm / n)
    return n


def _of_parameters_too(ref, params, max_norm):
    refuse(not max_norm >= 0)
    held = [*params]
    n = torch.cat([p.detach().double().flatten() for p in held]).norm().item()
    for p in held:
        p.grad = p.grad if p.grad is None or n <= max_norm else p.grad * (max_norm / n)
    return n


mistaken(
    "norm-of-the-parameters",
    _of_parameters,
    _of_parameters_too,
    en=Explained(
        "You take the norm of the parameters.",
        "What is clipped are the gradients, and the norm is theirs: p.grad, not p.",
        hint="Which tensors do you square?",
    ),
    zh_tw=Explained(
        "你算的是參數的範數。",
        "要裁剪的是梯度，範數也是梯度的：是 p.grad，不是 p。",
        hint="你平方的是哪些張量？",
    ),
)


def _nothing_fails(grads):
    if not grads:
        raise RuntimeError("stack expects a non-empty TensorList")
    return also_norm_of(grads)


mistaken(
    "no-gradient-fails",
    clipped(norm=lambda grads: torch.stack([torch.linalg.vector_norm(g.double()) for g in grads]).norm().item()),
    each(shrunk, norm=_nothing_fails),
    en=Explained(
        "Where no parameter has a gradient you fail.",
        "stack, cat and max do not accept an empty list. The sum of no squares is 0, and so is its root.",
        hint="Call it before any backward.",
    ),
    zh_tw=Explained(
        "沒有任何參數有梯度時，你的程式出錯。",
        "stack、cat、max 不接受空串列。沒有平方可加，總和就是 0，平方根也是 0。",
        hint="還沒 backward 之前就呼叫它看看。",
    ),
)
