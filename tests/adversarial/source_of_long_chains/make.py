"""Hands in a program that is legal to the tokenizer and costly to the compiler: long chains of attributes, of
comparisons, of items.
"""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    chains = (".a" * 50_000, "<1" * 50_000, "[0]" * 50_000)
    lines = [f"y = lambda x: x{chain}" for chain in chains]
    (folder / "target.py").write_text(base + "\n" + "\n".join(lines) + "\n")
    return folder
