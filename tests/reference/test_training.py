"""What the reference of `training` promises: torch's own numbers, step by step, and runs that repeat bit for bit."""

from __future__ import annotations

import copy
import dataclasses
import math
import pickle

import pytest
import torch
from torch import nn
from torch.nn import functional as F

import training as ref
from gpt2 import GPT
from layers import GPTConfig

torch.set_num_threads(1)  # sums this small lose more than they gain by threads

V = 7


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def random(*shape, seed=0, scale=1.0):
    return scale * torch.randn(*shape, generator=seeded(seed), dtype=torch.float64)


def tokens(*shape, seed=0):
    return torch.randint(V, shape, generator=seeded(seed))


def tiny(seed=0, dropout=0.0, **changes):
    torch.manual_seed(seed)
    numbers = {"vocab_size": V, "block_size": 6, "n_layer": 1, "n_head": 2, "d_model": 8, "dropout": dropout, **changes}
    return GPT(GPTConfig(**numbers))


def numbers(model):
    return {name: parameter.detach().clone() for name, parameter in model.named_parameters()}


def same(left, right):
    return all(torch.equal(left[name], right[name]) for name in left)


# get_batch


def test_targets_are_the_tokens_one_later():
    x, y = ref.get_batch(torch.arange(100, 120), 50, 4, seeded())
    assert x.shape == y.shape == (50, 4)
    assert torch.equal(x, x[:, :1] + torch.arange(4))
    assert torch.equal(y, x + 1)


def test_every_start_is_equally_likely_the_last_one_included():
    x, y = ref.get_batch(torch.arange(7), 6000, 3, seeded())
    counts = x[:, 0].bincount(minlength=4)
    assert counts.tolist() == pytest.approx([1500] * 4, abs=6 * math.sqrt(6000 * 3 / 16))
    assert y.max() == 6


@pytest.mark.parametrize("dtype", [torch.uint16, torch.int32, torch.int64])
def test_tokens_come_out_as_int64(dtype):
    data = torch.tensor([50256, 1, 50256, 1]).to(torch.int32 if dtype == torch.uint16 else dtype).to(dtype)
    x, y = ref.get_batch(data, 3, 2, seeded())
    assert x.dtype == y.dtype == torch.int64
    assert set(x.flatten().tolist()) == {1, 50256}


def test_batches_repeat_with_the_generator():
    first, second = (ref.get_batch(tokens(50), 8, 5, seeded(3)) for _ in range(2))
    assert torch.equal(first[0], second[0])
    assert not torch.equal(first[0], ref.get_batch(tokens(50), 8, 5, seeded(4))[0])


@pytest.mark.parametrize(("n", "batch_size", "block_size"), [(5, 1, 5), (0, 1, 1), (5, 0, 2), (5, 1, 0)])
def test_data_too_short_for_a_sequence_and_its_target_are_refused(n, batch_size, block_size):
    with pytest.raises(ValueError, match=f"{n} tokens hold no"):
        ref.get_batch(tokens(n), batch_size, block_size, seeded())


# cross_entropy


def test_cross_entropy_and_its_gradient_are_torchs():
    logits, targets = random(3, 5, V).requires_grad_(), tokens(3, 5)
    targets[0, 2:] = -1
    ours, theirs = ref.cross_entropy(logits, targets), F.cross_entropy(logits.mT, targets, ignore_index=-1)
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-14)
    grads = [torch.autograd.grad(loss, logits)[0] for loss in (ours, theirs)]
    torch.testing.assert_close(*grads, rtol=0, atol=1e-14)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_cross_entropy_is_stable_and_exact_for_huge_logits(dtype):
    logits = torch.tensor([[1e4, 0.0, -1e4], [1e4, 1e4, -math.inf]], dtype=dtype, requires_grad=True)
    assert ref.cross_entropy(logits[:1], torch.tensor([0])) == 0
    assert ref.cross_entropy(logits[:1], torch.tensor([2])) == 2e4
    loss = ref.cross_entropy(logits[1:], torch.tensor([1]))
    assert loss.dtype == dtype
    assert loss.item() == pytest.approx(math.log(2))
    loss.backward()
    assert logits.grad[1].tolist() == pytest.approx([0.5, -0.5, 0])


def test_another_index_can_be_ignored():
    logits, targets = random(4, V), torch.tensor([0, 3, 3, 1])
    torch.testing.assert_close(
        ref.cross_entropy(logits, targets, 3), ref.cross_entropy(logits[[0, 3]], targets[[0, 3]])
    )


