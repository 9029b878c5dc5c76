"""What the mistakes share: how one is declared with its variant, and words for mistakes of several exercises."""

from __future__ import annotations

from grader.testing import Explained, misconception, variant


def about(exercise, name):
    """Return what declares the mistakes of an exercise, each with its variant: `ref` is the first argument of both.

    Args:
        exercise: Such as `training.adamw`.
        name: The function or class that a mistake takes the place of.
    """

    def mistaken(slug, one, other, *, en, zh_tw):
        misconception(f"{exercise}/{slug}", name=name, en=en, zh_tw=zh_tw)(one)
        variant(f"{exercise}/{slug}")(other)

    return mistaken


def refuse(wrong, why="out of range"):
    """Raise what the reference raises, where something is wrong."""
    if wrong:
        raise ValueError(why)


CUT_OFF = {
    "en": Explained(
        "No gradient gets through.",
        "The loss has the right value and does not know where it came from, so that `backward` has nothing to follow. `detach`, `no_grad`, `.item()`, NumPy, and a tensor made anew cut the thread to the logits.",
        hint="Give it logits with requires_grad=True. After which line is requires_grad of what you have gone?",
    ),
    "zh_tw": Explained(
        "梯度傳不過去。",
        "損失的數值正確，卻不知道自己從哪裡來，`backward` 就無路可走。`detach`、`no_grad`、`.item()`、NumPy，以及重新建立的張量，都會切斷和 logits 的連結。",
        hint="給它 requires_grad=True 的 logits。經過哪個敘述之後，手上的東西就不再 requires_grad？",
    ),
}
OTHER_DTYPE = {
    "en": Explained(
        "Your loss is float32 whatever comes in.",
        "A loss has the dtype of the logits. `.float()`, or a tensor made without `dtype=`, throws away half the digits of float64 logits.",
        hint="Call it with float64 logits, and print the dtype after each line.",
    ),
    "zh_tw": Explained(
        "不管輸入是什麼，你的損失都是 float32。",
        "損失的 dtype 要和 logits 相同。`.float()`，或是建立張量時沒有寫 `dtype=`，會丟掉 float64 logits 一半的位數。",
        hint="用 float64 的 logits 呼叫，逐行印出 dtype。",
    ),
}
