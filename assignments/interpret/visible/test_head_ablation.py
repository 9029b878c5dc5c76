"""The heads of a small GPT whose weights are waves, so that they are the same everywhere."""

import torch

from grader.testing import assert_close, assert_equal, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("interpret.head_ablation")

V, BLOCK, D = 7, 5, 6
IDX = torch.tensor([3, 0, 6, 1])
# Row l holds the heads of layer l.
EXPECTED = [[-0.01107228, 0.02080041, 0.07481713], [-0.0266672, 0.02125068, 0.05855299]]
ERRORS = ("ValueError", "RuntimeError", "IndexError")


def tiny(submission, **options):
    """Return a small GPT whose weights are made of a wave."""
    sizes = {"vocab_size": V, "block_size": BLOCK, "n_layer": 2, "n_head": 3, "d_model": D}
    n = torch.arange(submission.weight_count(**sizes), dtype=torch.float64)
    return submission.TinyGPT(1.4 * torch.sin(n**1.5), **sizes, **options)


@core
def test_the_loss_rises_by_what_the_head_was_good_for(submission):
    model = tiny(submission)
    for layer, heads in enumerate(EXPECTED):
        for head, expected in enumerate(heads):
            what = f"the loss without head {head} of layer {layer}, less the intact one"
            assert_close(submission.head_ablation(model, IDX, layer, head), expected, atol=1e-6, what=what)


@edge
def test_dropout_is_off(submission):
    model = tiny(submission, dropout=1.0)
    model.eval()
    expected = submission.head_ablation(model, IDX, 1, 2)
    model.train()
    got = submission.head_ablation(model, IDX, 1, 2)
    assert_close(got, expected, what="the rise of the loss of a model in training mode, whose dropout drops all")


@edge
def test_the_model_and_its_weights_are_what_they_were(submission):
    model, name = tiny(submission), "transformer.h.1.attn.c_proj.weight"
    model.evaluate_layer(0)
    before, logits, weight = model.traces(), model(IDX[None])[0], model.weight(name)
    assert_unchanged(submission.head_ablation, model, IDX, 1, 1)
    assert_equal(model.traces(), before, what="each module's mode, what hangs on it, and frozen weights")
    assert_equal(model(IDX[None])[0], logits, what="the model's logits afterwards")
    assert_equal(model.weight(name), weight, what=name)


@edge
def test_where_the_model_raises_it_is_what_it_was_too(submission):
    model, name = tiny(submission), "transformer.h.0.attn.c_proj.weight"
    before, weight = model.traces(), model.weight(name)
    assert_rejects(submission.head_ablation, model, torch.tensor([3, 0, V, 1]), 0, 1, error=ERRORS)
    assert_equal(model.traces(), before, what="each module's mode, what hangs on it, and frozen weights")
    assert_equal(model.weight(name), weight, what=name)


@edge
def test_what_is_not_there_is_refused(submission):
    model = tiny(submission)
    for idx, layer, head in ((IDX, 2, 0), (IDX, -1, 0), (IDX, 0, 3), (IDX, 0, -1), (IDX[:1], 0, 0), (IDX[None], 0, 0)):
        assert_rejects(submission.head_ablation, model, idx, layer, head, error=ERRORS)
