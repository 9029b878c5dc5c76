"""What every family of operators keeps to: a mutant is Python, is another program, and differs in one place, which it names."""

from __future__ import annotations

import ast
import difflib
from functools import cache

import pytest

from grader.verify.mutants.derive import derive
from grader.verify.mutants.families.registry import FAMILIES
from grader.verify.mutants.mutant import Mutant
from tests.conftest import ROOT

CASES = '''
import numpy as np


def everything(a, b, axis=-1, *, flag=True, name="x"):
    """A text that is not mutated."""
    if a is None or (b not in (1, 2) and not flag):
        raise ValueError(f"{a} is not {b + 1}")
    elif a < 0 <= b:
        a += -b ** 2
    with np.errstate(over="ignore"):
        c = np.maximum((a), b).sum(axis=axis, keepdims=True)
    with open(name) as d:
        c = d if flag else (a - b) / c
    for each in [e for e in (a @ b.T) if e > 1]:
        c[..., None, 1:each] = np.swapaxes(a, 0, 1) * each % 3
    while c != a:
        c = min(c, key=len, default=(0))
    assert c, "über"
    return (
        c.reshape(*c.shape[:-1], 2)  # a comment, with a (
        & (a | b)
    ), max((a), (b))


class Thing:
    async def method(self, x: int = 0):
        return x // 2 << 1
'''

TEXTS = {"cases": CASES} | {
    name: (ROOT / "reference" / f"{name}.py").read_text("utf-8") for name in ("attention", "masking")
}


@cache
def mutants(module: str) -> list[Mutant]:
    return derive(module, TEXTS[module])


@pytest.mark.parametrize("module", TEXTS)
@pytest.mark.parametrize("family", FAMILIES)
def test_every_mutant_parses_and_is_another_program(family: str, module: str) -> None:
    original = ast.dump(ast.parse(TEXTS[module]))
    for mutant in mutants(module):
        if mutant.family == family:
            assert ast.dump(ast.parse(mutant.edit.applied(TEXTS[module]))) != original, mutant.name


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_has_mutants(family: str) -> None:
    assert any(mutant.family == family for mutant in mutants("cases"))


@pytest.mark.parametrize("module", TEXTS)
def test_a_mutant_differs_by_one_place_in_the_function_and_line_that_it_names(module: str) -> None:
    text = TEXTS[module]
    functions = {
        f"{prefix}{node.name}": node
        for prefix, body in (
            ("", ast.parse(text).body),
            *(("Thing.", c.body) for c in ast.parse(text).body if isinstance(c, ast.ClassDef)),
        )
        for node in body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    for mutant in mutants(module):
        old, new = text.splitlines(), mutant.edit.applied(text).splitlines()
        last = mutant.line + text[mutant.edit.start : mutant.edit.end].count("\n")
        assert old[: mutant.line - 1] == new[: mutant.line - 1], mutant.name
        assert old[last:] == new[len(new) - len(old[last:]) :], mutant.name
        around = functions[mutant.function]
        assert around.lineno <= mutant.line <= (around.end_lineno or 0), mutant.name


@pytest.mark.parametrize("module", TEXTS)
def test_no_two_mutants_are_the_same_program(module: str) -> None:
    programs = [mutant.edit.applied(TEXTS[module]) for mutant in mutants(module)]
    assert len(set(programs)) == len(programs)


@pytest.mark.parametrize("module", ["attention", "masking"])
def test_a_mutant_is_known_by_its_function_and_its_lines_before_and_after(module: str) -> None:
    names = [(mutant.function, mutant.before, mutant.after) for mutant in mutants(module)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("module", TEXTS)
def test_a_diff_is_what_difflib_says_of_both_texts(module: str) -> None:
    text = TEXTS[module]
    for mutant in mutants(module)[::7]:
        pair = (text.splitlines(), mutant.edit.applied(text).splitlines())
        changes = [line for line in difflib.ndiff(*pair) if line[0] in "+-"]
        told = [line for line in mutant.diff(text).splitlines()[3:] if line[0] in "+-"]
        assert sorted(line[0] + line[2:] for line in changes) == sorted(told), mutant.name


def after(text: str) -> set[str]:
    """What a function with this one statement turns into."""
    return {mutant.after for mutant in derive("m", f"def f(a, b):\n    {text}\n")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("return a - b", {"return a + b", "return a", "return b", "return (b - a)", "pass"}),
        ("return (a + b) * 2", {"return (a + b) / 2", "return (a - b) * 2", "return (a + b)", "return 2"}),
        ("return a[1:, None]", {"return a[:, None]", "return a[2:, None]", "return a[0:, None]", "return a[1:]"}),
        ("return a <= b", {"return a < b", "return a > b"}),
        ("return a is not None", {"return a is None"}),
        ("return 1 if a else b", {"return 1 if True else b", "return 1 if False else b"}),
        (
            "return a.sum(axis=-1)",
            {"return a.sum(axis=0)", "return a.sum(axis=None)", "return a.sum()", "return a.prod(axis=-1)"},
        ),
        ("return a.T", {"return a"}),
        ("return f(a, b, c=1)", {"return f(b, a, c=1)", "return f(a, c=1)", "return f(a, b)"}),
        ("return -1", {"return 0", "return -2", "return 1"}),
        ("return not a", {"return a"}),
        ("return a and b", {"return a or b", "return a", "return b"}),
        ("a *= b", {"a /= b", "pass"}),
    ],
)
def test_what_each_operator_is_for(text: str, expected: set[str]) -> None:
    assert expected <= after(text)


@pytest.mark.parametrize(
    ("text", "unwanted"),
    [
        ("c = a", "pass"),
        ("return a.swapaxes(0, b)", "return a.swapaxes(b, 0)"),
        ("raise ValueError(1 + 2)", "raise ValueError(1 - 2)"),
    ],
    ids=["only-value-of-a-name", "order-that-does-not-matter", "message"],
)
def test_what_could_not_be_caught_or_be_but_caught_is_not_made(text: str, unwanted: str) -> None:
    assert unwanted not in after(text)


def test_what_the_template_hands_out_is_not_mutated() -> None:
    given = "def given(a):\n    return a + 1\n\n\n"
    asked = "def asked(a):\n    # BEGIN SOLUTION\n    return a + 1\n    # END SOLUTION\n"
    assert {mutant.function for mutant in derive("m", given + asked)} == {"asked"}
    assert {mutant.function for mutant in derive("m", given)} == {"given"}


def test_comments_and_layout_are_no_part_of_a_mutants_name() -> None:
    (found,) = [each for each in derive("m", "def f(a):\n    return  a.T  # turned\n") if each.family == "axes"]
    assert (found.before, found.after) == ("return a.T", "return a")
