"""What a suite imports: marks, assertions, and the words for misconceptions."""

from grader.course.worksheet import question_ids as questions
from grader.testing.answers import assert_answer, assert_form
from grader.testing.artifacts import Artifacts
from grader.testing.calls import assert_rejects, assert_unchanged
from grader.testing.catalogue import Explained, misconception, variant, wrong_run
from grader.testing.close import assert_close, assert_equal, assert_finite
from grader.testing.heat import show_heat_map
from grader.testing.marks import core, edge, exercise, question
from grader.testing.pictures import Picture, read_png
from grader.testing.rows import assert_row_stochastic
from grader.testing.structure import as_array, as_tensor, assert_keys, assert_record, assert_tuple

__all__ = [
    "Artifacts",
    "Explained",
    "Picture",
    "as_array",
    "as_tensor",
    "assert_answer",
    "assert_close",
    "assert_equal",
    "assert_finite",
    "assert_form",
    "assert_keys",
    "assert_record",
    "assert_rejects",
    "assert_row_stochastic",
    "assert_tuple",
    "assert_unchanged",
    "core",
    "edge",
    "exercise",
    "misconception",
    "question",
    "questions",
    "read_png",
    "show_heat_map",
    "variant",
    "wrong_run",
]
