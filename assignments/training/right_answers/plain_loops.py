"""Loops and plain numbers wherever they do."""

# ruff: noqa: PTH105  # files as many handle them

import math
import os
from dataclasses import dataclass, field

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
    if data.ndim != 1:
        raise ValueError("tokens have one axis")
    if batch_size < 1 or block_size < 1 or len(data) < block_size + 1:
        raise ValueError("no such batch")
    x, y = [], []
    for _ in range(batch_size):
        i = torch.randint(0, len(data) - block_size, (), generator=generator).item()
        x.append(data[i : i + block_size])
        y.append(data[i + 1 : i + 1 + block_size])
    return torch.stack(x).to(torch.int64), torch.stack(y).to(torch.int64)


def nll_of(row, t):
    top = max(row.tolist())
    return torch.log(sum(torch.exp(x - top) for x in row)) - (row[t] - top)


def kept(logits, targets, ignore_index=-1):
    if logits.shape[:-1] != targets.shape:
        raise ValueError("the shapes do not fit")
    found = []
    for row, t in zip(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1).tolist(), strict=True):
        if t == ignore_index:
            continue
        if not 0 <= t < len(row):
            raise IndexError(f"no token {t}")
        found.append(nll_of(row, t))
    return found


def cross_entropy(logits, targets, ignore_index=-1):
    found = kept(logits, targets, ignore_index)
    if not found:
        raise ValueError("nothing to take the mean of")
    return sum(found) / len(found)


def perplexity(nll_sum, n_tokens):
    if n_tokens <= 0:
        raise ValueError("no tokens")
    try:
        return math.exp(nll_sum / n_tokens)
    except OverflowError:
        return math.inf


def learning_rate(step, *, max_lr, min_lr, warmup, total):
    for number in (step, warmup, total):
        if number < 0:
            raise ValueError("negative")
    if step < warmup:
        return (step + 1) / warmup * max_lr
    if step >= total:
        return min_lr
    angle = math.pi * (step - warmup) / (total - warmup)
    return (max_lr + min_lr) / 2 + (max_lr - min_lr) / 2 * math.cos(angle)


def parameter_groups(model, weight_decay):
    matrices, others = [], []
    for p in model.parameters():
        if len(p.shape) > 1:
            matrices.append(p)
        else:
            others.append(p)
    return [{"params": matrices, "weight_decay": weight_decay}, {"params": others, "weight_decay": 0.0}]


class AdamW(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                    state["exp_avg"] = torch.zeros_like(p)
                    state["exp_avg_sq"] = torch.zeros_like(p)
                state["step"] += 1
                state["exp_avg"] = beta1 * state["exp_avg"] + (1 - beta1) * p.grad
                state["exp_avg_sq"] = beta2 * state["exp_avg_sq"] + (1 - beta2) * p.grad**2
                m_hat = state["exp_avg"] / (1 - beta1 ** state["step"])
                v_hat = state["exp_avg_sq"] / (1 - beta2 ** state["step"])
                p.sub_(group["lr"] * (m_hat / (torch.sqrt(v_hat) + group["eps"]) + group["weight_decay"] * p))


def clip_gradients(params, max_norm):
    if max_norm < 0:
        raise ValueError("negative")
    grads = [p.grad for p in params if p.grad is not None]
    total = 0.0
    for g in grads:
        total += (g**2).sum().item()
    norm = math.sqrt(total)
    if norm > max_norm and norm != math.inf:
        for g in grads:
            g.mul_(max_norm / norm)
    return norm


def train_step(model, batches, optimizer, max_norm):
    batches = [(x, y) for x, y in batches]
    n = 0
    for _, y in batches:
        n += (y != -1).sum().item()
    if n == 0:
        raise ValueError("nothing to learn from")
    optimizer.zero_grad()
    total = 0.0
    for x, y in batches:
        losses = kept(model(x)[0], y)
        if losses:
            (sum(losses) / n).backward()
            total += sum(loss.item() for loss in losses)
    clip_gradients(list(model.parameters()), max_norm)
    optimizer.step()
    return total / n


def evaluate(model, batches):
    before = [(m, m.training) for m in model.modules()]
    model.eval()
    try:
        total, n = 0.0, 0
        with torch.no_grad():
            for x, y in batches:
                for loss in kept(model(x)[0], y):
                    total += loss.item()
                    n += 1
    finally:
        for m, training in before:
            m.training = training
    if n == 0:
        raise ValueError("nothing to measure")
    return total / n


def train(model, train_data, val_data, config, generator):
    history = History()
    other = torch.Generator()
    other.set_state(generator.get_state())
    sizes = (config.batch_size, config.block_size)
    val = [get_batch(val_data, *sizes, other) for _ in range(config.eval_batches)]
    optimizer = AdamW(parameter_groups(model, config.weight_decay), config.max_lr, config.betas, config.eps)
    model.train()
    for step in range(config.steps):
        lr = learning_rate(step, max_lr=config.max_lr, min_lr=config.min_lr, warmup=config.warmup, total=config.steps)
        for group in optimizer.param_groups:
            group["lr"] = lr
        batches = [get_batch(train_data, *sizes, generator) for _ in range(config.accumulate)]
        loss = train_step(model, batches, optimizer, config.max_norm)
        if step % config.log_every == 0 or step + 1 == config.steps:
            val_loss = evaluate(model, val)
            history.step.append(step)
            history.loss.append(loss)
            history.val_loss.append(val_loss)
            history.perplexity.append(perplexity(val_loss, 1))
            history.learning_rate.append(lr)
    return history


def save_checkpoint(path, model, optimizer, generator, step):
    state = {}
    state["model"] = model.state_dict()
    state["optimizer"] = optimizer.state_dict()
    state["generator"] = generator.get_state()
    state["torch"] = torch.get_rng_state()
    state["step"] = step
    temporary = str(path) + ".tmp"
    torch.save(state, temporary)
    os.replace(temporary, path)


def load_checkpoint(path, model, optimizer, generator):
    state = torch.load(path, weights_only=True)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    generator.set_state(state["generator"])
    torch.set_rng_state(state["torch"])
    return state["step"]


def plot_history(history):
    import matplotlib.pyplot as plt  # noqa: PLC0415  # as a student may

    fig, (left, right) = plt.subplots(1, 2)
    left.plot(history.step, history.loss, label="training")
    left.plot(history.step, history.val_loss, label="validation")
    left.set_xlabel("step")
    left.set_ylabel("loss [nats per token]")
    left.set_title("Loss")
    left.legend()
    right.plot(history.step, history.perplexity)
    right.set_xlabel("step")
    right.set_ylabel("perplexity [tokens]")
    right.set_title("Perplexity")
    return fig
