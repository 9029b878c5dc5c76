"""What goes wrong in the exercise positions.rotate_2d."""

from __future__ import annotations

import cmath
import math

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    ALWAYS_FLOAT32,
    FLOAT32_LOST,
    HALF_KEPT,
    IN_PLACE,
    OVERWRITTEN,
    SWAPPED,
    TRUNCATED,
    _each_vector,
    _real,
    _spun,
    _vectors,
    plane,
)

# `apply_rope` may pass an angle for each vector, [...], and then fails with what is wrong here: each mistake takes those too.


def _times(x, matrix):
    """Return the vectors times a matrix, whose entries are numbers or one for each vector, [...]."""
    x = _vectors(x)
    (a, b), (c, d) = matrix
    x0, x1 = x[..., 0], x[..., 1]
    return np.stack([a * x0 + b * x1, c * x0 + d * x1], axis=-1).astype(x.dtype)


@plane(
    "positions.rotate_2d/clockwise",
    en=Explained(
        "You turn clockwise.",
        "Counter-clockwise takes [1, 0] towards [0, 1]; yours goes towards [0, -1]. With rows of vectors it often comes of "
        "x @ R where x @ R.T was meant: R turns columns.",
        hint="Turn [1, 0] by a quarter. Do you land on [0, 1]?",
    ),
    zh_tw=Explained(
        "你轉的是順時針。",
        "逆時針會把 [1, 0] 轉向 [0, 1]；你的卻轉向 [0, -1]。向量排成橫列時，常常是該寫 x @ R.T 卻寫成了 x @ R：R 轉的是直行。",
        hint="把 [1, 0] 轉四分之一圈。有落在 [0, 1] 上嗎？",
    ),
)
def clockwise(ref, x, angle):
    c, s = np.cos(angle), np.sin(angle)
    return _times(x, [[c, s], [-s, c]])


@variant("positions.rotate_2d/clockwise")
def clockwise_by_complex(ref, x, angle):
    return _each_vector(x, angle, lambda a, b, angle: _spun(a, b, -angle))


@plane(
    "positions.rotate_2d/degrees",
    en=Explained(
        "You take the angle for degrees.",
        "np.sin and np.cos want radians, and so does this exercise: half a turn is pi, not 180. Converted once more, every "
        "angle becomes 57 times too small.",
        hint="What becomes of pi / 2 in your function before the cosine is taken?",
    ),
    zh_tw=Explained(
        "你把角度當成了「度」。",
        "np.sin 和 np.cos 要的是弧度，這一題給的也是：半圈是 π，不是 180。多轉換一次，每個角度都小了 57 倍。",
        hint="在你的函式裡，取餘弦之前 π / 2 變成了多少？",
    ),
)
def degrees(ref, x, angle):
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    return _times(x, [[c, -s], [s, c]])


@variant("positions.rotate_2d/degrees")
def degrees_by_complex(ref, x, angle):
    return _each_vector(x, angle, lambda a, b, angle: _spun(a, b, angle * np.pi / 180))


@plane("positions.rotate_2d/overwritten", **OVERWRITTEN)
def overwritten(ref, x, angle):
    y = _vectors(x).copy()
    y[..., 0] = y[..., 0] * np.cos(angle) - y[..., 1] * np.sin(angle)
    y[..., 1] = y[..., 0] * np.sin(angle) + y[..., 1] * np.cos(angle)
    return y


@variant("positions.rotate_2d/overwritten")
def overwritten_by_vector(ref, x, angle):
    def change(a, b, angle):
        a = a * math.cos(angle) - b * math.sin(angle)
        b = a * math.sin(angle) + b * math.cos(angle)
        return a, b

    return _each_vector(x, angle, change)


@plane("positions.rotate_2d/sine-cosine-swapped", **SWAPPED)
def swapped(ref, x, angle):
    c, s = np.sin(angle), np.cos(angle)
    return _times(x, [[c, -s], [s, c]])


@variant("positions.rotate_2d/sine-cosine-swapped")
def swapped_by_complex(ref, x, angle):
    return _each_vector(x, angle, lambda a, b, angle: _spun(a, b, math.pi / 2 - angle))


@plane(
    "positions.rotate_2d/minus-missing",
    en=Explained(
        "There is no minus sign in your rotation.",
        "One of the two sines is negative; without it the matrix stretches one diagonal and squeezes the other, and lengths "
        "change.",
        hint="Turn [0, 1] by a quarter. Should it come to [1, 0] or to [-1, 0]?",
    ),
    zh_tw=Explained(
        "你的旋轉裡沒有負號。",
        "兩個正弦裡有一個是負的；少了它，矩陣會沿著一條對角線拉長、沿另一條壓縮，長度就變了。",
        hint="把 [0, 1] 轉四分之一圈。應該到 [1, 0] 還是 [-1, 0]？",
    ),
)
def minus_missing(ref, x, angle):
    c, s = np.cos(angle), np.sin(angle)
    return _times(x, [[c, s], [s, c]])


