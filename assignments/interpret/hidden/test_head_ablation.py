"""interpret.head_ablation: what the loss is without a head, in a model that is the same afterwards.

The weights of the models are drawn, in float64. Edge tests compare the answer with its own value for a model that makes
no trouble where they can, so that one mistake costs once.
"""

import torch

from grader.testing import assert_close, assert_equal, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("interpret.head_ablation")

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
def test_the_loss_rises_by_what_the_head_was_good_for(submission, reference, rng):
    model, idx = drawn(reference, rng), tokens(rng, T)
    theirs, ours = made(submission, model), made(reference, model)
    for layer in range(L):
        for head in range(H):
            got = submission.head_ablation(theirs, idx, layer, head)
            expected = reference.head_ablation(ours, idx, layer, head)
            assert_close(got, expected, what=f"the loss without head {head} of layer {layer}, less the intact one")
    got, expected = submission.head_ablation(theirs, idx[:2], 0, 1), reference.head_ablation(ours, idx[:2], 0, 1)
    assert_close(got, expected, what="the rise of the loss of two tokens, one prediction")


@edge
def test_dropout_is_off(submission, reference, rng):
    model, idx = made(submission, drawn(reference, rng), dropout=1.0), tokens(rng, T)
    model.eval()
    expected = submission.head_ablation(model, idx, 1, 2)
    model.train()
    got = submission.head_ablation(model, idx, 1, 2)
    assert_close(got, expected, what="the rise of the loss of a model in training mode, whose dropout drops all")


@edge
def test_the_model_and_its_weights_are_what_they_were(submission, reference, rng):
    model, idx = made(submission, drawn(reference, rng)), tokens(rng, T)
    model.evaluate_layer(0)
    names = [f"transformer.h.1.attn.{part}" for part in ("c_attn.weight", "c_attn.bias", "c_proj.weight")]
    before, logits, weights = model.traces(), model(idx[None])[0], [model.weight(name) for name in names]
    assert_unchanged(submission.head_ablation, model, idx, 1, 1)
    assert_equal(model.traces(), before, what="each module's mode, what hangs on it, and frozen weights")
    assert_equal(model(idx[None])[0], logits, what="the model's logits afterwards")
    for name, weight in zip(names, weights, strict=True):
        assert_equal(model.weight(name), weight, what=name)


@edge
def test_the_model_is_what_it_was_even_where_it_raises(submission, reference, rng):
    model = made(submission, drawn(reference, rng))
    idx, name = torch.cat([tokens(rng, T), torch.tensor([V, 0])]), "transformer.h.0.attn.c_proj.weight"
    before, weight = model.traces(), model.weight(name)
    assert_rejects(submission.head_ablation, model, idx, 0, 1, error=ERRORS)  # there is no token V
    assert_equal(model.traces(), before, what="each module's mode, what hangs on it, and frozen weights")
    assert_equal(model.weight(name), weight, what=name)


@edge
def test_a_head_that_is_not_there_is_refused(submission, reference, rng):
    model, idx = made(submission, drawn(reference, rng)), tokens(rng, T)
    for layer, head in ((L, 0), (-1, 0), (0, H), (0, -1)):
        assert_rejects(submission.head_ablation, model, idx, layer, head, error=ERRORS)


@edge
def test_what_is_no_sequence_of_two_tokens_or_more_is_refused(submission, reference, rng):
    model = made(submission, drawn(reference, rng))
    for shape in ((1,), (0,), (1, T), (2, T)):
        assert_rejects(submission.head_ablation, model, tokens(rng, *shape), 0, 1, error=ERRORS)
