"""Manifests in one line."""

from __future__ import annotations

from typing import Any

from grader.model.manifest import Manifest


def exercise(exercise_id: str, *needs: str, points: float = 10, **more: Any) -> dict[str, Any]:
    """An exercise as a manifest holds it; its function is called as the second part of its id."""
    module, _, name = exercise_id.partition(".")
    title = {"en": f"{name} of {module}", "zh-TW": "題目"}
    return {"id": exercise_id, "title": title, "points": points, "names": [name], "needs": list(needs)} | more


def raw_manifest(*exercises: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A manifest as TOML gives it, of the assignment `toy` in `toy.py`."""
    given = list(exercises or (exercise("toy.double"),))
    return {"id": "toy", "title": {"en": "Toy", "zh-TW": "玩具"}, "files": ["toy.py"], "exercises": given} | more


def manifest(*exercises: dict[str, Any], **more: Any) -> Manifest:
    """The same, checked."""
    return Manifest.model_validate(raw_manifest(*exercises, **more))
