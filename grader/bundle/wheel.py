"""A wheel of the grader that is running, whatever it was installed from: a bundle grades with the very code that made it."""

from __future__ import annotations

import base64
import csv
import io
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256

from grader import __version__
from grader.bundle.archive import zipped
from grader.bundle.item import Item
from grader.bundle.own import NAME, PACKAGE, own_needs

_HOME = f"{NAME}-{__version__}.dist-info"
_WHEEL = f"Wheel-Version: 1.0\nGenerator: {NAME} {__version__}\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
_COMMAND = "[console_scripts]\ngrader = grader.cli.main:main\n"


@cache
def own_wheel() -> Item:
    """Return the wheel, the same bytes for the same code.

    Raises:
        UsageError: Nobody knows what the grader needs.
    """
    items = [*_package(), *_about()]
    return Item(f"{NAME}-{__version__}-py3-none-any.whl", zipped([*items, _record(items)]))


def _package() -> Iterator[Item]:
    for path in sorted(PACKAGE.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield Item(path.relative_to(PACKAGE.parent).as_posix(), path.read_bytes())


def _about() -> Iterator[Item]:
    needs = own_needs()
    lines = ["Metadata-Version: 2.1", f"Name: {NAME}", f"Version: {__version__}", f"Requires-Python: {needs.python}"]
    lines += [f"Requires-Dist: {each}" for each in needs.packages]
    for name, text in (("METADATA", "\n".join(lines) + "\n"), ("WHEEL", _WHEEL), ("entry_points.txt", _COMMAND)):
        yield Item(f"{_HOME}/{name}", text.encode())


def _record(items: Sequence[Item]) -> Item:
    """The list of files that an installer goes by; of itself it knows no digest."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerows((item.path, f"sha256={_digest(item.content)}", len(item.content)) for item in items)
    rows.writerow((f"{_HOME}/RECORD", "", ""))
    return Item(f"{_HOME}/RECORD", text.getvalue().encode())


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(sha256(content).digest()).decode().rstrip("=")
