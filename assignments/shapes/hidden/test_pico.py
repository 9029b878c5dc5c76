"""What decides the score of `pico`: its sizes, whatever the vocabulary, and what is no size at all."""

from grader.testing import assert_record, assert_rejects, core, edge, exercise

pytestmark = exercise("shapes.pico")


@core
def test_it_has_the_sizes_of_pico_and_those_that_are_given(submission, rng):
    for _ in range(3):
        V, block_size = (int(size) for size in rng.choice([11, 13, 17, 19, 23, 29, 31, 37], size=2, replace=False))
        got = assert_record(submission.pico(V, block_size), "ModelShape", "pico")
        assert (got.n_layer, got.n_head, got.d_model) == (3, 3, 6), f"pico is not {got!r:.200}"
        assert (got.vocab_size, got.block_size) == (V, block_size), f"pico({V}, {block_size}) is not {got!r:.200}"


@edge
def test_a_size_below_one_is_refused(submission, rng):
    for wrong in (-int(rng.integers(2, 50)), -1, 0):
        assert_rejects(submission.pico, wrong, 13)
        assert_rejects(submission.pico, 13, wrong)
