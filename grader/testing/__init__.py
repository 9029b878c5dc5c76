"""What a suite imports: marks, assertions, and the words for misconceptions."""

from grader.testing.calls import assert_rejects, assert_unchanged
from grader.testing.catalogue import Explained, misconception, variant
from grader.testing.close import assert_close, assert_equal, assert_finite
from grader.testing.marks import core, edge, exercise
from grader.testing.rows import assert_row_stochastic
from grader.testing.structure import as_array, assert_keys, assert_tuple

__all__ = [
    "Explained",
    "as_array",
    "assert_close",
    "assert_equal",
    "assert_finite",
    "assert_keys",
    "assert_rejects",
    "assert_row_stochastic",
    "assert_tuple",
    "assert_unchanged",
    "core",
    "edge",
    "exercise",
    "misconception",
    "variant",
]
