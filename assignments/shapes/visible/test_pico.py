"""shapes.pico: three layers of three heads each, and a width of six: two for each head."""

from grader.testing import assert_equal, assert_record, assert_rejects, core, edge, exercise

pytestmark = exercise("shapes.pico")


@core
def test_the_result_is_a_model_shape(submission):
    assert_record(submission.pico(65, 64), "ModelShape", "pico(65, 64)")


@core
def test_layers_heads_and_width_are_those_of_pico(submission):
    got = assert_record(submission.pico(65, 64), "ModelShape", "pico(65, 64)")
    assert_equal(got.n_layer, 3, "n_layer")
    assert_equal(got.n_head, 3, "n_head")
    assert_equal(got.d_model, 6, "d_model")


@core
def test_vocabulary_and_block_are_those_that_are_given(submission):
    got = assert_record(submission.pico(11, 7), "ModelShape", "pico(11, 7)")
    assert_equal(got.vocab_size, 11, "vocab_size")
    assert_equal(got.block_size, 7, "block_size")


@edge
def test_a_size_below_one_is_an_error(submission):
    for wrong in (-3, 0):
        assert_rejects(submission.pico, wrong, 7)
        assert_rejects(submission.pico, 11, wrong)
