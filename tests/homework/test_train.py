"""What a run leaves: the numbers of the reference's own `train`, in the one format that others read."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math

import pytest
import torch
from hw11 import metrics
from hw11.characters import Characters
from hw11.record import train_config

import context
import generation
import gpt2
import layers
import training
from tests.homework.conftest import TEXT


@pytest.fixture
def model(finished):
    """The model that a run ended with, read from its checkpoint."""
    found = gpt2.GPT(layers.GPTConfig(**finished.record["model"]))
    state = torch.load(finished.folder / "checkpoint.pt", weights_only=True)
    found.load_state_dict(state["model"])
    return found


def test_a_run_leaves_all_its_files_and_no_others(finished):
    names = {path.name for path in finished.folder.iterdir()}
    pictures = {"loss.png"} if names & {"loss.png"} else set()
    assert names == pictures | {
        "run.json", "metrics.csv", "samples.md", "samples.json", "checkpoint.pt", "tokenizer.json"
    }  # fmt: skip


def test_the_record_holds_what_the_run_was_made_of(finished):
    found, text = finished.record, TEXT.encode()
    assert list(found) == [
        "schema_version", "preset", "model", "training", "seed", "corpus", "tokenizer", "tokens", "options", "versions",
        "baselines", "final", "seconds", "tokens_per_second", "samples",
    ]  # fmt: skip
    assert found["schema_version"] == 1
    assert found["corpus"] == {"name": "cats.txt", "sha256": hashlib.sha256(text).hexdigest(), "characters": len(TEXT)}
    assert found["tokenizer"] == {"kind": "char", "vocab_size": len(set(TEXT)), "file": "tokenizer.json"}
    assert found["tokens"] == {"train": int(0.9 * len(TEXT)), "val": len(TEXT) - int(0.9 * len(TEXT))}
    assert found["model"] == dataclasses.asdict(layers.GPTConfig(len(set(TEXT)), 8, n_layer=1, n_head=1, d_model=2))
    assert set(found["training"]) == {field.name for field in dataclasses.fields(training.TrainConfig)}
    assert found["options"] == {
        "device": "cpu", "dtype": "float32", "compile": False, "flash": False, "checkpointing": False, "world_size": 1
    }  # fmt: skip
    assert found["seconds"] > 0
    assert found["tokens_per_second"] == pytest.approx(12 * 4 * 8 / found["seconds"], rel=0.01)


def test_the_rows_are_those_of_the_references_own_training(finished):
    found, tokens = finished.record, torch.tensor(Characters.learn(TEXT, None).encode(TEXT))
    cut = found["tokens"]["train"]
    torch.manual_seed(found["seed"])
    model = gpt2.from_preset("femto", vocab_size=found["tokenizer"]["vocab_size"], block_size=8)
    config = training.TrainConfig(**{**found["training"], "betas": tuple(found["training"]["betas"])})
    generator = torch.Generator().manual_seed(found["seed"])
    history = training.train(model, tokens[:cut], tokens[cut:], config, generator)
    theirs = dict(zip(history.step, zip(*list(dataclasses.asdict(history).values())[1:], strict=True), strict=True))
    ours = {row.step: tuple(row)[1:] for row in metrics.read(finished.folder / "metrics.csv")}
    assert list(ours) == [0, 1, 2, 3, 4, 5, 10, 11]
    assert {step: ours[step] for step in theirs} == theirs


def test_a_run_of_five_steps_begins_a_longer_one(train, tmp_path):
    assert train(tmp_path / "five", steps=5, warmup=9, max_new_tokens=1) == 0
    assert train(tmp_path / "run", steps=12, warmup=9, max_new_tokens=1) == 0
    five, run = ((tmp_path / name / "metrics.csv").read_text().splitlines() for name in ("five", "run"))
    assert five == run[:6]


def test_a_row_holds_every_digit_and_the_last_one_is_the_final_result(finished):
    lines = (finished.folder / "metrics.csv").read_text().splitlines()
    assert lines[0] == "step,loss,val_loss,perplexity,learning_rate"
    rows = metrics.read(finished.folder / "metrics.csv")
    assert lines[1:] == [",".join(map(repr, row)) for row in rows]
    assert all(row.perplexity == pytest.approx(math.exp(row.val_loss)) for row in rows)
    assert finished.record["final"] == {name: getattr(rows[-1], name) for name in finished.record["final"]}
    assert list(finished.record["final"]) == ["step", "loss", "val_loss", "perplexity"]


def test_the_baselines_are_those_of_counting_the_training_part(finished):
    found, tokens = finished.record, torch.tensor(Characters.learn(TEXT, None).encode(TEXT)).numpy()
    cut, V = found["tokens"]["train"], found["tokenizer"]["vocab_size"]
    probs = context.bigram_probs(context.bigram_counts(tokens[:cut], V))
    assert found["baselines"]["bigram_perplexity"] == pytest.approx(context.bigram_perplexity(probs, tokens[cut:]))


def test_the_samples_are_the_prompt_grid_of_the_final_model(finished, model):
    wanted = finished.record["samples"]
    tokenizer = Characters.load(finished.folder / "tokenizer.json")
    grid = generation.prompt_grid(
        model, tokenizer, wanted["prompts"], wanted["temperatures"], wanted["max_new_tokens"], wanted["seed"]
    )
    assert json.loads((finished.folder / "samples.json").read_text("utf-8")) == grid
    page = (finished.folder / "samples.md").read_text("utf-8")
    assert [line for line in page.splitlines() if line.startswith("##")] == [
        "## The cat", *(f"### temperature {row['temperature']}, seed {row['seed']}" for row in grid)
    ]  # fmt: skip
    assert all(f"```text\n{row['text']}\n```\n" in page for row in grid)


def test_the_validation_perplexity_stands_beside_what_counting_reaches(train, tmp_path, capsys):
    assert train(tmp_path / "run", steps=2) == 0
    said = capsys.readouterr()
    assert "validation perplexity" in said.out
    assert "counting pairs of tokens reaches" in said.out
    assert "cats.txt: 3,150 characters" in said.err
    assert "tokens/s" in said.err


def test_a_norm_without_a_bound_is_kept_as_a_word(train, tmp_path):
    assert train(tmp_path / "run", steps=1, max_norm="inf", max_new_tokens=1) == 0
    fields = json.loads((tmp_path / "run" / "run.json").read_text())["training"]
    assert fields["max_norm"] == "inf"
    assert train_config(fields, SimpleCode).max_norm == math.inf


class SimpleCode:
    training = training


def test_a_run_is_not_written_over_another(train, finished, capsys):
    before = (finished.folder / "run.json").read_bytes()
    assert train(finished.folder) == 1
    assert "holds a run already\nhint:" in capsys.readouterr().err
    assert (finished.folder / "run.json").read_bytes() == before


def test_sample_continues_a_prompt_as_often_as_asked(program, finished, capsys):
    words = ["sample", finished.folder, "--prompt", "The cat", "--temperature", 0, "--temperature", 1, "--seed", 5]
    assert program(*words, "--max-new-tokens", 6, "--top-k", 5) == 0
    said = capsys.readouterr()
    first, second = said.out.split("-- temperature 1.0, seed 6\n")
    assert first.startswith("-- temperature 0.0, seed 5\nThe cat")
    assert second.startswith("The cat")
    assert len(second.replace("\n", "")) <= len("The cat") + 6
    assert said.err == ""


def test_plot_draws_the_curves_again(program, finished, tmp_path):
    pytest.importorskip("matplotlib")
    picture = finished.folder / "loss.png"
    first = picture.read_bytes()
    picture.unlink()
    assert program("plot", finished.folder) == 0
    assert picture.read_bytes() == first
