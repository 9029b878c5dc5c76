"""A small corpus, and the program of Homework 11 run over the reference in this process."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from hw11.command import run
from hw11.modules import NAMES

torch.set_num_threads(1)  # sums this small lose more than they gain by threads

REFERENCE = Path(__file__).resolve().parents[2] / "reference"
TEXT = (
    "The cat sat on the mat, and the dog saw it there.\nA bird sang in a tree: the cat heard it and looked up.\n" * 30
)
# A run of a second: steps 0 to 4, 5, 10 and 11 are logged.
SMALL = {
    "preset": "femto", "context": 8, "batch-size": 4, "steps": 12, "log-every": 5, "eval-batches": 2, "warmup": 3,
    "max-new-tokens": 10, "checkpoint-every": 100,
}  # fmt: skip


@pytest.fixture(autouse=True)
def modules_as_they_were():
    """What a folder named by --code brings in stays in no other test."""
    path, modules = [*sys.path], {name: sys.modules.get(name) for name in NAMES}
    yield
    sys.path[:] = path
    for name, module in modules.items():
        if module is not None:
            sys.modules[name] = module


@pytest.fixture(scope="session")
def corpus(tmp_path_factory):
    path = tmp_path_factory.mktemp("corpus") / "cats.txt"
    path.write_text(TEXT, "utf-8")
    return path


@pytest.fixture
def program():
    """Run the program and return its exit code."""
    return lambda *words: run("homework11.py {}", REFERENCE, [str(word) for word in words])


def words(corpus, out, **changes):
    """The command line of a small run: names of options have underscores here, and True is an option without a value."""
    options = {**SMALL, "corpus": corpus, "out": out, **{k.replace("_", "-"): v for k, v in changes.items()}}
    given = [[f"--{name}"] if value is True else [f"--{name}", str(value)] for name, value in options.items()]
    return ["train", *(word for each in given for word in each)]


@pytest.fixture
def train(program, corpus):
    """Train in this process; `out` is the folder."""
    return lambda out, **changes: program(*words(corpus, out, **changes))


@pytest.fixture(scope="session")
def finished(tmp_path_factory, corpus):
    """A run that is finished, with the record that it left."""
    out = tmp_path_factory.mktemp("finished") / "run"
    path = [*sys.path]
    assert run("homework11.py {}", REFERENCE, words(corpus, out, prompt="The cat")) == 0
    sys.path[:] = path
    return SimpleNamespace(folder=out, record=json.loads((out / "run.json").read_text("utf-8")))
