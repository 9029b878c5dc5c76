"""The gradient of the loss by hand, and small classes for what others do with loops."""

import copy
import math
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path

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


class Windows(torch.utils.data.Dataset):
    def __init__(self, data, T):
        if data.dim() != 1:
            raise ValueError("tokens have one axis")
        self.data, self.T = data, T

    def __len__(self):
        return max(len(self.data) - self.T, 0)

    def __getitem__(self, i):
        window = self.data[i : i + self.T + 1].to(torch.long)
        return window[:-1], window[1:]


def get_batch(data, batch_size, block_size, generator):
    windows = Windows(data, block_size)
    if batch_size < 1 or block_size < 1 or not len(windows):
        raise ValueError("no such batch")
    sampler = torch.randint(high=len(windows), size=[batch_size], generator=generator)
    return tuple(map(torch.stack, zip(*(windows[i] for i in sampler.tolist()), strict=True)))


class Likelihood(torch.autograd.Function):
    """The sum of losses of rows, and the number of rows."""

    @staticmethod
    def forward(ctx, rows, right):
        top, _ = rows.max(dim=1)
        powers = torch.exp(rows - top[:, None])
        total = powers.sum(dim=1)
        ctx.save_for_backward(powers / total[:, None], right)
        index = torch.arange(len(rows))
        return (torch.log(total) + (top - rows[index, right])).sum()

    @staticmethod
    def backward(ctx, g):
        p, right = ctx.saved_tensors
        d = p.clone()
        d[torch.arange(len(p)), right] -= 1
        return g * d, None


def summed(logits, targets, ignore_index=-1):
    if logits.size()[:-1] != targets.size():
        raise ValueError("the shapes do not fit")
    V = logits.size(-1)
    rows, right = logits.reshape(-1, V), targets.reshape(-1)
    places = torch.nonzero(right != ignore_index)[:, 0]
    rows, right = rows.index_select(0, places), right.index_select(0, places)
    if not all(t in range(V) for t in right.tolist()):
        raise ValueError("no such token")
    return (Likelihood.apply(rows, right) if len(places) else logits.sum() * 0), len(places)


def cross_entropy(logits, targets, ignore_index=-1):
    total, n = summed(logits, targets, ignore_index)
    if n < 1:
        raise ValueError("nothing is kept")
    return total / n


def perplexity(nll_sum, n_tokens):
    if n_tokens < 1:
        raise ValueError("no tokens")
    mean = nll_sum / n_tokens
    return math.exp(mean) if mean < 709 else float("inf")


@dataclass
class Schedule:
    max_lr: float
    min_lr: float
    warmup: int
    total: int

    def __call__(self, step):
        if min(step, self.warmup, self.total) < 0:
            raise ValueError("negative")
        if step in range(self.warmup):
            return self.max_lr * ((step + 1) / self.warmup)
        if step in range(self.warmup, self.total):
            half = (self.max_lr - self.min_lr) / 2
            return self.min_lr + half + half * math.cos((step - self.warmup) * math.pi / (self.total - self.warmup))
        return self.min_lr


def learning_rate(step, *, max_lr, min_lr, warmup, total):
    return Schedule(max_lr, min_lr, warmup, total)(step)


def parameter_groups(model, weight_decay):
    seen, groups = set(), {True: [], False: []}
    for module in model.modules():
        for p in module.parameters(recurse=False):
            if p not in seen:
                seen.add(p)
                groups[p.dim() >= 2].append(p)
    return [{"params": groups[big], "weight_decay": weight_decay * big} for big in (True, False)]


class Mean:
    """What a mean that forgets is after its bias is corrected."""

    def __init__(self, state, name, like):
        self.state, self.name = state, name
        state.setdefault(name, torch.zeros_like(like))

    def take(self, x, beta, t):
        self.state[self.name] += (1 - beta) * (x - self.state[self.name])
        return self.state[self.name] / (1 - beta**t)


class AdamW(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})

    def step(self):
        for group in self.param_groups:
            for p in filter(lambda p: p.grad is not None, group["params"]):
                self._move(p, p.grad.detach(), self.state[p], **group)

    def _move(self, p, g, s, *, lr, betas, eps, weight_decay, **_):
        s["t"] = 1 + s.get("t", 0)
        m = Mean(s, "gradients", p.data).take(g, betas[0], s["t"])
        v = Mean(s, "squares", p.data).take(g * g, betas[1], s["t"])
        p.data.copy_(p.data - lr * weight_decay * p.data - lr * (m / (v**0.5 + eps)))


