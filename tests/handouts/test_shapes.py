"""The numbers of the handout of `shapes`, each computed; its formulas, each followed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import prod

import pytest

from grader.course.assignment import load_assignment
from grader.course.worksheet import load_worksheet
from grader.score.rubric import CORE_SHARE
from reference import shapes as ref
from tests.conftest import ROOT
from tests.handouts.claims import struck
from tests.handouts.page import page

EN = page("shapes", "en")
MIB = 2**20
V, BLOCK, B, T = 7, 8, 1, 5
FEMTO, PICO = ref.femto(V, BLOCK), ref.pico(V, BLOCK)
D = FEMTO.d_model
GPT2 = {
    "small": ref.ModelShape(12, 12, 768, 50257, 1024),
    "medium": ref.ModelShape(24, 16, 1024, 50257, 1024),
    "large": ref.ModelShape(36, 20, 1280, 50257, 1024),
    "xl": ref.ModelShape(48, 25, 1600, 50257, 1024),
}
SMALL = GPT2["small"]
# What enters and leaves a linear layer, as multiples of d.
LAYERS = {name: (m // D, n // D) for name, (n, m) in ref.block_matrices(D).items()}


def told(shape) -> str:
    """A shape as this handout writes it: `[1, 5, 2]`."""
    return str(list(shape))


def product(*shapes) -> str:
    return " times ".join(map(told, shapes))


def sizes(shape) -> str:
    return f"L = {shape.n_layer}, H = {shape.n_head}, d = {shape.d_model}"


def added(numbers, between=" + ") -> str:
    return between.join(map(str, numbers))


def width(times) -> str:
    return "d" if times == 1 else f"{times} d"


def from_to(name) -> str:
    return " to ".join(map(width, LAYERS[name]))


def idea() -> Iterator[str]:
    yield f"**femto** ({sizes(FEMTO)}) and **pico** ({PICO.n_layer}, {PICO.n_head}, {PICO.d_model})"
    assert ref.matmul_shape((1, 2, 3), (4, 3, 5)) == ref.matmul_shape((2, 3), (4, 3, 5)) == (4, 2, 5)
    yield "an axis that is 1 or missing is used again"
    yield f"| attn | {from_to('attn.c_attn.weight')}, and {from_to('attn.c_proj.weight')} | per layer |"
    yield f"| mlp | {from_to('mlp.c_fc.weight')}, and {from_to('mlp.c_proj.weight')} | per layer |"
    counts = [ref.parameter_count(replace(SMALL, n_head=H)) for H in (1, 12)]
    assert counts[0] == counts[1]
    yield "whose shape for 1 head, as for 12, is"


def cost() -> Iterator[str]:
    L, H = SMALL.n_layer, SMALL.n_head
    assert ref.attention_memory(SMALL, 3, 10, 2) == L * 3 * H * 10**2 * 2
    yield r"\text{bytes} = L \, B \, H \, T^2 \cdot"
    multiply_adds = {name: prod(times) for name, times in LAYERS.items()}
    qkv, out = multiply_adds["attn.c_attn.weight"], multiply_adds["attn.c_proj.weight"]
    mlp = multiply_adds["mlp.c_fc.weight"] + multiply_adds["mlp.c_proj.weight"]
    every = qkv + out + mlp
    # One multiply-add counts as often as a model without layers tells: all that is left are its logits.
    logits = ref.ModelShape(0, 1, D, V, BLOCK)
    twice = ref.forward_flops(logits, T) // (T * D * V)
    yield rf"\text{{flops}} = {twice} \big( L \, ({every} \, T d^2 + 2 \, T^2 d) + T d V \big)"
    for shape, length in itertools.product([FEMTO, PICO, SMALL], (1, 5, 8)):
        L, d = shape.n_layer, shape.d_model
        layers = L * (every * length * d**2 + 2 * length**2 * d)
        assert ref.forward_flops(shape, length) == twice * (layers + length * d * shape.vocab_size)
    yield (
        f"takes n k m multiply-adds, and each counts {twice}. Of the {every}, q, k and v are {qkv}, W_o is {out}, and "
        f"the MLP is {mlp}; the two products of attention are the 2 T^2 d"
    )


def shapes_of_femto() -> Iterator[str]:
    yield f"{sizes(FEMTO)}; V = {V}, block_size = {BLOCK}, B = {B}, T = {T}."
    of = ref.attention_shapes(FEMTO, B, T)
    x, q, scores = of["x"], of["q"], of["scores"]
    W_qkv, W_o = (D, 3 * D), (D, D)
    yield f"| x | | {told(x)} |"
    yield f"| W_qkv | {from_to('attn.c_attn.weight')} | {told(W_qkv)} |"
    yield f"| x W_qkv | {product(x, W_qkv)} | {told(ref.matmul_shape(x, W_qkv))} |"
    assert of["k"] == of["v"] == q
    yield f"| q, k, v | cut into three, split into one head | {told(q)} |"
    k_T = (*q[:-2], q[-1], q[-2])
    assert ref.matmul_shape(q, k_T) == scores
    yield f"| q k^T | {product(q, k_T)} | {told(scores)} |"
    yield f"| weights | softmax changes no shape | {told(of['weights'])} |"
    assert ref.matmul_shape(of["weights"], of["v"]) == of["heads"]
    yield f"| heads | {product(of['weights'], of['v'])} | {told(of['heads'])} |"
    yield f"| merged | | {told(of['merged'])} |"
    assert ref.matmul_shape(of["merged"], W_o) == of["out"]
    yield f"| out | {product(of['merged'], W_o)} | {told(of['out'])} |"


def parameters_of_femto() -> Iterator[str]:
    count = ref.parameter_count(FEMTO)
    for name, tensor in (("wte", (V, D)), ("wpe", (BLOCK, D))):
        assert prod(tensor) == count[name]
        yield f"| {name} | {told(tensor)} | {prod(tensor)} |"
    for name in ("attn", "mlp"):
        matrices = [shape for full, shape in ref.block_matrices(D).items() if full.startswith(name)]
        tensors = [tensor for matrix in matrices for tensor in (matrix, matrix[:1])]
        assert sum(map(prod, tensors)) == count[name]
        pairs = "; ".join(f"{told(matrix)} and {told(matrix[:1])}" for matrix in matrices)
        yield f"| {name} | {pairs} | {added(map(prod, tensors))} = {count[name]} |"
    norms = count["ln"] // (2 * D)
    assert norms == 2 * FEMTO.n_layer + 1 == 3  # "three of"
    yield f"| ln | three of {told((D,))} and {told((D,))} | {norms} · {2 * D} = {count['ln']} |"
    yield f"| lm_head | tied | {count['lm_head']} |"
    parts = [number for part, number in count.items() if part not in ("lm_head", "total")]
    yield f"| total | | {added(parts)} = {count['total']} |"


def cost_of_femto() -> Iterator[str]:
    memory = ref.attention_memory(FEMTO, B, T)
    assert FEMTO.n_layer * B * FEMTO.n_head == 1  # "one matrix"
    yield f"one matrix of {T * T} numbers: {T * T} · {memory // T**2} = {memory} bytes"
    W_qkv, W_o = (D, 3 * D), (D, D)
    up, down = (D, 4 * D), (4 * D, D)
    steps = {
        "x W_qkv": [((T, D), W_qkv)],
        "q k^T": [((T, D), (D, T))],
        "weights v": [((T, T), (T, D))],
        "W_o": [((T, D), W_o)],
        "MLP": [((T, D), up), ((T, 4 * D), down)],
        "logits": [((T, D), (D, V))],
    }
    counts = {name: [prod(left) * right[1] for left, right in pairs] for name, pairs in steps.items()}
    for name, pairs in steps.items():
        yield f"| {name} | {'; '.join(product(*pair) for pair in pairs)} | {added(counts[name])} |"
    each, flops = [sum(count) for count in counts.values()], ref.forward_flops(FEMTO, T)
    assert 2 * sum(each) == flops
    yield f"| together | {added(each)} = {sum(each)}, times 2 | {flops} |"
    yield f"redo the femto table; {sum(each)} multiply-adds, {flops} operations"
    linear, attention, logits = 12 * T * D**2, 2 * T**2 * D, T * D * V
    assert 2 * (linear + attention + logits) == flops
    yield (
        f"12 T d^2 = 12 · {T} · {D**2} = {linear}, 2 T^2 d = 2 · {T**2} · {D} = {attention}, T d V = {T} · {D} · {V} = "
        f"{logits}, and 2 · ({linear} + {attention} + {logits}) = {flops}"
    )


def pico() -> Iterator[str]:
    of, memory = ref.attention_shapes(PICO, B, T), ref.attention_memory(PICO, B, T)
    yield (
        f"x is {told(of['x'])}, q, k and v are {told(of['q'])}, the scores {told(of['scores'])}, merged is {told(of['merged'])}"
    )
    matrices, one = PICO.n_layer * PICO.n_head, ref.attention_memory(FEMTO, B, T)
    assert matrices == 9  # "nine"
    yield (
        f"{PICO.n_layer} layers with {PICO.n_head} heads, so nine matrices of scores: {matrices} · {one} = {memory} bytes"
    )
    assert of["q"][-1] == ref.attention_shapes(FEMTO, B, T)["q"][-1]  # "as wide as femto's"


def gpt2() -> Iterator[str]:
    for name, shape in GPT2.items():
        total = ref.parameter_count(shape)["total"]
        yield f"| GPT-2 {name} | {shape.n_layer} | {shape.n_head} | {shape.d_model} | {total:,} |"
        assert shape.d_model // 64 == shape.n_head
    assert PICO.d_model // 64 != PICO.n_head
    yield "n_head to be d / 64, which fits every GPT-2, and were given the parameters of pico"
    [sizes] = {(shape.vocab_size, shape.block_size) for shape in GPT2.values()}
    yield f"all with V = {sizes[0]} and block_size = {sizes[1]}"
    yield f"GPT-2 small on {sizes[1]} tokens takes {ref.forward_flops(SMALL, sizes[1]):,} operations"
    L, H, memory = SMALL.n_layer, SMALL.n_head, ref.attention_memory(SMALL, 1, sizes[1])
    assert L * H * sizes[1] ** 2 * 4 == memory
    yield f"{L} · {H} · {sizes[1]}^2 · 4 bytes, which is {memory // MIB} MiB: {memory // L // MIB} MiB a layer"
    yield from [
        "parameters** of GPT-2",
        "### Pico, and GPT-2",
        "femto, pico, GPT-2 small, and",
        "the parameters of a GPT-2 and no configuration",
        "where this is no GPT-2",
    ]  # a name


def exercises() -> Iterator[str]:
    for shape in (FEMTO, PICO):
        layer, head = ("layer", "head") if shape.n_layer == 1 else ("layers", "heads")
        yield f"{shape.n_layer} {layer}, {shape.n_head} {head}, width {shape.d_model}. A size below 1 raises"
    yield "what the given `require_sizes` says to a 0"
    yield "femto had width 1"
    assert PICO.d_model % 4
    yield "pico had 4 heads"
    for a, b in (((2,), (2, 7)), ((5, 2), (2,)), ((3,), (3,))):
        yield f"{a} @ {b} is {ref.matmul_shape(a, b)}"
    assert ref.matmul_shape((2, 0), (0, 3)) == (2, 3)
    yield "An axis may be 0"
    yield "an inner axis of 1 could stretch"
    yield "and so do B or T below 1"
    yield "B, T or bytes_per_value below 1 raises"
    yield "by the formula above. T below 1 raises"
    yield "counted from 0: `h.0.attn.c_attn.weight` belongs to the first"
    for name, (n, m) in ref.block_matrices(1).items():
        assert f"| `h.i.{name}` | [{width(n)}, {width(m)}] |" in EN.text
    assert ref.forward_flops(PICO, BLOCK + 1) > ref.forward_flops(PICO, BLOCK)
    yield "A T above block_size is no bad size"


def rules() -> Iterator[str]:
    """What the worksheet and the score are."""
    assignment = load_assignment(ROOT / "assignments" / "shapes")
    on_paper = [e.points for e in assignment.manifest.exercises if e.file is not None]
    in_code = [e.points for e in assignment.manifest.exercises if e.file is None]
    assert len(in_code) == 8  # "The first eight"
    yield f"in plain Python: {sum(in_code):g} points; the last on paper and in `answers.toml`: {sum(on_paper):g} points"
    worksheet = load_worksheet(assignment)
    assert worksheet is not None
    assert len(list(worksheet.asked())) == 24  # "Twenty-four"
    yield "a shape as `[2, 3, 4]`"
    yield " to 6 check them"
    yield f"{100 * CORE_SHARE} % of its points"
    yield f"The other {100 - 100 * CORE_SHARE} %"
    yield "axes of 0, messages"


TOPICS = [
    *(idea, cost, shapes_of_femto, parameters_of_femto, cost_of_femto),
    *(pico, gpt2, exercises, rules),
]


@pytest.mark.parametrize("topic", TOPICS)
def test_the_handout_says_what_was_computed(topic: Callable[[], Iterator[str]]) -> None:
    missing, _ = struck(EN, topic())
    assert missing == []


def test_no_other_number_stands_in_the_handout() -> None:
    _, left = struck(EN, itertools.chain.from_iterable(topic() for topic in TOPICS))
    assert left == []


def test_the_exercises_take_the_two_hours_that_the_handout_allows() -> None:
    assert "about two hours" in EN.text
    assert sum(section.minutes for section in EN.sections) == 120
