"""`grader schema`."""

from __future__ import annotations

import json

import click
from pydantic import BaseModel

from grader.cli.say import say
from grader.export.schemas import SCHEMAS
from grader.gradebook.policy.model import Policy
from grader.model.manifest import Manifest
from grader.model.report import Report, StudentReport, Summary
from grader.model.worksheet import Worksheet
from grader.review.model import Review
from grader.verify.mutants.equivalents import Equivalents

MODELS: dict[str, type[BaseModel]] = {
    "report": Report,
    "manifest": Manifest,
    "student": StudentReport,
    "summary": Summary,
    "equivalents": Equivalents,
    "worksheet": Worksheet,
    "policy": Policy,
    "review": Review,
    **SCHEMAS,
}


@click.command(name="schema")
@click.argument("what", type=click.Choice(list(MODELS)))
def command(what: str) -> None:
    """Print the JSON Schema of report.json, assignment.toml, report.student.json, summary.json, equivalents.toml, worksheet.toml, policy.toml or review.toml, or of what `grader export` writes."""
    say(
        json.dumps(
            {"$schema": "https://json-schema.org/draft/2020-12/schema"} | MODELS[what].model_json_schema(),
            indent=2,
            ensure_ascii=False,
        )
    )
