"""NumPy for all that is computed; of torch only what has to be asked of the model. Eigenvectors for null directions."""

import numpy as np
import torch


def quietly(model, idx, before=()):
    """Run the model in evaluation mode, with hooks before some layers, and leave it as it was."""
    modes = [(m, m.training) for m in model.modules()]
    hooks = []
    try:
        for m, _ in modes:
            m.training = False
        for layer, hook in before:
            hooks.append(layer.register_forward_pre_hook(hook))
        with torch.no_grad():
            return model(idx)[0].numpy()
    finally:
        for hook in hooks:
            hook.remove()
        for m, mode in modes:
            m.training = mode


def attention_maps(model, idx):
    if idx.dim() != 1:
        raise ValueError("one sequence, please")
    inputs = []
    layers = [block.attn.c_attn for block in model.transformer.h]
    quietly(model, idx[None], [(layer, lambda _, args: inputs.append(args[0][0].numpy())) for layer in layers])
    H, d = model.config.n_head, model.config.d_model
    T, w = len(idx), d // H
    maps = np.zeros((len(layers), H, T, T), dtype=inputs[0].dtype)
    for number, (layer, x) in enumerate(zip(layers, inputs, strict=True)):
        W, b = layer.weight.detach().numpy(), layer.bias.detach().numpy()
        q, k = x @ W[:d].T + b[:d], x @ W[d : 2 * d].T + b[d : 2 * d]
        for h in range(H):
            for t in range(T):
                s = k[: t + 1, h * w : (h + 1) * w] @ q[t, h * w : (h + 1) * w] / np.sqrt(w).astype(q.dtype)
                e = np.exp(s - s.max())
                maps[number, h, t, : t + 1] = e / e.sum()
    return torch.from_numpy(maps)


def rollout(maps):
    """Rows are carried from the last layer down to the tokens."""
    if maps.ndim != 4 or maps.shape[-1] != maps.shape[-2]:
        raise ValueError("maps [L, H, T, T] are needed")
    rows = torch.eye(maps.shape[-1], dtype=maps.dtype)
    for layer in reversed(range(len(maps))):
        gathered = sum(rows @ head for head in maps[layer]) / maps.shape[1]
        rows = (gathered + rows) / 2
    return rows


def _loss(logits, idx):
    x = logits[0].astype(np.float64)
    x = x - x.max(-1, keepdims=True)
    logp = x - np.log(np.exp(x).sum(-1, keepdims=True))
    return -np.mean([logp[t, int(idx[t + 1])] for t in range(len(idx) - 1)])


def head_ablation(model, idx, layer, head):
    c = model.config
    if idx.dim() != 1 or len(idx) < 2:
        raise ValueError("a sequence of two tokens or more, please")
    if not 0 <= layer < c.n_layer or not 0 <= head < c.n_head:
        raise ValueError("which head?")
    keep = torch.arange(c.d_model) // (c.d_model // c.n_head) != head

    def hide(_, args):
        return args[0] * keep

    intact = _loss(quietly(model, idx[None]), idx)
    ablated = _loss(quietly(model, idx[None], [(model.transformer.h[layer].attn.c_proj, hide)]), idx)
    return ablated - intact


def token_ablation(model, idx, blank_id):
    if idx.dim() != 1 or len(idx) == 0:
        raise ValueError("a sequence of one token or more, please")
    text = idx.tolist()
    texts = [text] + [[blank_id if i == j else token for i, token in enumerate(text)] for j in range(len(text))]
    last = quietly(model, torch.tensor(texts))[:, -1]
    watched = last[:, last[0].argmax()]
    return torch.from_numpy(watched[1:] - watched[0])


def agreement(weights, effects):
    a, b = (np.asarray(side, dtype=np.float64) for side in (weights, effects))
    if a.ndim != 1 or a.shape != b.shape:
        raise ValueError("as many effects as weights, please")
    ranks = []
    for x in (a, b):
        if np.isnan(x).any() or np.unique(x).size < 2:
            raise ValueError("no order")
        line = np.sort(x)
        ranks.append((np.searchsorted(line, x, "left") + np.searchsorted(line, x, "right")) / 2)
    return np.corrcoef(*ranks)[0, 1]


def same_output_weights(A, V):
    a, v = A.numpy().astype(np.float64), V.numpy().astype(np.float64)
    if a.ndim != 2 or v.ndim != 2 or a.shape[1] != v.shape[0]:
        raise ValueError("A [T_q, T_k] and V [T_k, d_v], please")
    if not (a > 0).all():
        raise ValueError("weights above 0, please")
    M = np.column_stack([v, np.ones(len(v))])
    M = M / np.linalg.norm(M, axis=0)
    values, vectors = np.linalg.eigh(M @ M.T)
    if values[0] > 1e-12:
        raise ValueError("the output tells the weights")
    n = vectors[:, 0]
    step = np.min(np.where(n < 0, a, np.inf) / np.abs(n), axis=1, keepdims=True)
    if (np.abs(step / 2 * n).max(axis=1) <= 1e-6).any():
        raise ValueError("no room in a row")
    return torch.from_numpy((a + step / 2 * n).astype(A.numpy().dtype))
