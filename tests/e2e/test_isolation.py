"""At the full level a submission can read nothing of the course, of another student or of the network."""

from __future__ import annotations

import json
import shutil
import socket
from pathlib import Path

import pytest

from grader.sandbox.base import Level
from grader.sandbox.registry import BACKENDS
from tests.conftest import ROOT
from tests.e2e.hostile import hand_in, replacing

pytestmark = pytest.mark.skipif(
    Level.FULL not in BACKENDS or BACKENDS[Level.FULL].unavailable() is not None,
    reason="this machine cannot give the full level",
)
SENTENCE = "a sentence that stands nowhere else"


@pytest.fixture
def own_course(tmp_path: Path) -> Path:
    """A copy of the course with a token in a hidden test, in the reference, and beside the submissions."""
    copy = tmp_path / "course"
    for part in ("assignments/attention", "reference", "student_template"):
        shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("sample_class", "__pycache__"))
    for path in (copy / "assignments/attention/hidden/test_softmax.py", copy / "reference/attention.py"):
        path.write_text(path.read_text("utf-8") + f"\n# {SENTENCE}\n", encoding="utf-8")
    hand_in(tmp_path / "class", "bob", f"# {SENTENCE}\n")
    return copy


def printed(grade, course: Path, tmp_path: Path, probe: str) -> str:
    """What a submission prints that runs `probe` when its attention_backward is called."""
    hand_in(tmp_path / "class", "ann", replacing("attention_backward", probe))
    ran = grade(tmp_path / "class", "-a", "attention", "--student", "ann", "--out", tmp_path / "out", cwd=course)
    assert ran.returncode == 0, ran.stderr
    assignment = json.loads((tmp_path / "out" / "ann" / "report.json").read_text("utf-8"))["assignments"][0]
    assert assignment["isolation"]["level"] == "full"
    text = assignment["output"]["text"]
    assert "probed" in text, text
    return text


def reading(*paths: Path) -> str:
    return f"""
for path in {[str(path) for path in paths]!r}:
    try:
        print("probed", path, open(path).read())
    except OSError as error:
        print("probed", type(error).__name__)
"""


def test_the_hidden_tests_cannot_be_read(grade, own_course: Path, tmp_path: Path) -> None:
    hidden = own_course / "assignments/attention/hidden/test_softmax.py"
    assert SENTENCE not in printed(
        grade, own_course, tmp_path, reading(hidden, own_course / "assignments/attention/assignment.toml")
    )


def test_the_reference_cannot_be_read(grade, own_course: Path, tmp_path: Path) -> None:
    assert SENTENCE not in printed(grade, own_course, tmp_path, reading(own_course / "reference/attention.py"))


def test_another_submission_cannot_be_read(grade, own_course: Path, tmp_path: Path) -> None:
    assert SENTENCE not in printed(grade, own_course, tmp_path, reading(tmp_path / "class/bob/attention.py"))


def test_a_walk_over_everything_finds_no_file_of_the_course(grade, own_course: Path, tmp_path: Path) -> None:
    walk = """
import os
print("probed")
for folder, folders, files in os.walk("/"):
    for name in files:
        if name.endswith((".py", ".toml", ".lock", ".json", ".key")) and ("test_softmax" in name or "assignment" in name or "misconceptions" in name):
            print("found", folder, name)
"""
    assert "found" not in printed(grade, own_course, tmp_path, walk)


def test_the_grader_itself_cannot_be_imported(grade, own_course: Path, tmp_path: Path) -> None:
    probe = """
for name in ("grader.judge", "grader.testing", "grader.model", "reference", "reference.attention", "pytest", "pydantic", "click"):
    try:
        __import__(name)
        print("found", name)
    except ImportError:
        print("probed")
"""
    assert "found" not in printed(grade, own_course, tmp_path, probe)


def test_the_network_cannot_be_reached(grade, own_course: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.1)
        probe = f"""
import socket
try:
    socket.create_connection(("127.0.0.1", {server.getsockname()[1]}), timeout=1).sendall(b"hello")
    print("found")
except OSError as error:
    print("probed", type(error).__name__)
"""
        assert "found" not in printed(grade, own_course, tmp_path, probe)
        with pytest.raises(TimeoutError):
            server.accept()


def test_the_environment_and_the_other_processes_cannot_be_seen(
    grade, own_course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLANTED", SENTENCE)
    probe = """
import os
print("probed", dict(os.environ))
for pid in range(1, 5000):
    for name in ("environ", "cmdline", "maps"):
        try:
            print("found", open(f"/proc/{pid}/{name}", "rb").read())
        except OSError:
            pass
"""
    text = printed(grade, own_course, tmp_path, probe)
    assert SENTENCE not in text
    assert "found" not in text
