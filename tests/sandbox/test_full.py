"""What level `full` keeps from a submission: each test is one that tries."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader.sandbox.base import Level, Sandbox
from grader.sandbox.full import FullBackend
from grader.sandbox.identity import rights

Open = Callable[..., Sandbox]

pytestmark = pytest.mark.skipif(FullBackend().unavailable() is not None, reason=str(FullBackend().unavailable()))


@pytest.fixture(scope="module")
def sandbox(opened_for_all: Open) -> Sandbox:
    return opened_for_all(Level.FULL)


def test_the_level_was_observed(sandbox: Sandbox) -> None:
    assert sandbox.isolation.level is Level.FULL
    assert all(sandbox.isolation.guarantees.values())
    assert sandbox.isolation.landlock_abi >= 1


def test_of_the_grader_only_the_workers_part_is_there(sandbox: Sandbox, ask: Any) -> None:
    source = "import os; result = sorted(n for n in os.listdir('/packages/grader'))"
    assert ask(sandbox.fork(), source) == "['__init__.py', 'wire', 'worker']"
    for name in ("grader.sandbox", "grader.model", "grader.judge", "reference", "pytest", "pip", "pydantic"):
        assert ask(sandbox.fork(), f"import {name}").startswith("ModuleNotFoundError")


def test_nothing_can_be_written_outside_the_box(sandbox: Sandbox, ask: Any, tmp_path: Path) -> None:
    worker = sandbox.fork()
    tmp_path.chmod(0o777)
    library = str(Path(os.__file__).parent)
    elsewhere = ["/", "/packages", "/packages/grader", "/tmp", "/dev", "/dev/shm", "/sys"]  # noqa: S108 - to be refused
    for folder in (*elsewhere, str(tmp_path), library):
        answer = ask(worker, f"open({folder + '/made'!r}, 'w')")
        assert answer.startswith(("FileNotFoundError", "PermissionError", "OSError")), (folder, answer)
    assert list(tmp_path.iterdir()) == []


def test_the_box_is_empty_writable_private_and_gone_with_its_worker(sandbox: Sandbox, ask: Any) -> None:
    first = sandbox.fork()
    source = """
        import os, pathlib, tempfile
        pathlib.Path('a').mkdir()
        with tempfile.NamedTemporaryFile() as made: inside = made.name.startswith('/home/student/')
        pathlib.Path('a/b').write_text('x'); os.replace('a/b', 'c')
        result = os.getcwd(), inside, sorted(os.listdir('.')), pathlib.Path('c').read_text()
    """
    assert ask(first, source) == "('/home/student', True, ['a', 'c'], 'x')"
    assert ask(sandbox.fork(), "import os; result = os.listdir('/home/student')") == "[]"


def test_a_full_disk_is_an_error_and_stops_at_the_box(sandbox: Sandbox, ask: Any) -> None:
    source = """
        import os
        for number in range(100):
            with open(f'file{number}', 'wb') as f: f.write(bytes(10 << 20))
    """
    assert "No space left on device" in ask(sandbox.fork(), source)


def test_inodes_run_out(sandbox: Sandbox, ask: Any) -> None:
    source = "for number in range(20000): open(f'f{number}', 'w').close()"
    assert "No space left on device" in ask(sandbox.fork(), source)


def test_nothing_in_the_box_can_be_executed_or_mapped_for_execution(sandbox: Sandbox, ask: Any) -> None:
    source = """
        import mmap, os
        open('code', 'wb').write(bytes(4096))
        with open('code', 'r+b') as f: mmap.mmap(f.fileno(), 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)
    """
    assert ask(sandbox.fork(), source).startswith("PermissionError")


def test_no_other_process_is_seen(sandbox: Sandbox, ask: Any) -> None:
    other = sandbox.fork()
    worker = sandbox.fork()
    assert ask(worker, "import os; result = os.getpid(), os.getppid()") == "(1, 0)"
    for pid in (os.getpid(), os.getppid(), 0, -1, 2, 3, 4, 5):
        assert ask(worker, f"import os; os.kill({pid}, 9)").startswith("PermissionError")
    assert ask(other, "result = 1") == "1"


def test_only_the_socket_and_the_three_streams_are_open(sandbox: Sandbox, ask: Any) -> None:
    sandbox.fork()
    source = """
        import os
        def is_open(n):
            try: os.fstat(n)
            except OSError: return False
            return True
        result = [n for n in range(300) if is_open(n)]
    """
    assert ask(sandbox.fork(), source) == "[0, 1, 2, 3]"


def test_no_place_outside_is_named_in_the_frames_below_a_submission(sandbox: Sandbox, ask: Any, stand_in: Path) -> None:
    source = """
        import sys
        frame, seen = sys._getframe(), []
        while frame:
            seen.append(repr(frame.f_locals)); frame = frame.f_back
        result = repr(seen)
    """
    answer = ask(sandbox.fork(), source)
    assert "/packages" in answer
    assert str(Path(np.__file__).parent) not in answer
    assert str(stand_in.parent) not in answer


def test_the_interpreter_is_found_below_a_home_that_nobody_else_may_enter(sandbox: Sandbox, ask: Any) -> None:
    answer = ask(sandbox.fork(), "import os, decimal, sqlite3; result = os.__file__")
    assert answer == repr(os.__file__)
    closed = [p for p in Path(os.__file__).parents if not p.stat().st_mode & stat.S_IXOTH]
    if not closed:
        pytest.skip("every folder above this interpreter may be entered by all")


def test_installed_packages_beside_the_standard_library_are_hidden(sandbox: Sandbox, ask: Any) -> None:
    library = Path(os.__file__).parent
    for name in ("site-packages", "dist-packages"):
        answer = ask(sandbox.fork(), f"import os; result = os.listdir({str(library / name)!r})")
        assert answer == "[]" or answer.startswith("FileNotFoundError")


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np; np.save('a.npy', np.ones(3)); result = int(np.load('a.npy')[0])",
        "import numpy as np; m = np.memmap('m', float, 'w+', shape=3); m[:] = 1; m.flush(); result = int(m[0])",
        "import shutil; open('a', 'w').close(); shutil.copy2('a', 'b'); shutil.rmtree; result = 1",
    ],
)
def test_an_honest_submission_can_write_to_its_box(source: str, sandbox: Sandbox, ask: Any) -> None:
    assert ask(sandbox.fork(), source) == "1"


def test_each_worker_of_a_root_that_grades_is_a_user_of_its_own(sandbox: Sandbox, ask: Any) -> None:
    if not rights().maps:
        pytest.skip("only root may become others")
    workers = [sandbox.fork() for _ in range(3)]
    users = [Path(f"/proc/{worker._pid}").stat().st_uid for worker in workers]  # type: ignore[attr-defined]
    assert len(set(users)) == 3
    assert all(user > 1_000_000_000 for user in users)
