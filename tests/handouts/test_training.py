"""The numbers of the handout of `training`, each computed; its formulas, each followed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from grader.score.rubric import CORE_SHARE
from tests.handouts.claims import rows, struck, told
from tests.handouts.page import page

torch = pytest.importorskip("torch")

import training as ref  # noqa: E402  # which needs torch

EN = page("training", "en")
COUNTS, MEANS = [1, 3], [2.0, 1.0]
PARTS = [[3.0, 0.0], [0.0, 4.0]]


def plain(number: float, digits: int = 3) -> str:
    """A number with a zero in front and none at the end."""
    return f"{number:.{digits}f}".rstrip("0").rstrip(".")


def listed(vector: list[float]) -> str:
    return f"[{', '.join(map(plain, vector))}]"


def parameter(value: list[float], gradient: list[float] | None = None) -> Any:
    p = torch.nn.Parameter(torch.tensor(value, dtype=torch.float64))
    p.grad = None if gradient is None else torch.tensor(gradient, dtype=torch.float64)
    return p


def loss() -> Iterator[str]:
    logits = torch.tensor([[0, math.log(3)]] * 3, dtype=torch.float64, requires_grad=True)
    first, second = (ref.cross_entropy(logits[:1], torch.tensor([t])).item() for t in (1, 0))
    torch.testing.assert_close(logits[0].exp() / logits[0].exp().sum(), torch.tensor([1 / 4, 3 / 4]).double())
    yield "at each of two positions. The probabilities are 1/4 and 3/4"
    assert [first, second] == pytest.approx([math.log(4 / 3), math.log(4)])
    yield f"| the second token | ln 4/3 = {told(first)} |"
    yield f"| the first token | ln 4 = {told(second)} |"
    mean = ref.cross_entropy(logits, torch.tensor([1, 0, -1]))
    assert mean.item() == pytest.approx((first + second) / 2)
    yield f"| mean | {told(mean.item())} |"
    yield f"| perplexity | {told(ref.perplexity(first + second, 2))} |"
    yield f"whose target is -1 changes nothing: the sum is {told(first + second)} and the number 2, not 3"
    mean.backward()
    assert logits.grad is not None
    yield f"{rows((2 * logits.grad[0]).numpy(), 2)}, the softmax minus the one-hot"


def formulas() -> Iterator[str]:
    """The reference follows the table, in the parts of it that hold numbers."""
    (beta1, beta2), lr, eps, decay = (0.6, 0.7), 0.1, 0.01, 0.5
    p, g, m, v = parameter([2.0]), 3.0, 0.0, 0.0
    optimizer = ref.AdamW([p], lr, (beta1, beta2), eps, decay)
    right = 2.0
    for t in (1, 2):
        p.grad = torch.tensor([g], dtype=torch.float64)
        optimizer.step()
        m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2
        m_hat, v_hat = m / (1 - beta1**t), v / (1 - beta2**t)
        right -= lr * (m_hat / (math.sqrt(v_hat) + eps) + decay * right)
        assert p.item() == pytest.approx(right)
        g = -1.0
    yield "m ← β₁ m + (1 - β₁) g, v ← β₂ v + (1 - β₂) g²"
    yield "m̂ = m / (1 - β₁ᵗ), v̂ = v / (1 - β₂ᵗ)"
    how = {"max_lr": 3.0, "min_lr": 1.0, "warmup": 2, "total": 7}
    assert [ref.learning_rate(step, **how) for step in (0, 1)] == [3.0 * (step + 1) / 2 for step in (0, 1)]  # type: ignore[arg-type]
    yield "max_lr (step + 1) / warmup"
    for step in range(2, 7):
        progress = (step - 2) / (7 - 2)
        cosine = 1.0 + 0.5 * (3.0 - 1.0) * (1 + math.cos(math.pi * progress))
        assert ref.learning_rate(step, **how) == pytest.approx(cosine)  # type: ignore[arg-type]
    yield "min_lr + ½ (max_lr - min_lr) (1 + cos(π · progress))"


def schedule() -> Iterator[str]:
    curve = {"max_lr": 1, "min_lr": 0.2, "warmup": 4, "total": 12}
    steps = (0, 1, 2, 3, 4, 6, 8, 10, 12)
    yield ", ".join(f"{name} = {told(value, 1)}" for name, value in curve.items())
    yield f"| step | {' | '.join(map(str, steps))} |"
    rates = [ref.learning_rate(step, **curve) for step in steps]  # type: ignore[arg-type]
    yield f"| rate | {' | '.join(told(rate).rstrip('0') for rate in rates)} |"


def adamw() -> Iterator[str]:
    def run(gradients: list[float]) -> Iterator[list[float]]:
        p = parameter([1.0])
        optimizer = ref.AdamW([p], lr=0.1, betas=(0.5, 0.5), weight_decay=0.0)
        for t, g in enumerate(gradients, start=1):
            p.grad = torch.tensor([g], dtype=torch.float64)
            optimizer.step()
            m, v = (optimizer.state[p][name].item() for name in "mv")
            yield [m, v, m / (1 - 0.5**t), v / (1 - 0.5**t), p.item()]

    found = list(run([2.0, -2.0]))
    yield "A parameter 1, lr = .1, both betas .5, no decay. The gradient is 2, then -2"
    for name, numbers in zip(("first", "second"), found, strict=True):
        yield f"| {name} | {' | '.join(told(x).rstrip('0') if x % 1 else told(round(x)) for x in map(_rounded, numbers))} |"
    assert 1 - found[0][4] == pytest.approx(0.1)
    assert found[1][4] - found[0][4] == pytest.approx(0.1 / 3)
    assert [x[4] for x in run([200.0, -200.0])] == pytest.approx([x[4] for x in found])
    yield "with a gradient of 200, then -200. (The parameters come out as they did.)"


def _rounded(x: float) -> float:
    return round(x, 6)


def together() -> Iterator[str]:
    params = [parameter([0.0], [3.0]), parameter([0.0], [4.0])]
    yield f"Two gradients, [3] and [4]: their norm together is {told(ref.clip_gradients(params, 6))}"
    assert [p.grad.item() for p in params] == [3, 4]
    ref.clip_gradients(params, 1)
    shown = " and ".join(rows(p.grad.numpy(), 1) for p in params)
    yield f"With max_norm = 1 they become {shown}, with max_norm = 6 they stay"
    yield f"The norm of [3] and [4] is not {3 + 4}"


def twice() -> Iterator[str]:
    """What is left of the loss of a sure model whose softmax is taken twice."""
    floors = []
    for V in (5, 50257):
        sure = torch.zeros(1, V, dtype=torch.float64)
        sure[0, 0] = 1
        floors.append(ref.cross_entropy(sure, torch.tensor([0])).item())
        assert floors[-1] == pytest.approx(math.log(math.e + V - 1) - 1)
    yield "no probability is larger than 1, and a softmax of numbers between 0 and 1 is"
    yield "ln(e + V - 1) - 1"
    yield f"which is {told(floors[0])} for a vocabulary of 5 and {told(floors[1])} for that of GPT-2, 50257"
    logits = torch.tensor([[1e4, 0.0]], dtype=torch.float64)
    assert ref.cross_entropy(logits, torch.tensor([1])).item() == 1e4
    yield "with a logit of 1e4 in a row it may be 1e4"
    assert torch.nextafter(torch.tensor(1e4), torch.tensor(2e4)) - 1e4 == pytest.approx(0.001, rel=0.1)
    assert torch.tensor(1e4).bfloat16() + 1 == torch.tensor(1e4).bfloat16()
    yield "Beside 1e4 float32 has three decimals left and bfloat16 not even the units"
    by_hand = torch.tensor([0, math.log(3)], dtype=torch.float64)
    shifted = ref.cross_entropy(by_hand + 1000, torch.tensor(0))
    assert shifted.item() == pytest.approx(math.log(4))
    yield "with 1000 added to its logits: the same loss"
    assert (logits - logits.max()).exp().max() == 1
    yield "keeps every exp at 1 or below"


def perplexities() -> Iterator[str]:
    right, mean = ref.perplexity(2 * 100 + 4 * 10, 110), (math.exp(2) + math.exp(4)) / 2
    yield f"100 tokens of 2 nats and 10 of 4 have a perplexity of {told(right, 2)}"
    yield f"perplexities is {told(mean, 2)}"


def losses() -> Iterator[str]:
    (first, second), (one, other) = COUNTS, MEANS
    total = sum(n * mean for n, mean in zip(COUNTS, MEANS, strict=True))
    yield f"has {first} kept token, with a loss of {plain(one)}"
    yield f"has {second}, with a mean loss of {plain(other)}"
    yield f"| the mean over all kept tokens | {plain(total / sum(COUNTS))} |"
    yield f"| the mean of the means | {plain(sum(MEANS) / 2)} |"
    yield f"| the sum of the means | {plain(sum(MEANS))} |"
    yield f"| the perplexity, exp of the first line | {plain(ref.perplexity(total, sum(COUNTS)))} |"
    yield f"| the mean of the exponentials | {plain(sum(map(math.exp, MEANS)) / 2)} |"
    yield f"all {sum(COUNTS)} tokens"


def clipped(gradient: list[float], max_norm: float) -> list[float]:
    p = parameter([0.0, 0.0], gradient)
    ref.clip_gradients([p], max_norm)
    return list(p.grad.tolist())


def clipping() -> Iterator[str]:
    first, second = PARTS
    both = [a + b for a, b in zip(first, second, strict=True)]
    whole = clipped(both, 2.5)
    yield f"are {listed(first)} from the first and {listed(second)} from the second"
    yield f"together they have the norm {plain(math.hypot(*both))}"
    yield f"max_norm = 2.5 the whole is multiplied by {plain(whole[0] / both[0])}, and becomes {listed(whole)}"
    before = clipped(first, 2.5)
    then = [a + b for a, b in zip(before, second, strict=True)]
    yield f"{listed(before)} first, {listed(then)} then, and {listed(clipped(then, 2.5))} at last"
    yield "Redo it with max_norm = 1."
    yield f"(The right one is {listed(clipped(both, 1.0))}.)"


def states() -> Iterator[str]:
    yield f"[{len(torch.Generator().get_state())}] on the CPU"


def tasks() -> Iterator[str]:
    """What sets a task or a rule."""
    yield from ("A target of -1 is none", "the steps 0, log_every, 2 log_every", "6 steps with log_every = 3")
    yield "x and y are int64, whatever"
    yield from ("Sizes less than 1, data", "for 7 tokens and rows of 3", "Fewer than 1 token raises")
    yield from ("Steps are counted from 0", "With warmup = 0 there is", "never divide by 0?", "with a decay of 0")
    yield "The points add to 100"
    yield f"{100 * CORE_SHARE} % of its points"
    yield f"The other {100 - 100 * CORE_SHARE} %"


TOPICS = [loss, formulas, schedule, adamw, together, twice, perplexities, losses, clipping, states, tasks]


@pytest.mark.parametrize("topic", TOPICS)
def test_the_handout_says_what_was_computed(topic: Callable[[], Iterator[str]]) -> None:
    missing, _ = struck(EN, topic())
    assert missing == []


def test_no_other_number_stands_in_the_handout() -> None:
    _, left = struck(EN, itertools.chain.from_iterable(topic() for topic in TOPICS))
    assert left == []


def test_the_exercises_take_the_time_that_the_handout_allows() -> None:
    assert "about six hours" in EN.text
    assert sum(section.minutes for section in EN.sections) == 350


def test_the_points_add_to_what_the_handout_says() -> None:
    assert sum(section.points for section in EN.sections) == 100


def test_a_language_model_that_copies_has_no_loss() -> None:
    x = torch.arange(5)[None]
    assert ref.cross_entropy(50 * torch.eye(5)[x], x).item() < 1e-6


def test_progress_from_the_first_step_would_make_the_rate_jump_down() -> None:
    warm, total = 4, 12
    assert ref.learning_rate(warm - 1, max_lr=1, min_lr=0, warmup=warm, total=total) == 1
    assert (1 + math.cos(math.pi * warm / total)) / 2 < 0.8
