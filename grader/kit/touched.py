"""What a change in a student's files touches."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from grader.kit.work import Unreadable, parts
from grader.model.manifest import Manifest


def code_of(manifest: Manifest, files: Mapping[str, bytes]) -> dict[str, str]:
    """Return a digest of all that each exercise stands on: its own code, that of those it needs, and what is no exercise's.

    A comment changes none. A file that is no Python counts as its bytes, for every exercise that is written in it.
    """
    shared, own = _read(manifest, files)
    found = {}
    for exercise in manifest.exercises:
        family = [exercise.id, *manifest.prerequisites(exercise.id)]
        content = [shared, *(own[each] for each in family)]
        found[exercise.id] = sha256(repr(content).encode()).hexdigest()
    return found


def _read(manifest: Manifest, files: Mapping[str, bytes]) -> tuple[object, dict[str, object]]:
    """What belongs to no exercise, and what belongs to each."""
    owners = {(each.module, name): each.id for each in manifest.exercises for name in each.names}
    shared: list[object] = []
    own: dict[str, list[object]] = {each.id: [] for each in manifest.exercises}
    for file, content in sorted(files.items()):
        module = file.rpartition(".")[0]
        for name, text in _parts(file, content).items():
            owner = owners.get((module, name)) or owners.get((module, name.partition(".")[0]))
            (own[owner] if owner else shared).append((file, name, text))
    return shared, dict(own)


def _parts(file: str, content: bytes) -> dict[str, str]:
    if not file.endswith(".py"):
        return {"": sha256(content).hexdigest()}
    try:
        return parts(content, file)
    except Unreadable:
        return {"": sha256(content).hexdigest()}
