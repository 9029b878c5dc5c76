"""interpret.attention_maps: the weights that each head computes, in a model that is the same afterwards.

The weights of the models are drawn, in float64. Edge tests compare the answer with its own value for a model that makes
no trouble where they can, so that one mistake costs once.
"""

import torch

from grader.testing import (
    as_tensor,
    assert_close,
    assert_equal,
    assert_rejects,
    assert_row_stochastic,
    assert_unchanged,
    core,
    edge,
    exercise,
)

pytestmark = exercise("interpret.attention_maps")

V, BLOCK, T = 11, 7, 5
L, H, D = 2, 3, 12
ERRORS = ("ValueError", "RuntimeError", "IndexError")


def tokens(rng, *shape):
    return torch.from_numpy(rng.integers(V, size=shape))


def drawn(reference, rng, n_layer=L, n_head=H, d_model=D):
    """Draw a model: numbers for its weights, and its sizes."""
    sizes = {"vocab_size": V, "block_size": BLOCK, "n_layer": n_layer, "n_head": n_head, "d_model": d_model}
    return torch.from_numpy(rng.normal(size=reference.weight_count(**sizes))), sizes


def made(where, model, **options):
    draws, sizes = model
    return where.TinyGPT(draws, **sizes, **options)


@core
def test_the_maps_are_the_weights_that_each_head_computes(submission, reference, rng):
    for n_layer, n_head, d_model in ((L, H, D), (2, 5, 10)):
        model, idx = drawn(reference, rng, n_layer, n_head, d_model), tokens(rng, T)
        got = submission.attention_maps(made(submission, model), idx)
        what = f"the maps of {n_layer} layers and {n_head} heads"
        as_tensor(got, shape=(n_layer, n_head, T, T), what=what)
        assert_row_stochastic(got, what=what)
        later = got[..., torch.ones(T, T, dtype=torch.bool).triu(1)]
        assert (later == 0).all(), f"{what}: {int((later != 0).sum())} weights on later tokens are not 0"
        assert_close(got, reference.attention_maps(made(reference, model), idx), what=what)


@edge
def test_dropout_is_off(submission, reference, rng):
    model, idx = made(submission, drawn(reference, rng), dropout=1.0), tokens(rng, T)
    model.eval()
    expected = submission.attention_maps(model, idx)
    model.train()
    got = submission.attention_maps(model, idx)
    assert_close(got, expected, what="the maps of a model in training mode, whose dropout drops all")


@edge
def test_the_model_is_what_it_was(submission, reference, rng):
    model, idx = made(submission, drawn(reference, rng)), tokens(rng, T)
    model.evaluate_layer(1)
    before, logits = model.traces(), model(idx[None])[0]
    submission.attention_maps(model, idx)
    assert_equal(model.traces(), before, what="each module's mode, what hangs on it, and frozen weights")
    assert_equal(model(idx[None])[0], logits, what="the model's logits afterwards")


@edge
def test_the_model_is_what_it_was_even_where_it_raises(submission, reference, rng):
    model = made(submission, drawn(reference, rng))
    before = model.traces()
    assert_rejects(submission.attention_maps, model, tokens(rng, BLOCK + 1), error=ERRORS)
    assert_equal(model.traces(), before, what="each module's mode, what hangs on it, and frozen weights")


@edge
def test_one_token_keeps_all_axes(submission, reference, rng):
    model = made(submission, drawn(reference, rng, 2, 1, 4))
    ones = torch.ones(2, 1, 1, 1, dtype=torch.float64)
    assert_close(submission.attention_maps(model, tokens(rng, 1)), ones, what="the maps of a single token")


@edge
def test_the_dtype_is_the_models(submission, reference, rng):
    draws, sizes = drawn(reference, rng)
    got = submission.attention_maps(submission.TinyGPT(draws.float(), **sizes), tokens(rng, T))
    as_tensor(got, dtype=torch.float32, what="the maps of a float32 model")


@edge
def test_more_than_one_sequence_is_refused(submission, reference, rng):
    model = made(submission, drawn(reference, rng))
    for B in (1, 2):
        assert_rejects(submission.attention_maps, model, tokens(rng, B, T), error=ERRORS)


@edge
def test_the_tokens_stay_as_they_were(submission, reference, rng):
    assert_unchanged(submission.attention_maps, made(submission, drawn(reference, rng)), tokens(rng, T))
