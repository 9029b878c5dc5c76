"""Which system a download is from, told by its shape."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from grader.intake.names import shown
from grader.intake.sources.base import Source
from grader.intake.sources.place import Place
from grader.intake.sources.registry import SOURCES
from grader.model.errors import UsageError

_DEPTH = 2


@dataclass(frozen=True)
class Recognised:
    """A download whose system is known.

    Args:
        name: The system, by its name in the registry.
        why: What shows it, in words that fit after "for".
        place: The folder in which the submissions lie.
    """

    name: str
    why: str
    place: Place

    @property
    def source(self) -> Source:
        """The system."""
        return SOURCES[self.name]


@contextmanager
def recognised(place: Place, wanted: str | None = None) -> Iterator[Recognised | None]:
    """Find the folder of a download that a system recognises: the top, or the only folder that is there, some steps down.

    Args:
        place: The top of the download.
        wanted: The system that it is said to be from, by its name in the registry; None to look at all.

    Yields:
        What was found; None where no system recognises it.

    Raises:
        UsageError: Several recognise it.
    """
    fit = dict(_reasons(place, wanted))
    if len(fit) > 1:
        both = " or ".join(f"{name} (for {shown(why)})" for name, why in fit.items())
        raise UsageError(f"it may be from {both}", where=place.path, hint="say which with --source")
    if fit:
        name, why = next(iter(fit.items()))
        yield Recognised(name, why, place)
    elif (only := _only_folder(place)) is not None and len(place.way) < _DEPTH:
        with place.below(only) as below, recognised(below, wanted) as found:
            yield found
    else:
        yield None


def _reasons(place: Place, wanted: str | None) -> Iterator[tuple[str, str]]:
    for name, source in SOURCES.items():
        if wanted in (None, name) and (why := source.recognises(place)) is not None:
            yield name, why


def _only_folder(place: Place) -> str | None:
    """Return the folder that is left to look into: the only thing that is there, or the tree of a course."""
    names = [entry.name for entry in place.folders]
    if "submitted" in names:
        return "submitted"
    return names[0] if len(names) == 1 and not place.files else None
