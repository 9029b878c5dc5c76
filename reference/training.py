"""Training: batches, loss, AdamW, a schedule, a step over micro-batches, and a run that can be stopped and resumed.

A model is called as ``model(idx)`` and returns ``(logits, loss)``; B sequences of T tokens have logits [B, T, V]. Losses
are in nats per token, the natural logarithm. A target of -1 is ignored. Sources: Lecture 20 and Homework 11; Loshchilov
and Hutter 2019, "Decoupled Weight Decay Regularization"; Radford et al. 2019, "Language Models are Unsupervised
Multitask Learners".
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

if TYPE_CHECKING:  # matplotlib is only needed where something is drawn
    from matplotlib.figure import Figure

Batch = tuple[Tensor, Tensor]


@dataclass(frozen=True)
class TrainConfig:
    """The numbers of a training run.

    Args:
        steps: The number of optimizer steps.
        batch_size: B, the number of sequences in a micro-batch.
        block_size: T, the number of tokens in a sequence.
        max_lr: The learning rate after the warm-up.
        min_lr: The learning rate at the end.
        warmup: The number of steps of the warm-up.
        weight_decay: How strongly matrices decay.
        betas: AdamW's two rates of forgetting.
        eps: What AdamW adds to the denominator.
        max_norm: The largest norm of all gradients together; ``math.inf`` never clips.
        log_every: A step in so many is logged, from the first on; the last one always is.
        eval_batches: The number of batches of validation data.
        accumulate: The number of micro-batches in a step.

    Raises:
        ValueError: steps or warmup is negative, or one of the sizes and counts is less than 1.
    """

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

    def __post_init__(self) -> None:
        """Refuse numbers with which no run is possible."""
        counts = (self.batch_size, self.block_size, self.log_every, self.eval_batches, self.accumulate)
        if min(counts) < 1 or min(self.steps, self.warmup) < 0:
            raise ValueError(f"sizes and counts are at least 1, steps and warmup at least 0: {self}")


@dataclass
class History:
    """What a training run was like: one entry in each list for each logged step."""

    step: list[int] = field(default_factory=list)
    loss: list[float] = field(default_factory=list)
    val_loss: list[float] = field(default_factory=list)
    perplexity: list[float] = field(default_factory=list)
    learning_rate: list[float] = field(default_factory=list)


def require_shapes(pattern: str, *tensors: Tensor) -> None:
    """Check shapes against a pattern such as ``"... V, ..."``, one part for each tensor.

    A name is one size wherever it stands, and ``...`` the same leading axes, possibly none.

    Raises:
        ValueError: The shapes do not fit; the message holds them all.
    """
    shapes = [tuple(tensor.shape) for tensor in tensors]
    sizes: dict[str, object] = {}
    for names, shape in zip([part.split() for part in pattern.split(",")], shapes, strict=True):
        lead = len(shape) - len(names) + 1
        axes = (shape[:lead], *shape[lead:]) if names[0] == "..." else shape
        if len(axes) != len(names) or any(sizes.setdefault(*axis) != axis[1] for axis in zip(names, axes, strict=True)):
            raise ValueError(f"shapes {' and '.join(map(str, shapes))} do not fit [{pattern.replace(', ', '] and [')}]")


def get_batch(data: Tensor, batch_size: int, block_size: int, generator: torch.Generator) -> Batch:
    """Return sequences of consecutive tokens, and the same sequences shifted by one.

    Every start is equally likely, the last one included, whose target is the last token of the data.

    Args:
        data: Token ids, int [N].
        batch_size: B, at least 1.
        block_size: T, at least 1 and less than N.
        generator: Where the starts come from; on the CPU.

    Returns:
        The tuple (x, y), int64 [B, T] each: y[b, t] is the token after x[b, t].

    Raises:
        ValueError: data has not one axis, or a size is out of range.

    Source: Homework 11.
    """
    # BEGIN SOLUTION
    require_shapes("N", data)
    n_starts = len(data) - block_size
    if batch_size < 1 or block_size < 1 or n_starts < 1:
        raise ValueError(f"{len(data)} tokens hold no {batch_size} sequences of {block_size} tokens and their targets")
    starts = torch.randint(n_starts, (batch_size, 1), generator=generator)  # [B, 1], from 0 to N - T - 1
    window = data[(starts + torch.arange(block_size + 1)).to(data.device)].long()  # [B, 1] + [T + 1] -> [B, T + 1]
    return window[:, :-1], window[:, 1:]  # [B, T] each
    # END SOLUTION


# BEGIN SOLUTION
def _token_losses(logits: Tensor, targets: Tensor, ignore_index: int = -1) -> Tensor:
    """Return the negative log-likelihood of each target that is kept: [..., V], [...] -> [N]."""
    require_shapes("... V, ...", logits, targets)
    kept = targets != ignore_index
    logits, targets = logits[kept], targets[kept]  # [N, V], [N]
    if ((targets < 0) | (targets >= logits.shape[1])).any():
        raise ValueError(f"targets are from 0 to {logits.shape[1] - 1}, or {ignore_index} where there is none")
    # With the maximum taken out no exp overflows, and one of them is 1, so that the logarithm is finite too; a softmax that
    # has underflowed to 0 would make it infinite. Both terms are of the shifted logits: next to a logit of 1e4 float32
    # has no digits left for the logarithm.
    z = logits - logits.detach().amax(dim=1, keepdim=True)  # [N, V]
    return z.exp().sum(dim=1).log() - z.gather(1, targets[:, None]).squeeze(1)  # [N]


# END SOLUTION


def cross_entropy(logits: Tensor, targets: Tensor, ignore_index: int = -1) -> Tensor:
    """Return the mean negative log-likelihood of the targets that are kept.

    It is right to as many digits as the dtype has, for logits of any size.

    Args:
        logits: One score for each token of the vocabulary, [..., V].
        targets: Token ids, int [...].
        ignore_index: The target that stands for none; it counts neither in the sum nor in the number.

    Returns:
        The loss in nats per token, [].

    Raises:
        ValueError: The shapes do not fit, a target is out of range, or all are ignored: there is no mean of nothing.

    Source: Lecture 20; Homework 11.
    """
    # BEGIN SOLUTION
    nll = _token_losses(logits, targets, ignore_index)  # [N]
    if not len(nll):
        raise ValueError("every target is ignored, so there is no mean")
    return nll.mean()
    # END SOLUTION


def perplexity(nll_sum: float, n_tokens: int) -> float:
    """Return exp of the mean negative log-likelihood: the number of equally likely tokens that were as hard to guess.

    Args:
        nll_sum: The negative log-likelihoods of all tokens, added up, in nats.
        n_tokens: The number of tokens, at least 1.

    Returns:
        The perplexity, in tokens; infinite where it is too large for a float.

    Raises:
        ValueError: n_tokens is less than 1.

    Source: Homework 11.
    """
    # BEGIN SOLUTION
    if n_tokens < 1:
        raise ValueError(f"at least one token is needed, got {n_tokens}")
    mean = torch.tensor(float(nll_sum) / n_tokens, dtype=torch.float64)
    return float(mean.exp())  # infinite where math.exp would raise
    # END SOLUTION


def learning_rate(step: int, *, max_lr: float, min_lr: float, warmup: int, total: int) -> float:
    """Return the learning rate of a step: a linear warm-up, half a cosine, and a floor.

    Args:
        step: The number of the step, from 0.
        max_lr: The rate at the end of the warm-up.
        min_lr: The rate from step `total` on.
        warmup: The number of steps of the warm-up, whose first rate is max_lr / warmup; 0 for none.
        total: The step at which the cosine ends. If that is no later than the warm-up, there is no cosine.

    Returns:
        The learning rate.

    Raises:
        ValueError: step, warmup or total is negative.

    Source: Homework 11; Loshchilov and Hutter 2017, "SGDR", eq. 5, for the cosine.
    """
    # BEGIN SOLUTION
    if min(step, warmup, total) < 0:
        raise ValueError(f"steps are counted from 0, got step {step}, warmup {warmup}, total {total}")
    if step < warmup:
        return max_lr * (step + 1) / warmup  # step + 1, for a first step with rate 0 would be wasted
    if step >= total:
        return min_lr
    progress = (step - warmup) / (total - warmup)  # 0 right after the warm-up, so that the curve has no jump
    return min_lr + 0.5 * (max_lr - min_lr) * (1 + math.cos(math.pi * progress))
    # END SOLUTION


def parameter_groups(model: nn.Module, weight_decay: float) -> list[dict[str, Any]]:
    """Return a model's parameters in two groups for an optimizer: those that decay, and the rest.

    Tensors of 2 or more dimensions decay, matrices and embeddings; biases and the gains of norms do not. A tensor that
    two layers share stands once.

    Args:
        model: The model.
        weight_decay: The first group's weight decay; the second's is 0.

    Returns:
        Two dicts with ``params`` and ``weight_decay``.

    Source: Homework 11.
    """
    # BEGIN SOLUTION
    parameters = list(model.parameters())  # each tensor once, however many names it has
    return [
        {"params": [p for p in parameters if p.dim() >= 2], "weight_decay": weight_decay},
        {"params": [p for p in parameters if p.dim() < 2], "weight_decay": 0.0},
    ]
    # END SOLUTION


class AdamW(torch.optim.Optimizer):
    """Adam with decoupled weight decay: each entry moves by its mean gradient over its root mean square.

    Args:
        params: Parameters, or groups of them, each a dict with ``params`` and what else differs from the numbers here.
        lr: The learning rate, at least 0.
        betas: The rates at which the two means forget, each from 0 to less than 1.
        eps: What is added to the denominator, at least 0.
        weight_decay: The share of itself that a parameter loses in a step, over lr; at least 0.

    Raises:
        ValueError: A number is out of range.

    Source: Loshchilov and Hutter 2019, algorithm 2; Kingma and Ba 2015, "Adam", algorithm 1.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.01,
    ) -> None:
        if min(lr, eps, weight_decay) < 0 or not all(0 <= beta < 1 for beta in betas):
            raise ValueError(f"out of range: lr {lr}, betas {betas}, eps {eps}, weight_decay {weight_decay}")
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})

    def step(self) -> None:
        """Move every parameter that has a gradient; those whose gradient is None stay, and do not decay."""
        # BEGIN SOLUTION
        with torch.no_grad():
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is not None:
                        self._update(p, p.grad, group)
        # END SOLUTION

    # BEGIN SOLUTION
    def _update(self, p: Tensor, g: Tensor, group: dict[str, Any]) -> None:
        lr, (beta1, beta2), state = group["lr"], group["betas"], self.state[p]
        if not state:
            state.update(t=0, m=torch.zeros_like(p), v=torch.zeros_like(p))
        state["t"] += 1
        t, m, v = state["t"], state["m"], state["v"]
        m.mul_(beta1).add_(g, alpha=1 - beta1)
        v.mul_(beta2).addcmul_(g, g, value=1 - beta2)
        # Both means began as 0, so after t steps they hold only the share 1 - beta^t of a mean.
        m_hat, v_hat = m / (1 - beta1**t), v / (1 - beta2**t)
        # The decay is of the parameter itself and not part of the gradient, where the division below would undo it.
        p.mul_(1 - lr * group["weight_decay"])
        p.sub_(lr * m_hat / (v_hat.sqrt() + group["eps"]))

    # END SOLUTION


