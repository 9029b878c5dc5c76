"""The forward of a layer is replaced on the object and deleted again; elimination by hand finds null directions."""

import math

import torch


class Patched:
    """For a while another forward, on one module."""

    def __init__(self, module, forward):
        self.module, self.module.forward = module, forward

    def off(self):
        del self.module.forward


def with_model(model, patches, run):
    training = {id(m) for m in model.modules() if m.training}
    model.eval()
    on = []
    try:
        on.extend(Patched(module, forward) for module, forward in patches)
        return run()
    finally:
        for patch in on:
            patch.off()
        for m in model.modules():
            m.training = id(m) in training


def check(good, message):
    if not good:
        raise ValueError(message)


def attention_maps(model, idx):
    check(idx.dim() == 1, "idx has one axis")
    d, H, T = model.config.d_model, model.config.n_head, idx.numel()
    heard = []

    def listening(layer):
        plain = layer.forward

        def forward(x):
            out = plain(x)
            heard.append(out.detach())
            return out

        return layer, forward

    with_model(model, [listening(block.attn.c_attn) for block in model.transformer.h], lambda: model(idx.reshape(1, T)))
    result = torch.zeros(len(heard), H, T, T, dtype=heard[0].dtype)
    for layer, out in enumerate(heard):
        q, k = out[0, :, :d].view(T, H, d // H), out[0, :, d : 2 * d].view(T, H, d // H)
        for t in range(T):
            scores = (k[: t + 1] * q[t]).sum(-1) / math.sqrt(d // H)  # [t + 1, H]
            result[layer, :, t, : t + 1] = scores.softmax(dim=0).T
    return result


def rollout(maps):
    check(maps.dim() == 4 and maps.shape[2] == maps.shape[3], "maps are [L, H, T, T]")
    n = maps.shape[3]
    halves = [(each.sum(0) / len(each) + torch.diag(maps.new_ones(n))) / 2 for each in maps]
    while len(halves) > 1:
        first, second, *others = halves
        halves = [second @ first, *others]
    return halves[0]


def head_ablation(model, idx, layer, head):
    check(idx.dim() == 1 and idx.numel() > 1, "idx has one axis and two tokens")
    check(0 <= layer < model.config.n_layer, "no such layer")
    check(0 <= head < model.config.n_head, "no such head")
    c_attn, d = model.transformer.h[layer].attn.c_attn, model.config.d_model
    width = d // model.config.n_head
    plain = c_attn.forward

    def valueless(x):
        """A head whose values are 0 gathers nothing."""
        out = plain(x).clone()
        out[..., 2 * d + head * width : 2 * d + head * width + width] = 0
        return out

    def loss():
        return model(idx[None, :-1], idx[None, 1:])[1].item()

    return with_model(model, [(c_attn, valueless)], loss) - with_model(model, [], loss)


def token_ablation(model, idx, blank_id):
    check(idx.dim() == 1 and idx.numel() > 0, "idx has one axis and a token")

    def last(text):
        return with_model(model, [], lambda: model(text[None])[0].detach()[0, -1])

    intact = last(idx)
    top = intact.max(dim=0).indices
    return torch.stack(
        [last(idx.index_fill(0, torch.tensor([j]), blank_id))[top] - intact[top] for j in range(idx.numel())]
    )


def agreement(weights, effects):
    check(weights.dim() == effects.dim() == 1 and len(weights) == len(effects), "two lists of one length")
    check(not (weights.isnan().any() or effects.isnan().any()), "NaN")
    n = len(weights)

    def places(x):
        ranks, line = [0.0] * n, sorted(range(n), key=lambda i: float(x[i]))
        start = 0
        while start < n:
            end = start
            while end + 1 < n and x[line[end + 1]] == x[line[start]]:
                end += 1
            for i in line[start : end + 1]:
                ranks[i] = (start + end) / 2 + 1
            start = end + 1
        return torch.tensor(ranks, dtype=torch.float64)

    a, b = places(weights), places(effects)
    check(n > 1 and a.std() > 0 and b.std() > 0, "no order")
    return (((a - a.mean()) * (b - b.mean())).sum() / ((n - 1) * a.std() * b.std())).item()


def same_output_weights(A, V):
    check(A.dim() == V.dim() == 2 and A.shape[1] == V.shape[0], "shapes")
    check(bool((A > 0).all()), "positive weights")
    rows = [[*map(float, column)] for column in V.T] + [[1.0] * len(V)]  # n is at right angles to each
    pivots = []
    for row in range(len(rows)):
        left = [(abs(rows[r][c]), r, c) for r in range(row, len(rows)) for c in range(len(V)) if c not in pivots]
        size, r, c = max(left, default=(0.0, 0, 0))
        if size < 1e-10:
            break
        rows[row], rows[r] = rows[r], rows[row]
        rows[row] = [x / rows[row][c] for x in rows[row]]
        for other in range(len(rows)):
            if other != row:
                factor = rows[other][c]
                rows[other] = [x - factor * y for x, y in zip(rows[other], rows[row], strict=True)]
        pivots.append(c)
    free = [c for c in range(len(V)) if c not in pivots]
    check(bool(free), "no null direction")
    n = torch.zeros(len(V), dtype=torch.float64)
    n[free[0]] = 1
    for row, c in enumerate(pivots):
        n[c] = -rows[row][free[0]]
    steepest = [max(float(-x / y) for x, y in zip(n, a, strict=True)) for a in A.double()]
    check(all(float(n.abs().max()) * 0.5 / most > 1e-6 for most in steepest), "no room")
    return torch.stack([a + n * 0.5 / most for a, most in zip(A.double(), steepest, strict=True)]).to(A.dtype)
