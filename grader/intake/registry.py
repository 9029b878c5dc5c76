"""The forms in which a submission may be handed in."""

from __future__ import annotations

from collections.abc import Mapping

from grader.intake import archive, folder
from grader.intake.base import Form

FORMS: Mapping[str, Form] = {"folder": folder, "archive": archive}
