from types import SimpleNamespace

import pytest

from grader.judge.naming import diagnosing, name_mistakes
from grader.judge.single import Heard
from grader.model.verdict import Status, Tier
from tests.judge import toy as t

TOO_LARGE = """
@misconception("toy.blend/too-large", **words("too-large"), name="blend")
def blend_too_large(ref, w, v):
    if len(w) > 2:
        raise MemoryError("all at once")
    return ref.normalise(w) @ v
"""
GREEDY = t.RIGHT.replace(
    "a = normalise(w)", "a = normalise(w)\n    if a.shape[0] == 3:\n        raise type('Mine', (MemoryError,), {})()"
)


def named(toy, source, *statuses):
    """What is named in `blend` where its tests ended so."""
    calls = t.record(toy.hand_in(source), t.REQUESTS["toy.blend"])
    single = SimpleNamespace(
        evidence={
            n: SimpleNamespace(exercise="toy.blend", status=status, tier=Tier.CORE, carried=None)
            for n, status in enumerate(statuses)
        },
        heard={"toy.blend": [Heard(True, Tier.CORE, recorded) for recorded in calls]},
    )
    assignment = SimpleNamespace(manifest=toy.manifest, misconceptions=toy.folder / "misconceptions.py")
    found = name_mistakes(toy.manifest, lambda: diagnosing(assignment, toy.sources), single)
    return [name for each in found for name in each.misconceptions]


@pytest.fixture
def toy(tmp_path):
    return t.make_toy(tmp_path, t.MISCONCEPTIONS + TOO_LARGE)


@pytest.mark.parametrize("statuses", [[Status.FAILED, Status.PASSED], [Status.FAILED, Status.MEMORY]])
def test_a_failed_test_has_its_mistake_named(toy, statuses):
    assert named(toy, t.TRANSPOSED, *statuses) == ["toy.blend/transposed"]


def test_so_has_one_that_only_ran_out_of_memory(toy):
    assert named(toy, GREEDY, Status.MEMORY, Status.PASSED) == ["toy.blend/too-large"]


@pytest.mark.parametrize(
    "statuses", [[Status.PASSED], [Status.TIMEOUT, Status.PASSED], [Status.FAILED, Status.NOT_IMPLEMENTED]]
)
def test_nothing_is_named_where_nothing_failed_or_something_is_still_to_do(toy, statuses):
    assert named(toy, t.TRANSPOSED, *statuses) == []
