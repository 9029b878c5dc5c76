"""attention.backward: what the loss would like to change in Q, K and V."""

import numpy as np

from grader.testing import (
    as_array,
    assert_close,
    assert_finite,
    assert_rejects,
    assert_tuple,
    assert_unchanged,
    core,
    edge,
    exercise,
)

pytestmark = exercise("attention.backward")

# d_k is 4, so the scores are half the dot products: the logarithms of 1, 2, 5 and of 4, 3, 1.
Q = np.array([[2.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0]])
K = np.log([[1.0, 4.0, 2.0, 1.0], [2.0, 3.0, 1.0, 3.0], [5.0, 1.0, 1.0, 2.0]])
V = np.array([[8.0, 0.0], [0.0, 8.0], [2.0, 8.0]])
DZ = np.array([[1.0, 0.0], [0.0, 1.0]])  # the loss is the first output's first entry plus the second's second
MASK = np.array([[True, False, True], [True, True, False]])
# The weights, and the gradients of the scores: weight times (value of the key, less the mean value of the row).
WEIGHTS = np.array([[1, 2, 5], [4, 3, 1]]) / 8
DS = np.array([[1 / 8 * 5.75, 2 / 8 * -2.25, 5 / 8 * -0.25], [4 / 8 * -4, 3 / 8 * 4, 1 / 8 * 4]])
MASKED_WEIGHTS = np.array([[1 / 6, 0, 5 / 6], [4 / 7, 3 / 7, 0]])
MASKED_DS = np.array([[5 / 6, 0, -5 / 6], [-96 / 49, 96 / 49, 0]])


def gradients(submission, *arguments):
    parts = assert_tuple(submission.attention_backward(*arguments), 3, what="(dQ, dK, dV)")
    named = zip(("dQ", "dK", "dV"), parts, arguments, strict=False)
    return [as_array(part, shape=array.shape, what=name) for name, part, array in named]


@core
def test_each_gradient_has_the_shape_of_its_array(submission):
    gradients(submission, Q, K, V, DZ)


@core
def test_the_gradient_of_a_value_is_what_its_key_was_given(submission):
    assert_close(gradients(submission, Q, K, V, DZ)[2], WEIGHTS.T, what="dV")


@core
def test_the_gradients_of_all_keys_cancel(submission):
    # The same vector added to every key changes no weight.
    total = gradients(submission, Q, K, V, DZ)[1].sum(axis=0)
    # Where terms cancel, what they were rounded by is left: as much as any of them may be off by itself.
    assert_close(total, np.zeros(4), atol=1e-7, what="the sum of dK over the keys")


@core
def test_queries_and_keys_get_the_gradients_of_the_scores(submission):
    dQ, dK, _ = gradients(submission, Q, K, V, DZ)
    assert_close(dQ, DS @ K / 2, what="dQ")
    assert_close(dK, np.concatenate([DS.T, np.zeros((3, 2))], axis=1), what="dK")


@core
def test_as_many_keys_as_queries_are_no_exception(submission):
    dQ, dK, dV = gradients(submission, Q, K[:2], V[:2], DZ)
    dS = np.array([[16 / 9, -16 / 9], [-96 / 49, 96 / 49]])
    assert_close(dV, np.array([[1 / 3, 4 / 7], [2 / 3, 3 / 7]]), what="dV of two tokens")
    assert_close(dQ, dS @ K[:2] / 2, what="dQ of two tokens")
    assert_close(dK, np.concatenate([dS.T, np.zeros((2, 2))], axis=1), what="dK of two tokens")


@core
def test_a_hidden_pair_passes_nothing_back(submission):
    dQ, dK, dV = gradients(submission, Q, K, V, DZ, MASK)
    assert_close(dV, MASKED_WEIGHTS.T, what="dV with a mask")
    assert_close(dQ, MASKED_DS @ K / 2, what="dQ with a mask")
    assert_close(dK, np.concatenate([MASKED_DS.T, np.zeros((3, 2))], axis=1), what="dK with a mask")


@edge
def test_a_batch_is_worked_like_its_examples(submission):
    batch = [np.stack([array, array]) for array in (Q, K, V, DZ)]
    dQ, _, dV = gradients(submission, *batch)
    assert_close(dV, np.stack([WEIGHTS.T, WEIGHTS.T]), what="dV of a batch")
    assert_close(dQ, np.stack([DS @ K / 2] * 2), what="dQ of a batch")


@edge
def test_a_query_that_may_see_nothing_passes_nothing_back(submission):
    mask = np.array([[False, False, False], [True, True, False]])
    for name, part in zip(("dQ", "dK", "dV"), gradients(submission, Q, K, V, DZ, mask), strict=True):
        assert_finite(part, what=f"{name} with a row of nothing")


@edge
def test_float32_stays_float32(submission):
    for part in gradients(submission, *[array.astype(np.float32) for array in (Q, K, V, DZ)]):
        as_array(part, dtype=np.float32, what="a gradient of float32")


@edge
def test_the_arguments_are_left_alone(submission):
    assert_unchanged(submission.attention_backward, Q, K, V, DZ, MASK)


@edge
def test_a_gradient_of_another_shape_than_the_output_is_an_error(submission):
    assert_rejects(submission.attention_backward, Q, K, V, DZ[:1])
    assert_rejects(submission.attention_backward, Q, K, V, np.ones((2, 3)))
