"""What every level has to keep, whatever holds its workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader.sandbox.base import GUARANTEES, Death, Level, Sandbox
from grader.sandbox.registry import BACKENDS

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="what is left behind is counted through /proc or signals"
)

Open = Callable[..., Sandbox]


@pytest.fixture(scope="module", params=list(BACKENDS), ids=str)
def sandbox(request: pytest.FixtureRequest, opened_for_all: Open) -> Sandbox:
    return opened_for_all(request.param)


@pytest.fixture
def fresh(sandbox: Sandbox, opened: Open) -> Sandbox:
    """A sandbox of the same level that the test may close."""
    return opened(sandbox.isolation.level)


def test_a_worker_answers(sandbox: Sandbox, ask: Any) -> None:
    assert ask(sandbox.fork(), "result = 6 * 7") == "42"


def test_a_worker_has_numpy(sandbox: Sandbox, ask: Any) -> None:
    assert ask(sandbox.fork(), "import numpy; result = float((numpy.eye(3) @ numpy.ones(3)).sum())") == "3.0"


def test_two_workers_live_side_by_side_and_share_nothing(sandbox: Sandbox, ask: Any) -> None:
    first, second = sandbox.fork(), sandbox.fork()
    ask(first, "import builtins; builtins.left = 1")
    ask(first, "open('left', 'w').close()")  # where there is a folder to write to
    assert ask(second, "result = hasattr(__builtins__, 'left')") == "False"
    assert "left" not in ask(second, "import os; result = os.listdir('.')")


def test_an_alarm_may_ask_for_the_time_while_somebody_waits_for_the_end(sandbox: Sandbox, ask: Any) -> None:
    worker = sandbox.fork()
    ask(worker, "result = 1")
    rung: list[float] = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(worker.cpu_seconds()))
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
    try:
        assert worker.wait(0.2) is None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert rung


def test_the_level_and_a_word_on_each_guarantee_stand_in_the_isolation(sandbox: Sandbox) -> None:
    assert sandbox.isolation.level in Level
    assert tuple(sandbox.isolation.guarantees) == GUARANTEES
    assert all(sandbox.isolation.guarantees.values()) or sandbox.isolation.findings


def test_an_exit_code_is_seen(sandbox: Sandbox, ask: Any) -> None:
    worker = sandbox.fork()
    ask.say(worker, "import os; os._exit(7)")
    assert worker.wait(5) == Death("exited", 7, memory=False)


def test_a_worker_that_ends_with_the_code_of_a_failed_lockdown_is_no_failed_lockdown(
    sandbox: Sandbox, ask: Any
) -> None:
    worker = sandbox.fork()
    ask.say(worker, "import os; os._exit(97)")
    assert worker.wait(5) == Death("exited", 97, memory=False)


def test_a_segmentation_fault_is_seen(sandbox: Sandbox, ask: Any) -> None:
    worker = sandbox.fork()
    ask.say(worker, "import ctypes; ctypes.string_at(0)")
    assert worker.wait(5) == Death("signalled", signal.SIGSEGV, memory=False)


def test_memory_that_the_judge_holds_is_not_taken_for_the_workers(sandbox: Sandbox, ask: Any) -> None:
    np.ones(300 * 2**17).sum()  # 300 MiB for a moment: more than these workers may have
    worker = sandbox.fork()
    ask.say(worker, "import ctypes; ctypes.string_at(0)")
    assert worker.wait(5) == Death("signalled", signal.SIGSEGV, memory=False)


def test_the_end_of_a_worker_closes_its_socket(sandbox: Sandbox, ask: Any) -> None:
    worker = sandbox.fork()
    ask.say(worker, "import os; os._exit(0)")
    with pytest.raises(EOFError):
        ask.hear(worker)


def test_a_worker_whose_socket_is_closed_ends_by_itself(sandbox: Sandbox) -> None:
    worker = sandbox.fork()
    worker.socket.close()
    assert worker.wait(5) == Death("exited", 0, memory=False)


def test_a_living_worker_has_no_death(sandbox: Sandbox) -> None:
    worker = sandbox.fork()
    assert worker.wait(0) is None
    assert worker.wait(0.05) is None


@pytest.mark.parametrize(
    "source",
    [
        "while True: pass",
        "import os, signal; os.kill(os.getpid(), signal.SIGSTOP); signal.pause()",
        "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals()); signal.pause()",
        "import threading\nfor _ in range(8): threading.Thread(target=threading.Event().wait).start()\nthreading.Event().wait()",
    ],
    ids=["busy", "stopped", "deaf", "threads"],
)
def test_a_kill_ends_any_worker_within_a_second(source: str, sandbox: Sandbox, ask: Any) -> None:
    worker = sandbox.fork()
    ask.say(worker, source)
    time.sleep(0.1)
    started = time.monotonic()
    worker.kill()
    assert time.monotonic() - started < 1
    assert worker.wait(0) == Death("signalled", signal.SIGKILL, memory=False)


def test_a_second_kill_does_nothing(sandbox: Sandbox) -> None:
    worker = sandbox.fork()
    worker.kill()
    worker.kill()
    assert worker.wait(0) == Death("signalled", signal.SIGKILL, memory=False)


def test_a_kill_leaves_an_earlier_death_as_it_was(sandbox: Sandbox, ask: Any) -> None:
    worker = sandbox.fork()
    ask.say(worker, "import os; os._exit(3)")
    with pytest.raises(EOFError):
        ask.hear(worker)
    assert worker.wait(5) == Death("exited", 3, memory=False)
    worker.kill()
    assert worker.wait(0) == Death("exited", 3, memory=False)


def test_cpu_time_is_measured_from_outside_while_it_runs_and_kept_when_it_is_dead(sandbox: Sandbox, ask: Any) -> None:
    worker = sandbox.fork()
    before = worker.cpu_seconds()
    ask(worker, "import time\nwhile time.process_time() < 0.3: pass")
    assert 0.3 <= worker.cpu_seconds() < 3
    asleep = worker.cpu_seconds()
    ask(worker, "import time; time.sleep(0.2)")
    assert worker.cpu_seconds() - asleep < 0.1
    worker.kill()
    assert worker.cpu_seconds() >= asleep > before


def test_output_of_both_streams_is_kept(sandbox: Sandbox, ask: Any) -> None:
    worker = sandbox.fork()
    ask(worker, "import os; os.write(1, b'out'); os.write(2, b'err')")
    worker.kill()
    assert worker.output() == (b"outerr", False)


def test_output_is_cut_at_the_cap_and_never_holds_the_worker_up(sandbox: Sandbox, ask: Any) -> None:
    worker = sandbox.fork()
    assert ask(worker, "import os\nfor _ in range(100): os.write(1, b'x' * 1000000)\nresult = 'done'") == "'done'"
    worker.kill()
    assert worker.output() == (b"x" * 64 * 1024, True)


def test_output_of_exactly_the_cap_is_not_called_cut(sandbox: Sandbox, ask: Any) -> None:
    worker = sandbox.fork()
    ask(worker, "import os; os.write(1, b'x' * 65536)")
    worker.kill()
    assert worker.output() == (b"x" * 65536, False)


def test_twenty_workers_in_turn_leave_no_process_and_no_descriptor(
    sandbox: Sandbox, ask: Any, descendants: Callable[[], set[int]], descriptors: Callable[[], set[str]]
) -> None:
    first = sandbox.fork()
    first.kill()
    first.output()  # what reads it takes a moment to end
    processes, before, threads = descendants(), descriptors(), threading.active_count()
    for _ in range(20):
        worker = sandbox.fork()
        assert ask(worker, "result = 1") == "1"
        worker.kill()
        worker.output()
    assert (descendants(), descriptors(), threading.active_count()) == (processes, before, threads)


def test_closing_kills_a_living_worker_and_leaves_nothing(
    sandbox: Sandbox,
    opened: Open,
    ask: Any,
    descendants: Callable[[], set[int]],
    descriptors: Callable[[], set[str]],
) -> None:
    before, open_before = descendants(), descriptors()
    other = opened(sandbox.isolation.level)
    worker = other.fork()
    ask.say(worker, "while True: pass")
    started = time.monotonic()
    other.close()
    assert time.monotonic() - started < 2
    assert worker.wait(0) == Death("signalled", signal.SIGKILL, memory=False)
    worker.output()
    assert descendants() == before
    assert descriptors() == open_before


def test_closing_leaves_no_folder(sandbox: Sandbox, opened: Open, ask: Any, monkeypatch: Any, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    other = opened(sandbox.isolation.level)
    ask(other.fork(), "open('left', 'w').close()")
    other.close()
    assert list(tmp_path.iterdir()) == []


def test_a_sandbox_of_another_thread_outlives_that_thread(sandbox: Sandbox, opened: Open, ask: Any) -> None:
    made: list[Sandbox] = []
    thread = threading.Thread(target=lambda: made.append(opened(sandbox.isolation.level)))
    thread.start()
    thread.join()
    time.sleep(0.05)
    assert ask(made[0].fork(), "result = 1") == "1"


def test_closing_twice_does_nothing(fresh: Sandbox) -> None:
    fresh.close()
    fresh.close()


@pytest.mark.skipif(sys.platform != "linux", reason="no other system holds a limit of address space")
@pytest.mark.parametrize("source", ["bytearray(1 << 30)", "[bytes(1 << 20) for _ in range(2000)]"])
def test_too_much_memory_is_a_memory_error(source: str, sandbox: Sandbox, ask: Any) -> None:
    assert ask(sandbox.fork(), source).startswith("MemoryError")


def test_memory_within_the_limit_is_given(sandbox: Sandbox, ask: Any) -> None:
    assert ask(sandbox.fork(), "result = len(bytearray(200 << 20))") == str(200 << 20)


def test_what_blas_takes_for_its_first_product_is_not_counted(sandbox: Sandbox, ask: Any) -> None:
    source = "import numpy; ones = numpy.ones((512, 512)); ones @ ones; result = len(bytearray(230 << 20))"
    assert ask(sandbox.fork(), source) == str(230 << 20)


def test_too_large_a_file_is_refused(sandbox: Sandbox, ask: Any) -> None:
    source = """
    try:
        f = open('big', 'wb')
        for _ in range(100): f.write(bytes(1 << 20))
    except OSError:
        result = 'refused'
    """
    assert ask(sandbox.fork(), source) == "'refused'"


def test_descriptors_run_out(sandbox: Sandbox, ask: Any) -> None:
    assert "Too many open files" in ask(sandbox.fork(), "kept = [open('/dev/null') for _ in range(1000)]")


def test_the_order_of_a_set_is_the_same_in_every_run(sandbox: Sandbox, ask: Any) -> None:
    command = [sys.executable, "-c", "print(hash('rowwise'))"]
    fixed = subprocess.run(
        command, env={**os.environ, "PYTHONHASHSEED": "0"}, capture_output=True, text=True, check=True
    )
    assert ask(sandbox.fork(), "result = hash('rowwise')") == fixed.stdout.strip()


def test_threads_of_libraries_are_pinned_to_one(sandbox: Sandbox, ask: Any) -> None:
    assert ask(sandbox.fork(), "import os; result = os.environ['OMP_NUM_THREADS']") == "'1'"


def test_no_variable_of_the_judge_for_the_interpreter_arrives(
    sandbox: Sandbox, ask: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    monkeypatch.setenv("PYTHONSTARTUP", "/nowhere")
    source = "import os; result = sorted(set(os.environ) & {'PYTHONPATH', 'PYTHONSTARTUP'})"
    assert ask(sandbox.fork(), source) == "[]"


def test_neither_the_judges_folder_nor_what_lies_beside_the_grader_is_importable(
    sandbox: Sandbox, ask: Any, stand_in: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "answers.py").touch()
    (stand_in.parent / "solutions.py").touch()
    monkeypatch.chdir(tmp_path)
    worker = sandbox.fork()
    assert ask(worker, "import answers").startswith("ModuleNotFoundError")
    assert ask(worker, "import solutions").startswith("ModuleNotFoundError")
    assert ask(worker, "import grader.worker.main; result = 'there'") == "'there'"


_JUDGE = """
import struct, sys, time
from pathlib import Path
from grader.model.manifest import Limits
from grader.sandbox.{level} import {name}Backend as Backend
from grader.sandbox.base import Profile

