"""A token for each character."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Self

from hw11.errors import HomeworkError


class Characters:
    """Every character that the text has, in the order of Unicode.

    Args:
        vocabulary: The characters; a token's id is its place among them.
    """

    def __init__(self, vocabulary: list[str]) -> None:
        self._characters = vocabulary
        self._ids = {character: i for i, character in enumerate(vocabulary)}

    @classmethod
    def learn(cls, text: str, vocab_size: int | None) -> Self:
        """Return the tokenizer of a text's own characters.

        Raises:
            HomeworkError: A size was asked for.
        """
        if vocab_size is not None:
            raise HomeworkError(
                "the vocabulary of `char` is the characters of the corpus, and has their number",
                hint="leave --vocab-size out, or take --tokenizer bpe",
            )
        return cls(sorted(set(text)))

    @classmethod
    def load(cls, path: Path) -> Self:
        """Return the tokenizer that `save` wrote."""
        return cls(json.loads(path.read_text("utf-8"))["vocabulary"])

    def save(self, path: Path) -> None:
        """Write the vocabulary as JSON."""
        path.write_text(json.dumps({"kind": "char", "vocabulary": self._characters}) + "\n", "utf-8")

    @property
    def vocab_size(self) -> int:
        """V, the number of characters."""
        return len(self._characters)

    def encode(self, text: str) -> list[int]:
        """Return the id of each character.

        Raises:
            HomeworkError: One is not in the vocabulary.
        """
        try:
            return [self._ids[character] for character in text]
        except KeyError as error:
            character = error.args[0]
            raise HomeworkError(
                f"the character {character!r} (U+{ord(character):04X}) stands nowhere in the corpus, so that it has no token",
                hint="leave it out; tokens that spell any text come with --tokenizer bpe, with which no homework is handed in",
            ) from error

    def decode(self, tokens: list[int]) -> str:
        """Return the characters of some ids."""
        return "".join(self._characters[token] for token in tokens)
