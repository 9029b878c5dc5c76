"""shapes.attention_shapes: pico on two sequences of five tokens, then a model of other sizes."""

from grader.testing import assert_keys, assert_rejects, assert_tuple, core, edge, exercise

pytestmark = exercise("shapes.attention_shapes")

NAMES = ("x", "q", "k", "v", "scores", "weights", "heads", "merged", "out")


def pico(submission):
    return submission.ModelShape(n_layer=3, n_head=3, d_model=6, vocab_size=65, block_size=64)


def wide(submission):
    return submission.ModelShape(n_layer=2, n_head=7, d_model=77, vocab_size=101, block_size=103)


def assert_shapes(got, expected, *names):
    shapes = assert_keys(got, *NAMES, what="the shapes")
    for name in names:
        found = assert_tuple(shapes[name], len(expected), name)
        assert found == expected, f"{name} is {expected}, not {found}"


@core
def test_what_comes_in_and_goes_out_is_as_wide_as_the_model(submission):
    assert_shapes(submission.attention_shapes(pico(submission), 2, 5), (2, 5, 6), "x", "out")


@core
def test_each_head_has_its_share_of_the_width(submission):
    assert_shapes(submission.attention_shapes(pico(submission), 2, 5), (2, 3, 5, 2), "q", "k", "v")


@core
def test_each_head_has_scores_of_its_own_for_every_pair_of_positions(submission):
    assert_shapes(submission.attention_shapes(pico(submission), 2, 5), (2, 3, 5, 5), "scores", "weights")


@core
def test_the_heads_are_merged_side_by_side(submission):
    got = submission.attention_shapes(pico(submission), 2, 5)
    assert_shapes(got, (2, 3, 5, 2), "heads")
    assert_shapes(got, (2, 5, 6), "merged")


@core
def test_another_model_on_another_batch(submission):
    got = submission.attention_shapes(wide(submission), 3, 13)
    assert_shapes(got, (3, 13, 77), "x", "merged", "out")
    assert_shapes(got, (3, 7, 13, 11), "q", "k", "v", "heads")
    assert_shapes(got, (3, 7, 13, 13), "scores", "weights")


@edge
def test_heads_that_do_not_divide_the_width_are_an_error(submission):
    odd = submission.ModelShape(n_layer=3, n_head=4, d_model=6, vocab_size=65, block_size=64)
    assert_rejects(submission.attention_shapes, odd, 2, 5)


@edge
def test_a_size_below_one_is_an_error(submission):
    for wrong in (-3, 0):
        assert_rejects(submission.attention_shapes, pico(submission), wrong, 5)
        assert_rejects(submission.attention_shapes, pico(submission), 2, wrong)


@edge
def test_sizes_are_ints(submission):
    for name, shape in submission.attention_shapes(pico(submission), 2, 5).items():
        assert all(type(size) is int for size in shape), (
            f"{name} is {shape!r:.100}: not all of it are ints (/ gives a float, // an int)"
        )
