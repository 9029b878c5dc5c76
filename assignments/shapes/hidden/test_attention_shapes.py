"""What decides the score of `attention_shapes`: all nine shapes, then every edge by itself."""

from grader.testing import assert_keys, assert_rejects, assert_tuple, core, edge, exercise

pytestmark = exercise("shapes.attention_shapes")

NAMES = ("x", "q", "k", "v", "scores", "weights", "heads", "merged", "out")


def drawn(rng):
    """Draw L, H, d / H, V, block_size, B and T: all different, and no product of two is one of them."""
    small = [int(size) for size in rng.choice([2, 3, 5, 7, 11, 13], size=5, replace=False)]
    large = [int(size) for size in rng.choice([101, 103, 107, 109], size=2, replace=False)]
    return *small[:3], *large, *small[3:]


def model(submission, L, H, d, V, block_size):
    return submission.ModelShape(n_layer=L, n_head=H, d_model=d, vocab_size=V, block_size=block_size)


@core
def test_each_step_has_its_shape(submission, reference, rng):
    for _ in range(3):
        L, H, d_head, V, block_size, B, T = drawn(rng)
        shape = model(submission, L, H, H * d_head, V, block_size)
        got = assert_keys(submission.attention_shapes(shape, B, T), *NAMES, what="the shapes")
        for name, expected in reference.attention_shapes(shape, B, T).items():
            what = f"{name} of B={B}, H={H}, T={T}, d={H * d_head}"
            found = assert_tuple(got[name], len(expected), what)
            assert found == expected, f"{what} is {expected}, not {found}"


@edge
def test_heads_that_do_not_divide_the_width_are_refused(submission, rng):
    L, H, d_head, V, block_size, B, T = drawn(rng)
    for rest in (1, H - 1):
        assert_rejects(submission.attention_shapes, model(submission, L, H, H * d_head + rest, V, block_size), B, T)
    assert_rejects(submission.attention_shapes, model(submission, L, 13, 7, V, block_size), B, T)


@edge
def test_a_size_below_one_is_refused(submission, rng):
    for wrong in (-6, -1, 0):
        L, H, d_head, V, block_size, B, T = drawn(rng)
        shape = model(submission, L, H, H * d_head, V, block_size)
        assert_rejects(submission.attention_shapes, shape, wrong, T)
        assert_rejects(submission.attention_shapes, shape, B, wrong)


@edge
def test_sizes_are_ints(submission, rng):
    L, H, d_head, V, block_size, B, T = drawn(rng)
    got = submission.attention_shapes(model(submission, L, H, H * d_head, V, block_size), B, T)
    for name, shape in assert_keys(got, *NAMES, what="the shapes").items():
        assert all(type(size) is int for size in assert_tuple(shape, len(shape))), (
            f"{name} has {shape!r:.100}: not all ints"
        )
