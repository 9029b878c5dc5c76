"""What turns a text into token ids and back, behind one Protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol, Self

from hw11.bpe import BytePairs
from hw11.characters import Characters
from hw11.errors import HomeworkError


class Tokenizer(Protocol):
    """A vocabulary, and the way from a text to its ids and back."""

    @classmethod
    def learn(cls, text: str, vocab_size: int | None) -> Self:
        """Return a tokenizer for a text; of a vocab_size of None it chooses its own."""
        ...

    @classmethod
    def load(cls, path: Path) -> Self:
        """Return the tokenizer that `save` wrote."""
        ...

    def save(self, path: Path) -> None:
        """Write it to a file."""
        ...

    @property
    def vocab_size(self) -> int:
        """V, the number of tokens in the vocabulary."""
        ...

    def encode(self, text: str, /) -> list[int]:
        """Return the token ids of a text."""
        ...

    def decode(self, tokens: list[int], /) -> str:
        """Return the text of token ids."""
        ...


KINDS: dict[str, type[Tokenizer]] = {"char": Characters, "bpe": BytePairs}


def encode(tokenizer: Tokenizer, prompt: str) -> list[int]:
    """Return the token ids of a prompt, of which there is one at least.

    Raises:
        HomeworkError: There is none, or a character has no token.
    """
    if not (tokens := tokenizer.encode(prompt)):
        raise HomeworkError("a prompt has one character at least", hint='for example --prompt "The "')
    return tokens


def load(kind: str, path: Path) -> Tokenizer:
    """Return a run's tokenizer.

    Raises:
        HomeworkError: The file is missing or damaged, or nobody knows the kind.
    """
    try:
        return KINDS[kind].load(path)
    except HomeworkError:
        raise
    except Exception as error:  # the library for byte pairs raises no class of its own
        raise HomeworkError(f"cannot read {path}: {error}", hint="the file must be this run's own") from error
