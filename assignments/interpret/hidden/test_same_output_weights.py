"""interpret.same_output_weights: other weights with the same output. There are many, and any of them is right.

So nothing is compared with the reference: what is asked of the answer is what the exercise says of it.
"""

import torch

from grader.testing import (
    as_tensor,
    assert_close,
    assert_rejects,
    assert_row_stochastic,
    assert_unchanged,
    core,
    edge,
    exercise,
)

pytestmark = exercise("interpret.same_output_weights")

T_Q, T_K, D_V = 3, 7, 2
ERRORS = ("ValueError", "RuntimeError")


def normal(rng, *shape):
    return torch.from_numpy(rng.normal(size=shape))


def positive(rng, T_q=T_Q, T_k=T_K):
    """Draw weights of at least 0.1 / T_k."""
    return 0.9 * torch.from_numpy(rng.dirichlet([2.0] * T_k, size=T_q)) + 0.1 / T_k


def require_weights_with_the_same_output(got, A, V, what):
    as_tensor(got, shape=tuple(A.shape), dtype=A.dtype, what=what)
    assert_row_stochastic(got, what=what)
    assert_close(got @ V, A @ V, what=f"the output of {what}")
    assert (got - A).abs().max() > 1e-6, f"{what}: none differs from what it was by more than 1e-6"


@core
def test_every_row_differs_and_the_output_does_not(submission, rng):
    for T_q, T_k, d_v in ((T_Q, D_V + 2, D_V), (T_Q, T_K, D_V), (5, 11, 4)):
        A, V = positive(rng, T_q, T_k), normal(rng, T_k, d_v)
        what = f"the other weights for {T_k} keys and values of width {d_v}"
        got = submission.same_output_weights(A, V)
        require_weights_with_the_same_output(got, A, V, what)
        for row, change in enumerate((got - A).abs().amax(dim=-1)):
            assert change > 1e-6, f"{what}: no weight of row {row} differs from what it was by more than 1e-6"


@edge
def test_a_row_that_is_nearly_sure_gives_only_what_it_has(submission, rng):
    sure = torch.eye(T_K, dtype=torch.bool)[torch.from_numpy(rng.permutation(T_K))]
    rest = torch.from_numpy(rng.uniform(1.2e-5, 2e-5, size=(T_K, 1)))  # a tenth of which is still more than 1e-6
    A = torch.where(sure, 1 - (T_K - 1) * rest, rest)
    while True:  # until the shortest weights with the same output would have to be negative
        V = normal(rng, T_K, D_V)
        M = torch.cat([V, torch.ones(T_K, 1, dtype=V.dtype)], dim=1)
        if (A @ M @ torch.linalg.pinv(M)).min() < -0.05:
            break
    got = submission.same_output_weights(A, V)
    require_weights_with_the_same_output(got, A, V, "the other weights of rows that are nearly sure")


@edge
def test_equal_weights_can_be_others_too(submission, rng):
    A, V = torch.full((2, T_K), 1 / T_K, dtype=torch.float64), normal(rng, T_K, D_V)
    got = submission.same_output_weights(A, V)
    require_weights_with_the_same_output(got, A, V, "the other weights of rows whose weights are equal")


@edge
def test_a_value_that_comes_twice_is_direction_enough(submission, rng):
    V = normal(rng, 4, 5)
    V[2] = V[0]
    A = positive(rng, 2, 4)
    what = "the other weights where two of 4 values are alike"
    require_weights_with_the_same_output(submission.same_output_weights(A, V), A, V, what)


@edge
def test_one_query_or_values_of_width_1(submission, rng):
    for T_q, T_k, d_v in ((1, 5, 3), (2, 3, 1)):
        A, V = positive(rng, T_q, T_k), normal(rng, T_k, d_v)
        what = f"the other weights of {T_q} rows for values of width {d_v}"
        require_weights_with_the_same_output(submission.same_output_weights(A, V), A, V, what)


@edge
def test_without_a_null_direction_it_is_refused(submission, rng):
    for T_k, d_v in ((3, 2), (3, 5), (4, 3)):
        # As far from having one as can be: the columns of [V, 1] are at right angles.
        square, _ = torch.linalg.qr(torch.cat([torch.ones(T_k, 1, dtype=torch.float64), normal(rng, T_k, T_k - 1)], 1))
        V = torch.cat([square[:, 1:], normal(rng, T_k, d_v - T_k + 1)], dim=1)
        assert_rejects(submission.same_output_weights, positive(rng, T_Q, T_k), V, error=ERRORS)


@edge
def test_a_weight_of_0_or_less_is_refused(submission, rng):
    A, V = positive(rng), normal(rng, T_K, D_V)
    for key in range(T_K):  # a direction gives to some keys, and takes from others
        for wrong in (0.0, -0.05):
            row = A[1].clone()
            row[key] = 0.0
            row *= (1 - wrong) / row.sum()
            row[key] = wrong
            assert_rejects(submission.same_output_weights, torch.stack([A[0], row]), V, error=ERRORS)


@edge
def test_a_row_without_room_is_refused(submission, rng):
    """The one direction takes from one of two weights that are nearly 0, for their values are alike."""
    V = normal(rng, 4, 2)
    V[2] = V[1]
    A = positive(rng, 2, 4)
    A[1] = torch.tensor([0.4, 1e-9, 1e-9, 0.6 - 2e-9])
    assert_rejects(submission.same_output_weights, A, V, error=ERRORS)


@edge
def test_shapes_that_do_not_fit_are_refused(submission, rng):
    A, V = positive(rng), normal(rng, T_K, D_V)
    for a, v in ((A, V[:-1]), (A[0], V), (A[None], V)):
        assert_rejects(submission.same_output_weights, a, v, error=(*ERRORS, "IndexError"))


@edge
def test_the_dtype_stays(submission, rng):
    A, V = positive(rng).float(), normal(rng, T_K, D_V).float()
    got = submission.same_output_weights(A, V)
    require_weights_with_the_same_output(got, A, V, "the other weights in float32")


@edge
def test_weights_and_values_stay_as_they_were(submission, rng):
    assert_unchanged(submission.same_output_weights, positive(rng), normal(rng, T_K, D_V))
