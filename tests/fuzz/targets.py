"""The targets by name."""

from __future__ import annotations

from collections.abc import Mapping

from tests.fuzz import archive, codec, manifest, notebook, worksheet
from tests.fuzz.base import Target

TARGETS: Mapping[str, Target] = {
    "codec": codec,
    "archive": archive,
    "manifest": manifest,
    "worksheet": worksheet,
    "notebook": notebook,
}
