"""A student's evening with `grader watch`, in a terminal of its own."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from grader.course.locate import load_assignments
from grader.kit.make import make_kit
from tests.conftest import ROOT

pexpect = pytest.importorskip("pexpect", reason="a terminal of its own needs pexpect")

RIGHT = (ROOT / "reference" / "attention.py").read_text("utf-8")
COLUMNS = """

def attention_weights(Q, K, mask=None):
    S = attention_scores(Q, K)
    if mask is not None:
        S = np.where(mask, S, -np.inf)
    return softmax(S, axis=-2)
"""
INVERTED = COLUMNS.replace("np.where(mask,", "np.where(~mask,").replace("axis=-2", "axis=-1")
PATIENCE = 60


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    make_kit(tmp_path / "kit", load_assignments(ROOT, ["attention"]))
    return tmp_path / "kit"


def watch(kit: Path, *arguments: str, columns: int = 80, rows: int = 50, **extra: str):
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    return pexpect.spawn(
        sys.executable,
        ["-m", "grader", "watch", *arguments],
        cwd=str(kit),
        env=environment | {"TERM": "xterm", "PYTHONPATH": str(ROOT)} | extra,
        dimensions=(rows, columns),
        encoding="utf-8",
        timeout=PATIENCE,
    )


def save(kit: Path, text: str) -> None:
    """Save as many editors do: another file takes the place of this one."""
    file = kit / "student_template" / "attention.py"
    draft = file.with_name(".attention.py.swp")
    draft.write_text(text, encoding="utf-8")
    draft.replace(file)


def state(kit: Path) -> dict[str, object]:
    return json.loads((kit / ".rowwise" / "state.json").read_text("utf-8"))


def test_an_evening_two_mistakes_with_a_name_a_hint_an_exercise_done_the_next_one_a_reset(kit: Path) -> None:
    save(kit, RIGHT + COLUMNS)
    terminal = watch(kit, "attention.weights")
    terminal.expect_exact("Your softmax ran down the columns.")
    terminal.send("d")
    terminal.expect_exact("It is your columns that sum to 1.")
    terminal.send("d")
    terminal.expect_exact("Your softmax ran down the columns.")
    save(kit, RIGHT + INVERTED)
    terminal.expect_exact("You read the mask the wrong way round.")
    terminal.send("h")
    terminal.expect_exact("Idea (hint 1 of 3): say first who shares one unit among whom.")
    save(kit, RIGHT)
    terminal.expect_exact("This exercise is finished.")
    terminal.send("n")
    terminal.expect_exact("attention.attention  Attention")
    terminal.expect_exact("This exercise is finished.")
    assert set(state(kit)["finished"]) == {"attention.weights", "attention.attention"}
    # A finished exercise that a change breaks is told of, though another one is on the screen.
    save(kit, RIGHT + INVERTED)
    terminal.expect_exact("WAS FINISHED, FAILS NOW: attention.weights, attention.attention")
    save(kit, RIGHT)
    terminal.expect_exact("This exercise is finished.")
    terminal.send("r")
    terminal.expect_exact("y: yes")
    terminal.send("x")
    terminal.expect_exact("Nothing was changed.")
    terminal.send("r")
    terminal.expect_exact("y: yes")
    terminal.send("y")
    terminal.expect_exact(".rowwise/backups/001-attention.py")
    terminal.expect_exact("not implemented")
    terminal.send("q")
    terminal.expect_exact("it is kept in .rowwise/state.json")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0
    assert (kit / ".rowwise/backups/001-attention.py").read_text("utf-8") == RIGHT
    assert state(kit)["hints"] == {"attention.weights": 1}
    assert state(kit)["lost"] == ["attention.attention"]


def test_a_watch_ends_at_once_by_ctrl_c_and_leaves_the_terminal_as_it_was(kit: Path) -> None:
    terminal = watch(kit, columns=40, rows=20, NO_COLOR="1")
    terminal.expect_exact("n next")
    terminal.sendintr()
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 130


def test_without_a_terminal_a_watch_says_so(grader, kit: Path) -> None:
    ran = grader("watch", cwd=kit)
    assert ran.returncode == 2
    assert "grader check" in ran.stderr
