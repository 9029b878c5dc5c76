"""shapes.femto: one layer with one head, and two numbers for each position."""

from grader.testing import assert_equal, assert_record, assert_rejects, core, edge, exercise

pytestmark = exercise("shapes.femto")


@core
def test_the_result_is_a_model_shape(submission):
    assert_record(submission.femto(65, 64), "ModelShape", "femto(65, 64)")


@core
def test_layers_heads_and_width_are_those_of_femto(submission):
    got = assert_record(submission.femto(65, 64), "ModelShape", "femto(65, 64)")
    assert_equal(got.n_layer, 1, "n_layer")
    assert_equal(got.n_head, 1, "n_head")
    assert_equal(got.d_model, 2, "d_model")


@core
def test_vocabulary_and_block_are_those_that_are_given(submission):
    got = assert_record(submission.femto(11, 7), "ModelShape", "femto(11, 7)")
    assert_equal(got.vocab_size, 11, "vocab_size")
    assert_equal(got.block_size, 7, "block_size")


@edge
def test_a_size_below_one_is_an_error(submission):
    for wrong in (-3, 0):
        assert_rejects(submission.femto, wrong, 7)
        assert_rejects(submission.femto, 11, wrong)
