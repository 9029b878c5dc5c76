"""shapes.forward_flops: femto by hand, another model, and GPT-2 small to the last operation."""

from grader.testing import assert_rejects, core, edge, exercise

pytestmark = exercise("shapes.forward_flops")


def model(submission, L, H, d, V=65, block_size=64):
    return submission.ModelShape(n_layer=L, n_head=H, d_model=d, vocab_size=V, block_size=block_size)


def assert_flops(got, expected):
    assert got == expected, f"got {got!r:.80}, expected {expected:,}"


@core
def test_femto_on_five_tokens(submission):
    assert_flops(submission.forward_flops(model(submission, 1, 1, 2, V=7), 5), 820)


@core
def test_layers_count_and_the_logits_only_once(submission):
    assert_flops(submission.forward_flops(model(submission, 3, 1, 2, V=7), 5), 2180)


@core
def test_a_larger_vocabulary_costs_at_every_position(submission):
    assert_flops(submission.forward_flops(model(submission, 1, 1, 2, V=11), 5), 900)


@core
def test_gpt2_small_on_1024_tokens(submission):
    assert_flops(submission.forward_flops(model(submission, 12, 12, 768, 50257, 1024), 1024), 291_648_307_200)


@edge
def test_the_number_of_heads_changes_nothing(submission):
    for n_head in (1, 2, 4, None):
        assert_flops(submission.forward_flops(model(submission, 3, n_head, 6, V=7), 5), 15_180)


@edge
def test_a_size_below_one_is_an_error(submission):
    for wrong in (-3, 0):
        assert_rejects(submission.forward_flops, model(submission, 1, 1, 2), wrong)


@edge
def test_flops_are_an_int(submission):
    got = submission.forward_flops(model(submission, 1, 1, 2), 5)
    assert type(got) is int, f"{got!r:.80} is no int"
