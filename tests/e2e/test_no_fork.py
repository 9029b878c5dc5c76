"""Where there is no fork and no sandbox, every student's command says what it says elsewhere."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from grader.course.locate import load_assignments
from grader.kit.make import make_kit
from tests.conftest import ROOT

# Runs as every interpreter of this environment starts, those of judges and workers too.
_WITHOUT = """
import os
import sys

for name in ("fork", "forkpty"):
    if hasattr(os, name):
        delattr(os, name)


def refuse(event, arguments):
    if event in ("os.fork", "os.forkpty"):
        raise RuntimeError("there is no fork")
    if event == "subprocess.Popen":
        command = " ".join(map(str, arguments[1]))
        # Other packages may ask the system for its name; what is the grader's own is a judge or a plain worker.
        if sys.executable in command and not any(own in command for own in ("grader.judge", "child.py")):
            raise RuntimeError(f"there is no sandbox: {command}")


sys.addaudithook(refuse)
"""
COLUMNS = """

def attention_weights(Q, K, mask=None):
    S = attention_scores(Q, K)
    if mask is not None:
        S = np.where(mask, S, -np.inf)
    return softmax(S, axis=-2)
"""


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter without fork, in which nothing but a judge and a plain worker can be started."""
    home = tmp_path_factory.mktemp("without")
    venv.create(home, with_pip=False, symlinks=True)
    [site] = home.glob("lib/python3*/site-packages")
    (site / "without_fork.py").write_text(_WITHOUT, encoding="utf-8")
    paths = [str(ROOT), *(path for path in sys.path if path.endswith("site-packages"))]
    (site / "here.pth").write_text("\n".join([*paths, "import without_fork"]) + "\n", encoding="utf-8")
    return home / "bin" / "python"


@pytest.fixture
def kits(tmp_path: Path) -> tuple[Path, Path]:
    """Two kits with the same work in them, at places whose names are equally long."""
    made = tmp_path / "a" / "kit", tmp_path / "b" / "kit"
    for kit in made:
        make_kit(kit, load_assignments(ROOT, ["attention", "shapes"]))
        text = (ROOT / "reference" / "attention.py").read_text("utf-8") + COLUMNS
        (kit / "student_template" / "attention.py").write_text(text, encoding="utf-8")
    return made


def said(python: Path | str, kit: Path, *arguments: str) -> tuple[int, str, str]:
    ran = subprocess.run(
        [str(python), "-m", "grader", *arguments], cwd=kit, capture_output=True, text=True, check=False, timeout=300
    )
    here = str(kit.parent)
    return ran.returncode, ran.stdout.replace(here, ""), ran.stderr.replace(here, "")


COMMANDS = [
    ("check", "attention.weights"),
    ("check", "attention.qkv", "--lang", "zh-TW"),
    ("picture", "attention.weights", "--plot", "--out", "drawn"),
    ("status",),
    ("hint", "attention.weights"),
    ("worksheet", "ada"),
    ("submit", "ada"),
    ("check", "attention.nothing"),
]


def test_the_interpreter_of_this_test_has_no_fork_and_starts_no_sandbox(without: Path) -> None:
    forks = "import os, subprocess, sys\nassert not hasattr(os, 'fork')\nsubprocess.run([sys.executable, '-c', ''])"
    ran = subprocess.run([without, "-c", forks], capture_output=True, text=True, check=False)
    assert "there is no sandbox" in ran.stderr


def test_every_command_of_a_student_says_the_same(without: Path, kits: tuple[Path, Path]) -> None:
    usual, bare = kits
    for command in COMMANDS:
        assert said(without, bare, *command) == said(sys.executable, usual, *command), command
    for name in ("attention.weights.svg", "attention.weights.png"):
        assert (bare / "drawn" / name).read_bytes() == (usual / "drawn" / name).read_bytes()
    assert (bare / "ada.zip").read_bytes() == (usual / "ada.zip").read_bytes()
    assert (bare / ".rowwise/state.json").read_bytes() == (usual / ".rowwise/state.json").read_bytes()


def test_a_kit_is_made_without(without: Path, tmp_path: Path) -> None:
    assert said(without, ROOT, "new", str(tmp_path / "kit"), "-a", "masking")[0] == 0


def test_a_watch_names_mistakes_without(without: Path, kits: tuple[Path, Path]) -> None:
    pexpect = pytest.importorskip("pexpect", reason="a terminal of its own needs pexpect")
    _, kit = kits
    terminal = pexpect.spawn(
        str(without),
        ["-m", "grader", "watch", "attention.weights"],
        cwd=str(kit),
        env=os.environ | {"TERM": "xterm"},
        dimensions=(50, 80),
        encoding="utf-8",
        timeout=60,
    )
    terminal.expect_exact("Your softmax ran down the columns.")
    shutil.copyfile(ROOT / "reference" / "attention.py", kit / "student_template" / "attention.py")
    terminal.expect_exact("This exercise is finished.")
    terminal.send("q")
    terminal.expect(pexpect.EOF)
