"""The same tests for whoever imports a submission beside them: as functions, as a `unittest.TestCase`, and by themselves."""

from __future__ import annotations

import compileall
import importlib
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from unittest import mock

from tests.benchmarks.throughput.contender import Grade
from tests.benchmarks.throughput.flavour import Flavour
from tests.benchmarks.throughput.ground import FILE, Ground

_HEAD = """
from attention import attention
from right import attention as right
"""
_BODY = """\
    rng = np.random.default_rng({number})
    {inputs}
    got, expected = attention(q, k, v), right(q, k, v)
    {close}
"""


def functions(ground: Ground) -> str:
    """Return a file of tests, each a function."""
    return _head(ground) + "".join(f"\n\ndef test_{each:03}():\n{_body(ground, each)}" for each in range(ground.tests))


def methods(ground: Ground) -> str:
    """Return a file of tests, each a method."""
    head = _head(ground) + "\nimport unittest\n\n\nclass TestAttention(unittest.TestCase):"
    bodies = [_body(ground, each).replace("    ", "        ") for each in range(ground.tests)]
    return head + "".join(f"\n    def test_{each:03}(self):\n{body}" for each, body in enumerate(bodies))


def _head(ground: Ground) -> str:
    return ground.flavour.head + _HEAD


def _body(ground: Ground, number: int) -> str:
    return _BODY.format(number=number, inputs=ground.flavour.inputs, close=ground.flavour.close)


def write_suite(home: Path, ground: Ground, text: str) -> Path:
    """Write a suite with the right answers beside it, compiled; return the file of tests."""
    (home / "right.py").write_text(ground.right, encoding="utf-8")
    suite = home / "test_attention.py"
    suite.write_text(text, encoding="utf-8")
    compileall.compile_dir(home, quiet=2)
    return suite


class Bodies:
    """No grader: student code and the bodies of tests, in this very process. What anybody takes beyond this is their own."""

    name = "student code and tests"
    cores = 1
    share = 1.0

    def lacking(self, flavour: Flavour) -> str | None:
        return None

    @contextmanager
    def open(self, ground: Ground) -> Iterator[Grade]:
        suite = compile(functions(ground), "test_attention.py", "exec")
        right = _module("right", ground.right)
        for package in ground.flavour.packages:  # for good: what is imported below goes again
            importlib.import_module(package)

        def grade(folders: Sequence[Path]) -> None:
            for folder in folders:
                student = _module("attention", (folder / FILE).read_text("utf-8"))
                with mock.patch.dict(sys.modules, {"attention": student, "right": right}):
                    names: dict[str, object] = {}
                    exec(suite, names)  # noqa: S102  # what is measured is student code that runs
                for name in [name for name in names if name.startswith("test_")]:
                    names[name]()

        yield grade


def _module(name: str, source: str) -> ModuleType:
    made = ModuleType(name)
    exec(source, vars(made))  # noqa: S102  # likewise
    return made
