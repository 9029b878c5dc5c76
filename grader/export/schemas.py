"""What the JSON of each format is made of, for those who want to check it."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel

from grader.export.formats import autolab, check50, classroom, gradescope, prairielearn, sarif

SCHEMAS: Mapping[str, type[BaseModel]] = {
    "gradescope": gradescope.SCHEMA,
    "autolab": autolab.SCHEMA,
    "prairielearn": prairielearn.SCHEMA,
    "classroom": classroom.SCHEMA,
    "check50": check50.SCHEMA,
    "sarif": sarif.SCHEMA,
}
