"""What decides the score of `identify`: the sizes that shapes tell and the one that they do not, then every edge by itself."""

from grader.testing import assert_record, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("shapes.identify")


def drawn(rng):
    """Draw L, d, V and block_size, of which none is another, nor 3 or 4 times another."""
    L = int(rng.choice([2, 3, 5]))
    d = int(rng.choice([11, 13, 17, 19]))
    V, block_size = (int(size) for size in rng.choice([101, 103, 107, 109], size=2, replace=False))
    return L, d, V, block_size


def matrices(L, d, V, block_size):
    """The shapes that decide."""
    state = {"wte.weight": (V, d), "wpe.weight": (block_size, d)}
    for i in range(L):
        state |= {
            f"h.{i}.attn.c_attn.weight": (3 * d, d),
            f"h.{i}.attn.c_proj.weight": (d, d),
            f"h.{i}.mlp.c_fc.weight": (4 * d, d),
            f"h.{i}.mlp.c_proj.weight": (d, 4 * d),
        }
    return state


def final_norm(_, d, *__):
    return {"ln_f.weight": (d,), "ln_f.bias": (d,)}


def whole(L, d, V, block_size):
    """The same with biases and norms: all that a GPT-2 learns."""
    state = matrices(L, d, V, block_size)
    for i in range(L):
        state |= {
            f"h.{i}.attn.c_attn.bias": (3 * d,),
            f"h.{i}.attn.c_proj.bias": (d,),
            f"h.{i}.mlp.c_fc.bias": (4 * d,),
            f"h.{i}.mlp.c_proj.bias": (d,),
        }
        state |= {f"h.{i}.{norm}.{name}": (d,) for norm in ("ln_1", "ln_2") for name in ("weight", "bias")}
    return state | final_norm(L, d, V, block_size)


def shuffled(rng, state):
    names = list(state)
    return {names[i]: state[names[i]] for i in rng.permutation(len(names))}


def some(rng, L, state):
    """The names of the embeddings and of the matrices of one block."""
    block = f"h.{rng.integers(0, L)}."
    return [name for name in state if name.startswith(("w", block))]


def found(submission, state, what="the model"):
    return assert_record(submission.identify(state), "ModelShape", what)


@core
def test_layers_width_vocabulary_and_block_are_read_off(submission, rng):
    for _ in range(3):
        sizes = drawn(rng)
        got = found(submission, shuffled(rng, whole(*sizes)))
        read = (got.n_layer, got.d_model, got.vocab_size, got.block_size)
        assert read == sizes, f"n_layer, d_model, vocab_size, block_size are {sizes}, not {read!r:.200}"


@core
def test_the_number_of_heads_is_not_known(submission, rng):
    for _ in range(3):
        L, _, V, block_size = drawn(rng)
        # As wide as several heads of GPT-2, so that one guess is not another.
        got = found(submission, whole(L, 64 * int(rng.choice([7, 11])), V, block_size))
        assert got.n_head is None, f"shapes do not tell the number of heads, you say {got.n_head!r:.50}"


@edge
def test_there_may_be_more_blocks_than_one_digit_counts(submission, rng):
    for L in (103, int(rng.integers(11, 20))):
        sizes = (L, *drawn(rng)[1:])
        got = found(submission, shuffled(rng, matrices(*sizes) | final_norm(*sizes)))
        assert got.n_layer == L, f"a model of {L} layers has {got.n_layer!r:.80} for you"


@edge
def test_other_names_are_not_looked_at(submission, rng):
    L, d, V, block_size = drawn(rng)
    state = whole(L, d, V, block_size)
    square = (1, 1, block_size, block_size)
    others = {
        "lm_head.weight": (V + 3, d),
        "h.0.attn.bias": square,
        "h.1.attn.masked_bias": (),
        "value_head.0.weight": (1, d),
    }
    one = found(submission, shuffled(rng, state))
    heads = {"head.99.weight": (V, d), "heads.98.bias": (V,)}  # no blocks, though they begin with an h
    for more in (others | shuffled(rng, state), state | others, heads | state):
        got = found(submission, more)
        same = (got.d_model, got.vocab_size, got.block_size) == (one.d_model, one.vocab_size, one.block_size)
        assert same, f"with {', '.join(more.keys() - state.keys())} you say {got!r:.200}, without {one!r:.200}"


@edge
def test_the_matrices_alone_suffice(submission, rng):
    sizes = drawn(rng)
    got, one = found(submission, shuffled(rng, matrices(*sizes))), found(submission, whole(*sizes))
    same = (got.d_model, got.vocab_size, got.block_size) == (one.d_model, one.vocab_size, one.block_size)
    assert same, f"without biases and norms you say {got!r:.200}, with them {one!r:.200}"


@edge
def test_a_missing_matrix_is_refused(submission, rng):
    L, *sizes = drawn(rng)
    for name in some(rng, L, matrices(L, *sizes)):
        state = shuffled(rng, matrices(L, *sizes))
        del state[name]
        assert_rejects(submission.identify, state)


@edge
def test_a_matrix_that_does_not_fit_the_others_is_refused(submission, rng):
    L, *sizes = drawn(rng)
    state = shuffled(rng, matrices(L, *sizes))
    for name in some(rng, L, state):
        rows, columns = state[name]
        wrong = [(rows, columns + 1), (rows, columns, 1)]
        wrong += [] if name.startswith("w") or rows == columns else [(columns, rows)]
        for shape in wrong:
            assert_rejects(submission.identify, state | {name: shape})


@edge
def test_blocks_are_numbered_from_zero_without_a_gap(submission, rng):
    L, *sizes = drawn(rng)
    for gone in (0, int(rng.integers(0, L))):
        state = shuffled(rng, matrices(L + 2, *sizes))
        assert_rejects(
            submission.identify, {name: shape for name, shape in state.items() if not name.startswith(f"h.{gone}.")}
        )
    assert_rejects(submission.identify, matrices(0, *sizes))


@edge
def test_the_state_is_left_as_it_was(submission, rng):
    assert_unchanged(submission.identify, whole(*drawn(rng)))
