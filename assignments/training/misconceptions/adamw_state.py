"""What goes wrong in the exercise training.adamw: groups, gradients that are None, and what is kept between steps."""

from __future__ import annotations

import torch

from grader.testing import Explained
from misconceptions.adamw import declare, mistaken
from misconceptions.optimizers import Stepper, made, remembered, running


def of_kind(slug, kind, **words):
    """Declare a mistake of the loop over the parameters, around either rule."""
    declare(slug, made(running(), kind), made(remembered(), kind), **words)


class _WithZeros(Stepper):
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    with torch.no_grad():
                        self.rule(p, torch.zeros_like(p), self.state[p], group)
        super().step()


class _WithZerosToo(torch.optim.Optimizer):
    def __init__(self, rule, params, numbers):
        super().__init__(params, numbers)
        self.rule = rule

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                self.rule(p, p * 0 if p.grad is None else p.grad, self.state[p], group)


declare(
    "none-is-zero",
    made(running(), _WithZeros),
    made(remembered(), _WithZerosToo),
    en=Explained(
        "A gradient that is None counts as 0.",
        "None means that the parameter took no part: it is left as it is. With a gradient of 0 its means fade, it drifts on by what they still hold, it decays, and its t is raised.",
        hint="What do you do with a parameter whose grad is None?",
    ),
    zh_tw=Explained(
        "你把 None 的梯度當成 0。",
        "None 表示這個參數沒有參與，要原封不動。當成 0 的話，它的平均會淡去，還會照剩下的平均繼續移動、會衰減，t 也會加一。",
        hint="grad 是 None 的參數，你怎麼處理？",
    ),
)


class _DecaysAll(Stepper):
    def step(self):
        with torch.no_grad():
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is None:
                        p.mul_(1 - group["lr"] * group["weight_decay"])
        super().step()


of_kind(
    "none-decays",
    _DecaysAll,
    en=Explained(
        "A parameter without a gradient decays.",
        "It took no part in this step, and torch leaves it as it is. A frozen layer would otherwise melt away.",
        hint="Does the decay stand before you ask whether grad is None?",
    ),
    zh_tw=Explained(
        "沒有梯度的參數也衰減了。",
        "它沒有參與這一步，torch 會原封不動。不然凍結的層會慢慢消失。",
        hint="你的衰減是不是寫在檢查 grad 是否為 None 之前？",
    ),
)


def own_numbers_lost(*names):
    """A loop in which all groups have the optimizer's own numbers for some names."""

    class Loop(Stepper):
        def step(self):
            own = {name: self.defaults[name] for name in names}
            with torch.no_grad():
                for group in self.param_groups:
                    for p in group["params"]:
                        if p.grad is not None:
                            self.rule(p, p.grad, self.state[p], {**group, **own})

    return Loop


of_kind(
    "rate-of-the-optimizer",
    own_numbers_lost("lr"),
    en=Explained(
        "You take the learning rate that the optimizer was made with.",
        "A schedule writes into the groups, and each group may have a rate of its own. What you read never changes.",
        hint="Read group['lr'] at every step.",
    ),
    zh_tw=Explained(
        "你用的是建立最佳化器時的學習率。",
        "排程會寫進各組，而且每組可以有自己的學習率。你讀到的永遠不變。",
        hint="每一步都讀 group['lr']。",
    ),
)
of_kind(
    "decay-of-the-optimizer",
    own_numbers_lost("weight_decay"),
    en=Explained(
        "You take the weight decay that the optimizer was made with.",
        "Each group may have one of its own: that is what parameter_groups makes them for.",
        hint="Read group['weight_decay'].",
    ),
    zh_tw=Explained(
        "你用的是建立最佳化器時的權重衰減。",
        "每組可以有自己的權重衰減：parameter_groups 分組就是為了這個。",
        hint="讀 group['weight_decay']。",
    ),
)


class _FirstNumbers(Stepper):
    def step(self):
        first = {name: value for name, value in self.param_groups[0].items() if name != "params"}
        with torch.no_grad():
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is not None:
                        self.rule(p, p.grad, self.state[p], first)


of_kind(
    "numbers-of-the-first-group",
    _FirstNumbers,
    en=Explained(
        "All groups move by the numbers of the first.",
        "You read them once, from param_groups[0]. What should not decay decays with the rest.",
        hint="In which loop do you read lr, betas and weight_decay?",
    ),
    zh_tw=Explained(
        "所有組都用第一組的數字。",
        "你只從 param_groups[0] 讀了一次。不該衰減的也跟著衰減了。",
        hint="lr、betas 和 weight_decay 是在哪一層迴圈裡讀的？",
    ),
)


class _FixedRates(Stepper):
    def __init__(self, rule, params, numbers):
        super().__init__(rule, params, numbers)
        self.rates = [group["lr"] for group in self.param_groups]

    def step(self):
        with torch.no_grad():
            for group, lr in zip(self.param_groups, self.rates, strict=True):
                for p in group["params"]:
                    if p.grad is not None:
                        self.rule(p, p.grad, self.state[p], {**group, "lr": lr})


