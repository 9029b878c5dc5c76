"""Every way to train faster computes what the plain way does, within its rounding, and leaves names and checkpoints alone."""

from __future__ import annotations

from itertools import product

import pytest
import torch
from hw11.loop import alone
from hw11.modules import Code
from hw11.speed import WAYS

import generation
import gpt2
import layers
import training

CODE = Code(layers, gpt2, training, generation)
V, T = 7, 8
# How far a run of some steps may be from the plain one: the other kernels round otherwise in float32, bfloat16 has 8 bits.
TOLERANCE = {"flash": 1e-5, "checkpointing": 0.0, "bf16": 3e-2, "compile": 1e-5}


def run(way=None, **changes):
    torch.manual_seed(0)
    model = gpt2.from_preset("pico", vocab_size=V, block_size=T, **changes)
    if way:
        WAYS[way](model, CODE)
    tokens = torch.randint(V, (200,), generator=torch.Generator().manual_seed(1))
    config = training.TrainConfig(6, 4, T, max_lr=1e-2, log_every=100)
    return alone(CODE, model, config, (tokens, tokens))


def losses(made):
    return [value for step in made.steps() for value in (step.loss, step.row.val_loss) if step.row]


COMPILED = pytest.param(
    "compile", True,
    marks=[pytest.mark.slow, pytest.mark.filterwarnings("ignore:.*:DeprecationWarning:torch")],  # torch's own, of itself
)  # fmt: skip


@pytest.mark.parametrize(("way", "bias"), [*product(("flash", "checkpointing", "bf16"), (True, False)), COMPILED])
def test_a_way_gives_the_losses_of_the_plain_one(way, bias):
    plain, other = run(bias=bias), run(way, bias=bias)
    ours, theirs = losses(other), losses(plain)
    assert theirs[-1] < theirs[0] - 0.005
    assert ours == pytest.approx(theirs, abs=TOLERANCE[way], rel=0)
    assert list(other.model.state_dict()) == list(plain.model.state_dict())


def test_bf16_computes_in_bfloat16_and_returns_float32():
    made, seen = run("bf16"), []
    made.model.transformer.h[0].attn.c_attn.register_forward_hook(lambda _module, _args, out: seen.append(out.dtype))
    logits, _ = made.model(torch.zeros(1, 3, dtype=torch.int64))
    assert seen == [torch.bfloat16]
    assert logits.dtype == torch.float32
    assert losses(made) != losses(run())


def test_flash_never_has_the_matrix_of_all_scores_and_a_cache_works_as_before(monkeypatch):
    made, plain = run("flash").model, run().model
    idx = torch.randint(V, (1, 5))
    cache = [layers.LayerCache() for _ in range(3)]
    logits = torch.cat([made(chunk, cache=cache)[0] for chunk in idx.split((2, 3), dim=1)], dim=1)
    torch.testing.assert_close(logits, plain(idx)[0])
    monkeypatch.setattr(torch.Tensor, "softmax", None)  # what the written-out attention calls
    torch.testing.assert_close(made(idx)[0], logits)


@pytest.mark.parametrize("way", ["flash", "checkpointing"])
def test_dropout_acts_in_training_alone(way):
    made, idx = run(way, dropout=0.5), torch.randint(V, (2, T))
    assert not torch.equal(made.model(idx)[0], made.model(idx)[0])
    made.model.eval()
    assert torch.equal(made.model(idx)[0], made.model(idx)[0])
    torch.testing.assert_close(made.model(idx)[0], run(dropout=0.5).model.eval()(idx)[0])


def test_checkpointing_with_dropout_takes_the_same_steps():
    assert losses(run("checkpointing", dropout=0.3)) == losses(run(dropout=0.3))


def test_checkpointing_runs_a_block_again_in_the_backward_pass():
    made, calls = run("checkpointing"), []
    made.model.transformer.h[1].mlp.c_fc.register_forward_hook(lambda *_: calls.append(1))
    training.train_step(made.model, made._batches(made.train_data, 1, made.generator), made.optimizer, 1.0)
    assert len(calls) == 2


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU here")
@pytest.mark.parametrize("way", ["flash", "checkpointing", "bf16", "compile"])
def test_a_way_works_on_a_gpu(way):
    made = run(way)
    made.model.cuda()
    idx = torch.randint(V, (2, T), device="cuda")
    torch.testing.assert_close(made.model(idx)[0], run().model.cuda()(idx)[0], rtol=0, atol=max(TOLERANCE[way], 1e-4))


def test_the_options_reach_the_record(train, tmp_path):
    import json

    assert train(tmp_path / "run", flash=True, checkpointing=True, bf16=True, steps=2, max_new_tokens=1) == 0
    options = json.loads((tmp_path / "run" / "run.json").read_text())["options"]
    assert options == {
        "device": "cpu", "dtype": "bfloat16", "compile": False, "flash": True, "checkpointing": True, "world_size": 1
    }  # fmt: skip
