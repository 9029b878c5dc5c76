"""The most probable token is taken off, again and again; tokens come from a Python generator, and draws from a race of exponentials."""

import contextlib
import itertools

import torch

INFINITY = float("inf")


class LayerCache:
    def __init__(self):
        self.pieces = []

    @property
    def length(self):
        return sum(k.size(-2) for k, _ in self.pieces)

    def append(self, k, v):
        self.pieces.append((k, v))
        return [torch.cat(piece, dim=-2) for piece in zip(*self.pieces, strict=True)]


def peeled(logits):
    """Yield the largest of what is left of each row, and where it stands: [..., 1] and one-hot [..., V]."""
    left = logits.detach().clone()
    gone = torch.zeros_like(left, dtype=torch.bool)
    positions = torch.arange(logits.size(-1))
    for _ in positions:
        top = left.masked_fill(gone, -INFINITY).max(dim=-1, keepdim=True).values
        candidates = (left == top) & ~gone
        first = torch.where(candidates, positions, logits.size(-1)).min(dim=-1, keepdim=True).values
        yield top, positions == first
        gone = gone | (positions == first)


def temperature_probs(logits, temperature):
    if not temperature >= 0:
        raise ValueError(f"the temperature is {temperature}")
    top, first = next(peeled(logits))
    if temperature == 0:
        return first.to(logits.dtype)
    weights = ((logits - top) / temperature).exp()
    return weights.div(weights.sum(-1, keepdim=True))


def top_k_filter(logits, k):
    if k < 1:
        raise ValueError(f"k is {k}")
    *_, (least, _) = itertools.islice(peeled(logits), k)
    return logits.masked_fill(~(logits >= least), -INFINITY)


def top_p_filter(logits, p):
    if not 0 < p <= 1:
        raise ValueError(f"p is {p}")
    probs = torch.softmax(logits.detach(), dim=-1)
    kept, total = torch.zeros_like(probs, dtype=torch.bool), torch.zeros_like(probs[..., :1])
    for _, token in peeled(logits):
        kept = kept | (token & (total < p)) | torch.tensor(p == 1)
        total = total + (probs * token).sum(-1, keepdim=True)
    return torch.where(kept, logits, torch.full_like(logits, -INFINITY))


def sample_next(logits, *, temperature, top_k, top_p, generator):
    if logits.dim() != 2:
        raise ValueError("[B, V] is wanted")
    filters = [(top_k_filter, top_k), (top_p_filter, top_p)]
    left = torch.log(temperature_probs(logits, temperature))
    for function, limit in filters:
        left = left if limit is None else function(left, limit)
    # The first to arrive, at rates that are the probabilities.
    times = torch.empty_like(left).exponential_(generator=generator)
    return torch.argmin(times.log() - left, dim=-1)


@contextlib.contextmanager
def at_rest(model):
    before = model.training
    model.train(False)
    with torch.inference_mode():
        try:
            yield model
        finally:
            model.train(before)


def checked(idx, n):
    if idx.dim() != 2 or 0 in idx.shape or n < 0:
        raise ValueError(f"no prompt, or {n} tokens")
    return idx.long()


def spoken(read, idx, draw):
    """Yield columns of tokens without end, [B, 1] each: `read` is shown what is new, and gives the last logits."""
    new = idx
    while True:
        new = draw(read(new))[:, None]
        yield new


def told(model, read, idx, n, how):
    with at_rest(model):
        tokens = spoken(read, idx, lambda logits: sample_next(logits, **how))
        return torch.cat([idx, *itertools.islice(tokens, n)], dim=1).clone()


def generate(model, idx, max_new_tokens, **how):
    idx, window = checked(idx, max_new_tokens), []

    def read(new):
        window.extend(new.unbind(1))
        del window[: -model.config.block_size]
        return model(torch.stack(window, dim=1))[0].select(1, -1)

    return told(model, read, idx, max_new_tokens, how)


def generate_cached(model, idx, max_new_tokens, *, chunk_size=None, **how):
    idx = checked(idx, max_new_tokens)
    if idx.size(1) + max_new_tokens > model.config.block_size:
        raise ValueError("what is cached stands where it was computed, and cannot move")
    if chunk_size is not None and chunk_size < 1:
        raise ValueError(f"chunks of {chunk_size}")
    cache = tuple(LayerCache() for _ in range(model.config.n_layer))

    def read(new):
        for chunk in torch.split(new, chunk_size or new.size(1), dim=1):
            logits = model(chunk, cache=cache)[0]
        return logits.select(1, -1)

    return told(model, read, idx, max_new_tokens, how)


def prompt_grid(model, tokenizer, prompts, temperatures, max_new_tokens, seed):
    def line(number, prompt, temperature):
        source = torch.Generator()
        source.manual_seed(number)
        idx = torch.tensor([tokenizer.encode(prompt)], dtype=torch.long)
        out = generate(model, idx, max_new_tokens, temperature=temperature, top_k=None, top_p=None, generator=source)
        return {"prompt": prompt, "temperature": temperature, "seed": number, "text": tokenizer.decode(out[0].tolist())}

    every = itertools.product(prompts, temperatures)
    return [line(number, *pair) for number, pair in zip(itertools.count(seed), every)]