@pytest.mark.parametrize("targets", [[0, V], [0, -2], [-1, -1], [0]])
def test_targets_that_are_none_or_do_not_fit_are_refused(targets):
    with pytest.raises(ValueError, match=r"targets are from 0 to 6|every target is ignored|do not fit"):
        ref.cross_entropy(random(2, V), torch.tensor(targets))


# perplexity


def test_perplexity_is_the_number_of_equally_likely_tokens():
    assert ref.perplexity(13 * math.log(50257), 13) == pytest.approx(50257)
    assert ref.perplexity(2.0 * 100 + 4.0 * 10, 110) == pytest.approx(8.8624, abs=1e-4)
    assert ref.perplexity(0.0, 1) == 1
    assert ref.perplexity(1e6, 10) == math.inf
    with pytest.raises(ValueError, match="at least one token"):
        ref.perplexity(0.0, 0)


# learning_rate


@pytest.mark.parametrize(
    ("step", "expected"), [(0, 0.25), (1, 0.5), (3, 1.0), (4, 1.0), (6, 0.868198), (8, 0.55), (12, 0.1), (99, 0.1)]
)
def test_the_rate_warms_up_falls_by_half_a_cosine_and_stays(step, expected):
    assert ref.learning_rate(step, max_lr=1.0, min_lr=0.1, warmup=4, total=12) == pytest.approx(expected, abs=1e-6)


def test_without_warmup_or_room_for_a_cosine_the_rate_is_still_defined():
    assert ref.learning_rate(0, max_lr=1.0, min_lr=0.1, warmup=0, total=8) == 1
    assert [ref.learning_rate(s, max_lr=1.0, min_lr=0.1, warmup=2, total=2) for s in range(4)] == [0.5, 1.0, 0.1, 0.1]
    assert [ref.learning_rate(s, max_lr=1.0, min_lr=0.1, warmup=2, total=1) for s in range(3)] == [0.5, 1.0, 0.1]
    assert ref.learning_rate(0, max_lr=1.0, min_lr=0.1, warmup=0, total=0) == 0.1


@pytest.mark.parametrize("wrong", [{"step": -1}, {"warmup": -1}, {"total": -1}])
def test_negative_steps_are_refused(wrong):
    with pytest.raises(ValueError, match="counted from 0"):
        ref.learning_rate(**{"step": 0, "max_lr": 1.0, "min_lr": 0.1, "warmup": 1, "total": 2, **wrong})


# parameter_groups


def test_matrices_decay_vectors_do_not_and_a_shared_tensor_stands_once():
    model = tiny()
    decayed, rest = ref.parameter_groups(model, 0.3)
    assert (decayed["weight_decay"], rest["weight_decay"]) == (0.3, 0)
    names = {id(parameter): name for name, parameter in model.named_parameters()}
    assert sorted(names[id(p)] for p in decayed["params"]) == [
        "transformer.h.0.attn.c_attn.weight",
        "transformer.h.0.attn.c_proj.weight",
        "transformer.h.0.mlp.c_fc.weight",
        "transformer.h.0.mlp.c_proj.weight",
        "transformer.wpe.weight",
        "transformer.wte.weight",
    ]
    assert len(decayed["params"]) + len(rest["params"]) == len(names)
    assert all("bias" in names[id(p)] or "ln_" in names[id(p)] for p in rest["params"])


# AdamW


def two_groups(optimizer, weights):
    a, b, c = (nn.Parameter(w.clone()) for w in weights)
    groups = [{"params": [a, b], "lr": 0.05, "weight_decay": 0.3}, {"params": [c], "betas": (0.5, 0.7)}]
    return (a, b, c), optimizer(groups, lr=0.01, betas=(0.9, 0.95), eps=1e-8, weight_decay=0.0)


def test_adamw_is_torchs_step_for_step_with_groups_and_missing_gradients():
    weights = [random(3, 4), random(4, seed=1), random(2, 2, seed=2)]
    ours, theirs = two_groups(ref.AdamW, weights), two_groups(torch.optim.AdamW, weights)
    for step in range(12):
        for params, optimizer in (ours, theirs):
            for seed, p in enumerate(params):
                p.grad = (
                    None if seed == 1 and step % 3 == 0 else random(*p.shape, seed=10 * step + seed, scale=10**-seed)
                )
            optimizer.param_groups[0]["lr"] = 0.05 / (step + 1)
            optimizer.step()
        for p, q in zip(ours[0], theirs[0], strict=True):
            torch.testing.assert_close(p, q, rtol=0, atol=1e-14)


