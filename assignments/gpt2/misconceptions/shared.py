"""What the mistakes share: a GPT made of steps, of which any can be wrong, and the steps in two styles."""

from __future__ import annotations

import math
from functools import reduce
from types import SimpleNamespace

import torch
from torch import nn
from torch.nn import functional as F

from grader.testing import Explained, misconception, variant


class Model(nn.Module):
    """A GPT made of steps: `make` and `begin` once, the others in the order of `forward`."""

    def __init__(self, ref, config, steps):
        super().__init__()
        self.config, self.step = config, SimpleNamespace(**steps)
        self.step.make(self, ref)
        with torch.no_grad():
            self.step.begin(self)

    def train(self, mode=True):  # noqa: FBT002  # as torch has it
        super().train(mode)
        self.step.mode(self, mode)
        return self

    def forward(self, idx, targets=None, cache=None):
        step = self.step
        idx, targets = step.take(self, idx, targets)
        caches, past = step.check(self, idx, targets, cache)
        x = step.drop(self, step.embed(self, idx, past))
        logits = step.head(self, step.stack(self, x, caches))
        return step.out(self, logits, None if targets is None else step.loss(self, logits, targets, idx))


def wte(m):
    return m.transformer.wte.weight


def wpe(m):
    return m.transformer.wpe.weight


def norm(m, x):
    return m.transformer.ln_f(x)


def rows(m, idx, past):
    """Embeddings in the usual style."""
    return m.transformer.wte(idx) + m.transformer.wpe(torch.arange(past, past + idx.shape[1]))


def also_rows(m, idx, past):
    return F.embedding(idx, wte(m)) + wpe(m)[past : past + idx.shape[1]]


def fit(m, idx, targets, *, shapes=True):
    if idx.dim() != 2 or (shapes and targets is not None and targets.shape != idx.shape):
        raise ValueError("these shapes do not fit")
    return idx.shape[1], m.config.n_layer


def listed(cache, n_layer):
    caches = [None] * n_layer if cache is None else list(cache)
    if len(caches) != n_layer:
        raise ValueError(f"{len(caches)} caches")
    return caches


def kept(caches):
    return next((cache.length for cache in caches if cache is not None), 0)


# --- The usual style ----------------------------------------------------------------------------------------------


def make(m, ref, **more):
    c = m.config
    parts = {
        "wte": nn.Embedding(c.vocab_size, c.d_model),
        "wpe": nn.Embedding(c.block_size, c.d_model),
        "drop": nn.Dropout(c.dropout),
        "h": nn.ModuleList(ref.Block(c) for _ in range(c.n_layer)),
        "ln_f": ref.LayerNorm(c.d_model, bias=c.bias),
    }
    m.transformer = nn.ModuleDict(parts | more)
    m.lm_head = nn.Linear(c.d_model, c.vocab_size, bias=False)
    m.lm_head.weight = m.transformer.wte.weight


def begin(m, *, matrices=0.02, embeddings=0.02, proj=None):
    for module in m.modules():
        if isinstance(module, nn.Embedding):
            module.weight.normal_(0, embeddings)
        if isinstance(module, nn.Linear) and module.weight is not wte(m):
            module.weight.normal_(0, matrices)
            if module.bias is not None:
                module.bias.zero_()
    if m.config.n_layer:
        proj = 0.02 / math.sqrt(2 * m.config.n_layer) if proj is None else proj
        for block in getattr(m.transformer, "h", ()):
            block.attn.c_proj.weight.normal_(0, proj)
            block.mlp.c_proj.weight.normal_(0, proj)


def check(m, idx, targets, cache):
    T, n_layer = fit(m, idx, targets)
    caches = listed(cache, n_layer)
    past = kept(caches)
    if past + T > m.config.block_size:
        raise ValueError("too many positions")
    return caches, past


def stack(m, x, caches):
    for block, cache in zip(m.transformer.h, caches, strict=True):
        x = block(x, cache)
    return x


