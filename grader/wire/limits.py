"""How large a value may be beside its arrays. Both ends know these, so an honest value is refused by its sender."""

from __future__ import annotations

from types import NoneType

from numpy import bool_, number

MAX_NESTING = 32  # containers within containers
MAX_VALUES = 100_000
MAX_BITS = 1024  # of an int
MAX_BYTES = 16 * 2**20  # of a `bytes`
KEYS = (NoneType, bool, int, float, str, bool_, number)  # what a key of a dict is, or a tuple of such
MAX_NAME = 200  # characters of the name of a class
MAX_FIELDS = 64  # of a record
