"""A text in both languages."""

from __future__ import annotations

from typing import NamedTuple


class Said(NamedTuple):
    """One text in both languages; `{name}` stands for something that is put in."""

    en: str
    zh_tw: str

    def __call__(self, language: str, **values: object) -> str:
        """Return the text in one language, `en` or `zh-TW`, with values in their places."""
        text = self.zh_tw if language == "zh-TW" else self.en
        return text.format(**values) if values else text
