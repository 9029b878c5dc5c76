"""Objects that know how far to turn, and generators that give one row after the other."""

import cmath
import dataclasses
import itertools

import numpy as np


@dataclasses.dataclass(frozen=True)
class Rotary:
    """The turns of a head."""

    width: int
    base: float

    def __post_init__(self):
        if self.width not in range(2, self.width + 1, 2):
            raise ValueError(f"{self.width} is no even width")
        if not self.base > 0:
            raise ValueError(f"{self.base} is no base")

    def __iter__(self):
        for pair in range(self.width // 2):
            yield self.base ** (-2 * pair / self.width)

    def phases(self, position):
        return (cmath.rect(1, position * frequency) for frequency in self)

    def turn(self, row, position):
        numbers = iter(row)
        for phase, real, imaginary in zip(self.phases(position), numbers, numbers, strict=False):
            turned = complex(real, imaginary) * phase
            yield turned.real
            yield turned.imag


class Precise:
    """Whether every array is float32."""

    def __init__(self, *arrays):
        self.single = not any(array.dtype != np.float32 for array in arrays)

    def collect(self, numbers, shape):
        return np.fromiter(numbers, dtype=np.float32 if self.single else np.float64).reshape(shape)


def sinusoidal_encoding(T, d_model, base=10000.0):
    rotary = Rotary(d_model, base)
    if T < 0:
        raise ValueError(f"{T} positions")

    def numbers():
        for position in range(T):
            for phase in rotary.phases(position):
                yield from (phase.imag, phase.real)

    return np.fromiter(numbers(), dtype=np.float64).reshape(T, d_model)


class Plane:
    """Vectors of two numbers."""

    def __init__(self, vectors):
        if vectors.shape[-1:] != (2,):
            raise ValueError(f"{vectors.shape} is no plane")
        self.vectors = vectors

    def turned(self, angle):
        for a, b in self.vectors.reshape(-1, 2).tolist():
            place = complex(a, b) * cmath.exp(1j * angle)
            yield from (place.real, place.imag)


def rotate_2d(x, angle):
    return Precise(x).collect(Plane(x).turned(angle), x.shape)


def rope_frequencies(d_head, base=10000.0):
    return np.fromiter(Rotary(d_head, base), dtype=np.float64)


def apply_rope(x, positions, base=10000.0):
    if x.ndim < 2 or positions.shape not in {x.shape[:-1], x.shape[-2:-1]}:
        raise ValueError(f"{positions.shape} positions for {x.shape}")
    rotary = Rotary(x.shape[-1], base)
    where = itertools.cycle(positions.ravel().tolist())
    rows = x.reshape(-1, x.shape[-1]).tolist()
    turned = (rotary.turn(row, position) for row, position in zip(rows, where, strict=False))
    return Precise(x).collect(itertools.chain.from_iterable(turned), x.shape)


def relative_scores(q, k, n, base=10000.0):
    if q.ndim != 1 or k.ndim != 1 or len(q) != len(k):
        raise ValueError("one query and one key of one width")
    if n < 0:
        raise ValueError(f"{n} positions")
    rotary = Rotary(len(q), base)
    keys = [list(rotary.turn(k.tolist(), position)) for position in range(n)]

    def numbers():
        for position in range(n):
            query = list(rotary.turn(q.tolist(), position))
            yield from (sum(a * b for a, b in zip(query, key, strict=True)) for key in keys)

    return Precise(q, k).collect(numbers(), (n, n))


class Shuffle:
    """A permutation that is known to be one."""

    def __init__(self, perm, T):
        self.places = [int(place) for place in perm]
        if perm.ndim != 1 or set(self.places) != set(range(T)) or len(self.places) != T:
            raise ValueError("every token once")

    def __call__(self, rows):
        return np.array([rows[place] for place in self.places]).reshape(rows.shape)


def order_sensitivity(encode, X, perm):
    if X.ndim != 2:
        raise ValueError("tokens are [T, d]")
    shuffle = Shuffle(perm, len(X))
    before, after = encode(shuffle(X)), shuffle(encode(X))
    pairs = zip(before.ravel().tolist(), after.ravel().tolist(), strict=True)
    return float(max((abs(a - b) for a, b in pairs), default=0))
