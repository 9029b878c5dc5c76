"""The tokens that a small GPT predicts from; its weights are waves, so that they are the same everywhere."""

import torch

from grader.testing import as_tensor, assert_close, assert_equal, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("interpret.token_ablation")

V, BLOCK, D = 7, 5, 6
IDX = torch.tensor([4, 1, 0, 4])
BLANK = 6
EXPECTED = [-0.18345641, 0.03991407, -0.0993776, -0.33975006]
ERRORS = ("ValueError", "RuntimeError", "IndexError")


def tiny(submission, dtype=torch.float64, **options):
    """Return a small GPT whose weights are made of a wave."""
    sizes = {"vocab_size": V, "block_size": BLOCK, "n_layer": 2, "n_head": 3, "d_model": D}
    n = torch.arange(submission.weight_count(**sizes), dtype=torch.float64)
    return submission.TinyGPT((1.4 * torch.sin(n**1.5)).to(dtype), **sizes, **options)


@core
def test_each_token_is_blanked_alone_and_the_intact_prediction_watched(submission):
    got = as_tensor(submission.token_ablation(tiny(submission), IDX, BLANK), shape=(4,), what="the effects")
    assert_close(got, torch.tensor(EXPECTED, dtype=torch.float64), atol=1e-6, what="the effects")


@core
def test_a_token_that_is_blank_already_has_no_effect(submission):
    got = submission.token_ablation(tiny(submission), IDX, int(IDX[1]))
    assert_close(got[1], torch.zeros((), dtype=torch.float64), what="the effect of the blank")
    assert (got[[0, 2, 3]] != 0).all(), "the other tokens have an effect, and yours are 0"


@edge
def test_dropout_is_off_and_the_model_is_what_it_was(submission):
    model = tiny(submission, dropout=1.0)
    model.evaluate_layer(1)
    before, expected = model.traces(), submission.token_ablation(tiny(submission), IDX, BLANK)
    assert_close(
        submission.token_ablation(model, IDX, BLANK), expected, what="the effects where dropout would drop all"
    )
    assert_equal(model.traces(), before, what="each module's mode, what hangs on it, and frozen weights")


@edge
def test_where_the_model_raises_it_is_what_it_was_too(submission):
    model = tiny(submission)
    before = model.traces()
    assert_rejects(submission.token_ablation, model, IDX, V, error=ERRORS)
    assert_equal(model.traces(), before, what="each module's mode, what hangs on it, and frozen weights")


@edge
def test_a_single_token_has_an_effect_and_the_dtype_is_the_models(submission):
    got = submission.token_ablation(tiny(submission, torch.float32), IDX[:1], BLANK)
    as_tensor(got, shape=(1,), dtype=torch.float32, what="the effect of the only token")


@edge
def test_what_is_no_sequence_is_refused(submission):
    for wrong in (IDX[:0], IDX[None]):
        assert_rejects(submission.token_ablation, tiny(submission), wrong, BLANK, error=ERRORS)


@edge
def test_the_tokens_stay_as_they_were(submission):
    assert_unchanged(submission.token_ablation, tiny(submission), IDX, BLANK)
