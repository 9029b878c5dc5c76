"""The colours of the pages, read from their style sheet."""

from __future__ import annotations

import re
from importlib.resources import files

SHEET = (files("grader.html") / "templates" / "style.css").read_text("utf-8")


def variables(scheme: str) -> dict[str, str]:
    """What each variable is where a theme, or paper, is chosen."""
    light, *others = re.findall(r":root \{(.*?)\}", SHEET, re.DOTALL)
    dark, paper = others
    chosen = {"light": "", "dark": dark, "print": paper}[scheme]
    return dict(re.findall(r"(--\w+): (#[0-9a-f]{6});", light + chosen))


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG 2 defines it."""
    low, high = sorted(map(_luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