@variant("positions.rotate_2d/minus-missing")
def minus_missing_by_vector(ref, x, angle):
    def change(a, b, angle):
        return a * math.cos(angle) + b * math.sin(angle), b * math.cos(angle) + a * math.sin(angle)

    return _each_vector(x, angle, change)


@plane(
    "positions.rotate_2d/mirrored",
    en=Explained(
        "Your matrix is a mirror, not a turn.",
        "Its minus sign stands in the wrong corner, at a cosine. Lengths are kept, so a check of lengths does not see it, but "
        "an angle of 0 already turns [0, 1] upside down.",
        hint="Put in the angle 0. The matrix should be the identity.",
    ),
    zh_tw=Explained(
        "你的矩陣是鏡射，不是旋轉。",
        "負號放錯了角落，放在餘弦前面。長度不變，所以檢查長度看不出來，但角度 0 就已經把 [0, 1] 翻了過去。",
        hint="把角度 0 代進去。矩陣應該是單位矩陣。",
    ),
)
def mirrored(ref, x, angle):
    c, s = np.cos(angle), np.sin(angle)
    return _times(x, [[c, s], [s, -c]])


@variant("positions.rotate_2d/mirrored")
def mirrored_by_complex(ref, x, angle):
    def change(a, b, angle):
        turned = cmath.exp(1j * angle) * complex(a, -b)
        return turned.real, turned.imag

    return _each_vector(x, angle, change)


@plane(
    "positions.rotate_2d/turned-to",
    en=Explained(
        "You point every vector in the direction of the angle.",
        "A turn is added to the direction that a vector has already. Yours keeps the length and forgets where the vector "
        "pointed.",
        hint="Turn [0, 1] by the angle 0. Where should it point?",
    ),
    zh_tw=Explained(
        "你讓每個向量都指向那個角度。",
        "旋轉是加在向量原有的方向上。你的只留下長度，忘了向量原本指向哪裡。",
        hint="把 [0, 1] 轉角度 0。它應該指向哪裡？",
    ),
)
def turned_to(ref, x, angle):
    x = _vectors(x)
    length = np.sqrt((x * x).sum(axis=-1))
    return np.stack([length * np.cos(angle), length * np.sin(angle)], axis=-1).astype(x.dtype)


@variant("positions.rotate_2d/turned-to")
def turned_to_by_vector(ref, x, angle):
    def change(a, b, angle):
        to = cmath.rect(math.hypot(a, b), angle)
        return to.real, to.imag

    return _each_vector(x, angle, change)


@plane(
    "positions.rotate_2d/first-axis",
    en=Explained(
        "You take x[0] and x[1] for the coordinates.",
        "x[0] is the first vector of a batch, not the first coordinate of each. Only for a single vector are they the same. "
        "The coordinates lie on the last axis, which is written [..., 0].",
        hint="Print x[0] for an x of shape [5, 2].",
    ),
    zh_tw=Explained(
        "你把 x[0] 和 x[1] 當成了座標。",
        "x[0] 是批次裡的第一個向量，不是每個向量的第一個座標。只有單獨一個向量時兩者才一樣。座標在最後一軸，寫作 [..., 0]。",
        hint="x 的形狀是 [5, 2] 時，印出 x[0]。",
    ),
)
def first_axis(ref, x, angle):
    x = _vectors(x)
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([x[0] * c - x[1] * s, x[0] * s + x[1] * c]).astype(x.dtype)


@variant("positions.rotate_2d/first-axis")
def first_axis_by_contraction(ref, x, angle):
    x = _vectors(x)
    R = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]], dtype=x.dtype)
    return np.einsum("ij...,j...->i...", R, np.take(x, [0, 1], axis=0))


@plane(
    "positions.rotate_2d/stacked-in-front",
    en=Explained(
        "You put the two coordinates back together on the first axis.",
        "Your result is [2, ...]: all first coordinates, then all second ones. np.stack and np.array do so unless told "
        "otherwise. The coordinates came on the last axis and go back there.",
        hint="Print the shapes of x and of your result for five vectors.",
    ),
    zh_tw=Explained(
        "你把兩個座標合回去時，放到了第一軸。",
        "你的結果是 [2, ...]：先是所有的第一座標，再是所有的第二座標。np.stack 和 np.array 若不另外指定就會這樣。座標原本在最後一軸，應該放回那裡。",
        hint="用五個向量，印出 x 和結果的形狀。",
    ),
)
def stacked_in_front(ref, x, angle):
    x = _vectors(x)
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([x[..., 0] * c - x[..., 1] * s, x[..., 0] * s + x[..., 1] * c]).astype(x.dtype)


