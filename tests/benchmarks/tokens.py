"""Tokens per second in training: our GPT through the loop of Homework 11's program, and two others of the same shapes, in turn.

python -m tests.benchmarks.tokens [--rounds 9] [--preset nano] [--batch-size 16]

One round of each is a step: batch, forward, loss, backward, clipping, update. The others are GPT-2 with a projection for each
head, one after the other, and GPT-2 of `torch.nn` parts. All have as many parameters, save what tying and biases do.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "reference"), str(ROOT / "student_template")]

from hw11.loop import alone  # noqa: E402
from hw11.modules import load  # noqa: E402
from hw11.speed import WAYS  # noqa: E402

CODE = load(ROOT / "reference")
V, T = 101, 128


class Heads(nn.Module):
    """Attention as it is first written: for each head three projections and a matrix product of its own."""

    def __init__(self, config):
        super().__init__()
        d, d_head = config.d_model, config.d_model // config.n_head
        self.heads = nn.ModuleList(nn.ModuleList(nn.Linear(d, d_head) for _ in "qkv") for _ in range(config.n_head))
        self.c_proj = nn.Linear(d, d)

    def forward(self, x, cache=None):
        mask = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()
        found = []
        for head in self.heads:
            q, k, v = (project(x) for project in head)  # [B, T, d / H]
            S = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5  # [B, T, T]
            found.append(S.masked_fill(~mask, -torch.inf).softmax(dim=-1) @ v)
        return self.c_proj(torch.cat(found, dim=-1))


class Parts(nn.Module):
    """GPT-2 of what torch.nn has ready: its encoder layer with the norms first, a mask and the tanh form of GELU."""

    def __init__(self, config):
        super().__init__()
        d = config.d_model
        self.wte, self.wpe = nn.Embedding(config.vocab_size, d), nn.Embedding(config.block_size, d)
        self.h = nn.ModuleList(
            nn.TransformerEncoderLayer(
                d, config.n_head, 4 * d, 0.0, partial(F.gelu, approximate="tanh"), batch_first=True, norm_first=True
            )
            for _ in range(config.n_layer)
        )
        self.ln_f = nn.LayerNorm(d)
        self.lm_head = nn.Linear(d, config.vocab_size, bias=False)
        self.lm_head.weight = self.wte.weight

    def forward(self, idx):
        x = self.wte(idx) + self.wpe(torch.arange(idx.shape[1]))
        mask = nn.Transformer.generate_square_subsequent_mask(idx.shape[1])
        for layer in self.h:
            x = layer(x, src_mask=mask, is_causal=True)
        return self.lm_head(self.ln_f(x))


def config(steps, batch_size):
    return CODE.training.TrainConfig(steps, batch_size, T, log_every=steps + 1)


def ours(preset, tokens, batch_size, way=None) -> Iterator[object]:
    """Our GPT, through the program's loop; each `next` is a step."""
    model = CODE.gpt2.from_preset(preset, vocab_size=V, block_size=T)
    if way:
        WAYS[way](model, CODE)
    # From the fifth step on none is logged, so that nothing is evaluated.
    return alone(CODE, model, config(10**6, batch_size), (tokens, tokens)).steps(start=5)


def others(model, tokens, batch_size) -> Iterator[object]:
    """Any model that returns logits, in the loop that everyone writes, with torch's own loss, clipping and AdamW."""
    optimizer, generator = torch.optim.AdamW(model.parameters(), 1e-3), torch.Generator().manual_seed(0)
    while True:
        x, y = CODE.training.get_batch(tokens, batch_size, T, generator)
        logits = model(x)
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        yield loss.item()


def by_heads(preset) -> nn.Module:
    """Our GPT with `Heads` in the place of its attention."""
    model = CODE.gpt2.from_preset(preset, vocab_size=V, block_size=T)
    for block in model.transformer.h:
        block.attn = Heads(model.config)

    class Logits(nn.Module):
        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, idx):
            return self.model(idx)[0]

    return Logits()


def contenders(preset, tokens, batch_size) -> dict[str, Iterator[object]]:
    numbers = CODE.gpt2.from_preset(preset, vocab_size=V, block_size=T).config
    return {
        "torch.nn parts": others(Parts(numbers), tokens, batch_size),
        "ours": ours(preset, tokens, batch_size),
        "ours, --flash": ours(preset, tokens, batch_size, "flash"),
        "heads one by one": others(by_heads(preset), tokens, batch_size),
    }


def seconds(step: Callable[[], object]) -> float:
    started = time.perf_counter()
    step()
    return time.perf_counter() - started


def main() -> None:
    """Print the median of each, and its ratio to torch.nn's parts, round by round."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--preset", default="nano")
    parser.add_argument("--batch-size", type=int, default=16)
    arguments = parser.parse_args()
    torch.manual_seed(0)
    tokens = torch.randint(V, (20_000,))
    found = contenders(arguments.preset, tokens, arguments.batch_size)
    times: dict[str, list[float]] = {name: [] for name in found}
    for _ in range(arguments.rounds + 2):
        for name, steps in found.items():
            times[name].append(seconds(lambda steps=steps: next(steps)))
    floor = times["torch.nn parts"][2:]
    for name, all_ in times.items():
        kept = all_[2:]
        ratio = statistics.median(a / b for a, b in zip(floor, kept, strict=True))
        speed = arguments.batch_size * T / statistics.median(kept)
        spread = f"{min(kept) * 1000:.0f} to {max(kept) * 1000:.0f} ms a step"
        sys.stdout.write(
            f"{name:<18} {speed:9,.0f} tokens/s  ({spread})  {ratio:.2f} times as fast as torch.nn parts\n"
        )


if __name__ == "__main__":
    main()
