"""Nothing of torch.nn but Module, Parameter and ModuleList: tables, a softmax of its own, and its own drawing of weights."""

import torch
from torch import nn

from layers import Block, GPTConfig, LayerNorm


class Weight(nn.Module):
    def __init__(self, *shape):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(*shape))


class Stack(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.wte, self.wpe = Weight(c.vocab_size, c.d_model), Weight(c.block_size, c.d_model)
        self.h = nn.ModuleList([Block(c) for _ in range(c.n_layer)])
        self.ln_f = LayerNorm(c.d_model, bias=c.bias)


class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.transformer = Stack(config)
        self.lm_head = self.transformer.wte
        for name, p in self.named_parameters():
            leaf = name.rsplit(".", 2)[-2:]
            if leaf[0].startswith("c_") and leaf[1] == "bias":
                p.data = torch.zeros_like(p)
            elif not leaf[0].startswith("ln_"):
                scale = 1 / (2 * config.n_layer) ** 0.5 if leaf[0] == "c_proj" else 1.0
                p.data = torch.normal(torch.zeros(p.shape), 0.02 * scale)

    def forward(self, idx, targets=None, cache=None):
        B, T = idx.shape
        c, s = self.config, self.transformer
        known = 0 if cache is None or not len(cache) else cache[0].length
        wrong = (cache is not None and len(cache) != c.n_layer) or known + T > c.block_size
        if wrong or (targets is not None and tuple(targets.shape) != (B, T)):
            raise ValueError("this does not fit")
        if idx.numel() and (int(idx.min()) < 0 or int(idx.max()) >= c.vocab_size):
            raise ValueError("this is no token")
        x = s.wte.weight[idx] + s.wpe.weight.narrow(0, known, T)
        if self.training and c.dropout > 0:
            x = x * (torch.rand(x.shape) >= c.dropout) / max(1 - c.dropout, 1e-30)
        for n, block in enumerate(s.h):
            x = block(x) if cache is None else block(x, cache[n])
        logits = torch.tensordot(s.ln_f(x), self.lm_head.weight, dims=([2], [1]))
        if targets is None:
            return logits, None
        flat, goal = logits.reshape(B * T, -1), targets.reshape(B * T)
        rows = torch.nonzero(goal != -1)[:, 0]
        if ((goal < -1) | (goal >= c.vocab_size)).any():
            raise ValueError("this is no target")
        top = flat.max(dim=1, keepdim=True).values
        log_z = (flat - top).exp().sum(dim=1).log() + top[:, 0]
        return logits, (
            log_z[rows] - flat[rows, goal[rows]]
        ).sum() / rows.numel() if rows.numel() else logits.sum() * float("nan")

    def load_gpt2_state_dict(self, state):
        wanted = {f"transformer.{n}": p for n, p in self.transformer.named_parameters()}
        used = set()
        for key, tensor in state.items():
            parts = key.split(".")
            if parts[-2:-1] == ["attn"] and parts[-1] in ("bias", "masked_bias"):
                continue
            name = key if parts[0] in ("transformer", "lm_head") else "transformer." + key
            if name == "lm_head.weight":
                name = "transformer.wte.weight"
                if name in used and not torch.equal(tensor.to(wanted[name].dtype), wanted[name]):
                    raise ValueError("lm_head.weight")
            if name not in wanted:
                raise ValueError("left over: " + key)
            turned = parts[-2].startswith("c_") and parts[-1] == "weight"
            new = torch.stack(tensor.unbind(1)) if turned else tensor
            if new.shape != wanted[name].shape:
                raise ValueError("shape of " + key)
            wanted[name].data.copy_(new)
            used.add(name)
        if len(used) < len(wanted):
            raise ValueError("something is missing")


def from_preset(name, **overrides):
    fields = dict.fromkeys(("vocab_size", "block_size"))
    if "gpt2" in str(name):
        fields = {"vocab_size": 50257, "block_size": 1024}
    names = ["femto", "pico", "nano", "gpt2", "gpt2-medium", "gpt2-large", "gpt2-xl"]
    if name not in names:
        raise ValueError("choose one of " + " ".join(names))
    at = names.index(name)
    fields["n_layer"] = [1, 3, 3, 12, 24, 36, 48][at]
    fields["n_head"] = [1, 3, 3, 12, 16, 20, 25][at]
    fields["d_model"] = [2, 6, 48, 768, 1024, 1280, 1600][at]
    fields.update(overrides)
    if fields["vocab_size"] is None or fields["block_size"] is None:
        raise ValueError("vocab_size and block_size")
    return GPT(GPTConfig(**fields))
