"""What the reference of `shapes` promises: NumPy's own answers and GPT-2's published numbers."""

from __future__ import annotations

import re
from dataclasses import replace
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import shapes as ref

GPT2 = {
    ref.ModelShape(12, 12, 768, 50257, 1024): (124_439_808, 163_037_184),
    ref.ModelShape(24, 16, 1024, 50257, 1024): (354_823_168, 406_286_336),
    ref.ModelShape(36, 20, 1280, 50257, 1024): (774_030_080, 838_359_040),
    ref.ModelShape(48, 25, 1600, 50257, 1024): (1_557_611_200, 1_638_022_400),
}
SMALL = next(iter(GPT2))
SIZES = st.integers(1, 9)
MODELS = st.builds(lambda L, H, d_head, V, C: ref.ModelShape(L, H, H * d_head, V, C), SIZES, SIZES, SIZES, SIZES, SIZES)
AXES = st.lists(st.sampled_from([0, 1, 1, 2, 3]), max_size=5).map(tuple)


# femto, pico


def test_the_course_s_models():
    assert ref.femto(65, 64) == ref.ModelShape(1, 1, 2, 65, 64)
    assert ref.pico(65, 64) == ref.ModelShape(3, 3, 6, 65, 64)


@pytest.mark.parametrize("sizes", [(0, 64), (65, 0), (-1, 64)])
@pytest.mark.parametrize("make", [ref.femto, ref.pico])
def test_a_model_reads_something(make, sizes):
    with pytest.raises(ValueError, match="must be at least 1"):
        make(*sizes)


# matmul_shape


def _numpy(a, b):
    try:
        return (np.zeros(a) @ np.zeros(b)).shape
    except ValueError:
        return None


@given(AXES, AXES)
def test_the_rule_is_numpy_s(a, b):
    expected = _numpy(a, b)
    if expected is None:
        with pytest.raises(ValueError, match=re.escape(str(a))) as caught:
            ref.matmul_shape(a, b)
        assert str(b) in str(caught.value)
    else:
        assert ref.matmul_shape(a, b) == expected


@given(AXES, st.integers(1, 3), st.integers(1, 3), st.integers(1, 3))
def test_stacks_of_fitting_matrices_always_have_a_product(batch, n, k, m):
    assert ref.matmul_shape((*batch, n, k), (*batch, k, m)) == (*batch, n, m)


# attention_shapes


