"""A student's template: the reference with each solution replaced by the error that says what is still to do."""

from grader.template.building import Stale, build, check
from grader.template.stripping import strip

__all__ = ["Stale", "build", "check", "strip"]
