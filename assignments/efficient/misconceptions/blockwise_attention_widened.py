"""What goes wrong in the exercise efficient.blockwise_attention, with running arrays that were made without a dtype.

A first version often makes them with np.zeros and np.full, and so it is float64 whatever else is wrong with it.
"""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

from __future__ import annotations

import numpy as np

from grader.testing import Explained, variant
from misconceptions import blockwise_attention as running
from misconceptions import blockwise_attention_dots as dots
from misconceptions import blockwise_attention_past as past
from misconceptions.shared import ABOUT, about_blockwise

_FIRST_VERSIONS = {
    "no-rescale": running.nothing_rescaled,
    "output-not-rescaled": running.output_left,
    "sum-not-rescaled": running.sum_left,
    "not-divided": running.not_divided,
    "scale-missing": dots.not_scaled,
    "mask-begins-again": past.begins_again,
    "queries-from-the-start": past.from_the_start,
}


def _widened(mistake):
    """The mistake, all of it in float64."""

    def attention(ref, Q, K, V, tile, causal=False):
        return mistake(ref, *(array.astype(np.float64) for array in (Q, K, V)), tile, causal)

    return attention


def _widened_at_the_end(mistake):
    """The mistake in the right dtype, added to arrays of float64."""

    def attention(ref, Q, K, V, tile, causal=False):
        Z = mistake(ref, Q, K, V, tile, causal)
        return np.zeros(Z.shape) + Z

    return attention


for slug, mistake in _FIRST_VERSIONS.items():
    en, zh_tw = ABOUT[f"efficient.blockwise_attention/{slug}"]
    about_blockwise(
        f"efficient.blockwise_attention/{slug}-in-float64",
        en=Explained(
            en.name,
            f"{en.why} Besides, your result is float64 although all input is float32: np.zeros and np.full give float64 unless told otherwise.",
            hint=en.hint,
        ),
        zh_tw=Explained(
            zh_tw.name,
            f"{zh_tw.why}另外，輸入全是 float32，你的結果卻是 float64：np.zeros 和 np.full 若不另外指定，給的是 float64。",
            hint=zh_tw.hint,
        ),
    )(_widened(mistake))
    variant(f"efficient.blockwise_attention/{slug}-in-float64")(_widened_at_the_end(mistake))
