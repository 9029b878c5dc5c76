"""A run begins only where it can end: what would stop it later is told before the first step, and leaves nothing behind."""

from __future__ import annotations

import json
import shlex
import shutil
import sys

import pytest
from hw11 import progress
from hw11.modules import NAMES

from tests.homework.conftest import REFERENCE, words

UNDONE = '\n\ndef {name}(*_, **__):\n    raise NotImplementedError("{module}.{name}")\n'
UNCROPPED = """

_right = sample_next


def generate(model, idx, max_new_tokens, **how):
    for _ in range(max_new_tokens):
        idx = torch.cat([idx, _right(model(idx)[0][:, -1], **how)[:, None]], dim=1)
    return idx
"""
# Right for the first tokens, as when only a long text goes wrong.
LATE = """

_grid = prompt_grid


def prompt_grid(model, tokenizer, prompts, temperatures, max_new_tokens, seed):
    if max_new_tokens > 1:
        raise NotImplementedError("generation.prompt_grid")
    return _grid(model, tokenizer, prompts, temperatures, max_new_tokens, seed)
"""


@pytest.fixture
def code(tmp_path):
    """A student's folder: the reference's four modules, to be spoiled."""
    home = tmp_path / "code"
    home.mkdir()
    for name in NAMES:
        shutil.copy(REFERENCE / f"{name}.py", home)
    return home


@pytest.fixture
def spoil(code):
    def add(module, text):
        with (code / f"{module}.py").open("a") as file:
            file.write(text)

    return add


def mend(code, module):
    """Put the right module back, to be imported anew as by another process."""
    shutil.copy(REFERENCE / f"{module}.py", code)
    for name in NAMES:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("generation", "prompt_grid"),
        ("generation", "sample_next"),
        ("training", "save_checkpoint"),
        ("training", "train_step"),
    ],
)
def test_once_it_is_written_the_same_command_trains(program, corpus, code, spoil, tmp_path, capsys, module, name):
    command = words(corpus, tmp_path / "run", code=code, steps=2, max_new_tokens=1)
    spoil(module, UNDONE.format(module=module, name=name))
    assert program(*command) == 1
    said = capsys.readouterr().err
    assert f"{module}.{name} is still to do" in said
    assert "step     0" not in said
    mend(code, module)
    assert program(*command) == 0
    assert json.loads((tmp_path / "run" / "run.json").read_text())["final"]["step"] == 1


def test_what_cannot_be_sampled_is_told_before_a_run_goes_on(program, train, corpus, code, spoil, tmp_path, capsys):
    class StoppedError(Exception):
        pass

    def stop(_, made):
        if made.number == 5:
            raise StoppedError

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(progress.Lines, "step", stop)
        with pytest.raises(StoppedError):
            train(tmp_path / "run", checkpoint_every=3)
    spoil("generation", UNDONE.format(module="generation", name="prompt_grid"))
    assert program("train", "--resume", tmp_path / "run", "--corpus", corpus, "--code", code) == 1
    said = capsys.readouterr().err
    assert "generation.prompt_grid is still to do" in said
    assert "step     5" not in said


def test_a_text_longer_than_the_context_is_tried_before_the_first_step(program, corpus, code, spoil, tmp_path):
    spoil("generation", UNCROPPED)
    with pytest.raises((ValueError, IndexError, RuntimeError)):
        program(*words(corpus, tmp_path / "run", code=code))
    assert not (tmp_path / "run").exists()


def test_what_goes_wrong_after_the_training_loses_nothing_of_it(program, corpus, code, spoil, tmp_path, capsys):
    spoil("generation", LATE)
    assert program(*words(corpus, tmp_path / "run", code=code, steps=2)) == 1
    lines = capsys.readouterr().err.splitlines()
    [at] = [at for at, line in enumerate(lines) if line.startswith("the trained model is kept in")]
    assert "generation.prompt_grid is still to do" in lines[at + 2]
    before = (tmp_path / "run" / "metrics.csv").read_bytes()
    mend(code, "generation")
    assert program(*shlex.split(lines[at + 1])[2:]) == 0
    assert (tmp_path / "run" / "samples.json").is_file()
    assert (tmp_path / "run" / "metrics.csv").read_bytes() == before


def test_where_a_run_was_stopped_the_command_that_goes_on_is_told_before_the_corpus_is_read(
    program, train, corpus, tmp_path, capsys
):
    train(tmp_path / "run", steps=2, max_new_tokens=1)
    (tmp_path / "run" / "samples.md").unlink()
    capsys.readouterr()
    assert train(tmp_path / "run", steps=2) == 1
    said = capsys.readouterr().err
    assert str(corpus.name) not in said.partition("error:")[0]
    _, hint, command, other = said.splitlines()
    assert hint == "hint: go on with it:"
    assert other == f"or name another folder with --out, or delete {tmp_path / 'run'}"
    again = shlex.split(command)
    assert again == ["python", "homework11.py", "train", "--resume", str(tmp_path / "run"), "--corpus", str(corpus)]
    assert program(*again[2:]) == 0


def test_a_finished_run_is_not_to_be_gone_on_with(train, finished, capsys):
    assert train(finished.folder) == 1
    said = capsys.readouterr().err
    assert f"hint: it is finished: name another folder with --out, or delete {finished.folder}" in said
    assert "--resume" not in said


def test_what_is_still_to_write_by_hand_is_told_in_the_end(program, corpus, code, tmp_path, capsys):
    assert program(*words(corpus, tmp_path / "run", code=code, steps=1, max_new_tokens=1)) == 0
    assert "still to write in your own words, beside your programs: answers.md" in capsys.readouterr().err
    (code / "answers.md").write_text(" \n")
    assert program(*words(corpus, tmp_path / "empty", code=code, steps=1, max_new_tokens=1)) == 0
    assert "still to write" in capsys.readouterr().err
    (code / "answers.md").write_text("1. Both fall.\n")
    assert program(*words(corpus, tmp_path / "next", code=code, steps=1, max_new_tokens=1)) == 0
    assert "still to write" not in capsys.readouterr().err


def test_what_can_never_be_handed_in_is_told_before_the_first_step(train, tmp_path, capsys):
    assert train(tmp_path / "run", steps=1, prompt="The cat", temperature=1, max_new_tokens=50, dropout=0.1) == 0
    before = capsys.readouterr().err.partition("step     0")[0]
    assert "warning: this run cannot be handed in as homework, which needs 3 different prompts (--prompt), " in before
    for needed in ("3 different temperatures", "100 new tokens at least", "dropout 0"):
        assert needed in before


def test_what_may_be_handed_in_is_not_warned_of(program, corpus, tmp_path, capsys):
    prompts = [word for prompt in ("The cat", "A bird", "and") for word in ("--prompt", prompt)]
    assert program(*words(corpus, tmp_path / "run", steps=1, max_new_tokens=100), *prompts) == 0
    assert "warning" not in capsys.readouterr().err
