"""One uniform number for each row, and the first token whose cumulative probability is above it."""

import math

import torch


class LayerCache:
    def __init__(self):
        self.parts = []

    @property
    def length(self):
        return sum(k.shape[2] for k, _ in self.parts)

    def append(self, k, v):
        self.parts.append((k, v))
        ks, vs = zip(*self.parts, strict=True)
        return torch.cat(ks, dim=2), torch.cat(vs, dim=2)


def temperature_probs(logits, temperature):
    if not temperature >= 0:
        raise ValueError("a temperature is at least 0")
    if temperature == 0:
        largest = logits == logits.max(dim=-1, keepdim=True).values
        return (largest & (largest.cumsum(dim=-1) == 1)).to(logits.dtype)
    return (logits.log_softmax(dim=-1) / temperature).softmax(dim=-1)


def top_k_filter(logits, k):
    if k < 1:
        raise ValueError("k is at least 1")
    larger = (logits[..., None, :] > logits[..., :, None]).sum(dim=-1)  # how many are larger than each
    return logits + torch.zeros_like(logits).masked_fill(larger >= k, -math.inf)


def top_p_filter(logits, p):
    if p > 1 or not p > 0:
        raise ValueError("p lies in (0, 1]")
    probs = logits.detach().softmax(dim=-1)
    order = probs.argsort(dim=-1, descending=True, stable=True)
    ranked = probs.gather(-1, order)
    before = torch.cat([torch.zeros_like(ranked[..., :1]), ranked.cumsum(dim=-1)[..., :-1]], dim=-1)
    kept = (before < p) | (p == 1)
    return torch.where(kept.gather(-1, order.argsort(dim=-1)), logits, -math.inf)


def sample_next(logits, *, temperature, top_k, top_p, generator):
    B, V = logits.shape if logits.ndim == 2 else _refuse()
    scores = torch.log(temperature_probs(logits, temperature))
    scores = top_k_filter(scores, V if top_k is None else top_k)
    scores = top_p_filter(scores, 1 if top_p is None else top_p)
    sums = scores.softmax(dim=-1).cumsum(dim=-1)
    u = torch.rand(B, 1, generator=generator, dtype=sums.dtype) * sums[:, -1:]
    return (sums <= u).sum(dim=-1).clamp(max=V - 1)


def _refuse():
    raise ValueError("out of range")


def _continue(model, idx, n, draw, answer):
    if idx.ndim != 2 or idx.shape[1] == 0 or n < 0:
        _refuse()
    modes = [(module, module.training) for module in model.modules()]
    text = list(idx.long().unbind(dim=1))
    model.train(mode=False)
    try:
        with torch.inference_mode():
            while len(text) < idx.shape[1] + n:
                text.append(draw(answer(torch.stack(text, dim=1))))
    finally:
        for module, mode in modes:
            module.training = mode
    return torch.stack(text, dim=1)


def generate(model, idx, max_new_tokens, *, temperature, top_k, top_p, generator):
    def draw(last):
        return sample_next(last, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)

    return _continue(
        model, idx, max_new_tokens, draw, lambda text: model(text[:, -model.config.block_size :])[0][:, -1]
    )


def generate_cached(model, idx, max_new_tokens, *, chunk_size=None, temperature, top_k, top_p, generator):
    if idx.shape[-1] + max_new_tokens > model.config.block_size or (chunk_size is not None and chunk_size <= 0):
        _refuse()
    cache = [LayerCache() for _ in range(model.config.n_layer)]

    def draw(last):
        return sample_next(last, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)

    def answer(text):
        seen = cache[0].length
        step = chunk_size or text.shape[1]
        for start in range(seen, text.shape[1], step):
            logits = model(text[:, start : start + step], cache=cache)[0]
        return logits[:, -1]

    return _continue(model, idx, max_new_tokens, draw, answer)


def prompt_grid(model, tokenizer, prompts, temperatures, max_new_tokens, seed):
    def row(i):
        prompt, temperature = prompts[i // len(temperatures)], temperatures[i % len(temperatures)]
        how = {"temperature": temperature, "top_k": None, "top_p": None}
        generator = torch.Generator().manual_seed(seed + i)
        idx = torch.tensor(tokenizer.encode(prompt)).reshape(1, -1)
        [tokens] = generate(model, idx, max_new_tokens, **how, generator=generator).tolist()
        return {"text": tokenizer.decode(tokens), "seed": seed + i, "temperature": temperature, "prompt": prompt}

    return [row(i) for i in range(len(prompts) * len(temperatures))]
