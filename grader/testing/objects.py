"""Objects of a submission's own, as a test holds them: they live in its process and are known by a handle."""

from __future__ import annotations

import copy
from typing import Any, Self

from grader.wire.values import Handle


class Object:
    """What stands for an object of the submission.

    Args:
        handle: Its number in its process, and the name of its class.
    """

    def __init__(self, handle: Handle) -> None:
        self.handle = handle

    def __copy__(self) -> Self:
        """Return the same one: a copy of what stands for an object is no copy of the object."""
        return self

    def __deepcopy__(self, _: dict[int, Any]) -> Self:
        """Return the same one, likewise."""
        return copy.copy(self)
