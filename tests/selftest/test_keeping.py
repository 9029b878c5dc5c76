from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.model.errors import GraderError
from grader.selftest.keeping import Keeper, Ran

LEAVES = """
import subprocess, sys
left = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(600)", "left-behind"], start_new_session=True)
print(left.pid)
"""


def run(keeper: Keeper, folder: Path, code: str, seconds: float = 60) -> Ran:
    return keeper.run(
        [sys.executable, "-c", code], env={"SAID": "hello"}, cwd=folder, said=folder / "said", seconds=seconds
    )


def test_a_command_runs_where_and_as_it_is_told_and_what_it_says_is_kept(tmp_path: Path) -> None:
    code = "import os, sys; print(os.environ['SAID'], os.getcwd(), os.getppid()); sys.exit(4)"
    with Keeper() as keeper:
        assert run(keeper, tmp_path, code) == Ran(4, (), f"hello {tmp_path} {keeper.pid}\n")
        assert run(keeper, tmp_path, "import sys; print('told', file=sys.stderr)").said == "told\n"


def test_several_commands_run_one_after_the_other(tmp_path: Path) -> None:
    with Keeper() as keeper:
        assert [run(keeper, tmp_path, f"print({number})").said for number in (1, 2)] == ["1\n", "2\n"]


def test_a_command_that_does_not_end_is_ended(tmp_path: Path) -> None:
    with Keeper() as keeper:
        assert run(keeper, tmp_path, "import time; time.sleep(600)", seconds=0.5).code is None


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are adopted on Linux alone")
def test_what_a_command_leaves_behind_is_named_and_ended(tmp_path: Path) -> None:
    with Keeper() as keeper:
        ran = run(keeper, tmp_path, LEAVES)
        assert len(ran.left) == 1
        assert "left-behind" in ran.left[0]
    with pytest.raises(ProcessLookupError):
        os.kill(int(ran.said), 0)


def test_a_keeper_that_was_killed_is_told(tmp_path: Path) -> None:
    with Keeper() as keeper:
        os.kill(keeper.pid, signal.SIGKILL)
        with pytest.raises(GraderError, match="was killed"):
            run(keeper, tmp_path, "")


@pytest.mark.skipif(sys.platform != "linux", reason="the process is looked for in /proc")
def test_when_nobody_waits_for_a_command_any_more_it_is_ended(tmp_path: Path) -> None:
    starts = (
        "import os, sys\nfrom pathlib import Path\nfrom grader.selftest.keeping import Keeper\n"
        "code = 'import os, time; print(os.getpid(), flush=True); time.sleep(600)'\nfolder = Path(sys.argv[1])\n"
        "Keeper().run([sys.executable, '-c', code], env={}, cwd=folder, said=folder / 'said', seconds=600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", starts, str(tmp_path)]) as process:
        pid = _awaited(tmp_path / "said")
        process.kill()
    deadline = time.monotonic() + 30
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{pid}").exists()


def _awaited(path: Path) -> int:
    deadline = time.monotonic() + 60
    while not (path.exists() and path.read_text().endswith("\n")) and time.monotonic() < deadline:
        time.sleep(0.05)
    return int(path.read_text())
