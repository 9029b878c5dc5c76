"""The text that a model learns from, and its two parts."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from hw11.errors import HomeworkError

BUILTIN = "builtin"
# The first part of the tokens trains, the rest validates. A random choice of windows would validate on what was seen.
TRAINING_PART = 0.9


@dataclass(frozen=True)
class Corpus:
    """A text, and what it is called."""

    name: str
    text: str

    @property
    def sha256(self) -> str:
        """The digest of its UTF-8 bytes, by which two runs can tell whether they saw the same text."""
        return hashlib.sha256(self.text.encode("utf-8")).hexdigest()

    def __str__(self) -> str:
        size = f"{len(self.text):,} characters, sha256 {self.sha256[:12]}"
        if self.name != BUILTIN:
            return f"{self.name}: {size}"
        version = ".".join(map(str, sys.version_info[:2]))
        return f"{self.name}: {size}: the documentation of Python {version}, which other versions have in other words"


def read(name: str) -> Corpus:
    """Return the built-in corpus, or the one in a file.

    Raises:
        HomeworkError: There is no such file, or it is no text, or empty.
    """
    if name == BUILTIN:
        return Corpus(BUILTIN, _documentation())
    path = Path(name)
    try:
        text = path.read_bytes().decode("utf-8")  # as bytes, for line ends are part of the text and of its digest
    except OSError as error:
        raise HomeworkError(
            f"cannot read the corpus {name}: {error.strerror}",
            hint=f"name a text file with --corpus FILE, or take --corpus {BUILTIN}",
        ) from error
    except UnicodeDecodeError as error:
        raise HomeworkError(
            f"the corpus {name} is not UTF-8: byte {error.object[error.start]:#04x} at {error.start}",
            hint="save the file as UTF-8",
        ) from error
    return Corpus(path.name, text)


def split(tokens: Tensor, block_size: int) -> tuple[Tensor, Tensor]:
    """Return the training and the validation part, between which no window lies.

    Raises:
        HomeworkError: One of them is too short for a sequence and its targets.
    """
    cut = int(TRAINING_PART * len(tokens))
    parts = tokens[:cut], tokens[cut:]
    if shorter := [part for part in parts if len(part) <= block_size]:
        raise HomeworkError(
            f"the corpus has {len(tokens):,} tokens, of which a part of {len(shorter[0]):,} holds no sequence of {block_size} and its targets",
            hint="take a longer text, or a smaller --context",
        )
    return parts


def as_tokens(ids: list[int]) -> Tensor:
    """Return token ids as the loop wants them: int64 [N]."""
    return torch.tensor(ids, dtype=torch.int64)


def _documentation() -> str:
    try:
        from pydoc_data.topics import topics  # noqa: PLC0415  (half a megabyte of text)
    except ImportError as error:
        raise HomeworkError(
            "this Python comes without its documentation, `pydoc_data`", hint="name a text file with --corpus FILE"
        ) from error
    return "\n".join(topics[key] for key in sorted(topics))
