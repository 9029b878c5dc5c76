"""Hands in compiled code of the right answer beside the source of a wrong one, marked never to be checked against it,
and a compiled module of the same name.
"""

from __future__ import annotations

import importlib.util
import marshal
import sys
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    (folder / "target.py").write_text(base)
    right = compile(base.replace("axis=0", "axis=-1"), "target.py", "exec")
    # Flags of a file that is valid by its own word, whatever the source.
    code = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8) + marshal.dumps(right)
    (folder / "__pycache__").mkdir()
    for name in (f"__pycache__/target.{sys.implementation.cache_tag}.pyc", "target.pyc", "target.abi3.so", "target.so"):
        (folder / name).write_bytes(code)
    return folder
