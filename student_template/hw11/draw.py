"""loss.png: how a run went, in three panels over the step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hw11.errors import HomeworkError
from hw11.folder import writing
from hw11.metrics import Row

if TYPE_CHECKING:  # matplotlib is only needed where something is drawn
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


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
    losses.plot(steps, [row.loss for row in rows], label="training")
    losses.plot(steps, [row.val_loss for row in rows], label="validation")
    _finish(losses, "Loss", "loss (nats per token)")
    perplexities.plot(steps, [row.perplexity for row in rows], color="C1", label="validation")
    for style, (name, value) in zip(("--", ":", "-."), baselines.items(), strict=False):
        perplexities.axhline(value, color="0.4", linestyle=style, label=f"{name}, {value:.1f}")
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


def _finish(panel: Axes, title: str, label: str) -> None:
    panel.set(title=title, xlabel="step", ylabel=label)
    panel.grid(alpha=0.3)
    if len(panel.lines) > 1:
        panel.legend()


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
