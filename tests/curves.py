"""Four mistakes that a falling loss does not show: each is trained, beside the right code, and its training loss falls too.

python -m tests.curves [--out curves.png]

nano on the first 500 characters of the built-in corpus, which it learns by heart, by the loop of Homework 11's program; half
a minute altogether. Python's documentation differs a little between its versions, and so do the numbers.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import torch

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [path for path in (str(ROOT / "reference"), str(ROOT / "student_template")) if path not in sys.path]

from hw11.characters import Characters  # noqa: E402
from hw11.corpus import as_tokens, read, split  # noqa: E402
from hw11.loop import alone  # noqa: E402
from hw11.modules import Code, load  # noqa: E402

CHARACTERS, STEPS, BATCH, T, DROPOUT = 500, 200, 16, 32, 0.1
TAIL = 10
TOLD = (50, 100, 150, 200)


class Curve(NamedTuple):
    """The training losses of all steps."""

    losses: list[float]

    @property
    def first(self) -> float:
        return self.losses[0]

    @property
    def last(self) -> float:
        """The mean of the last ten."""
        return statistics.mean(self.losses[-TAIL:])

    @property
    def told(self) -> tuple[float, ...]:
        """The first, and after 50, 100, 150 and 200 steps the mean of the last ten, as a handout quotes them."""
        means = (statistics.mean(self.losses[step - TAIL : step]) for step in TOLD)
        return tuple(round(each, 2) for each in (self.first, *means))


# What the handout of Homework 11 quotes.
MEASURED = {
    "right": (3.65, 1.91, 1.27, 0.91, 0.80),
    "double softmax": (3.69, 3.37, 3.28, 3.25, 3.24),
    "no shift": (3.19, 0.17, 0.02, 0.02, 0.01),
    "dropout at evaluation": (3.65, 1.92, 1.26, 0.89, 0.77),
    "view instead of transpose": (3.65, 1.82, 1.10, 0.70, 0.60),
}

Replaced = list[tuple[Any, str, Any]]


def double_softmax(code: Code) -> Replaced:
    """The loss takes a softmax of its own, and is given probabilities."""
    plain = code.training._token_losses
    return [(code.training, "_token_losses", lambda logits, y, *rest: plain(logits.softmax(dim=-1), y, *rest))]


def no_shift(code: Code) -> Replaced:
    """The targets are the tokens themselves, and not those after them."""
    plain = code.training.get_batch

    def get_batch(*arguments):
        x, _ = plain(*arguments)
        return x, x

    return [(code.training, "get_batch", get_batch)]


def dropout_at_evaluation(code: Code) -> Replaced:
    """The model stays in training mode while it is evaluated."""
    return [(code.training, "_evaluating", lambda _: torch.no_grad())]


def view_instead_of_transpose(code: Code) -> Replaced:
    """The heads are cut out of the numbers as they lie in memory, which mixes the tokens."""

    def split_heads(x, n_head):
        B, T, d = x.shape
        return x.reshape(B, n_head, T, d // n_head)

    def merge_heads(x):
        B, H, T, d_head = x.shape
        return x.reshape(B, T, H * d_head)

    return [(code.layers, "split_heads", split_heads), (code.layers, "merge_heads", merge_heads)]


MISTAKES: dict[str, Callable[[Code], Replaced]] = {
    "right": lambda _: [],
    "double softmax": double_softmax,
    "no shift": no_shift,
    "dropout at evaluation": dropout_at_evaluation,
    "view instead of transpose": view_instead_of_transpose,
}


def corpus() -> str:
    """Return the text that all of them learn."""
    return read("builtin").text[:CHARACTERS]


def train(name: str, steps: int = STEPS) -> Curve:
    """Train with one of the mistakes."""
    code = load(ROOT / "reference")
    text = corpus()
    tokenizer = Characters.learn(text, None)
    data = split(as_tokens(tokenizer.encode(text)), T)
    with ExitStack() as stack:
        for module, attribute, wrong in MISTAKES[name](code):
            stack.enter_context(mock.patch.object(module, attribute, wrong))
        torch.manual_seed(0)
        model = code.gpt2.from_preset("nano", vocab_size=tokenizer.vocab_size, block_size=T, dropout=DROPOUT)
        config = code.training.TrainConfig(
            steps, BATCH, T, max_lr=3e-3, min_lr=3e-4, warmup=20, betas=(0.9, 0.99), log_every=steps
        )
        return Curve([step.loss for step in alone(code, model, config, data).steps()])


def floor(vocab_size: int) -> float:
    """Return the least loss of a double softmax: that of probability 1 on the right token, taken for a logit."""
    return math.log(math.e + vocab_size - 1) - 1


def draw(curves: dict[str, Curve], path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    panel = figure.subplots()
    for name, curve in curves.items():
        panel.plot(curve.losses, label=name, linewidth=1)
    panel.set(title="Four mistakes, and a loss that falls", xlabel="step", ylabel="training loss (nats per token)")
    panel.legend()
    figure.savefig(path, dpi=120)


def main() -> None:
    """Print a table of all, and draw the curves where asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path)
    out = parser.parse_args().out
    curves = {name: train(name) for name in MISTAKES}
    sys.stdout.write("| code | first training loss | last | falls by |\n|---|---|---|---|\n")
    for name, curve in curves.items():
        fall = 100 * (1 - curve.last / curve.first)
        sys.stdout.write(f"| {name} | {curve.first:.2f} | {curve.last:.2f} | {fall:.0f} % |\n")
    V = len(set(corpus()))
    sys.stdout.write(f"V = {V}, ln V = {math.log(V):.2f}; a double softmax cannot fall below {floor(V):.2f}\n")
    if out is not None:
        draw(curves, out)


if __name__ == "__main__":
    main()
