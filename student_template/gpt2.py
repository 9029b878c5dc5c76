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
        raise NotImplementedError("gpt2.gpt")

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
        raise NotImplementedError("gpt2.gpt")

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
        raise NotImplementedError("gpt2.load_gpt2_state_dict")


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
    raise NotImplementedError("gpt2.from_preset")
