"""shapes.parameter_count: femto part by part, pico, and the four sizes of GPT-2 to the last parameter."""

from grader.testing import assert_keys, core, edge, exercise

pytestmark = exercise("shapes.parameter_count")

PARTS = ("wte", "wpe", "attn", "mlp", "ln", "lm_head", "total")
GPT2 = {
    "small": (12, 12, 768, 124_439_808),
    "medium": (24, 16, 1024, 354_823_168),
    "large": (36, 20, 1280, 774_030_080),
    "xl": (48, 25, 1600, 1_557_611_200),
}


def model(submission, L, H, d, V=65, block_size=64):
    return submission.ModelShape(n_layer=L, n_head=H, d_model=d, vocab_size=V, block_size=block_size)


def assert_counts(got, **expected):
    count = assert_keys(got, *PARTS, what="the count")
    for part, number in expected.items():
        assert count[part] == number, f"{part}: got {count[part]!r:.80}, expected {number:,}"


@core
def test_the_embeddings_of_femto(submission):
    assert_counts(submission.parameter_count(model(submission, 1, 1, 2)), wte=130, wpe=128)


@core
def test_the_attention_of_femto(submission):
    assert_counts(submission.parameter_count(model(submission, 1, 1, 2)), attn=24)


@core
def test_the_mlp_of_femto(submission):
    assert_counts(submission.parameter_count(model(submission, 1, 1, 2)), mlp=42)


@core
def test_the_norms_of_femto(submission):
    assert_counts(submission.parameter_count(model(submission, 1, 1, 2)), ln=12)


@core
def test_three_layers_have_three_times_the_blocks_and_one_final_norm(submission):
    got = submission.parameter_count(model(submission, 3, 3, 6))
    assert_counts(got, wte=390, wpe=384, attn=504, mlp=954, ln=84, lm_head=0, total=2316)


@core
def test_a_tied_head_adds_nothing_and_one_of_its_own_an_embedding(submission):
    femto = model(submission, 1, 1, 2)
    assert_counts(submission.parameter_count(femto), lm_head=0, total=336)
    assert_counts(submission.parameter_count(femto, tied=False), lm_head=130, total=466)


@core
def test_the_four_sizes_of_gpt2(submission):
    for L, H, d, total in GPT2.values():
        assert_counts(submission.parameter_count(model(submission, L, H, d, 50257, 1024)), total=total)


@core
def test_gpt2_small_with_a_head_of_its_own(submission):
    assert_counts(
        submission.parameter_count(model(submission, 12, 12, 768, 50257, 1024), tied=False), total=163_037_184
    )


@edge
def test_the_number_of_heads_changes_nothing(submission):
    for n_head in (1, 2, 4, None):
        assert_counts(submission.parameter_count(model(submission, 3, n_head, 6)), attn=504, total=2316)


@edge
def test_counts_are_ints(submission):
    for part, count in submission.parameter_count(model(submission, 1, 1, 2)).items():
        assert type(count) is int, f"{part} is {count!r:.80}: no int"
