"""All that take part, the one that others are compared with first."""

from __future__ import annotations

from tests.benchmarks.throughput.contender import Contender
from tests.benchmarks.throughput.direct import Bodies
from tests.benchmarks.throughput.nbgrader import NBGRADER
from tests.benchmarks.throughput.otter import OTTER
from tests.benchmarks.throughput.ours import Ours
from tests.benchmarks.throughput.processes import PYTEST, UNITTEST

CONTENDERS: dict[str, Contender] = {
    "grader": Ours(1),
    "grader-2": Ours(2),
    "bodies": Bodies(),
    "pytest": PYTEST,
    "unittest": UNITTEST,
    "otter": OTTER,
    "nbgrader": NBGRADER,
}
