"""What a student's code printed, beside what the tests say: shown, never read."""

from __future__ import annotations

from collections.abc import Iterator

from grader.escape.terminal import block
from grader.words import check as words

_LINES, _LINES_VERBOSE = 20, 200
_WIDEST = 300


def printed(text: str, language: str, *, verbose: bool = False) -> Iterator[str]:
    """Yield the first lines of what was printed, each with a mark, so that none looks like a verdict.

    Args:
        text: All that was printed in one run.
        language: `en` or `zh-TW`.
        verbose: Whether to show 200 lines, and not 20.
    """
    lines = text.rstrip().split("\n") if text.strip() else []
    most = _LINES_VERBOSE if verbose else _LINES
    if lines:
        yield f"    {words.PRINTED(language)}"
    yield from (f"    | {block(_cut(each))}" for each in lines[:most])
    if more := len(lines[most:]):
        yield f"    {words.MORE_LINES(language, count=more) if more > 1 else words.ONE_MORE_LINE(language)}"


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]}..."
