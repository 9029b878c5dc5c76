"""Modules that stand in for c_attn and c_proj for a while; the whole of each null space, from a complete QR."""

from contextlib import contextmanager

import torch
from torch import nn


class Stand(nn.Module):
    """Calls what it stands in for, with something done before or after."""

    def __init__(self, original, before=lambda x: x, after=lambda y: y):
        super().__init__()
        self.original, self.before, self.after = original, before, after

    def forward(self, x):
        return self.after(self.original(self.before(x)))


@contextmanager
def instead(attn, name, **what):
    original = getattr(attn, name)
    setattr(attn, name, Stand(original, **what))
    try:
        yield
    finally:
        setattr(attn, name, original)


@contextmanager
def evaluation(model):
    before = [module.training for module in model.modules()]
    try:
        yield model.eval()
    finally:
        for module, mode in zip(model.modules(), before, strict=True):
            module.training = mode


def attention_maps(model, idx):
    (T,) = idx.shape
    H, maps = model.config.n_head, []

    def keep(out):
        q, k = (out[0].chunk(3, -1)[i].reshape(T, H, -1).movedim(1, 0) for i in (0, 1))
        S = torch.bmm(q, k.mT).div(q.size(-1) ** 0.5)
        maps.append(
            S.where(torch.arange(T)[:, None] >= torch.arange(T), -1e300 if S.dtype == torch.float64 else -1e30).softmax(
                2
            )
        )
        return out

    def run(blocks):
        if not blocks:
            return model(idx.unsqueeze(0))
        with instead(blocks[0].attn, "c_attn", after=keep):
            return run(blocks[1:])

    with evaluation(model):
        run(list(model.transformer.h))
    return torch.stack(maps)


def rollout(maps):
    if maps.ndim != 4:
        raise ValueError("four axes are needed")
    if maps.size(-1) != maps.size(-2):
        raise ValueError("square maps are needed")

    def upto(layer):
        mean = maps[layer].mean(0)
        half = mean.lerp(torch.eye(len(mean)).to(maps), 0.5)
        return half if layer == 0 else half @ upto(layer - 1)

    return upto(len(maps) - 1)


def head_ablation(model, idx, layer, head):
    (T,) = idx.shape
    if T < 2:
        raise ValueError("too short")
    if not (0 <= layer < len(model.transformer.h)):
        raise ValueError("no such layer")
    if not (0 <= head < model.config.n_head):
        raise ValueError("no such head")
    kept = torch.ones(model.config.n_head, model.config.d_model // model.config.n_head)
    kept[head] = 0

    def loss():
        logits = model(idx[:-1].unsqueeze(0))[0].squeeze(0).detach().log_softmax(-1)
        return -logits.gather(-1, idx[1:, None].long()).mean().item()

    with evaluation(model):
        intact = loss()
        with instead(model.transformer.h[layer].attn, "c_proj", before=lambda z: z * kept.flatten().to(z)):
            return loss() - intact


def token_ablation(model, idx, blank_id):
    (T,) = idx.shape
    if T == 0:
        raise ValueError("nothing to blank")
    with evaluation(model), torch.inference_mode():
        logits, _ = model(idx.unsqueeze(0))
        best = int(torch.argmax(logits[0, T - 1]))
        effects = []
        for j in range(T):
            text = torch.where(torch.arange(T) == j, blank_id, idx)
            effects.append(model(text.unsqueeze(0))[0][0, T - 1, best])
        return (torch.stack(effects) - logits[0, T - 1, best]).clone()


def agreement(weights, effects):
    (n,), (m,) = weights.shape, effects.shape
    if n != m:
        raise ValueError("not as many effects as weights")
    both = torch.stack([weights.double(), effects.double()])
    if bool(torch.isnan(both).any()):
        raise ValueError("NaN")
    comparisons = (
        (both[:, :, None] - both[:, None, :]).sign()
        if not both.isinf().any()
        else (both[:, :, None] > both[:, None, :]).double() - (both[:, :, None] < both[:, None, :]).double()
    )
    ranks = comparisons.sum(-1)  # how many are smaller, less how many are larger: twice the centred rank
    if not ranks.any(dim=-1).all():
        raise ValueError("all equal")
    return torch.corrcoef(ranks)[0, 1].item()


def same_output_weights(A, V):
    (T_q, T_k), (S, _) = A.shape, V.shape
    if T_k != S or T_q < 1:
        raise ValueError("shapes do not fit")
    if not bool((A > 0).all()):
        raise ValueError("strictly positive weights are needed")
    M = torch.hstack([V.double(), torch.ones(S, 1, dtype=torch.float64)])
    # Columns that depend on others say nothing: keep those that do not.
    columns = []
    for column in M.T:
        if torch.linalg.matrix_rank(torch.stack([*columns, column]), rtol=1e-10) > len(columns):
            columns.append(column)
    Q, _ = torch.linalg.qr(torch.stack(columns, 1), mode="complete")
    null = Q[:, len(columns) :].T
    if len(null) == 0:
        raise ValueError("only these weights have this output")
    n = null.sum(0)
    limit = (A.double() / n.clamp(max=-1e-300).abs()).where(n < 0, torch.inf).min(dim=1, keepdim=True).values
    change = limit * n * 0.25
    if change.abs().amax(dim=1).min() <= 1e-6:
        raise ValueError("some row cannot change")
    return (A.double() + change).to(A.dtype)
