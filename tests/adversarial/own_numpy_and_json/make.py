"""Hands in modules named like those that the grader imports, which would be found first in the folder of the
submission.
"""

from __future__ import annotations

from pathlib import Path

RUN = "open('{{home}}/marker', 'w').close()\nprint('BREACH a file beside the submission was run')\n"
NAMES = ("numpy", "json", "random", "pytest", "_pytest", "grader", "socket", "struct", "reference", "codecs", "os")


def make(folder: Path, base: str) -> Path:
    (folder / "target.py").write_text(base)
    (folder / "__init__.py").write_text(RUN)
    for name in NAMES:
        (folder / f"{name}.py").write_text(RUN)
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text(RUN)
    return folder
