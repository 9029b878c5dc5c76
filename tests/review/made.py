"""A graded class with answers in words, a plot, a flag and a fault of ours."""

from __future__ import annotations

import base64
from pathlib import Path

from grader.gradebook.runs import note_facts
from grader.model.evidence import Flag
from grader.model.manifest import RubricItem
from grader.model.report import CollectedAnswer, Report, SubmittedFile
from tests.gradebook.toy import Filled, key
from tests.graded import made

PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=")
RUBRIC = [
    RubricItem(id="idea", title=made.text("Has the idea"), points=3),
    RubricItem(id="words", title=made.text("Says it well"), points=2),
]
CODE = "import os\n\n\ndef double(x):\n    return eval('2 * x')\n"


def submitted(student: str, words: str = "Because.\n", *, flags: bool = False, score: float | None = 8.0) -> Report:
    report = made.report(student, made.exercise(score=score, message="" if score else "the judge died"))
    [part] = report.assignments
    files = [_file("toy.py", CODE.encode()), _file("loss.png", PNG)]
    answer = CollectedAnswer(file="answers.md", title=made.text("Why?"), text=words, rubric=RUBRIC)
    found = [Flag(file="toy.py", line=5, name="eval")] if flags else []
    part = part.model_copy(update={"collected": [answer], "flags": found})
    handed_in = report.submission.model_copy(update={"files": files})
    return report.model_copy(update={"assignments": [part], "submission": handed_in})


def graded(folder: Path, *reports: Report) -> Path:
    """A folder of reports with a gradebook."""
    made.folder(folder, *reports)
    filled = Filled(folder / "gradebook.db")
    with filled.book:
        facts = {"exercises": {"toy.double": {"points": 10.0}}, "by_hand": {"answers.md": 5.0}}
        note_facts(filled.book, {"assignment toy": facts})
        for each in reports:
            filled.add(key(each.submission.id))
    return folder


def _file(name: str, content: bytes) -> SubmittedFile:
    return SubmittedFile(name=name, sha256="0" * 64, content=base64.b64encode(content).decode())
