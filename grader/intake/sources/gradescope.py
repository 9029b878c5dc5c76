"""Gradescope: the zip of "Export Submissions", a folder for each, and `submission_metadata.yml` that says whose it is.

The export holds the active attempt of each submission; of those before it the metadata tells that they were.
Source: Gradescope's export of a programming assignment.
"""

from __future__ import annotations

from collections.abc import Mapping

from grader.intake.base import Kind, Refused, Said
from grader.intake.names import is_archive, shown
from grader.intake.sources.base import Asked, Contents, Handed, Part
from grader.intake.sources.metadata import NotSuchYamlError, Record, records
from grader.intake.sources.place import Place
from grader.intake.sources.renamed import own_name
from grader.model.errors import UsageError

METADATA = "submission_metadata.yml"


def recognises(place: Place) -> str | None:
    """Return what shows that a download is from Gradescope."""
    return f"{METADATA} in it" if place.has(METADATA) else None


def contents(place: Place, asked: Asked) -> Contents:
    """Return the folders that the metadata names; one that it does not name is a submission of nobody known."""
    known = {record.name: record for record in _records(place)}
    handed, left = [], []
    for entry in place.entries:
        record = known.get(entry.name)
        if entry.kind is Kind.FOLDER:
            handed.append(_handed(entry.name, Part((entry.name,)), record))
        elif record or is_archive(entry.name):
            own = {own_name(entry.name, asked.wanted): entry}
            handed.append(_handed(entry.name, Part(files=own), record))
        elif entry.name != METADATA:
            left.append(entry.name)
    there = {entry.name for entry in place.entries}
    gone = [f"{name} (in {METADATA}, but not there)" for name in known if name not in there]
    return Contents(handed, (*left, *gone), (METADATA,))


def _records(place: Place) -> list[Record]:
    try:
        return records(place.text(METADATA))
    except (NotSuchYamlError, Refused, OSError) as error:
        raise UsageError(
            f"{METADATA} cannot be read: {shown(str(error))}", where=place.path, hint="export the submissions again"
        ) from error


def _handed(name: str, part: Part, record: Record | None) -> Handed:
    if record is None:
        return Handed(name, (part,))
    who = tuple(said for each in record.submitters if (said := _said(each)))
    first: Mapping[str, str] = record.submitters[0] if record.submitters else {}
    called = next((first[key] for key in ("sid", "email", "name") if first.get(key)), name)
    attempt = f"the last of {record.before + 1}" if record.before else ""
    return Handed(called, (part,), who, submitted=record.created_at, attempt=attempt)


def _said(submitter: Mapping[str, str]) -> Said:
    return {key: (submitter[key],) for key in ("sid", "email", "name") if submitter.get(key)}