def clip_gradients(params: Iterable[Tensor], max_norm: float) -> float:
    """Scale all gradients by one factor, in place, so that their norm together is at most max_norm.

    Gradients of a smaller norm stay as they are, and so do those of a norm that is not finite.

    Args:
        params: The parameters; those whose gradient is None are passed over.
        max_norm: The largest norm, at least 0.

    Returns:
        The norm before: the root of the sum of the squares of all entries, 0 where there is no gradient.

    Raises:
        ValueError: max_norm is negative.

    Source: Homework 11; Pascanu et al. 2013, "On the difficulty of training recurrent neural networks", algorithm 1.
    """
    # BEGIN SOLUTION
    if not max_norm >= 0:
        raise ValueError(f"a norm is at least 0, got {max_norm}")
    grads = [p.grad for p in params if p.grad is not None]
    norm = math.hypot(*(torch.linalg.vector_norm(g).item() for g in grads))  # the norm of the norms
    if max_norm < norm < math.inf:
        for g in grads:
            g.mul_(max_norm / norm)
    return norm
    # END SOLUTION


def train_step(model: nn.Module, batches: Iterable[Batch], optimizer: torch.optim.Optimizer, max_norm: float) -> float:
    """Make one optimizer step from several micro-batches, as from one batch that holds them all.

    Every kept token weighs the same, in whichever micro-batch it is; the gradients are clipped once, when all are added
    up. Gradients from before are dropped. The model's mode stays as it is.

    Args:
        model: The model.
        batches: Pairs (x, y) of token ids and targets, int [B, T] each; B and T may differ between pairs.
        optimizer: What moves the parameters.
        max_norm: The largest norm of all gradients of the model together, those that the optimizer does not move included.

    Returns:
        The mean loss over all kept tokens, before the step, in nats per token.

    Raises:
        ValueError: Every target is ignored, or there is no batch; the model is as before.

    Source: Homework 11.
    """
    # BEGIN SOLUTION
    batches = list(batches)
    n_tokens = sum(int((y != -1).sum()) for _, y in batches)
    if n_tokens == 0:
        raise ValueError("every target is ignored, so there is nothing to learn from")
    optimizer.zero_grad()
    loss = 0.0
    for x, y in batches:
        # Divided by all kept tokens, the parts add up to the mean; a mean of means would favour short micro-batches.
        part = _token_losses(model(x)[0], y).sum() / n_tokens
        part.backward()  # adds to the gradients, and frees this micro-batch's activations
        loss += part.item()
    clip_gradients(model.parameters(), max_norm)
    optimizer.step()
    return loss
    # END SOLUTION


