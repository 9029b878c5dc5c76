"""Ready-made answers: names that an assignment forbids are replaced by something that raises `Blocked`.

A tripwire: a call that is blocked stays so, whatever the submission does with the error.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping
from pkgutil import resolve_name
from types import ModuleType
from typing import Any, NamedTuple, NoReturn

from grader.worker.errors import Blocked

# Where the modules of packages hold what can be called, by its identity; and of which packages that is known.
_places: dict[int, list[tuple[str, ModuleType, str]]] = {}
_surveyed: set[str] = set()


def survey(packages: Collection[str]) -> None:
    """Note which names the modules of some packages have for what can be called.

    A zygote does it once. A worker that looked through all of torch by itself would change the count of references to each thing that it
    looks at, and so copy the memory of all of them.
    """
    _surveyed.update(packages)
    for name, module in list(sys.modules.items()):
        package = name.partition(".")[0]
        if package in packages:
            for alias, value in list(vars(module).items()):
                if callable(value):
                    _places.setdefault(id(value), []).append((package, module, alias))


class _StandIn(NamedTuple):
    """What stands in the place of something of a package."""

    package: str
    original: object
    instead: object


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
        stand_ins: dict[int, _StandIn] = {}
        modules = len(sys.modules)
        for name in self._names:
            owner, _, attribute = name.rpartition(".")
            holder = _find(owner)
            original = getattr(holder, attribute, None)
            if original is not None:
                stand_in = _StandIn(name.partition(".")[0], original, self._stand_in(name, original))
                stand_ins[id(original)] = stand_in
                self._replace(holder, attribute, stand_in)
        packages = {each.package for each in stand_ins.values()}
        # To find a name may have imported what nobody had looked through.
        if packages - _surveyed or len(sys.modules) != modules:
            survey(packages)
        self._replace_aliases(stand_ins)

    def _replace(self, holder: object, attribute: str, stand_in: _StandIn) -> None:
        setattr(holder, attribute, stand_in.instead)
        self._replaced.append((holder, attribute, stand_in.original))

    def _replace_aliases(self, stand_ins: Mapping[int, _StandIn]) -> None:
        """Replace every other name that a package has for the same things."""
        for number, stand_in in stand_ins.items():
            for package, module, alias in _places.get(number, ()):
                if package == stand_in.package and vars(module).get(alias) is stand_in.original:
                    self._replace(module, alias, stand_in)

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
