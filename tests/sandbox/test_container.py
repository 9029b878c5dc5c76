"""What is special to a sandbox without namespaces: nothing is hidden by mounts, and nothing can be written at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader.sandbox.base import Level, Sandbox
from grader.sandbox.container import ContainerBackend
from grader.sandbox.identity import rights

Open = Callable[..., Sandbox]

pytestmark = pytest.mark.skipif(
    ContainerBackend().unavailable() is not None, reason=str(ContainerBackend().unavailable())
)


@pytest.fixture(scope="module")
def sandbox(opened_for_all: Open) -> Sandbox:
    return opened_for_all(Level.CONTAINER)


def test_all_that_the_level_stands_for_was_observed(sandbox: Sandbox) -> None:
    lacking = {name for name, holds in sandbox.isolation.guarantees.items() if not holds}
    assert lacking == (set() if rights().maps else {"identity"})
    assert [finding.partition(":")[0] for finding in sandbox.isolation.findings] == sorted(lacking)


def test_each_worker_of_a_root_that_grades_is_a_user_of_its_own(sandbox: Sandbox) -> None:
    if not rights().maps:
        pytest.skip("only root may become others")
    users = [_user(sandbox.fork()) for _ in range(3)]
    assert len(set(users)) == 3
    assert os.geteuid() not in users


def _user(worker: Any) -> int:
    lines = Path(f"/proc/{worker._pid}/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("Uid:")))


def test_no_file_can_be_written_anywhere(sandbox: Sandbox, ask: Any, tmp_path: Path) -> None:
    worker = sandbox.fork()
    tmp_path.chmod(0o777)
    library = str(Path(os.__file__).parent)
    for folder in (".", "/", "/tmp", "/dev", "/dev/shm", "/var/tmp", str(tmp_path), library):  # noqa: S108 - to be refused
        assert ask(worker, f"open({folder + '/made'!r}, 'w')").startswith(("FileNotFoundError", "PermissionError"))
    assert list(tmp_path.iterdir()) == []


def test_neither_the_grader_nor_packages_beside_the_allowed_ones_can_be_imported_or_read(
    sandbox: Sandbox, ask: Any
) -> None:
    for name in ("grader.sandbox", "grader.model", "grader.judge", "reference", "pytest", "pip", "pydantic", "click"):
        assert ask(sandbox.fork(), f"import {name}").startswith("ModuleNotFoundError")
    for module in ("pytest", "click"):
        file = sys.modules[module].__file__ if module in sys.modules else __import__(module).__file__
        assert ask(sandbox.fork(), f"open({file!r})").startswith("PermissionError")


def test_the_packages_beside_the_standard_library_cannot_be_read(sandbox: Sandbox, ask: Any) -> None:
    for site in Path(os.__file__).parent.glob("*-packages"):
        for path in [path for path in site.rglob("*.py") if path.is_file()][:3]:
            assert ask(sandbox.fork(), f"open({str(path)!r})").startswith("PermissionError")


def test_numpys_own_files_can_be_read_and_imported_late(sandbox: Sandbox, ask: Any) -> None:
    assert "numpy.testing" in sys.modules or Path(np.__file__).exists()
    assert ask(sandbox.fork(), "import numpy.testing, numpy.polynomial; result = 1") == "1"


def test_no_other_process_can_be_signalled_or_looked_into(sandbox: Sandbox, ask: Any) -> None:
    other, worker = sandbox.fork(), sandbox.fork()
    for pid in (os.getpid(), os.getppid(), 0, -1, 1, other._pid):  # type: ignore[attr-defined]
        assert ask(worker, f"import os; os.kill({pid}, 9)").startswith("PermissionError")
        assert ask(worker, f"open('/proc/{pid}/environ', 'rb')").startswith(("PermissionError", "FileNotFoundError"))
    assert ask(other, "result = 1") == "1"


def test_it_can_signal_itself(sandbox: Sandbox, ask: Any) -> None:
    source = "import os, signal; signal.signal(signal.SIGUSR1, lambda *a: None); os.kill(os.getpid(), signal.SIGUSR1); result = 1"
    assert ask(sandbox.fork(), source) == "1"


def test_nothing_is_open_but_the_streams_the_socket_and_folders_of_the_interpreter(sandbox: Sandbox, ask: Any) -> None:
    source = """
        import fcntl, os
        def way(n):
            try: return fcntl.fcntl(n, fcntl.F_GETFL)
            except OSError: return None
        result = {n: way(n) for n in range(300) if way(n) is not None}
    """
    found = eval(ask(sandbox.fork(), source))  # noqa: S307 - our own stand-in's
    assert set(found) >= {0, 1, 2, 3}
    assert all(flags & os.O_PATH for number, flags in found.items() if number > 3)


def test_neither_mode_nor_times_nor_length_of_any_file_can_be_changed(
    sandbox: Sandbox, ask: Any, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.write_text("the answer")
    file.chmod(0o666)
    before = file.stat()
    for source in (f"os.chmod({str(file)!r}, 0)", f"os.utime({str(file)!r})", f"os.truncate({str(file)!r}, 0)"):
        assert ask(sandbox.fork(), f"import os; {source}").startswith("PermissionError")
    assert file.read_text() == "the answer"
    assert (file.stat().st_mode, file.stat().st_mtime_ns) == (before.st_mode, before.st_mtime_ns)
