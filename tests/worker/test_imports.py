from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    "statement",
    [
        "import math",
        "import os.path",
        "import collections.abc as c",
        "from concurrent.futures import ThreadPoolExecutor",
        "import numpy as np",
        "import numpy.linalg",
        "from numpy.random import default_rng",
        "from helper import ONE",
        "import helper",
    ],
)
def test_the_standard_library_what_is_allowed_and_its_own_files_can_be_imported(judge, statement):
    judge.load(student=f"{statement}\ndef f():\n    {statement}\n    return True", helper="ONE = 1")
    assert judge.returned("student.f") is True


@pytest.mark.parametrize(
    "statement",
    [
        "import pytest",
        "import _pytest.config",
        "from hypothesis import given",
        "import grader",
        "from grader.wire import codec",
        "import reference.attention",
        "import no_such_package",
    ],
)
def test_anything_else_is_blocked_with_a_remedy_and_a_line(judge, statement):
    judge.load(student=f"import math\n{statement}\n")
    failure = judge.import_failure("student")
    assert failure.types[:2] == ["ForbiddenImport", "ModuleNotFoundError"]
    assert {"ImportError", "Blocked"} <= set(failure.types)
    assert (
        "cannot be imported here: remove the import, and use only the standard library, numpy and the files you hand in"
        in failure.message
    )
    assert (failure.file, failure.line) == ("student.py", 2)


def test_a_module_of_the_assignment_that_was_not_handed_in_is_named(judge):
    judge.load(student="from masking import causal_mask", modules=("masking",))
    failure = judge.import_failure("student")
    assert (
        failure.message
        == "masking.py was not handed in, so it cannot be imported: hand it in too, or remove the import"
    )


def test_an_import_inside_a_function_is_held_to_the_same_rule(submission):
    judge = submission("def f():\n    import pytest\n")
    failure = judge.failure("student.f")
    assert failure.phase == "call"
    assert (failure.types[0], failure.line) == ("ForbiddenImport", 2)


def test_code_that_can_do_without_a_module_goes_on(submission):
    judge = submission("try:\n    import pytest\nexcept ImportError:\n    pytest = None\ndef f(): return pytest")
    assert judge.returned("student.f") is None


def test_packages_import_what_they_need_themselves(judge):
    # numpy.testing imports much, unittest and more; a package's own optional imports are none of the rule's business.
    judge.load(student="import numpy.testing\nimport numpy.f2py\ndef f(): return True")
    assert judge.returned("student.f") is True


def test_without_allowed_packages_the_remedy_names_none(judge):
    judge.load(student="import numpy", allowed=())
    assert "use only the standard library and the files you hand in" in judge.import_failure("student").message


def test_a_relative_import_is_explained_by_python(judge):
    judge.load(student="from .helper import x", helper="x = 1")
    failure = judge.import_failure("student")
    assert failure.types[0] == "ImportError"
    assert "relative import" in failure.message
