"""The key of a bundle: made from the course key, which itself stays at home."""

from __future__ import annotations

import hmac
from collections.abc import Sequence

from grader.bundle.item import SECRET, Item
from grader.pipeline.key import FILE_NAME


def bundle_key(course_key: bytes, service: str, assignments: Sequence[str]) -> Item:
    """Return the key file of a bundle.

    The same course, service and assignments give the same key, so a bundle that is made anew draws the inputs it drew
    before; and from it nobody finds the course key, nor that of another bundle.

    Args:
        course_key: The key of the course.
        service: Whose bundle it is.
        assignments: What it grades.
    """
    words = "\0".join(["bundle", service, *sorted(assignments)])
    return Item(FILE_NAME, hmac.digest(course_key, words.encode(), "sha256").hex().encode() + b"\n", SECRET)
