"""What the user can mend is said in one message, with what to do."""

from __future__ import annotations

import builtins
import importlib.util
import shutil
import sys
from pathlib import Path

import pytest
import torch
from hw11 import progress

from tests.homework.conftest import REFERENCE, words

PARTS = ("layers.py", "gpt2.py", "training.py", "generation.py")


@pytest.fixture
def code(tmp_path):
    """A student's folder: the reference's four modules, to be spoiled."""
    home = tmp_path / "code"
    home.mkdir()
    for name in PARTS:
        shutil.copy(REFERENCE / name, home)
    return home


@pytest.fixture
def refused(program, capsys):
    """Run the program, which should refuse, and return its message."""

    def run(*given):
        assert program(*given) == 1
        said = capsys.readouterr().err
        assert "Traceback" not in said
        message, _, hint = said[said.index("error: ") :].partition("\nhint: ")
        assert message
        assert hint.strip()
        return said

    return run


def test_a_missing_corpus(refused, tmp_path):
    said = refused(*words(tmp_path / "lost.txt", tmp_path / "run"))
    assert f"cannot read the corpus {tmp_path / 'lost.txt'}: No such file" in said
    assert "hint: name a text file with --corpus FILE, or take --corpus builtin" in said
    assert not (tmp_path / "run").exists()


def test_a_corpus_that_is_no_utf8(refused, tmp_path):
    (tmp_path / "latin.txt").write_bytes("caf\u00e9".encode("latin-1") * 100)
    assert "is not UTF-8: byte 0xe9 at 3" in refused(*words(tmp_path / "latin.txt", tmp_path / "run"))


def test_a_corpus_that_is_too_short(refused, tmp_path):
    (tmp_path / "short.txt").write_text("abc" * 20)
    said = refused(*words(tmp_path / "short.txt", tmp_path / "run"))
    assert "60 tokens, of which a part of 6 holds no sequence of 8" in said


def test_a_folder_that_lacks_a_module(refused, corpus, code, tmp_path):
    (code / "training.py").unlink()
    assert f"{code} has no training.py" in refused(*words(corpus, tmp_path / "run", code=code))


@pytest.mark.parametrize(
    ("text", "told"),
    [("def broken(:\n", "training.py, line 1: invalid syntax"), ("from layers import Nothing\n", "cannot import name")],
)
def test_a_module_that_cannot_be_imported(refused, corpus, code, tmp_path, text, told):
    (code / "training.py").write_text(text)
    assert told in refused(*words(corpus, tmp_path / "run", code=code))


@pytest.mark.parametrize(
    ("module", "name", "exercise"),
    [
        ("training", "train_step", "training.train_step"),
        ("training", "save_checkpoint", "training.save_checkpoint"),
        ("generation", "prompt_grid", "generation.prompt_grid"),
        ("gpt2", "from_preset", "gpt2.from_preset"),
    ],
)
def test_what_is_still_to_do_is_told_before_the_second_step(refused, corpus, code, tmp_path, module, name, exercise):
    with (code / f"{module}.py").open("a") as file:
        file.write(f'\n\ndef {name}(*_, **__):\n    raise NotImplementedError("{exercise}")\n')
    line = len((code / f"{module}.py").read_text().splitlines())
    said = refused(*words(corpus, tmp_path / "run", code=code))
    assert f"error: {exercise} is still to do ({module}.py, line {line})" in said
    assert f"`grader check {exercise}`" in said
    assert "step     0" not in said


def test_a_bug_of_the_students_own_keeps_its_traceback(program, corpus, code, tmp_path):
    with (code / "training.py").open("a") as file:
        file.write('\n\ndef save_checkpoint(*_):\n    raise RuntimeError("my own")\n')
    with pytest.raises(RuntimeError, match="my own"):
        program(*words(corpus, tmp_path / "run", code=code))


@pytest.mark.parametrize("name", ["run.json", "checkpoint.pt", "metrics.csv"])
def test_a_full_disk(refused, corpus, tmp_path, name):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / f"{name}.part").symlink_to("/dev/full")
    said = refused(*words(corpus, tmp_path / "run"))
    assert f"cannot write {tmp_path / 'run' / name}: " in said
    assert "make room on the disk" in said


