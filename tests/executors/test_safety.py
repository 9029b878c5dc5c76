"""A scheduler is spoken to with TLS, or within one machine."""

from __future__ import annotations

import pytest

from grader.executors.safety import address_of, require_safety, unsafe
from grader.model.errors import UsageError


@pytest.mark.parametrize(
    "address",
    ["tcp://127.0.0.1:8786", "tcp://localhost:8786", "tcp://[::1]:8786", "tls://10.0.0.7:8786", "tls://head:1"],
)
def test_these_are_safe(address: str) -> None:
    assert unsafe(address) == ""


@pytest.mark.parametrize(
    "address",
    [
        "tcp://10.0.0.7:8786",
        "tcp://head:8786",
        "tcp://localhost.evil.example:8786",
        "tcp://127.0.0.1.evil.example:8786",
        "tcp://127.0.0.1@evil.example:8786",
        "tcp://[fd00::1]:8786",
        "tcp://0.0.0.0:8786",
        "tcp://[::1:8786",
        "ws://127.0.0.1:8786",
        "ucx://127.0.0.1:8786",
        "127.0.0.1:8786",
        "",
    ],
)
def test_these_are_refused_with_what_to_do(address: str) -> None:
    with pytest.raises(UsageError) as told:
        require_safety(address)
    assert "tls" in told.value.hint


def test_a_scheduler_file_names_its_address(tmp_path) -> None:
    file = tmp_path / "scheduler.json"
    file.write_text('{"type": "Scheduler", "address": "tcp://127.0.0.1:8786"}')
    assert address_of(str(file)) == address_of("tcp://127.0.0.1:8786") == "tcp://127.0.0.1:8786"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (None, "needs a scheduler"),
        ("", "needs a scheduler"),
        ("nowhere.json", "no scheduler file"),
        ("tcp://127.0.0.1", "not the address"),
        ("tcp://", "not the address"),
    ],
)
def test_what_is_no_address_is_told(given: str | None, words: str) -> None:
    with pytest.raises(UsageError, match=words) as told:
        address_of(given)
    assert "tcp://127.0.0.1:8786" in told.value.hint


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"address": 3}', "\xff"])
def test_a_file_that_names_none_is_told(tmp_path, content: str) -> None:
    file = tmp_path / "scheduler.json"
    file.write_text(content, encoding="latin-1")
    with pytest.raises(UsageError, match="scheduler"):
        address_of(str(file))
