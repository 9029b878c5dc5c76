"""What the mistakes of AdamW share: the right optimizer in two styles, of which a part may be replaced."""

from __future__ import annotations

import torch


class Stepper(torch.optim.Optimizer):
    """Moves each parameter that has a gradient by `rule(p, g, state, group)`."""

    def __init__(self, rule, params, numbers):
        super().__init__(params, numbers)
        self.rule = rule

    def step(self):
        with torch.no_grad():
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is not None:
                        self.rule(p, p.grad, self.state[p], group)


def made(rule, kind=Stepper):
    """What makes an optimizer by a rule, in the place of the reference's class."""

    def make(ref, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        return kind(rule, params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})

    return make


# --- Two means that forget, as they are written ---------------------------------------------------------------------


def running(**parts):
    """A rule that keeps two running means. `parts` replaces some of those in `_RUNNING`."""
    at = _RUNNING | parts

    def rule(p, g, s, group):
        lr, (b1, b2), wd = group["lr"], group["betas"], group["weight_decay"]
        if not s:
            s.update(t=0, m=torch.zeros_like(p), v=torch.zeros_like(p))
        s["t"] += 1
        g = at["gradient"](g, p, wd)
        s["m"], s["v"] = at["first"](s["m"], g, b1), at["second"](s["v"], g, b2)
        m, v = at["corrected"](s["m"], s["v"], b1, b2, s["t"])
        p.mul_(at["kept"](lr, wd))
        p.sub_(at["move"](lr, m, v, group["eps"]))

    return rule


_RUNNING = {
    "gradient": lambda g, p, wd: g,
    "first": lambda m, g, b: b * m + (1 - b) * g,
    "second": lambda v, g, b: b * v + (1 - b) * g * g,
    "corrected": lambda m, v, b1, b2, t: (m / (1 - b1**t), v / (1 - b2**t)),
    "kept": lambda lr, wd: 1 - lr * wd,
    "move": lambda lr, m, v, eps: lr * m / (v.sqrt() + eps),
}


# --- All gradients kept, and two weighted means of them ---------------------------------------------------------------


def weighted(xs, b):
    """The mean of all x so far, each later one 1 / b times as heavy as that before it."""
    shares = [b**age for age in reversed(range(len(xs)))]
    return sum(share * x for share, x in zip(shares, xs, strict=True)) / sum(shares)


def fading(xs, b):
    """The same over what the shares would sum to in the end, not over their sum."""
    return sum((1 - b) * b**age * x for age, x in enumerate(reversed(xs)))


def remembered(**parts):
    """A rule that keeps all gradients. `parts` replaces some of those in `_REMEMBERED`."""
    at = _REMEMBERED | parts

    def rule(p, g, s, group):
        lr, (b1, b2), wd = group["lr"], group["betas"], group["weight_decay"]
        s["seen"] = [*s.get("seen", []), at["gradient"](g.clone(), p, wd)]
        m, v = at["first"](s["seen"], b1), at["second"](s["seen"], b2)
        step = at["move"](lr, m, v, group["eps"])
        p.copy_(p - at["pull"](lr, wd) * p - step)

    return rule


_REMEMBERED = {
    "gradient": lambda g, p, wd: g,
    "first": weighted,
    "second": lambda seen, b: weighted([g.square() for g in seen], b),
    "pull": lambda lr, wd: lr * wd,
    "move": lambda lr, m, v, eps: lr * (m / (v**0.5 + eps)),
}
