"""The reference against transformers' GPT-2 and torch's AdamW: the same logits, and the same model after 50 steps."""

from __future__ import annotations

import pytest
import torch

import gpt2
import layers
import training

torch.set_num_threads(1)  # sums this small lose more than they gain by threads


@pytest.fixture(scope="module")
def transformers():
    return pytest.importorskip("transformers")


def theirs_of(transformers, size, **changes):
    """A new model of transformers' with no dropout."""
    vocab_size, n_positions, n_layer, n_head, n_embd = size
    config = transformers.GPT2Config(
        vocab_size=vocab_size, n_positions=n_positions, n_layer=n_layer, n_head=n_head, n_embd=n_embd,
        bos_token_id=None, eos_token_id=None, attn_pdrop=0.0, embd_pdrop=0.0, resid_pdrop=0.0, **changes,
    )  # fmt: skip
    torch.manual_seed(0)
    return transformers.GPT2LMHeadModel(config)


@pytest.mark.parametrize("size", [(11, 7, 1, 1, 4), (13, 9, 2, 3, 21), (29, 17, 3, 5, 20)])
def test_random_weights_of_transformers_give_its_logits(transformers, size):
    theirs = theirs_of(transformers, size, initializer_range=0.5).eval()
    for parameter in theirs.parameters():
        if parameter.dim() == 1:  # biases and norms begin as 0 and 1, which would hide a mistake
            torch.nn.init.normal_(parameter)
    ours = gpt2.GPT(layers.GPTConfig(*size)).eval()
    ours.load_gpt2_state_dict(theirs.state_dict())
    idx = torch.randint(size[0], (2, size[1]))
    with torch.no_grad():
        torch.testing.assert_close(ours(idx)[0], theirs(idx).logits, rtol=1e-5, atol=1e-5)


def test_a_published_size_has_transformers_number_of_parameters(transformers):
    with torch.device("meta"):
        ours = gpt2.from_preset("gpt2")
        c = ours.config
        theirs = theirs_of(transformers, (c.vocab_size, c.block_size, c.n_layer, c.n_head, c.d_model))
    assert sum(p.numel() for p in ours.parameters()) == sum(p.numel() for p in theirs.parameters())


def test_fifty_training_steps_are_those_of_transformers_and_torchs_adamw(transformers):
    size = (13, 8, 2, 2, 12)
    theirs = theirs_of(transformers, size).double().train()
    ours = gpt2.GPT(layers.GPTConfig(*size)).double()
    ours.load_gpt2_state_dict(theirs.state_dict())
    numbers = {"lr": 3e-3, "betas": (0.9, 0.95), "eps": 1e-8}
    mine = training.AdamW(training.parameter_groups(ours, 0.1), **numbers, weight_decay=0.1)
    decays = [p for p in theirs.parameters() if p.dim() >= 2]
    stays = [p for p in theirs.parameters() if p.dim() < 2]
    groups = [{"params": decays, "weight_decay": 0.1}, {"params": stays, "weight_decay": 0.0}]
    torchs = torch.optim.AdamW(groups, **numbers)
    tokens, generator = torch.arange(400) * 7 % 13, torch.Generator().manual_seed(0)
    tokens[::3] = torch.randint(13, (134,), generator=generator)
    losses = []
    for _ in range(50):
        x, y = training.get_batch(tokens, 4, 8, generator)
        loss = training.train_step(ours, [(x, y)], mine, max_norm=0.5)
        expected = torch.nn.functional.cross_entropy(theirs(x).logits.flatten(0, 1), y.flatten())
        torchs.zero_grad()
        expected.backward()
        torch.nn.utils.clip_grad_norm_(theirs.parameters(), 0.5)
        torchs.step()
        assert loss == pytest.approx(expected.item(), abs=1e-5)
        losses.append(loss)
    assert losses[-1] < losses[0] - 0.3
    after = gpt2.GPT(layers.GPTConfig(*size)).double()
    after.load_gpt2_state_dict(theirs.state_dict())
    for (name, p), q in zip(ours.named_parameters(), after.parameters(), strict=True):
        torch.testing.assert_close(p, q, rtol=0, atol=1e-5, msg=name)
