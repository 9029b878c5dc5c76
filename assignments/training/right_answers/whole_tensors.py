"""Whole tensors and torch's own building blocks: unfold, log_softmax, lerp, and what works on lists of tensors."""

import math
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch.nn.functional import log_softmax


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
    if data.dim() != 1 or batch_size < 1 or block_size < 1 or block_size >= data.numel():
        raise ValueError(f"no batch [{batch_size}, {block_size}] in data {tuple(data.shape)}")
    windows = data.unfold(0, block_size + 1, 1)  # [N - T, T + 1]
    chosen = torch.multinomial(torch.ones(len(windows)), batch_size, replacement=True, generator=generator)
    x, y = windows[chosen].long().unfold(1, block_size, 1).unbind(dim=1)
    return x, y


def losses_of(logits, targets, ignore_index=-1):
    if logits.shape[:-1] != targets.shape:
        raise ValueError("the shapes do not fit")
    mask = targets.ne(ignore_index)
    right = targets[mask]
    if right.numel() and (right.min() < 0 or right.max() >= logits.size(-1)):
        raise ValueError("no such token")
    return -log_softmax(logits, dim=-1)[mask].gather(1, right.unsqueeze(1)).squeeze(1)


def cross_entropy(logits, targets, ignore_index=-1):
    losses = losses_of(logits, targets, ignore_index)
    if losses.numel() == 0:
        raise ValueError("all targets are ignored")
    return losses.mean()


def perplexity(nll_sum, n_tokens):
    if n_tokens < 1:
        raise ValueError("no tokens")
    return (torch.tensor(nll_sum, dtype=torch.float64) / n_tokens).exp().item()


def learning_rate(step, *, max_lr, min_lr, warmup, total):
    if step < 0 or warmup < 0 or total < 0:
        raise ValueError("steps are counted from 0")
    if warmup > step:
        return max_lr * (step + 1) / warmup
    progress = min(1.0, (step - warmup) / (total - warmup)) if total > warmup else 1.0
    return torch.lerp(
        torch.tensor(max_lr, dtype=torch.float64),
        torch.tensor(min_lr, dtype=torch.float64),
        math.sin(math.pi / 2 * progress) ** 2,
    ).item()


def parameter_groups(model, weight_decay):
    return [
        {"params": [p], "weight_decay": weight_decay if p.ndim >= 2 else 0.0} for p in dict.fromkeys(model.parameters())
    ]


class AdamW(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})

    def step(self):
        with torch.no_grad():
            for group in self.param_groups:
                self._group(group, [p for p in group["params"] if p.grad is not None])

    def _group(self, group, params):
        if not params:
            return
        b1, b2 = group["betas"]
        grads = [p.grad for p in params]
        states = [self.state[p] for p in params]
        for p, s in zip(params, states, strict=True):
            s.setdefault("t", torch.zeros(()))
            s.setdefault("m", torch.zeros_like(p))
            s.setdefault("v", torch.zeros_like(p))
        torch._foreach_add_([s["t"] for s in states], 1)
        m, v = [s["m"] for s in states], [s["v"] for s in states]
        torch._foreach_lerp_(m, grads, 1 - b1)
        torch._foreach_mul_(v, b2)
        torch._foreach_addcmul_(v, grads, grads, 1 - b2)
        torch._foreach_mul_(params, 1 - group["lr"] * group["weight_decay"])
        for p, s in zip(params, states, strict=True):
            t = int(s["t"])
            p.addcdiv_(s["m"], (s["v"] / (1 - b2**t)).sqrt_().add_(group["eps"]), value=-group["lr"] / (1 - b1**t))


def clip_gradients(params, max_norm):
    if max_norm < 0:
        raise ValueError("a norm is not negative")
    grads = [p.grad for p in params if p.grad is not None]
    if not grads:
        return 0.0
    norm = torch.linalg.vector_norm(torch.stack([g.norm() for g in grads]))
    if norm.isfinite() and norm > max_norm:
        torch._foreach_mul_(grads, (max_norm / (norm + 1e-6)).item())
    return norm.item()


def train_step(model, batches, optimizer, max_norm):
    batches = list(batches)
    counts = [y.ne(-1).sum().item() for _, y in batches]
    if not sum(counts):
        raise ValueError("all targets are ignored")
    optimizer.zero_grad(set_to_none=True)
    parts = []
    for (x, y), n in zip(batches, counts, strict=True):
        if n:
            loss = cross_entropy(model(x)[0], y) * (n / sum(counts))
            loss.backward()
            parts.append(loss.detach())
    clip_gradients(model.parameters(), max_norm)
    optimizer.step()
    return torch.stack(parts).sum().item()


def evaluate(model, batches):
    with ExitStack() as after:
        for module in model.modules():
            after.callback(setattr, module, "training", module.training)
        after.enter_context(torch.inference_mode())
        model.train(False)
        losses = [losses_of(model(x)[0], y) for x, y in batches]
        if sum(map(len, losses)) == 0:
            raise ValueError("all targets are ignored")
        return torch.cat(losses).double().mean().item()


def train(model, train_data, val_data, config, generator):
    def batches(data, n, g):
        return [get_batch(data, config.batch_size, config.block_size, g) for _ in range(n)]

    val = batches(val_data, config.eval_batches, generator.clone_state())
    optimizer = AdamW(
        parameter_groups(model, config.weight_decay), lr=config.max_lr, betas=config.betas, eps=config.eps
    )
    rates = {"max_lr": config.max_lr, "min_lr": config.min_lr, "warmup": config.warmup, "total": config.steps}
    rows = []
    model.train()
    for step in range(config.steps):
        lr = learning_rate(step, **rates)
        for group in optimizer.param_groups:
            group["lr"] = lr
        loss = train_step(model, batches(train_data, config.accumulate, generator), optimizer, config.max_norm)
        if not step % config.log_every or step == config.steps - 1:
            val_loss = evaluate(model, val)
            rows.append((step, loss, val_loss, perplexity(val_loss, 1), lr))
    return History(*map(list, zip(*rows, strict=True))) if rows else History()


def save_checkpoint(path, model, optimizer, generator, step):
    path = Path(path)
    part = path.with_name(path.name + "~")
    rng = [generator.get_state(), torch.random.get_rng_state()]
    torch.save([model.state_dict(), optimizer.state_dict(), rng, int(step)], part)
    part.rename(path)


def load_checkpoint(path, model, optimizer, generator):
    parameters, moments, (own, everyone), step = torch.load(Path(path), weights_only=True)
    model.load_state_dict(parameters, strict=True)
    optimizer.load_state_dict(moments)
    generator.set_state(own)
    torch.random.set_rng_state(everyone)
    return step


def plot_history(history):
    from matplotlib.figure import Figure  # noqa: PLC0415  # as a student may

    figure = Figure(layout="tight")
    axes = figure.subplots(2, 1, sharex=True)
    for values, label in ((history.loss, "train"), (history.val_loss, "val")):
        axes[0].plot(history.step, values, label=label, marker=".")
    axes[0].legend(loc="upper right")
    axes[0].set(title="Cross-entropy", xlabel="step", ylabel="cross-entropy loss (nats / token)")
    axes[1].semilogy(history.step, history.perplexity, "k-", label="val")
    axes[1].set(title="Validation perplexity", xlabel="step", ylabel="perplexity (tokens)")
    return figure
