"""What decides the score of `attention_memory`: the bytes of all T x T matrices, then every edge by itself."""

from grader.testing import assert_rejects, core, edge, exercise

pytestmark = exercise("shapes.attention_memory")


def drawn(submission, rng):
    """Draw a model, B and T; all sizes are different primes."""
    L, H, d_head, B = (int(size) for size in rng.choice([2, 3, 5, 7, 11, 13], size=4, replace=False))
    V, block_size, T = (int(size) for size in rng.choice([53, 59, 61, 67, 71, 73], size=3, replace=False))
    shape = submission.ModelShape(n_layer=L, n_head=H, d_model=H * d_head, vocab_size=V, block_size=block_size)
    return shape, B, T


def assert_bytes(got, expected, what):
    assert isinstance(got, int | float), f"{what} should be a number, got {got!r:.80}"
    assert got == expected, f"{what}: got {got:,}, expected {expected:,}"


@core
def test_every_layer_and_head_has_its_own_scores_for_each_sequence(submission, reference, rng):
    for _ in range(3):
        shape, B, T = drawn(submission, rng)
        expected = reference.attention_memory(shape, B, T)
        assert_bytes(submission.attention_memory(shape, B, T), expected, f"B={B}, T={T} of {shape}")


@edge
def test_other_numbers_take_other_bytes(submission, reference, rng):
    for size in (2, 1, 8, 3):
        shape, B, T = drawn(submission, rng)
        expected = reference.attention_memory(shape, B, T, size)
        got = submission.attention_memory(shape, B, T, bytes_per_value=size)
        assert_bytes(got, expected, f"B={B}, T={T}, {size} bytes a number, of {shape}")


@edge
def test_a_size_below_one_is_refused(submission, rng):
    for wrong in (-8, -1, 0):
        shape, B, T = drawn(submission, rng)
        assert_rejects(submission.attention_memory, shape, wrong, T)
        assert_rejects(submission.attention_memory, shape, B, wrong)
        assert_rejects(submission.attention_memory, shape, B, T, wrong)


@edge
def test_bytes_are_an_int(submission, rng):
    got = submission.attention_memory(*drawn(submission, rng))
    assert type(got) is int, f"{got!r:.80} is no int"
