"""The numbers of the handout of `layers`, each computed; its formulas, each followed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from grader.score.rubric import CORE_SHARE
from tests.handouts.claims import rows, shape, struck, told, value
from tests.handouts.page import page

torch = pytest.importorskip("torch")

import layers as ref  # noqa: E402  # which needs torch

EN = page("layers", "en")


def norm() -> Iterator[str]:
    x, weight, bias, eps = [1, 1, 3, 3], [1, 2, 3, 4], [10, 0, 0, 10], 3
    yield f"The row {rows(x)} with eps = {eps}, weight {rows(weight)} and bias {rows(bias)}"
    mean, var = np.mean(x), np.var(x)
    yield f"| μ, σ² | {told(mean)}, {told(var)} |"
    yield f"| root | √({told(var)} + {eps}) = {told(math.sqrt(var + eps))} |"
    plain = ref.LayerNorm(4, eps=1e-9)(torch.tensor(x).float())
    assert plain.mean().item() == pytest.approx(0, abs=1e-6)
    yield f"Each row to mean 0 and variance {told(plain.var(correction=0).item(), 6)}"
    yield "even those of width 1, which torch would stretch"
    yield "the gradient of the root at 0 is infinite"
    layer = ref.LayerNorm(4, eps=eps)
    yield f"| x̂ | {rows(layer(torch.tensor(x).float()).detach().numpy(), 1)} |"
    layer.load_state_dict({"weight": torch.tensor(weight).float(), "bias": torch.tensor(bias).float()})
    yield f"| y | {rows(layer(torch.tensor(x).float()).detach().numpy(), 1)} |"


def heads() -> Iterator[str]:
    x = torch.arange(1, 13).reshape(1, 2, 6)
    yield f"Two tokens {rows(x[0].numpy())}, shape {shape(x[0])}, in three heads"
    for name, head in zip(("first", "second", "third"), ref.split_heads(x, 3)[0], strict=True):
        yield f"| {name} | {rows(head.numpy())} |"
    yield f"would give the first head {rows(x.reshape(1, 3, 2, 2)[0, 0].numpy())}"


def attention() -> Iterator[str]:
    r = math.sqrt(math.log(3))
    x = torch.tensor([[[0, 1], [r, 0]]], dtype=torch.float64)
    layer = ref.CausalSelfAttention(ref.GPTConfig(1, 1, 1, 2, 2, bias=False)).double()
    eye = torch.eye(2).double()
    layer.load_state_dict({"c_attn.weight": eye.repeat(3, 1), "c_proj.weight": eye})
    got = layer(x).detach()[0]
    np.testing.assert_allclose(x[0, 1], r * np.array([1, 0]))
    yield f"Two tokens, {rows(x[0, 0].numpy())} and √ln 3 · [1, 0], and two heads of width 1"
    scores = x[0, 1] * x[0]  # of the second token, a head in each column
    np.testing.assert_allclose(scores[:, 0].exp(), [1, 3])
    np.testing.assert_allclose(scores[:, 1], [0, 0])
    np.testing.assert_allclose(torch.softmax(scores, dim=0), [[1 / 4, 1 / 2], [3 / 4, 1 / 2]])
    assert got[1, 0].item() == pytest.approx(3 / 4 * r)
    yield f"the scores 0, ln 3, so the weights 1/4, 3/4 and the output 3/4 · √ln 3 = {told(got[1, 0].item())}"
    assert got[1, 1].item() == pytest.approx(1 / 2)
    yield "the scores are 0, 0, the weights 1/2, 1/2 and the output 1/2"
    np.testing.assert_allclose(got[0], x[0, 0])
    unmasked = torch.softmax(x[0, 0, 1] * x[0, :, 1], dim=0)
    yield f"(The weights are {', '.join(f'{each:.3f}' for each in unmasked.tolist())}.)"


def bend() -> Iterator[str]:
    bend, inside = "½ x (1 + tanh u)", "√(2 / π) (x + .044715 x³)"
    x = torch.linspace(-4, 4, 9).double()
    u = value(inside, {"x": x.numpy()})
    np.testing.assert_allclose(ref.gelu(x), value(bend, {"x": x.numpy(), "u": u}))
    yield f"gelu(x) = {bend}, u = {inside}"
    share = ref.gelu(x) / x
    assert share[-1] > 0.999
    assert share[0].abs() < 0.001
    yield "x times a share between 0 and 1. For which x should the share be nearly 1, and for which nearly 0?"
    x = torch.linspace(-5, 5, 10001).double()
    yield f"Compare with {ref.gelu(torch.ones(())).item():.3f} for x = 1"
    apart = (ref.gelu(x) - torch.nn.functional.gelu(x)).abs().max().item()
    assert 0.0004 < apart < 0.0005
    yield "They differ by less than .0005"


def tasks() -> Iterator[str]:
    """What sets a task or a rule."""
    yield "# The layers of GPT-2"
    yield "The points add to 100"
    yield f"{100 * CORE_SHARE} % of its points"
    yield f"The other {100 - 100 * CORE_SHARE} %"


TOPICS = [norm, heads, attention, bend, tasks]


@pytest.mark.parametrize("topic", TOPICS)
def test_the_handout_says_what_was_computed(topic: Callable[[], Iterator[str]]) -> None:
    missing, _ = struck(EN, topic())
    assert missing == []


def test_no_other_number_stands_in_the_handout() -> None:
    _, left = struck(EN, itertools.chain.from_iterable(topic() for topic in TOPICS))
    assert left == []


def test_the_exercises_take_the_time_that_the_handout_allows() -> None:
    assert "about two hours and forty minutes" in EN.text
    assert sum(section.minutes for section in EN.sections) == 160


def test_the_points_add_to_what_the_handout_says() -> None:
    assert sum(section.points for section in EN.sections) == 100


def test_splitting_and_merging_without_the_swap_cancel_and_look_causal() -> None:
    x = torch.arange(24).reshape(1, 4, 6)
    heads = x.reshape(1, 2, 4, 3)
    assert torch.equal(heads.reshape(1, 4, 6), x)
    assert heads[0, 0].max() < heads[0, 1].min()  # the first head holds the first tokens alone


def test_a_row_that_hardly_varies_comes_out_several_times_too_large_with_eps_outside_the_root() -> None:
    x = 1e-3 * torch.tensor([1.0, -1.0]).double()
    inside = ref.LayerNorm(2, eps=1e-5).double()(x)[0].item()
    outside = 1e-3 / (1e-3 + 1e-5)
    assert outside > 3 * inside
