"""Answers in words: they are taken from a submission and handed on, for a person to grade."""

from __future__ import annotations

from grader.intake.base import Submission
from grader.model.manifest import Manifest
from grader.model.report import CollectedAnswer


def collected(submission: Submission, manifest: Manifest) -> list[CollectedAnswer]:
    """Return the answers in words that an assignment asks for, those that were not handed in as well."""
    return [
        CollectedAnswer(
            file=artifact.file,
            title=artifact.collect,
            text=submission.files.get(artifact.file, b"").decode("utf-8", errors="replace"),
            rubric=artifact.rubric,
        )
        for artifact in manifest.artifacts
        if artifact.collect is not None
    ]