# BEGIN SOLUTION
@contextmanager
def _evaluating(model: nn.Module) -> Iterator[None]:
    """Keep a model in evaluation mode, without gradients; afterwards each of its modules has its own mode again."""
    modes = {module: module.training for module in model.modules()}
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        for module, mode in modes.items():
            module.training = mode


# END SOLUTION


def evaluate(model: nn.Module, batches: Iterable[Batch]) -> float:
    """Return a model's mean loss over all kept tokens of some batches.

    It is computed in evaluation mode and without gradients; afterwards the mode is what it was, come what may.

    Args:
        model: The model.
        batches: Pairs (x, y) of token ids and targets, int [B, T] each; B and T may differ between pairs.

    Returns:
        The loss, in nats per token.

    Raises:
        ValueError: Every target is ignored, or there is no batch.

    Source: Homework 11.
    """
    # BEGIN SOLUTION
    with _evaluating(model):
        losses = [_token_losses(model(x)[0], y) for x, y in batches]  # [N] each, N the kept tokens of a batch
    if not any(map(len, losses)):
        raise ValueError("every target is ignored, so there is no mean")
    return float(torch.cat(losses).mean())  # a mean of the batches' means would weigh tokens unequally
    # END SOLUTION


def train(
    model: nn.Module, train_data: Tensor, val_data: Tensor, config: TrainConfig, generator: torch.Generator
) -> History:
    """Train a model with AdamW, and log how it goes.

    Each step draws its micro-batches from the generator, which goes on. The validation batches are drawn once, from a copy of the
    generator, and are the same at every logged step: so what is logged, and how often, changes nothing in the training.
    The same arguments, and the same global state of torch where there is dropout, give the same run.

    Args:
        model: The model, which is trained in place and left in training mode.
        train_data: Token ids, int [N].
        val_data: Token ids, int [M].
        config: The numbers of the run.
        generator: Where batches are drawn from.

    Returns:
        For each logged step its number, from 0; the loss of its batches, before the update; the loss on the validation
        batches, after the update, and its perplexity; and the learning rate.

    Raises:
        ValueError: The data are no longer than block_size.

    Source: Homework 11.
    """
    # BEGIN SOLUTION
    copy = torch.Generator().set_state(generator.get_state())
    val_batches = _batches(val_data, config, config.eval_batches, copy)
    groups = parameter_groups(model, config.weight_decay)
    optimizer = AdamW(groups, config.max_lr, config.betas, config.eps)
    history = History()
    model.train()
    for step in range(config.steps):
        lr = learning_rate(step, max_lr=config.max_lr, min_lr=config.min_lr, warmup=config.warmup, total=config.steps)
        for group in optimizer.param_groups:
            group["lr"] = lr
        loss = train_step(model, _batches(train_data, config, config.accumulate, generator), optimizer, config.max_norm)
        if step % config.log_every == 0 or step == config.steps - 1:
            _log(history, step, loss, evaluate(model, val_batches), lr)
    return history
    # END SOLUTION


