"""run.json: all that a run needs to be made again, and what came of it."""

from __future__ import annotations

import argparse
import dataclasses
import importlib.metadata
import json
import math
import platform
from typing import Any

import torch
from torch import nn

from hw11.corpus import Corpus
from hw11.errors import HomeworkError
from hw11.folder import RunFolder, write
from hw11.modules import Code

Record = dict[str, Any]


def new(
    arguments: argparse.Namespace,
    corpus: Corpus,
    vocab_size: int,
    model_config: Any,  # noqa: ANN401  (of the modules that are loaded)
    config: Any,  # noqa: ANN401
) -> Record:
    """Return the record of a run that has not begun; who knows of its tokens and samples adds them."""
    return {
        "schema_version": 1,
        "preset": arguments.preset,
        "model": _plain(model_config),
        "training": _plain(config),
        "seed": arguments.seed,
        "corpus": {"name": corpus.name, "sha256": corpus.sha256, "characters": len(corpus.text)},
        "tokenizer": {"kind": arguments.tokenizer, "vocab_size": vocab_size, "file": "tokenizer.json"},
        "tokens": {},
        "options": {
            "device": arguments.device,
            "dtype": "bfloat16" if arguments.bf16 else "float32",
            "compile": arguments.compile,
            "flash": arguments.flash,
            "checkpointing": arguments.checkpointing,
        },
        "versions": _versions(),
        "baselines": {},
        "final": None,
        "seconds": 0.0,
        "tokens_per_second": None,
        "samples": {},
    }


def save(folder: RunFolder, record: Record) -> None:
    """Write `run.json`.

    Raises:
        HomeworkError: It cannot be written.
    """
    # A loss that is no number any more is no JSON either.
    write(folder.record, json.dumps(_finite(record), indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def train_config(fields: Record, code: Code) -> Any:  # noqa: ANN401
    """Return the `TrainConfig` of its fields.

    Raises:
        HomeworkError: It refuses a number.
    """
    given = {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}
    try:
        return code.training.TrainConfig(**given | {"max_norm": float(fields["max_norm"])})
    except ValueError as error:
        raise HomeworkError(str(error), hint="`train --help` tells what each number is") from error


def model(record: Record, code: Code) -> nn.Module:
    """Return a model with the numbers of the record, newly made."""
    torch.manual_seed(record["seed"])
    fresh: nn.Module = code.gpt2.GPT(code.layers.GPTConfig(**record["model"]))
    return fresh


def _plain(config: Any) -> Record:  # noqa: ANN401
    """Return a dataclass's fields as JSON has them."""
    return {n: list(v) if isinstance(v, tuple) else v for n, v in dataclasses.asdict(config).items()}


def _finite(value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    return repr(value) if isinstance(value, float) and not math.isfinite(value) else value


def _versions() -> dict[str, str | None]:
    return {
        "python": platform.python_version(),
        "torch": torch.__version__,
        "numpy": _version("numpy"),
        "platform": f"{platform.system()} {platform.machine()}",
    }


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
