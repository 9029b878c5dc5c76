"""What Jupyter alone understands does nothing in a module, and what does more than define is known."""

from __future__ import annotations

import ast
import time

import pytest

from grader.intake.notebook.plain import Plain, defined, defines, lines_of, plain_texts


def plain(source: str) -> Plain:
    [found] = plain_texts([source])
    return found


def test_python_stays_as_it_is():
    found = plain("import numpy as np\n\ndef f(x):\n    return x % 2\n")
    assert (found.magics, found.error, len(found.body)) == ((), None, 2)


@pytest.mark.parametrize(
    "line", ["%matplotlib inline", "!pip install numpy", "files = !ls", "t = %timeit -o f()", "f?", "?f", "np.dot??"]
)
def test_a_line_for_jupyter_does_nothing(line):
    found = plain(f"import numpy as np\n{line}\nx = 1")
    assert (found.error, found.magics) == (None, (2,))
    assert found.lines == ("import numpy as np", f"pass  # {line}", "x = 1")


def test_such_a_line_in_a_block_keeps_the_block_whole():
    found = plain("def f():\n    !ls\n    return 1")
    assert found.lines[1] == "    pass  # !ls"
    assert [type(each) for each in found.body] == [ast.FunctionDef]


def test_a_line_of_a_text_or_of_a_longer_expression_is_no_magic():
    for source in ('x = """\n%matplotlib\n!ls\n"""', "x = (7\n% 2)"):
        assert (plain(source).magics, plain(source).error) == ((), None)


def test_a_cell_that_is_timed_is_python_and_one_for_a_shell_is_none():
    assert len(plain("%%time\nx = 1").body) == 1
    shell = plain("%%bash\nls")
    assert (shell.body, shell.magics, shell.error) == ((), (1, 2), None)


def test_a_cell_that_writes_a_file_says_which():
    found = plain("%%writefile attention.py\ndef f(): pass")
    assert (found.writes, len(found.body), found.magics) == ("attention.py", 1, ())


@pytest.mark.parametrize(
    ("source", "line"), [("x = 1\ndef f(:\n    pass", 2), ("x = '", 1), ("if x:\ny = 1", 2), ("a\0b", 1)]
)
def test_an_error_has_its_line_in_the_cell(source, line):
    found = plain(source)
    assert found.body == ()
    assert found.error is not None
    assert found.error[0] == line


@pytest.mark.parametrize(
    "source", ["-" * 200_000 + "1", "x" + ".a" * 200_000, "(" * 100_000, "!ls\n" * 100_000, "%x\n" * 30 + "y" * 500_000]
)
def test_no_cell_takes_long_or_ends_more_than_itself(source):
    began = time.process_time()
    assert plain(source).error is not None
    assert time.process_time() - began < 3


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np",
        "from x import *",
        "def f(): pass",
        "@a\nasync def f(): pass",
        "class A: pass",
        "EPS = 1e-9",
        "A, B = 1, -2",
        "N: int = 3",
        "N: int",
        "SIZES = {'a': [1, 2], 'b': (3,)}",
        "NEG = -np.inf",
        "NEG = float('-inf')",
        "f = lambda x: train(x)",
        "g = f",
        "'a text'",
        "try:\n    import torch\nexcept ImportError:\n    torch = None",
        "if True:\n    def f(): pass",
    ],
)
def test_what_only_defines_is_taken(source):
    assert defines(ast.parse(source).body[0])


@pytest.mark.parametrize(
    "source",
    [
        "print(f(1))",
        "x = f(1)",
        "x = np.random.randn(3)",
        "x = [i for i in range(10)]",
        "a.b = 1",
        "x[0] = 1",
        "x += 1",
        "for i in y: pass",
        "while True: pass",
        "assert f(1)",
        "with open('x') as g: pass",
        "if __name__ == '__main__':\n    main()",
        "if f(): x = 1",
        "try:\n    f()\nexcept E: pass",
        "x = (y := 1)",
        "x = await f()",
        "del x",
    ],
)
def test_what_does_more_is_not(source):
    assert not defines(ast.parse(source).body[0])


def test_a_function_has_the_lines_of_its_decorators_too():
    [function] = ast.parse("@a\n@b\ndef f():\n    pass").body
    assert list(lines_of(function)) == [1, 2, 3, 4]


def test_a_function_may_be_a_lambda():
    assert list(defined(ast.parse("f = lambda: 1\nclass A: pass\ndef g(): pass\nx = 1").body)) == ["f", "A", "g"]
