"""Everything is folded: sums by reduce, the log-sum-exp pair by pair, loops as generators of what comes next."""

# ruff: noqa: PTH123  # files as many handle them

import math
import os
import shutil
from dataclasses import asdict, dataclass, field
from functools import reduce
from itertools import islice

import torch


@dataclass(frozen=True)
class TrainConfig:
    steps: int
    batch_size: int
    block_size: int
    max_lr: float = 1e-3
    min_lr: float = 1e-4
    warmup: int = 0
    weight_decay: float = 0.1
    betas: tuple[float, float] = (0.9, 0.95)
    eps: float = 1e-8
    max_norm: float = 1.0
    log_every: int = 10
    eval_batches: int = 1
    accumulate: int = 1

    def __post_init__(self):
        counts = (self.batch_size, self.block_size, self.log_every, self.eval_batches, self.accumulate)
        if min(counts) < 1 or min(self.steps, self.warmup) < 0:
            raise ValueError("sizes and counts are at least 1, steps and warmup at least 0")


@dataclass
class History:
    step: list[int] = field(default_factory=list)
    loss: list[float] = field(default_factory=list)
    val_loss: list[float] = field(default_factory=list)
    perplexity: list[float] = field(default_factory=list)
    learning_rate: list[float] = field(default_factory=list)


def get_batch(data, batch_size, block_size, generator):
    if data.ndim != 1 or batch_size < 1 or block_size < 1:
        raise ValueError("no such batch")
    n = data.shape[0] - block_size
    if n < 1:
        raise ValueError("the data are too short")
    start = torch.empty(batch_size, dtype=torch.int64).random_(0, n, generator=generator)
    columns = [data[start + t].to(torch.int64) for t in range(block_size + 1)]
    return torch.stack(columns[:-1], dim=1), torch.stack(columns[1:], dim=1)


def all_losses(logits, targets, ignore_index=-1):
    if logits.shape[:-1] != targets.shape:
        raise ValueError("the shapes do not fit")
    V = logits.shape[-1]
    known = (targets >= 0) & (targets < V)
    keep = targets != ignore_index
    if bool((keep & ~known).any()):
        raise ValueError("no such token")
    right = logits[keep].gather(-1, targets[keep].unsqueeze(-1)).squeeze(-1)
    differences = logits[keep] - right.unsqueeze(-1)  # the right logit becomes 0
    return reduce(torch.logaddexp, differences.unbind(dim=-1))


def cross_entropy(logits, targets, ignore_index=-1):
    losses = all_losses(logits, targets, ignore_index)
    if losses.shape[0] == 0:
        raise ValueError("nothing is kept")
    return reduce(torch.add, losses.unbind()).div(losses.shape[0])


def perplexity(nll_sum, n_tokens):
    if not n_tokens > 0:
        raise ValueError("no tokens")
    return torch.exp2(torch.tensor(nll_sum / n_tokens / math.log(2), dtype=torch.float64)).item()


def learning_rate(step, *, max_lr, min_lr, warmup, total):
    if any(n < 0 for n in (step, warmup, total)):
        raise ValueError("negative")
    ramp = (lambda: max_lr * (step + 1) / warmup, step < warmup)
    floor = (lambda: min_lr, step >= total)
    curve = (
        lambda: min_lr + (max_lr - min_lr) * math.cos(math.pi / 2 * (step - warmup) / (total - warmup)) ** 2,
        True,
    )
    return next(rate for rate, holds in (ramp, floor, curve) if holds)()


def parameter_groups(model, weight_decay):
    by_decay = {}
    for p in model.parameters():
        by_decay.setdefault(weight_decay if p.ndim > 1 else 0.0, []).append(p)
    return [{"params": params, "weight_decay": decay} for decay, params in by_decay.items()]


class AdamW(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self):
        for group, p in [(each, p) for each in self.param_groups for p in each["params"]]:
            if p.grad is not None:
                p.add_(self._change(p, p.grad, group))

    def _change(self, p, g, group):
        s, (b1, b2) = self.state[p], group["betas"]
        # The means are kept corrected: what they forget is what makes the shares sum to 1.
        seen1, seen2 = (s.get(name, 0.0) for name in ("seen1", "seen2"))
        s["seen1"], s["seen2"] = b1 * seen1 + 1, b2 * seen2 + 1
        s["m"] = s.get("m", 0 * g) + (g - s.get("m", 0 * g)) / s["seen1"]
        s["v"] = s.get("v", 0 * g) + (g.square() - s.get("v", 0 * g)) / s["seen2"]
        return -group["lr"] * (s["m"] / (s["v"].sqrt() + group["eps"]) + group["weight_decay"] * p)


