"""Why something is judged again is told by what differs."""

from __future__ import annotations

import pytest

from grader.gradebook.results import Key
from grader.pipeline.ground import environment, fingerprint
from grader.pipeline.recall import why_judged
from tests.model.toy import exercise, manifest

KEY = Key("k", "g", "ada", "toy", "files")
PARTS = {"suite": "s", "engine": "e", "key": "f", "level": "full", "environment": {"numpy": "2.0", "python": "3.11"}}


@pytest.mark.parametrize(
    ("changed", "files", "said"),
    [
        ({"suite": "t"}, "files", "another suite or reference"),
        ({"engine": "f"}, "files", "other code of the grader"),
        ({"level": "none"}, "files", "another level of isolation"),
        ({}, "others", "other files"),
        ({"environment": {"numpy": "2.1", "python": "3.11"}}, "files", "numpy 2.0 is now 2.1"),
        ({"environment": {"numpy": "2.0", "python": "3.11", "torch": "3"}}, "files", "torch none is now 3"),
        ({"key": "g", "suite": "t"}, "others", "another suite or reference, another course key, other files"),
        ({}, "files", "other reasons why a file could not be taken"),
    ],
)
def test_the_reason_is_what_differs(changed: dict[str, object], files: str, said: str) -> None:
    assert why_judged(KEY, PARTS | changed, (PARTS, files)) == said


def test_what_nobody_handed_in_before_is_new() -> None:
    assert why_judged(KEY, PARTS, None) == "new"


def test_two_keys_have_two_fingerprints_and_neither_is_in_its_own() -> None:
    assert fingerprint(b"a" * 32) != fingerprint(b"b" * 32)
    assert (b"a" * 32).hex() not in fingerprint(b"a" * 32)


def test_an_environment_is_what_the_assignment_needs_of_it() -> None:
    found = environment(manifest(exercise("toy.double"), allowed_imports=["numpy", "no_such_package.part"]))
    assert set(found) == {"python", "platform", "numpy", "pytest", "no_such_package"}
    assert found["no_such_package"] == "none"
