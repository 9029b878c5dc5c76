"""Ready-made answers: names that an assignment forbids are replaced by something that raises `Blocked`.

A tripwire: a call that is blocked stays so, whatever the submission does with the error.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pkgutil import resolve_name
from typing import Any, NoReturn

from grader.worker.errors import Blocked


class Guard:
    """Watches the names that an assignment forbids.

    Args:
        forbidden: Dotted names of functions and classes.
        allowed: The packages that a submission may import. A name in another one cannot be reached, so it is left.
    """

    def __init__(self, forbidden: Iterable[str], allowed: Iterable[str]) -> None:
        tops = {name.partition(".")[0] for name in allowed}
        self._names = [name for name in forbidden if "." in name and name.partition(".")[0] in tops]
        self._replaced: list[tuple[Any, str, object]] = []
        self._tripped: Blocked | None = None

    def install(self) -> None:
        """Replace each name that exists.

        Raises:
            TypeError: One cannot be replaced, as an attribute of a builtin type cannot.
        """
        for name in self._names:
            owner, _, attribute = name.rpartition(".")
            holder = _find(owner)
            original = getattr(holder, attribute, None)
            if original is not None:
                self._replace(holder, attribute, original, name)

    def _replace(self, holder: object, attribute: str, original: object, name: str) -> None:
        """Replace a name, and every other name that its package has for the same thing."""
        stand_in = self._stand_in(name, original)
        setattr(holder, attribute, stand_in)
        self._replaced.append((holder, attribute, original))
        top = name.partition(".")[0]
        for module in [module for each, module in sys.modules.items() if each.partition(".")[0] == top]:
            for alias in [alias for alias, value in vars(module).items() if value is original]:
                setattr(module, alias, stand_in)
                self._replaced.append((module, alias, original))

    def uninstall(self) -> None:
        """Put everything back."""
        while self._replaced:
            setattr(*self._replaced.pop())

    def check(self) -> None:
        """Raise the first `Blocked` since the last check, where there was one: it may have been caught.

        Raises:
            Blocked: It is that one, with its traceback.
        """
        tripped, self._tripped = self._tripped, None
        if tripped:
            raise tripped

    def _stand_in(self, name: str, original: object) -> object:
        def blocked(*_: object, **__: object) -> NoReturn:
            error = Blocked(f"{name} is the ready-made answer to this assignment: write that part yourself")
            self._tripped = self._tripped or error
            raise error

        if isinstance(original, type):
            return type(original.__name__, (), {"__new__": blocked, "__init_subclass__": blocked})
        return blocked


def _find(dotted: str) -> object:
    """Return the module or the class of a dotted name; None where there is none, as in another version of a package."""
    try:
        return resolve_name(dotted)
    except (ImportError, AttributeError):
        return None
