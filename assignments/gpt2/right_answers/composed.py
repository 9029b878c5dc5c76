"""Small modules that are composed: a stem, a trunk and a head that holds another's weight."""

import re
from collections import OrderedDict
from dataclasses import replace

import torch
from torch import nn
from torch.nn import functional as F

from layers import Block, GPTConfig, LayerNorm

GPT2 = GPTConfig(vocab_size=50257, block_size=1024, n_layer=12, n_head=12, d_model=768)
PUBLISHED = {
    "gpt2": GPT2,
    "gpt2-medium": replace(GPT2, n_layer=24, n_head=16, d_model=1024),
    "gpt2-large": replace(GPT2, n_layer=36, n_head=20, d_model=1280),
    "gpt2-xl": replace(GPT2, n_layer=48, n_head=25, d_model=1600),
}
SMALL = {"femto": (1, 1, 2), "pico": (3, 3, 6), "nano": (3, 3, 48)}
LINEAR = re.compile(r"\.(attn|mlp)\.c_\w+\.weight$")
MASK = re.compile(r"\.attn\.(masked_)?bias$")


class Head(nn.Module):
    def __init__(self, embedding):
        super().__init__()
        self.weight = embedding.weight

    def forward(self, rows):
        return F.linear(rows, self.weight)


class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        sizes = {"wte": config.vocab_size, "wpe": config.block_size}
        parts = OrderedDict((name, nn.Embedding(size, config.d_model)) for name, size in sizes.items())
        parts["h"] = nn.Sequential(*(Block(config) for _ in range(config.n_layer)))
        parts["ln_f"] = LayerNorm(config.d_model, bias=config.bias)
        self.transformer = nn.ModuleDict(parts)
        self.lm_head = Head(self.transformer.wte)
        self._begin()

    @torch.no_grad()
    def _begin(self):
        for name, parameter in self.named_parameters():
            if parameter.ndim == 2:
                parameter.normal_(0.0, 0.02)
            if name.endswith("c_proj.weight"):
                parameter.mul_((2 * self.config.n_layer) ** -0.5)
            if re.search(r"c_\w+\.bias$", name):
                parameter.fill_(0.0)

    def forward(self, idx, targets=None, cache=None):
        B, T = idx.shape
        if targets is not None and targets.shape != (B, T):
            raise ValueError("targets")
        if cache is not None and len(cache) != self.config.n_layer:
            raise ValueError("one for each block")
        start = 0 if not cache else cache[-1].length
        if start + T > self.config.block_size:
            raise RuntimeError("beyond the last position")
        places = (torch.arange(T) + start).expand(B, T)
        rows = F.dropout(self.transformer.wte(idx) + self.transformer.wpe(places), self.config.dropout, self.training)
        if cache is None:
            rows = self.transformer.h(rows)
        else:
            for block, kept in zip(self.transformer.h, cache, strict=True):
                rows = block(rows, kept)
        logits = self.lm_head(self.transformer.ln_f(rows))
        if targets is None:
            return logits, None
        return logits, F.nll_loss(logits.log_softmax(-1).transpose(1, 2), targets, ignore_index=-1)

    def load_gpt2_state_dict(self, state):
        found = {re.sub(r"^transformer\.", "", key): value for key, value in state.items() if not MASK.search(key)}
        head = found.pop("lm_head.weight", found.get("wte.weight"))
        if head is not None and "wte.weight" in found and (head != found["wte.weight"]).any():
            raise ValueError("the head is not the embedding")
        self.transformer.load_state_dict(
            {key: value.swapaxes(0, 1).contiguous() if LINEAR.search(key) else value for key, value in found.items()}
        )


def from_preset(name, **overrides):
    if name in PUBLISHED:
        return GPT(replace(PUBLISHED[name], **overrides))
    if name not in SMALL:
        raise ValueError(f"{name}?")
    if "vocab_size" not in overrides or "block_size" not in overrides:
        raise ValueError(f"{name} needs vocab_size and block_size")
    layers, heads, width = SMALL[name]
    return GPT(GPTConfig(**{"n_layer": layers, "n_head": heads, "d_model": width, **overrides}))
