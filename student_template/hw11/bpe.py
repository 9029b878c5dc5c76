"""Byte-level byte pair encoding, as GPT-2 has it, by the library `tokenizers`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

from hw11.errors import HomeworkError

DEFAULT_SIZE = 1024
# As of the corpus: merges are learned from what trains, or they would know the validation part's words.
_LEARNED_FROM = 0.9


class BytePairs:
    """The 256 bytes, and the pairs of tokens that were most often neighbours.

    Args:
        tokenizer: A `tokenizers.Tokenizer`.
    """

    def __init__(self, tokenizer: Any) -> None:  # noqa: ANN401  (a class of a library that may not be there)
        self._tokenizer = tokenizer

    @classmethod
    def learn(cls, text: str, vocab_size: int | None) -> Self:
        """Learn a vocabulary of at most vocab_size tokens, 1024 where it is None.

        Raises:
            HomeworkError: The library is not installed, or the size is less than the number of bytes.
        """
        tokenizers = _library()
        size = DEFAULT_SIZE if vocab_size is None else vocab_size
        if size < 256:
            raise HomeworkError(
                f"a vocabulary of {size} tokens does not hold the 256 bytes", hint="ask for --vocab-size 256 or more"
            )
        tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
        tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = tokenizers.decoders.ByteLevel()
        alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
        trainer = tokenizers.trainers.BpeTrainer(vocab_size=size, initial_alphabet=alphabet, show_progress=False)
        tokenizer.train_from_iterator([text[: int(_LEARNED_FROM * len(text))]], trainer)
        return cls(tokenizer)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Return the tokenizer that `save` wrote.

        Raises:
            HomeworkError: The library is not installed.
        """
        return cls(_library().Tokenizer.from_file(str(path)))

    def save(self, path: Path) -> None:
        """Write it in the library's own form."""
        path.write_text(self._tokenizer.to_str(pretty=True) + "\n", "utf-8")

    @property
    def vocab_size(self) -> int:
        """V, the number of tokens."""
        return int(self._tokenizer.get_vocab_size())

    def encode(self, text: str) -> list[int]:
        """Return the token ids of a text."""
        return list(self._tokenizer.encode(text).ids)

    def decode(self, tokens: list[int]) -> str:
        """Return the text of token ids; bytes that are no UTF-8 give the replacement character."""
        return str(self._tokenizer.decode(tokens))


def _library() -> Any:  # noqa: ANN401
    try:
        import tokenizers  # noqa: PLC0415  (only BPE needs it)
        import tokenizers.decoders  # noqa: PLC0415
        import tokenizers.models  # noqa: PLC0415
        import tokenizers.pre_tokenizers  # noqa: PLC0415
        import tokenizers.trainers  # noqa: PLC0415
    except ImportError as error:
        raise HomeworkError(
            "byte pair encoding needs the package `tokenizers`",
            hint="python -m pip install tokenizers, or take --tokenizer char",
        ) from error
    return tokenizers
