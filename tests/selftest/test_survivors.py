from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.selftest.survivors import survivors

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc")
WAITS = "import sys; print(flush=True); sys.stdin.read()"


def _found(word: str, *arguments: str, code: str = WAITS, **variables: str) -> bool:
    command = [sys.executable, "-S", "-c", code, *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=os.environ | variables) as process:
        process.stdout.readline()
        found = survivors([word])[word]
        process.stdin.close()
    assert all(line.startswith(f"{process.pid} ") for line in found)
    return bool(found)


def test_a_word_is_found_in_the_arguments_in_the_environment_and_in_the_name() -> None:
    assert _found("tagaaaaaaaaaaaa", "tagaaaaaaaaaaaa")
    assert _found("tagbbbbbbbbbbbb", SOME="tagbbbbbbbbbbbb")
    renaming = "import ctypes; ctypes.CDLL(None).prctl(15, b'tagcccc' + b'cccccccc')"
    assert _found("tagccccccccccccc"[:15], code=f"{renaming}; {WAITS}")


def test_nothing_is_found_of_what_is_gone() -> None:
    assert survivors(["tagdddddddddddd"]) == {"tagdddddddddddd": []}


def test_a_system_without_a_list_of_processes_has_no_survivors(tmp_path: Path) -> None:
    assert survivors(["word"], tmp_path / "none") == {"word": []}
