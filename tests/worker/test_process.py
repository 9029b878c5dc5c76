"""The worker as a process of its own, with nothing in reach but the interpreter, NumPy and the worker's few files."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import grader
from grader.wire.channel import Channel
from grader.wire.errors import ChannelClosed, WireError
from grader.wire.exchange import Lending, exchange
from grader.wire.frames import Caps
from grader.wire.messages import Bounds, Call, Failed, Import, Imported, Load, Returned
from grader.worker import __main__ as entry

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a socket is not inherited by number there")

BOOT = """
import sys
sys.path.append(sys.argv.pop(1))
import runpy
{setup}
runpy.run_module("grader.worker", run_name="__main__", alter_sys=True)
"""


@pytest.fixture(scope="session")
def shelf(tmp_path_factory) -> Path:
    """A folder with NumPy and the worker's files, and nothing else of the grader or of any package."""
    folder = tmp_path_factory.mktemp("shelf")
    package, numpy = Path(grader.__file__).parent, Path(np.__file__).parent
    (folder / "grader").mkdir()
    shutil.copy(package / "__init__.py", folder / "grader")
    for name in ("wire", "worker"):
        shutil.copytree(package / name, folder / "grader" / name, ignore=shutil.ignore_patterns("__pycache__"))
    for part in (numpy, numpy.with_name("numpy.libs")):
        if part.exists():
            (folder / part.name).symlink_to(part)
    return folder


class Process:
    """A worker process, and its judge."""

    def __init__(self, shelf: Path, setup: str) -> None:
        ours, theirs = socket.socketpair()
        command = [sys.executable, "-I", "-S", "-c", BOOT.format(setup=setup), str(shelf), str(theirs.fileno())]
        with theirs:
            self.popen = subprocess.Popen(
                command,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={"LC_ALL": "C"},
            )
        self.lending = Lending()
        self.channel = Channel(ours, Caps(), reduce=self.lending.reduce, revive=self.lending.revive)

    def ask(self, request):
        return exchange(self.channel, request, self.lending, lambda: None)

    def call(self, target: str, *args: object) -> object:
        answer = self.ask(Call(target, args))
        assert isinstance(answer, Returned), answer
        return answer.value

    def end(self) -> tuple[int, str, str]:
        """Close the connection; return exit status, output and errors."""
        self.channel.close()
        out, err = self.popen.communicate(timeout=20)
        return self.popen.returncode, out.decode(), err.decode()


@pytest.fixture
def process(shelf: Path) -> Iterator[Callable[..., Process]]:
    """Start a worker with a submission of one file."""
    started: list[Process] = []

    def start(text: str, setup: str = "") -> Process:
        started.append(Process(shelf, setup))
        started[-1].ask(Load({"student.py": text.encode()}, ["student"], ["numpy"], [], Bounds(256, 1024, 64, 128, 16)))
        return started[-1]

    yield start
    for one in started:
        one.channel.close()
        one.popen.kill()
        one.popen.communicate()


def test_a_worker_needs_the_interpreter_numpy_and_its_own_files(process):
    worker = process(
        "import sys\ndef f(x): return x * 2\n"
        "def others(): return sorted({name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names))\n"
        "def ours(): return sorted({'.'.join(name.split('.')[:2]) for name in sys.modules if name.startswith('grader')})\n"
    )
    assert worker.ask(Import("student")) == Imported()
    assert worker.call("student.f", np.arange(3)).tolist() == [0, 2, 4]
    found = {name for name in worker.call("student.others") if not name.startswith("_")} - {"cython_runtime"}
    assert found == {"grader", "numpy", "student"}
    assert worker.call("student.ours") == ["grader", "grader.wire", "grader.worker"]
    assert worker.end() == (0, "", "")


@pytest.mark.parametrize("name", ["pytest", "grader.judge", "grader.model", "click", "pip"])
def test_nothing_else_can_be_imported_even_around_the_rule(process, name):
    worker = process(f"import importlib\ndef f(): importlib.import_module({name!r})")
    answer = worker.ask(Call("student.f"))
    assert isinstance(answer, Failed)
    assert answer.error.types[0] == "ModuleNotFoundError"


def test_what_is_printed_is_there_when_the_answer_is(process):
    worker = process("import sys\ndef f():\n    print('é', '\\ud800', end='')\n    sys.stderr.write('\\udcff')\n")
    worker.call("student.f")
    os.set_blocking(worker.popen.stdout.fileno(), False)
    assert worker.popen.stdout.read().decode() == "é \\ud800"
    os.set_blocking(worker.popen.stdout.fileno(), True)
    assert worker.end() == (0, "", "\\udcff")


def test_a_line_is_there_before_the_call_ends(process):
    worker = process("def f(g):\n    print('step 1')\n    g()\n")
    seen = []
    os.set_blocking(worker.popen.stdout.fileno(), False)
    worker.call("student.f", lambda: seen.append(worker.popen.stdout.read()))
    assert seen == [b"step 1\n"]
    os.set_blocking(worker.popen.stdout.fileno(), True)


