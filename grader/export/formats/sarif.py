"""SARIF 2.1.0, with what GitHub's code scanning asks for: each result has a rule, a message, one place and a fingerprint."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import Literal
from urllib.parse import quote

from pydantic import Field

from grader import __version__
from grader.export.base import Options
from grader.export.findings import Finding, findings
from grader.export.grade import Grade
from grader.model.manifest import Strict
from grader.pipeline.write import as_json

HELP = "SARIF 2.1.0: for GitHub's code scanning and editors"
SUFFIX = ".sarif"
_SCHEMA_URI = "https://json.schemastore.org/sarif-2.1.0.json"


class Message(Strict):
    """Text."""

    text: str = Field(min_length=1)


class Rule(Strict):
    """A misconception, or an exercise with a status."""

    id: str
    shortDescription: Message  # noqa: N815  # the form's own name
    fullDescription: Message  # noqa: N815  # likewise
    help: Message


class Driver(Strict):
    """What found it."""

    name: Literal["rowwise"] = "rowwise"
    version: str = __version__
    rules: list[Rule]


class Tool(Strict):
    """What found it."""

    driver: Driver


class Artifact(Strict):
    """A file, from the top of the repository."""

    uri: str
    uriBaseId: Literal["%SRCROOT%"] = "%SRCROOT%"  # noqa: N815  # the form's own name


class Region(Strict):
    """A line."""

    startLine: int = Field(ge=1)  # noqa: N815  # the form's own name


class PhysicalLocation(Strict):
    """A line of a file."""

    artifactLocation: Artifact  # noqa: N815  # the form's own name
    region: Region


class Location(Strict):
    """A line of a file."""

    physicalLocation: PhysicalLocation  # noqa: N815  # the form's own name


class Result(Strict):
    """Something wrong."""

    ruleId: str  # noqa: N815  # the form's own name
    ruleIndex: int  # noqa: N815  # likewise
    level: Literal["error"] = "error"
    message: Message
    locations: list[Location] = Field(min_length=1, max_length=1)
    partialFingerprints: dict[str, str]  # noqa: N815  # likewise


class Run(Strict):
    """A submission."""

    tool: Tool
    results: list[Result]
    columnKind: Literal["unicodeCodePoints"] = "unicodeCodePoints"  # noqa: N815  # the form's own name
    properties: dict[str, float] = Field(description="score and points; no score where there is none")


class Log(Strict):
    """A file of results."""

    schema_uri: str = Field(_SCHEMA_URI, alias="$schema")
    version: Literal["2.1.0"] = "2.1.0"
    runs: list[Run] = Field(min_length=1, max_length=1)


SCHEMA = Log


def render(grade: Grade, options: Options) -> str:
    """Return the SARIF file."""
    found = findings(grade, options)
    rules = {each.rule: _rule(each) for each in reversed(found)}
    order = list(rules)
    seen: Counter[str] = Counter()
    results = [_result(each, order.index(each.rule), grade, options, seen) for each in found]
    known = {"points": grade.points} | ({} if grade.score is None else {"score": grade.score})
    run = Run(tool=Tool(driver=Driver(rules=list(rules.values()))), results=results, properties=known)
    return as_json(Log(runs=[run]), nulls=False)


def _rule(finding: Finding) -> Rule:
    name, why = Message(text=finding.name), Message(text=finding.message or finding.name)
    return Rule(id=finding.rule, shortDescription=name, fullDescription=why, help=why)


def _result(finding: Finding, index: int, grade: Grade, options: Options, seen: Counter[str]) -> Result:
    # The line as it reads, so that an alert stays the same one when lines above it come or go.
    source = grade.files.get(finding.file.removeprefix(options.prefix), b"").splitlines()
    read = source[finding.line - 1].strip() if finding.line <= len(source) else b""
    digest = sha256(b"\0".join([finding.rule.encode(), finding.file.encode("utf-8", "replace"), read])).hexdigest()[:16]
    seen[digest] += 1
    where = PhysicalLocation(
        artifactLocation=Artifact(uri=quote(finding.file, errors="replace")), region=Region(startLine=finding.line)
    )
    return Result(
        ruleId=finding.rule,
        ruleIndex=index,
        message=Message(text=f"{finding.name}\n{finding.message}"),
        locations=[Location(physicalLocation=where)],
        partialFingerprints={"primaryLocationLineHash": f"{digest}:{seen[digest]}"},
    )
