"""samples.json and samples.md: what the trained model wrote, for every prompt at every temperature."""

import hashlib
from pathlib import Path

import numpy as np
import torch

from grader.testing import core, edge, exercise

pytestmark = exercise("homework11.samples")
CORPUS = (Path(__file__).parents[1] / "data" / "corpus.txt").read_text("utf-8")
VOCABULARY = sorted(set(CORPUS))
WANTED = "the course's corpus.txt: train with --corpus ../assignments/homework11/data/corpus.txt"


@core
def test_every_declared_prompt_is_continued_at_every_declared_temperature(artifacts):
    rows, told = artifacts.json("run/samples.json"), artifacts.json("run/run.json")["samples"]
    prompts, temperatures = told["prompts"], told["temperatures"]
    assert min(len(set(prompts)), len(set(temperatures))) >= 3, (
        "three prompts and three temperatures are asked for, all different"
    )
    found = [(row["prompt"], row["temperature"]) for row in rows]
    expected = [(prompt, temperature) for prompt in prompts for temperature in temperatures]
    inner = [(prompt, temperature) for temperature in temperatures for prompt in prompts]
    assert found != inner, "samples.json runs through the prompts for each temperature: prompts are the outer loop"
    assert found == expected, (
        "samples.json does not hold the prompts and temperatures that run.json declares, in their order"
    )
    seeds = [row["seed"] for row in rows]
    assert len(set(seeds)) == len(seeds), "several samples have one seed: row i uses seed + i"
    assert seeds == [told["seed"] + i for i in range(len(rows))], "the seeds in samples.json are not seed + i"


@core
def test_a_sample_is_its_prompt_and_as_many_new_tokens_as_were_asked_for(artifacts):
    rows, new = artifacts.json("run/samples.json"), artifacts.json("run/run.json")["samples"]["max_new_tokens"]
    assert new >= 100, f"samples of {new} new tokens are too short to tell anything: ask for 100 or more"
    for row in rows:
        assert row["text"].startswith(row["prompt"]), f"a sample does not begin with its prompt, {row['prompt']!r}"
        assert len(row["text"]) == len(row["prompt"]) + new, (
            f"a sample has {len(row['text']) - len(row['prompt'])} new tokens, and {new} were asked for"
        )
        strange = "".join(sorted(set(row["text"]) - set(VOCABULARY)))
        assert not strange, f"a sample has characters that are not in the corpus, {strange!r}: it should be {WANTED}"
    assert len({row["text"][len(row["prompt"]) :] for row in rows}) > len(rows) // 2, (
        "most samples are the same text, whatever the temperature"
    )


@core
def test_the_coolest_sample_is_likely_under_the_model_of_the_checkpoint(artifacts, submission):
    record, rows = artifacts.json("run/run.json"), artifacts.json("run/samples.json")
    assert record["corpus"]["sha256"] == hashlib.sha256(CORPUS.encode()).hexdigest(), (
        f"the model of this run read another text than {WANTED}"
    )
    row = min(rows, key=lambda row: row["temperature"])
    strange = set(row["text"]) - set(VOCABULARY)
    assert not strange, (
        "the coolest sample has characters that the model cannot have written: they are not in the corpus"
    )
    ids = torch.tensor([VOCABULARY.index(letter) for letter in row["text"][: record["model"]["block_size"]]])[None]
    checkpoint = np.frombuffer(artifacts["run/checkpoint.pt"], dtype=np.uint8)
    logits, _ = submission.logits(checkpoint, record, ids[:, :-1])
    start = len(row["prompt"])
    told = logits.double().log_softmax(dim=-1).gather(-1, ids[:, 1:, None])[0, start - 1 :, 0]
    val_loss = artifacts.table("run/metrics.csv", ["step", "loss", "val_loss", "perplexity", "learning_rate"])[
        "val_loss"
    ][-1]
    mean = -float(told.mean())
    assert mean < val_loss + 0.5, (
        f"the sample of temperature {row['temperature']} is not this model's: the model finds it harder, at {mean:.2f} nats a token, than text that it never saw"
    )


@edge
def test_the_page_holds_every_sample(artifacts):
    page = artifacts.text("run/samples.md")
    missing = [row["prompt"] for row in artifacts.json("run/samples.json") if row["text"] not in page]
    assert not missing, f"samples.md lacks {len(missing)} of the samples in samples.json"
