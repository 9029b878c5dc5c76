"""How close is close: one policy, by the precision of the expected value."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, NamedTuple

import numpy as np


class Tolerance(NamedTuple):
    """A value is close when |got - expected| <= atol + rtol * |expected|."""

    rtol: float
    atol: float

    def scaled(self, factor: float) -> Tolerance:
        """The same policy, `factor` times as wide."""
        return Tolerance(self.rtol * factor, self.atol * factor)

    def wider(self, other: Tolerance) -> Tolerance:
        """The wider of both, part by part."""
        return Tolerance(max(self.rtol, other.rtol), max(self.atol, other.atol))


# Wide enough for any order of summation of a few thousand terms and for log-space detours, and a
# thousand times narrower than the smallest effect of a misconception on the suites' inputs.
FLOAT64 = Tolerance(1e-7, 1e-9)
FLOAT32 = Tolerance(1e-4, 1e-5)
EXACT = Tolerance(0.0, 0.0)

# The widest tolerance that the running test used: a diagnosis must be no stricter than the test was.
widest: ContextVar[Tolerance] = ContextVar("widest", default=EXACT)


def tolerance_for(dtype: np.dtype[Any]) -> Tolerance:
    """Return the tolerance for results of `dtype`."""
    return FLOAT32 if dtype in (np.dtype(np.float32), np.dtype(np.float16), np.dtype(np.complex64)) else FLOAT64


def chosen(dtype: np.dtype[Any], rtol: float | None, atol: float | None) -> Tolerance:
    """Return the policy for `dtype`, overridden where a test says so, and remember how wide it was."""
    policy = tolerance_for(dtype)
    tolerance = Tolerance(policy.rtol if rtol is None else rtol, policy.atol if atol is None else atol)
    widest.set(widest.get().wider(tolerance))
    return tolerance
