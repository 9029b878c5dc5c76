import json
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from grader.model.errors import UsageError
from grader.pipeline.key import course_key

MAKER = """
import json, pathlib, sys
from grader.pipeline.key import course_key
told = []
print("ready", flush=True)
sys.stdin.readline()
key = course_key(pathlib.Path(sys.argv[1]), told.append)
print(json.dumps([key.hex(), len(told)]))
"""


def silent(text: str) -> None:
    pytest.fail(f"announced: {text}")


def refusal(path: Path) -> UsageError:
    with pytest.raises(UsageError) as caught:
        course_key(path, silent)
    assert caught.value.where == path
    assert caught.value.hint
    return caught.value


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_a_key_is_its_owner_s_alone(tmp_path):
    before = os.umask(0)
    try:
        course_key(tmp_path / "key", lambda text: None)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600


def test_a_key_is_made_once_and_announced_once(tmp_path):
    told = []
    first = course_key(tmp_path / "key", told.append)
    assert len(first) == 32
    assert course_key(tmp_path / "key", silent) == first
    assert len(told) == 1
    assert "keep it secret and keep a copy" in told[0]
    assert first.hex() not in told[0]
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_two_keys_are_not_alike(tmp_path):
    assert course_key(tmp_path / "a", lambda text: None) != course_key(tmp_path / "b", lambda text: None)


def test_a_key_is_kept_through_spaces_and_line_ends(tmp_path):
    (tmp_path / "key").write_bytes(b"  " + b"ab" * 32 + b"\r\n")
    assert course_key(tmp_path / "key", silent) == b"\xab" * 32


def test_several_processes_that_find_no_key_agree_on_one(tmp_path):
    command = [sys.executable, "-c", MAKER, str(tmp_path / "key")]
    root = Path(__file__).parents[2]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    makers = [subprocess.Popen(command, cwd=root, **pipes) for _ in range(4)]
    try:
        for maker in makers:
            assert maker.stdout.readline() == "ready\n"
        for maker in makers:
            maker.stdin.write("\n")
            maker.stdin.flush()
        said = [json.loads(maker.communicate(timeout=60)[0]) for maker in makers]
    finally:
        for maker in makers:
            maker.kill()
            maker.communicate()
    assert {key for key, _ in said} == {(tmp_path / "key").read_text().strip()}
    assert sum(announced for _, announced in said) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_several_threads_of_one_process_agree_too(tmp_path):
    keys, told, start = [], [], threading.Barrier(8)

    def make() -> None:
        start.wait(60)
        keys.append(course_key(tmp_path / "key", told.append))

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(keys) == 8
    assert len(set(keys)) == len(told) == 1


def test_who_comes_second_by_a_hair_takes_the_first_one_s_key_without_a_word(tmp_path, monkeypatch):
    link = os.link

    def late(draft, path):
        path.write_text("ab" * 32)
        link(draft, path)

    monkeypatch.setattr(os, "link", late)
    assert course_key(tmp_path / "key", silent) == b"\xab" * 32
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_what_an_interrupted_run_left_behind_stands_in_no_one_s_way(tmp_path):
    (tmp_path / f"key.{os.getpid()}").write_text("half a k")
    assert len(course_key(tmp_path / "key", lambda text: None)) == 32


@pytest.mark.parametrize(
    "content", [b"", b"ab" * 31, b"ab" * 33, b"xy" * 32, b"ab" * 31 + b"a", b"\xff" * 64, b"ab " * 16], ids=repr
)
def test_a_damaged_key_is_refused_and_left_as_it_is(tmp_path, content):
    path = tmp_path / "key"
    path.write_bytes(content)
    error = refusal(path)
    assert "not a course key" in error.message
    assert error.hint == "put your copy back; a new key changes every hidden input"
    assert path.read_bytes() == content


def test_a_key_that_cannot_be_read_or_made_is_told_with_the_option(tmp_path):
    for path, what in ((tmp_path, "read"), (tmp_path / "nowhere" / "key", "made")):
        error = refusal(path)
        assert error.message.startswith(f"the course key cannot be {what}: ")
        assert "--seed-key" in error.hint


def test_a_failed_announcement_leaves_the_key_and_nothing_else(tmp_path):
    def broken(text: str) -> None:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        course_key(tmp_path / "key", broken)
    assert [path.name for path in tmp_path.iterdir()] == ["key"]
    assert len(course_key(tmp_path / "key", silent)) == 32
