"""What is made before the first step: data, tokenizer, model and record, of a new run or of one that goes on."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from hw11 import baseline, record
from hw11.arguments import DEFAULT_TEMPERATURES, changed
from hw11.corpus import BUILTIN, as_tokens, read, split
from hw11.errors import HomeworkError
from hw11.folder import RunFolder
from hw11.modules import Code
from hw11.recipe import RECIPE
from hw11.samples import default_prompts
from hw11.say import say
from hw11.tokenizer import KINDS, Tokenizer, encode, load


@dataclass
class Prepared:
    """All that a run begins with.

    Args:
        folder: Where it is written.
        record: What `run.json` holds.
        tokenizer: The tokenizer.
        data: The training and the validation part, int64 [N] and [M].
        model: The model, newly made.
    """

    folder: RunFolder
    record: dict[str, Any]
    tokenizer: Tokenizer
    data: tuple[Tensor, Tensor]
    model: nn.Module


def fresh(arguments: argparse.Namespace, code: Code) -> Prepared:
    """Return a new run.

    Raises:
        HomeworkError: Something that was asked for cannot be had.
    """
    corpus = read(arguments.corpus)
    say(str(corpus))
    tokenizer = KINDS[arguments.tokenizer].learn(corpus.text, arguments.vocab_size)
    data = split(as_tokens(tokenizer.encode(corpus.text)), arguments.context)
    if arguments.steps < 1:
        raise HomeworkError("a run has at least one step", hint="ask for --steps 1 or more")
    fields = {name: getattr(arguments, name) for name in RECIPE} | {"block_size": arguments.context}
    config = record.train_config(fields, code)
    model = _model(arguments, tokenizer, code)
    made = record.new(arguments, corpus, tokenizer.vocab_size, model.config, config)
    made["tokens"] = {"train": len(data[0]), "val": len(data[1])}
    made["baselines"] = {
        "unigram_perplexity": baseline.unigram_perplexity(*data, tokenizer.vocab_size),
        "bigram_perplexity": baseline.bigram_perplexity(*data, tokenizer.vocab_size),
    }
    made["samples"] = {
        "prompts": _prompts(arguments, tokenizer, data[1]),
        "temperatures": arguments.temperature or DEFAULT_TEMPERATURES,
        "max_new_tokens": arguments.max_new_tokens,
        "seed": arguments.seed,
    }
    return Prepared(RunFolder(arguments.out), made, tokenizer, data, model)


def resumed(arguments: argparse.Namespace, code: Code) -> Prepared:
    """Return a run that goes on.

    Raises:
        HomeworkError: There is none, it was over another text, or it was asked to change.
    """
    if others := changed(arguments):
        raise HomeworkError(
            f"a resumed run is as it began: {', '.join(others)} cannot be given",
            hint="leave them out, or begin a new run with --out",
        )
    folder = RunFolder(arguments.resume)
    found = folder.read_record()
    corpus = read(arguments.corpus)
    if corpus.sha256 != found["corpus"]["sha256"]:
        raise HomeworkError(
            f"this run saw another text: {found['corpus']['name']}, sha256 {found['corpus']['sha256'][:12]}, and this is {corpus}",
            hint=_which(found["corpus"]["name"]),
        )
    tokenizer = load(found["tokenizer"]["kind"], folder.tokenizer)
    data = split(as_tokens(tokenizer.encode(corpus.text)), found["training"]["block_size"])
    return Prepared(folder, found, tokenizer, data, record.model(found, code))


def _which(name: str) -> str:
    if name == BUILTIN:
        return "go on with the Python that began it, or begin a new run"
    return f"name its file, {name}, with --corpus FILE"


def _model(arguments: argparse.Namespace, tokenizer: Tokenizer, code: Code) -> nn.Module:
    torch.manual_seed(arguments.seed)
    numbers = {"vocab_size": tokenizer.vocab_size, "block_size": arguments.context}
    try:
        model: nn.Module = code.gpt2.from_preset(
            arguments.preset, **numbers, dropout=arguments.dropout, bias=arguments.bias
        )
    except ValueError as error:
        raise HomeworkError(str(error), hint="`train --help` lists the presets and what they need") from error
    return model


def _prompts(arguments: argparse.Namespace, tokenizer: Tokenizer, val_data: Tensor) -> list[str]:
    prompts = arguments.prompt or default_prompts(tokenizer, val_data)
    for prompt in prompts:  # a character without a token is told now, and not in the end
        encode(tokenizer, prompt)
    return prompts
