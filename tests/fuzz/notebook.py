"""Notebooks, as intake reads them: a module that Python can parse, or a problem told; nothing raised, nothing run."""

from __future__ import annotations

import ast
import json
import re
import warnings
from pathlib import Path

from hypothesis import strategies as st

from grader.intake.notebook.stand_in import Wanted, stand_in
from tests.fuzz.base import MIB, Input, bounded

MOST = MIB // 4
_SOURCE = re.compile(r'"source": "((?:[^"\\]|\\.)*)"')
_LINES = [
    "import math",
    "def f(x):",
    "    return x",
    "x = 1",
    "print(f(1))",
    "%matplotlib inline",
    "!ls",
    "    !ls",
    "%%bash",
]
_LINES += [
    "f?",
    '"""',
    "# exercise: a.f",
    "# coding: utf-16",
    "from __future__ import annotations",
    "@f",
    "if x:",
    "(",
    "\\",
]
_LINES += [
    "%%writefile a.py",
    "x = " + "-" * 3000 + "1",
    "\x0c",
    "\ud800",
    "lambda: (yield)",
    "f'{'",
    "class A: pass; x = 1",
]
_lines = st.lists(st.sampled_from(_LINES) | st.text(max_size=8), max_size=3)
_sources = st.builds(lambda lines: "\n".join(["def g(x):", "    return x", *lines]), _lines) | _lines.map("\n".join)
_tags = st.sampled_from([None, [], ["submission"], ["a.f"], [7], "a.f", {"tags": 1}])


def inputs() -> st.SearchStrategy[Input]:
    """Return notebooks of odd cells, notebooks of odd forms, and bytes that are none."""
    source = _often(_sources, _sources.map(str.splitlines) | st.sampled_from([None, 7, [7], {}]))
    about = _often(st.builds(dict, tags=_tags), st.sampled_from([7, {"nbgrader": {"grade": True}}, {"nbgrader": []}]))
    cell = st.fixed_dictionaries(
        {
            "cell_type": _often(st.just("code"), st.sampled_from(["markdown", "raw", 7])),
            "source": source,
            "metadata": about,
            "outputs": st.just([]),
        }
    )
    old = st.sampled_from([None, [], [{"cells": []}], [{"cells": [{"cell_type": "code", "input": "x = 1"}]}]])
    whole = st.fixed_dictionaries(
        {
            "cells": _often(st.lists(cell, max_size=4), st.sampled_from([None, {}, [7], "x"])),
            "metadata": _often(
                st.just({}), st.sampled_from([{"kernelspec": {"language": "R"}}, {"language_info": 7}, None])
            ),
            "nbformat": _often(st.just(4), st.sampled_from([3, 2, 1, 99, "4", None])),
            "nbformat_minor": _often(st.just(5), st.sampled_from([2, 0, -1, None])),
            "worksheets": _often(st.just([]), old),
        }
    )
    made = _often(whole.map(json.dumps).map(str.encode), st.binary(max_size=200))
    return made.map(lambda raw: Input(".ipynb", raw))


def _often(usual: st.SearchStrategy, odd: st.SearchStrategy) -> st.SearchStrategy:
    return st.integers(0, 5).flatmap(lambda choice: usual if choice < 5 else odd)


def mended(changed: Input, choice: int) -> Input:
    """Return a whole notebook of the texts that are left of a damaged one; or what it is."""
    texts = _SOURCE.findall(changed.data.decode("utf-8", "replace"))
    if choice % 4 == 0 or not texts:
        return changed
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cells = [{**cell, "source": text.replace("\\n", "\n").replace('\\"', '"')} for text in texts]
    whole = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}
    return Input(changed.suffix, json.dumps(whole).encode())


def check(path: Path) -> str:
    """Read a file as the notebook of a module; see `Target`."""
    content = path.read_bytes()
    with bounded(64 * MIB):
        found = stand_in(Wanted(["a.py"], ["a.py"], MOST), ["hw.ipynb"], lambda _: content)
    told = [*found.refused.values(), *found.notes]
    assert told, "whatever was made of it, its student hears how"
    assert not any(problem.ours for problem in told)
    assert all(
        text.isprintable() and len(text) < 5000 for each in told for text in (each.file, each.message, each.hint)
    )
    if "a.py" not in found.files:
        return "refused"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ast.parse(found.files["a.py"])
    return "read with notes" if len(told) > 1 else "read"
