"""Every input that is kept is read as it should be, and a few seconds of new ones find nothing."""

import pytest

from tests.fuzz.engine import fuzz, kept
from tests.fuzz.targets import TARGETS

KEPT = [(name, path) for name in TARGETS for path in kept(name)]


@pytest.mark.parametrize(("name", "path"), KEPT, ids=[f"{name}-{path.name}" for name, path in KEPT])
def test_a_kept_input_ends_as_it_should(name, path):
    assert TARGETS[name].check(path)


@pytest.mark.parametrize("name", TARGETS)
def test_a_few_seconds_find_nothing(name, tmp_path):
    tally = fuzz(TARGETS[name], kept(name), 2, tmp_path, seed=20)
    assert not tally.findings
    assert len(tally.outcomes) > 1, "inputs that are refused, and some that are not"


def test_the_corpus_stays_small():
    assert KEPT
    assert max(path.stat().st_size for _, path in KEPT) < 20_000
