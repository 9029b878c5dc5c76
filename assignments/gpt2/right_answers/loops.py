"""One token, one block, one tensor at a time."""

import math

import torch
from torch import nn

from layers import Block, GPTConfig, LayerNorm


class Transformer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.wte = nn.Embedding(config.vocab_size, config.d_model)
        self.wpe = nn.Embedding(config.block_size, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.h = nn.ModuleList()
        for _ in range(config.n_layer):
            self.h.append(Block(config))
        self.ln_f = LayerNorm(config.d_model, bias=config.bias)

    def rows(self, idx, past):
        """[B, T] -> [B, T, d], a position at a time."""
        return torch.stack([self.wte(idx[:, t]) + self.wpe(torch.tensor(past + t)) for t in range(idx.shape[1])], dim=1)


class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.transformer = Transformer(config)
        self.lm_head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        for module in self.modules():
            if isinstance(module, (nn.Linear, nn.Embedding)):
                nn.init.normal_(module.weight, 0.0, 0.02)
                if getattr(module, "bias", None) is not None:
                    nn.init.constant_(module.bias, 0.0)
        for block in self.transformer.h:
            for branch in (block.attn, block.mlp):
                nn.init.normal_(branch.c_proj.weight, 0.0, 0.02 / math.sqrt(2 * config.n_layer))
        self.lm_head.weight = self.transformer.wte.weight

    def forward(self, idx, targets=None, cache=None):  # noqa: C901  # all in one place
        if idx.ndim != 2 or (targets is not None and targets.shape != idx.shape):
            raise ValueError("shapes")
        if cache is not None and len(cache) != self.config.n_layer:
            raise ValueError("caches")
        past = 0
        if cache:
            past = cache[0].length
        if past + idx.shape[1] > self.config.block_size:
            raise ValueError("length")
        x = self.transformer.drop(self.transformer.rows(idx, past))
        for i in range(self.config.n_layer):
            x = self.transformer.h[i](x, None if cache is None else cache[i])
        logits = self.lm_head(self.transformer.ln_f(x))
        if targets is None:
            return logits, None
        total, count = logits.new_zeros(()), 0
        for b in range(idx.shape[0]):
            for t in range(idx.shape[1]):
                target = int(targets[b, t])
                if target == -1:
                    continue
                if not 0 <= target < self.config.vocab_size:
                    raise ValueError(f"no token {target}")
                total = total + torch.logsumexp(logits[b, t], 0) - logits[b, t, target]
                count += 1
        return logits, total / torch.tensor(float(count), dtype=logits.dtype)

    def load_gpt2_state_dict(self, state):
        with torch.no_grad():
            left = {}
            for key, value in state.items():
                if ".attn.bias" not in key and ".attn.masked_bias" not in key:
                    left[key.removeprefix("transformer.")] = value
            for name, parameter in self.transformer.named_parameters():
                if name not in left:
                    raise KeyError(name)
                value = left.pop(name)
                if name.split(".")[-1] == "weight" and name.split(".")[-2].startswith("c_"):
                    value = value.permute(1, 0)
                if value.shape != parameter.shape:
                    raise ValueError(f"{name}: {value.shape}")
                parameter.copy_(value)
            if "lm_head.weight" in left and not bool((left.pop("lm_head.weight") == self.lm_head.weight).all()):
                raise ValueError("lm_head")
            if left:
                raise KeyError(list(left))


TABLE = """
femto        1  1    2
pico         3  3    6
nano         3  3   48
gpt2        12 12  768
gpt2-medium 24 16 1024
gpt2-large  36 20 1280
gpt2-xl     48 25 1600
"""


def from_preset(name, **overrides):
    fields = {}
    for line in TABLE.split("\n"):
        words = line.split()
        if words and words[0] == name:
            for field, number in zip(("n_layer", "n_head", "d_model"), words[1:], strict=True):
                fields[field] = int(number)
    if not fields:
        raise ValueError(name)
    if name[:4] == "gpt2":
        fields["vocab_size"], fields["block_size"] = 50257, 1024
    fields.update(overrides)
    for field in ("vocab_size", "block_size"):
        if fields.get(field) is None:
            raise ValueError(f"{name} needs {field}")
    return GPT(GPTConfig(**fields))
