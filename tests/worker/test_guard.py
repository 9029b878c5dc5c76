from __future__ import annotations

import sys
import types

import numpy as np
import pytest

from grader.wire.messages import Failed, Import, Loaded
from grader.worker import guard
from grader.worker.errors import Blocked
from grader.worker.guard import Guard

SVD = "numpy.linalg.svd"


def test_a_forbidden_function_blocks_when_it_is_called(submission):
    judge = submission("import numpy as np\ndef f(x):\n    return np.linalg.svd(x)\n", forbidden=(SVD,))
    failure = judge.failure("student.f", np.eye(2))
    assert failure.types == ["Blocked", "BaseException"]
    assert failure.message == "numpy.linalg.svd is the ready-made answer to this assignment: write that part yourself"
    assert (failure.file, failure.line) == ("student.py", 3)


@pytest.mark.parametrize(
    "body",
    [
        "try:\n        np.linalg.svd(x)\n    except Exception:\n        pass\n    return 1",
        "try:\n        np.linalg.svd(x)\n    except:\n        return 1",
        "try:\n        np.linalg.svd(x)\n    except BaseException:\n        raise ValueError('mine')",
        "try:\n        np.linalg.svd(x)\n    finally:\n        return 1",
        "from numpy.linalg import svd\n    try:\n        svd(x)\n    except BaseException:\n        return 1",
        "try:\n        getattr(np.linalg, 's' + 'vd')(x)\n    except BaseException:\n        return 1",
    ],
)
def test_a_call_that_is_blocked_stays_so_whatever_is_done_with_the_error(submission, body):
    judge = submission(f"import numpy as np\ndef f(x):\n    {body}\ndef honest(): return 1\n", forbidden=(SVD,))
    failure = judge.failure("student.f", np.eye(2))
    assert failure.types[0] == "Blocked"
    assert failure.file == "student.py"
    assert judge.returned("student.honest") == 1


def test_a_call_at_import_is_blocked(judge):
    judge.load(
        student="import numpy as np\ntry:\n    np.linalg.svd(np.eye(2))\nexcept BaseException:\n    pass\n",
        forbidden=(SVD,),
    )
    for _ in range(2):
        failure = judge.import_failure("student")
        assert (failure.types[0], failure.line) == ("Blocked", 3)
    failure = judge.failure("student.f")
    assert (failure.types[0], failure.phase) == ("Blocked", "import")


def test_to_name_a_forbidden_function_without_calling_it_is_no_crime(submission):
    judge = submission("from numpy.linalg import svd\ndef f(): return callable(svd)", forbidden=(SVD,))
    assert judge.returned("student.f") is True


def test_a_forbidden_class_blocks_when_it_is_made_or_derived_from(submission):
    judge = submission(
        "import numpy as np\ndef f(): return np.poly1d([1])\ndef g():\n    class Mine(np.poly1d): pass\ndef h(): return isinstance(1, np.poly1d)\n",
        forbidden=("numpy.poly1d",),
    )
    assert judge.failure("student.f").types[0] == "Blocked"
    assert judge.failure("student.g").types[0] == "Blocked"
    assert judge.returned("student.h") is False


def test_names_that_do_not_exist_or_cannot_be_reached_are_passed_over(submission):
    judge = submission(
        "import numpy\ndef f(): return 1",
        forbidden=(
            "numpy.no_such",
            "numpy.nothing.at.all",
            "torch.nn.functional.scaled_dot_product_attention",
            "numpy",
        ),
    )
    assert judge.returned("student.f") == 1


def test_a_name_that_cannot_be_replaced_is_told_at_once(judge):
    answer = judge.load(student="", forbidden=("numpy.ndarray.dot",))
    assert isinstance(answer, Failed)
    assert answer.error.types[0] == "TypeError"


def test_everything_is_put_back(start):
    original = np.linalg.svd
    judge = start()
    assert isinstance(judge.load(student="", forbidden=(SVD,)), Loaded)
    judge.ask(Import("student"))
    assert np.linalg.svd is not original
    judge.channel.close()
    for _ in range(1000):
        if np.linalg.svd is original:
            return
        __import__("time").sleep(0.01)
    pytest.fail("numpy.linalg.svd is still replaced")


def test_a_tripwire_is_told_once():
    package = types.ModuleType("package")
    package.answer = print
    __import__("sys").modules["package"] = package
    guard = Guard(["package.answer"], ["package"])
    guard.install()
    try:
        for _ in range(2):
            with pytest.raises(Blocked):
                package.answer()
        with pytest.raises(Blocked, match=r"package\.answer"):
            guard.check()
        guard.check()
    finally:
        guard.uninstall()
        del __import__("sys").modules["package"]
    assert package.answer is print


def test_what_was_surveyed_before_is_found_under_all_of_its_names(submission, monkeypatch):
    monkeypatch.setattr(guard, "_places", {})
    monkeypatch.setattr(guard, "_surveyed", set())
    guard.survey(["numpy"])
    monkeypatch.setattr(guard, "survey", lambda packages: pytest.fail("looked again"))
    judge = submission(
        "import numpy as np\nfrom numpy.linalg import _linalg\ndef f(x): return _linalg.svd(x)\ndef g(x): return np.linalg.svd(x)\n",
        forbidden=(SVD,),
    )
    assert judge.failure("student.f", np.eye(2)).types[0] == "Blocked"
    assert judge.failure("student.g", np.eye(2)).types[0] == "Blocked"


def test_what_is_imported_only_to_forbid_it_is_looked_through_as_well(monkeypatch):
    """As scipy.special would be, which nobody imports beforehand."""
    outer, inner, late = (types.ModuleType(name) for name in ("pack", "pack.inner", "pack.late"))
    outer.__path__ = []
    inner.right = late.right = lambda: 42
    monkeypatch.setitem(sys.modules, "pack", outer)
    guard.survey(["pack"])

    def found(dotted):
        monkeypatch.setitem(sys.modules, "pack.inner", inner)
        monkeypatch.setitem(sys.modules, "pack.late", late)
        return late

    monkeypatch.setattr(guard, "_find", found)
    kept = Guard(["pack.late.right"], ["pack"])
    kept.install()
    with pytest.raises(Blocked):
        inner.right()
    kept.uninstall()
    assert inner.right() == late.right() == 42


def test_where_nothing_is_forbidden_nothing_is_looked_through(monkeypatch):
    monkeypatch.setattr(guard, "_surveyed", set())
    monkeypatch.setattr(guard, "survey", lambda packages: pytest.fail("looked"))
    Guard([], ["numpy"]).install()
