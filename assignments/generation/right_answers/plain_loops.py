"""Rows one by one, sorted lists of pairs, a while loop: no tensor is cleverer than a list here, but gradients get through."""

import math

import torch


class LayerCache:
    def __init__(self):
        self.keys, self.values, self.length = [], [], 0

    def append(self, k, v):
        self.keys.append(k)
        self.values.append(v)
        self.length += k.shape[-2]
        return torch.cat(self.keys, -2), torch.cat(self.values, -2)


def _rows(logits, keep):
    """Put -inf where keep(row, probs) has not the token."""
    flat = logits.reshape(-1, logits.shape[-1])
    gone = torch.ones(flat.shape, dtype=torch.bool)
    for b, (row, probs) in enumerate(zip(flat.tolist(), flat.softmax(-1).tolist(), strict=True)):
        for token in keep(row, probs):
            gone[b, token] = False
    return logits.masked_fill(gone.reshape(logits.shape), -math.inf)


def temperature_probs(logits, temperature):
    if temperature < 0:
        raise ValueError(f"temperature {temperature} is negative")
    if temperature == 0:
        flat = logits.reshape(-1, logits.shape[-1])
        out = torch.zeros_like(flat)
        for b, row in enumerate(flat.tolist()):
            out[b, row.index(max(row))] = 1
        return out.reshape(logits.shape)
    return torch.softmax(logits / temperature, -1)


def top_k_filter(logits, k):
    if k <= 0:
        raise ValueError(f"k = {k} keeps nothing")

    def keep(row, _):
        least = sorted(row, reverse=True)[:k][-1]
        return [token for token, x in enumerate(row) if x >= least]

    return _rows(logits, keep)


def top_p_filter(logits, p):
    if p <= 0 or p > 1:
        raise ValueError(f"p = {p} is no such probability")

    def keep(row, probs):
        kept, total = [], 0.0
        for token in sorted(range(len(row)), key=lambda token: (-row[token], token)):
            if total >= p and p < 1:
                break
            kept.append(token)
            total += probs[token]
        return kept

    return _rows(logits, keep)


def sample_next(logits, *, temperature, top_k, top_p, generator):
    if len(logits.shape) != 2:
        raise ValueError("two axes are needed")
    scores = temperature_probs(logits, temperature).log()
    if top_k is not None:
        scores = top_k_filter(scores, top_k)
    if top_p is not None:
        scores = top_p_filter(scores, top_p)
    # Of exponential waiting times with the probabilities for rates, the shortest is a draw.
    waits = torch.empty(scores.shape, dtype=torch.float64).exponential_(generator=generator)
    return (waits / scores.double().softmax(-1)).argmin(-1)


def _continued(model, idx, n, step):
    if len(idx.shape) != 2 or idx.shape[1] < 1 or n < 0:
        raise ValueError("no prompt")
    text, mode = idx.clone().long(), model.training
    model.eval()
    while text.shape[1] < idx.shape[1] + n:
        text = torch.cat([text, step(text)[:, None]], 1)
    if mode:
        model.train()
    return text


def generate(model, idx, max_new_tokens, *, temperature, top_k, top_p, generator):
    def step(text):
        with torch.no_grad():
            logits = model(text[:, -model.config.block_size :])[0]
        return sample_next(
            logits[:, logits.shape[1] - 1], temperature=temperature, top_k=top_k, top_p=top_p, generator=generator
        )

    return _continued(model, idx, max_new_tokens, step)


def generate_cached(model, idx, max_new_tokens, *, chunk_size=None, temperature, top_k, top_p, generator):
    if idx.shape[-1] + max_new_tokens > model.config.block_size:
        raise ValueError("what is cached cannot move to another position")
    if chunk_size is not None and chunk_size < 1:
        raise ValueError("an empty chunk")
    cache = [LayerCache() for _ in range(model.config.n_layer)]

    def step(text):
        for chunk in torch.split(text[:, cache[0].length :], chunk_size or text.shape[1], 1):
            with torch.no_grad():
                logits = model(chunk, cache=cache)[0]
        return sample_next(logits[:, -1], temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)

    return _continued(model, idx, max_new_tokens, step)


def prompt_grid(model, tokenizer, prompts, temperatures, max_new_tokens, seed):
    rows = [{"prompt": prompt, "temperature": t} for prompt in prompts for t in temperatures]
    for i, row in enumerate(rows):
        row["seed"] = seed + i
        tokens = generate(
            model,
            torch.tensor([tokenizer.encode(row["prompt"])]),
            max_new_tokens,
            temperature=row["temperature"],
            top_k=None,
            top_p=None,
            generator=torch.Generator().manual_seed(row["seed"]),
        )
        row["text"] = tokenizer.decode([int(token) for token in tokens[0]])
    return rows
