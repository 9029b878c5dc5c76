"""What the rules of an assignment raise in a submission."""

from __future__ import annotations


class Blocked(BaseException):
    """A call of something the assignment forbids.

    Not an `Exception`, so that `except Exception` does not swallow it.
    """


class NotDefined(AttributeError):  # noqa: N818  (its name is shown to students)
    """A module of the submission lacks the function that is asked for."""


class Unanswered(NotImplementedError):  # noqa: N818  (likewise)
    """A question of a worksheet that is still blank. Its text is the question."""


class NoAnswer(TypeError):  # noqa: N818  (likewise)
    """What stands at a question of a worksheet can answer none: a date, a table, a number without end."""


class Unreturnable(MemoryError):  # noqa: N818  (likewise)
    """More bytes of arrays than the judge takes from one call, or from one call back."""


class ForbiddenImport(ModuleNotFoundError, Blocked):  # noqa: N818  (likewise)
    """An import of something the assignment does not allow.

    Also a `ModuleNotFoundError`: code that can do without the module goes on, as it would where it is not installed.
    """
