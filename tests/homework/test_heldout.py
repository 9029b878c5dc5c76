"""The text that nobody is given is asked for what a right model knows, and not for how hard it happens to be."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest
import torch

import gpt2
import layers

HOME = Path(__file__).parents[2] / "assignments" / "homework11"


@pytest.fixture(scope="module")
def suite():
    spec = importlib.util.spec_from_file_location("hidden_test_model", HOME / "hidden" / "test_model.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def loss(model, ids, T):
    some = ids[: len(ids) // (T + 1) * (T + 1)].view(-1, T + 1)
    with torch.no_grad():
        told = model(some[:, :-1])[0].log_softmax(dim=-1).gather(-1, some[:, 1:, None])
    return -float(told.mean())


def test_a_right_model_is_far_from_the_limit_once_it_is_told_how_hard_the_text_is(suite):
    run = json.loads((HOME / "right_run" / "run" / "run.json").read_text("utf-8"))
    model = gpt2.GPT(layers.GPTConfig(**run["model"]))
    state = torch.load(HOME / "right_run" / "run" / "checkpoint.pt", weights_only=True)
    model.load_state_dict(state["model"])
    heldout, validation = suite.tokens(suite.HELDOUT), suite.split()[1]
    T, harder = run["model"]["block_size"], suite.pairs(heldout) - suite.pairs(validation)
    assert 0.1 < harder < 0.4
    assert abs(loss(model.eval(), heldout, T) - harder - loss(model, validation, T)) < 0.2


def test_counting_pairs_is_what_run_json_calls_it(suite):
    run = json.loads((HOME / "right_run" / "run" / "run.json").read_text("utf-8"))
    told = torch.tensor(run["baselines"]["bigram_perplexity"]).log().item()
    assert suite.pairs(suite.split()[1]) == pytest.approx(told, abs=1e-5)
