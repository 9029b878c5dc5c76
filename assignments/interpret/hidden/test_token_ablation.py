"""interpret.token_ablation: what the prediction at the end loses when one token after the other is blanked.

The weights of the models are drawn, in float64. Edge tests compare the answer with its own value for a model that makes
no trouble where they can, so that one mistake costs once.
"""

import torch

from grader.testing import as_tensor, assert_close, assert_equal, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("interpret.token_ablation")

V, BLOCK, T = 11, 7, 5
L, H, D = 2, 3, 12
ERRORS = ("ValueError", "RuntimeError", "IndexError")


def drawn(reference, rng, n_layer=L, n_head=H, d_model=D):
    """Draw a model: numbers for its weights, and its sizes."""
    sizes = {"vocab_size": V, "block_size": BLOCK, "n_layer": n_layer, "n_head": n_head, "d_model": d_model}
    return torch.from_numpy(rng.normal(size=reference.weight_count(**sizes))), sizes


def made(where, model, **options):
    draws, sizes = model
    return where.TinyGPT(draws, **sizes, **options)


def tokens(rng, n=T):
    """Draw tokens that are not alike, and one that is not among them."""
    order = torch.from_numpy(rng.permutation(V))
    return order[:n], int(order[n])


def tops(model, idx, blank):
    """Return the likeliest token after idx, and those after it with one token blanked."""
    first, *others = model(torch.cat([idx[None], idx.repeat(len(idx), 1).fill_diagonal_(blank)]))[0][:, -1].argmax(-1)
    return int(first), {int(other) for other in others}


@core
def test_each_token_is_blanked_alone_and_the_intact_prediction_watched(submission, reference, rng):
    while True:  # until the likeliest token is none of the text, and does not stay the likeliest
        model, (idx, blank) = drawn(reference, rng), tokens(rng)
        ours, idx[2] = made(reference, model), idx[0]  # a token that comes twice is blanked once
        top, others = tops(ours, idx, blank)
        loudest = int(ours(idx[None])[0][0].amax(dim=0).argmax())  # of all positions
        if others - {top} and top not in idx and blank and loudest != top:
            break
    theirs = made(submission, model)
    got = as_tensor(submission.token_ablation(theirs, idx, blank), shape=(T,), what="the effects")
    assert_close(got, reference.token_ablation(ours, idx, blank), what="the effects")
    idx[1] = blank
    got = submission.token_ablation(theirs, idx, blank)
    assert_close(got, reference.token_ablation(ours, idx, blank), what="the effects, where one token is blank already")


@edge
def test_dropout_is_off(submission, reference, rng):
    model, (idx, blank) = made(submission, drawn(reference, rng), dropout=1.0), tokens(rng)
    model.eval()
    expected = submission.token_ablation(model, idx, blank)
    model.train()
    got = submission.token_ablation(model, idx, blank)
    assert_close(got, expected, what="the effects of a model in training mode, whose dropout drops all")


@edge
def test_the_model_is_what_it_was(submission, reference, rng):
    model, (idx, blank) = made(submission, drawn(reference, rng)), tokens(rng)
    model.evaluate_layer(1)
    before, logits = model.traces(), model(idx[None])[0]
    submission.token_ablation(model, idx, blank)
    assert_equal(model.traces(), before, what="each module's mode, what hangs on it, and frozen weights")
    assert_equal(model(idx[None])[0], logits, what="the model's logits afterwards")


@edge
def test_the_model_is_what_it_was_even_where_there_is_no_such_blank(submission, reference, rng):
    model, (idx, _) = made(submission, drawn(reference, rng)), tokens(rng)
    before = model.traces()
    for blank in (V, -1):
        assert_rejects(submission.token_ablation, model, idx, blank, error=ERRORS)
    assert_equal(model.traces(), before, what="each module's mode, what hangs on it, and frozen weights")


@edge
def test_a_single_token_has_an_effect_too(submission, reference, rng):
    model, (idx, blank) = made(submission, drawn(reference, rng)), tokens(rng, 1)
    logits = model(torch.cat([idx[None], torch.tensor([[blank]])]))[0][:, -1]
    top = logits[0].argmax()
    got = submission.token_ablation(model, idx, blank)
    assert_close(got, logits[1:, top] - logits[0, top], what="the effect of the only token")


@edge
def test_the_dtype_is_the_models(submission, reference, rng):
    (draws, sizes), (idx, blank) = drawn(reference, rng), tokens(rng)
    got = submission.token_ablation(submission.TinyGPT(draws.float(), **sizes), idx, blank)
    as_tensor(got, dtype=torch.float32, what="the effects in a float32 model")


@edge
def test_what_is_no_sequence_is_refused(submission, reference, rng):
    model, (idx, blank) = made(submission, drawn(reference, rng)), tokens(rng)
    for wrong in (idx[:0], idx[None], idx.repeat(2, 1)):
        assert_rejects(submission.token_ablation, model, wrong, blank, error=ERRORS)


@edge
def test_the_tokens_stay_as_they_were(submission, reference, rng):
    model, (idx, blank) = made(submission, drawn(reference, rng)), tokens(rng)
    assert_unchanged(submission.token_ablation, model, idx, blank)
