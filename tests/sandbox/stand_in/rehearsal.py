"""A worker that runs any source has nothing to rehearse."""

from __future__ import annotations

from collections.abc import Sequence


def rehearse(packages: Sequence[str]) -> list[object]:
    return []