# BEGIN SOLUTION
def _batches(data: Tensor, config: TrainConfig, n: int, generator: torch.Generator) -> list[Batch]:
    return [get_batch(data, config.batch_size, config.block_size, generator) for _ in range(n)]


def _log(history: History, step: int, loss: float, val_loss: float, lr: float) -> None:
    history.step.append(step)
    history.loss.append(loss)
    history.val_loss.append(val_loss)
    history.perplexity.append(perplexity(val_loss, n_tokens=1))  # val_loss is a mean already
    history.learning_rate.append(lr)


# END SOLUTION


def save_checkpoint(
    path: str | os.PathLike[str],
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    generator: torch.Generator,
    step: int,
) -> None:
    """Write all that a run needs to go on as if it had never stopped.

    That is the model, the optimizer, the generator, torch's global random state (dropout draws from it) and the number
    of steps made. A file that was there is replaced in one move, so that a crash while saving costs no older checkpoint.

    Args:
        path: The file.
        model: The model.
        optimizer: The optimizer.
        generator: Where batches are drawn from.
        step: The number of steps made.

    Source: Homework 11.
    """
    # BEGIN SOLUTION
    state = {
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "generator": generator.get_state(),
        "torch": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state_all(),  # empty where there is no GPU
        "step": step,
    }
    beside = Path(f"{os.fspath(path)}.part")
    torch.save(state, beside)
    beside.replace(path)
    # END SOLUTION