def test_a_number_out_of_range(refused, corpus, tmp_path):
    assert "at least 1" in refused(*words(corpus, tmp_path / "run", batch_size=0))
    assert "no size is called 'gpt3'" in refused(*words(corpus, tmp_path / "run", preset="gpt3"))
    assert "out of range" in refused(*words(corpus, tmp_path / "run", max_lr=-1))
    assert "at least one step" in refused(*words(corpus, tmp_path / "run", steps=0))


def test_a_character_that_the_corpus_does_not_have(refused, corpus, finished, tmp_path):
    said = refused(*words(corpus, tmp_path / "run", prompt="50 \u20ac"))
    assert "the character '5' (U+0035) stands nowhere in the corpus" in said
    assert not (tmp_path / "run").exists()
    assert "'\u20ac' (U+20AC)" in refused("sample", finished.folder, "--prompt", "The \u20ac")
    assert "k = 0" in refused("sample", finished.folder, "--prompt", "The", "--top-k", 0)


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("checkpoint_every", 0, "0 is less than 1"),
        ("max_new_tokens", 0, "0 is less than 1"),
        ("temperature", -1, "-1.0 is less than 0"),
        ("temperature", "nan", "nan is less than 0"),
        ("steps", "many", "invalid int value: 'many'"),
        ("seed", "1.5", "'1.5' is no whole number"),
        ("seed", 2**64, "a seed is less than 2^63"),
    ],
)
def test_a_word_that_is_no_such_number(program, corpus, tmp_path, capsys, option, value, told):
    with pytest.raises(SystemExit) as ended:
        program(*words(corpus, tmp_path / "run", **{option: value}))
    assert ended.value.code == 2
    error, hint = capsys.readouterr().err.splitlines()
    assert error.startswith("error: ")
    assert told in error
    assert hint == "hint: `python homework11.py train --help` tells the options"


def test_the_largest_seed_and_a_negative_one_train(train, tmp_path):
    for seed in (2**63 - 1, -1):
        assert train(tmp_path / str(seed), steps=1, max_new_tokens=1, seed=seed) == 0


def test_an_empty_prompt(refused, corpus, finished, tmp_path):
    assert "a prompt has one character at least" in refused(*words(corpus, tmp_path / "run", prompt=""))
    assert "a prompt has one character at least" in refused("sample", finished.folder, "--prompt", "")


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")
def test_a_device_that_is_not_there(refused, corpus, tmp_path):
    assert "torch finds no cuda here" in refused(*words(corpus, tmp_path / "run", device="cuda"))


def test_without_matplotlib_all_else_is_written(train, program, tmp_path, monkeypatch, capsys):
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    plain = builtins.__import__

    def without(name, *rest):
        if name.partition(".")[0] == "matplotlib":
            raise ImportError(name)
        return plain(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    assert train(tmp_path / "run", steps=1, max_new_tokens=1) == 0
    assert "needs the package `matplotlib`\nhint:" in capsys.readouterr().err
    assert (tmp_path / "run" / "samples.md").is_file()
    assert not (tmp_path / "run" / "loss.png").exists()
    assert program("plot", tmp_path / "run") == 1


def test_a_machine_without_rich_has_lines(monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    pace = progress.Pace(0, 10, 1)
    assert isinstance(progress.progress(pace, speaks=True), progress.Bar)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert isinstance(progress.progress(pace, speaks=True), progress.Lines)
    assert isinstance(progress.progress(pace, speaks=False), progress.Silent)


def test_without_torch_it_is_told_what_to_install(monkeypatch, capsys):
    import homework11

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "torch" else name)
    assert homework11.main(["train"]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"error: {sys.executable} has no torch\nhint: ")
    assert "pip install torch matplotlib" in said


def test_the_program_itself_tells_how_it_is_called(capsys):
    import homework11

    with pytest.raises(SystemExit) as ended:
        homework11.main(["train", "--help"])
    assert ended.value.code == 0
    assert "--resume RUN" in capsys.readouterr().out
    assert Path(homework11.__file__).parent == homework11.HERE
