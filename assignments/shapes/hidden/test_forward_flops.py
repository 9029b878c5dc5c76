"""What decides the score of `forward_flops`: all matrix products of a pass, then every edge by itself."""

from grader.testing import assert_rejects, core, edge, exercise

pytestmark = exercise("shapes.forward_flops")


def drawn(submission, rng):
    """Draw a model and T; all sizes are different primes."""
    L, H, d_head = (int(size) for size in rng.choice([2, 3, 5, 7, 11, 13], size=3, replace=False))
    V, block_size, T = (int(size) for size in rng.choice([53, 59, 61, 67, 71, 73], size=3, replace=False))
    sizes = {"n_layer": L, "n_head": H, "d_model": H * d_head, "vocab_size": V, "block_size": block_size}
    return submission.ModelShape(**sizes), T


def assert_flops(got, expected, what):
    assert isinstance(got, int | float), f"{what} should be a number, got {got!r:.80}"
    assert got == expected, f"{what}: got {got:,}, expected {expected:,}"


@core
def test_every_matrix_product_counts_twice_its_three_sizes(submission, reference, rng):
    for _ in range(3):
        shape, T = drawn(submission, rng)
        assert_flops(submission.forward_flops(shape, T), reference.forward_flops(shape, T), f"T={T} of {shape}")


@edge
def test_the_number_of_heads_changes_nothing(submission, rng):
    sizes = {"n_layer": 3, "d_model": int(rng.choice([13, 17, 19])), "vocab_size": 59, "block_size": 61}
    one = submission.forward_flops(submission.ModelShape(n_head=1, **sizes), 23)
    for n_head in (4, sizes["d_model"], None):
        got = submission.forward_flops(submission.ModelShape(n_head=n_head, **sizes), 23)
        assert got == one, f"with {n_head} heads you count {got!r:.80}, with 1 head {one!r:.80}"


@edge
def test_a_size_below_one_is_refused(submission, rng):
    for wrong in (-8, -1, 0):
        shape, _ = drawn(submission, rng)
        assert_rejects(submission.forward_flops, shape, wrong)


@edge
def test_flops_are_an_int(submission, rng):
    got = submission.forward_flops(*drawn(submission, rng))
    assert type(got) is int, f"{got!r:.80} is no int"
