"""What torch has for it: topk, sort, scatter, multinomial."""

import torch
from torch.nn import functional as F


class LayerCache:
    def __init__(self):
        self.k = self.v = None

    @property
    def length(self):
        return 0 if self.k is None else self.k.size(2)

    def append(self, k, v):
        self.k = k if self.k is None else torch.cat((self.k, k), 2)
        self.v = v if self.v is None else torch.cat((self.v, v), 2)
        return self.k, self.v


def temperature_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("negative temperature")
    if temperature == 0:
        return F.one_hot(logits.argmax(-1), logits.size(-1)).to(logits.dtype)
    return F.softmax(logits / temperature, dim=-1)


def top_k_filter(logits, k):
    if k <= 0:
        raise ValueError("k must be positive")
    values, _ = torch.topk(logits, min(k, logits.size(-1)))
    return torch.where(logits < values[..., [-1]], float("-inf"), logits)


def top_p_filter(logits, p):
    if p <= 0 or p > 1:
        raise ValueError("p must be in (0, 1]")
    values, indices = torch.sort(logits, descending=True, stable=True)
    cumulative = F.softmax(values, dim=-1).cumsum(-1)
    remove = cumulative >= p
    remove[..., 1:] = remove[..., :-1].clone()
    remove[..., 0] = False
    return logits.masked_fill(remove.scatter(-1, indices, remove) & (p < 1), float("-inf"))


def sample_next(logits, *, temperature, top_k, top_p, generator):
    if logits.dim() != 2:
        raise ValueError("logits must be [B, V]")
    if temperature == 0:
        if (top_k is not None and top_k < 1) or (top_p is not None and not 0 < top_p <= 1):
            raise ValueError("out of range")
        return logits.argmax(-1)
    if temperature < 0:
        raise ValueError("negative temperature")
    logits = logits / temperature
    if top_k is not None:
        logits = top_k_filter(logits, top_k)
    if top_p is not None:
        logits = top_p_filter(logits, top_p)
    return torch.multinomial(F.softmax(logits, dim=-1), 1, generator=generator).squeeze(1)


def _check(idx, n):
    if idx.dim() != 2 or idx.size(1) == 0 or n < 0:
        raise ValueError("bad prompt")


@torch.no_grad()
def generate(model, idx, max_new_tokens, *, temperature, top_k, top_p, generator):
    _check(idx, max_new_tokens)
    was_training = model.training
    model.eval()
    idx = idx.long()
    for _ in range(max_new_tokens):
        idx_cond = idx if idx.size(1) <= model.config.block_size else idx[:, -model.config.block_size :]
        logits, _ = model(idx_cond)
        idx_next = sample_next(logits[:, -1, :], temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        idx = torch.cat((idx, idx_next.unsqueeze(1)), dim=1)
    model.train(was_training)
    return idx


@torch.no_grad()
def generate_cached(model, idx, max_new_tokens, *, chunk_size=None, temperature, top_k, top_p, generator):
    _check(idx, max_new_tokens)
    if idx.size(1) + max_new_tokens > model.config.block_size:
        raise ValueError("does not fit")
    if chunk_size is not None and chunk_size < 1:
        raise ValueError("empty chunk")
    was_training = model.training
    model.eval()
    cache = [LayerCache() for _ in range(model.config.n_layer)]
    idx = idx.long()
    for chunk in idx.split(chunk_size or idx.size(1), dim=1):
        logits, _ = model(chunk, cache=cache)
    for _ in range(max_new_tokens):
        how = {"temperature": temperature, "top_k": top_k, "top_p": top_p, "generator": generator}
        token = sample_next(logits[:, -1], **how).unsqueeze(1)
        idx = torch.cat((idx, token), dim=1)
        logits, _ = model(token, cache=cache)  # once more than needed
    model.train(was_training)
    return idx


def prompt_grid(model, tokenizer, prompts, temperatures, max_new_tokens, seed):
    rows = []
    for prompt in prompts:
        for temperature in temperatures:
            row_seed = seed + len(rows)
            generator = torch.Generator()
            generator.manual_seed(row_seed)
            ids = torch.tensor(tokenizer.encode(prompt))[None]
            out = generate(
                model, ids, max_new_tokens, temperature=temperature, top_k=None, top_p=None, generator=generator
            )
            rows.append(
                {
                    "prompt": prompt,
                    "temperature": temperature,
                    "seed": row_seed,
                    "text": tokenizer.decode(out[0].tolist()),
                }
            )
    return rows