@given(MODELS, SIZES, SIZES)
def test_the_shapes_are_those_of_an_attention_in_numpy(shape, B, T):
    H, d = shape.n_head, shape.d_model
    x = np.ones((B, T, d))
    q = (x @ np.eye(d)).reshape(B, T, H, d // H).swapaxes(1, 2)
    scores = q @ q.swapaxes(-1, -2)
    heads = scores @ q
    merged = heads.swapaxes(1, 2).reshape(B, T, d)
    steps = {"x": x, "q": q, "k": q, "v": q, "scores": scores, "weights": scores, "heads": heads}
    steps |= {"merged": merged, "out": merged @ np.eye(d)}
    assert ref.attention_shapes(shape, B, T) == {name: array.shape for name, array in steps.items()}


def test_heads_must_be_known_and_divide_the_width():
    with pytest.raises(ValueError, match="4 heads cannot share a width of 6"):
        ref.attention_shapes(replace(ref.pico(65, 64), n_head=4), 2, 5)
    with pytest.raises(ValueError, match="not known"):
        ref.attention_shapes(replace(ref.pico(65, 64), n_head=None), 2, 5)


# parameter_count


@pytest.mark.parametrize("shape", GPT2, ids=lambda shape: f"width {shape.d_model}")
def test_gpt2_comes_out_to_the_last_parameter(shape):
    tied, untied = GPT2[shape]
    assert ref.parameter_count(shape)["total"] == tied
    assert ref.parameter_count(shape, tied=False)["total"] == untied


@given(MODELS, st.booleans())
def test_the_total_is_the_sum_of_the_parts_and_heads_change_nothing(shape, tied):
    count = ref.parameter_count(shape, tied)
    assert count["total"] == sum(number for part, number in count.items() if part != "total")
    assert ref.parameter_count(replace(shape, n_head=None), tied) == count


# attention_memory


@given(MODELS, SIZES, SIZES, SIZES)
def test_memory_is_that_of_the_scores_in_every_layer(shape, B, T, size):
    scores = ref.attention_shapes(shape, B, T)["scores"]
    assert ref.attention_memory(shape, B, T, size) == shape.n_layer * prod(scores) * size


def test_gpt2_small_has_48_mib_of_scores_in_a_layer():
    assert ref.attention_memory(SMALL, 1, 1024) == 12 * 48 * 2**20


# forward_flops


def test_gpt2_small_takes_so_many_operations():
    assert ref.forward_flops(SMALL, 1024) == 291_648_307_200


@given(MODELS, SIZES)
def test_the_operations_are_the_formula_of_the_handout(shape, T):
    L, d, V = shape.n_layer, shape.d_model, shape.vocab_size
    assert ref.forward_flops(shape, T) == 2 * (L * (12 * T * d**2 + 2 * T**2 * d) + T * d * V)
    assert ref.forward_flops(replace(shape, n_head=None), T) == ref.forward_flops(shape, T)


@pytest.mark.parametrize(
    "call",
    [
        lambda wrong: ref.attention_shapes(SMALL, wrong, 5),
        lambda wrong: ref.attention_shapes(SMALL, 2, wrong),
        lambda wrong: ref.attention_memory(SMALL, wrong, 5),
        lambda wrong: ref.attention_memory(SMALL, 2, wrong),
        lambda wrong: ref.attention_memory(SMALL, 2, 5, wrong),
        lambda wrong: ref.forward_flops(SMALL, wrong),
    ],
)
@pytest.mark.parametrize("wrong", [0, -1])
def test_sizes_below_one_are_refused(call, wrong):
    with pytest.raises(ValueError, match=f"must be at least 1, got {wrong}"):
        call(wrong)


# identify


def state(shape):
    d = shape.d_model
    found = {"wte.weight": (shape.vocab_size, d), "wpe.weight": (shape.block_size, d)}
    for i in range(shape.n_layer):
        found |= {f"h.{i}.{name}": size for name, size in ref.block_matrices(d).items()}
    return found


@given(MODELS, st.randoms())
def test_all_sizes_but_the_heads_are_read_off_in_any_order(shape, random):
    names = list(state(shape))
    random.shuffle(names)
    shuffled = {name: state(shape)[name] for name in names}
    assert ref.identify(shuffled | {"lm_head.weight": (1, 1)}) == replace(shape, n_head=None)


def test_more_than_ten_blocks_are_counted():
    assert ref.identify(state(replace(SMALL, n_layer=103))).n_layer == 103


@given(MODELS, st.data())
def test_a_matrix_that_is_missing_or_does_not_fit_is_refused(shape, data):
    shape = replace(shape, d_model=shape.d_model + 1)
    good = state(shape)
    name = data.draw(st.sampled_from(sorted(good)))
    for wrong in ((*good[name][:1], good[name][1] + 1), good[name][:1], (*good[name], 1)):
        with pytest.raises(ValueError, match=r"is|should be"):
            ref.identify(good | {name: wrong})
    del good[name]
    with pytest.raises(ValueError, match=r"is missing|there are no blocks"):
        ref.identify(good)


def test_a_gap_in_the_numbers_and_no_block_at_all_are_refused():
    gap = {name: size for name, size in state(replace(SMALL, n_layer=3)).items() if not name.startswith("h.1.")}
    with pytest.raises(ValueError, match=r"h\.1\.\S+ is missing"):
        ref.identify(gap)
    with pytest.raises(ValueError, match="there are no blocks"):
        ref.identify(state(replace(SMALL, n_layer=0)))
