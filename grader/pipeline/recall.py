"""What is known of a submission already: the keys of its results, and why there is none for one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256

from grader.gradebook.results import Key
from grader.intake.base import Submission, digest
from grader.intake.names import shown
from grader.pipeline.engine import code_digest
from grader.pipeline.gather import told_of
from grader.pipeline.ground import Ground, Parts
from grader.pipeline.settings import Graded, Settings


def key_of(submission: Submission, graded: Graded, ground: Ground) -> Key:
    """Return the key of a result: of the submission, only what this assignment takes of it has a say."""
    wanted = graded.assignment.manifest.taken
    taken = {name: content for name, content in submission.files.items() if name in wanted}
    files = submission.digest if len(taken) == len(submission.files) else digest(taken)
    whole = [ground.digest, submission.id, files, told_of(submission, graded)]
    return Key(_digest(whole), ground.digest, submission.id, graded.assignment.id, files)


def identity_of(submission: Submission, settings: Settings, keys: list[Key]) -> str:
    """Return a digest over all that the reports on a submission are written from."""
    problems = [[each.file, each.message, each.hint] for each in submission.problems]
    handed_in = [submission.id, shown(submission.place), submission.digest, list(submission.ignored), problems]
    course = [each.digest for each in settings.graded]
    return _digest([handed_in, course, [key.digest for key in keys], code_digest()])


def why_judged(key: Key, now: Parts, before: tuple[Parts, str] | None) -> str:
    """Return why something has to be judged of which there is no result, in a few words.

    Args:
        key: The key of the result that is wanted.
        now: What decides it, beside the submission.
        before: What decided the last result of the same student, and the digest of its files.
    """
    if before is None:
        return "new"
    parts, files = before
    said = [words for name, words in _CHANGED.items() if parts.get(name) != now.get(name)]
    said += ["other files"] if files != key.files else []
    return ", ".join([*said, *_environments(parts, now)]) or "other reasons why a file could not be taken"


_CHANGED = {
    "suite": "another suite or reference",
    "exercises": "other exercises asked for",
    "grader": "another version of the grader",
    "engine": "other code of the grader",
    "key": "another course key",
    "level": "another level of isolation",
}


def _environments(before: Parts, now: Parts) -> list[str]:
    old, new = before.get("environment"), now.get("environment")
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return []
    names = sorted(name for name in {*old, *new} if old.get(name) != new.get(name))
    return [f"{name} {old.get(name, 'none')} is now {new.get(name, 'none')}" for name in names]


def _digest(value: object) -> str:
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