def load_checkpoint(
    path: str | os.PathLike[str], model: nn.Module, optimizer: torch.optim.Optimizer, generator: torch.Generator
) -> int:
    """Bring a run back to where `save_checkpoint` left it; on the same machine it goes on bit for bit.

    Only tensors and plain values are read: a file that came from a stranger runs no code.

    Args:
        path: The file.
        model: A model of the same shape, which is overwritten.
        optimizer: An optimizer over this model's parameters, in the same groups, which is overwritten.
        generator: Where batches are drawn from, which is overwritten.

    Returns:
        The number of steps made.

    Raises:
        FileNotFoundError: There is no such file.
        RuntimeError: The model has other parameters.
        ValueError: The optimizer has other groups.

    Source: Homework 11.
    """
    # BEGIN SOLUTION
    # Tensors and plain values only: unpickling anything else could run a stranger's code.
    state = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    generator.set_state(state["generator"])
    torch.set_rng_state(state["torch"])
    torch.cuda.set_rng_state_all(state["cuda"])
    return int(state["step"])
    # END SOLUTION


def plot_history(history: History) -> Figure:
    """Draw how a training run went: the losses on one panel, the perplexity on another.

    Args:
        history: What `train` returned.

    Returns:
        A figure with two panels over the step: the training and the validation loss in nats per token, with a legend,
        and the validation perplexity in tokens. Both have a title and labelled axes.

    Source: Homework 11.
    """
    # BEGIN SOLUTION
    from matplotlib.figure import Figure  # noqa: PLC0415  (only to draw is matplotlib needed)

    figure = Figure(layout="constrained")  # not pyplot's, which would keep it and want a screen
    losses, perplexities = figure.subplots(2)
    losses.plot(history.step, history.loss, label="training")
    losses.plot(history.step, history.val_loss, label="validation")
    losses.set(title="Loss", xlabel="step", ylabel="loss (nats per token)")
    losses.legend()
    perplexities.plot(history.step, history.perplexity)
    perplexities.set(title="Perplexity", xlabel="step", ylabel="perplexity (tokens)")
    return figure
    # END SOLUTION
