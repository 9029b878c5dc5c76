"""GitHub Classroom: user names behind dashes, and the time of a commit that no clone's settings can spoil."""

from __future__ import annotations

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from grader.intake.sources.commit import committed
from tests.intake.sources.downloads import A

WHEN = datetime(2026, 2, 3, 10, 11, 12, tzinfo=UTC)


def git(clone: Path, *words: str) -> None:
    author = {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    dates = {"GIT_AUTHOR_DATE": WHEN.isoformat(), "GIT_COMMITTER_DATE": WHEN.isoformat()}
    env = {**os.environ, **author, **dates, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", *words], cwd=clone, env=env, check=True, capture_output=True)


def commit(clone: Path) -> Path:
    clone.mkdir(parents=True, exist_ok=True)
    (clone / "attention.py").write_bytes(A)
    git(clone, "init", "-q", "-b", "main")
    git(clone, "add", ".")
    git(clone, "commit", "-qm", "done")
    return clone


@pytest.fixture(scope="module")
def shelf(tmp_path_factory) -> Path:
    shelf = tmp_path_factory.mktemp("clones") / "hw-1-submissions"
    commit(shelf / "hw-1-ada-b")
    commit(shelf / "hw-1-bo")
    (shelf / "hw-1-cy").mkdir()
    return shelf


def test_the_time_is_that_of_the_commit_that_is_checked_out(shelf, collected):
    found = collected(shelf).by_id
    assert found["ada-b"].origin.submitted == WHEN
    assert found["ada-b"].files == {"attention.py": A}
    assert found["cy"].origin.submitted is None


def test_a_user_name_may_hold_dashes_and_so_may_the_assignment(shelf, collected, lay):
    assert collected(shelf).by_id["ada-b"].origin.who[0]["github"] == ("ada-b", "1-ada-b")
    shared = {f"lab-ada-{user}/{name}": A for user in ("x", "y") for name in ("attention.py", ".git/HEAD")}
    found = collected(lay(shared, "folder")).by_id["x"]
    assert found.origin.who[0]["github"] == ("x", "ada-x")


def test_packed_branches_and_a_commit_of_its_own_are_found(tmp_path):
    clone = commit(tmp_path / "a")
    git(clone, "gc", "-q")
    assert committed(clone) == WHEN
    git(clone, "checkout", "-q", "--detach")
    assert committed(clone) == WHEN


def test_nothing_that_a_clone_is_set_to_run_is_run(tmp_path):
    clone = commit(tmp_path / "a")
    ran = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {ran}\n")
    program.chmod(0o755)
    parts = (("core", "fsmonitor"), ("core", "pager"), ("gpg", "program"), ("core", "sshCommand"))
    settings = "".join(f"[{part}]\n\t{key} = {program}\n" for part, key in parts)
    (clone / ".git" / "config").write_text(
        f"{settings}[log]\n\tshowSignature = true\n[core]\n\thooksPath = {tmp_path}\n"
    )
    assert committed(clone) == WHEN
    assert not ran.exists()


@pytest.mark.parametrize(
    "head",
    ["ref: refs/heads/../../../../etc/passwd", "ref: refs/heads/none", "--help", "", "0" * 40, "ref: /etc/passwd"],
)
def test_a_clone_that_tells_no_time_has_none(tmp_path, head):
    clone = commit(tmp_path / "a")
    (clone / ".git" / "HEAD").write_text(head)
    assert committed(clone) is None


def test_a_link_in_the_place_of_the_repository_is_not_followed(tmp_path):
    clone = commit(tmp_path / "a")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / ".git").symlink_to(clone / ".git")
    assert committed(tmp_path / "b") is None


def test_without_git_there_is_no_time(shelf, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert committed(shelf / "hw-1-ada-b") is None
