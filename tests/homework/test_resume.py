"""A run that is stopped, by ^C or by a kill, and goes on ends as one that never stopped: the same rows, the same bits."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from hw11 import progress
from hw11.interrupt import Interrupt

from tests.homework.conftest import REFERENCE, words

STOPPED = 7
# Chance in training too, and several micro-batches a step.
OPTIONS = {"dropout": 0.2, "accumulate": 2, "preset": "pico", "checkpoint_every": 3}
KILL = f"""
import os, signal, sys, torch
torch.set_num_threads(1)
sys.path[:0] = [{str(REFERENCE.parent / "student_template")!r}]
from hw11 import progress
from hw11.command import run
say = progress.Lines.step
def step(self, made):
    say(self, made)
    if made.number == {STOPPED}:
        os.kill(os.getpid(), signal.SIGKILL)
progress.Lines.step = step
run("homework11.py {{}}", {str(REFERENCE)!r}, sys.argv[1:])
"""


def bits(path):
    """A checkpoint's numbers, as one flat dict."""

    def flat(value, name):
        if isinstance(value, dict | list | tuple):
            items = value.items() if isinstance(value, dict) else enumerate(value)
            return {k: v for key, each in items for k, v in flat(each, f"{name}.{key}").items()}
        return {name: value}

    return flat(torch.load(path, weights_only=True), "")


def same(left: Path, right: Path) -> None:
    assert (left / "metrics.csv").read_bytes() == (right / "metrics.csv").read_bytes()
    ours, theirs = bits(left / "checkpoint.pt"), bits(right / "checkpoint.pt")
    assert list(ours) == list(theirs)
    for name, value in ours.items():
        assert torch.equal(value, theirs[name]) if isinstance(value, torch.Tensor) else value == theirs[name], name
    assert (left / "samples.json").read_bytes() == (right / "samples.json").read_bytes()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return tmp_path_factory.mktemp("whole") / "run"


@pytest.fixture
def uninterrupted(whole, train):
    """A run that nobody stopped, made once."""
    if not whole.exists():
        assert train(whole, **OPTIONS) == 0
    return whole


def test_ctrl_c_writes_a_checkpoint_and_says_the_command_that_goes_on(
    uninterrupted, train, program, tmp_path, monkeypatch, capsys
):
    say = progress.Lines.step

    def step(self, made):
        say(self, made)
        if made.number == STOPPED:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(progress.Lines, "step", step)
    before = signal.getsignal(signal.SIGINT)
    assert train(tmp_path / "run", **OPTIONS | {"checkpoint_every": 100}) == 130
    assert signal.getsignal(signal.SIGINT) is before
    *_, told, command = capsys.readouterr().err.splitlines()
    # What asks to stop in the middle of a step is heard at the end of the next.
    assert told == f"stopped after {STOPPED + 2} of 12 steps; go on with"
    again = shlex.split(command)
    assert again[:4] == ["python", "homework11.py", "train", "--resume"]
    monkeypatch.setattr(progress.Lines, "step", say)
    assert program(*again[2:]) == 0
    same(tmp_path / "run", uninterrupted)


def check_it_goes_on(out, corpus, program, uninterrupted):
    """What a run leaves that ended in the middle of step 7: a checkpoint of 6 steps, and rows that may be further."""
    assert (out / "metrics.csv").read_text().splitlines()[-1].startswith("5,")
    assert torch.load(out / "checkpoint.pt", weights_only=True)["step"] == 6
    with (out / "metrics.csv").open("a") as file:
        file.write("6,1.0,2.0,3.0,4.0\n7,1.0,2.")  # as a kill in the middle of writing leaves it
    assert program("train", "--resume", out, "--corpus", corpus) == 0
    same(out, uninterrupted)


def test_a_run_that_dies_goes_on_from_its_last_checkpoint(uninterrupted, train, program, corpus, tmp_path, monkeypatch):
    class Killed(BaseException):
        pass

    def step(_, made):
        if made.number == STOPPED:
            raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(progress.Lines, "step", step)
        with pytest.raises(Killed):
            train(tmp_path / "run", **OPTIONS)
    check_it_goes_on(tmp_path / "run", corpus, program, uninterrupted)


@pytest.mark.slow
def test_a_process_that_is_killed_goes_on_from_its_last_checkpoint(uninterrupted, program, corpus, tmp_path):
    out = tmp_path / "run"
    command = [sys.executable, "-c", KILL, *words(corpus, out, **OPTIONS)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == -signal.SIGKILL
    check_it_goes_on(out, corpus, program, uninterrupted)


def test_a_finished_run_makes_its_samples_again(program, corpus, finished):
    samples = finished.folder / "samples.json"
    first = samples.read_bytes()
    samples.unlink()
    assert program("train", "--resume", finished.folder, "--corpus", corpus) == 0
    assert samples.read_bytes() == first


def test_a_resumed_run_cannot_be_changed(program, corpus, finished, capsys):
    again = ["train", "--resume", finished.folder, "--corpus", corpus]
    assert program(*again, "--steps", 99, "--max-lr", "3e-3") == 1
    assert "--max-lr, --steps cannot be given\nhint:" in capsys.readouterr().err


def test_a_resumed_run_goes_on_with_its_own_text(program, finished, tmp_path, capsys):
    (tmp_path / "other.txt").write_text("Another text. " * 100)
    assert program("train", "--resume", finished.folder, "--corpus", tmp_path / "other.txt") == 1
    said = capsys.readouterr().err
    assert "this run saw another text: cats.txt" in said
    assert "hint: name its file, cats.txt, with --corpus FILE" in said


def test_where_there_is_no_run_or_no_whole_checkpoint_it_is_told(program, corpus, finished, tmp_path, capsys):
    assert program("train", "--resume", tmp_path, "--corpus", corpus) == 1
    assert f"{tmp_path} holds no run" in capsys.readouterr().err
    for name in ("run.json", "metrics.csv", "tokenizer.json"):
        (tmp_path / name).write_bytes((finished.folder / name).read_bytes())
    (tmp_path / "checkpoint.pt").write_bytes(b"half a checkpoint")
    (tmp_path / "tokenizer.json").write_text("{")
    assert program("sample", tmp_path, "--prompt", "The") == 1
    assert "tokenizer.json" in capsys.readouterr().err
    (tmp_path / "tokenizer.json").write_bytes((finished.folder / "tokenizer.json").read_bytes())
    assert program("train", "--resume", tmp_path, "--corpus", corpus) == 1
    assert "checkpoint.pt" in capsys.readouterr().err


def test_a_record_of_another_version_is_told(program, tmp_path, capsys):
    (tmp_path / "run.json").write_text('{"schema_version": 2}')
    assert program("plot", tmp_path) == 1
    assert "is of another version of this program\nhint:" in capsys.readouterr().err


def test_a_second_ctrl_c_stops_at_once():
    with Interrupt() as interrupt:
        os.kill(os.getpid(), signal.SIGINT)
        assert interrupt.asked()
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
