"""The numbers of the handout of `efficient`, each computed; its formulas, each followed."""

from __future__ import annotations

import itertools
import math
import tomllib
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest

from grader.score.rubric import CORE_SHARE
from reference import attention as whole
from reference import efficient as ref
from tests.conftest import ROOT
from tests.handouts.claims import cells, rows, shape, struck, told
from tests.handouts.page import page

EN = page("efficient", "en")
MIB = 2**20
Q, V = np.array([[1.0]]), np.array([[8.0], [16.0], [24.0], [32.0]])
POWERS = (1, 2, 4, 1)  # what exp gives for each score
K = np.log(np.array(POWERS, dtype=float))[:, np.newaxis]


class Step(NamedTuple):
    """One tile, in exact numbers: M is exp(m)."""

    M: int
    f: Fraction
    P: list[Fraction]
    d: Fraction
    Z: Fraction


def tiles(tile, *, rescaled=True) -> list[Step]:
    """The steps of the worked example."""
    M, d, Z, found = 0, Fraction(0), Fraction(0), []
    for a in range(0, len(POWERS), tile):
        new = max(M, *POWERS[a : a + tile])
        f = Fraction(M, new) if rescaled else Fraction(1)
        P = [Fraction(power, new) for power in POWERS[a : a + tile]]
        d, Z, M = f * d + sum(P), f * Z + sum(p * int(v) for p, v in zip(P, V[a : a + tile, 0], strict=True)), new
        found.append(Step(M, f, P, d, Z))
    return found


def ln(power: int) -> str:
    return "0" if power == 1 else f"ln {power}"


def one_of(values) -> str:
    return f"[{', '.join(map(str, values))}]"


def terms(weights, values) -> str:
    return " + ".join(f"{w} · {told(v)}" for w, v in zip(weights, values, strict=True))


def size() -> Iterator[str]:
    T, tile = 8192, 128
    yield f"For {T} tokens it has {T} · {T} = {T * T} entries"
    yield f"{T * T * 4 // MIB} MiB in float32 and {T * T * 8 // MIB} MiB in float64"
    yield f"With tiles of {tile}, {T} tokens need {T * tile * 4 // MIB} MiB for it in float32, not {T * T * 4 // MIB}"
    limits = tomllib.loads((ROOT / "assignments" / "efficient" / "assignment.toml").read_text("utf-8"))["limits"]
    assert limits["memory_mb"] * MIB <= T * T  # in no dtype, for none is smaller than a byte
    assert T * tile * 4 * 12 <= limits["memory_mb"] * MIB  # a dozen
    yield f"called with T_q = T_k = {T} and tiles of {tile}"
    yield f"**{limits['memory_mb']} MiB** of memory"
    yield f"a boolean mask takes {T * T // MIB} MiB by itself"
    yield f"a few seconds for those {T} tokens"
    yield f"and the {T} tokens"


def idea() -> Iterator[str]:
    assert math.exp(3 - 3) == 1 > math.exp(3 - 5)
    yield "It is 1 if the maximum stays, less if it grows"
    for source in ("Milakov & Gimelshein 2018", "Dao et al. 2022", "Rabe & Staats 2021"):
        assert source in (ref.__doc__ or "").replace("\n", " ")
        yield source
    m, d = ref.online_softmax([np.array([-np.inf, -np.inf])])
    assert (m.item(), d.item()) == (-np.inf, 0)
    yield "| start | m = -∞, d = 0, Z = 0 |"
    yield "| at the end | Z / d, and 0 where d = 0 |"
    assert math.exp(-math.inf - 17) == 0
    yield "come out as the 0 they should be"


