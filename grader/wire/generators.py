"""`np.random.Generator` on the wire: the name of its bit generator and four integers.

Only the PCG64 family travels. The states of the others hold positions into buffers, which NumPy does not check when a
state is set: an untrusted one would read beyond its buffer.
"""

from __future__ import annotations

from typing import Any

from numpy.random import PCG64, PCG64DXSM, Generator

from grader.wire import digits
from grader.wire.errors import Unsendable, WireError
from grader.wire.header import Json

_KINDS: dict[str, type[PCG64 | PCG64DXSM]] = {"PCG64": PCG64, "PCG64DXSM": PCG64DXSM}
_BITS = (128, 128, 1, 32)  # of the state, the increment, has_uint32 and uinteger


def take(generator: Generator) -> Json:
    """Return what stands for a generator in a tree.

    Raises:
        Unsendable: It is of another kind than those of `numpy.random.default_rng`.
    """
    state: Any = generator.bit_generator.state
    name = state["bit_generator"]
    if name not in _KINDS:
        raise Unsendable(f"a random generator over {name}")
    numbers = (state["state"]["state"], state["state"]["inc"], state["has_uint32"], state["uinteger"])
    return [name, *(digits.write(number) for number in numbers)]


def make(body: Json) -> Generator:
    """Return a generator that continues where the one sent was.

    Raises:
        WireError: The name or a number is not one that `take` writes.
    """
    match body:
        case [str(name), *numbers] if name in _KINDS and len(numbers) == len(_BITS):
            pairs = zip(numbers, _BITS, strict=True)
            state, increment, has_uint32, uinteger = (_natural(number, bits) for number, bits in pairs)
        case _:
            raise WireError("generator: must be of a kind that travels, with four numbers")
    source = _KINDS[name](0)
    source.state = {
        "bit_generator": name,
        "state": {"state": state, "inc": increment},
        "has_uint32": has_uint32,
        "uinteger": uinteger,
    }
    return Generator(source)


def _natural(text: Json, bits: int) -> int:
    number = digits.read(text, bits)
    if number < 0:
        raise WireError("generator: a negative number")
    return number
