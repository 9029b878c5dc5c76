"""What the course gives to every submission tells the same in every process."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

from tests.conftest import ROOT

torch = pytest.importorskip("torch")
DROPPED = ROOT / "assignments" / "layers" / "materials" / "dropped.py"


@pytest.fixture(scope="module")
def dropped() -> Any:
    spec = importlib.util.spec_from_file_location("dropped_of_layers", DROPPED)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def as_it_was() -> Any:
    """Leave the process's generator to the tests that follow."""
    with torch.random.fork_rng(devices=[]):
        yield


def test_what_dropout_shows_does_not_depend_on_what_was_drawn_before(dropped: Any) -> None:
    told = []
    for seed in range(40):
        torch.manual_seed(seed)
        # Few rows, so that chance would show.
        told.append(dropped.dropout_shows(torch.nn.Dropout(0.5), torch.ones(3, 4), 2))
    assert all(each == told[0] for each in told)


def test_what_is_drawn_afterwards_does_not_depend_on_it_either(dropped: Any) -> None:
    torch.manual_seed(3)
    expected = torch.rand(4).tolist()
    torch.manual_seed(3)
    dropped.dropout_shows(torch.nn.Dropout(0.5), torch.ones(3, 4), 2)
    assert torch.rand(4).tolist() == expected