@pytest.mark.parametrize(
    "body",
    [
        "sys.stdout = None",
        "sys.stdout = sys.stderr = object()",
        "sys.stdout.close()",
        "os.close(1)",
        "os.close(1); os.close(2)",
    ],
)
def test_without_a_standard_output_calls_are_still_answered(process, body):
    worker = process(f"import os, sys\ndef f():\n    print('x')\n    {body}\ndef g(): return 1\n")
    worker.call("student.f")
    assert worker.call("student.g") == 1


def test_standard_input_is_empty(process):
    worker = process("def f(): return input('name? ')")
    answer = worker.ask(Call("student.f"))
    assert isinstance(answer, Failed)
    assert answer.error.types[0] == "EOFError"


@pytest.mark.parametrize(
    "body",
    [
        "os._exit(0)",
        "os.abort()",
        "os.kill(os.getpid(), 9)",
        "os.closerange(3, 100)",
        "import ctypes; ctypes.string_at(0)",
    ],
)
def test_a_worker_that_ends_itself_is_a_closed_channel(process, body):
    worker = process(f"import os\ndef f():\n    {body}\n")
    with pytest.raises(ChannelClosed):
        worker.call("student.f")


@pytest.mark.parametrize("garbage", ["b'garbage' * 100", "b'row1' + bytes(12)", "b'row1' + b'\\xff' * 12"])
def test_what_a_submission_writes_to_the_connection_is_a_broken_rule(process, garbage):
    worker = process(
        "import os, stat\ndef f():\n"
        "    for fd in range(3, 100):\n        try:\n            if stat.S_ISSOCK(os.fstat(fd).st_mode): os.write(fd, "
        f"{garbage})\n        except OSError: pass\n"
    )
    with pytest.raises(WireError) as caught:
        worker.call("student.f")
    assert not isinstance(caught.value, ChannelClosed)


def test_a_builtin_that_was_rebound_is_put_back(process):
    worker = process(
        "import builtins\ndef f(x):\n    builtins.len = lambda x: 0\n    builtins.isinstance = None\n    return 1\n"
        "def g(x): return len(x), builtins.len(x)\n"
    )
    assert worker.call("student.f", [1]) == 1
    assert worker.call("student.g", [1, 2]) == (2, 2)


def test_names_rebound_in_modules_the_loop_uses_do_not_reach_it(process):
    worker = process(
        "import json, struct, time\nimport numpy as np\ndef f(x):\n"
        "    json.dumps = json.loads = struct.pack = struct.unpack = None\n"
        "    np.asarray = np.empty = np.frombuffer = None\n    time.monotonic = None\n    return x\n"
    )
    assert worker.call("student.f", np.arange(3)).tolist() == [0, 1, 2]
    assert worker.call("student.f", {"a": [1, np.float32(2)]}) == {"a": [1, 2]}


LIMIT = """
import resource
import grader.worker.main
from pathlib import Path
size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() + 400 * 2**20
resource.setrlimit(resource.RLIMIT_AS, (size, size))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is held by Linux only")
@pytest.mark.parametrize(
    "body",
    [
        "return np.ones((30_000, 30_000))",
        "kept = []\n    while True: kept.append(np.ones(10**6))",
        "kept = []\n    while True: kept.append('x' * len(kept) + str(len(kept)))",
        "return bytearray(10**10)",
        "x = np.ones(25_000_000)\n    return [x, x + 1, x + 2]",
    ],
)
def test_a_call_without_enough_memory_is_told_and_survived(process, body):
    worker = process(f"import numpy as np\ndef f():\n    {body}\ndef g(): return np.ones(10**7).sum()\n", LIMIT)
    for _ in range(2):
        answer = worker.ask(Call("student.f"))
        assert isinstance(answer, Failed)
        assert "MemoryError" in answer.error.types or "cannot be graded" in answer.error.message
        assert worker.call("student.g") == 10**7


@pytest.mark.parametrize("arguments", [[], ["1", "2"]])
def test_the_usage_is_told(monkeypatch, arguments):
    monkeypatch.setattr(sys, "argv", ["grader.worker", *arguments])
    with pytest.raises(SystemExit, match="usage: python -I -m"):
        entry.main()


def test_a_dash_takes_the_socket_from_standard_input(monkeypatch):
    given = []
    monkeypatch.setattr(socket, "fromshare", given.append, raising=False)
    monkeypatch.setattr(sys, "stdin", open(os.devnull))  # noqa: PTH123, SIM115 (closed by the next line's test)
    with sys.stdin:
        entry.open_socket("-")
    assert given == [b""]


def test_a_number_is_the_descriptor_of_a_socket(monkeypatch):
    ours, theirs = socket.socketpair()
    monkeypatch.setattr(sys, "argv", ["grader.worker", str(theirs.detach())])
    ours.close()
    entry.main()
