"""As most would write it: a ModuleDict, weights by apply, the loss over flattened logits."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from layers import Block, GPTConfig, LayerNorm


class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.transformer = nn.ModuleDict(
            {
                "wte": nn.Embedding(config.vocab_size, config.d_model),
                "wpe": nn.Embedding(config.block_size, config.d_model),
                "drop": nn.Dropout(config.dropout),
                "h": nn.ModuleList([Block(config) for _ in range(config.n_layer)]),
                "ln_f": LayerNorm(config.d_model, bias=config.bias),
            }
        )
        self.lm_head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.transformer.wte.weight = self.lm_head.weight
        self.apply(self._init_weights)
        for pn, p in self.named_parameters():
            if pn.endswith("c_proj.weight"):
                torch.nn.init.normal_(p, mean=0.0, std=0.02 / math.sqrt(2 * config.n_layer))

    def _init_weights(self, module):
        if isinstance(module, nn.Linear):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)
            if module.bias is not None:
                torch.nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)

    def forward(self, idx, targets=None, cache=None):
        _, t = idx.size()
        if targets is not None and targets.shape != idx.shape:
            raise ValueError("idx and targets differ in shape")
        if cache is not None and len(cache) != len(self.transformer.h):
            raise ValueError("one cache per layer, please")
        past = cache[0].length if cache else 0
        if past + t > self.config.block_size:
            raise ValueError("sequence too long")
        pos = torch.arange(past, past + t, dtype=torch.long, device=idx.device)
        x = self.transformer.drop(self.transformer.wte(idx) + self.transformer.wpe(pos))
        for i, block in enumerate(self.transformer.h):
            x = block(x, cache[i] if cache is not None else None)
        logits = self.lm_head(self.transformer.ln_f(x))
        loss = None
        if targets is not None:
            loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.reshape(-1), ignore_index=-1)
        return logits, loss

    def load_gpt2_state_dict(self, state):
        transposed = ["attn.c_attn.weight", "attn.c_proj.weight", "mlp.c_fc.weight", "mlp.c_proj.weight"]
        new = {}
        for k, v in state.items():
            if k.endswith((".attn.bias", ".attn.masked_bias")):
                continue
            name = k if k.startswith(("transformer.", "lm_head")) else "transformer." + k
            new[name] = v.t() if any(name.endswith(w) for w in transposed) else v
        if "transformer.wte.weight" in new:
            head = new.setdefault("lm_head.weight", new["transformer.wte.weight"])
            if not torch.equal(head, new["transformer.wte.weight"]):
                raise ValueError("head and embedding differ")
        self.load_state_dict(new)


def from_preset(name, **overrides):
    gpt2 = {"vocab_size": 50257, "block_size": 1024}
    presets = {
        "femto": {"n_layer": 1, "n_head": 1, "d_model": 2},
        "pico": {"n_layer": 3, "n_head": 3, "d_model": 6},
        "nano": {"n_layer": 3, "n_head": 3, "d_model": 48},
        "gpt2": {"n_layer": 12, "n_head": 12, "d_model": 768, **gpt2},
        "gpt2-medium": {"n_layer": 24, "n_head": 16, "d_model": 1024, **gpt2},
        "gpt2-large": {"n_layer": 36, "n_head": 20, "d_model": 1280, **gpt2},
        "gpt2-xl": {"n_layer": 48, "n_head": 25, "d_model": 1600, **gpt2},
    }
    if name not in presets:
        raise ValueError(f"unknown preset {name}")
    args = presets[name]
    args.update(overrides)
    if "vocab_size" not in args or "block_size" not in args:
        raise ValueError("vocab_size and block_size are needed")
    return GPT(GPTConfig(**args))
