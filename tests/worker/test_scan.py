from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.wire.messages import MAX_FLAGS, Flag
from grader.worker.scan import scan

SDPA = "torch.nn.functional.scaled_dot_product_attention"
FORBIDDEN = (SDPA, "torch.nn.MultiheadAttention", "scipy.special.softmax", "numpy.linalg.svd")


def names(text):
    """Return (line, name) of each flag."""
    return [(flag.line, flag.name) for flag in scan({"a.py": text}, FORBIDDEN)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import torch.nn.functional as F\ny = F.scaled_dot_product_attention(q, k, v)", [(2, SDPA)]),
        ("import torch\ny = torch.nn.functional.scaled_dot_product_attention(q, k, v)", [(2, SDPA)]),
        ("from torch import nn\ny = nn.functional.scaled_dot_product_attention", [(2, SDPA)]),
        ("from torch.nn import functional as F\nsdpa = F.scaled_dot_product_attention", [(2, SDPA)]),
        ("from torch.nn.functional import scaled_dot_product_attention", [(1, SDPA)]),
        ("from torch.nn.functional import scaled_dot_product_attention as a\na(q)", [(1, SDPA), (2, SDPA)]),
        ("from torch.nn.functional import *", [(1, SDPA)]),
        ("from torch import nn\nclass A(nn.MultiheadAttention): pass", [(2, "torch.nn.MultiheadAttention")]),
        ("import torch.nn as nn\ny = nn.MultiheadAttention.forward", [(2, "torch.nn.MultiheadAttention")]),
        ("import numpy as np\ndef f(x):\n  return (\n    np.linalg\n    .svd(x))", [(4, "numpy.linalg.svd")]),
        ("def f():\n  import numpy.linalg as la\n  return la.svd", [(3, "numpy.linalg.svd")]),
        ("y = getattr(F, 'scaled_dot_product_attention')", [(1, SDPA)]),
        ("y = getattr(F, name)", [(1, "getattr")]),
        ("y = getattr(F, 'scaled' + '_dot')", [(1, "getattr")]),
        ("import ctypes", [(1, "ctypes")]),
        ("import ctypes.util as u", [(1, "ctypes")]),
        ("from ctypes import CDLL\nCDLL(None)", [(1, "ctypes"), (2, "ctypes")]),
        ("import gc", [(1, "gc")]),
        ("import importlib", [(1, "importlib")]),
        ("from importlib import import_module", [(1, "importlib")]),
        ("__import__('os')", [(1, "__import__")]),
        ("exec('x = 1'); eval('x')", [(1, "eval"), (1, "exec")]),
        ("import builtins\nbuiltins.exec('x')", [(2, "builtins.exec")]),
        ("import sys\nsys._getframe(1)", [(2, "sys._getframe")]),
        ("from sys import _getframe as g", [(1, "sys._getframe")]),
        ("import inspect\ninspect.stack()", [(2, "inspect.stack")]),
    ],
)
def test_what_is_written_plainly_is_found(text, found):
    assert names(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "import numpy as np\ndef softmax(x):\n    return np.exp(x)\n",
        "def softmax(x): return x\nsoftmax(1)",
        "from helper import softmax\nsoftmax(1)",
        "model.eval()",
        "gc = 1\ngc += 1",
        "inspect.stack()",
        "svd = 1",
        "x.svd()",
        "y = getattr(x, 'shape')",
        "y = getattr(x, 'shape', None)",
        "'''Unlike scaled_dot_product_attention, this is by hand.'''",
        "# exec(ctypes)",
        "from . import gc",
        "import sys\nsys.float_info",
    ],
)
def test_honest_code_has_no_flag(text):
    assert names(text) == []


@pytest.mark.parametrize(
    "text", ["def f(:", "x = '", "\0", "(" * 5000, "if 1:\nx", "x = " + "-" * 200_000 + "1", "'\\d'"]
)
def test_what_is_no_python_has_no_flags_and_no_error(text):
    assert names(text) == []


def test_flags_are_sorted_by_file_and_line_and_are_not_repeated():
    files = {"b.py": "import gc; import gc", "a.py": "x = 1\nimport gc\neval('1')"}
    assert scan(files, ()) == [Flag("a.py", 2, "gc"), Flag("a.py", 3, "eval"), Flag("b.py", 1, "gc")]


def test_there_are_no_more_flags_than_a_message_holds():
    assert len(scan({"a.py": "import gc\n" * 1000}, ())) == MAX_FLAGS


@given(st.text(alphabet="abF.()=,'\n import from*asgc"))
def test_no_text_makes_the_scan_fail(text):
    for flag in scan({"a.py": text}, FORBIDDEN):
        assert flag.line >= 1


def test_the_scan_is_made_before_anything_runs(judge):
    loaded = judge.load(student="import gc\nraise SystemExit", latin=b"x = '\xe9'", broken="def")
    assert loaded.flags == [Flag("student.py", 1, "gc")]


def test_a_long_module_with_many_names_takes_no_more_than_its_length() -> None:
    text = (
        "if 0:\n    from " + "m" * 100_000 + " import " + ",".join(f"a{n}" for n in range(20_000)) + "\nimport ctypes\n"
    )
    tracemalloc.start()
    found = scan({"student.py": text}, [])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [flag.name for flag in found] == ["ctypes"]
    assert peak < 64 << 20


def test_a_text_that_takes_more_than_there_is_has_no_flags(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> list[str]:
        raise MemoryError

    monkeypatch.setattr("grader.worker.scan._named", refuse)
    assert scan({"student.py": "import ctypes"}, []) == []