of_kind(
    "rates-remembered",
    _FixedRates,
    en=Explained(
        "You keep the learning rates of the beginning.",
        "A schedule writes a new rate into each group before each step, and yours does not read it.",
        hint="When do you read group['lr']?",
    ),
    zh_tw=Explained(
        "你一直用最初的學習率。",
        "排程在每一步之前把新的學習率寫進各組，你卻沒有讀。",
        hint="你什麼時候讀 group['lr']？",
    ),
)


class _OneCount(Stepper):
    """One t for all parameters of a group, which is saved with the group."""

    def step(self):
        with torch.no_grad():
            for group in self.param_groups:
                group["t"] = group.get("t", 0) + 1
                for p in group["params"]:
                    if p.grad is not None:
                        s = self.state[p]
                        if not s:
                            s.update(m=torch.zeros_like(p), v=torch.zeros_like(p))
                        self.rule(p, p.grad, s, group)


def _counted(p, g, s, group):
    counted = {**s, "t": group["t"] - 1}
    running()(p, g, counted, group)
    s.update(m=counted["m"], v=counted["v"])


def _counted_too(p, g, s, group):
    (b1, b2), t = group["betas"], group["t"]
    s["m"] = torch.lerp(g, s["m"], b1)
    s["v"] = torch.lerp(g.square(), s["v"], b2)
    p.add_(p, alpha=-group["lr"] * group["weight_decay"])
    root = s["v"].sqrt() / (1 - b2**t) ** 0.5 + group["eps"]
    p.addcdiv_(s["m"], root, value=-group["lr"] / (1 - b1**t))


declare(
    "one-count-for-all",
    made(_counted, _OneCount),
    made(_counted_too, _OneCount),
    en=Explained(
        "All parameters share one t.",
        "t is the number of gradients that a parameter has seen, for the correction undoes the bias of its own means. One that had no gradient at first is corrected by too little.",
        hint="Where is t kept? It belongs in self.state[p].",
    ),
    zh_tw=Explained(
        "所有參數共用一個 t。",
        "t 是一個參數看過的梯度個數，因為修正要消除的是它自己的平均的偏差。一開始沒有梯度的參數，就會修正得太少。",
        hint="t 保存在哪裡？應該在 self.state[p]。",
    ),
)


class _Unsaved(Stepper):
    """What a parameter needs is kept beside the optimizer's state, and not saved with it."""

    def __init__(self, rule, params, numbers):
        super().__init__(rule, params, numbers)
        self.kept = {}

    def step(self):
        with torch.no_grad():
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is not None:
                        self.rule(p, p.grad, self.kept.setdefault(id(p), {}), group)


of_kind(
    "not-saved",
    _Unsaved,
    en=Explained(
        "What you keep between steps is not saved.",
        "state_dict holds what is in self.state and in the groups. Attributes and dicts of your own are lost, and a run that is resumed begins with empty means.",
        hint="Print optimizer.state_dict() after a step.",
    ),
    zh_tw=Explained(
        "你在各步之間保留的東西不會被存下來。",
        "state_dict 只包含 self.state 和各組的內容。你自己的屬性和字典會遺失，接續的訓練就從空的平均開始。",
        hint="走一步之後印出 optimizer.state_dict()。",
    ),
)


class _Clearing(Stepper):
    def step(self):
        super().step()
        self.zero_grad()


of_kind(
    "gradients-cleared",
    _Clearing,
    en=Explained(
        "The gradients are gone after a step.",
        "step moves parameters. Whoever wants to look at the gradients afterwards, or to go on adding to them, decides when they are dropped: zero_grad is a call of its own.",
        hint="Look for zero_grad or grad = None in step.",
    ),
    zh_tw=Explained(
        "走完一步，梯度就不見了。",
        "step 只移動參數。之後要看梯度或繼續累加的人，自己決定何時丟掉：zero_grad 是另一個呼叫。",
        hint="找找 step 裡的 zero_grad 或 grad = None。",
    ),
)


mistaken(
    "nothing-moves",
    lambda p, g, s, group: running()(p.clone(), g, s, group),
    lambda p, g, s, group: remembered()(p * 1, g, s, group),
    en=Explained(
        "No parameter moves.",
        "`p = p - ...` makes a new tensor and gives it the old one's name; the model still has the old one. Change the tensor itself: `p.sub_(...)`, `p -= ...`, `p.copy_(...)`.",
        hint="Is what you compute still the tensor of the model?",
    ),
    zh_tw=Explained(
        "沒有參數移動。",
        "`p = p - ...` 會產生新張量，再把舊的名字給它；模型手上還是舊的。要改張量本身：`p.sub_(...)`、`p -= ...`、`p.copy_(...)`。",
        hint="你算出來的，還是模型的那個張量嗎？",
    ),
)


def _widened(rule):
    def move(p, g, s, group):
        wide = p.double()
        rule(wide, g.double(), s, group)
        p.data = wide

    return move


mistaken(
    "float64",
    _widened(running()),
    _widened(remembered()),
    en=Explained(
        "float32 parameters become float64.",
        "An optimizer keeps the dtype of what it moves. One float64 tensor in a float32 model ends in an error at the next product.",
        hint="Print p.dtype before and after a step.",
    ),
    zh_tw=Explained(
        "float32 的參數變成了 float64。",
        "最佳化器要維持參數的 dtype。float32 的模型裡混進一個 float64 張量，下一次相乘就會出錯。",
        hint="走一步的前後各印一次 p.dtype。",
    ),
)
