from __future__ import annotations

from itertools import pairwise

import pytest

from grader.model.errors import SandboxUnavailableError
from grader.sandbox import registry
from grader.sandbox.base import Level, Profile, Sandbox


class Pretended:
    def __init__(self, level: Level, reason: str | None) -> None:
        self.level = level
        self._reason = reason

    def unavailable(self) -> str | None:
        return self._reason

    def open(self, profile: Profile) -> Sandbox:
        raise NotImplementedError


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch) -> None:
    full = Pretended(Level.FULL, "namespaces are refused: sudo sysctl -w x=1")
    monkeypatch.setattr(registry, "BACKENDS", {Level.FULL: full, Level.NONE: Pretended(Level.NONE, None)})


def test_the_registry_lists_backends_strongest_first_under_their_own_level() -> None:
    assert [backend.level for backend in registry.BACKENDS.values()] == list(registry.BACKENDS)
    assert all(one.reaches(other) for one, other in pairwise(registry.BACKENDS))


def test_the_strongest_that_can_be_had_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    ladder = {level: Pretended(level, None) for level in (Level.FULL, Level.NONE)}
    monkeypatch.setattr(registry, "BACKENDS", ladder)
    assert registry.best(Level.NONE).level is Level.FULL


@pytest.mark.usefixtures("refused")
def test_where_the_strongest_is_refused_the_next_that_suffices_is_taken() -> None:
    assert registry.best(Level.NONE).level is Level.NONE


@pytest.mark.usefixtures("refused")
@pytest.mark.parametrize("minimum", [Level.FULL, Level.CONTAINER, Level.WEAK])
def test_where_none_suffices_the_reason_and_remedy_are_told(minimum: Level) -> None:
    with pytest.raises(SandboxUnavailableError, match="namespaces are refused: sudo sysctl -w x=1") as caught:
        registry.best(minimum)
    assert f"of level {minimum}" in caught.value.message
    assert caught.value.exit_code == 4


def test_levels_are_ordered() -> None:
    assert Level.FULL.reaches(Level.CONTAINER)
    assert Level.CONTAINER.reaches(Level.CONTAINER)
    assert not Level.NONE.reaches(Level.WEAK)
