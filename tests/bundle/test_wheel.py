from __future__ import annotations

import base64
import csv
import io
import zipfile
from hashlib import sha256

import pytest

from grader.bundle.wheel import own_wheel
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def wheel() -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(own_wheel().content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_wheel_is_the_grader_that_runs(wheel: dict[str, bytes]) -> None:
    package = {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for path in (ROOT / "grader").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert package == {name: content for name, content in wheel.items() if name.startswith("grader/")}
    assert "grader/bundle/templates/gradescope/run_autograder" in package


def test_its_record_is_true(wheel: dict[str, bytes]) -> None:
    [record] = [name for name in wheel if name.endswith("/RECORD")]
    rows = {name: digest for name, digest, _ in csv.reader(io.StringIO(wheel[record].decode()))}
    assert rows.pop(record) == ""
    assert rows == {
        name: f"sha256={base64.urlsafe_b64encode(sha256(content).digest()).decode().rstrip('=')}"
        for name, content in wheel.items()
        if name != record
    }


def test_the_wheel_needs_what_the_project_needs(wheel: dict[str, bytes]) -> None:
    [metadata] = [content.decode() for name, content in wheel.items() if name.endswith("/METADATA")]
    needs = [line for line in metadata.splitlines() if line.startswith("Requires-Dist: ")]
    assert any("numpy>=" in each for each in needs)
    assert not [each for each in needs if "torch" in each or "extra" in each]