@variant("positions.rotate_2d/stacked-in-front")
def stacked_in_front_by_matrix(ref, x, angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.moveaxis(_times(x, [[c, -s], [s, c]]), -1, 0)


@plane(
    "positions.rotate_2d/two-axes-only",
    en=Explained(
        "Your function works for a list of vectors only.",
        "x[:, 0] is the first coordinate while x is [n, 2]. For a single vector there is no second axis, and in a batch of "
        "batches it is another one. x[..., 0] means the last axis, however many come before it.",
        hint="Call it with shapes [2] and [2, 3, 2].",
    ),
    zh_tw=Explained(
        "你的函式只對一串向量有效。",
        "x 是 [n, 2] 時，x[:, 0] 是第一座標。單獨一個向量沒有第二軸，批次的批次裡那又是別的軸。x[..., 0] 指的是最後一軸，前面有幾軸都行。",
        hint="用形狀 [2] 和 [2, 3, 2] 呼叫看看。",
    ),
)
def two_axes_only(ref, x, angle):
    x = _vectors(x)
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([x[:, 0] * c - x[:, 1] * s, x[:, 0] * s + x[:, 1] * c], axis=1).astype(x.dtype)


@variant("positions.rotate_2d/two-axes-only")
def two_axes_only_by_row(ref, x, angle):
    x = _vectors(x)
    c, s = np.cos(angle), np.sin(angle)
    rows = zip(x, *np.broadcast_arrays(c, s, x[:, 0])[:2], strict=True)
    return np.array([[row[0] * c - row[1] * s, row[0] * s + row[1] * c] for row, c, s in rows], dtype=x.dtype)


@plane("positions.rotate_2d/float32-lost", **FLOAT32_LOST)
def float32_lost(ref, x, angle):
    x = _vectors(x)
    R = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.einsum("ij...,...j->...i", R, x)


@variant("positions.rotate_2d/float32-lost")
def float32_lost_by_coordinates(ref, x, angle):
    x = _vectors(x)
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([x[..., 0] * c - x[..., 1] * s, x[..., 0] * s + x[..., 1] * c], axis=-1)


@plane("positions.rotate_2d/always-float32", **ALWAYS_FLOAT32)
def always_float32(ref, x, angle):
    c, s = np.cos(angle), np.sin(angle)
    return _times(x, [[c, -s], [s, c]]).astype(np.float32)


@variant("positions.rotate_2d/always-float32")
def always_float32_by_complex(ref, x, angle):
    return _each_vector(x, angle, _spun).astype("f4")


@plane("positions.rotate_2d/truncated", **TRUNCATED)
def truncated(ref, x, angle):
    right = _each_vector(x, angle, _spun)
    y = np.empty_like(x) if x.dtype.kind in "iu" else right
    y[...] = right
    return y


@variant("positions.rotate_2d/truncated")
def truncated_by_coordinates(ref, x, angle):
    c, s = np.cos(angle), np.sin(angle)
    right = _times(x, [[c, -s], [s, c]])
    return right if x.dtype.kind == "f" else np.trunc(right).astype(x.dtype)


@plane("positions.rotate_2d/half-kept", **HALF_KEPT)
def half_kept(ref, x, angle):
    c, s = np.cos(angle), np.sin(angle)
    right = _times(x, [[c, -s], [s, c]])
    return right.astype(x.dtype) if x.dtype.kind == "f" else right


@variant("positions.rotate_2d/half-kept")
def half_kept_by_complex(ref, x, angle):
    right = _each_vector(x, angle, _spun)
    return right.astype(np.float16) if x.dtype.itemsize == 2 and x.dtype.kind == "f" else right


@plane(
    "positions.rotate_2d/width-unchecked",
    en=Explained(
        "You accept vectors that are longer than 2.",
        "You read the first two coordinates and drop the others without a word. A caller who passes whole heads instead of "
        "pairs would never learn of it.",
        hint="Call it with shape [4, 3]. What does the docstring say?",
    ),
    zh_tw=Explained(
        "向量比 2 長時，你也接受了。",
        "你讀了前兩個座標，其他的一聲不響就丟了。把整個注意力頭當成一對傳進來的人，永遠不會知道出了錯。",
        hint="用形狀 [4, 3] 呼叫看看。docstring 怎麼說？",
    ),
)
def width_unchecked(ref, x, angle):
    x = _real(x)
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([x[..., 0] * c - x[..., 1] * s, x[..., 0] * s + x[..., 1] * c], axis=-1).astype(x.dtype)


@variant("positions.rotate_2d/width-unchecked")
def width_unchecked_by_slice(ref, x, angle):
    return _each_vector(x[..., :2], angle, _spun)


@plane("positions.rotate_2d/in-place", **IN_PLACE)
def in_place(ref, x, angle):
    x = _vectors(x)
    c, s = np.cos(angle), np.sin(angle)
    x[...] = _times(x, [[c, -s], [s, c]])
    return x


@variant("positions.rotate_2d/in-place")
def in_place_by_coordinates(ref, x, angle):
    x = _vectors(x)
    first = x[..., 0].copy()
    x[..., 0] = first * np.cos(angle) - x[..., 1] * np.sin(angle)
    x[..., 1] = first * np.sin(angle) + x[..., 1] * np.cos(angle)
    return x
