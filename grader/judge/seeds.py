"""Where a test's inputs come from.

Hidden tests draw theirs from the course key, so that no student can know them and the instructor can
have them again; visible tests draw the same ones on every machine.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable

_BYTES = 8


def hidden_seeds(key: bytes, *, assignment: str, student: str, digest: str) -> Callable[[str], int]:
    """Return what gives the seed of each hidden test for one submission, from the id of the test (DESIGN, "Reproducible")."""
    whose = _told_apart(assignment, student, digest)

    def seed(test_id: str) -> int:
        return int.from_bytes(hmac.digest(key, whose + _told_apart(test_id), "sha256")[:_BYTES], "big")

    return seed


def _told_apart(*parts: str) -> bytes:
    """Return parts with their lengths, so that no two different lists of them read the same."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in (p.encode() for p in parts))


def visible_seed(test_id: str) -> int:
    """Return the seed of a visible test, the same for everyone."""
    return int.from_bytes(hashlib.sha256(test_id.encode()).digest()[:_BYTES], "big")
