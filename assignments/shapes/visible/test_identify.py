"""shapes.identify: pico from its parameters, then GPT-2 small."""

from grader.testing import assert_equal, assert_record, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("shapes.identify")


def block(i, d):
    """The shapes of block i, biases and norms too."""
    return {
        f"h.{i}.ln_1.weight": (d,),
        f"h.{i}.ln_1.bias": (d,),
        f"h.{i}.attn.c_attn.weight": (3 * d, d),
        f"h.{i}.attn.c_attn.bias": (3 * d,),
        f"h.{i}.attn.c_proj.weight": (d, d),
        f"h.{i}.attn.c_proj.bias": (d,),
        f"h.{i}.ln_2.weight": (d,),
        f"h.{i}.ln_2.bias": (d,),
        f"h.{i}.mlp.c_fc.weight": (4 * d, d),
        f"h.{i}.mlp.c_fc.bias": (4 * d,),
        f"h.{i}.mlp.c_proj.weight": (d, 4 * d),
        f"h.{i}.mlp.c_proj.bias": (d,),
    }


def state(L, d, V, block_size):
    found = {"wte.weight": (V, d), "wpe.weight": (block_size, d)}
    for i in range(L):
        found |= block(i, d)
    return found | {"ln_f.weight": (d,), "ln_f.bias": (d,)}


@core
def test_pico_has_three_layers_of_width_six(submission):
    got = assert_record(submission.identify(state(3, 6, 65, 64)), "ModelShape")
    assert_equal(got.n_layer, 3, "n_layer")
    assert_equal(got.d_model, 6, "d_model")


@core
def test_vocabulary_and_block_are_rows_of_the_embeddings(submission):
    got = assert_record(submission.identify(state(3, 6, 65, 64)), "ModelShape")
    assert_equal(got.vocab_size, 65, "vocab_size")
    assert_equal(got.block_size, 64, "block_size")


@core
def test_the_number_of_heads_is_not_known(submission):
    got = assert_record(submission.identify(state(3, 6, 65, 64)), "ModelShape")
    assert got.n_head is None, f"shapes do not tell the number of heads, you say {got.n_head!r:.50}"


@core
def test_the_order_of_the_names_does_not_matter(submission):
    backwards = dict(reversed(state(3, 6, 65, 64).items()))
    assert_equal(assert_record(submission.identify(backwards), "ModelShape").n_layer, 3, "n_layer")


@core
def test_gpt2_small(submission):
    got = assert_record(submission.identify(state(12, 768, 50257, 1024)), "ModelShape")
    assert (got.n_layer, got.d_model, got.vocab_size, got.block_size) == (12, 768, 50257, 1024), f"you say {got!r:.200}"


@edge
def test_the_number_of_a_block_may_have_any_number_of_digits(submission):
    assert_equal(assert_record(submission.identify(state(101, 2, 65, 64)), "ModelShape").n_layer, 101, "n_layer")


@edge
def test_the_head_and_old_buffers_are_not_looked_at(submission):
    others = {"lm_head.weight": (65, 6), "h.0.attn.bias": (1, 1, 64, 64), "h.0.attn.masked_bias": ()}
    for more in (others, {"head.3.weight": (2, 6)}):  # the second is no block, though it begins with an h
        got = assert_record(submission.identify(more | state(3, 6, 65, 64)), "ModelShape")
        sizes = (got.n_layer, got.d_model, got.vocab_size, got.block_size)
        assert sizes == (3, 6, 65, 64), f"with {', '.join(more)} you say {got!r:.200}"


@edge
def test_biases_and_norms_may_be_missing(submission):
    matrices = {name: shape for name, shape in state(3, 6, 65, 64).items() if len(shape) == 2}
    assert_equal(assert_record(submission.identify(matrices), "ModelShape").n_layer, 3, "n_layer")


@edge
def test_a_missing_matrix_is_an_error(submission):
    for name in ("wte.weight", "wpe.weight", "h.1.mlp.c_fc.weight"):
        assert_rejects(
            submission.identify, {each: shape for each, shape in state(3, 6, 65, 64).items() if each != name}
        )


@edge
def test_matrices_stored_the_other_way_round_are_an_error(submission):
    assert_rejects(submission.identify, state(3, 6, 65, 64) | {"h.2.attn.c_attn.weight": (6, 18)})


@edge
def test_a_width_of_its_own_is_an_error(submission):
    assert_rejects(submission.identify, state(3, 6, 65, 64) | {"wpe.weight": (64, 7)})


@edge
def test_a_missing_block_is_an_error(submission):
    gap = {name: shape for name, shape in state(4, 6, 65, 64).items() if not name.startswith("h.1.")}
    assert_rejects(submission.identify, gap)


@edge
def test_the_state_is_left_alone(submission):
    assert_unchanged(submission.identify, state(3, 6, 65, 64))
