"""What the mistakes in a step and in evaluation share: the parts that they get right."""

from __future__ import annotations

import math

import torch


def refuse(wrong, why="every target is ignored"):
    """Raise what the reference raises, where something is wrong."""
    if wrong:
        raise ValueError(why)


def kept(y):
    """How many targets of a batch count."""
    return int((y != -1).sum())


def all_kept(batches):
    """How many targets of all batches count, at least one."""
    n = sum(kept(y) for _, y in batches)
    refuse(n == 0)
    return n


def costs(logits, y):
    """The negative log-likelihood of each kept target: [B, T, V], [B, T] -> [N]."""
    chosen = y != -1
    log_probs = logits[chosen].log_softmax(dim=-1)
    return -log_probs[torch.arange(len(log_probs)), y[chosen]]


def total(logits, y):
    """The same added up, and written with a mask: []."""
    nll = logits.logsumexp(dim=-1) - logits.gather(-1, y.clamp(min=0).unsqueeze(-1)).squeeze(-1)  # [B, T]
    return (nll * (y != -1)).sum()


def mean(logits, y):
    """The mean over the kept targets of a batch, 0 where there is none."""
    return total(logits, y) / max(kept(y), 1)


def clip(params, max_norm):
    """Scale all gradients by one factor, as they should be."""
    grads = [p.grad for p in params if p.grad is not None]
    norm = math.sqrt(sum((g * g).sum().item() for g in grads))
    if norm > max_norm:
        for g in grads:
            g.mul_(max_norm / norm)
