"""What is on a figure, told so that it does not matter how its author words it."""

from __future__ import annotations

from typing import Any

_LOSS = ("loss", "cross-entropy", "cross entropy", "nll", "negative log")


def drawn(figure: Any) -> list[dict[str, Any]]:  # a figure, or whatever else came back
    """Return what each panel of a figure of matplotlib shows.

    Args:
        figure: The figure.

    Returns:
        For each panel: ``titled``, whether it has a title; ``x``, what its horizontal axis is labelled with, "step",
        "something else" or ""; ``y`` and ``unit``, the quantity and the unit that the label of the vertical axis names,
        where it names them; ``legend``, whether there is one; and ``lines``, each with the ``name`` that the legend
        gives it, "training", "validation" or "", and its numbers ``x`` and ``y``.
    """
    return [_panel(axes, figure.legends) for axes in figure.axes]


def _panel(axes: Any, others: list[Any]) -> dict[str, Any]:  # matplotlib's axes
    legend = axes.get_legend() or next(iter(others), None)
    names = [] if legend is None else [text.get_text() for text in legend.get_texts()]
    x, y = axes.get_xlabel().lower(), axes.get_ylabel().lower()
    return {
        "titled": any(axes.get_title(loc=place).strip() for place in ("center", "left", "right")),
        "x": "step" if "step" in x else "something else" if x.strip() else "",
        "y": _first_in(y, ("perplexity",)) or ("loss" if _first_in(y, _LOSS) else ""),
        "unit": _first_in(y, ("nat", "token")),
        "legend": legend is not None,
        "lines": [_line(line, number, names) for number, line in enumerate(axes.get_lines())],
    }


def _line(line: Any, number: int, names: list[str]) -> dict[str, Any]:  # matplotlib's line
    label = str(line.get_label())
    if label.startswith("_"):  # matplotlib's own: a legend that was given names has them in the order of the lines
        label = names[number] if number < len(names) else ""
    name = {"train": "training", "val": "validation"}.get(_first_in(label.lower(), ("train", "val")), "")
    return {
        "name": name if label in names else "",
        "x": [float(each) for each in line.get_xdata()],
        "y": [float(each) for each in line.get_ydata()],
    }


def _first_in(text: str, words: tuple[str, ...]) -> str:
    return next((word for word in words if word in text), "")
