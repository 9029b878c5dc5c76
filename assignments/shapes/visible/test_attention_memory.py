"""shapes.attention_memory: femto and pico by hand, GPT-2 in MiB."""

from grader.testing import assert_rejects, core, edge, exercise

pytestmark = exercise("shapes.attention_memory")


def model(submission, L, H, d, V=65, block_size=64):
    return submission.ModelShape(n_layer=L, n_head=H, d_model=d, vocab_size=V, block_size=block_size)


def assert_bytes(got, expected):
    assert got == expected, f"got {got!r:.80}, expected {expected:,}"


@core
def test_one_matrix_of_femto(submission):
    assert_bytes(submission.attention_memory(model(submission, 1, 1, 2), 1, 5), 100)


@core
def test_nine_matrices_of_pico(submission):
    assert_bytes(submission.attention_memory(model(submission, 3, 3, 6), 1, 5), 900)


@core
def test_each_sequence_of_a_batch_has_its_own(submission):
    assert_bytes(submission.attention_memory(model(submission, 2, 7, 77), 3, 11), 20_328)


@core
def test_twice_the_tokens_take_four_times_the_memory(submission):
    pico = model(submission, 3, 3, 6)
    assert_bytes(submission.attention_memory(pico, 1, 10), 3600)


@core
def test_gpt2_small_takes_48_mib_a_layer(submission):
    assert_bytes(submission.attention_memory(model(submission, 12, 12, 768, 50257, 1024), 1, 1024), 12 * 48 * 2**20)


@edge
def test_half_precision_takes_half(submission):
    assert_bytes(submission.attention_memory(model(submission, 3, 3, 6), 1, 5, 2), 450)


@edge
def test_a_size_below_one_is_an_error(submission):
    pico = model(submission, 3, 3, 6)
    for wrong in (-3, 0):
        assert_rejects(submission.attention_memory, pico, wrong, 5)
        assert_rejects(submission.attention_memory, pico, 1, wrong)
        assert_rejects(submission.attention_memory, pico, 1, 5, wrong)


@edge
def test_bytes_are_an_int(submission):
    got = submission.attention_memory(model(submission, 3, 3, 6), 1, 5)
    assert type(got) is int, f"{got!r:.80} is no int"
