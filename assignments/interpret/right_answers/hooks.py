"""Forward hooks everywhere, one after the other; null directions are what a random vector leaves after least squares."""

import math

import torch


def one_sequence(idx, least):
    if len(idx.shape) != 1 or idx.shape[0] < least:
        raise ValueError(f"a sequence of at least {least} tokens is needed")


class Looking:
    def __init__(self, model):
        self.model, self.hooks = model, []

    def __enter__(self):
        self.modes = {name: module.training for name, module in self.model.named_modules()}
        self.model.eval()
        return self

    def __exit__(self, *_):
        for hook in self.hooks:
            hook.remove()
        for name, module in self.model.named_modules():
            module.training = self.modes[name]


def attention_maps(model, idx):
    one_sequence(idx, 0)
    found = {}
    with Looking(model) as looking, torch.no_grad():
        for number, block in enumerate(model.transformer.h):

            def listen(module, inputs, output, number=number):
                found[number] = output

            looking.hooks.append(block.attn.c_attn.register_forward_hook(listen))
        model(idx.reshape(1, -1))
    H, d_head = model.config.n_head, model.config.d_model // model.config.n_head
    layers = []
    for number in range(model.config.n_layer):
        q, k, _ = found[number][0].split(model.config.d_model, dim=-1)
        heads = []
        for h in range(H):
            own = slice(h * d_head, (h + 1) * d_head)
            scores = q[:, own] @ k[:, own].T / math.sqrt(d_head)
            hidden = torch.full_like(scores, float("-inf")).triu(1)
            heads.append((scores + hidden).softmax(-1))
        layers.append(torch.stack(heads))
    return torch.stack(layers)


def rollout(maps):
    if len(maps.shape) != 4 or maps.shape[2] != maps.shape[3]:
        raise ValueError(f"maps {tuple(maps.shape)}")
    result = torch.eye(maps.shape[2], dtype=maps.dtype)
    for layer in range(maps.shape[0]):
        mean = maps[layer].sum(0) / maps.shape[1]
        result = (0.5 * mean + 0.5 * torch.eye(maps.shape[2], dtype=maps.dtype)).matmul(result)
    return result


def head_ablation(model, idx, layer, head):
    one_sequence(idx, 2)
    if layer not in range(model.config.n_layer) or head not in range(model.config.n_head):
        raise ValueError("no such head")
    d_head = model.config.d_model // model.config.n_head
    with Looking(model) as looking, torch.no_grad():
        _, intact = model(idx[:-1][None], idx[1:][None])

        def silence(module, inputs):
            z = inputs[0].clone()
            z[:, :, head * d_head : (head + 1) * d_head] = 0
            return z

        looking.hooks.append(model.transformer.h[layer].attn.c_proj.register_forward_pre_hook(silence))
        _, ablated = model(idx[:-1][None], idx[1:][None])
    return ablated.item() - intact.item()


def token_ablation(model, idx, blank_id):
    one_sequence(idx, 1)
    with Looking(model), torch.no_grad():
        intact = model(idx[None])[0][0, -1]
        top, effects = intact.argmax(), []
        for j in range(len(idx)):
            other = idx.clone()
            other[j] = blank_id
            effects.append(model(other[None])[0][0, -1, top] - intact[top])
    return torch.stack(effects)


def _ranks(x):
    order = sorted(x.tolist())
    first = {number: place for place, number in reversed(list(enumerate(order)))}
    last = {number: place for place, number in enumerate(order)}
    return [(first[number] + last[number]) / 2 for number in x.tolist()]


def agreement(weights, effects):
    if len(weights.shape) != 1 or weights.shape != effects.shape:
        raise ValueError("two vectors of one length are needed")
    if any(math.isnan(number) for side in (weights, effects) for number in side.tolist()):
        raise ValueError("NaN")
    if len(set(weights.tolist())) <= 1 or len(set(effects.tolist())) <= 1:
        raise ValueError("no order")
    a, b = _ranks(weights), _ranks(effects)
    middle = (len(a) - 1) / 2
    products = [(x - middle) * (y - middle) for x, y in zip(a, b, strict=True)]
    return sum(products) / math.sqrt(sum((x - middle) ** 2 for x in a) * sum((y - middle) ** 2 for y in b))


def same_output_weights(A, V):
    if A.dim() != 2 or V.dim() != 2 or A.shape[1] != V.shape[0]:
        raise ValueError("shapes")
    if A.min() <= 0:
        raise ValueError("weights must be positive")
    M = torch.cat([V, torch.ones(V.shape[0], 1, dtype=V.dtype)], 1).double()
    generator = torch.Generator().manual_seed(1)
    for _ in range(10):
        r = torch.randn(V.shape[0], 1, dtype=torch.float64, generator=generator)
        n = r
        for _ in range(2):  # twice, for what rounding leaves
            n = n - M @ torch.linalg.lstsq(M, n, driver="gelsd").solution
        if n.norm() > 1e-6 * r.norm():
            break
    else:
        raise ValueError("no direction")
    n = (n / n.norm())[:, 0]
    rows = []
    for row in A.double():
        most = min(float(a / -x) for a, x in zip(row, n, strict=True) if x < -1e-12)
        rows.append(row + 0.9 * most * n)
    others = torch.stack(rows).to(A.dtype)
    if ((others - A).abs().max(1).values <= 1e-6).any():
        raise ValueError("a row has no room")
    return others