def clip_gradients(params, max_norm):
    if max_norm < 0:
        raise ValueError("negative")
    held = [p for p in params if p.grad is not None]
    norm = reduce(torch.hypot, (p.grad.norm() for p in held), torch.zeros(())).item()
    factor = max_norm / norm if norm and math.isfinite(norm) and norm > max_norm else None
    for p in held:
        p.grad = p.grad if factor is None else p.grad * factor
    return norm


def train_step(model, batches, optimizer, max_norm):
    batches = list(batches)
    counts = [(y != -1).sum().item() for _, y in batches]
    if sum(counts) == 0:
        raise ValueError("nothing is kept")
    model.zero_grad()
    means = []
    for (x, y), n in zip(batches, counts, strict=True):
        if n == 0:
            continue
        mean = cross_entropy(model(x)[0], y)
        (mean * n).backward()
        means.append(mean.item() * n)
    for p in model.parameters():
        if p.grad is not None:
            p.grad /= sum(counts)
    clip_gradients(model.parameters(), max_norm)
    optimizer.step()
    return sum(means) / sum(counts)


@torch.no_grad()
def evaluate(model, batches):
    def switch(module, modes):
        module.training = next(modes)
        return module

    modes = [module.training for module in model.modules()]
    for module in model.modules():
        module.training = False
    try:
        losses = [loss for x, y in batches for loss in all_losses(model(x)[0], y).tolist()]
    finally:
        back = iter(modes)
        for module in model.modules():
            switch(module, back)
    if not losses:
        raise ValueError("nothing is kept")
    return math.fsum(losses) / len(losses)


def endless(data, config, generator):
    while True:
        yield get_batch(data, config.batch_size, config.block_size, generator)


def train(model, train_data, val_data, config, generator):
    aside = torch.Generator().set_state(generator.get_state())
    val = list(islice(endless(val_data, config, aside), config.eval_batches))
    stream = endless(train_data, config, generator)
    numbers = asdict(config)
    optimizer = AdamW(parameter_groups(model, config.weight_decay), 0.0, config.betas, config.eps, config.weight_decay)
    history = History()
    columns = (history.step, history.loss, history.val_loss, history.perplexity, history.learning_rate)
    model.train()
    for step in range(config.steps):
        how = {name: numbers[name] for name in ("max_lr", "min_lr", "warmup")}
        lr = learning_rate(step, total=config.steps, **how)
        for group in optimizer.param_groups:
            group["lr"] = lr
        loss = train_step(model, islice(stream, config.accumulate), optimizer, config.max_norm)
        if (step + 1 == config.steps) or not (step % config.log_every):
            val_loss = evaluate(model, val)
            for column, value in zip(columns, (step, loss, val_loss, perplexity(val_loss, 1), lr), strict=True):
                column.append(value)
    return history


PARTS = ("model", "optimizer", "generator")


def save_checkpoint(path, model, optimizer, generator, step):
    takers = (model.state_dict, optimizer.state_dict, generator.get_state)
    everything = dict(zip(PARTS, (take() for take in takers), strict=True), step=step, everyone=torch.get_rng_state())
    part = os.fspath(path) + ".new"
    with open(part, "wb") as file:
        torch.save(everything, file)
        file.flush()
        os.fsync(file.fileno())
    shutil.move(part, path)


def load_checkpoint(path, model, optimizer, generator):
    with open(path, "rb") as file:
        everything = torch.load(file, weights_only=True)
    for set_, name in zip((model.load_state_dict, optimizer.load_state_dict, generator.set_state), PARTS, strict=True):
        set_(everything[name])
    torch.set_rng_state(everything["everyone"])
    return everything["step"]


def plot_history(history):
    from matplotlib import pyplot as plt  # noqa: PLC0415  # as a student may

    figure, axes = plt.subplots(nrows=2, constrained_layout=True)
    x = history.step
    panels = [
        ("Training and validation", "loss (nats/token)", {"training": history.loss, "validation": history.val_loss}),
        ("Validation", "perplexity (tokens)", {"validation": history.perplexity}),
    ]
    for ax, (title, label, curves) in zip(axes, panels, strict=True):
        for name, y in curves.items():
            ax.plot(x, y, label=name)
        ax.set(title=title, ylabel=label, xlabel="step")
        ax.legend()
    plt.close(figure)
    return figure
