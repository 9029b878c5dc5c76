"""What goes wrong in the exercise attention.backward where the right gradients come in another order."""

from __future__ import annotations

from grader.testing import Explained, variant
from misconceptions.backward import backward, query_by_query
from misconceptions.shared import about_backward


@about_backward(
    "attention.backward/in-the-order-of-the-equations",
    en=Explained(
        "You return dV, dQ, dK: the order in which they are worked out.",
        "The gradients are right, and each stands in another's place. The order is that of the arguments: dQ, dK, dV.",
        hint="Which of your results has the shape of Q?",
    ),
    zh_tw=Explained(
        "你回傳的是 dV、dQ、dK：照著算出來的先後。",
        "梯度是對的，只是各自站在別人的位置。順序要和引數一樣：dQ、dK、dV。",
        hint="你的結果中，哪一個的形狀和 Q 一樣？",
    ),
)
def in_order_of_work(ref, Q, K, V, dZ, mask=None):
    dQ, dK, dV = backward(ref, (Q, K, V, dZ), mask)
    return dV, dQ, dK


@variant("attention.backward/in-the-order-of-the-equations")
def _(ref, Q, K, V, dZ, mask=None):
    found = dict(zip("QKV", query_by_query(ref, (Q, K, V, dZ), mask), strict=True))
    return [found[name] for name in "VQK"]
