from __future__ import annotations

import io
import subprocess
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.bundle.make import make_bundle
from grader.bundle.registry import SERVICES
from grader.cli.bundle import command
from grader.course.locate import load_assignments
from grader.kit.make import make_kit
from grader.model.errors import CourseError, UsageError
from tests.bundle.conftest import KEY, Bundle
from tests.conftest import ROOT

NOT_FOR_STUDENTS = (
    "/hidden/",
    "reference/",
    "misconceptions",
    "tests.lock",
    ".seed-key",
    "right_answers",
    "equivalents",
)


def everything(folder: Path) -> Iterator[tuple[str, bytes, int]]:
    """Yield name, content and mode of all files of a bundle, those in its archives too."""
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        name, content = path.relative_to(folder).as_posix(), path.read_bytes()
        yield name, content, path.stat().st_mode & 0o777
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                for entry in archive.infolist():
                    yield f"{name}/{entry.filename}", archive.read(entry), entry.external_attr >> 16 & 0o777
        if path.suffix == ".tar":
            with tarfile.open(fileobj=io.BytesIO(content)) as archive:
                for member in archive:
                    file = archive.extractfile(member)
                    yield f"{name}/{member.name}", file.read() if file else b"", member.mode


def test_the_command_knows_every_service() -> None:
    [service] = [each for each in command.params if each.name == "service"]
    assert list(service.type.choices) == list(SERVICES)


@pytest.mark.parametrize("service", [name for name in SERVICES if name != "github"])
def test_a_bundle_can_grade_and_no_more(bundle: Bundle, service: str) -> None:
    files = {name: (content, mode) for name, content, mode in everything(bundle(service))}
    assert any(name.endswith("assignments/masking/hidden/test_causal.py") for name in files)
    assert any(name.endswith("reference/masking.py") for name in files)
    course = [name.rpartition("course/")[2] for name in files if "/course/" in f"/{name}"]
    assert not [name for name in course if "attention" in name or "sample_class" in name or "right_answers" in name]
    [key] = [name for name in files if name.endswith(".seed-key")]
    content, mode = files[key]
    assert mode == 0o600
    assert content.strip() not in (KEY, KEY.hex().encode())
    assert "README.md" in files
    assert all(mode == 0o600 for name, (_, mode) in files.items() if name.endswith((".zip", ".tar")))


def test_what_students_can_read_holds_nothing_secret(bundle: Bundle) -> None:
    secret = [path.read_bytes() for path in (ROOT / "assignments/masking/hidden").glob("*.py")]
    secret.append((ROOT / "reference/masking.py").read_bytes())
    for name, content, _ in everything(bundle("github")):
        assert not [part for part in NOT_FOR_STUDENTS if part in f"/{name}"], name
        assert content not in secret, name


def test_a_bundle_for_students_asks_for_no_key(tmp_path: Path) -> None:
    def refuse() -> bytes:
        raise AssertionError

    make_bundle("github", load_assignments(ROOT, ["masking"]), tmp_path / "new", course_key=refuse)
    with pytest.raises(AssertionError):
        make_bundle("docker", load_assignments(ROOT, ["masking"]), tmp_path / "other", course_key=refuse)


def test_the_same_course_gives_the_same_bundle(bundle: Bundle, tmp_path: Path) -> None:
    first = list(everything(bundle("gradescope")))
    make_bundle("gradescope", load_assignments(ROOT, ["masking"]), tmp_path / "again", course_key=lambda: KEY)
    assert first == list(everything(tmp_path / "again"))


def test_no_word_is_left_to_fill_in(bundle: Bundle) -> None:
    for service in SERVICES:
        for name, content, _ in everything(bundle(service)):
            if not name.endswith((".zip", ".tar", ".whl")):
                assert not [word for word in (b"@CHOSEN@", b"@WHEEL@", b"@PIP_OPTIONS@") if word in content], name


def test_a_folder_with_something_in_it_is_refused(bundle: Bundle) -> None:
    bundle("docker")
    with pytest.raises(UsageError, match="not empty"):
        bundle("docker")


def test_a_kit_makes_no_bundle(tmp_path: Path) -> None:
    make_kit(tmp_path / "kit", load_assignments(ROOT, ["masking"]))
    with pytest.raises(CourseError, match="no hidden tests"):
        make_bundle("docker", load_assignments(tmp_path / "kit", []), tmp_path / "new", course_key=lambda: KEY)


def test_options_that_a_shell_would_take_for_its_own_are_refused(bundle: Bundle) -> None:
    with pytest.raises(UsageError, match="--pip-options"):
        bundle("docker", pip_options='"; rm -rf /; "')
    assert "--pre --index-url a/b" in (bundle("docker", pip_options="--pre --index-url a/b") / "Dockerfile").read_text()


def test_where_nobody_says_whose_a_hand_in_is_there_is_no_worksheet(bundle: Bundle) -> None:
    with pytest.raises(UsageError, match="shapes has a worksheet"):
        bundle("autolab", "shapes")


@pytest.mark.parametrize("service", SERVICES)
def test_every_program_can_be_run_and_is_read_whole_before_it_runs(bundle: Bundle, service: str) -> None:
    for name, content, mode in everything(bundle(service)):
        if content.startswith(b"#!/usr/bin/env bash") and not name.endswith("setup.sh"):
            assert mode == 0o755, name
            assert content.endswith(b'\nmain "$@"; exit\n'), name
            subprocess.run(["bash", "-n"], input=content, check=True)
