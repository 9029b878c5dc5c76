"""Functions instead of modules where there is a choice: lookups by F, the head and the loss written out."""

import torch
from torch import nn
from torch.nn import functional as F

from layers import Block, GPTConfig, LayerNorm


class Table(nn.Module):
    """A matrix under the name `weight`."""

    def __init__(self, weight):
        super().__init__()
        self.weight = weight


def normal(*shape, std=0.02):
    return nn.Parameter(std * torch.randn(shape))


class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        table = normal(config.vocab_size, config.d_model)
        self.lm_head = Table(table)
        self.transformer = nn.Module()
        self.transformer.wte, self.transformer.wpe = Table(table), Table(normal(config.block_size, config.d_model))
        self.transformer.h = nn.ModuleList(Block(config) for _ in range(config.n_layer))
        self.transformer.ln_f = LayerNorm(config.d_model, bias=config.bias)
        with torch.no_grad():
            for name, p in self.transformer.h.named_parameters():
                if "c_" in name and name.endswith("weight"):
                    p.normal_(std=0.02 * (2 * config.n_layer) ** -0.5 if "c_proj" in name else 0.02)
                elif "c_" in name:
                    p.zero_()

    def forward(self, idx, targets=None, cache=None):
        if idx.dim() != 2:
            raise ValueError("idx must have two axes")
        if targets is not None and targets.shape != idx.shape:
            raise ValueError("targets of another shape")
        if cache is not None and len(cache) != self.config.n_layer:
            raise ValueError("caches")
        begin = cache[0].length if cache else 0
        end = begin + idx.shape[1]
        if end > self.config.block_size:
            raise ValueError("no position left")
        t = self.transformer
        x = F.embedding(idx, t.wte.weight) + t.wpe.weight[begin:end]
        x = F.dropout(x, self.config.dropout, self.training)
        for block, each in zip(t.h, [None] * len(t.h) if cache is None else cache, strict=True):
            x = block(x, each)
        logits = torch.einsum("btd,vd->btv", t.ln_f(x), t.wte.weight)
        return logits, None if targets is None else self._loss(logits, targets)

    def _loss(self, logits, targets):
        keep = targets != -1
        chosen = targets[keep]
        if ((chosen < 0) | (chosen >= self.config.vocab_size)).any():
            raise IndexError("no such token")
        kept = logits[keep]  # [n, V]
        return (kept.logsumexp(-1) - kept.gather(1, chosen[:, None])[:, 0]).mean()

    def load_gpt2_state_dict(self, state):
        mine = dict(self.named_parameters(remove_duplicate=False))
        theirs = {}
        for key, value in state.items():
            if key.endswith(("attn.masked_bias", ".attn.bias")):
                continue
            name = key if key == "lm_head.weight" or key.startswith("transformer.") else f"transformer.{key}"
            theirs[name] = value
        if missing := mine.keys() - theirs.keys() - {"lm_head.weight"}:
            raise ValueError(f"missing: {missing}")
        if unknown := theirs.keys() - mine.keys():
            raise ValueError(f"unknown: {unknown}")
        if not torch.equal(
            theirs.get("lm_head.weight", theirs["transformer.wte.weight"]), theirs["transformer.wte.weight"]
        ):
            raise ValueError("untied")
        turned = {n: v.mT if ".c_" in n and n.endswith("weight") else v for n, v in theirs.items()}
        if wrong := [n for n, v in turned.items() if v.shape != mine[n].shape]:
            raise ValueError(f"shapes: {wrong}")
        with torch.no_grad():
            for name, value in turned.items():
                mine[name].copy_(value)


def from_preset(name, **overrides):  # noqa: C901  # a case each
    match name:
        case "femto":
            numbers = (1, 1, 2)
        case "pico":
            numbers = (3, 3, 6)
        case "nano":
            numbers = (3, 3, 48)
        case "gpt2":
            numbers = (12, 12, 768)
        case "gpt2-medium":
            numbers = (24, 16, 1024)
        case "gpt2-large":
            numbers = (36, 20, 1280)
        case "gpt2-xl":
            numbers = (48, 25, 1600)
        case _:
            raise ValueError("no such model")
    given = dict(zip(("n_layer", "n_head", "d_model"), numbers, strict=True))
    if name.startswith("gpt2"):
        given |= {"vocab_size": 50257, "block_size": 1024}
    given |= overrides
    for needed in ("vocab_size", "block_size"):
        if needed not in given:
            raise ValueError(f"{needed} must be given")
    return GPT(GPTConfig(**given))
