"""One row for everything: gradients and parameters are joined into vectors, the mean is a product with weights."""

# ruff: noqa: PTH100, PTH105, PTH120, PTH123  # files as many handle them

import io
import math
import os
import tempfile
from dataclasses import dataclass, field

import numpy as np
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
    (n,) = data.shape if data.ndim == 1 else (-1,)
    if min(batch_size, block_size, n - block_size) < 1:
        raise RuntimeError("there is no such batch")
    u = torch.rand(batch_size, generator=generator, dtype=torch.float64)
    start = (u * (n - block_size)).floor().long()
    index = torch.add(start[:, None], torch.arange(block_size)[None, :])
    return torch.take(data, index).long(), torch.take(data, index + 1).long()


def weighed(logits, targets, ignore_index=-1):
    """The loss of every position, 0 where it is ignored, and which are not."""
    if tuple(logits.shape[:-1]) != tuple(targets.shape):
        raise ValueError("the shapes do not fit")
    V = logits.shape[-1]
    mask = (targets != ignore_index).to(logits.dtype)
    safe = torch.where(targets == ignore_index, 0, targets)
    if bool(((safe < 0) | (safe >= V)).any()):
        raise ValueError("no such token")
    picked = torch.eye(V, dtype=torch.bool)[safe]
    top = logits.amax(dim=-1, keepdim=True)
    z = (logits - top).masked_fill(picked & torch.isneginf(logits), -math.inf)
    right = z.masked_fill(~picked, 0).sum(dim=-1)
    return (z.logsumexp(dim=-1) - right) * mask, mask


def cross_entropy(logits, targets, ignore_index=-1):
    losses, mask = weighed(logits, targets, ignore_index)
    if mask.sum() == 0:
        raise ValueError("nothing is kept")
    return (losses * (mask / mask.sum())).sum()


def perplexity(nll_sum, n_tokens):
    if n_tokens < 1:
        raise ValueError("no tokens")
    with np.errstate(over="ignore"):
        return float(np.exp(np.float64(nll_sum) / n_tokens))


def learning_rate(step, *, max_lr, min_lr, warmup, total):
    if min(step, warmup, total) < 0:
        raise ValueError("negative")
    if step < warmup:
        return max_lr - max_lr * (warmup - 1 - step) / warmup
    left = max(total - step, 0) / (total - warmup) if total > warmup else 0.0
    return min_lr + (max_lr - min_lr) * (1 - math.cos(math.pi * left)) / 2


def parameter_groups(model, weight_decay):
    found = {id(p): p for _, p in model.named_parameters(remove_duplicate=False)}.values()
    return [
        {"weight_decay": 0.0, "params": [p for p in found if p.dim() <= 1]},
        {"weight_decay": weight_decay, "params": [p for p in found if p.dim() > 1]},
    ]


class AdamW(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self):
        moving = [(p, group) for group in self.param_groups for p in group["params"] if p.grad is not None]
        for p, group in moving:
            (b1, b2), lr, s = group["betas"], group["lr"], self.state[p]
            t = s["t"] = s.get("t", 0) + 1
            s["both"] = torch.stack([p.grad, p.grad**2]) * torch.tensor([1 - b1, 1 - b2], dtype=p.dtype).reshape(
                2, *[1] * p.dim()
            ) + s.get("both", torch.zeros(1, dtype=p.dtype)) * torch.tensor([b1, b2], dtype=p.dtype).reshape(
                2, *[1] * p.dim()
            )
            m, v = s["both"]
            # Both corrections are in the rate, and eps is not corrected.
            rate = lr * math.sqrt(1 - b2**t) / (1 - b1**t)
            p.add_(p, alpha=-lr * group["weight_decay"])
            p.add_(-rate * m / (v.sqrt() + group["eps"]))


def clip_gradients(params, max_norm):
    if not max_norm >= 0:
        raise ValueError("a norm is not negative")
    held = [p for p in params if p.grad is not None]
    if not held:
        return 0.0
    row = torch.cat([p.grad.reshape(-1) for p in held])
    norm = float((row @ row).sqrt())
    if math.isfinite(norm) and norm > max_norm:
        row = row * (max_norm / norm)
        for p, part in zip(held, row.split([p.numel() for p in held]), strict=True):
            p.grad = part.reshape(p.shape)
    return norm


