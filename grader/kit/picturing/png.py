"""A picture as PNG, drawn by matplotlib from the same places as the SVG."""

from __future__ import annotations

import io
import logging
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from grader.heat.colours import BAD, GOOD, INK, ON, PAPER, QUIET, SHADE
from grader.heat.drawn import HEIGHT, WIDTH, Cell
from grader.kit.picturing.sheet import Kind, Placed, Sheet

if TYPE_CHECKING:  # matplotlib is only needed where something is drawn
    from matplotlib.axes import Axes

_DOTS, _SHARP = 100, 2
_POINTS = 72 / _DOTS
_SIZE: dict[Kind, int] = {"title": 18, "what": 15}
_COLOUR: dict[Kind, str] = {"good": GOOD, "bad": BAD, "side": QUIET, "key": QUIET}
# Fonts that have the characters of Taiwan, those that were drawn for it first.
_CHINESE = (
    "Noto Sans CJK TC",
    "Noto Sans TC",
    "Source Han Sans TC",
    "Microsoft JhengHei",
    "PingFang TC",
    "Heiti TC",
    "Noto Sans CJK JP",
    "Noto Sans CJK SC",
    "Noto Serif CJK TC",
    "Noto Serif CJK JP",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
    "Arial Unicode MS",
)
# The files in which these come.
_FILE = re.compile(r"^(NotoSans(CJK|TC)|SourceHanSans|msjh|PingFang|wqy)", re.IGNORECASE)
_LATIN = "DejaVu Sans"  # comes with matplotlib


def has_chinese() -> bool:
    """Return whether matplotlib finds a font with Chinese characters.

    Raises:
        ImportError: There is no matplotlib.
    """
    with _quietly():
        return len(_fonts()) > 1


def png(sheet: Sheet) -> bytes:
    """Return a picture as the bytes of a PNG file.

    Raises:
        ImportError: There is no matplotlib.
    """
    with _quietly():
        from matplotlib.figure import Figure  # noqa: PLC0415

        figure = Figure(figsize=(sheet.width / _DOTS, sheet.height / _DOTS), facecolor=PAPER)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set(xlim=(0, sheet.width), ylim=(sheet.height, 0))
        drawing = _Drawing(axes, _fonts())
        for text in sheet.texts:
            size, bold = _SIZE.get(text.kind, 13), text.kind in _SIZE
            drawing.text(text.x, text.y, text.text, _COLOUR.get(text.kind, INK), size, bold=bold, middle=False)
        for placed in sheet.panels:
            drawing.panel(placed)
        file = io.BytesIO()
        # Who drew it would make the file another one with every version.
        figure.savefig(file, format="png", dpi=_SHARP * _DOTS, facecolor=PAPER, metadata={"Software": None})
    return file.getvalue()


class _Drawing:
    """Axes whose units are the pixels of the SVG."""

    def __init__(self, axes: Axes, fonts: Sequence[str]) -> None:
        self._axes = axes
        self._fonts = list(fonts)

    def panel(self, placed: Placed) -> None:
        panel, x, y = placed.panel, placed.x, placed.y
        below, beyond = panel.height - 14, panel.width - WIDTH // 2
        axis = [(left + WIDTH // 2, 15, str(j)) for j, left in enumerate(panel.columns)]
        axis += [(12, top + 24, str(i)) for i, top in enumerate(panel.rows)]
        for dx, dy, text in [*axis, (beyond, 15, "Σ"), (12, below, "Σ")]:
            self.text(x + dx, y + dy, text, QUIET, 12)
        for cell in panel.cells:
            self._cell(cell, x + cell.x, y + cell.y)
        for cell in panel.sums:
            text = f"{cell.text} ✗" if cell.differs else cell.text
            self.text(x + cell.x + WIDTH // 2, y + cell.y + 24, text, BAD if cell.differs else INK, 13, bold=True)

    def _cell(self, cell: Cell, x: int, y: int) -> None:
        shade = cell.shade or 0
        self._box(x + 1, y + 1, WIDTH - 2, HEIGHT - 2, fill=SHADE[shade])
        if cell.differs:
            self._box(x + 4, y + 4, WIDTH - 8, HEIGHT - 8, frame=ON[shade])
        self.text(x + WIDTH // 2, y + 24, cell.text, ON[shade], 13)

    def _box(self, x: int, y: int, width: int, height: int, *, fill: str = "none", frame: str = "none") -> None:  # noqa: PLR0913  # where, and how
        from matplotlib.patches import Rectangle  # noqa: PLC0415

        dashed = (0, (3, 3))
        self._axes.add_patch(
            Rectangle((x, y), width, height, facecolor=fill, edgecolor=frame, linewidth=_POINTS, linestyle=dashed)
        )

    def text(  # noqa: PLR0913  # what a text is drawn with
        self, x: int, y: int, text: str, colour: str, size: int, *, bold: bool = False, middle: bool = True
    ) -> None:
        self._axes.text(
            x,
            y,
            text,
            color=colour,
            fontsize=size * _POINTS,
            fontweight="bold" if bold else "normal",
            horizontalalignment="center" if middle else "left",
            fontfamily=self._fonts,
            parse_math=False,
        )


def _fonts() -> list[str]:
    """The fonts to write with, in order: where the first lacks a character, the next one is asked."""
    from matplotlib.font_manager import findSystemFonts, fontManager  # noqa: PLC0415

    if not _chinese():
        # The list of fonts is kept from one time to the next, and knows none that was installed since.
        for path in findSystemFonts():
            if _FILE.search(Path(path).name):
                fontManager.addfont(path)
    return [_LATIN, *_chinese()[:1]]


def _chinese() -> list[str]:
    from matplotlib.font_manager import fontManager  # noqa: PLC0415

    known = {font.name for font in fontManager.ttflist}
    return [name for name in _CHINESE if name in known]


@contextmanager
def _quietly() -> Iterator[None]:
    """Keep to itself what matplotlib says of its caches, and of characters for which no font is found."""
    log = logging.getLogger("matplotlib")
    before = log.level
    log.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        log.setLevel(before)
