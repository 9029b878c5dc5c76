"""Every format. A new one is a module of `grader.export.formats` and a line here; the conformance test runs against it unasked."""

from __future__ import annotations

from collections.abc import Mapping

from grader.export.base import OfClass, OfOne
from grader.export.formats import (
    autolab,
    canvas,
    check50,
    classroom,
    gradescope,
    junit,
    markdown,
    moodle,
    plain_csv,
    prairielearn,
    sarif,
    summary,
    workflow,
)

OF_ONE: Mapping[str, OfOne] = {
    "gradescope": gradescope,
    "autolab": autolab,
    "prairielearn": prairielearn,
    "classroom": classroom,
    "check50": check50,
    "junit": junit,
    "markdown": markdown,
    "annotations": workflow,
    "sarif": sarif,
}
OF_CLASS: Mapping[str, OfClass] = {"canvas": canvas, "moodle": moodle, "csv": plain_csv, "summary": summary}
FORMATS: Mapping[str, OfOne | OfClass] = {**OF_ONE, **OF_CLASS}
