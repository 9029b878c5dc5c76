"""loss.png: how a run went, in three panels over the step; a curve is known by its line, its marks and its name, not by colour alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hw11.errors import HomeworkError
from hw11.folder import writing
from hw11.metrics import Row

if TYPE_CHECKING:  # matplotlib is only needed where something is drawn
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MARKS = 25  # on a curve; more would be a band
_GREY = "0.3"


class Look(NamedTuple):
    """How a curve is drawn, so that it is known in grey and without a legend."""

    name: str
    color: str
    line: str
    mark: str


TRAINING = Look("training", "C0", "-", "o")
VALIDATION = Look("validation", "C1", "--", "s")


def figure(rows: Sequence[Row], baselines: Mapping[str, float]) -> Figure:
    """Return a figure of the rows: the losses, the perplexity beside what counting reaches, the learning rate.

    Args:
        rows: The logged steps.
        baselines: The perplexities of other models, by name, drawn as level lines.

    Raises:
        HomeworkError: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415
    except ImportError as error:
        raise HomeworkError(
            "a picture needs the package `matplotlib`", hint="python -m pip install matplotlib"
        ) from error
    drawing = Figure(figsize=(13, 4), layout="constrained")  # not pyplot's, which would keep it and want a screen
    losses, perplexities, rates = drawing.subplots(1, 3)
    steps = [row.step for row in rows]
    training, validation = [row.loss for row in rows], [row.val_loss for row in rows]
    higher = _last(validation) >= _last(training)  # the names stand where they do not lie on each other
    _curve(losses, steps, training, TRAINING, above=not higher)
    _curve(losses, steps, validation, VALIDATION, above=higher)
    _finish(losses, "Loss", "loss (nats per token)")
    _curve(perplexities, steps, [row.perplexity for row in rows], VALIDATION)
    for name, value in baselines.items():
        _level(perplexities, value, f"{name}, {value:.1f}")
    _logarithmic(perplexities)
    _finish(perplexities, "Perplexity", "perplexity (tokens)")
    rates.plot(steps, [row.learning_rate for row in rows], color="C2", label="learning rate")
    _finish(rates, "Learning rate", "learning rate")
    return drawing


def save(rows: Sequence[Row], baselines: Mapping[str, float], path: Path) -> None:
    """Draw the rows to a file.

    Raises:
        HomeworkError: matplotlib is not installed, or the file cannot be written.
    """
    drawing = figure(rows, baselines)
    with writing(path):
        drawing.savefig(path, dpi=120)


def _curve(panel: Axes, steps: Sequence[int], values: Sequence[float], look: Look, *, above: bool = True) -> None:
    """Draw a curve, and its name behind its end."""
    every = max(1, len(steps) // _MARKS)
    panel.plot(
        steps, values, label=look.name, color=look.color, linestyle=look.line, marker=look.mark, markevery=every,
        markersize=4,
    )  # fmt: skip
    panel.set_xlim(right=steps[-1] + 0.33 * max(1, steps[-1] - steps[0]))
    if finite := [at for at, value in enumerate(values) if math.isfinite(value)]:
        panel.annotate(
            look.name, (steps[finite[-1]], values[finite[-1]]), xytext=(6, 2 if above else -2), textcoords="offset points",
            va="bottom" if above else "top", color=look.color,
        )  # fmt: skip


def _level(panel: Axes, value: float, name: str) -> None:
    """Draw a level line, and its name on it, at the left: there a curve is far above."""
    panel.axhline(value, color=_GREY, linestyle=":", label=name)
    panel.annotate(
        name, (0.02, value), xycoords=("axes fraction", "data"), xytext=(0, 2), textcoords="offset points", color=_GREY
    )


def _last(values: Sequence[float]) -> float:
    return next((value for value in reversed(values) if math.isfinite(value)), math.inf)


def _finish(panel: Axes, title: str, label: str) -> None:
    panel.set(title=title, xlabel="step", ylabel=label)
    panel.margins(y=0.1)  # room for names above and below
    panel.grid(alpha=0.3)


def _logarithmic(panel: Axes) -> None:
    """Scale an axis so that the beginning, V tokens, does not press the end flat."""
    from matplotlib.ticker import LogLocator, NullFormatter, ScalarFormatter  # noqa: PLC0415

    panel.set_yscale("log")
    panel.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    panel.yaxis.set_major_formatter(ScalarFormatter())
    panel.yaxis.set_minor_formatter(NullFormatter())


def baselines(counted: Mapping[str, float]) -> dict[str, float]:
    """Return the level lines of a run's baselines: that of a bigram, for a unigram's is far above."""
    return {"bigram": counted["bigram_perplexity"]}
