"""Two processes that share each batch take the steps of one that has it all."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import torch
from hw11 import metrics, progress
from hw11.errors import HomeworkError
from hw11.team import Several

from tests.homework.conftest import REFERENCE, words

PROGRAM = REFERENCE.parent / "student_template" / "homework11.py"


@contextmanager
def beside(size: int, given: list[str], **env: str) -> Iterator[list[subprocess.Popen[str]]]:
    """Start the program in all processes but the first, and let this one be the first, as `torchrun` would have them."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    common = {"WORLD_SIZE": str(size), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "OMP_NUM_THREADS": "1", **env}
    command = [sys.executable, str(PROGRAM), *given, "--code", str(REFERENCE)]

    def of(rank: int) -> dict[str, str]:
        return {**common, "RANK": str(rank), "LOCAL_RANK": str(rank)}

    started = [
        subprocess.Popen(
            command, env={**os.environ, **of(rank)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for rank in range(1, size)
    ]
    with pytest.MonkeyPatch.context() as patched:
        for name, value in of(0).items():
            patched.setenv(name, value)
        try:
            yield started
        finally:
            for each in started:
                each.said = each.communicate(timeout=120)


def test_two_processes_have_the_losses_of_one_with_the_same_batch(train, corpus, tmp_path):
    options = {"accumulate": 2, "preset": "pico", "log_every": 1, "max_new_tokens": 1}
    assert train(tmp_path / "one", **options) == 0
    with beside(2, words(corpus, tmp_path / "two", **options)) as others:
        assert train(tmp_path / "two", **options) == 0
    assert (others[0].returncode, others[0].said[0]) == (0, ""), others[0].said[1]
    one, two = (metrics.read(tmp_path / name / "metrics.csv") for name in ("one", "two"))
    assert [row.step for row in two] == list(range(12))
    for ours, theirs in zip(two, one, strict=True):
        assert tuple(ours) == pytest.approx(tuple(theirs), rel=1e-5)
    assert one[-1].loss < one[0].loss - 0.01
    assert json.loads((tmp_path / "two" / "run.json").read_text())["options"]["world_size"] == 2


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="no two GPUs here")
def test_two_gpus_have_the_losses_of_one(train, corpus, tmp_path):
    options = {"device": "cuda", "log_every": 1}
    assert train(tmp_path / "one", **options) == 0
    with beside(2, words(corpus, tmp_path / "two", **options)):
        assert train(tmp_path / "two", **options) == 0
    one, two = (metrics.read(tmp_path / name / "metrics.csv") for name in ("one", "two"))
    for ours, theirs in zip(two, one, strict=True):
        assert tuple(ours) == pytest.approx(tuple(theirs), rel=1e-4)


@pytest.mark.slow
def test_one_processs_ctrl_c_stops_all_in_one_step_and_they_go_on_together(
    train, program, corpus, tmp_path, monkeypatch, capsys
):
    options = {"dropout": 0.3}
    with beside(2, words(corpus, tmp_path / "whole", **options)):
        assert train(tmp_path / "whole", **options) == 0

    def stop(_, made):
        if made.number == 5:
            os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patched, beside(2, words(corpus, tmp_path / "half", **options)) as others:
        patched.setattr(progress.Lines, "step", stop)
        assert train(tmp_path / "half", **options) == 130
    assert others[0].returncode == 130
    assert torch.load(tmp_path / "half" / "checkpoint.pt", weights_only=True)["step"] == 7
    again = ["train", "--resume", str(tmp_path / "half"), "--corpus", str(corpus)]
    assert program(*again) == 1
    assert "this run has 2 processes, and here are 1" in capsys.readouterr().err
    with beside(2, again):
        assert program(*again) == 0
    whole, half = (torch.load(tmp_path / name / "checkpoint.pt", weights_only=True) for name in ("whole", "half"))
    assert whole["step"] == half["step"] == 12
    for name, value in half["model"].items():
        assert torch.equal(value, whole["model"][name]), name
    assert (tmp_path / "half" / "metrics.csv").read_bytes() == (tmp_path / "whole" / "metrics.csv").read_bytes()


def test_a_batch_that_does_not_divide_is_refused():
    class Two(Several):
        def __init__(self):
            self.rank, self.size = 1, 2

    x = torch.arange(12).view(6, 2)
    assert Two().share((x, x))[0].tolist() == x[3:].tolist()
    with pytest.raises(HomeworkError, match="a batch of 5 does not divide among 2 processes"):
        Two().share((x[:5], x[:5]))
