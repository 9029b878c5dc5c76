"""What to tell about a file that is not there, given what is."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from difflib import SequenceMatcher

from grader.intake.base import Entry, Kind, Problem
from grader.intake.names import is_archive, shown

_TOLD = 3
_NOTEBOOKS = {"py": ("ipynb",)}


def missing(wanted: str, entries: Sequence[Entry], where: str) -> Problem:
    """Return the problem that a wanted file is missing, with what was found instead."""
    files = [entry.name for entry in entries if entry.kind is Kind.FILE]
    near = best_lookalikes(files, wanted)
    ways = [entry.name for entry in entries if entry.kind is Kind.FOLDER or is_archive(entry.name)]
    found = _listed(near) or _listed(ways) or _listed([entry.name for entry in entries])
    instead = f"found {found} instead" if found else "nothing else is there either"
    return Problem(shown(where + wanted), f"{wanted} is missing: {instead}", _hint(wanted, near, ways), missing=True)


def is_lookalike(name: str, wanted: str) -> bool:
    """Whether a file was likely meant to be the wanted one: `Attention.py`, `attention (1).py`, `attention.py.txt`."""
    stem, _, suffix = name.casefold().rpartition(".")
    whole, _, kind = wanted.rpartition(".")
    if suffix not in (kind, "txt", *_NOTEBOOKS.get(kind, ())) or stem.startswith("test"):
        return False
    target, mine = _bare(whole), _bare(stem)
    return target in mine or SequenceMatcher(None, target, mine).ratio() > 0.8


def best_lookalikes(names: Collection[str], wanted: str) -> list[str]:
    """Return what was found instead of a wanted file: the nearest names first, then notebooks, then other modules."""
    ranked = sorted((_rank(name, wanted), name) for name in names if name != wanted)
    return [name for rank, name in ranked if rank < len(_RANKS)]


_RANKS: Sequence[Callable[[str, str], bool]] = (
    lambda name, wanted: name.casefold() == wanted.casefold(),
    is_lookalike,
    lambda name, wanted: wanted.endswith(".py") and name.casefold().endswith(".ipynb"),
    lambda name, wanted: name.casefold().endswith(wanted[wanted.rfind(".") :]),
)


def _rank(name: str, wanted: str) -> int:
    return next((rank for rank, holds in enumerate(_RANKS) if holds(name, wanted)), len(_RANKS))


def _bare(name: str) -> str:
    return re.sub(r"[\W_]", "", name)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _TOLD} more" if len(names) > _TOLD else ""
    return ", ".join(map(shown, names[:_TOLD])) + more


def _hint(wanted: str, near: Sequence[str], ways: Sequence[str]) -> str:
    if near and near[0].casefold() == wanted.casefold():
        return f"name it {wanted}: capital and small letters are not the same"
    if near and near[0].casefold().endswith(".ipynb"):
        stem = wanted.rpartition(".")[0]
        return f"name the notebook {stem}.ipynb, begin its cells with `# exercise: {stem}.NAME`, or save its code as {wanted}"
    if near and is_lookalike(near[0], wanted):
        return f"name it {wanted}"
    if ways and not near:
        return f"put {wanted} at the top, or hand in only the folder that holds it"
    return f"hand in a file named {wanted}"
