"""What the judge's functions raise, raised here."""

from __future__ import annotations

import builtins

from grader.wire.messages import Failure

# Those that are made from a message alone, and that mean nothing but an error of the call.
_ALIKE = {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type)
    and issubclass(kind, ArithmeticError | LookupError | TypeError | ValueError)
    and not issubclass(kind, UnicodeError)
}


def raised_there(error: Failure) -> Exception:
    """Return an exception of the same class as far as Python itself has it, else a `RuntimeError` that names the class."""
    alike = next((_ALIKE[name] for name in error.types if name in _ALIKE), None)
    if alike is None:
        return RuntimeError(f"the function you were given raised {error.types[0]}: {error.message}")
    return alike(error.message)
