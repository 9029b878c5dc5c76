"""Everything as products: a token is a row with a single 1, an embedding a matrix product, the loss an inner product."""

import torch
from torch import nn

from layers import Block, GPTConfig, LayerNorm, require_shapes

SIZES = "femto 1 1 2, pico 3 3 6, nano 3 3 48, gpt2 12 12 768, gpt2-medium 24 16 1024, gpt2-large 36 20 1280, gpt2-xl 48 25 1600"


def hot(numbers, n, dtype):
    """[...] -> [..., n]."""
    if ((numbers < 0) | (numbers >= n)).any():
        raise IndexError("a number out of range")
    return (numbers[..., None] == torch.arange(n)).to(dtype)


class Embedding(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(n, d).normal_(0, 0.02))

    def forward(self, numbers):
        return hot(numbers, len(self.weight), self.weight.dtype) @ self.weight


class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.lm_head = Embedding(config.vocab_size, config.d_model)
        self.transformer = nn.ModuleDict()
        self.transformer["ln_f"] = LayerNorm(config.d_model, bias=config.bias)
        self.transformer["h"] = nn.ModuleList()
        self.transformer["wpe"] = Embedding(config.block_size, config.d_model)
        self.transformer["wte"] = self.lm_head
        for _ in range(config.n_layer):
            block = Block(config)
            for layer in (block.attn.c_attn, block.mlp.c_fc, block.attn.c_proj, block.mlp.c_proj):
                layer.weight.data.normal_(0, 0.02)
                if layer.bias is not None:
                    layer.bias.data.zero_()
            block.attn.c_proj.weight.data /= (2 * config.n_layer) ** 0.5
            block.mlp.c_proj.weight.data /= (2 * config.n_layer) ** 0.5
            self.transformer["h"].append(block)
        self.drop = nn.Dropout(config.dropout)

    def forward(self, idx, targets=None, cache=None):
        require_shapes("B T, B T", idx, idx if targets is None else targets)
        if cache is None:
            cache = [None] * self.config.n_layer
        elif len(cache) != self.config.n_layer:
            raise ValueError("caches and layers do not match")
        past = next((each.length for each in cache if each is not None), 0)
        places = torch.ones_like(idx[0]).cumsum(0) - 1 + past
        if len(places) and places[-1] >= self.config.block_size:
            raise ValueError("too long")
        t = self.transformer
        x = self.drop(t["wte"](idx) + t["wpe"](places))
        for i, block in enumerate(t["h"]):
            x = block(x, cache[i])
        logits = t["ln_f"](x) @ self.lm_head.weight.T
        if targets is None:
            return logits, None
        keep = (targets != -1).to(logits.dtype)  # [B, T]
        nll = -(
            logits.log_softmax(-1) * hot(targets.where(targets != -1, 0), self.config.vocab_size, logits.dtype)
        ).sum(-1)
        return logits, (nll * keep).sum() / keep.sum()

    def load_gpt2_state_dict(self, state):
        bare = {key.removeprefix("transformer."): value for key, value in state.items()}
        bare = {key: value for key, value in bare.items() if not key.endswith((".attn.bias", ".attn.masked_bias"))}
        head = bare.pop("lm_head.weight", None)
        if head is not None and not head.equal(bare["wte.weight"]):
            raise ValueError("another head")
        for key in bare:
            if key.split(".")[-2] in {"c_attn", "c_proj", "c_fc"} and key.endswith("weight"):
                bare[key] = bare[key].transpose(0, 1)
        self.transformer.load_state_dict(bare)


def from_preset(name, **overrides):
    sizes = {first: tuple(map(int, rest)) for first, *rest in map(str.split, SIZES.split(", "))}
    try:
        n_layer, n_head, d_model = sizes[name]
    except KeyError:
        raise ValueError(f"{name} is none of {', '.join(sizes)}") from None
    usual = {"n_layer": n_layer, "n_head": n_head, "d_model": d_model}
    usual |= {"vocab_size": 50257, "block_size": 1024} if d_model > 48 else {}
    usual |= overrides
    if not {"vocab_size", "block_size"} <= set(usual):
        raise ValueError("the small ones need a vocabulary and a length")
    return GPT(GPTConfig(**usual))