def clip_gradients(params, max_norm):
    if max_norm < 0:
        raise ValueError("negative")
    grads = [p.grad for p in params]
    grads = [g for g in grads if g is not None]
    norm = math.sqrt(sum(torch.sum(g.double() * g.double()).item() for g in grads))
    scale = min(1.0, max_norm / norm) if 0 < norm < math.inf else 1.0
    for g in grads if scale < 1 else []:
        g.copy_(g * scale)
    return norm


def train_step(model, batches, optimizer, max_norm):
    batches = list(batches)
    n = sum(int(y.ne(-1).sum()) for _, y in batches)
    if n < 1:
        raise ValueError("nothing is kept")
    for p in model.parameters():
        p.grad = None
    total = 0.0
    for x, y in batches:
        part, kept = summed(model(x)[0], y)
        if kept:
            part.backward(torch.full_like(part, 1 / n))
            total += part.item()
    clip_gradients(model.parameters(), max_norm)
    optimizer.step()
    return total / n


@contextmanager
def evaluation(model):
    modes = [module.training for module in model.modules()]
    with torch.no_grad():
        try:
            yield model.eval()
        finally:
            for module, mode in zip(model.modules(), modes, strict=True):
                module.training = mode


def evaluate(model, batches):
    total = n = 0
    with evaluation(model):
        for x, y in batches:
            part, kept = summed(model(x)[0], y)
            total, n = total + part.item(), n + kept
    if not n:
        raise ValueError("nothing is kept")
    return total / n


class Trainer:
    def __init__(self, model, train_data, val_data, config, generator):
        self.model, self.data, self.config, self.generator = model, train_data, config, generator
        names = {f.name for f in fields(Schedule)} & {f.name for f in fields(config)}
        self.rate = Schedule(total=config.steps, **{name: getattr(config, name) for name in names})
        self.val = self.batches(val_data, config.eval_batches, copy.deepcopy(generator.get_state()))
        groups = parameter_groups(model, config.weight_decay)
        self.optimizer = AdamW(groups, lr=config.max_lr, betas=config.betas, eps=config.eps)
        self.history = History()

    def batches(self, data, n, state=None):
        g = self.generator if state is None else torch.Generator().set_state(state)
        return [get_batch(data, self.config.batch_size, self.config.block_size, g) for _ in range(n)]

    def one(self, step):
        lr = self.rate(step)
        for group in self.optimizer.param_groups:
            group["lr"] = lr
        batches = self.batches(self.data, self.config.accumulate)
        loss = train_step(self.model, batches, self.optimizer, self.config.max_norm)
        if step % self.config.log_every == 0 or step == self.config.steps - 1:
            val_loss = evaluate(self.model, self.val)
            self.history.step += [step]
            self.history.loss += [loss]
            self.history.val_loss += [val_loss]
            self.history.perplexity += [perplexity(val_loss, 1)]
            self.history.learning_rate += [lr]

    def run(self):
        self.model.train()
        for step in range(self.config.steps):
            self.one(step)
        return self.history


def train(model, train_data, val_data, config, generator):
    return Trainer(model, train_data, val_data, config, generator).run()


def save_checkpoint(path, model, optimizer, generator, step):
    path = Path(path)
    held = [model, optimizer]
    state = {str(i): each.state_dict() for i, each in enumerate(held)}
    state |= {"step": torch.tensor(step), "generator": generator.get_state(), "torch": torch.get_rng_state()}
    draft = path.with_suffix(".draft")
    torch.save(state, draft)
    draft.replace(path)


def load_checkpoint(path, model, optimizer, generator):
    state = torch.load(path, weights_only=True, map_location="cpu")
    for i, each in enumerate([model, optimizer]):
        each.load_state_dict(state[str(i)])
    generator.set_state(state["generator"])
    torch.set_rng_state(state["torch"])
    return state["step"].item()


class Panel:
    def __init__(self, axes, title, label):
        self.axes = axes
        axes.set_title(title)
        axes.set_xlabel("step")
        axes.set_ylabel(label)

    def curve(self, x, y, name):
        self.axes.plot(x, y, label=name)
        self.axes.legend()


def plot_history(history):
    import matplotlib.figure  # noqa: PLC0415  # as a student may

    figure = matplotlib.figure.Figure()
    first = Panel(figure.add_subplot(121), "Loss", "loss (nats per token)")
    first.curve(history.step, history.loss, "training")
    first.curve(history.step, history.val_loss, "validation")
    Panel(figure.add_subplot(122), "Perplexity", "perplexity (tokens)").curve(
        history.step, history.perplexity, "validation"
    )
    return figure
