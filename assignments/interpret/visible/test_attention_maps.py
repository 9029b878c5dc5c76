"""The maps of a small GPT whose weights are waves, so that they are the same everywhere."""

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
    show_heat_map,
)

pytestmark = exercise("interpret.attention_maps")

V, BLOCK, D = 7, 5, 6
IDX = torch.tensor([3, 0, 6])
# Of 2 layers and 3 heads.
EXPECTED = [
    [
        [[1.0, 0.0, 0.0], [0.15751821, 0.84248179, 0.0], [0.30882012, 0.35076568, 0.3404142]],
        [[1.0, 0.0, 0.0], [0.52234738, 0.47765262, 0.0], [0.19172119, 0.40282082, 0.405458]],
        [[1.0, 0.0, 0.0], [0.45961936, 0.54038064, 0.0], [0.32841049, 0.33927836, 0.33231115]],
    ],
    [
        [[1.0, 0.0, 0.0], [0.49657314, 0.50342686, 0.0], [0.3345538, 0.3265749, 0.3388713]],
        [[1.0, 0.0, 0.0], [0.50144344, 0.49855656, 0.0], [0.36151048, 0.34509264, 0.29339687]],
        [[1.0, 0.0, 0.0], [0.55790259, 0.44209741, 0.0], [0.38054571, 0.25794263, 0.36151166]],
    ],
]


def tiny(submission, dtype=torch.float64, n_layer=2, n_head=3, **options):
    """Return a small GPT whose weights are made of a wave."""
    sizes = {"vocab_size": V, "block_size": BLOCK, "n_layer": n_layer, "n_head": n_head, "d_model": D}
    n = torch.arange(submission.weight_count(**sizes), dtype=torch.float64)
    return submission.TinyGPT((1.4 * torch.sin(n**1.5)).to(dtype), **sizes, **options)


@core
def test_the_maps_are_the_weights_that_each_head_computes(submission):
    got = as_tensor(submission.attention_maps(tiny(submission), IDX), shape=(2, 3, 3, 3), what="the maps")
    show_heat_map(got[0, 0], EXPECTED[0][0], "the map of layer 0, head 0")
    show_heat_map(got[1, 2], EXPECTED[1][2], "the map of layer 1, head 2")
    assert_row_stochastic(got, what="the maps")
    assert (got == got.tril()).all(), "the maps: there are weights on later tokens, which the model cannot see"
    assert_close(got, torch.tensor(EXPECTED, dtype=torch.float64), atol=1e-6, what="the maps")


@edge
def test_dropout_is_off_and_the_model_is_what_it_was(submission):
    model = tiny(submission, dropout=1.0)
    model.evaluate_layer(1)
    before = model.traces()
    got = submission.attention_maps(model, IDX)
    assert_close(got, submission.attention_maps(tiny(submission), IDX), what="the maps of a model that drops all")
    assert_equal(model.traces(), before, what="each module's mode, what hangs on it, and frozen weights")


@edge
def test_where_the_model_raises_it_is_what_it_was_too(submission):
    model = tiny(submission, dropout=1.0)
    before = model.traces()
    assert_rejects(submission.attention_maps, model, torch.arange(BLOCK + 1), error=("ValueError", "RuntimeError"))
    assert_equal(model.traces(), before, what="each module's mode, what hangs on it, and frozen weights")


@edge
def test_one_token_keeps_all_axes_and_the_dtype_is_the_models(submission):
    got = submission.attention_maps(tiny(submission, torch.float32, 1, 1), IDX[:1])
    assert_close(got, torch.ones(1, 1, 1, 1), what="the maps of a single token, one head and one layer")


@edge
def test_a_batch_is_refused(submission):
    errors = ("ValueError", "RuntimeError", "IndexError")
    assert_rejects(submission.attention_maps, tiny(submission), IDX[None], error=errors)


@edge
def test_the_tokens_stay_as_they_were(submission):
    assert_unchanged(submission.attention_maps, tiny(submission), IDX)
