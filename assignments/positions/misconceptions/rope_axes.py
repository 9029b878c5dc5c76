"""Positions of RoPE that meet the frequencies without an axis of their own."""

from __future__ import annotations

import math

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import _frequencies, _rows, rope


@rope(
    "positions.rope/positions-without-an-axis",
    en=Explained(
        "You multiply positions by frequencies entry by entry.",
        "positions [T] times frequencies [d/2] needs T = d/2, and then row t is turned by the angles of all positions, one for each pair. Every position needs every frequency: [T, 1] times [d/2] is [T, d/2].",
        hint="Print the shape of your angles for 3 positions and a width of 8.",
    ),
    zh_tw=Explained(
        "你把位置和頻率逐項相乘。",
        "positions [T] 乘頻率 [d/2] 需要 T = d/2，那時每個橫列都用各個位置的角度，一對用一個。每個位置都要配上每個頻率：[T, 1] 乘 [d/2] 是 [T, d/2]。",
        hint="3 個位置、寬度 8：印出你的角度的形狀。",
    ),
)
def no_axis(ref, x, positions, base=10000.0):
    x, positions = _rows(x, positions, base)
    angles = positions * _frequencies(x.shape[-1], base)
    c, s, out = np.cos(angles), np.sin(angles), np.empty_like(x)
    out[..., 0::2] = x[..., 0::2] * c - x[..., 1::2] * s
    out[..., 1::2] = x[..., 0::2] * s + x[..., 1::2] * c
    return out


@variant("positions.rope/positions-without-an-axis")
def no_axis_by_column(ref, x, positions, base=10000.0):
    x, positions = _rows(x, positions, base)
    angles = np.broadcast_to(positions * _frequencies(x.shape[-1], base), (*x.shape[:-1], x.shape[-1] // 2))
    out = np.zeros_like(x)
    for *row, i in np.ndindex(angles.shape):
        a, b = (float(x[(*row, column)]) for column in (2 * i, 2 * i + 1))
        angle = float(angles[(*row, i)])
        out[(*row, 2 * i)] = a * math.cos(angle) - b * math.sin(angle)
        out[(*row, 2 * i + 1)] = a * math.sin(angle) + b * math.cos(angle)
    return out