def test_the_first_step_is_as_long_as_the_rate_whatever_the_gradient():
    p = nn.Parameter(torch.zeros(3, dtype=torch.float64))
    p.grad = torch.tensor([1e-3, -1.0, 1e3], dtype=torch.float64)
    ref.AdamW([p], lr=0.1, weight_decay=0.5).step()
    assert p.tolist() == pytest.approx([-0.1, 0.1, -0.1], rel=1e-4)


def test_a_parameter_without_gradient_neither_moves_nor_decays():
    p = nn.Parameter(torch.ones(2))
    ref.AdamW([p], lr=0.1, weight_decay=0.5).step()
    assert p.tolist() == [1, 1]


@pytest.mark.parametrize(
    "wrong", [{"lr": -1}, {"betas": (1.0, 0.9)}, {"betas": (0.9, -0.1)}, {"eps": -1}, {"weight_decay": -1}]
)
def test_numbers_out_of_range_are_refused(wrong):
    with pytest.raises(ValueError, match="out of range"):
        ref.AdamW([nn.Parameter(torch.ones(1))], **wrong)


# clip_gradients


def with_gradients(*grads):
    params = [nn.Parameter(torch.zeros_like(g)) for g in grads]
    for p, g in zip(params, grads, strict=True):
        p.grad = g.clone()
    return [*params, nn.Parameter(torch.zeros(2))]


def test_one_norm_over_all_gradients_is_scaled_to_the_bound():
    params = with_gradients(torch.tensor([3.0, 0.0]), torch.tensor([[4.0], [12.0]]))
    assert ref.clip_gradients(iter(params), 6.5) == pytest.approx(13)
    torch.testing.assert_close(params[0].grad, torch.tensor([1.5, 0.0]))
    torch.testing.assert_close(params[1].grad, torch.tensor([[2.0], [6.0]]))
    assert params[2].grad is None


@pytest.mark.parametrize("bound", [13.0, 14.0, math.inf])
def test_gradients_within_the_bound_are_never_scaled_up(bound):
    params = with_gradients(torch.tensor([5.0, 12.0]))
    assert ref.clip_gradients(params, bound) == 13
    assert params[0].grad.tolist() == [5, 12]


def test_no_gradient_has_norm_0_and_a_negative_bound_is_refused():
    assert ref.clip_gradients([nn.Parameter(torch.ones(2))], 1.0) == 0
    with pytest.raises(ValueError, match="at least 0"):
        ref.clip_gradients([], -1.0)


def test_a_norm_that_is_not_finite_is_told_and_spreads_no_further():
    params = with_gradients(torch.tensor([math.inf]), torch.tensor([1.0]))
    assert ref.clip_gradients(params, 1.0) == math.inf
    assert params[1].grad.item() == 1


# train_step


def ragged():
    """Three micro-batches of unlike sizes and unlike shares of ignored targets, and one that holds them all."""
    x, y = tokens(6, 6), tokens(6, 6, seed=1)
    y[0, 1:] = -1
    y[1:3, ::2] = -1
    y[5] = -1
    return [(x[:1], y[:1]), (x[1:5], y[1:5]), (x[5:], y[5:])], [(x, y)]


