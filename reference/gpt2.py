"""GPT-2, from token ids to logits: embeddings, blocks, a last norm, and a head that is the token embedding again.

B sequences hold T tokens each; V is the size of the vocabulary, d the width, L the number of blocks. The sequences are
integers from 0 to V - 1. Sources: Lecture 20; Radford et al. 2019, "Language Models are Unsupervised Multitask
Learners", and the names and numbers of its published weights.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from layers import Block, GPTConfig, LayerCache, LayerNorm, require_shapes

# BEGIN SOLUTION
_PRESETS: dict[str, dict[str, int]] = {
    "femto": {"n_layer": 1, "n_head": 1, "d_model": 2},
    "pico": {"n_layer": 3, "n_head": 3, "d_model": 6},
    "nano": {"n_layer": 3, "n_head": 3, "d_model": 48},
    "gpt2": {"n_layer": 12, "n_head": 12, "d_model": 768, "vocab_size": 50257, "block_size": 1024},
    "gpt2-medium": {"n_layer": 24, "n_head": 16, "d_model": 1024, "vocab_size": 50257, "block_size": 1024},
    "gpt2-large": {"n_layer": 36, "n_head": 20, "d_model": 1280, "vocab_size": 50257, "block_size": 1024},
    "gpt2-xl": {"n_layer": 48, "n_head": 25, "d_model": 1600, "vocab_size": 50257, "block_size": 1024},
}

# The linear layers that GPT-2's code calls Conv1D and stores as [in, out].
_CONV1D = ("attn.c_attn.weight", "attn.c_proj.weight", "mlp.c_fc.weight", "mlp.c_proj.weight")
# The causal masks that old checkpoints hold; they are no parameters.
_MASKS = (".attn.bias", ".attn.masked_bias")


def _initialise(module: nn.Module) -> None:
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# END SOLUTION


class GPT(nn.Module):
    """GPT-2: ``transformer`` holds wte, wpe, the blocks h and ln_f; ``lm_head`` shares its weight with wte.

    Weights and both embeddings begin as N(0, 0.02^2), biases as 0; the projections that write into the residual
    stream, all called c_proj, as N(0, 0.02^2 / 2 L), so that its variance does not grow with the depth. So the first
    loss is near ln V.

    Args:
        config: The model's numbers, kept as ``.config``.

    Raises:
        ValueError: The width does not divide into the heads.

    Source: Lecture 20, the block; Radford et al. 2019, section 2.3; Press and Wolf 2017, "Using the Output Embedding to
    Improve Language Models", for the tied head.
    """

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.config = config
        # BEGIN SOLUTION
        self.transformer = nn.ModuleDict(
            {
                "wte": nn.Embedding(config.vocab_size, config.d_model),
                "wpe": nn.Embedding(config.block_size, config.d_model),
                "drop": nn.Dropout(config.dropout),
                "h": nn.ModuleList(Block(config) for _ in range(config.n_layer)),
                "ln_f": LayerNorm(config.d_model, bias=config.bias),
            }
        )
        self.lm_head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.lm_head.weight = self.transformer.wte.weight
        self.apply(_initialise)
        for name, parameter in self.named_parameters():
            if name.endswith("c_proj.weight"):  # two in each block add to the stream, so the sum has 2 L of them
                nn.init.normal_(parameter, std=0.02 / math.sqrt(2 * config.n_layer))
        # END SOLUTION

    def forward(
        self, idx: Tensor, targets: Tensor | None = None, cache: Sequence[LayerCache] | None = None
    ) -> tuple[Tensor, Tensor | None]:
        """Return the logits of each token's successor, and the loss where targets are given.

        Args:
            idx: Token ids, int [B, T].
            targets: The right successors, int [B, T]; -1 is ignored.
            cache: One `LayerCache` for each block, with the tokens before idx, to which those of idx are added.

        Returns:
            The logits [B, T, V], and the mean cross-entropy over the targets that are not ignored, in nats (NaN where
            all are), or None.

        Raises:
            ValueError: The shapes do not fit, there are more than block_size positions, those in the cache included, or
                not as many caches as blocks. The cache stays as it is.
            IndexError: A token id or a target is out of range.
        """
        # BEGIN SOLUTION
        require_shapes("B T, B T", idx, idx if targets is None else targets)
        caches = [None] * self.config.n_layer if cache is None else cache
        if len(caches) != self.config.n_layer:
            raise ValueError(f"{self.config.n_layer} blocks need as many caches, got {len(caches)}")
        past = cache[0].length if cache else 0
        T = idx.shape[1]
        if past + T > self.config.block_size:
            raise ValueError(f"{past + T} positions are more than the {self.config.block_size} that were learned")
        positions = torch.arange(past, past + T, device=idx.device)
        x = self.transformer.wte(idx) + self.transformer.wpe(positions)  # [B, T, d] + [T, d] -> [B, T, d]
        x = self.transformer.drop(x)
        for i, block in enumerate(self.transformer.h):
            x = block(x, caches[i])
        logits = self.lm_head(self.transformer.ln_f(x))  # [B, T, V]
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-1)  # [B T, V], [B T]
        # END SOLUTION

    def load_gpt2_state_dict(self, state: Mapping[str, Tensor]) -> None:
        """Copy published GPT-2 weights into this model.

        Keys may begin with ``transformer.`` (the language model) or not (the bare transformer), ``lm_head.weight``,
        which never does, may be missing, for it is wte again, and the causal masks of old checkpoints are passed over.
        The weights of c_attn, c_proj and c_fc are stored as [in, out], the orientation of GPT-2's own Conv1D, and are
        transposed here. Where it raises, some weights may have been copied already.

        Args:
            state: From published key names to tensors.

        Raises:
            ValueError: ``lm_head.weight`` is not the token embedding.
            RuntimeError: A key is missing or left over, or a tensor has another shape than the parameter.
        """
        # BEGIN SOLUTION
        ours: dict[str, Tensor] = {}
        for key, tensor in state.items():
            if not key.endswith(_MASKS):
                name = key if key.startswith(("transformer.", "lm_head.")) else f"transformer.{key}"
                ours[name] = tensor.T if name.endswith(_CONV1D) else tensor  # [in, out] -> [out, in]
        wte = ours.get("transformer.wte.weight")
        if wte is not None and not ours.setdefault("lm_head.weight", wte).equal(wte):
            raise ValueError("lm_head.weight differs from wte.weight, and here they are one tensor")
        self.load_state_dict(ours)
        # END SOLUTION


def from_preset(name: str, **overrides: Any) -> GPT:  # noqa: ANN401  (a field of GPTConfig has its own type)
    """Return a new model of a known size.

    The sizes, as layers, heads and width: femto 1, 1, 2; pico 3, 3, 6; nano 3, 3, 48; and, with GPT-2's vocabulary of
    50257 and its 1024 positions, gpt2 12, 12, 768; gpt2-medium 24, 16, 1024; gpt2-large 36, 20, 1280; gpt2-xl 48, 25,
    1600.

    Args:
        name: One of these names.
        overrides: Fields of `GPTConfig` to set or replace; femto, pico and nano need vocab_size and block_size.

    Returns:
        The model, newly initialised.

    Raises:
        ValueError: There is no such size, or vocab_size or block_size is missing.
        TypeError: `GPTConfig` has no such field.

    Source: Recitation 11 for femto and pico; Radford et al. 2019, table 2, for GPT-2's.
    """
    # BEGIN SOLUTION
    if name not in _PRESETS:
        raise ValueError(f"no size is called {name!r}; there are {', '.join(_PRESETS)}")
    numbers = {**_PRESETS[name], **overrides}
    if missing := {"vocab_size", "block_size"} - numbers.keys():
        raise ValueError(f"{name} says nothing of {' and '.join(sorted(missing))}: give it")
    return GPT(GPTConfig(**numbers))
    # END SOLUTION
