"""What a model writes: samples.md to be read, samples.json for machines."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from torch import Tensor

from hw11.folder import RunFolder, write
from hw11.tokenizer import Tokenizer

_LENGTH = 16
_HOW_MANY = 3


def default_prompts(tokenizer: Tokenizer, val_data: Tensor) -> list[str]:
    """Return how three lines of the validation part begin: texts that the model has not seen, in its own characters."""
    lines = tokenizer.decode(val_data.tolist()).split("\n")
    long = [line for line in lines if len(line) > 2 * _LENGTH and line[0].isalpha()] or [" ".join(lines).strip()]
    evenly = [long[i * len(long) // _HOW_MANY] for i in range(_HOW_MANY)]
    return list(dict.fromkeys(line[:_LENGTH].rsplit(" ", 1)[0] for line in evenly))


def save(folder: RunFolder, rows: Sequence[dict[str, Any]]) -> None:
    """Write what `prompt_grid` returned.

    Raises:
        HomeworkError: A file cannot be written.
    """
    write(folder.samples.with_suffix(".json"), json.dumps(list(rows), indent=2, ensure_ascii=False) + "\n")
    write(folder.samples, as_markdown(rows))


def as_markdown(rows: Sequence[dict[str, Any]]) -> str:
    """Return a page with a heading for each prompt, and under it one for each temperature."""
    parts = ["# Samples\n"]
    for prompt, group in groupby(rows, key=lambda row: str(row["prompt"])):
        parts.append(f"## {' '.join(prompt.split())}\n")
        parts += [
            f"### temperature {row['temperature']}, seed {row['seed']}\n\n{_fenced(row['text'])}" for row in group
        ]
    return "\n".join(parts)


def _fenced(text: str) -> str:
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)  # longer than any in the text, which would end it
    return f"{fence}text\n{text}\n{fence}\n"
