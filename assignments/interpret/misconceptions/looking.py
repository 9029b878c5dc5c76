"""Two right ways to a model's attention weights, in which a mistake replaces one step.

`hooked` listens to c_attn and computes all heads at once; `walked` goes through the layers and takes head after head.
"""

from __future__ import annotations

import math

import torch

from misconceptions.shared import refuse, still


def heard(model, idx):
    """What c_attn of each layer gives, by hooks: L times [T, 3 d]."""
    fused, hooks = [], []
    try:
        layers = [block.attn.c_attn for block in model.transformer.h]
        hooks += [layer.register_forward_hook(lambda _, __, out: fused.append(out[0])) for layer in layers]
        model(idx[None])
    finally:
        for hook in hooks:
            hook.remove()
    return fused


def passed(model, idx):
    """The stream before each block: L times [1, T, d]."""
    refuse(len(idx) > model.config.block_size)
    stack = model.transformer
    x = stack.drop(stack.wte(idx[None]) + stack.wpe(torch.arange(len(idx))))
    for block in stack.h:
        yield block, x
        x = block(x)


def projected(model, idx):
    """What c_attn of each layer gives, by walking through the layers."""
    return [block.attn.c_attn(block.ln_1(x))[0] for block, x in passed(model, idx)]


# --- All heads at once ----------------------------------------------------------------------------------------------


def thirds(fused, n_head):
    """Queries, keys and values of all heads: [T, 3 d] -> [H, T, d / H] each."""
    return [part.unflatten(1, (n_head, -1)).transpose(0, 1) for part in fused.chunk(3, dim=1)]


def scores(q, k, v, d):
    """Scaled dot products: [H, T, T]."""
    del v, d
    return q @ k.mT / math.sqrt(q.shape[-1])


def shown(S, diagonal=0):
    """Whether each key may be seen: [T, T]."""
    return torch.ones(S.shape[-2:], dtype=torch.bool).tril(diagonal)


def weigh(S):
    """The causal softmax of each row."""
    return S.masked_fill(~shown(S), -math.inf).softmax(-1)


def hooked(*, fused=heard, split=thirds, score=scores, weights=weigh, arrange=torch.stack):
    """Look by hooks: a function of model and tokens."""

    def look(model, idx):
        refuse(idx.ndim != 1, "one sequence")
        H, d = model.config.n_head, model.config.d_model
        return arrange([weights(score(*split(out, H), d)) for out in fused(model, idx)])

    return look


# --- Head after head ------------------------------------------------------------------------------------------------


def slices(h, H, d):
    """The columns of a head's queries and of its keys in what c_attn gives."""
    own = torch.arange(h * d // H, (h + 1) * d // H)
    return own, d + own


def row(s, t):
    """The weights of query t."""
    seen = torch.exp(s[: t + 1] - s[: t + 1].max())
    return torch.cat([seen / seen.sum(), s[t + 1 :] * 0])


def rows(rule):
    """Weigh row by row."""
    return lambda S: torch.stack([rule(s, t) for t, s in enumerate(S)])


right_rows = rows(row)


def walked(*, fused=projected, columns=slices, temper=lambda d_head, _: d_head**0.5, weights=right_rows, arrange=None):
    """Look by walking: a function of model and tokens; `arrange` is given L lists of H maps."""

    def look(model, idx):
        refuse(idx.dim() != 1, "one sequence")
        H, d = model.config.n_head, model.config.d_model
        maps = []
        for out in fused(model, idx):
            heads = (map(out.__getitem__, [(slice(None), each) for each in columns(h, H, d)]) for h in range(H))
            maps.append([weights(torch.einsum("td,sd->ts", q, k) / temper(d // H, d)) for q, k in heads])
        return torch.stack([torch.stack(heads) for heads in maps]) if arrange is None else arrange(maps)

    return look


def by_hooks(**wrong):
    """The exercise, wrong in one step."""
    return still(hooked(**wrong))


def by_walking(**wrong):
    """The exercise, wrong in one step, in another style."""
    return still(walked(**wrong))
