"""What a submission may import.

The rule holds for the submission's own `import` statements and no others: NumPy and torch import what they need. It is a
rule for people; what keeps a determined program from other packages is that a sandbox does not hold them.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Container, Mapping, Sequence
from types import ModuleType
from typing import Any

from grader.worker.errors import ForbiddenImport

_import: Callable[..., ModuleType] = builtins.__import__


def builtins_for(files: Container[str], modules: frozenset[str], allowed: Sequence[str]) -> dict[str, Any]:
    """Return the builtins that a submission's modules run with: Python's, with an `__import__` of their own.

    Args:
        files: The names of the files handed in.
        modules: Every module of the assignment.
        allowed: The packages that may be imported beside the standard library.
    """
    tops = {name.partition(".")[0] for name in allowed} | set(sys.stdlib_module_names)

    def guarded(
        name: str,
        globals: Mapping[str, object] | None = None,  # noqa: A002  (as Python's own names it)
        locals: Mapping[str, object] | None = None,  # noqa: A002  (likewise)
        fromlist: Sequence[str] = (),
        level: int = 0,
    ) -> ModuleType:
        top = name.partition(".")[0]
        if level == 0 and top not in tops and f"{top}.py" not in files:
            raise ForbiddenImport(_reason(top, modules, allowed), name=name)
        return _import(name, globals, locals, fromlist, level)

    return {**vars(builtins), "__import__": guarded}


def _reason(top: str, modules: frozenset[str], allowed: Sequence[str]) -> str:
    if top in modules:
        return f"{top}.py was not handed in, so it cannot be imported: hand it in too, or remove the import"
    packages = f", {', '.join(allowed)}" if allowed else ""
    return (
        f"{top!r} cannot be imported here: remove the import, and use only the standard library{packages} "
        "and the files you hand in"
    )
