"""What the reference of `generation` promises: exact distributions, and a cache that changes nothing but the work."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

import generation as ref
from gpt2 import GPT
from layers import GPTConfig

torch.set_num_threads(1)  # sums this small lose more than they gain by threads

V, BLOCK = 5, 7
ALL = {"top_k": None, "top_p": None}
GREEDY = {"temperature": 0.0, **ALL}
# Six standard deviations: a right sampler is refused once in 500 million.
SIGMAS = 6


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def gpt(dropout=0.0):
    model = GPT(GPTConfig(V, BLOCK, n_layer=2, n_head=3, d_model=15, dropout=dropout)).double()
    for seed, parameter in enumerate(model.parameters()):
        parameter.data = 0.5 * torch.randn(parameter.shape, generator=seeded(seed), dtype=torch.float64)
    return model


def prompts(B, T, seed=0):
    return torch.randint(V, (B, T), generator=seeded(seed))


class Chain(nn.Module):
    """A model whose token depends on the one before it alone; it remembers what it was shown."""

    def __init__(self, probs):
        super().__init__()
        self.config = SimpleNamespace(block_size=3, n_layer=1)
        self.logits = nn.Parameter(torch.tensor(probs, dtype=torch.float64).log())
        self.seen = []

    def forward(self, idx):
        self.seen.append((idx.clone(), self.training, torch.is_grad_enabled()))
        return self.logits[idx], None


def require_frequencies(tokens, probs):
    """Compare how often each token was drawn with how often it should have been."""
    counts, n = tokens.bincount(minlength=len(probs)), len(tokens)
    for count, p in zip(counts.tolist(), probs, strict=True):
        assert abs(count - n * p) <= SIGMAS * math.sqrt(n * p * (1 - p)), (counts, probs)


# temperature_probs


@pytest.mark.parametrize(("temperature", "powers"), [(1.0, (1, 2, 3)), (0.5, (1, 4, 9)), (2.0, (1, 2**0.5, 3**0.5))])
def test_a_temperature_is_a_power_of_the_probabilities(temperature, powers):
    logits = 5 + torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64).log()
    expected = [power / sum(powers) for power in powers]
    assert ref.temperature_probs(logits, temperature).tolist() == pytest.approx(expected, abs=1e-15)


def test_temperature_0_is_the_first_of_the_largest():
    logits = torch.tensor([[1.0, 3.0, 2.0, 3.0], [0.0, 0.0, 0.0, 0.0]])
    assert ref.temperature_probs(logits, 0).tolist() == [[0, 1, 0, 0], [1, 0, 0, 0]]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("temperature", [1e-300, 1e-45, 1e-36, 1e-3, 1e30])
def test_extreme_temperatures_and_logits_give_probabilities(temperature, dtype):
    probs = ref.temperature_probs(torch.tensor([1e4, -1e4, 9e3, -math.inf], dtype=dtype), temperature)
    assert probs.dtype == dtype
    assert probs.sum().item() == pytest.approx(1)
    assert probs[3] == 0


def test_probabilities_are_differentiable():
    logits = torch.randn(2, V, generator=seeded(), dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: ref.temperature_probs(x, 0.7), logits)


@pytest.mark.parametrize("temperature", [-1.0, -1e-9, math.nan])
def test_a_negative_temperature_is_refused(temperature):
    with pytest.raises(ValueError, match="at least 0"):
        ref.temperature_probs(torch.ones(3), temperature)


# top_k_filter


def test_the_k_largest_stay_where_they_are_and_ties_with_the_last():
    logits = torch.tensor([[2.0, 5.0, 1.0, 4.0, 3.0], [1.0, 2.0, 2.0, 0.0, 3.0]])
    kept = logits.clone()
    assert ref.top_k_filter(logits, 2).tolist() == [
        [-math.inf, 5, -math.inf, 4, -math.inf],
        [-math.inf, 2, 2, -math.inf, 3],
    ]
    assert ref.top_k_filter(logits, 1)[0].tolist() == [-math.inf, 5, -math.inf, -math.inf, -math.inf]
    assert torch.equal(logits, kept)


@pytest.mark.parametrize("k", [5, 6, 10**6])
def test_a_k_beyond_the_vocabulary_is_no_filter(k):
    logits = torch.randn(2, 3, V, generator=seeded())
    assert torch.equal(ref.top_k_filter(logits, k), logits)


@pytest.mark.parametrize("k", [0, -1])
def test_keeping_nothing_is_refused(k):
    with pytest.raises(ValueError, match=f"k = {k}"):
        ref.top_k_filter(torch.ones(3), k)


# top_p_filter


def nucleus(logits, p):
    return torch.isfinite(ref.top_p_filter(logits, p)).nonzero().flatten().tolist()


@pytest.mark.parametrize(
    ("p", "expected"), [(0.8, [0, 1, 3]), (0.6, [1, 3]), (0.35, [1]), (1e-9, [1]), (0.95, [0, 1, 2, 3])]
)
def test_the_token_that_crosses_p_stays(p, expected):
    logits = torch.tensor([0.2, 0.4, 0.1, 0.3], dtype=torch.float64).log()
    assert nucleus(logits, p) == expected
    assert torch.equal(ref.top_p_filter(logits, p)[expected], logits[expected])


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=6), st.floats(0.01, 0.99))
def test_the_nucleus_is_the_smallest_set_of_most_probable_tokens(values, p):
    logits = torch.tensor([values], dtype=torch.float64)
    probs = logits.softmax(-1)[0].tolist()
    order = sorted(range(len(probs)), key=lambda token: -values[token])
    before = [sum(probs[token] for token in order[:i]) for i in range(len(order))]
    if min(abs(sum_before - p) for sum_before in before) > 1e-9:
        assert nucleus(logits[0], p) == sorted(order[i] for i in range(len(order)) if before[i] < p)


def test_of_equal_logits_the_first_stay_however_many_there_are():
    assert nucleus(torch.zeros(40, dtype=torch.float64), 0.11) == [0, 1, 2, 3, 4]


def test_p_1_keeps_even_what_rounding_would_hide():
    logits = torch.tensor([20.0, 19.0, 0.0, -10.0])
    assert torch.equal(ref.top_p_filter(logits, 1.0), logits)


@pytest.mark.parametrize("p", [0.0, -0.1, 1.1, math.nan])
def test_a_p_out_of_range_is_refused(p):
    with pytest.raises(ValueError, match="p = "):
        ref.top_p_filter(torch.ones(3), p)


# sample_next


@pytest.mark.parametrize(
    ("numbers", "weights"),
    [
        ({"temperature": 1.0, **ALL}, [0.5, 0.2, 0.15, 0.1, 0.05]),
        ({"temperature": 2.0, **ALL}, [0.5**0.5, 0.2**0.5, 0.15**0.5, 0.1**0.5, 0.05**0.5]),
        ({"temperature": 1.0, "top_k": 2, "top_p": None}, [0.5, 0.2, 0, 0, 0]),
        ({"temperature": 1.0, "top_k": None, "top_p": 0.8}, [0.5, 0.2, 0.15, 0, 0]),
        # Squared and cut to three the shares are .8, .128 and .072, so that two make .9. With top-p before top-k, or
        # before the temperature, a third would stay.
        ({"temperature": 0.5, "top_k": 3, "top_p": 0.9}, [0.25, 0.04, 0, 0, 0]),
        (GREEDY, [1, 0, 0, 0, 0]),
    ],
)
def test_tokens_come_as_often_as_temperature_then_top_k_then_top_p_say(numbers, weights):
    logits = torch.tensor([0.5, 0.2, 0.15, 0.1, 0.05]).log().expand(20_000, V)
    tokens = ref.sample_next(logits, **numbers, generator=seeded(1))
    assert (tokens.shape, tokens.dtype) == ((20_000,), torch.int64)
    require_frequencies(tokens, [weight / sum(weights) for weight in weights])


def test_sampling_repeats_with_the_generator_and_leaves_the_global_one_alone():
    logits, state = torch.zeros(50, V), torch.get_rng_state()
    first, second, other = (ref.sample_next(logits, temperature=1.0, **ALL, generator=seeded(s)) for s in (3, 3, 4))
    assert torch.equal(first, second)
    assert not torch.equal(first, other)
    assert torch.equal(torch.get_rng_state(), state)


def test_logits_of_one_row_are_refused():
    with pytest.raises(ValueError, match="do not fit"):
        ref.sample_next(torch.zeros(V), **GREEDY, generator=seeded())


# generate

SUCCESSOR = [[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0]]


def test_the_model_sees_the_last_block_size_tokens_in_evaluation_mode_without_gradients():
    model, idx = Chain(SUCCESSOR), torch.tensor([[2, 0]])
    model.logits.requires_grad_()
    assert ref.generate(model, idx, 4, **GREEDY, generator=seeded()).tolist() == [[2, 0, 1, 2, 3, 0]]
    assert [seen[0].tolist() for seen in model.seen] == [[[2, 0]], [[2, 0, 1]], [[0, 1, 2]], [[1, 2, 3]]]
    assert {seen[1:] for seen in model.seen} == {(False, False)}
    assert model.training
    assert idx.tolist() == [[2, 0]]


def test_two_tokens_come_as_often_as_the_chain_says():
    chain = [[0.1, 0.6, 0.3], [0.5, 0.2, 0.3], [0.25, 0.25, 0.5]]
    start = torch.zeros(20_000, 1, dtype=torch.int64)
    out = ref.generate(Chain(chain), start, 2, temperature=1.0, **ALL, generator=seeded())
    require_frequencies(3 * out[:, 1] + out[:, 2], [chain[0][a] * chain[a][b] for a in range(3) for b in range(3)])


def test_greedy_rows_are_independent_and_repeat_in_spite_of_dropout():
    model, idx = gpt(dropout=0.5), prompts(4, 3)
    together = ref.generate(model, idx, 6, **GREEDY, generator=seeded())
    for row, alone in zip(together, idx, strict=True):
        assert torch.equal(ref.generate(model, alone[None], 6, **GREEDY, generator=seeded(9))[0], row)
    assert torch.equal(together[:, :3], idx)


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
@pytest.mark.parametrize("continue_", [ref.generate, ref.generate_cached])
def test_no_new_token_gives_a_copy_of_the_prompt(continue_, dtype):
    idx = prompts(2, 3).to(dtype)
    out = continue_(gpt(), idx, 0, **GREEDY, generator=seeded())
    assert out.dtype == torch.int64
    assert torch.equal(out, idx)
    out += 1
    assert torch.equal(idx, prompts(2, 3).to(dtype))


@pytest.mark.parametrize("continue_", [ref.generate, ref.generate_cached])
@pytest.mark.parametrize(("shape", "n"), [((2, 0), 1), ((2, 3), -1), ((3,), 1)])
def test_an_empty_prompt_or_a_negative_number_is_refused(continue_, shape, n):
    with pytest.raises(ValueError, match=r"a prompt has a token at least|do not fit"):
        continue_(gpt(), torch.zeros(shape, dtype=torch.int64), n, **GREEDY, generator=seeded())


# generate_cached


@pytest.mark.parametrize("chunk_size", [None, 1, 2, 3, 5, 100])
@pytest.mark.parametrize("numbers", [GREEDY, {"temperature": 1.3, "top_k": 4, "top_p": 0.9}])
def test_a_cache_changes_no_token(numbers, chunk_size):
    model, idx = gpt(dropout=0.5), prompts(8, 5)
    cached = ref.generate_cached(model, idx, 2, chunk_size=chunk_size, **numbers, generator=seeded(1))
    assert torch.equal(cached, ref.generate(model, idx, 2, **numbers, generator=seeded(1)))
    assert model.training


def test_the_prompt_passes_in_chunks_and_each_token_once():
    model, seen = gpt(), []
    model.register_forward_pre_hook(lambda _module, args: seen.append(args[0].shape[1]))
    ref.generate_cached(model, prompts(2, 3), 4, chunk_size=2, **GREEDY, generator=seeded())
    assert seen == [2, 1, 1, 1, 1]


def test_more_than_block_size_positions_are_refused_with_the_reason():
    with pytest.raises(ValueError, match=r"5 \+ 3 positions are more than block_size = 7.*cannot move"):
        ref.generate_cached(gpt(), prompts(1, 5), 3, **GREEDY, generator=seeded())


def test_a_chunk_of_nothing_is_refused():
    with pytest.raises(ValueError, match="a chunk has at least one position, got 0"):
        ref.generate_cached(gpt(), prompts(1, 5), 1, chunk_size=0, **GREEDY, generator=seeded())


# prompt_grid


class Letters:
    def encode(self, text):
        return ["abcde".index(letter) for letter in text]

    def decode(self, tokens):
        return "".join("abcde"[token] for token in tokens)


def test_the_grid_has_prompts_outside_temperatures_inside_and_a_seed_a_row():
    model = gpt()
    rows = ref.prompt_grid(model, Letters(), ["ab", "c"], [0.0, 1.0, 2.0], 8, seed=40)
    keys = [(row["prompt"], row["temperature"], row["seed"]) for row in rows]
    assert keys == [("ab", 0, 40), ("ab", 1, 41), ("ab", 2, 42), ("c", 0, 43), ("c", 1, 44), ("c", 2, 45)]
    for row in rows:
        idx = torch.tensor([Letters().encode(row["prompt"])])
        out = ref.generate(model, idx, 8, temperature=row["temperature"], **ALL, generator=seeded(row["seed"]))
        assert row["text"] == Letters().decode(out[0].tolist())
        assert row["text"].startswith(row["prompt"])
        assert set(row) == {"prompt", "temperature", "seed", "text"}


def test_an_empty_prompt_in_a_grid_is_refused():
    with pytest.raises(ValueError, match="a prompt has a token at least"):
        ref.prompt_grid(gpt(), Letters(), [""], [1.0], 1, seed=0)