def loss(_, logits, targets, idx):
    del idx
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-1)


USUAL = {
    "make": make,
    "begin": begin,
    "mode": lambda *_: None,
    "take": lambda _, idx, targets: (idx, targets),
    "check": check,
    "embed": rows,
    "drop": lambda m, x: m.transformer.drop(x),
    "stack": stack,
    "head": lambda m, x: m.lm_head(norm(m, x)),
    "loss": loss,
    "out": lambda _, logits, loss: (logits, loss),
}

# --- Another style ------------------------------------------------------------------------------------------------


class Table(nn.Module):
    """A matrix under the name `weight`."""

    def __init__(self, *shape, weight=None):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(shape)) if weight is None else weight


def also_make(m, ref, **more):
    c = m.config
    m.transformer = nn.Module()
    m.transformer.wte, m.transformer.wpe = Table(c.vocab_size, c.d_model), Table(c.block_size, c.d_model)
    m.lm_head = Table(weight=m.transformer.wte.weight)
    m.transformer.h = nn.ModuleList([ref.Block(c) for _ in range(c.n_layer)])
    m.transformer.ln_f = ref.LayerNorm(c.d_model, bias=c.bias)
    for name, module in more.items():
        setattr(m.transformer, name, module)


def also_begin(m, std=lambda _, std: std):
    """Draw each matrix, and set each bias to 0; std(name, usual) is the deviation."""
    for name, parameter in m.named_parameters():
        if "ln_" in name:
            continue
        if name.endswith("bias"):
            parameter.zero_()
        else:
            usual = 0.02 / (2 * m.config.n_layer) ** 0.5 if "c_proj" in name else 0.02
            parameter.copy_(torch.randn(parameter.shape) * std(name, usual))


def also_check(m, idx, targets, cache):
    _, T = idx.shape if idx.ndim == 2 else fit(m, idx, targets)
    if targets is not None and [*targets.shape] != [*idx.shape]:
        raise ValueError("targets")
    past = cache[0].length if cache else 0
    if cache is not None and len(cache) != m.config.n_layer:
        raise ValueError("caches")
    if past > m.config.block_size - T:
        raise ValueError("positions")
    return [None for _ in range(m.config.n_layer)] if cache is None else cache, past


def likelihoods(logits, targets):
    """The negative log-likelihood of each target that is kept; others are NaN."""
    keep = targets != -1
    if ((targets[keep] < 0) | (targets[keep] >= logits.shape[-1])).any():
        raise IndexError("no such target")
    chosen = logits.gather(-1, targets.where(keep, 0)[..., None])[..., 0]
    return (logits.logsumexp(-1) - chosen).where(keep, math.nan)


def kept_only(nll):
    return nll[~nll.isnan()]


OTHER = {
    **USUAL,
    "make": also_make,
    "begin": also_begin,
    "check": also_check,
    "embed": also_rows,
    "drop": lambda m, x: F.dropout(x, m.config.dropout, m.training),
    "stack": lambda m, x, caches: reduce(
        lambda rows, pair: pair[0](rows, pair[1]), zip(m.transformer.h, caches, strict=True), x
    ),
    "head": lambda m, x: torch.einsum("btd,vd->btv", norm(m, x), m.lm_head.weight),
    "loss": lambda _, logits, targets, __: kept_only(likelihoods(logits, targets)).mean(),
}

# --- Declaring ----------------------------------------------------------------------------------------------------


def words(en, zh):
    """What is told in both languages: the mistake, why, and a hint."""
    return {"en": Explained(*en[:2], hint=en[2]), "zh_tw": Explained(*zh[:2], hint=zh[2])}


def mistaken(slug, usual, other, *, en, zh):
    """Declare a mistake in GPT: the steps that are wrong, in each of the two styles."""
    about = f"gpt2.gpt/{slug}"
    misconception(about, name="GPT", **words(en, zh))(lambda ref, config: Model(ref, config, USUAL | usual))
    variant(about)(lambda ref, config: Model(ref, config, OTHER | other))
