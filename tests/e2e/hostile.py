"""Submissions that misbehave, made from the reference with one function changed."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def right_answer() -> str:
    """A whole right answer to `attention`, as a student would hand it in."""
    return (ROOT / "reference" / "attention.py").read_text("utf-8")


def replacing(name: str, body: str) -> str:
    """A right answer in which the function `name` does `body` instead."""
    return (
        right_answer() + f"\n\ndef {name}(*args, **kwargs):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    )


def hand_in(folder: Path, student: str, source: str) -> Path:
    """Put a submission where a class would have it."""
    home = folder / student
    home.mkdir(parents=True)
    (home / "attention.py").write_text(source, encoding="utf-8")
    return home
