"""What goes wrong in the exercise shapes.matmul_shape with a vector on the left of a batch of matrices."""

from __future__ import annotations

from grader.testing import Explained, variant
from misconceptions.matmul_shape import about, product, refuse, step_by_step


@about(
    "shapes.matmul_shape/vector-meets-the-first-axis",
    en=Explained(
        "You let a vector on the left meet the first axis of a batch.",
        "A product sums over the last axis but one of the right array. In a matrix that is the first; in [B, k, m] the first counts examples, and it stays.",
        hint="(2,) @ (4, 2, 7): which 2 meets which?",
    ),
    zh_tw=Explained(
        "向量在左邊時，你讓它對上批次的第一個軸。",
        "乘積是沿右邊陣列的倒數第二軸相加。矩陣的倒數第二軸就是第一軸；[B, k, m] 的第一軸數的是例子，要留著。",
        hint="(2,) @ (4, 2, 7)：哪個 2 對上哪個？",
    ),
)
def meets_first(ref, a, b):
    if len(a) != 1 or not b:
        return product(a, b)
    if a[0] != b[0]:
        refuse(a, b)
    return tuple(b[1:])


@variant("shapes.matmul_shape/vector-meets-the-first-axis")
def _(ref, a, b):
    if len(a) == 1 and len(b) > 2:
        step_by_step(a, b[:1])
        return b[-len(b) + 1 :]
    return step_by_step(a, b)


@about(
    "shapes.matmul_shape/vector-takes-the-first-axis",
    en=Explained(
        "With a vector on the left of a batch you leave out the first axis of the right array.",
        "What is summed away is the axis that the vector meets, the last but one. In a matrix that is the first; in [B, k, m] the first counts examples, and it stays.",
        hint="(2,) @ (4, 2, 7): which axis is summed away, and which two are left?",
    ),
    zh_tw=Explained(
        "向量在批次的左邊時，你去掉的是右邊陣列的第一個軸。",
        "在相加中消失的，是向量對上的那一軸，也就是倒數第二軸。矩陣的倒數第二軸就是第一軸；[B, k, m] 的第一軸數的是例子，要留著。",
        hint="(2,) @ (4, 2, 7)：哪一軸在相加中消失，留下哪兩軸？",
    ),
)
def takes_first(ref, a, b):
    right = product(a, b)
    return tuple(b[1:]) if len(a) == 1 else right


@variant("shapes.matmul_shape/vector-takes-the-first-axis")
def _(ref, a, b):
    right = step_by_step(a, b)
    return right if len(a) > 1 or len(b) < 3 else b[-len(right) :]
