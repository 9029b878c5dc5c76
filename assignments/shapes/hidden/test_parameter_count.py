"""What decides the score of `parameter_count`: every part of a tied model, what untying adds, then every edge by itself."""

from grader.testing import assert_keys, core, edge, exercise

pytestmark = exercise("shapes.parameter_count")

PARTS = ("wte", "wpe", "attn", "mlp", "ln", "lm_head", "total")


def model(submission, rng):
    """Draw a model; all its sizes are different primes."""
    L, H, d_head = (int(size) for size in rng.choice([2, 3, 5, 7, 11], size=3, replace=False))
    V, block_size = (int(size) for size in rng.choice([53, 59, 61, 67, 71, 73], size=2, replace=False))
    sizes = {"n_layer": L, "n_head": H, "d_model": H * d_head, "vocab_size": V, "block_size": block_size}
    return submission.ModelShape(**sizes)


def assert_count(got, expected, what):
    assert isinstance(got, int | float), f"{what} should be a number, got {got!r:.80}"
    assert got == expected, f"{what}: got {got:,}, expected {expected:,}"


@core
def test_every_part_of_a_model_with_a_tied_head(submission, reference, rng):
    for _ in range(3):
        shape = model(submission, rng)
        got = assert_keys(submission.parameter_count(shape), *PARTS, what="the count")
        for part, expected in reference.parameter_count(shape).items():
            assert_count(got[part], expected, f"{part} of {shape}")


@core
def test_a_head_of_its_own_adds_one_more_embedding_and_nothing_else(submission, rng):
    for _ in range(3):
        shape = model(submission, rng)
        tied = assert_keys(submission.parameter_count(shape), *PARTS, what="the count")
        got = assert_keys(submission.parameter_count(shape, tied=False), *PARTS, what="the count of an untied model")
        assert_count(got["lm_head"], shape.vocab_size * shape.d_model, f"lm_head of {shape}, untied")
        assert_count(got["total"] - tied["total"], shape.vocab_size * shape.d_model, "what untying adds to the total")


@edge
def test_the_number_of_heads_changes_nothing(submission, rng):
    sizes = {"n_layer": 3, "d_model": int(rng.choice([13, 17, 19])), "vocab_size": 59, "block_size": 61}
    one = submission.parameter_count(submission.ModelShape(n_head=1, **sizes))
    for n_head in (4, sizes["d_model"], None):
        got = submission.parameter_count(submission.ModelShape(n_head=n_head, **sizes))
        assert got == one, f"with {n_head} heads you count {got!r:.200}, with 1 head {one!r:.200}"


@edge
def test_counts_are_ints(submission, rng):
    for tied in (True, False):
        for part, count in submission.parameter_count(model(submission, rng), tied).items():
            assert type(count) is int, f"{part} is {count!r:.80}: no int"