def by_hand() -> Iterator[str]:
    first, second = tiles(2)
    for name, array in (("Q", Q), ("V", V)):
        yield f"{name} = {rows(array)}, shape {shape(array)}"
    yield f"K = ln {rows(np.exp(K).round(12))}, shape {shape(K)}"
    np.testing.assert_allclose(np.exp(whole.attention_scores(Q, K)[0]), POWERS)
    a, b, c, d = map(ln, POWERS)
    yield f"d_k is {Q.shape[-1]}, so the scores are {a}, {b} | {c}, {d}"
    tile = np.zeros((1, 2))
    by = f"{shape(Q)} times {shape(K[:2].T)} -> {shape(tile)}"
    yield f"| S = Q K_j^T / √{Q.shape[-1]} | {by} | | {a}, {b} | {c}, {d} |"
    yield f"| m' | {shape(Q)} | -∞ | {ln(first.M)} | {ln(second.M)} |"
    yield f"| f = exp(m - m') | {shape(Q)} | | {first.f} | {second.f} |"
    yield f"| P = exp(S - m') | {shape(tile)} | | {one_of(first.P)} | {one_of(second.P)} |"
    grown = f"{second.f} · {first.d} + {sum(second.P)} = {second.d}"
    yield f"| d | {shape(Q)} | 0 | {first.f} + {sum(first.P)} = {first.d} | {grown} |"
    of = f"{shape(tile)} times {shape(V[:2])} -> {shape(tile @ V[:2])}"
    once = f"{terms(first.P, V[:2, 0])} = {first.Z}"
    yield f"| Z | {of} | 0 | {once} | {second.f} · {first.Z} + {terms(second.P, V[2:, 0])} = {second.Z} |"
    output = ref.blockwise_attention(Q, K, V, 2).item()
    assert output == pytest.approx(float(second.Z / second.d))
    yield f"The output is {second.Z} / {second.d} = {second.Z / second.d}"
    yield f"exponentials of the scores are {cells(np.array(POWERS), between=', ')}, which sum to {sum(POWERS)}"
    yield f"({terms(POWERS, V[:, 0])}) / {sum(POWERS)} = {output:.0f}"


def otherwise() -> Iterator[str]:
    wrong = tiles(2, rescaled=False)[-1]
    yield f"you would have {wrong.Z} / {float(wrong.d)} = {float(wrong.Z / wrong.d):.1f}"
    first, last = tiles(3)
    assert (last.d, last.Z) == (tiles(2)[-1].d, tiles(2)[-1].Z)  # the rest you know
    assert len(last.P) == 1
    yield f"After the first d is {first.d} and Z is {first.Z}"


def tasks() -> Iterator[str]:
    """What sets a task or a rule."""
    yield "The points add to 100"
    yield "n_i may be 0."
    yield "has m = -∞ and d = 0. A row may also"
    yield "Below 1 it raises"
    with pytest.raises(ValueError, match="width 0"):
        ref.blockwise_attention(Q[:, :0], K[:, :0], V, 2)
    yield "and so do queries and keys of width d_k = 0"
    m, d = ref.online_softmax([np.zeros((2, 3), dtype=np.float32), np.zeros((2, 3))])
    assert (m.dtype, d.dtype) == (np.float64, np.float64)
    yield "so the dtype of the answer is known only after the last block: compute in float64"
    yield "With T_k = 0 there is nothing to attend to, and the output is 0"
    yield "for T_q = 5, T_k = 7, tile = 3, d_v = 2"
    yield f"{100 * CORE_SHARE} % of its points"
    yield f"The other {100 - 100 * CORE_SHARE} %"


TOPICS = [size, idea, by_hand, otherwise, tasks]


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


def test_the_points_add_to_what_the_handout_says() -> None:
    assert sum(section.points for section in EN.sections) == 100


def test_nothing_breaks_without_rescaling_while_the_largest_score_stands_in_the_first_block() -> None:
    def never_rescaled(blocks):
        m, d = -math.inf, 0.0
        for block in blocks:
            m = max(m, *block)
            d += sum(math.exp(x - m) for x in block)
        return m, d

    largest_first = ([3.0, 1.0], [2.0, 0.0], [-1.0])
    right = [each.item() for each in ref.online_softmax([np.array(block) for block in largest_first])]
    assert never_rescaled(largest_first) == pytest.approx(right)
    assert never_rescaled(largest_first[::-1]) != pytest.approx(right)


def test_divided_after_every_tile_the_first_is_divided_as_often_as_there_are_tiles_unless_it_is_undone() -> None:
    first, second = tiles(2)
    added = second.Z - second.f * first.Z
    assert (second.f * first.Z / first.d + added) / second.d != second.Z / second.d
    assert (second.f * first.Z / first.d * first.d + added) / second.d == second.Z / second.d


@pytest.mark.parametrize("tile", [1, 2, 3, 5, 8])
def test_following_the_table_gives_attention(tile: int) -> None:
    rng = np.random.default_rng(0)
    queries, keys, values = (rng.normal(size=(T, 4)) for T in (5, 7, 7))
    m, d, Z = np.full((5, 1), -np.inf), np.zeros((5, 1)), np.zeros((5, 4))
    for j in range(0, 7, tile):
        S = queries @ keys[j : j + tile].T / math.sqrt(4)
        higher = np.maximum(m, S.max(axis=1, keepdims=True))
        f, P = np.exp(m - higher), np.exp(S - higher)
        d, Z, m = f * d + P.sum(axis=1, keepdims=True), f * Z + P @ values[j : j + tile], higher
    np.testing.assert_allclose(Z / d, whole.attention(queries, keys, values))
    np.testing.assert_allclose(Z / d, ref.blockwise_attention(queries, keys, values, tile))
