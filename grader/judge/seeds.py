"""Where a test's inputs come from.

Hidden tests draw theirs from the course key, so that no student can know them and the instructor can
have them again; visible tests draw the same ones on every machine.
"""

from __future__ import annotations

import hashlib
import hmac

_BYTES = 8


def hidden_seed(key: bytes, *, assignment: str, student: str, digest: str, test_id: str) -> int:
    """Return the seed of one hidden test for one submission (DESIGN, "Reproducible")."""
    # Lengths go in, so that no two different lists of parts read the same.
    message = b"".join(
        len(part).to_bytes(4, "big") + part for part in (p.encode() for p in (assignment, student, digest, test_id))
    )
    return int.from_bytes(hmac.new(key, message, hashlib.sha256).digest()[:_BYTES], "big")


def visible_seed(test_id: str) -> int:
    """Return the seed of a visible test, the same for everyone."""
    return int.from_bytes(hashlib.sha256(test_id.encode()).digest()[:_BYTES], "big")
