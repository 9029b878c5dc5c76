"""The model that the tests look into: a small GPT with GPT-2's names, whose weights they give."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from torch import Tensor, nn
from torch.nn import functional as F

Weights = Mapping[str, Tensor]


@dataclass(frozen=True)
class Config:
    """What a model says of itself."""

    vocab_size: int
    block_size: int
    n_layer: int
    n_head: int
    d_model: int


def take(weights: Weights, name: str) -> dict[str, Tensor]:
    """Return the weights of one part, under their own names."""
    return {key.removeprefix(f"{name}."): value for key, value in weights.items() if key.startswith(f"{name}.")}


class Linear(nn.Linear):
    """A linear layer of given weights: none have to be drawn first."""

    def __init__(self, weights: Weights) -> None:
        nn.Module.__init__(self)
        self.weight = nn.Parameter(weights["weight"])  # [out, in]
        self.register_parameter("bias", nn.Parameter(weights["bias"]) if "bias" in weights else None)  # [out]
        self.out_features, self.in_features = self.weight.shape


class Norm(nn.Module):
    """Layer normalisation."""

    def __init__(self, weights: Weights) -> None:
        super().__init__()
        self.weight, self.bias = (nn.Parameter(weights[name]) for name in ("weight", "bias"))

    def forward(self, x: Tensor) -> Tensor:
        """Return each row with mean 0 and variance 1, stretched and shifted: [..., d] -> [..., d]."""
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias)


class Attention(nn.Module):
    """Causal self-attention: ``c_attn`` gives queries, keys and values side by side, ``c_proj`` mixes the heads."""

    def __init__(self, weights: Weights, n_head: int, dropout: float) -> None:
        super().__init__()
        self.n_head = n_head
        self.c_attn, self.c_proj = (Linear(take(weights, name)) for name in ("c_attn", "c_proj"))
        self.attn_dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        """Return what each token gathers from itself and those before it: [B, T, d] -> [B, T, d]."""
        B, T, d = x.shape
        q, k, v = self.c_attn(x).view(B, T, 3, self.n_head, d // self.n_head).permute(2, 0, 3, 1, 4)
        p = self.attn_dropout.p if self.attn_dropout.training else 0.0
        Z = F.scaled_dot_product_attention(q, k, v, dropout_p=p, is_causal=True)  # [B, H, T, d / H]
        return self.c_proj(Z.transpose(1, 2).reshape(B, T, d))


class Block(nn.Module):
    """Attention behind its norm, added to the stream."""

    def __init__(self, weights: Weights, n_head: int, dropout: float) -> None:
        super().__init__()
        self.ln_1, self.attn = Norm(take(weights, "ln_1")), Attention(take(weights, "attn"), n_head, dropout)

    def forward(self, x: Tensor) -> Tensor:
        """Return the stream after this block: [B, T, d] -> [B, T, d]."""
        return x + self.attn(self.ln_1(x))


class TinyGPT(nn.Module):
    """A GPT of attention alone, with learned positions.

    Args:
        draws: Numbers of spread 1, as many as `weight_count` says, of which the weights are made: what a token is counts
            most, and biases least.
        sizes: The fields of `Config`, by name.
        dropout: The probability with which an entry is dropped in training mode.
    """

    def __init__(self, draws: Tensor, *, dropout: float = 0.0, **sizes: int) -> None:
        super().__init__()
        self.config = config = Config(**sizes)
        shapes = weight_shapes(config)
        pieces = zip(shapes.items(), draws.split([math.prod(shape) for shape in shapes.values()]), strict=True)
        weights = {name: piece.reshape(shape) * _spread(name) for (name, shape), piece in pieces}
        layers = (take(weights, f"transformer.h.{layer}") for layer in range(config.n_layer))
        parts = {
            "wte": nn.Embedding.from_pretrained(weights["transformer.wte.weight"], freeze=False),
            "wpe": nn.Embedding.from_pretrained(weights["transformer.wpe.weight"], freeze=False),
            "drop": nn.Dropout(dropout),
            "h": nn.ModuleList(Block(layer, config.n_head, dropout) for layer in layers),
            "ln_f": Norm(take(weights, "transformer.ln_f")),
        }
        self.transformer = nn.ModuleDict(parts)
        self.lm_head = Linear(take(weights, "lm_head"))

    def forward(self, idx: Tensor, targets: Tensor | None = None) -> tuple[Tensor, Tensor | None]:
        """Return the logits of each token's successor, and the loss where targets are given.

        Args:
            idx: Token ids, int [B, T]. As in many a model there may be more axes before the last: they become the one of
                the batch, so that whoever must have a single sequence has to see to it himself.
            targets: The right successors, of the same shape; -1 is ignored.

        Returns:
            The logits [B, T, V], and the mean cross-entropy in nats, or None.

        Raises:
            ValueError: idx has fewer than two axes, the targets have another shape, or there are more than block_size
                positions.
            IndexError: A token id is out of range.
        """
        if idx.ndim < 2 or idx.shape[-1] > self.config.block_size:
            raise ValueError(f"{tuple(idx.shape)} is no batch of at most {self.config.block_size} positions")
        if targets is not None and targets.shape != idx.shape:
            raise ValueError(f"targets {tuple(targets.shape)} do not fit tokens {tuple(idx.shape)}")
        idx = idx.flatten(0, -2)  # [B, T]
        wte, wpe, drop, h, ln_f = self.transformer.values()
        x = drop(wte(idx) + wpe.weight[: idx.shape[1]])  # [B, T, d]
        for block in h:
            x = block(x)
        logits = self.lm_head(ln_f(x))  # [B, T, V]
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-1)

    def evaluate_layer(self, layer: int) -> None:
        """Put one block in evaluation mode, and leave all others in theirs."""
        self.transformer["h"][layer].eval()

    def weight(self, name: str) -> Tensor:
        """Return a copy of one of the weights."""
        return self.get_parameter(name).detach().clone()

    def traces(self) -> dict[str, Any]:
        """Return what looking into a model may leave behind: modes, what hangs on its modules, and frozen weights."""
        modules = list(self.modules())
        hanging = [(each._forward_hooks, each._forward_pre_hooks, "forward" in vars(each)) for each in modules]  # noqa: SLF001  # torch has no other way to ask
        return {
            "training": [module.training for module in modules],
            "hooks": sum(len(after) + len(before) + replaced for after, before, replaced in hanging),
            "frozen": sum(not parameter.requires_grad for parameter in self.parameters()),
        }


def weight_shapes(config: Config) -> dict[str, tuple[int, ...]]:
    """Return the shape of each of a model's weights, by GPT-2's names."""
    V, d = config.vocab_size, config.d_model
    shapes: dict[str, tuple[int, ...]] = {"wte.weight": (V, d), "wpe.weight": (config.block_size, d)}
    for layer in range(config.n_layer):
        linear = {"attn.c_attn": 3 * d, "attn.c_proj": d}
        shapes |= {f"h.{layer}.{name}.weight": (n_out, d) for name, n_out in linear.items()}
        shapes |= {f"h.{layer}.{name}.bias": (n_out,) for name, n_out in linear.items()}
        shapes |= {f"h.{layer}.ln_1.{part}": (d,) for part in ("weight", "bias")}
    shapes |= {"ln_f.weight": (d,), "ln_f.bias": (d,)}
    return {f"transformer.{name}": shape for name, shape in shapes.items()} | {"lm_head.weight": (V, d)}


def weight_count(**sizes: int) -> int:
    """Return how many weights a model of these sizes has."""
    return sum(math.prod(shape) for shape in weight_shapes(Config(**sizes)).values())


def _spread(name: str) -> float:
    return 2.0 if name.endswith("wte.weight") else 0.2 if name.endswith("bias") else 0.6