def children(parent):
    for entry in Path("/proc").glob("[0-9]*"):
        try: status = (entry / "stat").read_text()
        except OSError: continue
        if int(status.rpartition(")")[2].split()[1]) == parent:
            yield int(entry.name)
            yield from children(int(entry.name))

import os
sandbox = Backend(Path({package!r})).open(Profile((), Limits()))
busy = b"while True: pass"
sandbox.fork().socket.sendall(struct.pack("!I", len(busy)) + busy)
print(*children(os.getpid()), flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="no other system tells a process that its parent is gone")
def test_a_busy_worker_and_all_beside_it_die_with_a_judge_that_is_killed(sandbox: Sandbox, stand_in: Path) -> None:
    level = sandbox.isolation.level
    source = _JUDGE.format(level=level, name=level.title(), package=str(stand_in))
    path = [str(Path(__file__).parents[2]), *sys.path]
    command = [sys.executable, "-c", f"import sys; sys.path[:] = {path!r}\n{source}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as judge:
        assert judge.stdout
        pids = [int(word) for word in judge.stdout.readline().split()]
        judge.kill()
    assert pids
    end = time.monotonic() + 2
    while any(_lives(pid) for pid in pids) and time.monotonic() < end:
        time.sleep(0.01)
    assert not any(_lives(pid) for pid in pids)


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
