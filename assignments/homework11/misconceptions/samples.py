"""Samples of other prompts, other seeds or another model than the run declares."""

from __future__ import annotations

import json

from grader.testing import wrong_run
from misconceptions.shared import RECORD, SAMPLES, with_json, with_state


def _rows(files, change):
    return with_json(files, SAMPLES, change)


@wrong_run("homework11.samples/temperatures-outside", says="prompts are the outer loop")
def temperatures_outside(files):
    order = list(dict.fromkeys(row["temperature"] for row in json.loads(files[SAMPLES])))
    return _rows(files, lambda rows: sorted(rows, key=lambda row: order.index(row["temperature"])))


@wrong_run("homework11.samples/other-prompts", says="does not hold the prompts and temperatures that run.json declares")
def other_prompts(files):
    return _rows(files, lambda rows: [row | {"prompt": row["prompt"][:-1]} for row in rows])


@wrong_run("homework11.samples/one-seed", says="several samples have one seed")
def one_seed(files):
    return _rows(files, lambda rows: [row | {"seed": rows[0]["seed"]} for row in rows])


@wrong_run("homework11.samples/seeds-shifted", says="are not seed + i")
def seeds_shifted(files):
    return _rows(files, lambda rows: [row | {"seed": row["seed"] + 1} for row in rows])


@wrong_run("homework11.samples/without-the-prompt", says="does not begin with its prompt")
def without_the_prompt(files):
    return _rows(files, lambda rows: [row | {"text": row["text"][len(row["prompt"]) :]} for row in rows])


@wrong_run("homework11.samples/one-token-too-few", says="new tokens, and")
def one_token_too_few(files):
    return _rows(files, lambda rows: [row | {"text": row["text"][:-1]} for row in rows])


@wrong_run("homework11.samples/strange-characters", says="characters that are not in the corpus")
def strange_characters(files):
    return _rows(files, lambda rows: [row | {"text": row["text"][:-1] + "é"} for row in rows])


@wrong_run("homework11.samples/temperature-ignored", says="most samples are the same text")
def temperature_ignored(files):
    def same(rows):
        tail = rows[0]["text"][len(rows[0]["prompt"]) :]
        return [row | {"text": row["prompt"] + tail} for row in rows]

    return _rows(files, same)


@wrong_run("homework11.samples/of-another-model", says="is not this model's")
def of_another_model(files):
    noise = "ZzQqXjK_%"
    return _rows(files, lambda rows: [row | {"text": row["prompt"] + _noise(row, noise)} for row in rows])


def _noise(row, letters):
    n = len(row["text"]) - len(row["prompt"])
    return "".join(letters[(i * i + 3 * i + row["seed"]) % len(letters)] for i in range(n))


@wrong_run("homework11.samples/an-old-page", says="samples.md lacks")
def an_old_page(files):
    return files | {"run/samples.md": files["run/samples.md"].replace(b"e", b"E")}


@wrong_run("homework11.samples/of-the-model-before-training", says="is not this model's")
def before_training(files):
    return with_state(files, lambda state: state | {"model": {k: -3 * v for k, v in state["model"].items()}})


@wrong_run("homework11.samples/of-another-corpus", says="read another text than the course's corpus.txt: train with")
def of_another_corpus(files):
    read = with_json(files, RECORD, lambda run: run | {"corpus": run["corpus"] | {"sha256": "0" * 64}})
    return _rows(read, lambda rows: [row | {"text": row["text"][:-1] + "’"} for row in rows])
