"""Everything is done to a copy of the model, so that nothing has to be put back; einsum, and the SVD row by row."""

import copy

import torch
import torch.nn.functional as F


def still(model, idx):
    if idx.ndim != 1:
        raise ValueError(f"idx of shape {tuple(idx.shape)} is not one sequence")
    return copy.deepcopy(model).eval()


@torch.no_grad()
def attention_maps(model, idx):
    twin, H = still(model, idx), model.config.n_head
    fused = []
    for block in twin.transformer.h:
        block.attn.c_attn.register_forward_hook(lambda m, i, out: fused.append(out[0].view(len(idx), 3, H, -1)))
    twin(idx[None])
    fused = torch.stack(fused)  # [L, T, 3, H, d / H]
    q, k = fused[:, :, 0], fused[:, :, 1]
    S = torch.einsum("lthd,lshd->lhts", q, k) * q.shape[-1] ** -0.5
    T = len(idx)
    seen = torch.ones(T, T, dtype=torch.bool).tril()
    S = torch.where(seen, S, torch.finfo(S.dtype).min)
    weights = torch.exp(S - S.amax(-1, keepdim=True))
    return weights / weights.sum(-1, keepdim=True)


def rollout(maps):
    _, _, T, S = maps.shape
    if T != S:
        raise ValueError("maps are square")
    layers = (maps.mean(1) + torch.eye(T, dtype=maps.dtype)).div(2).flip(0)
    R = layers[0]
    for A in layers[1:]:
        R = torch.einsum("ij,jk->ik", R, A)
    return R


@torch.no_grad()
def head_ablation(model, idx, layer, head):
    twin = still(model, idx)
    if len(idx) < 2 or min(layer, head) < 0:
        raise ValueError("no such head, or no two tokens")
    if layer >= model.config.n_layer or head >= model.config.n_head:
        raise ValueError("no such head")

    def loss():
        logits = twin(idx[None])[0][0]
        return F.cross_entropy(logits[:-1], idx[1:].long())

    intact = loss()
    weight = twin.transformer.h[layer].attn.c_proj.weight
    weight.view(len(weight), model.config.n_head, -1)[:, head] = 0
    return float(loss() - intact)


@torch.no_grad()
def token_ablation(model, idx, blank_id):
    twin = still(model, idx)
    if idx.numel() == 0:
        raise ValueError("no tokens")
    texts = torch.cat([idx[None], idx.expand(len(idx), -1)]).clone()
    texts[range(1, len(idx) + 1), range(len(idx))] = blank_id
    last = twin(texts)[0][:, -1]
    watched = last[:, last[0].argmax()]
    return watched[1:] - watched[0]


def agreement(weights, effects):
    if weights.ndim != 1 or effects.ndim != 1 or len(weights) != len(effects):
        raise ValueError("lengths differ")

    def centred(x):
        if torch.isnan(x).any():
            raise ValueError("NaN")
        values, which, counts = x.unique(return_inverse=True, return_counts=True)
        if len(values) < 2:
            raise ValueError("no order")
        ends = counts.cumsum(0)
        ranks = (2 * ends - counts + 1).double()[which] / 2
        return ranks - ranks.mean()

    a, b = centred(weights), centred(effects)
    return torch.dot(a, b).div(torch.dot(a, a).sqrt() * torch.dot(b, b).sqrt()).item()


def same_output_weights(A, V):
    if A.ndim != 2 or V.ndim != 2 or A.shape[-1] != V.shape[0]:
        raise ValueError(f"{tuple(A.shape)} and {tuple(V.shape)}")
    if (A <= 0).any():
        raise ValueError("not positive")
    M = F.pad(V.double(), (0, 1), value=1.0)
    rank = torch.linalg.matrix_rank(M)
    left = torch.linalg.svd(M).U[:, rank:]
    if left.shape[1] == 0:
        raise ValueError("no null direction")
    out = torch.empty(A.shape, dtype=torch.float64)
    for i, a in enumerate(A.double()):
        n = left[:, i % left.shape[1]]
        falling = n < 0
        out[i] = a + n * (a[falling] / -n[falling]).min() / 3
    if not (out - A.double()).abs().gt(1e-6).any(1).all():
        raise ValueError("no room")
    return out.to(A.dtype)
