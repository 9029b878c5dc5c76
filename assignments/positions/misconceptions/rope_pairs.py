"""Pairs of RoPE that are taken from one place and put back into another."""

from __future__ import annotations

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import _each_pair, _frequencies, _rows, _spun, _woven, rope


@rope(
    "positions.rope/taken-in-halves",
    en=Explained(
        "You take columns i and i + d/2 for a pair, and put it back as columns 2i and 2i+1.",
        "Each pair is turned rightly, and lands where it did not come from: even at position 0 the columns of a row have changed places.",
        hint="Put a row at position 0. Does it come back as it was?",
    ),
    zh_tw=Explained(
        "你取直行 i 和 i + d/2 當一對，卻放回直行 2i 和 2i+1。",
        "每一對都轉對了，卻沒有放回原來的地方：就連位置 0 的橫列，直行也換了位置。",
        hint="把一個橫列放在位置 0。它有原樣回來嗎？",
    ),
)
def taken_in_halves(ref, x, positions, base=10000.0):
    x, positions = _rows(x, positions, base)
    a, b = np.split(x, 2, axis=-1)
    angles = positions[..., None] * _frequencies(x.shape[-1], base)
    c, s = np.cos(angles).astype(x.dtype), np.sin(angles).astype(x.dtype)
    return _woven(a * c - b * s, a * s + b * c)


@variant("positions.rope/taken-in-halves")
def taken_in_halves_by_loop(ref, x, positions, base=10000.0):
    d = x.shape[-1]
    order = [column for i in range(d // 2) for column in (i, i + d // 2)] + [d - 1] * (
        d % 2
    )  # an odd width is refused below
    shuffled = x[..., order]
    return _each_pair(shuffled, positions, base, lambda p, i, a, b: _spun(a, b, p * base ** (-2 * i / d)))