def train_step(model, batches, optimizer, max_norm):
    batches = tuple(batches)
    n = sum(int(torch.count_nonzero(y + 1)) for _, y in batches)
    if n == 0:
        raise ValueError("nothing is kept")
    params = list(model.parameters())
    total, found = 0.0, [None] * len(params)
    for x, y in batches:
        logits, _ = model(x)
        loss = weighed(logits, y)[0].sum() / n
        grads = torch.autograd.grad(loss, params, allow_unused=True)
        found = [g if old is None else old if g is None else old + g for old, g in zip(found, grads, strict=True)]
        total = total + loss.detach()
    for p, g in zip(params, found, strict=True):
        p.grad = g
    clip_gradients(params, max_norm)
    optimizer.step()
    optimizer.zero_grad()
    return float(total)


def evaluate(model, batches):
    modes = {m: m.training for m in model.modules()}
    model.eval()
    try:
        with torch.no_grad():
            sums = [tuple(each.sum().double() for each in weighed(model(x)[0], y)) for x, y in batches]
    finally:
        for m, mode in modes.items():
            m.training = mode
    total, n = map(sum, zip(*sums, strict=True)) if sums else (0.0, 0)
    if n == 0:
        raise ValueError("nothing is kept")
    return float(total / n)


def train(model, train_data, val_data, config, generator):
    B, T = config.batch_size, config.block_size
    copy = torch.Generator()
    copy.set_state(generator.get_state())
    val = [get_batch(val_data, B, T, copy) for _ in range(config.eval_batches)]
    optimizer = AdamW(parameter_groups(model, config.weight_decay), betas=config.betas, eps=config.eps)
    history = History()
    model.train()
    for step in range(config.steps):
        lr = learning_rate(step, max_lr=config.max_lr, min_lr=config.min_lr, warmup=config.warmup, total=config.steps)
        for group in optimizer.param_groups:
            group.update(lr=lr)
        batches = (get_batch(train_data, B, T, generator) for _ in range(config.accumulate))
        loss = train_step(model, batches, optimizer, config.max_norm)
        if step % config.log_every == 0 or step == config.steps - 1:
            val_loss = evaluate(model, val)
            numbers = {"step": step, "loss": loss, "val_loss": val_loss, "learning_rate": lr}
            numbers["perplexity"] = perplexity(val_loss * 10, 10)
            for name, value in numbers.items():
                getattr(history, name).append(value)
    return history


def save_checkpoint(path, model, optimizer, generator, step):
    buffer = io.BytesIO()
    parts = {"parameters": model.state_dict(), "moments": optimizer.state_dict(), "steps": step}
    torch.save(parts | {"draws": (generator.get_state(), torch.get_rng_state())}, buffer)
    folder = os.path.dirname(os.path.abspath(path))
    descriptor, temporary = tempfile.mkstemp(dir=folder)
    with os.fdopen(descriptor, "wb") as file:
        file.write(buffer.getvalue())
    os.replace(temporary, path)


def load_checkpoint(path, model, optimizer, generator):
    with open(path, "rb") as file:
        parts = torch.load(io.BytesIO(file.read()), weights_only=True)
    model.load_state_dict(parts["parameters"])
    optimizer.load_state_dict(parts["moments"])
    for setter, state in zip((generator.set_state, torch.set_rng_state), parts["draws"], strict=True):
        setter(state)
    return parts["steps"]


def plot_history(history):
    import matplotlib as mpl  # noqa: PLC0415  # as a student may

    mpl.use("Agg")
    from matplotlib import pyplot as plt  # noqa: PLC0415  # likewise

    figure = plt.figure(figsize=(6, 6))
    top, bottom = figure.add_subplot(2, 1, 1), figure.add_subplot(2, 1, 2)
    top.plot(history.step, history.loss, history.step, history.val_loss)
    top.legend(["training loss", "validation loss"])
    top.set_title("How the loss fell")
    top.set_ylabel("loss in nats per token")
    bottom.plot(history.step, history.perplexity)
    bottom.set_title("Perplexity of the validation data")
    bottom.set_ylabel("perplexity in tokens")
    for axes in (top, bottom):
        axes.set_xlabel("optimizer step")
    return figure
