"""Tests in a context of their own: what they have told in a certain way is told as usual after them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextvars import copy_context
from typing import ParamSpec, TypeVar

Taken = ParamSpec("Taken")
Given = TypeVar("Given")


def apart(function: Callable[Taken, Given]) -> Callable[Taken, Given]:
    """Have a function run in a copy of the context it is called in."""

    @functools.wraps(function)
    def run(*args: Taken.args, **kwargs: Taken.kwargs) -> Given:
        return copy_context().run(function, *args, **kwargs)

    return run
