"""The numbers of the handout of `gpt2`, each computed; its promises about the beginning and the sizes, each tried."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from grader.score.rubric import CORE_SHARE
from tests.handouts.claims import rows, struck, told
from tests.handouts.page import page

torch = pytest.importorskip("torch")

import gpt2 as ref  # noqa: E402  # which needs torch
import layers  # noqa: E402  # likewise

EN = page("gpt2", "en")
GPT2 = ("gpt2", "gpt2-medium", "gpt2-large", "gpt2-xl")


def bare() -> torch.nn.Module:
    """The model of the example by hand: no blocks, and a single position at which every token has the row [5, 1]."""
    model = ref.GPT(layers.GPTConfig(vocab_size=2, block_size=3, n_layer=0, n_head=1, d_model=2)).double()
    a = math.log(3) / 2
    with torch.no_grad():
        model.transformer.wte.weight.copy_(a * torch.eye(2))
        model.transformer.wpe.weight.copy_(torch.tensor([[5.0, 1.0]]) - a * torch.tensor([[1.0, 0.0]]))
    return model


def loss() -> Iterator[str]:
    a = math.log(3) / 2
    yield f"a = ½ ln 3 = {told(a)}; wte is a · {rows(np.eye(2))}"
    yield "rows of width 2, no blocks, and a last norm with weight 1 and bias 0"
    yield "whose row is x = [5, 1]"
    model, idx = bare(), torch.zeros(1, 3, dtype=torch.long)
    x = model.transformer.ln_f(torch.tensor([5.0, 1.0]).double()).detach().numpy()
    np.testing.assert_allclose(x, [1, -1], atol=1e-5)
    yield f"| ln_f(x) | {rows(x.round(4))} |"
    logits = model(idx)[0][0, 0].detach()
    np.testing.assert_allclose(logits, [a, -a], atol=1e-5)
    np.testing.assert_allclose(logits.softmax(-1), [3 / 4, 1 / 4], atol=1e-5)
    yield "| softmax | [3/4, 1/4] |"
    apart = [model(idx, torch.full((1, 3), target))[1].item() for target in (0, 1)]
    np.testing.assert_allclose(apart, [math.log(4 / 3), math.log(4)], atol=1e-5)
    yield f"| loss with target 0 | ln(4/3) = {told(apart[0])} |"
    yield f"| loss with target 1 | ln 4 = {told(apart[1])} |"
    targets = torch.tensor([[0, -1, 1]])
    mean = model(idx, targets)[1].item()
    yield f"with targets {rows(targets[0].numpy())} have the loss {told(mean)}: a target of -1 does not count"
    yield f"it would be {told(2 * mean / 3)}."


def size() -> Iterator[str]:
    V, block_size, d = 5, 4, 2
    model = ref.from_preset("femto", vocab_size=V, block_size=block_size)
    yield "A block has 12 d² numbers in its matrices and 13 d more in biases and norms"
    yield f"With V = {V}, room for {block_size} positions and the one block of femto, d = {d}"
    counted = {name: sum(p.numel() for p in part.parameters()) for name, part in model.transformer.items()}
    yield f"| wte, wpe | {counted['wte']}, {counted['wpe']} |"
    assert counted["h"] == 12 * d**2 + 13 * d
    yield f"| block | 12 · {d**2} + 13 · {d} = {counted['h']} |"
    yield f"| ln_f | {counted['ln_f']} |"
    yield f"| together | {sum(p.numel() for p in model.parameters())} |"


def beginning() -> Iterator[str]:
    model = ref.from_preset("nano", vocab_size=999, block_size=99)
    projections = [p for name, p in model.named_parameters() if name.endswith("c_proj.weight")]
    assert len(projections) == 2 * model.config.n_layer
    yield "whose 2 L projections add to one row"
    assert [each.std().item() for each in projections] == pytest.approx([0.02 / math.sqrt(6)] * 6, rel=0.1)
    assert model.lm_head.weight.std().item() == pytest.approx(0.02, rel=0.1)
    yield "from N(0, σ²)"
    yield "A table that begins from N(0, 1) gives several times that"
    bare = ref.from_preset("nano", vocab_size=9, block_size=9, n_layer=0)
    assert not [name for name, _ in bare.named_parameters() if "c_proj" in name]
    yield "With L = 0 there is no c_proj"
    yield "with σ = .02; those called c_proj with σ / √(2 L)"  # noqa: RUF001  # as the handout writes it
    yield f"With L = 12 each c_proj begins with σ = .02 / √(2 · 12) = {told(0.02 / math.sqrt(24), 4)}"  # noqa: RUF001  # likewise
    yield f"ln 50257 = {told(math.log(50257))}"


def turned() -> Iterator[str]:
    W = np.arange(1, 7).reshape(2, 3)
    yield f"The published {rows(W)}, stored as"
    yield f"is {rows(W.T)} for `nn.Linear`"
    yield f"A reshape would give {rows(W.reshape(3, 2))}"


def presets() -> Iterator[str]:
    for name in ("femto", "pico", "nano"):
        config = ref.from_preset(name, vocab_size=5, block_size=4).config
        yield f"| {name} | {config.n_layer}, {config.n_head}, {config.d_model} | |"
    for name in GPT2:
        with torch.device("meta"):
            model = ref.from_preset(name)
        config, number = model.config, sum(p.numel() for p in model.parameters())
        yield f"| {name} | {config.n_layer}, {config.n_head}, {config.d_model} | {number} |"
    yield f"have a vocabulary of {config.vocab_size} and {config.block_size} positions"


def tasks() -> Iterator[str]:
    """What sets a task or a rule."""
    yield from (
        "# GPT-2",
        "The points add to 100",
        "A target of -1 is ignored",
        f"{100 * CORE_SHARE} % of its points",
        f"The other {100 - 100 * CORE_SHARE} %",
    )


TOPICS = [loss, size, beginning, turned, presets, tasks]


@pytest.mark.parametrize("topic", TOPICS)
def test_the_handout_says_what_was_computed(topic: Callable[[], Iterator[str]]) -> None:
    missing, _ = struck(EN, topic())
    assert missing == []


def test_no_other_number_stands_in_the_handout() -> None:
    _, left = struck(EN, itertools.chain.from_iterable(topic() for topic in TOPICS))
    assert left == []


def test_the_exercises_take_the_time_that_the_handout_allows() -> None:
    assert "about two hours and fifty minutes" in EN.text
    assert sum(section.minutes for section in EN.sections) == 170


def test_the_points_add_to_what_the_handout_says() -> None:
    assert sum(section.points for section in EN.sections) == 100


def test_a_table_that_begins_from_a_normal_of_one_gives_several_times_ln_v() -> None:
    generator = torch.Generator().manual_seed(0)
    model = ref.from_preset("nano", vocab_size=101, block_size=64)
    with torch.no_grad():
        model.transformer.wte.weight.copy_(torch.randn(101, 48, generator=generator))
    idx = torch.randint(101, (2, 64), generator=generator)
    assert model(idx, idx.roll(-1, dims=1))[1] > 3 * math.log(101)
