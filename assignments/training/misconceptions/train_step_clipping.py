"""What goes wrong in the exercise training.train_step where the gradients are clipped."""

from __future__ import annotations

from itertools import chain

import torch

from misconceptions.parts import clip
from misconceptions.steps import backward_each, backward_once
from misconceptions.train_step import declare


def _clipping(step, of):
    """A step that clips those parameters which `of(optimizer)` gives, and no others."""

    def function(ref, model, batches, optimizer, max_norm):
        held = of(optimizer)
        return step(clip=lambda _, most: clip(held, most))(ref, model, batches, optimizer, max_norm)

    return function


def _all_groups(optimizer):
    return [p for group in optimizer.param_groups for p in group["params"]]


def _also_all_groups(optimizer):
    return list(chain.from_iterable(group["params"] for group in optimizer.param_groups))


def _stretch(model, max_norm):
    grads = [p.grad for p in model.parameters()]
    norm = torch.cat([g.flatten() for g in grads]).norm().item()
    if max_norm != float("inf"):
        for g in grads:
            g.mul_(max_norm / norm)


def _to_infinity(p):
    p.grad *= 1e30  # however small it was, its norm is larger than any that is asked for
    return p


declare(
    "not-clipped",
    (
        "You do not clip, or not before the step.",
        "What is clipped after the step has already moved the model. One wild batch can undo what a thousand have taught.",
        "With SGD and lr = 1, how far may a step go when max_norm is 0.1?",
    ),
    (
        "你沒有裁剪，或沒有在更新之前裁剪。",
        "更新之後才裁剪，模型已經動過了。一個失控的批次就能毀掉一千個批次教會的東西。",
        "用 SGD、lr = 1、max_norm 是 0.1 時，一步最多能走多遠？",
    ),
    backward_each(clip=lambda *_: None, end=lambda model, _, max_norm=1.0: clip(list(model.parameters()), max_norm)),
    backward_once(clip=lambda *_: None),
)
declare(
    "each-micro-batch-clipped",
    (
        "You clip after each micro-batch.",
        "Then the sum so far is cut each time, and the later micro-batches weigh more than the earlier. The norm that matters is that of the whole.",
        "How often per step does your clipping run?",
    ),
    (
        "你在每個小批次之後都裁剪。",
        "這樣每次切掉的是到目前為止的總和，後面的小批次就比前面的重。要緊的是整體的範數。",
        "在一步之中，你裁剪了幾次？",
    ),
    backward_each(between_after=True),
    backward_once(fold=True),
)
declare(
    "each-parameter-clipped",
    (
        "You clip each parameter by itself.",
        "Then those with large gradients shrink and others do not: the step goes in another direction. One factor, from the norm of all together, keeps the direction.",
        "Two gradients have the norms 3 and 4, and max_norm is 2.5. What are their norms afterwards?",
    ),
    (
        "你把每個參數各自裁剪。",
        "梯度大的縮小了，其他的沒有：這一步的方向就變了。用全部合起來的範數求出一個倍率，方向才會保持。",
        "兩個梯度的範數是 3 和 4，max_norm 是 2.5。裁剪之後各是多少？",
    ),
    backward_each(clip=lambda model, max_norm: [clip([p], max_norm) for p in model.parameters()]),
    backward_once(
        clip=lambda model, max_norm: [
            p.grad.mul_(min(1.0, max_norm / (p.grad.norm().item() or 1.0))) for p in model.parameters()
        ]
    ),
)
declare(
    "first-group-clipped",
    (
        "You clip the first group of the optimizer only.",
        "An optimizer has a group for what decays and one for what does not. Their gradients have one norm together and get one factor; clipped alone, the matrices shrink and the biases do not.",
        "How many groups does the optimizer have? Whose gradients does your norm count?",
    ),
    (
        "你只裁剪了最佳化器的第一組。",
        "最佳化器有一組要衰減的，也有一組不衰減的。它們的梯度合起來是一個範數，乘上同一個倍率；只裁剪一組，矩陣縮小了，偏值卻沒有。",
        "最佳化器有幾組？你的範數算進了哪些梯度？",
    ),
    _clipping(backward_each, lambda optimizer: list(optimizer.param_groups[0]["params"])),
    _clipping(backward_once, lambda optimizer: [*optimizer.param_groups[0]["params"]]),
)
declare(
    "optimizers-parameters-clipped",
    (
        "You clip what the optimizer moves, and not the model.",
        "The norm is of all gradients of the model. Where an optimizer moves a part of it, the norm of that part is smaller than the whole, and the step longer than was allowed.",
        "Whose parameters do you hand to clip_gradients?",
    ),
    (
        "你裁剪的是最佳化器要移動的參數，而不是整個模型的。",
        "範數是模型所有梯度的範數。最佳化器只移動一部分時，那一部分的範數比整體小，這一步就走得比允許的遠。",
        "你交給 clip_gradients 的是誰的參數？",
    ),
    _clipping(backward_each, _all_groups),
    _clipping(backward_once, _also_all_groups),
)
declare(
    "clipped-by-value",
    (
        "You cut off each entry of the gradients at max_norm.",
        "That bounds each entry and not the norm, and bends the direction. The norm is one number for all entries.",
        "The gradient is [3, 4], and max_norm is 2.5. What is left of it?",
    ),
    (
        "你把梯度的每個元素截到 max_norm。",
        "這限制的是每個元素，不是範數，而且方向會歪掉。範數是所有元素合起來的一個數。",
        "梯度是 [3, 4]，max_norm 是 2.5。裁剪後剩下多少？",
    ),
    backward_each(clip=lambda model, max_norm: [p.grad.clamp_(-max_norm, max_norm) for p in model.parameters()]),
    backward_once(
        clip=lambda model, c: [
            p.grad.copy_(p.grad.sign() * p.grad.abs().minimum(torch.tensor(c).to(p.grad))) for p in model.parameters()
        ]
    ),
)
declare(
    "always-scaled",
    (
        "You bring the gradients to max_norm even where they are smaller.",
        "max_norm is the most that a norm may be. Near the goal gradients are small, and a step that is stretched runs past it.",
        "The norm is 0.5, and max_norm is 100. By what do you multiply?",
    ),
    (
        "梯度比較小時，你也把它放大到 max_norm。",
        "max_norm 是範數的上限。接近目標時梯度本來就小，把步伐拉長就會衝過頭。",
        "範數是 0.5，max_norm 是 100。你乘上多少？",
    ),
    backward_each(clip=_stretch),
    backward_once(clip=lambda model, c: c < float("inf") and clip([_to_infinity(p) for p in model.parameters()], c)),
)
