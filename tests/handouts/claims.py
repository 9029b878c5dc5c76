"""Every number of a handout is computed: what was computed is written as the handout writes it, and nothing may be left.

A test gives the pieces of text that it computed, and those that only set a task or a rule. Both are struck out of the
handout; a number that stays belongs to nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from tests.handouts.page import Page, numbers


def told(x: float, digits: int = 3) -> str:
    """A number as handouts write it: whole as it is, else with so many decimals and no zero in front."""
    if np.isinf(x):
        return "-∞" if x < 0 else "∞"
    if float(x).is_integer():
        return f"{int(x)}"
    return re.sub(r"^(-?)0\.", r"\1.", f"{x:.{digits}f}")


def rows(array: Any, digits: int = 3) -> str:
    """An array in brackets: `[[1, 0], [.018, .982]]`."""
    if np.ndim(array) == 0:
        return told(array, digits)
    return f"[{', '.join(rows(part, digits) for part in array)}]"


def cells(array: Any, digits: int = 3, between: str = " ") -> str:
    """The numbers of an array with nothing around them: `1 0 0`."""
    return between.join(told(x, digits) for x in np.ravel(array))


def shape(array: Any) -> str:
    """The shape as handouts write it: `[2, 1]`."""
    return f"[{', '.join(map(str, np.shape(array)))}]"


def bits(mask: Any) -> str:
    """A mask as a picture: `100 110 111`."""
    return " ".join("".join("1" if each else "0" for each in row) for row in np.atleast_2d(mask))


# How handouts write mathematics, and Python does.
_SIGNS = str.maketrans({"½": ".5", "√": "sqrt", "·": "*", "²": "**2", "³": "**3", "ᵗ": "**t", "₁": "1", "₂": "2"})
_FUNCTIONS = {"sqrt": np.sqrt, "tanh": np.tanh, "cos": np.cos, "π": np.pi}


def value(formula: str, names: Mapping[str, Any]) -> Any:
    """What a formula gives, computed from the text of the handout: the numbers in it are then claimed with it.

    Args:
        formula: Such as `½ x (1 + tanh u)` or `(1 - β₁) g`: what stands side by side, with a space, is multiplied.
        names: The value of each letter.
    """
    text = re.sub(r"\b(tanh|cos) (\w+)", r"\1(\2)", formula.translate(_SIGNS))
    text = re.sub(r"(?<=[\w)]) +(?=[\w(.])", " * ", text)
    known = _FUNCTIONS | {name.translate(_SIGNS): given for name, given in names.items()}
    return eval(text, {"__builtins__": {}}, known)  # noqa: S307  # the text is this course's own


def struck(page: Page, pieces: Iterable[str]) -> tuple[list[str], list[str]]:
    """Strike pieces out of a handout, each once; return those that it does not hold, and the lines with numbers left.

    Numbers of headings, of list items and of references to an exercise are checked with the form of all handouts, and
    the code between fences is run; they are struck out unasked.
    """
    text, missing = " ".join(_prose(page).split()), []
    for piece in sorted((" ".join(piece.split()) for piece in pieces), key=len, reverse=True):
        if piece not in text:
            missing.append(piece)
        text = text.replace(piece, " § ", 1)
    return missing, [part.strip() for part in text.split("§") if numbers(part)]


def _prose(page: Page) -> str:
    text = re.sub(r"^```.*?^```", "", page.text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^### \d+\. .*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"^\d+ points, about \d+ minutes\.", "", text, flags=re.MULTILINE)
    text = re.sub(r"^\d+\. ", "", text, flags=re.MULTILINE)
    text = re.sub(
        r"(?<![\w)])\[[^\[\]]*(?:[A-Za-z]|\.\.\.)[^\[\]]*\]", "", text
    )  # a shape with names in it, such as [..., T_q, 1]
    return re.sub(r"\b[Ee]xercises? \d+( and \d+)?", "", text)