@pytest.mark.parametrize("max_norm", [math.inf, 0.01])
def test_unequal_micro_batches_make_the_step_of_one_big_batch(max_norm):
    parts, whole = ragged()
    ours, theirs = tiny().double(), tiny().double()
    optimizer = torch.optim.SGD(ours.parameters(), lr=1.0)
    for p in ours.parameters():
        p.grad = torch.full_like(p, 7.0)  # from before, to be dropped
    loss = ref.train_step(ours, iter(parts), optimizer, max_norm)
    expected = theirs(*whole[0])[1]
    expected.backward()
    norm = torch.nn.utils.get_total_norm([p.grad for p in theirs.parameters()])
    assert loss == pytest.approx(expected.item(), abs=1e-12)
    for p, q in zip(ours.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(p, q - q.grad * min(1.0, max_norm / norm.item()), rtol=0, atol=1e-12)


def test_a_step_with_every_target_ignored_is_refused_and_changes_nothing():
    model, (x, y) = tiny(), (tokens(2, 6), torch.full((2, 6), -1))
    before = numbers(model)
    for batches in ([(x, y)], []):
        with pytest.raises(ValueError, match="every target is ignored"):
            ref.train_step(model, batches, ref.AdamW(model.parameters()), 1.0)
    assert same(before, numbers(model))


# evaluate


def test_every_kept_token_weighs_the_same():
    parts, whole = ragged()
    model = tiny().double()
    assert ref.evaluate(model, iter(parts)) == pytest.approx(model(*whole[0])[1].item(), abs=1e-12)


def test_evaluation_drops_nothing_leaves_no_gradient_and_restores_each_modules_mode():
    model, batches = tiny(dropout=0.5), [(tokens(2, 6), tokens(2, 6, seed=1))]
    model.transformer.h[0].eval()
    modes = [module.training for module in model.modules()]
    torch.manual_seed(5)
    state = torch.get_rng_state()
    assert ref.evaluate(model, batches) == ref.evaluate(model, batches)
    assert torch.equal(torch.get_rng_state(), state)
    assert [module.training for module in model.modules()] == modes
    assert all(p.grad is None for p in model.parameters())


@pytest.mark.parametrize("x", [[[V]], [[0]]])
def test_the_mode_is_restored_when_evaluation_fails(x):
    model = tiny()
    with pytest.raises((IndexError, ValueError)):
        ref.evaluate(model, [(torch.tensor(x), torch.tensor([[-1]]))])
    assert model.training
    assert torch.is_grad_enabled()


# train

CONFIG = ref.TrainConfig(steps=8, batch_size=4, block_size=6, warmup=2, log_every=3, eval_batches=2, accumulate=2)


def run(config=CONFIG, val_data=None, **changes):
    model = tiny(**changes)
    history = ref.train(model, tokens(60), tokens(30, seed=1) if val_data is None else val_data, config, seeded(2))
    return model, history


def test_a_run_repeats_bit_for_bit_dropout_included():
    (first, history), (second, again) = run(dropout=0.2), run(dropout=0.2)
    assert same(numbers(first), numbers(second))
    assert history == again


def test_how_often_one_looks_changes_nothing():
    looking = dataclasses.replace(CONFIG, log_every=1, eval_batches=5)
    assert same(numbers(run(dropout=0.2)[0]), numbers(run(looking, dropout=0.2)[0]))


def test_the_history_says_what_happened_at_each_logged_step():
    val_data = tokens(7, seed=1)  # just one sequence, so it is known what was evaluated
    model, history = run(val_data=val_data)
    assert history.step == [0, 3, 6, 7]
    assert {len(values) for values in dataclasses.asdict(history).values()} == {4}
    assert history.loss[0] == pytest.approx(math.log(V), abs=0.1)
    assert history.val_loss[-1] == pytest.approx(ref.evaluate(model, [(val_data[None, :-1], val_data[None, 1:])]))
    assert history.perplexity == pytest.approx([math.exp(loss) for loss in history.val_loss])
    rates = {"max_lr": 1e-3, "min_lr": 1e-4, "warmup": 2, "total": 8}
    assert history.learning_rate == [ref.learning_rate(step, **rates) for step in history.step]
    assert model.training


def test_the_rate_of_the_schedule_is_the_rate_of_the_step():
    warming_up = dataclasses.replace(CONFIG, steps=1, warmup=4, max_lr=1e-2, weight_decay=0.0)
    before, after = numbers(tiny()), numbers(run(warming_up)[0])
    assert max((after[n] - before[n]).abs().max().item() for n in before) == pytest.approx(1e-2 / 4, rel=1e-3)


@pytest.mark.parametrize("wrong", ["batch_size", "block_size", "log_every", "eval_batches", "accumulate"])
def test_no_run_has_a_size_or_count_of_0(wrong):
    with pytest.raises(ValueError, match="at least 1"):
        dataclasses.replace(CONFIG, **{wrong: 0})


def test_a_language_in_which_each_token_names_its_successor_is_learned_to_the_last_bit():
    successor = torch.tensor([3, 6, 5, 1, 0, 4, 2])  # one cycle through all tokens
    data = [0]
    for _ in range(60):
        data.append(int(successor[data[-1]]))
    config = ref.TrainConfig(steps=60, batch_size=8, block_size=6, max_lr=3e-2, min_lr=3e-3, warmup=5, weight_decay=0.0)
    history = ref.train(tiny(d_model=16), torch.tensor(data), torch.tensor(data), config, seeded())
    assert history.loss[0] > 1.5
    assert history.val_loss[-1] < 0.01


@pytest.mark.parametrize(("positions", "bound"), [(True, (0, 0.05)), (False, (math.log(2) - 1e-6, 0.8))])
def test_which_of_two_came_first_is_learned_with_positions_and_a_coin_toss_without(positions, bound):
    # One layer without positions sees the pair as a set: it cannot do better than ln 2, for both orders are there.
    pairs = torch.tensor([(a, b) for a in range(V - 1) for b in range(V - 1) if a != b])
    x = torch.cat([pairs, torch.full((len(pairs), 1), V - 1)], dim=1)
    y = torch.full_like(x, -1)
    y[:, 2] = pairs[:, 0]
    model = tiny(d_model=16, block_size=3)
    if not positions:
        model.transformer.wpe.weight.data.zero_()
        model.transformer.wpe.weight.requires_grad_(requires_grad=False)
    optimizer = ref.AdamW(model.parameters(), lr=2e-2, weight_decay=0.0)
    for _ in range(120):
        ref.train_step(model, [(x, y)], optimizer, 1.0)
    low, high = bound
    assert low <= ref.evaluate(model, [(x, y)]) < high


# save_checkpoint, load_checkpoint


def start(seed):
    model = tiny(seed, dropout=0.3)
    return model, ref.AdamW(ref.parameter_groups(model, 0.1), lr=1e-2), seeded(seed)


def advance(model, optimizer, generator, steps):
    return [ref.train_step(model, [ref.get_batch(tokens(40), 4, 6, generator)], optimizer, 1.0) for _ in range(steps)]


def test_a_resumed_run_equals_an_uninterrupted_one_bit_for_bit(tmp_path):
    whole = start(1)
    losses = advance(*whole, 5)
    ref.save_checkpoint(tmp_path / "run.pt", *whole, 5)
    losses += advance(*whole, 5)

    resumed = start(2)
    advance(*resumed, 1)
    assert ref.load_checkpoint(tmp_path / "run.pt", *resumed) == 5
    assert advance(*resumed, 5) == losses[5:]
    assert same(numbers(whole[0]), numbers(resumed[0]))
    assert torch.equal(whole[2].get_state(), resumed[2].get_state())


def test_a_checkpoint_does_not_change_as_the_run_goes_on(tmp_path):
    state = start(1)
    advance(*state, 2)
    ref.save_checkpoint(str(tmp_path / "run.pt"), *state, 2)
    kept = copy.deepcopy(numbers(state[0]))
    advance(*state, 2)
    ref.load_checkpoint(str(tmp_path / "run.pt"), *state)
    assert same(kept, numbers(state[0]))


def test_a_crash_while_saving_costs_no_older_checkpoint(tmp_path):
    class Broken:
        def state_dict(self):
            return {"cannot be pickled": lambda: None}

    model, optimizer, generator = start(1)
    ref.save_checkpoint(tmp_path / "run.pt", model, optimizer, generator, 3)
    with pytest.raises((pickle.PicklingError, AttributeError)):  # which one depends on Python's version
        ref.save_checkpoint(tmp_path / "run.pt", model, Broken(), generator, 4)
    assert ref.load_checkpoint(tmp_path / "run.pt", model, optimizer, generator) == 3


class Payload:
    def __reduce__(self):
        return print, ("run by a checkpoint",)


def test_a_checkpoint_that_would_run_code_is_refused(tmp_path, capsys):
    torch.save({"model": Payload()}, tmp_path / "run.pt")
    with pytest.raises(pickle.UnpicklingError):
        ref.load_checkpoint(tmp_path / "run.pt", *start(1))
    assert capsys.readouterr().out == ""


# plot_history


def test_the_losses_and_the_perplexity_are_drawn_with_titles_labels_and_units():
    pytest.importorskip("matplotlib")
    history = ref.History([0, 10], [2.0, 1.0], [2.5, 1.5], [12.2, 4.5], [0.1, 0.01])
    losses, perplexities = ref.plot_history(history).axes
    drawn = {line.get_label(): line.get_xydata().tolist() for line in losses.lines}
    assert drawn == {"training": [[0, 2], [10, 1]], "validation": [[0, 2.5], [10, 1.5]]}
    assert [text.get_text() for text in losses.get_legend().get_texts()] == ["training", "validation"]
    assert [line.get_xydata().tolist() for line in perplexities.lines] == [[[0, 12.2], [10, 4.5]]]
    labels = [(panel.get_title(), panel.get_xlabel(), panel.get_ylabel()) for panel in (losses, perplexities)]
    assert labels == [("Loss", "step", "loss (nats per token)"), ("Perplexity", "step", "perplexity (tokens)")]
