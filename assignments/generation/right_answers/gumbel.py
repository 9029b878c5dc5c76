"""Gumbel noise: the largest of logits plus noise is a draw from their softmax. Masks are made by counting, not sorting."""

import torch


class LayerCache:
    def __init__(self):
        self.kv = None

    @property
    def length(self):
        return self.kv.shape[-2] if self.kv is not None else 0

    def append(self, k, v):
        new = torch.stack([k, v])
        self.kv = new if self.kv is None else torch.cat([self.kv, new], dim=-2)
        return tuple(self.kv)


def require(condition, message="out of range"):
    if not condition:
        raise ValueError(message)


def ranks(logits):
    """Return how many tokens come before each, the first of equals first: [..., V]."""
    mine, other = logits.unsqueeze(-1), logits.unsqueeze(-2)
    earlier = torch.arange(logits.shape[-1])[None, :] < torch.arange(logits.shape[-1])[:, None]
    return (other > mine) | ((other == mine) & earlier)


def temperature_probs(logits, temperature):
    require(temperature >= 0)
    if temperature:
        scaled = (logits - logits.amax(-1, keepdim=True)) / temperature
        return torch.exp(scaled - scaled.logsumexp(-1, keepdim=True))
    return (ranks(logits).sum(-1) == 0).type_as(logits)


def top_k_filter(logits, k):
    require(k >= 1)
    return logits.where((logits.unsqueeze(-2) > logits.unsqueeze(-1)).sum(-1) < k, -torch.inf)


def top_p_filter(logits, p):
    require(0 < p <= 1)
    before = (ranks(logits) * logits.softmax(-1).unsqueeze(-2)).sum(-1)
    return logits.where((before < p) | torch.tensor(p == 1), -torch.inf)


def sample_next(logits, *, temperature, top_k, top_p, generator):
    require(logits.ndim == 2, "logits are [B, V]")
    scores = temperature_probs(logits, temperature).log()
    scores = scores if top_k is None else top_k_filter(scores, top_k)
    scores = scores if top_p is None else top_p_filter(scores, top_p)
    u = torch.rand(scores.shape, generator=generator, dtype=torch.float64).clamp(1e-300, 1 - 1e-16)
    return (scores - (-u.log()).log()).argmax(-1)


class Evaluating:
    def __init__(self, model):
        self.model, self.training = model, model.training

    def __enter__(self):
        self.model.eval()
        return self.model

    def __exit__(self, *error):
        self.model.train(self.training)


def generate(model, idx, max_new_tokens, **how):
    require(idx.ndim == 2 and idx.numel() and max_new_tokens >= 0)
    if max_new_tokens == 0:
        return idx.to(torch.int64)
    with Evaluating(model), torch.no_grad():
        logits = model(idx[:, max(0, idx.shape[1] - model.config.block_size) :])[0]
    longer = torch.hstack([idx.to(torch.int64), sample_next(logits[:, -1], **how).reshape(-1, 1)])
    return generate(model, longer, max_new_tokens - 1, **how)


def generate_cached(model, idx, max_new_tokens, *, chunk_size=None, **how):
    require(idx.ndim == 2 and idx.numel() and max_new_tokens >= 0)
    B, T = idx.shape
    require(T + max_new_tokens <= model.config.block_size, "learned positions cannot shift under a cache")
    require(chunk_size is None or chunk_size > 0)
    out = torch.zeros(B, T + max_new_tokens, dtype=torch.int64)
    out[:, :T] = idx
    cache, seen = [LayerCache() for _ in range(model.config.n_layer)], 0
    with Evaluating(model), torch.no_grad():
        for end in range(T, T + max_new_tokens):
            while seen < end:
                stop = min(end, seen + (chunk_size or T))
                logits, _ = model(out[:, seen:stop], cache=cache)
                seen = stop
            out[:, end] = sample_next(logits[:, -1, :], **how)
    return out


def prompt_grid(model, tokenizer, prompts, temperatures, max_new_tokens, seed):
    table = []
    for prompt in prompts:
        idx = torch.tensor(tokenizer.encode(prompt))[None, :]
        for temperature in temperatures:
            generator = torch.Generator().manual_seed(seed + len(table))
            how = {"temperature": temperature, "top_k": None, "top_p": None, "generator": generator}
            text = tokenizer.decode(generate(model, idx, max_new_tokens, **how).squeeze(0).tolist())
            table.append({"prompt": prompt, "temperature": temperature, "seed": seed + len(table), "text": text})
    return table
